//! What generated code works on besides the position.

use multigame_mir::{MAX_RESULTS, MOST_CALLS};

/// The function ran to its end.
pub const DONE: u32 = 0;

/// The rules made an error.
pub const FAILED: u32 = 1;

/// The lowering broke its promise about an index, a divisor or a shift; only checked code finds out.
pub(crate) const BROKEN: u32 = 2;

/// Lies in the memory of the engine. Addresses are those of WebAssembly, so the layout is the same whatever
/// machine the code is made on.
#[derive(Clone, Debug)]
#[repr(C)]
pub struct Context {
    /// The first variables of a function when it returns.
    pub variables: [u64; MAX_RESULTS],
    /// How many more calls generated code may make.
    pub calls: u64,
    /// How many more calls of functions that come back to themselves may be nested in each other.
    pub depth: u64,
    /// Where the next child is written.
    pub next: u32,
    /// The end of the room.
    pub end: u32,
    /// The place, in the table of functions, of what makes room for at least one more child; it is given the
    /// context and may move the children.
    pub grow: u32,
    /// The memory of the children, for `grow`.
    pub buffer: u32,
    /// Words of a child.
    pub stride: u32,
}

impl Context {
    /// One that has no room for children, for code of which calls may be nested this deeply.
    #[inline]
    pub fn new(grow: u32, depth: u64) -> Context {
        Context {
            variables: [0; MAX_RESULTS],
            calls: MOST_CALLS,
            depth,
            next: 0,
            end: 0,
            grow,
            buffer: 0,
            stride: 0,
        }
    }

    /// For another run, of code of which calls may be nested this deeply.
    #[inline]
    pub fn refresh(&mut self, depth: u64) {
        (self.calls, self.depth) = (MOST_CALLS, depth);
    }
}

/// Ends the program: a function gave an answer that says so.
#[cold]
pub fn broken(name: &str) -> ! {
    panic!("`{name}` computed an index, a divisor or a shift that cannot be")
}
