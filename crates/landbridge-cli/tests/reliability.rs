//! Same seed, same bytes; killed or interrupted, no half files.
#![cfg(unix)]

mod common;

use common::{BINARY, Folder, Numbers, npy};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

fn spawn(folder: &Folder, args: &[&str]) -> Child {
    Command::new(BINARY)
        .current_dir(folder.dir.path())
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

#[test]
fn the_model_has_the_same_bytes_on_one_and_two_threads() {
    let folder = Folder::with_data();
    let mut first: Option<Vec<u8>> = None;
    for run in 0..5 {
        for jobs in ["1", "2"] {
            folder.fit(&["--n-jobs", jobs, "--random-state", "7"]).succeeded();
            let bytes = folder.read("m.lb");
            assert!(first.get_or_insert_with(|| bytes.clone()) == &bytes, "run {run}, {jobs} thread(s)");
        }
    }
    // Large enough for the iterative solver and for tasks on both threads.
    folder.run(&["demo", "rolls", "--data", "d", "--quiet"]).succeeded();
    let mut first: Option<Vec<u8>> = None;
    for jobs in ["1", "2", "2", "0"] {
        let args = ["fit", "--method", "instance", "-d", "10", "--pairs", "d/pairs.csv", "--label-column", "label"];
        folder.run(&[&args[..], &["d/roll.csv", "d/sheet.csv", "-o", "r.lb", "--n-jobs", jobs]].concat()).succeeded();
        let bytes = folder.read("r.lb");
        assert!(first.get_or_insert_with(|| bytes.clone()) == &bytes, "{jobs} thread(s)");
    }
}

#[test]
fn two_hundred_kills_leave_the_old_file_or_the_new_one() {
    let folder = Folder::with_data();
    let args = |d: &'static str| {
        let base = ["fit", "--method", "instance", "--pairs", "pairs.csv", "--label-column", "kind", "a.csv", "b.csv"];
        [&base[..], &["-d", d, "-o", "m.lb", "--quiet", "--n-jobs", "1"]].concat()
    };
    let mut whole = vec![];
    let mut longest = Duration::ZERO;
    for d in ["3", "5"] {
        let start = std::time::Instant::now();
        folder.run(&args(d)).succeeded();
        longest = longest.max(start.elapsed());
        whole.push(folder.read("m.lb"));
        folder.run(&["match", "m.lb", "--from", "a", "--to", "b", "--quiet"]).succeeded();
    }
    let mut numbers = Numbers(5);
    let (mut killed, mut replaced) = (0, 0);
    let mut last = whole[1].clone();
    for turn in 0..200 {
        let mut child = spawn(&folder, &args(["3", "5"][turn % 2]));
        // Up to a little after the end, so that the write itself is often hit.
        std::thread::sleep(longest.mul_f64(numbers.below(1200) as f64 / 1000.0));
        let _ = child.kill();
        killed += usize::from(child.wait().unwrap().code().is_none());
        let now = folder.read("m.lb");
        assert!(whole.contains(&now), "turn {turn}: a file of {} bytes that nobody wrote whole", now.len());
        replaced += usize::from(now != last);
        last = now;
    }
    assert!(killed > 20 && replaced > 5, "{killed} were killed, {replaced} replaced the file: the delays are off");
    // The next whole run clears what killed ones left.
    folder.run(&args("3")).succeeded();
    assert!(folder.names().iter().all(|n| !n.ends_with(".tmp")), "{:?}", folder.names());
    assert_eq!(folder.read("m.lb"), whole[0]);
}

#[test]
fn an_interrupt_ends_with_130_and_leaves_no_file() {
    let folder = Folder::empty();
    // Enough for seconds of work, spread over every stage.
    let (n, p) = (12_000, 60);
    let mut numbers = Numbers(3);
    let values: Vec<f64> = (0..n * p).map(|_| numbers.below(1 << 20) as f64 / f64::from(1 << 20)).collect();
    let bytes = npy(&format!("({n}, {p})"), &values);
    folder.write("a.npy", &bytes);
    folder.write("b.npy", &bytes);
    folder.write("p.csv", (0..200).map(|i| format!("{i},{i}\n")).collect::<String>());
    let before = folder.names();
    for delay in [150, 400, 800] {
        let args = ["fit", "--method", "instance", "-d", "100", "--pairs", "p.csv", "a.npy", "b.npy", "-o", "m.lb"];
        let child = spawn(&folder, &args);
        std::thread::sleep(Duration::from_millis(delay));
        assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
        let asked = std::time::Instant::now();
        let output = child.wait_with_output().unwrap();
        let err = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(130), "after {delay} ms: {err}");
        assert!(err.contains("error: stopped on request"), "{err}");
        assert!(asked.elapsed() < Duration::from_secs(20), "it took {:?} to stop", asked.elapsed());
        assert_eq!(folder.names(), before, "after {delay} ms");
    }
}
