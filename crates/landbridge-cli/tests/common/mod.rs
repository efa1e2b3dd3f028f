//! What the tests of the command line share.
#![allow(dead_code, missing_docs, unreachable_pub)] // every test binary uses a part of it

use assert_cmd::Command;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

pub const BINARY: &str = env!("CARGO_BIN_EXE_landbridge");

/// A fit of the two datasets of [`Folder::with_data`].
pub const FIT: &str = "fit --method instance -d 4 --pairs pairs.csv --label-column kind a.csv b.csv -o m.lb";

/// A folder with two small datasets, pairs and truth; commands run in it.
pub struct Folder {
    pub dir: TempDir,
}

/// What a run said.
pub struct Said {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Folder {
    pub fn empty() -> Self {
        Self { dir: tempfile::tempdir().unwrap() }
    }

    /// Two spirals of 60 points, `a` with two and `b` with three columns, ids in both, 12 of 60 pairs known.
    pub fn with_data() -> Self {
        let folder = Self::empty();
        let n = 60;
        let (mut a, mut b) = (String::from("id,x,y,kind\n"), String::from("id,u,v,w,kind\n"));
        for i in 0..n {
            let t = 0.15 * i as f64;
            let kind = ["early", "middle", "late"][i * 3 / n];
            writeln!(a, "a{i},{},{},{kind}", t * t.cos(), t * t.sin()).unwrap();
            writeln!(b, "b{i},{},{},{},{kind}", 2.0 * t, (2.0 * t).sin(), 0.01 * (i * i % 7) as f64).unwrap();
        }
        folder.write("a.csv", &a);
        folder.write("b.csv", &b);
        let table = |step: usize| (0..n).step_by(step).fold(String::from("a,b\n"), |s, i| s + &format!("a{i},b{i}\n"));
        folder.write("pairs.csv", table(5));
        folder.write("truth.csv", table(1));
        folder
    }

    /// As above, with a fitted model `m.lb`.
    pub fn with_model() -> Self {
        let folder = Self::with_data();
        folder.fit(&[]).succeeded();
        folder
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), content).unwrap();
    }
    pub fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap()
    }
    pub fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }
    pub fn names(&self) -> Vec<String> {
        let mut names: Vec<String> =
            std::fs::read_dir(self.dir.path()).unwrap().map(|e| e.unwrap().file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    pub fn run(&self, args: &[&str]) -> Said {
        let output = Command::new(BINARY).current_dir(self.dir.path()).args(args).output().unwrap();
        Said {
            code: output.status.code().unwrap_or(-1),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
    /// The words of a line, as typed.
    pub fn say(&self, line: impl AsRef<str>) -> Said {
        self.run(&line.as_ref().split_whitespace().collect::<Vec<_>>())
    }
    /// `fit` of the two datasets with further arguments.
    pub fn fit(&self, more: &[&str]) -> Said {
        self.run(&FIT.split(' ').chain(more.iter().copied()).collect::<Vec<_>>())
    }
    /// Each line of the table, `arguments => message`: with these arguments behind `base` the program ends with 2 and says so.
    pub fn refuses(&self, base: &str, table: &str) {
        let lines: Vec<&str> = table.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        assert!(!lines.is_empty(), "nothing to refuse");
        for line in lines {
            let (arguments, message) = line.split_once("=>").unwrap_or_else(|| panic!("no => in {line:?}"));
            self.say(format!("{base} {arguments}")).failed(2, message.trim());
        }
    }
}

impl Said {
    pub fn succeeded(self) -> Self {
        assert_eq!(self.code, 0, "{}\n{}", self.out, self.err);
        assert!(!self.out.contains('\x1b') && !self.err.contains('\x1b'), "colours without a terminal");
        self
    }
    /// Failed with that code and a message that contains this.
    pub fn failed(self, code: i32, message: &str) -> Self {
        assert_eq!(self.code, code, "{}\n{}", self.out, self.err);
        assert!(self.err.contains(message), "expected {message:?} in\n{}", self.err);
        assert!(!self.err.contains("a bug in landbridge"), "{}", self.err);
        assert!(self.out.is_empty(), "words on standard output: {}", self.out);
        self
    }
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.out).unwrap_or_else(|e| panic!("{e}: {}", self.out))
    }
}

/// Numbers that look random, always the same.
pub struct Numbers(pub u64);
impl Numbers {
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % bound
    }
}

/// An npy file of doubles, with the shape written as given.
pub fn npy(shape: &str, values: &[f64]) -> Vec<u8> {
    let mut header = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}");
    while (10 + header.len() + 1) % 64 != 0 {
        header.push(' ');
    }
    header.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(values.iter().flat_map(|v| v.to_le_bytes()));
    bytes
}

pub fn exists(path: &Path) -> bool {
    path.exists()
}
