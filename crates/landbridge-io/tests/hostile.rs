//! Files that are cut off, damaged, or lie about their size: a typed error, no panic, no memory, no waiting.

mod common;
#[path = "../../../fuzz/src/lib.rs"]
#[allow(dead_code, unreachable_pub)]
mod fuzz;

use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use common::{Rng, peak_memory, samples};
use landbridge::data::Rows;
use landbridge_io::{Error, Input, Loaded, ReadOptions, Result, Table, format_for, read_matrix, read_pairs, write_matrix};

const LIMIT: u64 = 64 << 20;

fn options() -> ReadOptions {
    ReadOptions { max_memory: LIMIT, ..Default::default() }
}

fn read_bytes(name: &str, bytes: Vec<u8>) -> Result<Loaded> {
    let path = Path::new(name);
    format_for(path, None)?.read(Input::from_bytes(path, bytes, LIMIT)?, &options())
}

/// One small file of each kind: its name and its bytes.
fn small_files() -> Vec<(String, Vec<u8>)> {
    let folder = tempfile::tempdir().unwrap();
    let [double, single, sparse] = samples(3, 5, 4);
    let ids: Vec<String> = ["a", "b,c", "ü", "\"", "e\nf"].map(String::from).to_vec();
    let columns: Vec<String> = ["x", "y", "z", "w"].map(String::from).to_vec();
    let mut names: Vec<String> = vec![];
    let add = |names: &mut Vec<String>, name: &str, table: Table| {
        write_matrix(folder.path().join(name), &table).unwrap();
        names.push(name.into());
    };
    for packed in ["", ".gz", ".zst"] {
        let named = Table::new(&double).row_ids(&ids).columns(&columns);
        add(&mut names, &format!("named.csv{packed}"), named);
        add(&mut names, &format!("plain.tsv{packed}"), Table::new(&double));
        add(&mut names, &format!("double.npy{packed}"), Table::new(&double));
        add(&mut names, &format!("single.npy{packed}"), Table::new(&single));
        add(&mut names, &format!("dense.npz{packed}"), Table::new(&double));
        add(&mut names, &format!("sparse.npz{packed}"), Table::new(&sparse));
        add(&mut names, &format!("dense.mtx{packed}"), Table::new(&double));
        add(&mut names, &format!("sparse.mtx{packed}"), Table::new(&sparse));
        add(&mut names, &format!("named.parquet{packed}"), Table::new(&double).row_ids(&ids).columns(&columns));
        add(&mut names, &format!("single.parquet{packed}"), Table::new(&single));
        add(&mut names, &format!("named.arrow{packed}"), Table::new(&double).row_ids(&ids).columns(&columns));
        let pack = |text: &str| match packed {
            ".gz" => gz(text.as_bytes()),
            ".zst" => zst(text.as_bytes()),
            _ => text.into(),
        };
        for (name, text) in TEXTS {
            put(&folder.path().join(format!("{name}{packed}")), &pack(text));
            names.push(format!("{name}{packed}"));
        }
    }
    names.into_iter().map(|name| (name.clone(), std::fs::read(folder.path().join(name)).unwrap())).collect()
}

/// Files of the kinds that are only read.
const TEXTS: [(&str, &str); 4] = [
    ("lines.txt", "The cat saw the dog.\nEin Größenwahn, été\n\nनमस्ते दुनिया cat\n"),
    ("objects.jsonl", "{\"id\": 1, \"text\": \"a cat\"}\n{\"id\": \"b\", \"text\": \"the \\u00e9t\\u00e9 dog\"}\n"),
    ("atoms.pdb", "MODEL        1\nATOM      2  CA  GLY A   1      11.639   6.071  -5.147  0.50  0.00           C\nENDMDL\n"),
    (
        "atoms.cif",
        "data_x\nloop_\n_atom_site.type_symbol\n_atom_site.label_atom_id\n_atom_site.auth_asym_id\n_atom_site.auth_seq_id\n\
         _atom_site.Cartn_x\n_atom_site.Cartn_y\n_atom_site.Cartn_z\nC CA A 1 1.5 2 3\nC 'CA' A 2 4 5 6\n#\n",
    ),
];

