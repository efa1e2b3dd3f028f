use super::*;
use crate::format::{Table, write_matrix};
use crate::format::{format_for, read_matrix};
use arrow_array::{ArrayRef, Float32Array, RecordBatch, StringArray};
use arrow_ipc::writer::{FileWriter, StreamWriter};
use landbridge::data::Rows;
use landbridge::linalg::{Csr, Matrix};
use parquet::arrow::ArrowWriter;
use parquet::file::properties::WriterProperties;
use std::io::Write;
use std::sync::Arc;

/// 1,000 rows in row groups of 300, with ids; a value is missing where told.
fn grouped(hole: Option<usize>) -> Vec<u8> {
    let ids: ArrayRef = Arc::new(StringArray::from_iter_values((0..1000).map(|i| format!("r{i}"))));
    let x: ArrayRef = Arc::new(Float32Array::from_iter((0..1000).map(|i| (Some(i) != hole).then_some(i as f32 * 0.5))));
    let y: ArrayRef = Arc::new(Float32Array::from_iter_values((0..1000).map(|i| 1.0 / (1.0 + i as f32))));
    let batch = RecordBatch::try_from_iter_with_nullable([("id", ids, false), ("x", x, true), ("y", y, true)]).unwrap();
    let properties = WriterProperties::builder().set_max_row_group_row_count(Some(300)).build();
    let mut out = vec![];
    let mut writer = ArrowWriter::try_new(&mut out, batch.schema(), Some(properties)).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    out
}

fn pieces(path: &Path) -> Result<Vec<(usize, Loaded)>> {
    let format = format_for(path, None)?;
    let pieces = Pieces::open(path, format, &ReadOptions::default())?;
    let mut all = vec![];
    pieces.read(
        |at| at != 1,
        |at, loaded| -> Result<()> {
            all.push((at, loaded));
            Ok(())
        },
    )?;
    Ok(all)
}

#[test]
fn pieces_are_the_rows_of_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.parquet");
    std::fs::write(&path, grouped(None)).unwrap();
    let whole = read_matrix(&path, &ReadOptions::default()).unwrap();
    let found = pieces(&path).unwrap();
    assert_eq!(found.iter().map(|(at, l)| (*at, l.rows.nrows())).collect::<Vec<_>>(), [(0, 300), (2, 300), (3, 100)]);
    for (at, loaded) in found {
        let chosen: Vec<usize> = (300 * at..300 * at + loaded.rows.nrows()).collect();
        assert_eq!(loaded.rows, whole.rows.select(&chosen));
        assert_eq!(loaded.row_ids.unwrap(), whole.row_ids.as_ref().unwrap()[chosen[0]..=chosen[chosen.len() - 1]]);
        assert!(matches!(loaded.rows, Rows::F32(_)));
    }
    std::fs::write(&path, grouped(Some(777))).unwrap();
    let message = pieces(&path).err().unwrap().to_string();
    assert!(message.ends_with("a.parquet row 777, column \"x\": the value is missing"), "{message}");
    let packed = folder.path().join("a.parquet.gz");
    std::fs::write(&packed, b"").unwrap();
    let message = pieces(&packed).err().unwrap().to_string();
    assert!(message.ends_with("a.parquet.gz cannot be read in pieces: it is compressed as a whole; decompress it"), "{message}");
}

#[test]
fn broken_files_are_refused_in_pieces_too() {
    let folder = tempfile::tempdir().unwrap();
    let good = grouped(None);
    let path = folder.path().join("a.parquet");
    let mut state = 1u64;
    let mut random = |bound: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % bound
    };
    for round in 0..600 {
        let mut bad = good.clone();
        match round % 3 {
            0 => bad.truncate(random(good.len())),
            _ => (0..1 + random(4)).for_each(|_| {
                let at = random(good.len());
                bad[at] ^= 1 << random(8);
            }),
        }
        std::fs::write(&path, &bad).unwrap();
        // Refused, or read as what it then is: never a panic.
        let found = pieces(&path);
        if round % 3 == 0 {
            assert!(found.is_err(), "{round}");
        }
    }
}

