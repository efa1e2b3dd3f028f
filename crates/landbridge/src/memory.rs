//! How much memory this process may still take, and whether a result fits into it.

use crate::error::{Error, Result};
use std::cell::Cell;
use std::path::{Path, PathBuf};

/// Addresses that the threads of a fit map for their stacks and small arrays, whatever the data.
const ROOM_OF_THREADS: u64 = 32 << 20;
/// Work below this size is not asked about: reading the limits takes as long as a good part of it.
const SMALL: u64 = 4 << 20;

thread_local! {
    /// The most that this thread has asked for since [`asked`] was called.
    static ASKED: Cell<u64> = const { Cell::new(0) };
}

/// Refuses work that cannot fit into the memory that is free. `what` names the work, and `bytes` what it takes, its result included.
pub fn check_room(what: &str, bytes: u64) -> Result<()> {
    check_room_or(what, bytes, "give fewer rows at a time (CLI: -o FOLDER/; Python: transform_batches), or ask for less of each")
}

/// As [`check_room`], with advice of its own.
pub fn check_room_or(what: &str, bytes: u64, advice: &str) -> Result<()> {
    ASKED.set(ASKED.get().max(bytes));
    if bytes < SMALL {
        return Ok(());
    }
    match free_memory() {
        Some(free) if bytes > free => {
            Err(Error::Memory { method: what.into(), needed: bytes, limit: free, advice: advice.into() })
        }
        _ => Ok(()),
    }
}

/// The most bytes that this thread has asked for at once since the last call of this function: what tests compare with the bytes that
/// were taken.
pub fn asked() -> u64 {
    ASKED.take()
}

/// The bytes of that many numbers of double precision.
pub fn of_doubles(rows: usize, columns: usize) -> u64 {
    of_each(rows, columns, 8)
}

/// The bytes of rows × columns values of that size each, or more than any machine has: so little that some of these can be added up.
pub fn of_each(rows: usize, columns: usize, bytes: usize) -> u64 {
    (rows as u64).saturating_mul(columns as u64).saturating_mul(bytes as u64).min(1 << 58)
}

/// Bytes that a fit may take: what is free of the machine, or of the control groups that the process is in if that is less, without a
/// tenth for others; at most what the process may still map under its limit of addresses (`ulimit -v`), which nobody else uses.
pub fn free_memory() -> Option<u64> {
    let text = |path: &str| std::fs::read_to_string(path).ok();
    let machine = text("/proc/meminfo").and_then(|text| kilobytes(&text, "MemAvailable:"));
    let groups = groups(&text("/proc/self/cgroup").unwrap_or_default(), Path::new("/sys/fs/cgroup"));
    let shared = machine.into_iter().chain(groups.iter().filter_map(Group::free)).min().map(|free| free / 10 * 9);
    let limits = text("/proc/self/limits").and_then(|limits| address_limit(&limits));
    let own = limits.zip(text("/proc/self/status").and_then(|status| kilobytes(&status, "VmSize:")));
    shared.into_iter().chain(own.map(|(limit, used)| limit.saturating_sub(used + ROOM_OF_THREADS))).min()
}

/// A control group with a limit of memory, of either version.
#[derive(Debug, PartialEq)]
struct Group {
    folder: PathBuf,
    limit: &'static str,
    used: &'static str,
    /// In front of the names in `memory.stat` that count the groups below as well.
    prefix: &'static str,
}

impl Group {
    /// The limit less what is used. Cached pages of files count as free: the system gives them back when memory is short.
    fn free(&self) -> Option<u64> {
        let text = |name: &str| std::fs::read_to_string(self.folder.join(name)).ok();
        let number = |name: &str| text(name).and_then(|text| text.trim().parse::<u64>().ok());
        let (limit, used) = (number(self.limit)?, number(self.used)?);
        let stat = text("memory.stat").unwrap_or_default();
        let cached = |name: &str| -> u64 {
            let name = format!("{}{name} ", self.prefix);
            stat.lines().find_map(|l| l.strip_prefix(&name)?.trim().parse::<u64>().ok()).unwrap_or(0)
        };
        Some(limit.saturating_sub(used.saturating_sub(cached("inactive_file") + cached("active_file"))))
    }
}

