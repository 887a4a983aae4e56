//! MachineCode code and how to call it: the only module with `unsafe`.
//!
//! # Safety
//!
//! Generated code reads one position and the tables and writes children and the [`Context`]. It stays inside
//! them:
//!
//! * numbers of words, properties, tables, values and variables were checked (see `check`), and a position of
//!   the right length is asserted by every call;
//! * indices that are computed while the code runs are within their tables because lowering promises so: that
//!   is the contract of [`MachineCode::compiled`]. Debug builds and `Module::checked` check it at run time;
//! * children are written only where `next` differs from `end`, which [`grow`] keeps a multiple of the stride
//!   apart;
//! * calls between functions fit (checked), and calls of functions that come back to themselves are counted,
//!   so that the stack is deep enough;
//! * the code and the tables live as long as [`MachineCode`] does, and nothing writes to them.

use std::sync::Mutex;
use std::thread::LocalKey;

use cranelift_jit::JITModule;
use cranelift_module::FuncId;
use multigame_compiled::{Failed, Frames, Lowered, Machine, Translated, WordList, called, check};
use multigame_mir::{DEEPEST_CALLS, FunctionId, Kind, MAX_RESULTS, MOST_CALLS, Module};

use crate::JitError;
use crate::compile::compile;
use crate::translate::{BROKEN, DONE, FAILED, PADDING};

/// What generated code works on besides the position. Its layout is part of the generated code.
#[repr(C)]
pub(crate) struct Context {
    /// The first variables of a function when it returns.
    pub variables: [u64; MAX_RESULTS],
    /// Where the next child is written.
    pub next: *mut u64,
    /// The end of the room.
    pub end: *mut u64,
    /// Makes room for at least one more child; may move the children.
    pub grow: extern "C" fn(*mut Context),
    /// How many more calls generated code may make.
    pub calls: u64,
    /// How many more calls of functions that come back to themselves may be nested in each other.
    pub depth: u64,
    /// The tables.
    pub tables: *const u64,
    /// The address of each function.
    pub functions: *const usize,
    /// The memory of the children.
    buffer: *mut Vec<u64>,
    /// Words of a child.
    stride: usize,
}

type Plain = unsafe extern "C" fn(*const u64, *mut Context) -> u64;
type Numbered = unsafe extern "C" fn(*const u64, *mut Context, u64) -> u64;

/// How a function is entered.
#[derive(Clone, Copy)]
enum Entry {
    /// It has no parameters.
    Plain(Plain),
    /// It has one.
    Numbered(Numbered),
    /// Only other functions call it, or it was not asked for.
    Closed,
}

/// A context for functions of any code, which may have been used before.
///
/// PERF: it is large, so counting makes one for many positions.
pub struct Scratch(Context);

impl Scratch {
    /// Memory that was not used before.
    #[inline]
    pub fn new() -> Scratch {
        Scratch(Context {
            variables: [0; MAX_RESULTS],
            next: std::ptr::null_mut(),
            end: std::ptr::null_mut(),
            grow,
            calls: MOST_CALLS,
            depth: DEEPEST_CALLS,
            tables: std::ptr::null(),
            functions: std::ptr::null(),
            buffer: std::ptr::null_mut(),
            stride: 0,
        })
    }
}

impl std::fmt::Debug for Scratch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Scratch").finish_non_exhaustive()
    }
}

/// The code of a module.
pub struct MachineCode {
    functions: Vec<Compiled>,
    /// Words of a position.
    words: usize,
    /// All tables one after the other, and padding.
    tables: Box<[u64]>,
    /// The address of each function, for calls between them.
    addresses: Vec<usize>,
    /// Taken only to be freed.
    code: Mutex<Option<JITModule>>,
}

struct Compiled {
    name: String,
    kind: Kind,
    /// How many variables have a meaning when it returns.
    results: usize,
    entry: Entry,
}

