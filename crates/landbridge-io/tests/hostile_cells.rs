//! AnnData and MuData files that are cut off, damaged, or lie about their size: a typed error, no panic, no memory, no
//! waiting.

mod common;
mod h5;

use std::io::Read;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};

use common::{Rng, peak_memory};
use h5::{Kind, PACKINGS, anndata, mudata};
use hdf5_pure::{AttrValue, FileBuilder};
use landbridge_io::{Error, Input, Loaded, ReadOptions, Result, format_for, read_matrix};

const LIMIT: u64 = 64 << 20;

fn options(name: &str) -> ReadOptions {
    let modality = name.ends_with("h5mu").then(|| "atac".to_string());
    let has_types = !name.starts_with("newest");
    ReadOptions { max_memory: LIMIT, modality, label_column: has_types.then(|| "type".to_string()), ..Default::default() }
}

fn read_bytes(name: &str, bytes: &[u8]) -> Result<Loaded> {
    let path = Path::new(name);
    format_for(path, None)?.read(Input::from_bytes(path, bytes.to_vec(), LIMIT)?, &options(name))
}

/// A file that Python wrote (`tests/data/make_cells.py`: generated numbers).
fn python(name: &str) -> (String, Vec<u8>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(format!("{name}.gz"));
    let mut bytes = vec![];
    flate2::read::GzDecoder::new(std::fs::File::open(path).unwrap()).read_to_end(&mut bytes).unwrap();
    (name.into(), bytes)
}

const PYTHON: [&str; 4] = ["csr.h5ad", "dense.h5ad", "newest.h5ad", "old.h5ad"];

fn files() -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = PYTHON.map(python).to_vec();
    for packing in PACKINGS {
        for kind in [Kind::F32, Kind::Csr, Kind::Csc] {
            files.push((format!("{kind:?}-{packing:?}.h5ad"), anndata(kind, packing)));
        }
    }
    files.push(("two.h5mu".into(), mudata()));
    files
}

/// The answer, if it comes within 2 s. A machine that is busy with other things gets three tries.
fn quick<T>(work: impl Fn() -> T) -> Option<T> {
    (0..3).find_map(|_| {
        let started = Instant::now();
        let answer = work();
        (started.elapsed() < Duration::from_secs(2)).then_some(answer)
    })
}

fn survives(name: &str, bytes: &[u8]) -> Result<Loaded> {
    let answer = quick(|| catch_unwind(AssertUnwindSafe(|| read_bytes(name, bytes))));
    let answer = answer.unwrap_or_else(|| panic!("{name} takes too long: {}", kept(name, bytes)));
    answer.unwrap_or_else(|_| panic!("{name} panicked: {}", kept(name, bytes)))
}

/// Keeps the file for whoever has to find out why.
fn kept(name: &str, bytes: &[u8]) -> String {
    let path = std::env::temp_dir().join(format!("landbridge-bad-{name}"));
    std::fs::write(&path, bytes).unwrap();
    path.display().to_string()
}

#[test]
fn files_that_python_wrote_are_read_whole() {
    let expected = [[1.0, 0.0, 2.0], [0.0, 0.0, 3.0], [0.0, 0.0, 0.0], [4.0, 5.0, 0.0], [0.0, 6.0, 0.0]];
    for (name, bytes) in PYTHON.map(python) {
        let loaded = read_bytes(&name, &bytes).unwrap();
        let value = |i: usize, j: usize| match &loaded.rows {
            landbridge::data::Rows::Sparse(m) => m.get(i, j),
            landbridge::data::Rows::F32(m) => f64::from(m[(i, j)]),
            landbridge::data::Rows::F64(m) => m[(i, j)],
        };
        for (i, row) in expected.iter().enumerate() {
            assert_eq!([value(i, 0), value(i, 1), value(i, 2)], *row, "{name}, row {i}");
        }
        let first = if name == "newest.h5ad" { "a" } else { "cell0" };
        assert_eq!((loaded.row_ids.unwrap()[0].as_str(), loaded.columns.unwrap().len()), (first, 3), "{name}");
        if let Some(labels) = loaded.labels {
            assert_eq!(labels, ["T", "B", "", "T", "NK"], "{name}");
        }
    }
    let (name, bytes) = python("csr.h5ad");
    for (column, labels) in [("batch", ["x", "y", "x", "y", "ü"]), ("count", ["1", "", "3", "4", "5"])] {
        let options = ReadOptions { label_column: Some(column.into()), use_rep: Some("X_pca".into()), ..Default::default() };
        let input = Input::from_bytes(Path::new(&name), bytes.clone(), LIMIT).unwrap();
        let loaded = format_for(Path::new(&name), None).unwrap().read(input, &options).unwrap();
        assert_eq!((loaded.labels.unwrap(), loaded.rows.ncols()), (labels.map(String::from).to_vec(), 2));
    }
}

