//! The system's allocator, with large pages for large arrays.
//!
//! Linux hands out memory in pages of 4 KB, and clears and maps each on the first access: 260,000 times for a gigabyte. This
//! took a quarter of the time of reading a sparse matrix. A program may request pages of 2 MB instead, if the system leaves
//! the choice to programs (`/sys/kernel/mm/transparent_hugepage/enabled` says `madvise`). NumPy requests them for its arrays,
//! and this allocator does the same for ours. It also aligns the start of arrays to such pages. The last part of an array, less
//! than a large page, lies on small ones, so that an array takes no more memory than it needs. If the system says `never`, only
//! the alignment changes. On other systems nothing changes.
//!
//! Programs choose an allocator, libraries do not: the command line and the Python module set it, the library never does.
//!
//! ```
//! #[global_allocator]
//! static MEMORY: landbridge_alloc::LargePages = landbridge_alloc::LargePages;
//! let zeros = vec![0.0f64; 1 << 20];
//! assert!(zeros.iter().all(|z| *z == 0.0));
//! ```
//!
//! `unsafe` here: an allocator is unsafe to implement. Small requests go to [`System`] unchanged. Size and alignment alone,
//! which the owner passes back on release, tell how memory was allocated.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

/// [`System`], with arrays of at least 4 MB on large pages of their own.
#[derive(Clone, Copy, Debug, Default)]
pub struct LargePages;

/// The system allocates arrays below this many bytes: two large pages.
#[cfg(target_os = "linux")]
const LARGE: usize = 4 << 20;

#[cfg(not(target_os = "linux"))]
const LARGE: usize = usize::MAX;

/// Whether memory of this size and alignment is mapped by ourselves. Mapped memory begins at a page, the smallest of which has
/// 4 KB.
#[inline]
fn is_large(size: usize, align: usize) -> bool {
    size >= LARGE && align <= 4096
}

// SAFETY: large arrays are mapped and unmapped by size, everything else is passed to `System` unchanged.
unsafe impl GlobalAlloc for LargePages {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if is_large(layout.size(), layout.align()) {
            return noted(pages::map(layout.size()), layout.size());
        }
        // SAFETY: the caller's promise is the one that `System` asks for.
        noted(unsafe { System.alloc(layout) }, layout.size())
    }
    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if is_large(layout.size(), layout.align()) {
            return noted(pages::map(layout.size()), layout.size()); // fresh pages are zero
        }
        // SAFETY: as above.
        noted(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }
    #[inline]
    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        match (is_large(layout.size(), layout.align()), is_large(size, layout.align())) {
            // SAFETY: as above.
            (false, false) => noted(unsafe { System.realloc(memory, layout, size) }, size),
            // SAFETY: `memory` was mapped with that size.
            (true, true) => noted(unsafe { pages::remap(memory, layout.size(), size) }, size),
            _ => {
                // SAFETY: the caller promises that the new size fits its alignment, and that `memory` holds the old one.
                unsafe {
                    let moved = self.alloc(Layout::from_size_align_unchecked(size, layout.align()));
                    if !moved.is_null() {
                        std::ptr::copy_nonoverlapping(memory, moved, size.min(layout.size()));
                        self.dealloc(memory, layout);
                    }
                    moved
                }
            }
        }
    }
    #[inline]
    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        if is_large(layout.size(), layout.align()) {
            // SAFETY: `memory` was mapped with that size.
            return unsafe { pages::unmap(memory, layout.size()) };
        }
        // SAFETY: as above.
        unsafe { System.dealloc(memory, layout) }
    }
}

/// Bytes of the last request that the system refused; 0 if it refused none.
static REFUSED: AtomicUsize = AtomicUsize::new(0);

/// Notes a request that the system refused.
#[inline]
fn noted(memory: *mut u8, size: usize) -> *mut u8 {
    if memory.is_null() {
        REFUSED.store(size, Ordering::Relaxed);
    }
    memory
}

/// Makes a program that runs out of memory end with exit code 1 and a message, instead of a signal and perhaps a core file. A
/// program calls it once, at its start. Requests that may fail (`try_reserve`) are not affected.
///
/// The standard library aborts the process when memory is refused. An abort is a signal, and its handler ends the process.
pub fn end_with_a_message() {
    #[cfg(unix)]
    // SAFETY: the handler only calls functions that a signal handler may call.
    unsafe {
        let handler: extern "C" fn(libc::c_int) = aborted;
        libc::signal(libc::SIGABRT, handler as libc::sighandler_t);
    }
}

