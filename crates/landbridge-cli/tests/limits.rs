//! Limits of memory: what fits under `ulimit -v` or into a control group finishes, what does not is refused before it begins, and nothing
//! aborts or is killed.
#![cfg(target_os = "linux")]

mod common;

use common::{BINARY, Folder, Numbers, npy};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Runs a command whose addresses are limited to that many bytes.
fn under(folder: &Folder, limit: u64, args: &[&str]) -> Output {
    let line = format!("ulimit -v {} && exec \"$0\" \"$@\"", limit / 1024);
    Command::new("sh").current_dir(folder.dir.path()).args(["-c", &line, BINARY]).args(args).output().unwrap()
}

/// Addresses that the program has mapped before it reads any data: its code, the stacks and heaps of its threads. A plan tells what
/// comes on top.
const PROGRAM: u64 = 420 << 20;

/// A control group of the first or second version, as a process sees it: files that tell the limit and what is used lie over the
/// system's, in a mount namespace that only the process has. The system does not know this group and cannot end the process, so the
/// most memory that the process held is compared with the limit.
struct ControlGroup {
    /// What `/proc/self/cgroup` says.
    told: &'static str,
    /// The file of the limit. That of the second version belongs to the group above.
    limit: &'static str,
    used: &'static str,
}

const GROUPS: [ControlGroup; 2] = [
    ControlGroup {
        told: "4:memory:/outer/job\n1:cpu:/\n0::/\n",
        limit: "memory/outer/job/memory.limit_in_bytes",
        used: "memory/outer/job/memory.usage_in_bytes",
    },
    ControlGroup { told: "0::/outer/job\n", limit: "outer/memory.max", used: "outer/memory.current" },
];

/// How a command ended, what it said, and the most bytes that it held in memory.
struct Ended {
    code: Option<i32>,
    words: String,
    most: u64,
}

impl ControlGroup {
    /// How this user may lay files over those of the system; None and a printed reason where they may not.
    fn namespace() -> Option<&'static [&'static str]> {
        let ways: [&[&str]; 2] = [&["-m"], &["-r", "-m"]];
        let works = |way: &&&[&str]| {
            let line = "mount --bind /proc/version /proc/$$/cgroup && mount --bind /proc /sys/fs/cgroup";
            let tried = Command::new("unshare").args(**way).args(["sh", "-c", line]).output();
            tried.is_ok_and(|tried| tried.status.success())
        };
        let found = ways.iter().find(works).copied();
        if found.is_none() {
            println!("skipped: this user may not make mount namespaces");
        }
        found
    }

    /// Runs a command in a group with that limit, of which so much is used when the command looks.
    fn run(&self, way: &[&str], folder: &Folder, limit: u64, used: u64, args: &[&str]) -> Ended {
        let files = Folder::empty();
        files.write("told", self.told);
        for (name, bytes) in [(self.limit, limit), (self.used, used)] {
            let path = files.path("groups").join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, format!("{bytes}\n")).unwrap();
        }
        let line = "mount --bind \"$1/groups\" /sys/fs/cgroup && mount --bind \"$1/told\" /proc/$$/cgroup && shift && exec \"$0\" \"$@\"";
        in_group(Command::new("unshare").args(way).arg("sh"), folder, line, files.dir.path(), args)
    }
}

/// Runs the program with these arguments through a line of a shell, which enters the group and gets the program as `$0`, the group as `$1`.
fn in_group(shell: &mut Command, folder: &Folder, line: &str, group: &std::path::Path, args: &[&str]) -> Ended {
    let command = shell.current_dir(folder.dir.path()).args(["-c", line, BINARY]).arg(group).args(args);
    watched(command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap())
}