/// All pieces in one: number of rows of each, values row by row, ids. `wanted` chooses pieces.
fn joined(path: &Path, wanted: impl Fn(usize) -> bool) -> Result<(Vec<usize>, Vec<f64>, Vec<String>)> {
    let pieces = Pieces::open(path, format_for(path, None)?, &ReadOptions::default())?;
    let (mut counts, mut values, mut ids) = (vec![], vec![], vec![]);
    let total = pieces.read(wanted, |_, loaded| -> Result<()> {
        counts.push(loaded.rows.nrows());
        values.extend(doubles(&loaded.rows));
        ids.extend(loaded.row_ids.into_iter().flatten());
        Ok(())
    })?;
    assert!(counts.len() <= total && pieces.count().is_none_or(|count| count == total));
    Ok((counts, values, ids))
}

fn doubles(rows: &Rows) -> Vec<f64> {
    match rows {
        Rows::F64(m) => m.as_slice().to_vec(),
        Rows::F32(m) => m.as_slice().iter().map(|v| f64::from(*v)).collect(),
        Rows::Sparse(m) => m.to_dense().into_vec(),
    }
}

/// Whether the pieces of a file are its rows, all of them and every second one.
fn are_the_rows(path: &Path) {
    let whole = read_matrix(path, &ReadOptions::default()).unwrap();
    let (expected, p) = (doubles(&whole.rows), whole.rows.ncols());
    let shown = path.display();
    let (counts, values, ids) = joined(path, |_| true).unwrap();
    assert!(counts.len() > 2, "{shown}: {counts:?}");
    assert!(values == expected, "{shown}");
    assert_eq!(ids, whole.row_ids.clone().unwrap_or_default(), "{shown}");
    let (second, values, ids) = joined(path, |at| at % 2 == 1).unwrap();
    assert_eq!(second, counts.iter().skip(1).step_by(2).copied().collect::<Vec<_>>(), "{shown}");
    let starts: Vec<usize> = counts.iter().scan(0, |at, n| Some(std::mem::replace(at, *at + n))).collect();
    let places = || starts.iter().zip(&counts).skip(1).step_by(2).map(|(at, n)| *at..at + n);
    assert_eq!(values, places().flat_map(|rows| expected[rows.start * p..rows.end * p].to_vec()).collect::<Vec<_>>(), "{shown}");
    if let Some(all) = whole.row_ids {
        assert_eq!(ids, places().flat_map(|rows| all[rows].to_vec()).collect::<Vec<_>>(), "{shown}");
    }
}

fn dense() -> (Matrix<f64>, Vec<String>, Vec<String>) {
    let rows = Matrix::from_fn(1000, 3, |i, j| ((i * 37 + j * 11) % 101) as f64 * 0.25 - 7.0);
    (rows, (0..1000).map(|i| format!("row \"{i}\"")).collect(), ["x", "y", "z"].map(String::from).to_vec())
}

#[test]
fn every_format_gives_its_rows_in_pieces() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let (rows, ids, columns) = dense();
    for name in ["a.csv", "a.tsv", "a.csv.gz", "a.tsv.zst"] {
        write_matrix(at(name), &Table::new(&rows).row_ids(&ids).columns(&columns)).unwrap();
        are_the_rows(&at(name));
    }
    write_matrix(at("plain.csv"), &Table::new(&rows)).unwrap();
    let sparse =
        Csr::from_dense(&Matrix::from_fn(1000, 6, |i, j| if (i + j) % 3 == 0 && i % 7 > 0 { rows[(i, j / 2)] } else { 0.0 }));
    for name in ["a.npy", "a.npz"] {
        write_matrix(at(name), &Table::new(&rows)).unwrap();
        are_the_rows(&at(name));
    }
    are_the_rows(&at("plain.csv"));
    for name in ["s.mtx", "s.mtx.gz", "s.npz"] {
        write_matrix(at(name), &Table::new(&sparse)).unwrap();
        are_the_rows(&at(name));
    }
    // Cells with line ends, empty lines between, and a last line without its end.
    let text: String = (0..400).map(|i| format!("\"a\n{i}\",{i}.5,\"1\"{}", if i % 50 == 0 { "\n\n" } else { "\n" })).collect();
    std::fs::write(at("quoted.csv"), format!("id,x,y\n{}", text.trim_end())).unwrap();
    are_the_rows(&at("quoted.csv"));
}

