//! The system's allocator, with large pages for large arrays.
//!
//! Linux hands out memory in pages of 4 KB, each cleared and mapped when it is first touched: 260,000 times for a
//! gigabyte, which was a quarter of the time of reading a sparse matrix. A program may ask for pages of 2 MB instead, where
//! the system leaves the choice to programs (`/sys/kernel/mm/transparent_hugepage/enabled` says `madvise`). NumPy asks for
//! its arrays; this does the same for ours. Where the system says `never`, or is not Linux, nothing changes.
//!
//! Programs choose an allocator, libraries do not: the command line and the Python module name it, the library never.
//!
//! ```
//! #[global_allocator]
//! static MEMORY: landbridge_alloc::LargePages = landbridge_alloc::LargePages;
//! let zeros = vec![0.0f64; 1 << 20];
//! assert!(zeros.iter().all(|z| *z == 0.0));
//! ```
//!
//! `unsafe` here: an allocator is unsafe to write. Every call goes to [`System`] as it came; the advice about pages
//! does not change what memory holds.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};

/// [`System`], asking for large pages for arrays of at least 4 MB.
#[derive(Clone, Copy, Debug, Default)]
pub struct LargePages;

/// Arrays below this many bytes stay as they are: two large pages.
const LARGE: usize = 4 << 20;

// SAFETY: every request is passed to `System` unchanged, and its answer is returned unchanged.
unsafe impl GlobalAlloc for LargePages {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise is the one that `System` asks for.
        advise(unsafe { System.alloc(layout) }, layout.size())
    }
    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        advise(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }
    #[inline]
    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above.
        advise(unsafe { System.realloc(memory, layout, size) }, size)
    }
    #[inline]
    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[inline]
fn advise(memory: *mut u8, size: usize) -> *mut u8 {
    if size >= LARGE && !memory.is_null() {
        ask_for_large_pages(memory, size);
    }
    memory
}

/// Asks for the whole small pages inside the array. A system that refuses leaves everything as it was.
#[cfg(target_os = "linux")]
#[cold]
fn ask_for_large_pages(memory: *mut u8, size: usize) {
    /// The advice must begin at a page; those of all Linux systems divide this.
    const PAGE: usize = 1 << 16;
    let before = memory.align_offset(PAGE);
    let length = size.saturating_sub(before) / PAGE * PAGE;
    if length > 0 {
        // SAFETY: the range lies within memory that was just handed out. The advice is about how pages are mapped, not
        // about what they hold.
        unsafe { libc::madvise(memory.add(before).cast(), length, libc::MADV_HUGEPAGE) };
    }
}

#[cfg(not(target_os = "linux"))]
fn ask_for_large_pages(_: *mut u8, _: usize) {}

#[cfg(test)]
mod tests {
    #[global_allocator]
    static MEMORY: super::LargePages = super::LargePages;

    #[test]
    fn large_arrays_are_zero_grow_and_keep_what_they_hold() {
        let zeros = vec![0u64; (9 << 20) + 3];
        assert!(zeros.iter().all(|z| *z == 0));
        let mut grown: Vec<u32> = vec![];
        for i in 0..6_000_000u32 {
            grown.push(i);
        }
        assert!(grown.iter().enumerate().all(|(i, v)| i as u32 == *v));
        grown.truncate(3);
        grown.shrink_to_fit();
        assert_eq!(grown, [0, 1, 2]);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn large_arrays_lie_on_large_pages_where_the_system_allows_it() {
        let allowed = std::fs::read_to_string("/sys/kernel/mm/transparent_hugepage/enabled").unwrap_or_default();
        let array = vec![1u8; 64 << 20];
        let at = array.as_ptr().addr() + array.len() / 2;
        let maps = std::fs::read_to_string("/proc/self/smaps").unwrap_or_default();
        let range = |line: &str| {
            let (from, to) = line.split(' ').next()?.split_once('-')?;
            Some((usize::from_str_radix(from, 16).ok()?, usize::from_str_radix(to, 16).ok()?))
        };
        let mut lines = maps.lines().skip_while(|line| range(line).is_none_or(|(from, to)| !(from..to).contains(&at)));
        let flags = lines.find(|line| line.starts_with("VmFlags:"));
        // "hg": the program asked for large pages.
        let asked = flags.is_some_and(|flags| flags.split_whitespace().any(|flag| flag == "hg"));
        assert!(asked || flags.is_none() || !allowed.contains("[madvise]"), "{flags:?}");
    }
}
