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
//!   is the contract of [`MachineCode::new`]. Debug builds and `Module::checked` check it at run time;
//! * children are written only where `next` differs from `end`, which [`grow`] keeps a multiple of the stride
//!   apart;
//! * calls between functions fit (checked), and calls of functions that come back to themselves are counted,
//!   so that the stack is deep enough;
//! * the code and the tables live as long as [`MachineCode`] does, and nothing writes to them.

use std::ops::ControlFlow;
use std::sync::Mutex;

use cranelift_jit::JITModule;
use cranelift_module::FuncId;
use multigame_compiled::{Failed, Kept, Position, Positions};
use multigame_ir::Program;
use multigame_mir::{DEEPEST_CALLS, FunctionId, Kind, MAX_RESULTS, MOST_CALLS, Module, Options};

use crate::JitError;
use crate::check::check;
use crate::compile::compile;
use crate::flexible::Flexible;
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

/// Positions one after the other in one piece of memory, which is kept for the next time.
#[derive(Debug, Default)]
pub struct Children {
    /// Words for a whole number of positions, more than are used; all are initialised.
    buffer: Vec<u64>,
    used: usize,
    stride: usize,
}

impl Positions for Children {
    type Kept = Flexible;

    #[inline]
    fn clear(&mut self, words: usize) {
        if self.stride != words {
            self.buffer.clear();
            self.stride = words;
        }
        self.used = 0;
    }

    #[inline]
    fn len(&self) -> usize {
        if self.used == 0 { 0 } else { self.used / self.stride }
    }

    #[inline]
    fn is_empty(&self) -> bool {
        self.used == 0
    }

    #[inline]
    fn get(&self, number: usize) -> &[u64] {
        &self.buffer[..self.used][number * self.stride..][..self.stride]
    }

    #[inline]
    fn get_mut(&mut self, number: usize) -> &mut [u64] {
        &mut self.buffer[..self.used][number * self.stride..][..self.stride]
    }

    /// PERF: a slice's own chunks divide to know their number, which takes as long as small positions to
    /// expand.
    #[inline]
    fn iter(&self) -> impl Iterator<Item = &[u64]> {
        let (mut rest, stride) = (&self.buffer[..self.used], self.stride);
        std::iter::from_fn(move || {
            let (first, others) = rest.split_at_checked(stride).filter(|(first, _)| !first.is_empty())?;
            rest = others;
            Some(first)
        })
    }

    #[inline]
    fn show(
        &self,
        room: &mut Option<Position<Flexible>>,
        visitor: &mut dyn FnMut(&Position<Flexible>) -> ControlFlow<()>,
    ) {
        let mut words = self.iter();
        let Some(first) = words.next() else { return };
        let room = room.get_or_insert_with(|| Position::new(Flexible::of(first)));
        let _ = std::iter::once(first).chain(words).try_for_each(|words| {
            room.assign(words);
            visitor(room)
        });
    }

    fn add(&mut self, position: &[u64]) -> &mut [u64] {
        assert_eq!(position.len(), self.stride, "`clear` says how many words a position has");
        let begin = self.used;
        self.used += self.stride;
        if self.buffer.len() < self.used {
            self.buffer.resize(self.used, 0);
        }
        let added = &mut self.buffer[begin..self.used];
        added.copy_from_slice(position);
        added
    }

    #[inline]
    fn copy(&mut self, from: usize, to: usize) {
        self.buffer.copy_within(from * self.stride..(from + 1) * self.stride, to * self.stride);
    }

    #[inline]
    fn truncate(&mut self, count: usize) {
        self.used = self.used.min(count * self.stride);
    }
}

/// The code of a module.
pub(crate) struct MachineCode {
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
    /// Lowers and compiles a program.
    pub fn of_program(program: &Program, options: &Options) -> Result<(Module, MachineCode), JitError> {
        let module = multigame_mir::lower_moves(program, options)
            .map_err(|refusal| JitError::Refused(refusal.to_string()))?;
        let moves = module.generate.into_iter().chain(module.goal).chain(module.last.into_iter().flatten());
        let native = MachineCode::of_lowered(&module, moves)?;
        Ok((module, native))
    }

    /// Compiles functions of a program that was lowered.
    pub fn of_lowered(
        module: &Module,
        functions: impl IntoIterator<Item = FunctionId>,
    ) -> Result<MachineCode, JitError> {
        // SAFETY: lowering derives indices from fields, pieces and values, which are within the ranges its
        // tables are made for, and looks at divisors before it divides.
        unsafe { MachineCode::new(module, functions) }
    }

    /// Compiles functions of a module and what they call.
    ///
    /// # Safety
    ///
    /// Whenever one of the functions runs on a position, the indices of `Table` it computes must be inside of
    /// the table and of the position, divisors must be neither 0 nor -1, and calls must not nest without end.
    pub unsafe fn new(
        module: &Module,
        functions: impl IntoIterator<Item = FunctionId>,
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

    /// Runs a generator that is given a number and emits at most one position: whether it did.
    #[inline]
    pub fn generate_one(
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

    /// Runs a generator; `children` then holds what it emitted.
    #[inline]
    pub fn generate(
        &self,
        function: FunctionId,
        position: &[u64],
        children: &mut Children,
    ) -> Result<(), Failed> {
        let function = &self.functions[function.0 as usize];
        assert!(function.kind == Kind::Generate && position.len() == self.words);
        children.clear(self.words);
        let room = children.buffer.len();
        let base = children.buffer.as_mut_ptr();
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
            buffer: &mut children.buffer,
            stride: self.words,
        };
        // SAFETY: see the module: position and context are valid, and `next..end` is the buffer, which is a
        // multiple of the stride long: `clear`, `push` and `grow` see to that.
        let answer = unsafe { function.enter(position, 0, &mut context) };
        // Addresses instead of `offset_from`: `grow` may have moved the buffer.
        let used = (context.next as usize - children.buffer.as_ptr() as usize) / 8;
        function.answer(answer)?;
        children.used = used;
        Ok(())
    }

    /// Runs a count or a test: its variables 0 and 1.
    #[inline]
    pub fn evaluate(
        &self,
        scratch: &mut Scratch,
        function: FunctionId,
        position: &[u64],
    ) -> Result<[u64; 2], Failed> {
        let context = self.prepare(scratch);
        self.run_silently(function, position, context)?;
        Ok([context.variables[0], context.variables[1]])
    }

    /// Runs a function that emits nothing: its results.
    pub fn report<'c>(
        &self,
        scratch: &'c mut Scratch,
        function: FunctionId,
        position: &[u64],
    ) -> Result<&'c [u64], Failed> {
        let context = self.prepare(scratch);
        self.run_silently(function, position, context)?;
        Ok(&context.variables[..self.functions[function.0 as usize].results])
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

/// Which functions are called by some, themselves included.
fn called(module: &Module, functions: impl IntoIterator<Item = FunctionId>) -> Vec<bool> {
    let calls = module.calls();
    let mut called = vec![false; module.functions.len()];
    let mut open: Vec<FunctionId> = functions.into_iter().collect();
    while let Some(function) = open.pop() {
        let number = function.0 as usize;
        if !std::mem::replace(&mut called[number], true) {
            open.extend(&calls[number]);
        }
    }
    called
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
    // borrowed by `MachineCode::generate` for the time of the call; `next` points into the buffer or to its end.
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