#[test]
fn arrow_batches_are_put_together_and_files_that_are_cut_off_refused() {
    let folder = tempfile::tempdir().unwrap();
    let id: ArrayRef = Arc::new(StringArray::from_iter_values((0..1000).map(|i| format!("r{i}"))));
    let x: ArrayRef = Arc::new(Float32Array::from_iter_values((0..1000).map(|i| i as f32 * 0.5)));
    let batch = RecordBatch::try_from_iter([("id", id), ("x", x)]).unwrap();
    let (mut file, mut stream) = (vec![], vec![]);
    let mut one = FileWriter::try_new(&mut file, &batch.schema()).unwrap();
    let mut two = StreamWriter::try_new(&mut stream, &batch.schema()).unwrap();
    for from in (0..1000).step_by(40) {
        one.write(&batch.slice(from, 40)).unwrap();
        two.write(&batch.slice(from, 40)).unwrap();
    }
    one.finish().unwrap();
    two.finish().unwrap();
    drop((one, two));
    for (name, content) in [("f.arrow", &file), ("s.arrows", &stream)] {
        let path = folder.path().join(name);
        std::fs::write(&path, content).unwrap();
        are_the_rows(&path);
        let packed = folder.path().join(format!("{name}.gz"));
        let mut gz = flate2::write::GzEncoder::new(std::fs::File::create(&packed).unwrap(), flate2::Compression::fast());
        gz.write_all(content).unwrap();
        gz.finish().unwrap();
        are_the_rows(&packed);
        for end in [3, 9, 100, content.len() / 2, content.len() - 9] {
            std::fs::write(&path, &content[..end]).unwrap();
            assert!(joined(&path, |_| true).is_err(), "{name} {end}");
        }
    }
}

#[test]
fn mistakes_are_placed_in_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let message = |name: &str, text: String| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        joined(&path, |at| at != 1).unwrap_err().to_string().replace(&format!("{}/", folder.path().display()), "")
    };
    let lines = |hole: usize| (0..900).map(|i| if i == hole { "1,?\n".into() } else { format!("1,{i}\n") }).collect::<String>();
    assert_eq!(message("a.csv", format!("x,y\n{}", lines(800))), "a.csv line 802, column \"y\": \"?\" is not a number");
    assert_eq!(message("a.csv", format!("x,y\n{}1,2,3\n", lines(2000))), "a.csv line 902: 3 fields where 2 are expected");
    let head = "%%MatrixMarket matrix coordinate real general\n";
    let entries = |n: usize| (1..=n).map(|i| format!("{i} 1 2.5\n")).collect::<String>();
    let unsorted = message("a.mtx", format!("{head}900 2 901\n{}3 2 1\n", entries(900)));
    assert!(
        unsorted.starts_with("a.mtx cannot be read in pieces: it is not sorted by rows: row 3 follows row 900 in line 903"),
        "{unsorted}"
    );
    assert!(message("a.mtx", format!("{head}900 2 901\n{}", entries(900))).contains("900 of 901 entries"));
    assert!(message("a.mtx", format!("{head}900 2 899\n{}", entries(900))).contains("there are 900 entries"));
    let symmetric = head.replace("general", "symmetric");
    assert!(message("a.mtx", format!("{symmetric}2 2 1\n2 1 1\n")).contains("symmetric matrix"));
    let mean = ReadOptions { missing: Missing::Mean, ..ReadOptions::default() };
    let path = folder.path().join("a.csv");
    let error = Pieces::open(&path, format_for(&path, None).unwrap(), &mean).err().unwrap();
    assert!(error.to_string().contains("the mean of all rows") && error.hint().unwrap().contains("one file"));
}