/// Writes a message and ends the process.
#[cfg(unix)]
extern "C" fn aborted(_: libc::c_int) {
    let refused = REFUSED.load(Ordering::Relaxed);
    let message: &[u8] = match refused {
        // The standard library starts threads with memory of its own, whose refusal is not noted here.
        0 => b"error: the program had to stop: the system refused memory, or landbridge has a bug\n",
        _ => {
            b"error: out of memory: the system refused a request\n  hint: allow more memory, or ask for less; \
              `landbridge fit --plan` tells how much a fit takes\n"
        }
    };
    // SAFETY: `write` and `_exit` may be called in a signal handler; the bytes are static.
    unsafe {
        libc::write(2, message.as_ptr().cast(), message.len());
        libc::_exit(1);
    }
}

/// Memory straight from Linux.
#[cfg(target_os = "linux")]
mod pages {
    /// A large page of nearly all systems; with others the ends of arrays lie on small ones.
    const PAGE: usize = 2 << 20;

    /// A whole number of small pages on all systems: the largest small page that Linux knows.
    const SMALL: usize = 64 << 10;

    /// The size of all pages of an array; the same for the same array, always. Sizes that would not fit an address are refused
    /// by Linux. A large page that would reach beyond it is not used.
    fn whole(size: usize) -> usize {
        size.checked_next_multiple_of(SMALL).unwrap_or(size)
    }

    /// Zeros that begin at a large page; null when there is no room.
    #[cold]
    pub(super) fn map(size: usize) -> *mut u8 {
        let size = whole(size);
        // One extra page, so that an aligned start exists.
        let Some(room) = size.checked_add(PAGE) else { return std::ptr::null_mut() };
        // SAFETY: new memory at an address that Linux chooses.
        let memory = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                room,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
                -1,
                0,
            )
        };
        if memory == libc::MAP_FAILED {
            return std::ptr::null_mut();
        }
        let memory = memory.cast::<u8>();
        let before = memory.addr().next_multiple_of(PAGE) - memory.addr();
        // SAFETY: both ends lie within the mapping above, which has no other user yet; so does the rest, and
        // the advice is about how pages are mapped, not about what they hold. A system that refuses it leaves everything as it was.
        unsafe {
            let start = memory.add(before);
            if before > 0 {
                libc::munmap(memory.cast(), before);
            }
            if before < PAGE {
                libc::munmap(start.add(size).cast(), PAGE - before);
            }
            libc::madvise(start.cast(), size, libc::MADV_HUGEPAGE);
            start
        }
    }

    /// The same array with another size, perhaps elsewhere; null, and nothing changed, when there is no room.
    ///
    /// # Safety
    /// `memory` was mapped here with the size `old`.
    #[cold]
    pub(super) unsafe fn remap(memory: *mut u8, old: usize, new: usize) -> *mut u8 {
        // SAFETY: the caller's promise; moved pages keep what they hold and the advice.
        let moved = unsafe { libc::mremap(memory.cast(), whole(old), whole(new), libc::MREMAP_MAYMOVE) };
        if moved == libc::MAP_FAILED { std::ptr::null_mut() } else { moved.cast() }
    }

    /// # Safety
    /// `memory` was mapped here with that size, and is not used any more.
    #[cold]
    pub(super) unsafe fn unmap(memory: *mut u8, size: usize) {
        // SAFETY: the caller's promise.
        unsafe { libc::munmap(memory.cast(), whole(size)) };
    }
}

/// Nothing is large.
#[cfg(not(target_os = "linux"))]
mod pages {
    pub(super) fn map(_: usize) -> *mut u8 {
        std::ptr::null_mut()
    }
    pub(super) unsafe fn remap(_: *mut u8, _: usize, _: usize) -> *mut u8 {
        std::ptr::null_mut()
    }
    pub(super) unsafe fn unmap(_: *mut u8, _: usize) {}
}

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
        grown.truncate(2_000_000);
        grown.shrink_to_fit(); // still large
        assert!(grown.iter().enumerate().all(|(i, v)| i as u32 == *v));
        grown.truncate(3);
        grown.shrink_to_fit();
        assert_eq!(grown, [0, 1, 2]);
    }

    #[test]
    fn what_does_not_fit_is_refused_and_loses_nothing() {
        let mut array = vec![7u8; 5 << 20];
        assert!(array.try_reserve_exact(1 << 60).is_err());
        assert!(Vec::<u8>::new().try_reserve_exact(isize::MAX as usize).is_err());
        assert!(array.iter().all(|v| *v == 7));
    }

    #[test]
    fn any_alignment_comes_back_as_it_was_asked_for() {
        use std::alloc::{Layout, alloc_zeroed, dealloc};
        for align in [1, 64, 4096, 1 << 16, 1 << 22] {
            let layout = Layout::from_size_align(6 << 20, align).unwrap();
            // SAFETY: the size is not zero; the memory is written within it and given back with the layout it came with.
            unsafe {
                let memory = alloc_zeroed(layout);
                assert!(!memory.is_null() && memory.addr().is_multiple_of(align));
                assert_eq!(*memory.add((6 << 20) - 1), 0);
                *memory.add((6 << 20) - 1) = 1;
                dealloc(memory, layout);
            }
        }
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