/// The groups of a process by its `/proc/self/cgroup`, and those above them: each may have a limit.
fn groups(told: &str, root: &Path) -> Vec<Group> {
    let mut out = vec![];
    for line in told.lines() {
        let mut fields = line.splitn(3, ':').skip(1);
        let (Some(kinds), Some(path)) = (fields.next(), fields.next()) else { continue };
        let (base, limit, used, prefix) = match kinds {
            "" => (root.to_path_buf(), "memory.max", "memory.current", ""),
            kinds if kinds.split(',').any(|k| k == "memory") => {
                (root.join("memory"), "memory.limit_in_bytes", "memory.usage_in_bytes", "total_")
            }
            _ => continue,
        };
        // In a container the path may be one of the host: folders that do not exist give no limit, and the root is always asked.
        for path in Path::new(path.trim_start_matches('/')).ancestors().filter(|path| path.is_relative()) {
            out.push(Group { folder: base.join(path), limit, used, prefix });
        }
    }
    out
}

/// The number behind a word at the beginning of a line, in bytes: `MemAvailable:  123 kB`.
fn kilobytes(text: &str, word: &str) -> Option<u64> {
    let line = text.lines().find(|l| l.starts_with(word))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kb| kb * 1024)
}

/// The limit of addresses in `/proc/self/limits`; None if there is none.
fn address_limit(limits: &str) -> Option<u64> {
    let line = limits.lines().find_map(|l| l.strip_prefix("Max address space"))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_of_the_process_are_read() {
        let limits = "Limit      Soft Limit   Hard Limit   Units\nMax address space         2097152000           unlimited            bytes\n";
        assert_eq!(address_limit(limits), Some(2_097_152_000));
        assert_eq!(address_limit(&limits.replace("2097152000", "unlimited")), None);
        assert_eq!(kilobytes("Name:\tx\nVmSize:\t   12 kB\n", "VmSize:"), Some(12 * 1024));
    }

    #[test]
    fn control_groups_of_both_versions_are_found_with_those_above_them() {
        let told = "12:cpu,cpuacct:/a\n7:memory:/outer/inner\n0::/user.slice/job.scope\nnonsense\n";
        let found: Vec<String> =
            groups(told, Path::new("/g")).iter().map(|g| g.folder.join(g.limit).display().to_string()).collect();
        let expected = [
            "/g/memory/outer/inner/memory.limit_in_bytes",
            "/g/memory/outer/memory.limit_in_bytes",
            "/g/memory/memory.limit_in_bytes",
            "/g/user.slice/job.scope/memory.max",
            "/g/user.slice/memory.max",
            "/g/memory.max",
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn pages_of_files_count_as_free() {
        let folder = std::env::temp_dir().join(format!("landbridge-groups-{}", std::process::id()));
        let inner = folder.join("job");
        std::fs::create_dir_all(&inner).unwrap();
        let write = |name: &str, text: &str| std::fs::write(inner.join(name), text).unwrap();
        write("memory.max", "1000\n");
        write("memory.current", "900\n");
        write("memory.stat", "anon 300\ninactive_file 400\nactive_file 100\n");
        let free: Vec<u64> = groups("0::/job\n", &folder).iter().filter_map(Group::free).collect();
        assert_eq!(free, [600]);
        write("memory.max", "max\n");
        assert!(groups("0::/job\n", &folder).iter().all(|g| g.free().is_none()));
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_result_that_cannot_fit_is_refused() {
        asked();
        check_room("a small result", 1000).unwrap();
        assert_eq!((asked(), asked()), (1000, 0));
        if free_memory().is_some() {
            let refused = check_room("transform", 1 << 60).unwrap_err();
            assert!(refused.to_string().starts_with("transform would take"), "{refused}");
            assert!(refused.hint().unwrap().contains("fewer rows"));
        }
        assert_eq!(of_doubles(usize::MAX, 2), 1 << 58);
    }
}