impl MachineCode {
    /// Compiles functions of a module and what they call.
    ///
    /// # Safety
    ///
    /// Whenever one of the functions runs on a position, the indices of `Table` it computes must be inside of
    /// the table and of the position, divisors must be neither 0 nor -1, and calls must not nest without end.
    pub(crate) unsafe fn compiled(
        module: &Module,
        functions: &[FunctionId],
    ) -> Result<MachineCode, JitError> {
        check(module)
            .map_err(|message| JitError::Unsupported(format!("mistake of the compiler: {message}")))?;
        let padding = [0; PADDING];
        let tables: Box<[u64]> = module.tables.iter().flatten().chain(&padding).copied().collect();
        let (code, ids) = compile(module, &called(module, functions))?;
        let address = |id: &Option<FuncId>| id.map_or(0, |id| code.get_finalized_function(id) as usize);
        let addresses = ids.iter().map(address).collect();
        let functions = module.functions.iter().zip(ids).map(|(function, id)| Compiled {
            name: function.name.clone(),
            kind: function.kind,
            results: function.results as usize,
            // SAFETY: these are addresses of functions that were defined with as many parameters and the
            // host's calling convention for `extern "C"`.
            entry: match (id.map(|id| code.get_finalized_function(id)), function.parameters.len()) {
                (Some(address), 0) => {
                    Entry::Plain(unsafe { std::mem::transmute::<*const u8, Plain>(address) })
                }
                (Some(address), 1) => {
                    Entry::Numbered(unsafe { std::mem::transmute::<*const u8, Numbered>(address) })
                }
                _ => Entry::Closed,
            },
        });
        Ok(MachineCode {
            functions: functions.collect(),
            words: module.layout.words(),
            tables,
            addresses,
            code: Mutex::new(Some(code)),
        })
    }

    /// The context of a scratch, for this code.
    #[inline]
    fn prepare<'c>(&self, scratch: &'c mut Scratch) -> &'c mut Context {
        let context = &mut scratch.0;
        (context.calls, context.depth) = (MOST_CALLS, DEEPEST_CALLS);
        (context.tables, context.functions) = (self.tables.as_ptr(), self.addresses.as_ptr());
        context
    }

    #[inline]
    fn run_silently(
        &self,
        function: FunctionId,
        position: &[u64],
        context: &mut Context,
    ) -> Result<(), Failed> {
        let function = &self.functions[function.0 as usize];
        assert!(function.kind != Kind::Generate && position.len() == self.words);
        // SAFETY: see the module: position and context are valid, and only generators emit.
        let answer = unsafe { function.enter(position, 0, context) };
        function.answer(answer)
    }
}

thread_local! {
    static FRAMES: Frames<Translated<MachineCode>> = const { Frames::new() };
}

impl Machine for MachineCode {
    type Scratch = Scratch;
    type Error = JitError;

    fn new(module: Lowered<'_>, functions: &[FunctionId]) -> Result<MachineCode, JitError> {
        // SAFETY: lowering promises what is asked for.
        unsafe { MachineCode::compiled(module.module(), functions) }
    }