/// A new file each time: overwriting makes some file systems wait for the disk.
fn put(path: &Path, bytes: &[u8]) {
    let _ = std::fs::remove_file(path);
    std::fs::write(path, bytes).unwrap();
}

/// Reads from memory and, where a file is given, from that: the same answer, no panic, no waiting.
fn survives(name: &str, bytes: &[u8], file: Option<&Path>) -> Result<Loaded> {
    let outcome = quick(|| {
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            let streamed = read_bytes(name, bytes.to_vec());
            if let Some(file) = file {
                put(file, bytes);
                let stored = read_matrix(file, &options());
                // Doubled ids are found when a file has been read.
                let doubled = matches!(stored, Err(Error::DuplicateId { .. }));
                assert_eq!(streamed.is_ok(), stored.is_ok() || doubled, "{name}: stream {streamed:?}, file {stored:?}");
            }
            streamed
        }));
        outcome.unwrap_or_else(|_| panic!("{name} panicked with {bytes:02x?}"))
    });
    outcome.unwrap_or_else(|| panic!("{name} takes too long with {bytes:02x?}"))
}

/// The answer, if it comes within 2 s. A machine that is busy with other things gets three tries.
fn quick<T>(work: impl Fn() -> T) -> Option<T> {
    (0..3).find_map(|_| {
        let started = Instant::now();
        let answer = work();
        (started.elapsed() < Duration::from_secs(2)).then_some(answer)
    })
}

#[test]
fn a_file_cut_at_any_byte_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in small_files() {
        let whole = read_bytes(&name, bytes.clone()).unwrap();
        let file = folder.path().join(&name);
        let lenient = [".csv", ".tsv", ".txt", ".jsonl", ".pdb", ".cif"].iter().any(|e| name.ends_with(e));
        let text = lenient || name.ends_with(".mtx");
        // The last number of a text without its last digits is still a number.
        let last_line = 1 + bytes[..bytes.len() - 1].iter().rposition(|&b| b == b'\n').unwrap_or(0);
        for cut in 0..bytes.len() {
            let result = survives(&name, &bytes[..cut], Some(&file));
            match result {
                Ok(_) if lenient => {}
                Ok(_) if text && cut > last_line => {}
                Ok(loaded) => assert_eq!(loaded.rows, whole.rows, "{name} cut at {cut} was read as something else"),
                Err(_) => continue,
            }
            assert!(text, "{name} cut at {cut} was accepted");
        }
    }
}

/// Changes 1 to 8 things: bits, bytes, runs, lengths, digits.
fn mutate(rng: &mut Rng, original: &[u8]) -> Vec<u8> {
    let mut bytes = original.to_vec();
    for _ in 0..=rng.below(8) {
        if bytes.is_empty() {
            break;
        }
        let at = rng.below(bytes.len());
        match rng.below(8) {
            0 => bytes[at] ^= 1 << rng.below(8),
            1 => bytes[at] = rng.next() as u8,
            2 => bytes[at] = [0, 0xff, 0x7f, 0x80, b'\n', b'"', b',', b'9'][rng.below(8)],
            3 => bytes.truncate(at),
            4 => {
                let end = (at + rng.below(16)).min(bytes.len());
                bytes.drain(at..end);
            }
            5 => {
                let end = (at + 1 + rng.below(16)).min(bytes.len());
                let run = bytes[at..end].to_vec();
                let to = rng.below(bytes.len());
                bytes.splice(to..to, run);
            }
            6 => {
                let end = (at + 8).min(bytes.len());
                bytes[at..end].fill([0, 0xff, b'9', b' '][rng.below(4)]);
            }
            _ => bytes.splice(at..at, b"99999999999999999999".iter().copied().take(1 + rng.below(20))).for_each(drop),
        }
    }
    bytes
}

#[test]
fn ten_thousand_mutants_per_reader_neither_panic_nor_wait() {
    let folder = tempfile::tempdir().unwrap();
    let (mut read, mut refused, mut expected) = (0, 0, 0);
    for (k, (name, bytes)) in small_files().into_iter().enumerate() {
        // 10,000 for each format, the packed ones share another 10,000.
        let count = if name.ends_with(".gz") || name.ends_with(".zst") { 1250 } else { 10_000 };
        expected += count;
        let file = folder.path().join(&name);
        let mut rng = Rng(1000 + k as u64);
        for round in 0..count {
            let mutant = mutate(&mut rng, &bytes);
            let file = (round % 10 == 0).then_some(file.as_path());
            match survives(&name, &mutant, file) {
                Ok(_) => read += 1,
                Err(_) => refused += 1,
            }
        }
    }
    assert_eq!(read + refused, expected);
    assert!(expected >= 15 * 10_000);
    assert!(refused > 20_000, "only {refused} refused: the mutator does too little");
}

