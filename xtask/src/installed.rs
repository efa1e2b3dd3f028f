//! The command line as users get it: from `cargo install`, or alone in an archive. Tried where nothing of the clone can be found.

use crate::{Outcome, cargo, declared, root, run, target, works};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The file of the command line.
pub(crate) const NAME: &str = if cfg!(windows) { "landbridge.exe" } else { "landbridge" };

/// A small job: data as csv, a fit, matches, a page, pictures, compressed files and columns, a file of cells.
const STEPS: &[&[&str]] = &[
    &["demo", "rolls", "--data", "data", "-o", "demo.svg"],
    &[
        "fit",
        "cca",
        "-d",
        "2",
        "--label-column",
        "label",
        "--pairs",
        "data/pairs.csv",
        "data/roll.csv",
        "data/sheet.csv",
        "-o",
        "m.lb",
    ],
    &["match", "m.lb", "--from", "roll", "--to", "sheet", "-k", "3", "-o", "matches.csv"],
    &["evaluate", "m.lb", "--truth", "data/truth.csv"],
    &["report", "m.lb", "-o", "page.html", "--truth", "data/truth.csv"],
    &["plot", "m.lb", "-o", "plot.png"],
    &["transform", "m.lb", "data/roll.csv", "--dataset", "roll", "--label-column", "label", "-o", "z.csv.gz"],
    &["transform", "m.lb", "data/roll.csv", "--dataset", "roll", "--label-column", "label", "-o", "z.npy.zst"],
    &["transform", "m.lb", "data/roll.csv", "--dataset", "roll", "--label-column", "label", "-o", "z.parquet"],
    &["inspect", "z.csv.gz"],
    &["inspect", "z.npy.zst"],
    &["inspect", "z.parquet"],
    &["inspect", "cells.h5ad.gz"],
];

/// What the job leaves, and how each file begins.
const FILES: &[(&str, &[u8])] = &[
    ("demo.svg", b"<svg"),
    ("matches.csv", b"source_row,rank,target_row"),
    ("page.html", b"<!doctype html>"),
    ("plot.png", b"\x89PNG"),
    ("z.csv.gz", b"\x1f\x8b"),
    ("z.npy.zst", b"\x28\xb5\x2f\xfd"),
    ("z.parquet", b"PAR1"),
];

/// `cargo install` as users type it, into a folder of its own, and a small job for what it installed. It takes what the tests have
/// compiled: the version table in Cargo.toml sees to it that both want the same features of every dependency.
pub(crate) fn install() -> Outcome {
    let folder = target()?.join("installed");
    empty(&folder)?;
    let path = folder.to_string_lossy().into_owned();
    run(cargo(), &["install", "--quiet", "--path", "crates/landbridge-cli", "--root", &path, "--locked"])?;
    attempt(&folder.join("bin").join(NAME), false)
}