    #[inline]
    fn frames() -> &'static LocalKey<Frames<Translated<MachineCode>>> {
        &FRAMES
    }

    #[inline]
    fn scratch() -> Scratch {
        Scratch::new()
    }

    #[inline]
    fn generate_one(
        &self,
        scratch: &mut Scratch,
        function: FunctionId,
        number: u64,
        position: &[u64],
        child: &mut [u64],
    ) -> Result<bool, Failed> {
        let function = &self.functions[function.0 as usize];
        assert!(matches!(function.entry, Entry::Numbered(_)) && function.kind == Kind::Generate);
        assert!(position.len() == self.words && child.len() == self.words);
        let context = self.prepare(scratch);
        (context.next, context.end) = (child.as_mut_ptr(), child.as_mut_ptr_range().end);
        // SAFETY: see the module: position and context are valid, and `next..end` is the child. For a second
        // one there is no room, and `grow` ends the program.
        let answer = unsafe { function.enter(position, number, context) };
        let made = context.next == context.end;
        // The child is borrowed for the time of the call only.
        (context.next, context.end) = (std::ptr::null_mut(), std::ptr::null_mut());
        function.answer(answer)?;
        Ok(made)
    }

    #[inline]
    fn generate(
        &self,
        function: FunctionId,
        position: &[u64],
        children: &mut WordList,
    ) -> Result<(), Failed> {
        let function = &self.functions[function.0 as usize];
        assert!(function.kind == Kind::Generate && position.len() == self.words);
        let buffer = children.room(self.words);
        let (base, room) = (buffer.as_mut_ptr(), buffer.len());
        let mut context = Context {
            variables: [0; MAX_RESULTS],
            next: base,
            // SAFETY: `room` is the length of the buffer.
            end: unsafe { base.add(room) },
            grow,
            calls: MOST_CALLS,
            depth: DEEPEST_CALLS,
            tables: self.tables.as_ptr(),
            functions: self.addresses.as_ptr(),
            buffer,
            stride: self.words,
        };
        // SAFETY: see the module: position and context are valid, and `next..end` is the buffer, which is a
        // multiple of the stride long: `WordList` and `grow` see to that.
        let answer = unsafe { function.enter(position, 0, &mut context) };
        // Addresses instead of `offset_from`: `grow` may have moved the buffer.
        let used = (context.next as usize - buffer.as_ptr() as usize) / 8;
        function.answer(answer)?;
        children.fill(used);
        Ok(())
    }

    #[inline]
    fn evaluate(
        &self,
        scratch: &mut Scratch,
        function: FunctionId,
        position: &[u64],
    ) -> Result<[u64; 2], Failed> {
        let context = self.prepare(scratch);
        self.run_silently(function, position, context)?;
        Ok([context.variables[0], context.variables[1]])
    }

    fn report<'c>(
        &self,
        scratch: &'c mut Scratch,
        function: FunctionId,
        position: &[u64],
    ) -> Result<&'c [u64], Failed> {
        let context = self.prepare(scratch);
        self.run_silently(function, position, context)?;
        Ok(&context.variables[..self.functions[function.0 as usize].results])
    }
}

impl Compiled {
    /// # Safety
    ///
    /// The position must have as many words as the code expects, and the context must be valid for it.
    #[inline]
    unsafe fn enter(&self, position: &[u64], number: u64, context: &mut Context) -> u64 {
        // SAFETY: promised by the caller.
        unsafe {
            match self.entry {
                Entry::Plain(entry) => entry(position.as_ptr(), context),
                Entry::Numbered(entry) => entry(position.as_ptr(), context, number),
                Entry::Closed => panic!("`{}` is called by other functions alone", self.name),
            }
        }
    }

    fn answer(&self, answer: u64) -> Result<(), Failed> {
        match answer {
            DONE => Ok(()),
            FAILED => Err(Failed),
            BROKEN => panic!("`{}` computed an index, a divisor or a shift that cannot be", self.name),
            _ => unreachable!("functions give no other answers"),
        }
    }
}

impl std::fmt::Debug for MachineCode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MachineCode").field("functions", &self.functions.len()).finish_non_exhaustive()
    }
}

impl Drop for MachineCode {
    fn drop(&mut self) {
        let code = self.code.get_mut().unwrap_or_else(|poisoned| poisoned.into_inner()).take();
        if let Some(code) = code {
            // SAFETY: calls borrow `self`, so no function is running, and `functions` goes with it.
            unsafe { code.free_memory() }
        }
    }
}

/// Called by generated code when there is no room for another child.
extern "C" fn grow(context: *mut Context) {
    const LEAST: usize = 64;
    // SAFETY: generated code passes the context it was called with, whose buffer, if there is one, is
    // borrowed by `generate` for the time of the call; `next` points into the buffer or to its end.
    unsafe {
        let context = &mut *context;
        assert!(!context.buffer.is_null(), "there is room for one position alone");
        let buffer = &mut *context.buffer;
        let used = (context.next as usize - buffer.as_ptr() as usize) / 8;
        let room = (used * 2).max(LEAST * context.stride);
        buffer.resize(room, 0);
        let base = buffer.as_mut_ptr();
        context.next = base.add(used);
        context.end = base.add(room);
    }
}