#[test]
fn mutated_pair_tables_neither_panic_nor_wait() {
    let folder = tempfile::tempdir().unwrap();
    let ids: Vec<String> = (0..5).map(|i| format!("w{i}")).collect();
    let rows = samples(1, 5, 2);
    let dataset = |name| landbridge::data::Dataset::new(name, rows[0].clone()).unwrap();
    let (en, it) = (dataset("en").with_row_ids(ids).unwrap(), dataset("it"));
    let path = folder.path().join("p.csv");
    let text = "en,it,weight\nw0,1,1\n\"w1\",2,0.5\nw2,,1\n3,4,2\n".replace("w2,,1\n", "");
    let mut rng = Rng(77);
    for _ in 0..10_000 {
        put(&path, &mutate(&mut rng, text.as_bytes()));
        quick(|| read_pairs(&path, &[&en, &it]).is_ok()).expect("an answer in time");
    }
}

#[test]
fn every_reader_has_a_fuzz_target() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz");
    let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).unwrap();
    for format in landbridge_io::formats() {
        let name = format.name();
        assert!(manifest.contains(&format!("name = \"{name}\"\npath = \"fuzz_targets/{name}.rs\"")), "{name}");
        let target = std::fs::read_to_string(folder.join(format!("fuzz_targets/{name}.rs"))).unwrap();
        assert!(target.contains(&format!("landbridge_fuzz::read(\"{name}\", bytes)")), "{name}");
        assert!(!fuzz::read(name, b"neither rows nor columns") || name == "txt", "{name}");
    }
    for (name, bytes) in small_files() {
        let format = format_for(Path::new(&name), None).unwrap();
        assert!(fuzz::read(format.name(), &bytes), "{name}");
    }
    assert!(!fuzz::model(b"no model"));
}

fn npy(shape: &str, descr: &str, data: &[u8]) -> Vec<u8> {
    let header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}\n");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(data);
    bytes
}