#[test]
fn a_file_cut_at_any_byte_is_an_error() {
    for (name, bytes) in files() {
        // A larger file has the same parts more often.
        let step = 1 + bytes.len() / 6000;
        for cut in (0..bytes.len()).step_by(step).chain([1, 7, 8, 9, 47, 48, 95, 96, bytes.len() - 1]) {
            let error = survives(&name, &bytes[..cut]).expect_err(&format!("{name} cut at {cut} was accepted"));
            assert!(["data", "parameter"].contains(&error.kind()), "{name} cut at {cut}: {error}");
        }
    }
}

/// Changes 1 to 6 things, mostly where the file is not empty: bits, bytes, whole numbers of 2, 4 and 8 bytes, runs.
fn mutate(rng: &mut Rng, original: &[u8], used: &[usize]) -> Vec<u8> {
    let mut bytes = original.to_vec();
    for _ in 0..=rng.below(6) {
        let at = if rng.below(4) > 0 { used[rng.below(used.len())] } else { rng.below(bytes.len()) }.min(bytes.len() - 1);
        let width = [2, 4, 8][rng.below(3)].min(bytes.len() - at);
        match rng.below(9) {
            0 => bytes[at] ^= 1 << rng.below(8),
            1 => bytes[at] = rng.next() as u8,
            2 => bytes[at] = bytes[at].wrapping_add(1),
            3 => bytes[at] = bytes[at].wrapping_sub(1),
            4 => bytes[at..at + width].fill([0, 0xff, 0x7f, 1][rng.below(4)]),
            5 => bytes[at..at + width].copy_from_slice(&(1u64 << rng.below(64)).to_le_bytes()[..width]),
            6 => bytes[at..at + width].copy_from_slice(&(rng.below(original.len()) as u64).to_le_bytes()[..width]),
            7 => {
                // An address or a size from elsewhere in the file.
                let from = used[rng.below(used.len())].min(bytes.len() - width);
                bytes.copy_within(from..from + width, at);
            }
            _ if rng.below(8) == 0 => bytes.truncate(at.max(16)),
            _ => {
                let end = (at + rng.below(32)).min(bytes.len());
                bytes[at..end].rotate_left(usize::from(end - at > 1));
            }
        }
    }
    bytes
}

#[test]
fn twenty_thousand_mutants_neither_panic_nor_wait_nor_take_memory() {
    // For a longer run: LANDBRIDGE_ROUNDS=100.
    let rounds: u64 = std::env::var("LANDBRIDGE_ROUNDS").ok().and_then(|r| r.parse().ok()).unwrap_or(1);
    let folder = tempfile::tempdir().unwrap();
    let files = files();
    let (mut read, mut refused) = (0, 0);
    for (k, (name, bytes)) in files.iter().enumerate() {
        let used: Vec<usize> = (0..bytes.len()).filter(|&i| bytes[i] != 0).collect();
        let mut rng = Rng(500 + k as u64 + 1000 * rounds);
        let stored = folder.path().join(name);
        // HDF5 as Python writes it has no checksums: there a mutant reaches farther into the reader.
        let count = if PYTHON.contains(&name.as_str()) { 3000 } else { 500 } * rounds;
        for round in 0..count {
            let mutant = mutate(&mut rng, bytes, &used);
            let streamed = survives(name, &mutant);
            if round % 10 == 0 {
                let _ = std::fs::remove_file(&stored);
                std::fs::write(&stored, &mutant).unwrap();
                let from_file = read_matrix(&stored, &options(name));
                assert_eq!(streamed.is_ok(), from_file.is_ok(), "{name}: {streamed:?}, {from_file:?}, {}", kept(name, &mutant));
            }
            match streamed {
                Ok(_) => read += 1,
                Err(_) => refused += 1,
            }
        }
    }
    assert_eq!(read + refused, (4 * 3000 + 16 * 500) * rounds);
    assert!(refused > 5000, "only {refused} refused: the mutator does too little");
    if let Some(peak) = peak_memory() {
        assert!(peak < 512 << 20, "{peak} bytes");
    }
}

#[test]
fn a_flipped_bit_in_a_file_with_checksums_never_changes_the_numbers() {
    for name in ["newest.h5ad", "made.h5ad"] {
        let bytes = if name == "made.h5ad" { anndata(Kind::Csr, PACKINGS[4]) } else { python(name).1 };
        let whole = read_bytes("newest.h5ad", &bytes).unwrap();
        let mut refused = 0;
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << (at % 8);
            match survives("newest.h5ad", &damaged) {
                Ok(loaded) => assert_eq!(loaded.rows, whole.rows, "{name}, byte {at}"),
                Err(_) => refused += 1,
            }
        }
        assert!(refused > 1000, "{name}: only {refused} of {} refused", bytes.len());
    }
}

