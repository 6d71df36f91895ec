//! What a page can call: memory goes in and out, and nothing else happens here.
//!
//! This is the only module with `unsafe`. It cannot be without: the names of the exports must not be changed by the
//! compiler, which could clash with other names (there are no others in this module of WebAssembly), and what a page
//! passes are addresses, which only the page knows to be right. If they are not, it can harm the memory of this module
//! and nothing else: that is what WebAssembly is for.

#![allow(unsafe_code)]

use std::ptr::slice_from_raw_parts_mut;

/// Room for a request of so many bytes.
#[unsafe(no_mangle)]
pub extern "C" fn laban_alloc(length: usize) -> *mut u8 {
    given(vec![0; length])
}

/// Takes back room that was given out, all of it.
///
/// # Safety
///
/// The pointer must come from [`laban_alloc`] with the same length, or from [`laban_call`] with the length of the
/// answer plus 4, and must not have been taken back before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn laban_free(pointer: *mut u8, length: usize) {
    // SAFETY: it came from `given`, says the caller, with this length.
    drop(unsafe { Box::from_raw(slice_from_raw_parts_mut(pointer, length)) });
}

/// Answers a request: gives 4 bytes with the length of the answer, the lowest first, and then the answer.
///
/// # Safety
///
/// The pointer and the length must be those of a request in the memory of this module.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn laban_call(pointer: *const u8, length: usize) -> *mut u8 {
    // SAFETY: there are so many bytes, says the caller, and nobody changes them: there is one thread.
    let request = unsafe { std::slice::from_raw_parts(pointer, length) };
    let answer = match std::str::from_utf8(request) {
        Ok(request) => crate::answer(request),
        Err(_) => crate::refused("the request is not UTF-8"),
    };
    let mut bytes = Vec::with_capacity(answer.len() + 4);
    bytes.extend((answer.len() as u32).to_le_bytes());
    bytes.extend(answer.as_bytes());
    given(bytes)
}

/// Bytes that belong to the page from now on.
fn given(bytes: Vec<u8>) -> *mut u8 {
    Box::into_raw(bytes.into_boxed_slice()).cast()
}