/// Waits for a command and watches its memory.
fn watched(mut child: Child) -> Ended {
    let mut most = 0;
    // The system keeps the most itself, so that seldom looks suffice. Pages of files, such as the program's code, do not count:
    // the system can drop them.
    while child.try_wait().unwrap().is_none() {
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let of =
            |word: &str| status.lines().find_map(|l| l.strip_prefix(word)?.trim().trim_end_matches(" kB").parse::<u64>().ok());
        most = most.max(of("VmHWM:").zip(of("RssFile:")).map_or(0, |(all, files)| all.saturating_sub(files) << 10));
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    let done = child.wait_with_output().unwrap();
    Ended { code: done.status.code(), words: String::from_utf8_lossy(&done.stderr).into_owned(), most }
}

/// A control group that the kernel enforces: a process that takes more than its limit is killed. It lies below the group that the test
/// runs in, so that it can take no more than that may.
struct Enforced {
    folder: PathBuf,
    limit: &'static str,
}

impl Enforced {
    /// None, and a printed reason, where this user may not make one.
    fn new() -> Option<Self> {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let told = std::fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
        let name = format!("landbridge-test-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        for line in told.lines() {
            let mut fields = line.splitn(3, ':').skip(1);
            let (Some(kinds), Some(path)) = (fields.next(), fields.next()) else { continue };
            let (base, limit) = match kinds {
                "" => ("/sys/fs/cgroup", "memory.max"),
                kinds if kinds.split(',').any(|k| k == "memory") => ("/sys/fs/cgroup/memory", "memory.limit_in_bytes"),
                _ => continue,
            };
            let folder = Path::new(base).join(path.trim_start_matches('/')).join(&name);
            if std::fs::create_dir(&folder).is_err() {
                continue;
            }
            // Dropped, and with it the folder, where the group cannot limit memory.
            let group = Self { folder, limit };
            if group.set(1 << 30) {
                return Some(group);
            }
        }
        println!("skipped: this user may not make control groups with a limit of memory");
        None
    }

    fn set(&self, limit: u64) -> bool {
        let path = self.folder.join(self.limit);
        path.exists() && std::fs::write(path, limit.to_string()).is_ok()
    }

    /// Runs a command in the group with that limit.
    fn run(&self, folder: &Folder, limit: u64, args: &[&str]) -> Ended {
        assert!(self.set(limit), "the limit cannot be set");
        let line = "echo $$ > \"$1/cgroup.procs\" && shift && exec \"$0\" \"$@\"";
        in_group(&mut Command::new("sh"), folder, line, &self.folder, args)
    }
}

impl Drop for Enforced {
    fn drop(&mut self) {
        // A process that has ended leaves its group a moment later.
        for _ in 0..100 {
            if std::fs::remove_dir(&self.folder).is_ok() {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
    }
}

/// What the program itself has in memory, its code and its threads; a plan tells what comes on top.
const IN_MEMORY: u64 = 32 << 20;

fn with_numbers(rows: usize, columns: usize) -> Folder {
    let folder = Folder::empty();
    let mut numbers = Numbers(9);
    for name in ["a.npy", "b.npy"] {
        let values: Vec<f64> = (0..rows * columns).map(|_| numbers.below(1 << 20) as f64 / f64::from(1 << 20)).collect();
        folder.write(name, npy(&format!("({rows}, {columns})"), &values));
    }
    folder.write("pairs.csv", (0..rows / 4).map(|i| format!("{i},{i}\n")).collect::<String>());
    folder
}

fn planned(folder: &Folder, fit: &str) -> u64 {
    let said = folder.say(format!("{fit} --plan --json")).succeeded();
    said.json()["peak_bytes"].as_u64().unwrap()
}

#[test]
fn a_fit_within_its_plan_finishes_and_one_beyond_it_is_refused() {
    for (fit, rows, columns) in [
        ("fit global --level instance -d 5 --pairs pairs.csv a.npy b.npy", 4000, 20),
        ("fit cca -d 20 --pairs pairs.csv a.npy b.npy", 40_000, 120),
        ("fit instance -d 10 --pairs pairs.csv a.npy b.npy", 30_000, 60),
    ] {
        let folder = with_numbers(rows, columns);
        let peak = planned(&folder, fit);
        let args: Vec<&str> = fit.split(' ').chain(["-o", "m.lb", "--quiet", "--n-jobs", "2"]).collect();
        let less = under(&folder, PROGRAM / 4 + peak / 10 * 7, &args);
        let words = String::from_utf8_lossy(&less.stderr);
        assert_eq!(less.status.code(), Some(1), "{fit} at 0.7 of {peak}: {words}");
        assert!(words.contains("of memory, and it may take") || words.contains("out of memory"), "{words}");
        assert!(!folder.path("m.lb").exists());
        let more = under(&folder, PROGRAM + peak / 10 * 11, &args);
        let words = String::from_utf8_lossy(&more.stderr);
        assert_eq!(more.status.code(), Some(0), "{fit} at 1.1 of {peak}: {words}");
    }
}

/// Fits of all kinds of methods, with rows and columns that make the plan large beside the program.
const FITS: &[(&str, usize, usize)] = &[
    ("fit global --level instance -d 5", 4000, 20),
    ("fit global -d 5", 2500, 60),
    ("fit cca -d 20", 40_000, 120),
    ("fit linear -d 20", 9_000, 120),
    ("fit instance -d 10", 9_000, 60),
    ("fit sparse -d 10", 9_000, 60),
    ("fit procrustes -d 10 --embedding pca", 40_000, 120),
    ("fit procrustes -d 5 --embedding isomap", 3_000, 20),
    ("fit affine -d 10 --embedding lsi", 40_000, 120),
    ("fit clle -d 10", 3_000, 60),
];

#[test]
fn in_a_control_group_a_fit_within_its_plan_finishes_and_one_beyond_it_is_refused() {
    let Some(way) = ControlGroup::namespace() else { return };
    let slow = std::env::var_os("LANDBRIDGE_SLOW").is_some();
    for (at, (fit, rows, columns)) in FITS.iter().enumerate() {
        if !slow && at % 3 != 0 {
            continue;
        }
        let folder = with_numbers(*rows, *columns);
        let fit = format!("{fit} --pairs pairs.csv a.npy b.npy");
        let peak = planned(&folder, &fit);
        let args: Vec<&str> = fit.split(' ').chain(["-o", "m.lb", "--quiet", "--n-jobs", "2"]).collect();
        // A group counts the data, which are in memory when the plan is made, and the program.
        let used = IN_MEMORY / 2 + (2 * rows * columns * 8) as u64;
        for group in &GROUPS {
            let less = group.run(way, &folder, peak / 10 * 7, used, &args);
            assert_eq!(less.code, Some(1), "{fit} at 0.7 of {peak}: {}", less.words);
            assert!(less.words.contains("of memory, and it may take"), "{fit}: {}", less.words);
            assert!(less.most < used + IN_MEMORY, "{fit} took {} bytes before it was refused, the data {used}", less.most);
            assert!(!folder.path("m.lb").exists());
        }
        if let Some(group) = Enforced::new() {
            let less = group.run(&folder, peak / 10 * 7, &args);
            assert_eq!(less.code, Some(1), "{fit} at 0.7 of {peak} in a group of the kernel: {}", less.words);
            assert!(!folder.path("m.lb").exists());
            let more = group.run(&folder, IN_MEMORY + peak / 10 * 11, &args);
            assert_eq!(more.code, Some(0), "{fit} at 1.1 of {peak} in a group of the kernel: {}", more.words);
        }
        let group = &GROUPS[at / 3 % 2];
        let limit = IN_MEMORY + peak / 10 * 11;
        let more = group.run(way, &folder, limit, used, &args);
        assert_eq!(more.code, Some(0), "{fit} at 1.1 of {peak}: {}", more.words);
        println!("{fit}: plan of {} MB, {} MB taken", peak >> 20, more.most >> 20);
        assert!(more.most < limit, "{fit} took {} bytes of {limit}", more.most);
    }
}

/// An amount of memory that stands behind some words.
fn amount(words: &str, behind: &str) -> u64 {
    let told = words.split(behind).nth(1).unwrap_or_else(|| panic!("{words}"));
    let (number, unit) = told.split_once(' ').unwrap();
    let power = ["bytes", "kB", "MB", "GB"].iter().position(|u| unit.starts_with(u)).unwrap_or_else(|| panic!("{words}"));
    (number.parse::<f64>().unwrap() * 1000f64.powi(power as i32)) as u64
}

/// Commands whose results are large beside what they read.
const COMMANDS: &[&str] = &[
    "transform m.lb n.npy --dataset a -o o.npy",
    "transform i.lb n.npy --dataset a -o o.csv",
    "predict m.lb n.npy --from a --to b -o p.npy",
    "predict i.lb n.npy --from a --to b -o p.npy",
    "match m.lb --from a --to b -k 100 -o q.csv",
    "match i.lb --new n.npy --from a --to b -k 100 -o q.csv",
    "evaluate m.lb --truth pairs.csv",
    "evaluate m.lb --truth truth.csv",
    "report m.lb -o r.html",
    "report m.lb --data a.npy b.npy -o r.html",
    "stats a.npy b.npy --names a,b --pairs pairs.csv -o s.stats",
    "stats a.npy b.npy --names a,b --landmarks a.npy b.npy -o s.stats",
];

/// Every command says what it would take before it takes it: at 0.7 of that it refuses, and at 1.1 it finishes and stays within the
/// limit, in groups of files and, where this user may make them, in groups that the kernel enforces.
#[test]
fn in_a_small_control_group_other_commands_finish_or_are_refused() {
    let Some(way) = ControlGroup::namespace() else { return };
    let (rows, columns) = (10_000, 220);
    let folder = with_numbers(rows, columns);
    folder.write("truth.csv", (0..rows).map(|i| format!("{i},{i}\n")).collect::<String>());
    folder.say("fit cca -d 220 --pairs pairs.csv a.npy b.npy -o m.lb --quiet").succeeded();
    folder.say("fit clle -d 5 --pairs pairs.csv a.npy b.npy -o i.lb --quiet").succeeded();
    let mut numbers = Numbers(10);
    let new: Vec<f64> = (0..3 * rows * columns).map(|_| numbers.below(1 << 20) as f64 / f64::from(1 << 20)).collect();
    folder.write("n.npy", npy(&format!("({}, {columns})", 3 * rows), &new));
    let reads = |name: &str| match name.ends_with(".npy") || name.ends_with(".lb") {
        true => std::fs::metadata(folder.path(name)).map_or(0, |file| file.len()),
        false => 0,
    };
    let real = Enforced::new();
    let (mut refused, mut finished, mut enforced, mut kernel_refused) = (0, 0, 0, 0);
    for command in COMMANDS {
        let args: Vec<&str> = command.split(' ').chain(["--quiet"]).collect();
        let read: u64 = args.iter().map(|name| reads(name)).sum();
        let output = args.iter().position(|a| *a == "-o").map(|at| folder.path(args[at + 1]));
        let used = IN_MEMORY / 2 + read;
        let first = GROUPS[0].run(way, &folder, used + (1 << 20), used, &args);
        assert_eq!(first.code, Some(1), "{command}: {}", first.words);
        let asks = amount(&first.words, "would take ");
        let refuses = |ended: &Ended, what: &str| {
            let Ended { words, most, .. } = ended;
            assert_eq!(ended.code, Some(1), "{command} at 0.7 of {asks} {what}: {words}");
            assert!(words.contains("of memory, and it may take") && words.contains("hint:"), "{command}: {words}");
            assert!(*most < used + IN_MEMORY, "{command} took {most} bytes before it was refused");
            assert!(!output.as_ref().is_some_and(|path| path.exists()), "{command} left a file");
        };
        let finishes = |ended: &Ended, limit: u64, what: &str| {
            assert_eq!(ended.code, Some(0), "{command} at 1.1 of {asks} {what}: {}", ended.words);
            assert!(ended.most < limit, "{command} took {} bytes of {limit}", ended.most);
            output.iter().for_each(|path| std::fs::remove_file(path).unwrap());
        };
        let (less, more) = (asks / 10 * 7, asks / 10 * 11);
        for group in &GROUPS {
            refuses(&group.run(way, &folder, used + less / 9 * 10, used, &args), "in a group of files");
            refused += 1;
        }
        // A tenth of what is free is left for others.
        let limit = used + more / 9 * 10;
        let ended = GROUPS[0].run(way, &folder, limit, used, &args);
        finishes(&ended, limit + IN_MEMORY / 2, "in a group of files");
        finished += 1;
        println!("{command}: asked for {} MB, {} MB held at the end", asks >> 20, ended.most >> 20);
        if let Some(group) = &real {
            // Reading takes more than what it holds in the end, and nobody plans it: with too little the kernel ends the process.
            let enough = (1..20).map(|more| first.most + more * (8 << 20));
            let told = enough.map(|limit| (limit, group.run(&folder, limit, &args))).find(|(_, ended)| ended.code.is_some());
            let (enough, told) = told.unwrap();
            enforced += 1;
            if told.code == Some(0) {
                // What reading has given back is room enough.
                finishes(&told, enough, "in a group of the kernel");
                continue;
            }
            assert_eq!(told.code, Some(1), "{command} with {enough}: {}", told.words);
            // What is left of a limit, less a tenth, stands in the refusal.
            let holds = enough - amount(&told.words, "it may take ") / 9 * 10;
            refuses(&group.run(&folder, enough.max(holds + less / 9 * 10), &args), "in a group of the kernel");
            kernel_refused += 2;
            // Reading may take more than what is held afterwards.
            let limit = first.most.max(holds + more / 9 * 10) + IN_MEMORY / 2;
            finishes(&group.run(&folder, limit, &args), limit, "in a group of the kernel");
            enforced += 2;
        }
    }
    println!(
        "{refused} refused and {finished} finished in groups of files; {enforced} runs in a group of the kernel, {kernel_refused} of them refused"
    );
    assert!(real.is_none() || kernel_refused > 0, "the kernel's group refused nothing");
}

#[test]
fn every_command_ends_with_a_message_however_little_it_may_take() {
    let folder = Folder::with_model();
    folder.say("stats a.csv b.csv --names a,b --label-column kind --pairs pairs.csv -o s.stats --quiet").succeeded();
    let commands = [
        "fit linear -d 2 --pairs pairs.csv --label-column kind a.csv b.csv -o o.lb",
        "transform m.lb a.csv --dataset a --label-column kind -o o.csv",
        "match m.lb --from a --to b -o o.csv",
        "report m.lb -o o.html",
        "plot m.lb -o o.svg",
        "stats a.csv b.csv --names a,b --label-column kind --pairs pairs.csv -o o.stats",
        "merge s.stats -o o.stats",
        "solve cca s.stats -d 1 -o o.lb",
        "evaluate m.lb --truth truth.csv",
        "align a.csv b.csv --label-column kind --pairs pairs.csv -o o.lb",
    ];
    // The least with which the program starts at all; below it the loader of the system ends the process.
    let starts = |limit: u64| under(&folder, limit, &["--version"]).status.code() == Some(0);
    let least = (4..200).map(|mb| mb << 20).find(|limit| starts(*limit)).unwrap();
    let (mut refused, mut finished) = (0, 0);
    for command in commands {
        let args: Vec<&str> = command.split(' ').chain(["--quiet"]).collect();
        for more in [0, 1, 2, 4, 8, 16, 32, 64, 128] {
            let done = under(&folder, least + (more << 20), &args);
            let words = String::from_utf8_lossy(&done.stderr);
            let fine = match done.status.code() {
                Some(0 | 3) => true,
                Some(1) => words.contains("error:"),
                _ => false,
            };
            assert!(fine && !words.contains("a bug in landbridge"), "{command} with {more} MB: {:?} {words}", done.status);
            if done.status.success() { finished += 1 } else { refused += 1 }
        }
    }
    println!("{finished} finished, {refused} refused");
    assert!(finished > 10 && refused > 0, "{finished} finished, {refused} refused");
}