/// Sparse matrices that declare far more than they hold.
fn giants() -> Vec<Vec<u8>> {
    let mut files = vec![];
    for format in ["csr_matrix", "csc_matrix"] {
        for shape in
            [[1i64 << 60, 2], [2, 1 << 60], [1 << 60, 1 << 60], [-1, 2], [1 << 31, 2], [2, 1 << 33], [i64::MAX, i64::MAX]]
        {
            let mut file = FileBuilder::new();
            let mut x = file.create_group("X");
            x.set_attr("encoding-type", AttrValue::String(format.into()));
            x.set_attr("shape", AttrValue::I64Array(shape.to_vec()));
            x.create_dataset("data").with_f64_data(&[1.0]);
            x.create_dataset("indices").with_i32_data(&[0]);
            x.create_dataset("indptr").with_i32_data(&[0, 0, 1]);
            file.add_group(x.finish());
            files.push(file.finish().unwrap());
        }
    }
    // Arrays whose size was overwritten: 5 × 3 in files without checksums, as 8-byte numbers one after the other.
    for name in ["csr.h5ad", "dense.h5ad"] {
        let (_, bytes) = python(name);
        for dimensions in [&[5u64, 3][..], &[5], &[6], &[8]] {
            let pattern: Vec<u8> = dimensions.iter().flat_map(|d| d.to_le_bytes()).collect();
            let places = bytes.windows(pattern.len()).enumerate().filter(|(_, w)| *w == pattern).map(|(at, _)| at);
            for at in places.collect::<Vec<_>>() {
                for size in [1u64 << 60, 1 << 40, 1 << 33, u64::MAX, 3_000_000_000] {
                    let mut giant = bytes.clone();
                    giant[at..at + 8].copy_from_slice(&size.to_le_bytes());
                    files.push(giant);
                }
            }
        }
    }
    files
}

#[test]
fn giant_declared_sizes_are_refused_before_memory_is_taken() {
    if std::env::var_os("LANDBRIDGE_GIANTS").is_none() {
        let status = std::process::Command::new("sh")
            .args(["-c", "ulimit -v 1048576; exec \"$0\" --exact \"$1\" --test-threads 1"])
            .arg(std::env::current_exe().unwrap())
            .arg("giant_declared_sizes_are_refused_before_memory_is_taken")
            .env("LANDBRIDGE_GIANTS", "1")
            .stdout(std::process::Stdio::null())
            .status();
        assert!(status.unwrap().success());
        return;
    }
    let files = giants();
    assert!(files.len() > 50, "{}", files.len());
    let whole: Vec<Loaded> = ["csr.h5ad", "dense.h5ad"].map(|n| default_read(&python(n).1).unwrap()).to_vec();
    for bytes in files {
        // The default limit of 16 GiB is far above the gigabyte this process gets: only what is there is taken.
        match quick(|| default_read(&bytes)).expect("an answer in time") {
            // A number that is no size of what is read.
            Ok(loaded) => assert!(whole.contains(&loaded), "{}", kept("giant.h5ad", &bytes)),
            Err(error) => assert_eq!(error.kind(), "data", "{error}"),
        }
    }
    assert!(peak_memory().is_none_or(|peak| peak < 512 << 20), "{:?} bytes", peak_memory());
}

fn default_read(bytes: &[u8]) -> Result<Loaded> {
    let path = Path::new("a.h5ad");
    let options = ReadOptions::default();
    format_for(path, None)?.read(Input::from_bytes(path, bytes.to_vec(), options.max_memory)?, &options)
}

#[test]
fn bombs_are_refused_when_the_limit_is_passed() {
    let zeros = vec![0f64; 4 << 20];
    for lzf in [false, true] {
        let mut file = FileBuilder::new();
        let x = file.create_dataset("X");
        x.with_f64_data(&zeros).with_shape(&[1 << 12, 1 << 10]).with_chunks(&[1 << 11, 1 << 10]);
        if lzf {
            x.with_lzf()
        } else {
            x.with_deflate(9)
        };
        let bytes = file.finish().unwrap();
        assert!(bytes.len() < 1 << 20, "{} bytes unpack to {}", bytes.len(), 8 * zeros.len());
        assert!(default_read(&bytes).is_ok());
        let input = Input::from_bytes(Path::new("a.h5ad"), bytes, 1 << 20).unwrap();
        let small = ReadOptions { max_memory: 1 << 20, ..Default::default() };
        let error = format_for(Path::new("a.h5ad"), None).unwrap().read(input, &small).unwrap_err();
        assert!(matches!(error, Error::TooLarge { .. }), "{error}");
    }
}

#[test]
fn empty_and_foreign_files_are_typed_errors() {
    for name in ["a.h5ad", "a.h5mu"] {
        assert!(matches!(read_bytes(name, b"GIF89a and nothing else"), Err(Error::WrongFormat { .. })));
        assert!(matches!(
            read_bytes(name, b"\x89HD"),
            Err(Error::Truncated { .. } | Error::Damaged { .. } | Error::WrongFormat { .. })
        ));
        assert!(matches!(Input::from_bytes(Path::new(name), vec![], LIMIT), Err(Error::EmptyFile { .. })));
        let nothing = FileBuilder::new().finish().unwrap();
        assert!(matches!(read_bytes(name, &nothing), Err(Error::WrongFormat { .. })));
    }
}
