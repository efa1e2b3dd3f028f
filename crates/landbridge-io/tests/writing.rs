//! A file is written whole or not at all, whatever happens meanwhile.

mod common;

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use common::Rng;
use landbridge::data::Rows;
use landbridge::data::synthetic::Helices;
use landbridge::linalg::{Csr, Matrix};
use landbridge::method::InstanceAlignment;
use landbridge_io::{Error, ReadOptions, Table, atomic_write, load_model, read_matrix, write_matrix};

fn temporaries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|e| e.unwrap().path());
    entries.filter(|p| p.to_string_lossy().contains(".landbridge-")).collect()
}

/// Sets of rows that are equal everywhere, so that half of one and half of another are seen.
fn constant(name: &str, value: f64) -> Rows {
    let (n, p) = (120, 40);
    if name.contains("sparse") {
        let all: Vec<_> = (0..n).flat_map(|i| (0..p).map(move |j| (i, j, value))).collect();
        return Csr::from_triplets(n, p, &all).unwrap().into();
    }
    Matrix::from_fn(n, p, |_, _| value).into()
}

const KILLED: &str = "LANDBRIDGE_KILLED";
const TARGETS: [&str; 8] = ["a.csv", "a.tsv.gz", "a.npy", "a.npy.zst", "a.npz", "sparse.npz", "a.mtx", "sparse.mtx.gz"];

/// Not a test by itself: the process that `killed_writers_…` kills.
#[test]
fn child_writes_until_it_is_killed() {
    let Some(target) = std::env::var_os(KILLED).map(PathBuf::from) else {
        return;
    };
    let name = target.file_name().unwrap().to_string_lossy().into_owned();
    println!("ready");
    for round in 0.. {
        write_matrix(&target, &Table::new(&constant(&name, f64::from(round % 9) + 1.0))).unwrap();
    }
}

#[test]
fn killed_writers_leave_the_old_or_the_new_file_whole() {
    let folder = tempfile::tempdir().unwrap();
    let mut rng = Rng(9);
    let mut left_over = 0;
    for name in TARGETS {
        write_matrix(folder.path().join(name), &Table::new(&constant(name, 5.0))).unwrap();
    }
    for kill in 0..200 {
        let name = TARGETS[kill % TARGETS.len()];
        let target = folder.path().join(name);
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "child_writes_until_it_is_killed", "--nocapture"])
            .env(KILLED, &target)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // Once it says so, it writes.
        let mut heard = vec![];
        let mut out = child.stdout.take().unwrap();
        while !heard.ends_with(b"ready\n") {
            let mut byte = [0];
            assert_eq!(out.read(&mut byte).unwrap(), 1, "the child ended: {}", String::from_utf8_lossy(&heard));
            heard.push(byte[0]);
        }
        std::thread::sleep(Duration::from_micros(rng.below(15_000) as u64));
        child.kill().unwrap();
        child.wait().unwrap();
        left_over += temporaries(folder.path()).len();
        let rows = read_matrix(&target, &ReadOptions::default()).unwrap_or_else(|e| panic!("kill {kill}: {e}")).rows;
        let value = match &rows {
            Rows::F64(m) => m[(0, 0)],
            Rows::Sparse(m) => m.get(0, 0),
            Rows::F32(_) => panic!("f64 was written"),
        };
        assert_eq!(rows, constant(name, value), "kill {kill}: {name} is a mixture");
    }
    assert!(left_over > 0, "no kill hit a write: the test is too slow or too fast");
    for name in TARGETS {
        write_matrix(folder.path().join(name), &Table::new(&constant(name, 1.0))).unwrap();
    }
    assert_eq!(temporaries(folder.path()), Vec::<PathBuf>::new());
}

#[test]
fn an_error_while_writing_keeps_the_old_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.txt");
    fs::write(&path, "old").unwrap();
    // The error comes after ever more bytes: within the buffer and beyond it.
    for written in [0, 1, 1000, 1 << 20] {
        let result = atomic_write(&path, |w| {
            w.write_all(&vec![b'x'; written])?;
            Err(std::io::Error::other("no more"))
        });
        assert_eq!(result.unwrap_err().to_string(), format!("{}: cannot write: no more", path.display()));
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert!(temporaries(folder.path()).is_empty());
    }
    let panicked = std::panic::catch_unwind(|| atomic_write(&path, |_| panic!("in the writer")));
    assert!(panicked.is_err());
    assert_eq!(fs::read(&path).unwrap(), b"old");
    assert!(temporaries(folder.path()).is_empty());
}