#[test]
fn broken_archives_and_arrow_files_never_panic() {
    let folder = tempfile::tempdir().unwrap();
    let (rows, ..) = dense();
    let sparse = Csr::from_dense(&rows);
    write_matrix(folder.path().join("s.npz"), &Table::new(&sparse)).unwrap();
    write_matrix(folder.path().join("a.arrow"), &Table::new(&rows)).unwrap();
    write_matrix(folder.path().join("s.mtx"), &Table::new(&sparse)).unwrap();
    let mut state = 7u64;
    let mut random = |bound: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % bound
    };
    for name in ["s.npz", "a.arrow", "s.mtx"] {
        let path = folder.path().join(name);
        let good = std::fs::read(&path).unwrap();
        for round in 0..300 {
            let mut bad = good.clone();
            match round % 3 {
                0 => bad.truncate(random(good.len() - 1)),
                _ => (0..1 + random(4)).for_each(|_| {
                    let at = random(good.len());
                    bad[at] ^= 1 << random(8);
                }),
            }
            std::fs::write(&path, &bad).unwrap();
            let found = joined(&path, |_| true);
            // The last number of a text may lose digits.
            assert!(round % 3 != 0 || name == "s.mtx" || found.is_err(), "{name} {round}");
        }
    }
}

/// An AnnData file of 1,000 cells and 6 genes: dense, by rows or by columns.
fn cells(kind: &str) -> Vec<u8> {
    use hdf5_pure::{AttrValue, FileBuilder};
    let rows = Matrix::from_fn(1000, 6, |i, j| if (i + j) % 3 == 0 && i % 7 > 0 { (i * 6 + j) as f64 } else { 0.0 });
    let mut file = FileBuilder::new();
    if kind == "dense" {
        let x = file.create_dataset("X");
        x.with_f64_data(rows.as_slice()).with_shape(&[1000, 6]).with_chunks(&[64, 4]).with_deflate(4);
    } else {
        let sparse = Csr::from_dense(&rows);
        let starts: Vec<i64> = sparse.indptr().iter().map(|s| *s as i64).collect();
        let starts = if kind == "csr_matrix" { starts } else { starts[..7].to_vec() };
        let mut x = file.create_group("X");
        x.set_attr("encoding-type", AttrValue::String(kind.into()));
        x.set_attr("shape", AttrValue::I64Array(vec![1000, 6]));
        let n = sparse.nnz() as u64;
        x.create_dataset("data").with_f64_data(sparse.values()).with_shape(&[n]).with_chunks(&[100]).with_deflate(4);
        let columns: Vec<i32> = sparse.indices().iter().map(|j| *j as i32).collect();
        x.create_dataset("indices").with_i32_data(&columns).with_shape(&[n]).with_chunks(&[77]);
        x.create_dataset("indptr").with_i64_data(&starts);
        file.add_group(x.finish());
    }
    for (name, count) in [("obs", 1000), ("var", 6)] {
        let names: Vec<String> = (0..count).map(|i| format!("{name}{i}")).collect();
        let mut group = file.create_group(name);
        group.set_attr("_index", AttrValue::VarLenString("_index".into()));
        group.create_dataset("_index").with_vlen_strings(&names.iter().map(String::as_str).collect::<Vec<_>>());
        file.add_group(group.finish());
    }
    file.finish().unwrap()
}

#[test]
fn cells_come_in_pieces_by_rows() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.h5ad");
    for kind in ["dense", "csr_matrix"] {
        let good = cells(kind);
        std::fs::write(&path, &good).unwrap();
        are_the_rows(&path);
        let mut state = 3u64;
        for round in 0..200 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let at = (state >> 20) as usize % good.len();
            let mut bad = good.clone();
            if round % 4 == 0 {
                bad.truncate(at)
            } else {
                bad[at] ^= 1 << (state % 8)
            }
            std::fs::write(&path, &bad).unwrap();
            // Refused, or read as what it then is: never a panic.
            assert!(joined(&path, |_| true).is_err() || round % 4 > 0);
        }
    }
    std::fs::write(&path, cells("csc_matrix")).unwrap();
    let message = joined(&path, |_| true).unwrap_err().to_string();
    assert!(message.ends_with("cannot be read in pieces: \"X\" is stored by columns (CSC); write it as CSR"), "{message}");
}
