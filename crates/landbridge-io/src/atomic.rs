//! A file is written whole or not at all.

use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::error::{Error, Result};
use crate::source::{is_dash, refuse_remote};

/// Between the name of the target and the number of the process that writes.
const MARK: &str = ".landbridge-";
const SUFFIX: &str = ".tmp";
/// After this time without a write, a temporary file is left over whatever its process does.
const STALE: Duration = Duration::from_secs(3600);

/// Writes a file whole or not at all: into a temporary file beside the target, flushed and synced, then renamed.
/// On any error the old file stays and the temporary one goes.
///
/// - The temporary file is called `.NAME.landbridge-PID-xxxxxx.tmp`. Those that a killed process left behind for
///   this target (its process no longer lives, or no write for an hour, and nobody holds its lock) are removed.
/// - A symbolic link stays a link: the file it points to is replaced.
/// - An existing file keeps its permissions. Other hard links to it keep the old content.
/// - Devices, pipes and everything under `/dev` and `/proc` are written directly; `-` and `/dev/stdout` are
///   standard output. There, what was written before an error stays written.
///
/// ```
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("greeting.txt");
/// landbridge_io::atomic_write(&path, |file| file.write_all(b"hello"))?;
/// assert_eq!(std::fs::read(&path)?, b"hello");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn atomic_write(path: impl AsRef<Path>, fill: impl FnOnce(&mut dyn Write) -> std::io::Result<()>) -> Result<()> {
    let path = path.as_ref();
    refuse_remote(path)?;
    let io = |source| Error::Io { path: path.into(), action: "write", source };
    match target_of(path)? {
        Target::Stdout => fill_and_flush(std::io::stdout().lock(), fill).map(|_| ()).map_err(io),
        Target::Direct(target) => {
            let file = OpenOptions::new().write(true).open(target).map_err(io)?;
            fill_and_flush(file, fill).map(|_| ()).map_err(io)
        }
        Target::Replace(target) => replace(&target, fill).map_err(io),
    }
}

enum Target {
    Stdout,
    /// Written in place: it is not a regular file.
    Direct(PathBuf),
    /// Replaced by renaming: regular, or not there yet.
    Replace(PathBuf),
}

fn target_of(path: &Path) -> Result<Target> {
    let io = |source| Error::Io { path: path.into(), action: "write", source };
    if is_dash(path) {
        return Ok(Target::Stdout);
    }
    let mut target = path.to_path_buf();
    // Follow links one by one: a link to a file that does not exist yet must be followed as well.
    for _ in 0..40 {
        if ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].iter().any(|s| target == Path::new(s)) {
            return Ok(Target::Stdout);
        }
        if target.starts_with("/dev") || target.starts_with("/proc") {
            return Ok(Target::Direct(target));
        }
        match fs::symlink_metadata(&target) {
            Ok(about) if about.is_dir() => return Err(Error::IsDirectory { path: path.into() }),
            Ok(about) if about.is_symlink() => {
                let next = fs::read_link(&target).map_err(io)?;
                target = target.parent().map_or_else(|| next.clone(), |folder| folder.join(&next));
            }
            Ok(about) if about.is_file() => return Ok(Target::Replace(target)),
            Ok(_) => return Ok(Target::Direct(target)),
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
                if target.file_name().is_none() || path.as_os_str().as_encoded_bytes().ends_with(b"/") {
                    return Err(Error::IsDirectory { path: path.into() });
                }
                return Ok(Target::Replace(target));
            }
            Err(e) => return Err(io(e)),
        }
    }
    Err(io(std::io::Error::other("too many symbolic links, one after the other")))
}

fn fill_and_flush<W: Write>(sink: W, fill: impl FnOnce(&mut dyn Write) -> std::io::Result<()>) -> std::io::Result<W> {
    let mut buffered = BufWriter::with_capacity(1 << 18, sink);
    match fill(&mut buffered).and_then(|()| buffered.flush()) {
        Ok(()) => buffered.into_inner().map_err(|e| e.into_error()),
        // Dropping the buffer would try to write it once more; after an error nothing more is written.
        Err(e) => {
            let _ = buffered.into_parts();
            Err(e)
        }
    }
}