#[test]
fn a_full_device_is_a_clean_error() {
    if !Path::new("/dev/full").exists() {
        return;
    }
    let error = atomic_write("/dev/full", |w| w.write_all(b"hello")).unwrap_err();
    assert!(
        matches!(&error, Error::Io { action: "write", source, .. } if source.kind() == std::io::ErrorKind::StorageFull),
        "{error}"
    );
    // Through every writer, by links that carry the extension.
    let folder = tempfile::tempdir().unwrap();
    for name in TARGETS {
        let link = folder.path().join(name);
        std::os::unix::fs::symlink("/dev/full", &link).unwrap();
        let error = write_matrix(&link, &Table::new(&constant(name, 1.0))).unwrap_err();
        assert!(
            matches!(&error, Error::Io { source, .. } if source.kind() == std::io::ErrorKind::StorageFull),
            "{name}: {error}"
        );
    }
}

#[test]
fn a_full_disk_keeps_the_old_file() {
    let folder = tempfile::tempdir().unwrap();
    let mount =
        Command::new("mount").args(["-t", "tmpfs", "-o", "size=64k", "tmpfs"]).arg(folder.path()).stderr(Stdio::null()).status();
    if !mount.is_ok_and(|s| s.success()) {
        eprintln!("skipped: mounting is not allowed here");
        return;
    }
    let path = folder.path().join("a.bin");
    let result = std::panic::catch_unwind(|| {
        atomic_write(&path, |w| w.write_all(b"old")).unwrap();
        let mut failed = 0;
        for size in (0..50).map(|k| k * 4000) {
            let before = fs::read(&path).unwrap();
            match atomic_write(&path, |w| w.write_all(&vec![7; size])) {
                Ok(()) => assert_eq!(fs::read(&path).unwrap(), vec![7; size]),
                Err(error) => {
                    assert!(
                        matches!(&error, Error::Io { source, .. } if source.kind() == std::io::ErrorKind::StorageFull),
                        "{error}"
                    );
                    assert_eq!(fs::read(&path).unwrap(), before);
                    failed += 1;
                }
            }
            assert!(temporaries(folder.path()).is_empty());
        }
        assert!(failed > 0);
    });
    Command::new("umount").arg(folder.path()).status().unwrap();
    result.unwrap();
}

#[test]
fn a_link_stays_a_link_and_its_target_is_replaced() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("far")).unwrap();
    fs::write(at("far/real.txt"), "old").unwrap();
    fs::set_permissions(at("far/real.txt"), fs::Permissions::from_mode(0o640)).unwrap();
    symlink("far/real.txt", at("first")).unwrap();
    symlink("first", at("second")).unwrap();
    atomic_write(at("second"), |w| w.write_all(b"new")).unwrap();
    assert!(fs::symlink_metadata(at("second")).unwrap().is_symlink());
    assert_eq!(fs::read(at("far/real.txt")).unwrap(), b"new");
    assert_eq!(fs::metadata(at("far/real.txt")).unwrap().permissions().mode() & 0o777, 0o640);
    // To a file that does not exist yet, and in a circle.
    symlink("far/fresh.txt", at("dangling")).unwrap();
    atomic_write(at("dangling"), |w| w.write_all(b"new")).unwrap();
    assert_eq!(fs::read(at("far/fresh.txt")).unwrap(), b"new");
    symlink("circle", at("circle")).unwrap();
    assert!(matches!(atomic_write(at("circle"), |w| w.write_all(b"x")), Err(Error::Io { .. })));
}

