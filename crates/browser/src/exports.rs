//! What a page calls, and what it is called by: texts in the module's memory.
//!
//! A page asks for room for a wish, writes it there and asks. The engine is used by one web worker, so one at
//! a time.

use std::cell::RefCell;

use multigame_session::Event;

use crate::Engine;

#[link(wasm_import_module = "page")]
unsafe extern "C" {
    /// Hears the answer; `ok` is 0 if it is a failure.
    fn answered(ok: u32, start: *const u8, length: usize);
    /// Hears an event.
    fn happened(name: *const u8, name_length: usize, start: *const u8, length: usize);
}

thread_local! {
    static ENGINE: RefCell<Engine> = RefCell::default();
    static WISH: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Room for a wish of that many bytes.
// SAFETY: no other function has this name.
#[unsafe(no_mangle)]
pub extern "C" fn room(length: usize) -> *mut u8 {
    WISH.with_borrow_mut(|wish| {
        wish.clear();
        wish.resize(length, 0);
        wish.as_mut_ptr()
    })
}

/// Does what stands in the room.
// SAFETY: no other function has this name.
#[unsafe(no_mangle)]
pub extern "C" fn wish() {
    let wish = WISH.take();
    let text = String::from_utf8_lossy(&wish);
    let reply = ENGINE.with_borrow_mut(|engine| engine.wish(&text, Box::new(tell)));
    let (ok, body) = match reply {
        Ok(body) => (1, body),
        Err(failure) => (0, failure.body()),
    };
    // SAFETY: the page reads the text before it returns.
    unsafe { answered(ok, body.as_ptr(), body.len()) }
}

fn tell(event: Event) {
    let Event { name, data } = event;
    // SAFETY: the page reads both texts before it returns.
    unsafe { happened(name.as_ptr(), name.len(), data.as_ptr(), data.len()) }
}
