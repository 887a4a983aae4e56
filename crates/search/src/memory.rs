//! Hints to the machine for large tables: pages large enough that every access does not miss the translation
//! of addresses, and lines fetched before they are needed. Both are hints; nothing depends on them.
//!
//! # Safety
//! The only unsafe code of this crate but for a call in `layer.rs`. [`prefetch`] gives the processor the
//! address of something borrowed and reads nothing. [`prefer_huge_pages`] gives the system a part of memory
//! that belongs to the caller, and the advice changes how it is mapped, never what it holds.

#![allow(unsafe_code)]

use std::mem::MaybeUninit;

/// Brings a line of memory into the processor's caches, if it is told in time.
#[inline]
pub(crate) fn prefetch<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch has no effect on the program, whatever the address; SSE is part of x86-64.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}

/// Asks for large pages for memory that has not been used yet.
pub(crate) fn prefer_huge_pages<T>(memory: &mut [MaybeUninit<T>]) {
    #[cfg(target_os = "linux")]
    {
        const PAGE: usize = 4096;
        const HUGE_PAGES: std::ffi::c_int = 14;
        #[cfg(not(miri))]
        unsafe extern "C" {
            fn madvise(address: *mut u8, length: usize, advice: std::ffi::c_int) -> std::ffi::c_int;
        }
        // Miri has no such system call; it looks whether the pages belong to the memory.
        #[cfg(miri)]
        unsafe fn madvise(address: *mut u8, length: usize, _: std::ffi::c_int) -> std::ffi::c_int {
            // SAFETY: these are bytes of the caller's memory, which nobody else uses meanwhile.
            unsafe { std::slice::from_raw_parts_mut(address.cast::<MaybeUninit<u8>>(), length) }.len() as _
        }
        let start = memory.as_mut_ptr().cast::<u8>();
        let skipped = start.align_offset(PAGE);
        let length = size_of_val(memory).saturating_sub(skipped) / PAGE * PAGE;
        if length > 0 {
            // SAFETY: the pages lie inside of `memory`, and this advice does not change what they hold.
            // Systems that do not know it say so, and nothing is lost.
            let _ = unsafe { madvise(start.add(skipped), length, HUGE_PAGES) };
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = memory;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints_change_nothing() {
        for entries in [0, 1, 511, 512, 5_000] {
            let mut memory: Vec<u64> = Vec::with_capacity(entries);
            prefer_huge_pages(memory.spare_capacity_mut());
            memory.extend(0..entries as u64);
            prefer_huge_pages(memory.spare_capacity_mut());
            memory.iter().for_each(prefetch);
            assert!(memory.iter().copied().eq(0..entries as u64));
        }
    }
}