#[test]
fn folders_and_missing_folders_are_clean_errors() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("sub.csv")).unwrap();
    for path in [folder.path().join("sub.csv"), folder.path().join("sub.csv/"), folder.path().join("new.csv/")] {
        assert!(matches!(atomic_write(&path, |w| w.write_all(b"x")), Err(Error::IsDirectory { .. })), "{path:?}");
    }
    for path in [folder.path().join("no/such/a.csv"), PathBuf::from("/sys/a.csv"), PathBuf::from("/proc/a.csv")] {
        let error = atomic_write(&path, |w| w.write_all(b"x")).unwrap_err();
        assert!(matches!(error, Error::Io { action: "write", .. }), "{path:?}: {error}");
        assert!(error.to_string().starts_with(&path.display().to_string()));
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_read_only_folder_is_a_clean_error() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.txt");
    fs::write(&path, "old").unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o555)).unwrap();
    let allowed = fs::write(folder.path().join("probe"), "").is_ok();
    let result = atomic_write(&path, |w| w.write_all(b"new"));
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    if allowed {
        eprintln!("skipped: this user may write everywhere");
        return;
    }
    assert!(matches!(&result, Err(Error::Io { source, .. }) if source.kind() == std::io::ErrorKind::PermissionDenied));
    assert_eq!(fs::read(&path).unwrap(), b"old");
}

#[test]
fn a_pipe_is_written_and_read_directly() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("a.csv");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let rows = constant("a.csv", 2.5);
    std::thread::scope(|scope| {
        let reader = scope.spawn(|| read_matrix(&pipe, &ReadOptions::default()));
        write_matrix(&pipe, &Table::new(&rows)).unwrap();
        assert_eq!(reader.join().unwrap().unwrap().rows, rows);
    });
    use std::os::unix::fs::FileTypeExt;
    assert!(fs::symlink_metadata(&pipe).unwrap().file_type().is_fifo());
}

#[test]
fn of_two_writers_at_once_one_wins_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.bin");
    for _ in 0..100 {
        std::thread::scope(|scope| {
            for value in [1u8, 2] {
                let path = &path;
                scope.spawn(move || atomic_write(path, |w| w.write_all(&vec![value; 300_000])).unwrap());
            }
        });
        let found = fs::read(&path).unwrap();
        assert!(found.len() == 300_000 && found.iter().all(|&b| b == found[0]));
        assert!(temporaries(folder.path()).is_empty());
    }
}

#[test]
fn standard_output_and_input_are_dashes() {
    // The child writes to its standard output by each of its names, and reads its standard input.
    if std::env::var_os("LANDBRIDGE_DASH").is_some() {
        let read = read_matrix("-", &ReadOptions::default()).unwrap();
        for name in ["-", "/dev/stdout"] {
            landbridge_io::write_table(name, &["rows"], [[read.rows.nrows().to_string()]], &Default::default()).unwrap();
        }
        return;
    }
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "standard_output_and_input_are_dashes", "--nocapture"])
        .env("LANDBRIDGE_DASH", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"x,y\n1,2\n3,4\n5,6\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("rows\n3\nrows\n3\n"), "{text}");
}

#[test]
fn a_stream_is_read_no_further_than_a_model_goes() {
    let folder = tempfile::tempdir().unwrap();
    let helices = Helices::new(30).generate().unwrap();
    let model = InstanceAlignment::new(2).n_neighbors(5).fit(&helices.datasets, &helices.pairs(8, 0).unwrap()).unwrap();
    // A device that never ends, and a small file that unpacks to a gigabyte.
    let error = load_model("/dev/zero").unwrap_err();
    assert!(error.to_string().contains("not a landbridge model"), "{error}");
    let path = folder.path().join("bomb.lb.zst");
    let zeros = std::io::Read::take(std::io::repeat(0), 1 << 30);
    zstd::stream::copy_encode(zeros, fs::File::create(&path).unwrap(), 1).unwrap();
    assert!(fs::metadata(&path).unwrap().len() < 1 << 20);
    assert!(load_model(&path).unwrap_err().to_string().contains("not a landbridge model"));
    // A model with a gigabyte behind it.
    let bytes = model.to_bytes().unwrap();
    let longer = std::io::Read::chain(&bytes[..], std::io::Read::take(std::io::repeat(0), 1 << 30));
    zstd::stream::copy_encode(longer, fs::File::create(&path).unwrap(), 1).unwrap();
    let error = load_model(&path).unwrap_err();
    assert!(error.to_string().ends_with("the file is damaged: a byte follows its end"), "{error}");
    // A pipe delivers a model.
    let pipe = folder.path().join("pipe.lb");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    std::thread::scope(|scope| {
        scope.spawn(|| fs::write(&pipe, &bytes).unwrap());
        assert_eq!(load_model(&pipe).unwrap().to_bytes().unwrap(), bytes);
    });
}