/// Runs the job in a folder that has only the program and a file of cells, without a variable of the environment. A program that
/// says that it needs no other file runs with that folder as its whole file system, where this user may do that.
pub(crate) fn attempt(program: &Path, needs_nothing: bool) -> Outcome {
    let folder = target()?.join("try-program");
    empty(&folder)?;
    let copy = |from: &Path, name: &str| {
        std::fs::copy(from, folder.join(name)).map_err(|e| format!("{}: {e}", from.display())).map(|_| ())
    };
    copy(program, NAME)?;
    copy(&root().join("crates/landbridge-io/tests/data/dense.h5ad.gz"), "cells.h5ad.gz")?;
    let wall = if needs_nothing { wall(&folder) } else { None };
    if needs_nothing && wall.is_none() {
        eprintln!("xtask: not tried in an empty file system, which only the administrator may do");
    }
    let version = answer(&folder, wall.as_deref(), &["--version"])?;
    if version.trim() != format!("landbridge {}", declared("version")?) {
        return Err(format!("{} says {:?}", program.display(), version.trim()));
    }
    for step in STEPS {
        answer(&folder, wall.as_deref(), step)?;
    }
    for (name, start) in FILES {
        let path = folder.join(name);
        let bytes = std::fs::read(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        if !bytes.starts_with(start) {
            return Err(format!("{} begins with {:?}", path.display(), String::from_utf8_lossy(&bytes[..bytes.len().min(20)])));
        }
    }
    let place = if wall.is_some() { "as the only file of its system" } else { "in a folder of its own" };
    eprintln!("xtask: {} works {place}: {} commands", program.display(), STEPS.len() + 1);
    Ok(())
}

/// What the copy of the program in `folder` prints.
fn answer(folder: &Path, wall: Option<&Path>, args: &[&str]) -> Result<String, String> {
    let mut command = match wall {
        Some(chroot) => {
            let mut command = Command::new(chroot);
            command.arg(folder).arg(Path::new("/").join(NAME));
            command
        }
        None => Command::new(folder.join(NAME)),
    };
    command.args(args).env_clear().current_dir(folder);
    if let Some(system) = std::env::var_os("SystemRoot").filter(|_| cfg!(windows)) {
        command.env("SystemRoot", system);
    }
    let shown = args.join(" ");
    let output = command.output().map_err(|e| format!("{}: {e}", folder.join(NAME).display()))?;
    if !output.status.success() {
        return Err(format!("landbridge {shown} ({}): {}", output.status, String::from_utf8_lossy(&output.stderr)));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The command that shuts a program into a folder, if this user may use it.
fn wall(folder: &Path) -> Option<PathBuf> {
    let found = ["/usr/sbin/chroot", "/sbin/chroot", "/usr/bin/chroot"].into_iter().find(|path| Path::new(path).is_file())?;
    let tried = [&*folder.to_string_lossy(), &format!("/{NAME}"), "--version"].map(str::to_string);
    works(found, &tried.each_ref().map(String::as_str)).then(|| found.into())
}

fn empty(folder: &Path) -> Outcome {
    if folder.exists() {
        std::fs::remove_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    }
    std::fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))
}

/// Fails unless a program of Linux starts without any other file: it names neither a loader nor a library.
pub(crate) fn needs_nothing(program: &Path) -> Outcome {
    let bytes = std::fs::read(program).map_err(|e| format!("{}: {e}", program.display()))?;
    match needed(&bytes) {
        Some(0) => Ok(()),
        Some(number) => Err(format!("{} is not static: it names a loader or libraries ({number})", program.display())),
        None => Err(format!("{} is not a program of 64-bit Linux", program.display())),
    }
}

/// How many loaders and libraries an ELF file of 64 bits names.
fn needed(bytes: &[u8]) -> Option<usize> {
    const LOADER: u64 = 3;
    const DYNAMIC: u64 = 2;
    const LIBRARY: u64 = 1;
    let number = |at: usize, length: usize| {
        let bytes = bytes.get(at..at.checked_add(length)?)?;
        Some(bytes.iter().rev().fold(0u64, |sum, &byte| sum << 8 | u64::from(byte)))
    };
    if !bytes.starts_with(b"\x7fELF\x02\x01") {
        return None;
    }
    let (table, size, count) = (number(32, 8)? as usize, number(54, 2)? as usize, number(56, 2)? as usize);
    let mut found = 0;
    for header in (0..count).map(|k| table + k * size) {
        match number(header, 4)? {
            LOADER => found += 1,
            DYNAMIC => {
                let (start, length) = (number(header + 8, 8)? as usize, number(header + 32, 8)? as usize);
                for entry in (start..start.checked_add(length)?).step_by(16) {
                    found += usize::from(number(entry, 8)? == LIBRARY);
                }
            }
            _ => {}
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_needs_libraries_is_told_from_others() {
        assert_eq!(needed(b"#!/bin/sh"), None);
        assert_eq!(needed(b"\x7fELF\x02\x01 and no more"), None);
        if cfg!(all(target_os = "linux", target_env = "gnu", not(target_feature = "crt-static"))) {
            let me = std::env::current_exe().unwrap();
            assert!(needed(&std::fs::read(&me).unwrap()).unwrap() >= 2, "a loader and the C library");
            assert!(needs_nothing(&me).unwrap_err().contains("is not static"));
        }
    }
}
