//! A fault at every call: the first call of the C library fails, then the second, until a run ends clean. Whatever fails, the output
//! is the old file or the new one, the message is clear, the exit code is 1, and the next run leaves no stray file.
//!
//! `faults/shim.c` is loaded before the program. By default every seventh call fails; with `LANDBRIDGE_SLOW=1` every call.
#![cfg(all(target_os = "linux", target_env = "gnu"))]

mod common;

use common::{BINARY, Folder};
use std::path::{Path, PathBuf};
use std::process::Output;
use std::time::Duration;

/// What fails, and whether the program has to finish in spite of it.
const KINDS: [(&str, bool); 5] = [("eio", false), ("enospc", false), ("eacces", false), ("eintr", true), ("short", true)];

/// Commands that write, and their output.
const COMMANDS: [(&str, &str); 8] = [
    ("fit linear -d 2 --pairs pairs.csv --label-column kind a.csv b.csv -o out.lb", "out.lb"),
    ("fit instance -d 3 --pairs pairs.csv --label-column kind a.csv b.csv -o out.lb.gz", "out.lb.gz"),
    ("transform m.lb a.csv --dataset a --label-column kind -o out.npy", "out.npy"),
    ("transform m.lb a.csv --dataset a --label-column kind -o out.parquet", "out.parquet"),
    ("match m.lb --from a --to b -k 3 -o out.csv", "out.csv"),
    ("report m.lb -o out.html", "out.html"),
    ("stats a.csv b.csv --names a,b --label-column kind --pairs pairs.csv -o out.stats", "out.stats"),
    ("plot m.lb -o out.svg", "out.svg"),
];

const OLD: &[u8] = b"the file that was there before";

/// Every how many-th call fails.
fn stride(fast: usize) -> usize {
    if std::env::var_os("LANDBRIDGE_SLOW").is_some() { 1 } else { fast }
}

/// The compiled shim.
fn shim(folder: &Path) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/faults/shim.c");
    let shim = folder.join("shim.so");
    let built =
        std::process::Command::new("cc").args(["-O1", "-shared", "-fPIC", "-o"]).arg(&shim).arg(source).arg("-ldl").output();
    let built = built.expect("a C compiler, which Rust needs as well");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    shim
}

/// A command in a folder of its own, with the shim beside it.
struct Tried {
    folder: Folder,
    aside: tempfile::TempDir,
    shim: PathBuf,
    args: Vec<&'static str>,
    output: &'static str,
    new: Vec<u8>,
    names: Vec<String>,
}

impl Tried {
    fn new((line, output): (&'static str, &'static str)) -> Self {
        let folder = Folder::with_data();
        folder.say("fit linear -d 2 --pairs pairs.csv --label-column kind a.csv b.csv -o m.lb --quiet").succeeded();
        let aside = tempfile::tempdir().unwrap();
        let shim = shim(aside.path());
        let args: Vec<&str> = line.split(' ').chain(["--quiet"]).collect();
        folder.run(&args).succeeded();
        let (new, names) = (folder.read(output), folder.names());
        folder.run(&args).succeeded();
        assert_eq!(folder.read(output), new, "{line} writes other bytes each time");
        Self { folder, aside, shim, args, output, new, names }
    }

    /// Runs the command over an old file while the n-th call fails; 0: none.
    fn run(&self, kind: &str, at: usize) -> Output {
        self.folder.write(self.output, OLD);
        assert_cmd::Command::new(BINARY)
            .current_dir(self.folder.dir.path())
            .args(&self.args)
            .envs([("FAULT_KIND", kind), ("FAULT_AT", &at.to_string())])
            .env("FAULT_COUNT", self.aside.path().join("count"))
            .env("LD_PRELOAD", &self.shim)
            .timeout(Duration::from_secs(60))
            .output()
            .unwrap()
    }

    /// The number of calls that could have failed in the last run.
    fn calls(&self) -> usize {
        std::fs::read_to_string(self.aside.path().join("count")).unwrap().parse().unwrap()
    }

    /// What is wrong about a run with a fault.
    fn wrong(&self, output: &Output, must_finish: bool) -> Option<String> {
        let words = String::from_utf8_lossy(&output.stderr);
        let now = std::fs::read(self.folder.path(self.output)).unwrap_or_default();
        let code = output.status.code();
        let why = if words.contains("a bug in landbridge") {
            "a panic"
        } else if !matches!(code, Some(0 | 1)) {
            "not exit 0 or 1"
        } else if now != OLD && now != self.new {
            "neither the old file nor the new one"
        } else if code == Some(0) && now != self.new {
            "success without the new file"
        } else if code == Some(1) && !words.contains("error:") {
            "no error message"
        } else if code == Some(1) && must_finish {
            "it had to try again"
        } else {
            return None;
        };
        Some(format!("{why} ({:?}): {words}", output.status))
    }

    /// The next whole run removes what the others left.
    fn leaves_nothing(&self) {
        self.folder.run(&self.args).succeeded();
        assert_eq!(self.folder.names(), self.names);
        assert_eq!(self.folder.read(self.output), self.new);
    }
}

/// Lets calls fail in turn and returns their number.
fn try_faults(tried: &Tried, kind: &str, must_finish: bool, calls: impl Iterator<Item = usize>) -> usize {
    let (mut faults, mut wrong) = (0, vec![]);
    for at in calls {
        let output = tried.run(kind, at);
        faults += 1;
        wrong.extend(tried.wrong(&output, must_finish).map(|why| format!("{kind} at call {at}: {why}")));
    }
    assert!(wrong.is_empty(), "{}: {} of {faults}\n{}", tried.args.join(" "), wrong.len(), wrong.join("\n"));
    tried.leaves_nothing();
    faults
}

#[test]
fn a_call_that_fails_leaves_the_old_file_or_the_new_one() {
    let (mut faults, mut seen) = (0, 0);
    for command in COMMANDS {
        let tried = Tried::new(command);
        for (k, (kind, must_finish)) in KINDS.into_iter().enumerate() {
            assert!(tried.run(kind, 0).status.success());
            let calls = tried.calls();
            assert!(calls > if must_finish { 2 } else { 20 }, "{}, {kind}: only {calls} calls could fail", command.0);
            // One further: a run that ends clean.
            faults += try_faults(&tried, kind, must_finish, (1 + k..=calls + 1).step_by(stride(7)));
            seen += calls;
        }
    }
    println!("{faults} faults in {seen} calls");
    assert!(faults * stride(7) * 2 > seen);
}

#[test]
fn refused_memory_and_threads_are_errors() {
    let mut faults = 0;
    for command in [COMMANDS[0], COMMANDS[2], COMMANDS[5], COMMANDS[6]] {
        let tried = Tried::new(command);
        assert!(tried.run("memory", 0).status.success());
        let calls = tried.calls();
        assert!(calls > 1000, "{}: only {calls} allocations", command.0);
        // Some of them, the first ones closely.
        let step = calls / (80 / stride(8)) + 1;
        faults += try_faults(&tried, "memory", false, (1..=20).step_by(stride(5)).chain((21..=calls + 1).step_by(step)));
        assert!(tried.run("thread", 0).status.success());
        let threads = tried.calls();
        faults += try_faults(&tried, "thread", false, 1..=threads + 1);
    }
    println!("{faults} refusals");
    assert!(faults > 40);
}