fn zip(members: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(vec![]));
    for (name, bytes) in members {
        zip.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

#[test]
fn mutated_ratings_neither_panic_nor_wait() {
    let text = "user,item,rating\nann,x,5\n\"bob\",y,0\nann,\"y,z\",2.5,99\n";
    let options = ReadOptions { ratings: true, ..options() };
    let mut rng = Rng(78);
    for _ in 0..10_000 {
        let mutant = mutate(&mut rng, text.as_bytes());
        let read = || {
            let input = Input::from_bytes(Path::new("r.csv"), mutant.clone(), LIMIT)?;
            format_for(Path::new("r.csv"), None)?.read(input, &options)
        };
        quick(|| read().is_ok()).expect("an answer in time");
    }
}

fn gz(bytes: &[u8]) -> Vec<u8> {
    let mut out = flate2::write::GzEncoder::new(vec![], flate2::Compression::default());
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}

fn zst(bytes: &[u8]) -> Vec<u8> {
    zstd::stream::encode_all(bytes, 3).unwrap()
}

/// Sixteen megabytes of the same number in a few kilobytes: named once in a dictionary, or packed.
fn columns_of_zeros(dictionary: bool) -> Vec<u8> {
    use parquet::basic::{Compression, ZstdLevel};
    let properties = parquet::file::properties::WriterProperties::builder()
        .set_dictionary_enabled(dictionary)
        .set_compression(if dictionary { Compression::UNCOMPRESSED } else { Compression::ZSTD(ZstdLevel::try_new(3).unwrap()) })
        .build();
    let values: arrow_array::ArrayRef = std::sync::Arc::new(arrow_array::Float64Array::from(vec![0.0; 2 << 20]));
    let batch = arrow_array::RecordBatch::try_from_iter([("x", values)]).unwrap();
    let mut out = vec![];
    let mut writer = parquet::arrow::ArrowWriter::try_new(&mut out, batch.schema(), Some(properties)).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    assert!(out.len() < 1 << 18, "{} bytes", out.len());
    out
}

/// An Arrow file with a column of zeros, packed by Arrow or not at all.
fn packed_batch(rows: usize, plain: bool) -> Vec<u8> {
    let packing = (!plain).then_some(arrow_ipc::CompressionType::ZSTD);
    let options = arrow_ipc::writer::IpcWriteOptions::default().try_with_compression(packing).unwrap();
    let values: arrow_array::ArrayRef = std::sync::Arc::new(arrow_array::Float64Array::from(vec![0.0; rows]));
    let batch = arrow_array::RecordBatch::try_from_iter([("x", values)]).unwrap();
    let mut out = vec![];
    let mut writer = arrow_ipc::writer::FileWriter::try_new_with_options(&mut out, &batch.schema(), options).unwrap();
    writer.write(&batch).unwrap();
    writer.finish().unwrap();
    drop(writer);
    out
}

/// Arrow files whose sizes were overwritten: every place that holds the number of rows, of bytes or of packed bytes.
fn arrow_giants() -> Vec<Vec<u8>> {
    let rows = 12_345u64;
    let mut files = vec![];
    for plain in [false, true] {
        let bytes = packed_batch(rows as usize, plain);
        for size in [rows, 8 * rows] {
            let places = bytes.windows(8).enumerate().filter(|(_, w)| *w == size.to_le_bytes()).map(|(at, _)| at);
            for at in places.collect::<Vec<_>>() {
                for giant in [1u64 << 31, 1 << 40, 1 << 60, i64::MAX as u64] {
                    let mut damaged = bytes.clone();
                    damaged[at..at + 8].copy_from_slice(&giant.to_le_bytes());
                    files.push(damaged);
                }
            }
        }
    }
    assert!(files.len() >= 16, "{} places", files.len());
    files
}

/// Parquet files whose footer declares more rows or bytes than there are: the numbers are varints, so one of as many
/// bytes takes their place.
fn parquet_giants() -> Vec<Vec<u8>> {
    let varint = |mut value: u64| {
        let mut bytes = vec![];
        while value >= 0x80 {
            bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        bytes.push(value as u8);
        bytes
    };
    let mut files = vec![];
    for dictionary in [false, true] {
        let bytes = columns_of_zeros(dictionary);
        // Zigzag doubles a number; 2 << 20 rows in groups of half as many.
        for rows in [varint(2 * (2 << 20)), varint(2 << 20)] {
            let places = bytes.windows(rows.len()).enumerate().filter(|(_, w)| *w == rows).map(|(at, _)| at);
            for at in places.collect::<Vec<_>>() {
                let mut damaged = bytes.clone();
                damaged[at..at + rows.len()].copy_from_slice(&varint((1 << 28) - 2)[..rows.len()]);
                files.push(damaged);
            }
        }
    }
    assert!(files.len() >= 4, "{} places", files.len());
    files
}

/// Files that declare far more than they hold.
fn giants() -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<(String, Vec<u8>)> = vec![];
    let big = (1u64 << 60).to_string();
    let shapes = [
        format!("({big},)"),
        format!("({big}, 1)"),
        format!("(1, {big})"),
        format!("({big}, {big})"),
        format!("({big}, 0)"),
        format!("({big}, {big}, {big}, {big})"),
        "(4294967296, 4294967296)".into(),
        "(2000000000, 2)".into(),
        "(99999999999999999999999, 2)".into(),
    ];
    for shape in &shapes {
        for descr in ["<f8", "<f4", "|u1", "|S3"] {
            let bytes = npy(shape, descr, &[0; 64]);
            files.push(("a.npy.gz".into(), gz(&bytes)));
            files.push(("a.npy.zst".into(), zst(&bytes)));
            files.push(("a.npz".into(), zip(&[("x.npy", bytes.clone())])));
            files.push(("a.npy".into(), bytes));
        }
    }
    let long = |values: &[i64]| {
        npy(&format!("({},)", values.len()), "<i8", &values.iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<_>>())
    };
    for format in ["csr", "csc", "coo"] {
        for shape in [[1i64 << 60, 2], [2, 1 << 60], [1 << 60, 1 << 60], [-1, 2], [1 << 31, 2], [2, 1 << 33], [0, 0]] {
            let mut members = vec![
                ("format.npy", npy("()", "|S3", format.as_bytes())),
                ("shape.npy", long(&shape)),
                ("data.npy", npy("(1,)", "<f8", &[0; 8])),
            ];
            if format == "coo" {
                members.extend([("row.npy", long(&[0])), ("col.npy", long(&[0]))]);
            } else {
                members.extend([("indices.npy", long(&[0])), ("indptr.npy", long(&[0, 0, 1]))]);
            }
            files.push(("a.npz".into(), zip(&members)));
        }
    }
    for size in [
        format!("{big} {big} {big}"),
        format!("{big} 2 1"),
        format!("2 {big} 1"),
        format!("2 2 {big}"),
        "4000000000 2 1".into(),
        "2 2 4000000000".into(),
    ] {
        files.push(("a.mtx".into(), format!("%%MatrixMarket matrix coordinate real general\n{size}\n1 1 1\n").into()));
        files.push(("a.mtx".into(), format!("%%MatrixMarket matrix coordinate pattern symmetric\n{size}\n1 1\n").into()));
    }
    files.extend(arrow_giants().into_iter().map(|bytes| ("a.arrow".to_string(), bytes)));
    files.extend(parquet_giants().into_iter().map(|bytes| ("a.parquet".to_string(), bytes)));
    for size in [format!("{big} {big}"), format!("{big} 1"), "100000 100000".into()] {
        for symmetry in ["general", "symmetric", "skew-symmetric"] {
            files.push(("a.mtx".into(), format!("%%MatrixMarket matrix array real {symmetry}\n{size}\n1\n").into()));
        }
    }
    files
}

/// Runs a test of this file again in a process that may not take more than a gigabyte of address space.
fn under_limit(test: &str, variable: &str) -> std::process::ExitStatus {
    let me = std::env::current_exe().unwrap();
    std::process::Command::new("sh")
        .args(["-c", "ulimit -v 1048576; exec \"$0\" --exact \"$1\" --test-threads 1"])
        .arg(me)
        .arg(test)
        .env(variable, "1")
        .env("RAYON_NUM_THREADS", "2")
        .stdout(std::process::Stdio::null())
        .status()
        .unwrap()
}

#[test]
fn giant_declared_sizes_are_refused_before_memory_is_taken() {
    // The default limit of 16 GiB is far above the gigabyte this process gets: only what is there is taken.
    if std::env::var_os("LANDBRIDGE_GIANTS").is_none() {
        assert!(under_limit("giant_declared_sizes_are_refused_before_memory_is_taken", "LANDBRIDGE_GIANTS").success());
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let files = giants();
    assert!(files.len() > 50);
    for (name, bytes) in files {
        let path = folder.path().join(&name);
        std::fs::write(&path, &bytes).unwrap();
        let result = quick(|| read_matrix(&path, &ReadOptions::default())).expect("an answer in time");
        match result {
            Err(error) => assert_eq!(error.kind(), "data", "{name}: {error}"),
            // A number in an index that is not needed to read the rows.
            Ok(loaded) if name == "a.parquet" => assert_eq!(loaded.rows.nrows(), 2 << 20),
            Ok(_) => panic!("{name}: {}", String::from_utf8_lossy(&bytes)),
        }
    }
    assert!(peak_memory().is_none_or(|peak| peak < 512 << 20), "{:?} bytes", peak_memory());
}

#[test]
fn bombs_are_refused_when_the_limit_is_passed() {
    let folder = tempfile::tempdir().unwrap();
    let limit = 1 << 20;
    let zeros = vec![0u8; 64 << 20];
    let text = b"0,0\n".repeat(4 << 20);
    let array = npy("(8388608, 1)", "<f8", &zeros);
    let mut files: Vec<(&str, Vec<u8>)> = vec![
        ("a.csv.gz", gz(&text)),
        ("a.csv.zst", zst(&text)),
        ("a.tsv.gz", gz(&zeros)),
        ("a.mtx.zst", zst(&zeros)),
        ("a.npy.gz", gz(&array)),
        ("a.npy.zst", zst(&array)),
        ("a.npz", zip(&[("x.npy", array.clone())])),
        ("a.npz.gz", gz(&zeros)),
        ("a.csv", text.clone()),
        ("a.npy", array),
        ("a.txt.gz", gz(&text)),
        ("a.jsonl.zst", zst(&text)),
        ("a.pdb.gz", gz(&text)),
        ("a.cif.zst", zst(&text)),
        ("a.parquet", columns_of_zeros(true)),
        ("packed.parquet", columns_of_zeros(false)),
        ("a.parquet.gz", gz(&columns_of_zeros(false))),
        ("a.arrow", packed_batch(2 << 20, false)),
        ("a.arrow.zst", zst(&packed_batch(2 << 20, true))),
    ];
    // An archive that declares less than it holds: both copies of the unpacked size say 100.
    let mut liar = zip(&[("x.npy", npy("(4194304, 1)", "<f8", &zeros[..32 << 20]))]);
    let length = (32u32 << 20) + npy("(4194304, 1)", "<f8", &[]).len() as u32;
    let declared: Vec<usize> =
        liar.windows(4).enumerate().filter(|(_, w)| *w == length.to_le_bytes()).map(|(at, _)| at).collect();
    assert!(!declared.is_empty());
    for at in declared {
        liar[at..at + 4].copy_from_slice(&100u32.to_le_bytes());
    }
    files.push(("liar.npz", liar));
    for (name, bytes) in files {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        let error = read_matrix(&path, &ReadOptions { max_memory: limit, ..Default::default() }).unwrap_err();
        assert!(
            matches!(error, Error::TooLarge { .. } | Error::WrongFormat { .. } | Error::Truncated { .. } | Error::Damaged { .. }),
            "{name}: {error}"
        );
        if !["a.mtx.zst", "a.npz.gz", "liar.npz"].contains(&name) {
            assert!(matches!(error, Error::TooLarge { .. }), "{name}: {error}");
        }
    }
}

#[test]
fn an_endless_device_is_refused_at_the_limit() {
    let zero = PathBuf::from("/dev/zero");
    if !zero.exists() {
        return;
    }
    let options = ReadOptions { format: Some("csv".into()), max_memory: 1 << 20, ..Default::default() };
    assert!(matches!(read_matrix(zero, &options), Err(Error::TooLarge { .. })));
}

#[test]
fn empty_and_foreign_files_are_typed_errors() {
    let folder = tempfile::tempdir().unwrap();
    for extension in ["csv", "tsv", "npy", "npz", "mtx", "parquet", "arrow", "pdb", "cif", "csv.gz", "npy.zst"] {
        let path = folder.path().join(format!("a.{extension}"));
        std::fs::write(&path, "").unwrap();
        assert!(matches!(read_matrix(&path, &options()), Err(Error::EmptyFile { .. })), "{extension}");
        std::fs::write(&path, "GIF89a and nothing else").unwrap();
        let error = read_matrix(&path, &options()).unwrap_err();
        match extension {
            "csv" | "tsv" => assert!(matches!(error, Error::NoData { .. }), "{error}"),
            _ => assert!(matches!(error, Error::WrongFormat { .. }), "{extension}: {error}"),
        }
    }
    // Packed nothing.
    for (name, bytes) in [("a.csv.gz", gz(b"")), ("a.npz.zst", zst(b""))] {
        assert!(matches!(read_bytes(name, bytes), Err(Error::EmptyFile { .. })), "{name}");
    }
}

#[test]
fn a_checksum_that_does_not_fit_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let [double, ..] = samples(5, 30, 8);
    for name in ["a.npy.gz", "a.npy.zst", "a.npz"] {
        let path = folder.path().join(name);
        write_matrix(&path, &Table::new(&double)).unwrap();
        let bytes = std::fs::read(&path).unwrap();
        let mut accepted = 0;
        for at in 200..bytes.len() - 200 {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x10;
            if let Ok(loaded) = read_bytes(name, damaged) {
                // What is accepted must be right (a bit that means nothing, such as a time).
                assert_eq!(loaded.rows, Rows::clone(&double), "{name}, byte {at}");
                accepted += 1;
            }
        }
        assert!(accepted < 10, "{name}: {accepted}");
    }
}