fn replace(target: &Path, fill: impl FnOnce(&mut dyn Write) -> std::io::Result<()>) -> std::io::Result<()> {
    let folder = match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let name = target.file_name().unwrap_or(OsStr::new("file"));
    remove_strays(folder, name);
    let mut prefix = OsStr::new(".").to_os_string();
    prefix.push(name);
    prefix.push(format!("{MARK}{}-", std::process::id()));
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(SUFFIX).rand_bytes(6);
    #[cfg(unix)]
    {
        // As any new file; the process's own mask applies.
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let temporary = builder.tempfile_in(folder)?;
    // Says "being written" also to processes that cannot see ours (another container). Not every file system
    // has locks; without one the process number decides alone.
    let _ = temporary.as_file().try_lock();
    fill_and_flush(temporary.as_file(), fill)?;
    if let Ok(old) = fs::metadata(target) {
        temporary.as_file().set_permissions(old.permissions())?;
    }
    temporary.as_file().sync_all()?;
    // On an error the temporary file goes with its path. The rename is that of the standard library, because the tests make
    // every call of the C library fail in turn.
    let (file, temporary) = temporary.into_parts();
    fs::rename(&temporary, target)?;
    let _ = temporary.keep();
    drop(file);
    // The rename itself is durable once the folder is synced; not every file system can, and the file is whole.
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
    Ok(())
}

/// Removes what killed writers of the file `name` left behind in a folder. A failure to do so is not an error.
pub fn remove_strays(folder: &Path, name: &OsStr) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    let mut prefix = vec![b'.'];
    prefix.extend(name.as_encoded_bytes());
    prefix.extend(MARK.as_bytes());
    for entry in entries.flatten() {
        let found = entry.file_name();
        let rest = found.as_encoded_bytes().strip_prefix(&prefix[..]).and_then(|r| r.strip_suffix(SUFFIX.as_bytes()));
        let pid =
            rest.and_then(|r| std::str::from_utf8(r).ok()).and_then(|r| r.split_once('-')).and_then(|(pid, _)| pid.parse().ok());
        if let Some(pid) = pid
            && is_stray(&entry.path(), pid)
        {
            let _ = fs::remove_file(entry.path());
        }
    }
}

fn is_stray(path: &Path, pid: u32) -> bool {
    let Ok(about) = fs::symlink_metadata(path) else {
        return false;
    };
    if !about.is_file() {
        return false;
    }
    let idle = about.modified().ok().and_then(|t| t.elapsed().ok()).unwrap_or_default();
    if is_alive(pid) && idle < STALE {
        return false;
    }
    match File::open(path) {
        Ok(file) => !matches!(file.try_lock(), Err(fs::TryLockError::WouldBlock)),
        Err(_) => true,
    }
}

/// Whether the process lives. Without a `/proc` to ask, it is taken to live, and the age decides.
fn is_alive(pid: u32) -> bool {
    let processes = Path::new("/proc");
    !processes.join("self").exists() || processes.join(pid.to_string()).exists()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_temporary_files_of_dead_or_idle_writers_of_this_target_go() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        // Process numbers end well below this.
        let dead = 4_000_000_000u32;
        let me = std::process::id();
        let stray = at(&format!(".a.csv.landbridge-{dead}-x1y2z3.tmp"));
        let alive = at(&format!(".a.csv.landbridge-{me}-x1y2z3.tmp"));
        let idle = at(&format!(".a.csv.landbridge-{me}-idle00.tmp"));
        let other_target = at(&format!(".b.csv.landbridge-{dead}-x1y2z3.tmp"));
        let no_temp = at(".a.csv.landbridge-notes.tmp");
        let locked = at(&format!(".a.csv.landbridge-{dead}-locked.tmp"));
        for path in [&stray, &alive, &idle, &other_target, &no_temp, &locked] {
            fs::write(path, "part").unwrap();
        }
        let two_hours_ago = std::time::SystemTime::now() - 2 * STALE;
        File::options().write(true).open(&idle).unwrap().set_modified(two_hours_ago).unwrap();
        let lock = File::open(&locked).unwrap();
        lock.try_lock().unwrap();
        atomic_write(at("a.csv"), |w| w.write_all(b"1\n")).unwrap();
        assert!(!stray.exists() && !idle.exists());
        assert!(alive.exists() && other_target.exists() && no_temp.exists() && locked.exists());
        assert_eq!(fs::read(at("a.csv")).unwrap(), b"1\n");
    }
}
