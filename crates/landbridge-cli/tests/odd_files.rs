//! Files that are not plain files, in every role: symbolic links, pipes, devices, folders, sockets, read-only places. What leads to the
//! content gives the same answer; everything else is refused with a message, and nothing hangs.
#![cfg(unix)]

mod common;

use common::{BINARY, Folder};
use std::fs::OpenOptions;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::os::unix::net::UnixListener;
use std::process::Command;
use std::time::Duration;

/// A command whose file `{}` is replaced, the plain file, and the output that it writes.
const ROLES: &[(&str, &str, &str)] = &[
    ("fit linear -d 2 --pairs pairs.csv --label-column kind {} b.csv -o o.lb", "a.csv", "o.lb"),
    ("fit linear -d 2 --pairs {} --label-column kind a.csv b.csv -o o.lb", "pairs.csv", "o.lb"),
    ("transform {} a.csv --dataset a --label-column kind -o o.csv", "m.lb", "o.csv"),
    ("transform m.lb {} --dataset a --label-column kind -o o.csv", "a.csv", "o.csv"),
    ("transform m.lb {} --dataset a -o o.csv", "plain.npy", "o.csv"),
    ("transform m.lb {} --dataset a -o o.csv", "packed.npy.gz", "o.csv"),
    ("match {} --from a --to b -o o.csv", "m.lb", "o.csv"),
    ("report {} -o o.html", "m.lb", "o.html"),
    ("evaluate m.lb --truth {} --json", "truth.csv", ""),
    ("merge {} -o o.stats", "s.stats", "o.stats"),
    ("solve cca {} -d 1 -o o.lb", "s.stats", "o.lb"),
];

fn prepared() -> Folder {
    let folder = Folder::with_model();
    folder.say("stats a.csv b.csv --names a,b --label-column kind --pairs pairs.csv -o s.stats --quiet").succeeded();
    folder.write("plain.npy", common::npy("(3, 2)", &[0.5, 1.0, -1.0, 2.0, 0.0, 0.25]));
    assert!(
        Command::new("sh")
            .current_dir(folder.dir.path())
            .args(["-c", "gzip -c plain.npy > packed.npy.gz"])
            .status()
            .unwrap()
            .success()
    );
    folder
}

/// How a command ended: its code, what it wrote and what it said.
fn ended(folder: &Folder, command: &str, output: &str) -> (Option<i32>, Vec<u8>, String) {
    let _ = std::fs::remove_file(folder.path(output));
    let args: Vec<&str> = command.split(' ').chain(["--quiet"]).collect();
    let done =
        assert_cmd::Command::new(BINARY).current_dir(folder.dir.path()).args(args).timeout(Duration::from_secs(60)).output();
    let done = done.unwrap_or_else(|e| panic!("{command}: {e}"));
    let made = if output.is_empty() { done.stdout } else { std::fs::read(folder.path(output)).unwrap_or_default() };
    (done.status.code(), made, String::from_utf8_lossy(&done.stderr).into_owned())
}

#[test]
fn links_and_pipes_lead_to_the_content() {
    let folder = prepared();
    let mut count = 0;
    for (command, plain, output) in ROLES {
        let expected = ended(&folder, &command.replace("{}", plain), output);
        assert_eq!(expected.0, Some(0), "{command}: {}", expected.2);
        let inner = folder.path("inner");
        let _ = std::fs::remove_dir_all(&inner);
        std::fs::create_dir(&inner).unwrap();
        let at = |name: &str| inner.join(name);
        // One folder for each way, so that the name, which names the dataset and the format, stays the same.
        for way in ["link", "chain", "pipe", "read-only"] {
            std::fs::create_dir(at(way)).unwrap();
        }
        symlink(folder.path(plain), at("link").join(plain)).unwrap();
        symlink("../../inner/link/".to_string() + plain, at("chain").join(plain)).unwrap();
        std::fs::copy(folder.path(plain), at("read-only").join(plain)).unwrap();
        std::fs::set_permissions(at("read-only").join(plain), std::fs::Permissions::from_mode(0o444)).unwrap();
        std::fs::set_permissions(at("read-only"), std::fs::Permissions::from_mode(0o555)).unwrap();
        let pipe = at("pipe").join(plain);
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        for way in ["link", "chain", "pipe", "read-only"] {
            let bytes = std::fs::read(folder.path(plain)).unwrap();
            let run = || ended(&folder, &command.replace("{}", &format!("inner/{way}/{plain}")), output);
            let found = match way {
                "pipe" => std::thread::scope(|scope| {
                    // A reader that closes early is its own decision.
                    scope.spawn(|| drop(std::fs::write(&pipe, &bytes)));
                    run()
                }),
                _ => run(),
            };
            assert_eq!(found.0, Some(0), "{command}, {way}: {}", found.2);
            // Names of files stand in some outputs.
            let names_files = matches!(*output, "o.html" | "o.stats") || command.contains("--json");
            assert!(names_files || found.1 == expected.1, "{command}, {way}: another answer");
            count += 1;
        }
        std::fs::set_permissions(at("read-only"), std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    println!("{count} commands");
}

#[test]
fn what_is_no_file_is_refused_with_a_message() {
    let folder = prepared();
    let mut count = 0;
    for (command, plain, output) in ROLES {
        let inner = folder.path("inner");
        let _ = std::fs::remove_dir_all(&inner);
        std::fs::create_dir(&inner).unwrap();
        for way in ["dangling", "loop", "folder", "socket", "empty pipe", "null", "zero", "under a file"] {
            std::fs::create_dir(inner.join(way.replace(' ', "-"))).unwrap();
        }
        let at = |way: &str| inner.join(way).join(plain);
        symlink("nowhere", at("dangling")).unwrap();
        symlink(plain, at("loop")).unwrap();
        std::fs::create_dir(at("folder")).unwrap();
        let socket = UnixListener::bind(at("socket")).unwrap();
        assert!(Command::new("mkfifo").arg(at("empty-pipe")).status().unwrap().success());
        symlink("/dev/null", at("null")).unwrap();
        symlink("/dev/zero", at("zero")).unwrap();
        std::fs::write(at("under-a-file"), "x").unwrap();
        for way in ["dangling", "loop", "folder", "socket", "empty-pipe", "null", "zero", "under-a-file"] {
            // An endless text is read up to the limit of memory: that is tested with a limit, in the tests of readers.
            if way == "zero" && !(plain.ends_with(".lb") || plain.ends_with(".npy") || plain.ends_with(".gz")) {
                continue;
            }
            let mut path = format!("inner/{way}/{plain}");
            if way == "under-a-file" {
                path += &format!("/{plain}");
            }
            let run = || ended(&folder, &command.replace("{}", &path), output);
            let pipe = at("empty-pipe");
            let (code, _, words) = match way {
                "empty-pipe" => std::thread::scope(|scope| {
                    // Waits until somebody reads, and says nothing.
                    let writer = scope.spawn(|| drop(OpenOptions::new().write(true).open(&pipe)));
                    let found = run();
                    // Where nobody did, this ends the waiting.
                    drop(OpenOptions::new().read(true).write(true).open(&pipe).unwrap());
                    writer.join().unwrap();
                    found
                }),
                _ => run(),
            };
            assert!(matches!(code, Some(1 | 2)), "{command}, {way}: {code:?} {words}");
            let said = words.contains("error:") || words.contains("\"error\":");
            assert!(said && !words.contains("a bug in landbridge"), "{command}, {way}: {words}");
            assert!(output.is_empty() || !folder.path(output).exists(), "{command}, {way}: it left a file");
            count += 1;
        }
        drop(socket);
    }
    println!("{count} commands");
}
