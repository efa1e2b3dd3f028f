//! What every fuzz target does with its bytes. The tests of the readers do the same with their samples.

use std::path::Path;

use landbridge_io::{Input, ReadOptions, format_for};

/// Bytes that a reader may take for one file: far below the 512 MB that libFuzzer allows the process.
pub const LIMIT: u64 = 64 << 20;

/// Reads bytes as a file of a format: in the plain way and, where the format knows them, with missing values kept and as
/// ratings. An error is a fine answer; `true` if the plain way gave rows.
pub fn read(format: &str, bytes: &[u8]) -> bool {
    let path = Path::new("fuzzed");
    let Ok(reader) = format_for(path, Some(format)) else { panic!("there is no format {format}") };
    let plain = ReadOptions { max_memory: LIMIT, ..Default::default() };
    let lenient = ReadOptions { missing: landbridge_io::Missing::Zero, ..plain.clone() };
    let ratings = ReadOptions { ratings: true, ..plain.clone() };
    let attempt = |options: &ReadOptions| {
        let input = Input::from_bytes(path, bytes.to_vec(), LIMIT)?;
        reader.read(input, options).inspect(|loaded| assert!(loaded.rows.nrows() > 0 && loaded.rows.ncols() > 0))
    };
    let _ = attempt(&lenient);
    if reader.understands("ratings") {
        let _ = attempt(&ratings);
    }
    attempt(&plain).is_ok()
}

/// Reads bytes as a model file.
pub fn model(bytes: &[u8]) -> bool {
    landbridge::model::Alignment::from_bytes(bytes, Path::new("fuzzed.lb")).is_ok()
}
