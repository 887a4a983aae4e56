//! Generated code in the memory of the engine that made it: the only module with `unsafe`.
//!
//! Whoever instantiated the engine gives it the function `engine.load`, which instantiates a module with the
//! memory and the table of functions of the engine, appends what the module exports to the table, in order,
//! and answers the place of the first of these functions; 0 if it could not.
//!
//! # Safety
//!
//! Generated code reads one position and the tables and writes children and the [`Context`]. It stays inside
//! them:
//!
//! * numbers of words, properties, tables, values and variables were checked, and a position of the right
//!   length is asserted by every call;
//! * indices that are computed while the code runs are within their tables because lowering promises so, and
//!   only what was lowered comes here ([`Lowered`]);
//! * children are written only where `next` differs from `end`, which [`grow`] keeps a multiple of the stride
//!   apart;
//! * functions are called with the types they were emitted with; WebAssembly itself checks that;
//! * the tables live as long as the [`Engine`], and nothing writes to them. The code is never freed.

use std::thread::LocalKey;

use multigame_compiled::{CompiledGame, Failed, Frames, Lowered, Machine, Translated, WordList};
use multigame_mir::{FunctionId, Kind};

use crate::{Context, DONE, FAILED, WasmError, broken, emit, tables};

#[link(wasm_import_module = "engine")]
unsafe extern "C" {
    /// Loads a module: the place of its first function in the table, or 0.
    fn load(code: *const u8, length: usize) -> usize;
}

type Plain = unsafe extern "C" fn(*const u64, *mut Context) -> u32;
type Numbered = unsafe extern "C" fn(*const u64, *mut Context, u64) -> u32;

/// A game given by rules and played by WebAssembly.
pub type WasmGame = CompiledGame<Translated<Engine>>;

/// Functions in the memory and the table of this engine.
#[derive(Debug)]
pub struct Engine {
    functions: Vec<Loaded>,
    /// Words of a position.
    words: usize,
    /// How deeply calls may be nested.
    depth: u64,
    /// The tables, whose address is in the code.
    _tables: Box<[u64]>,
}

#[derive(Debug)]
struct Loaded {
    name: String,
    kind: Kind,
    /// How many variables have a meaning when it returns.
    results: usize,
    entry: Entry,
}

/// How a function is entered.
#[derive(Clone, Copy, Debug)]
enum Entry {
    /// It has no parameters.
    Plain(Plain),
    /// It has one.
    Numbered(Numbered),
    /// Only other functions call it, or it was not asked for.
    Closed,
}

thread_local! {
    static FRAMES: Frames<Translated<Engine>> = const { Frames::new() };
}

impl Machine for Engine {
    type Scratch = Context;
    type Error = WasmError;

    fn new(module: Lowered<'_>, functions: &[FunctionId]) -> Result<Engine, WasmError> {
        let module = module.module();
        let tables = tables(module);
        let emitted = emit(module, functions, tables.as_ptr() as usize as u32)?;
        // SAFETY: the code is read before `load` returns.
        let first = unsafe { load(emitted.code.as_ptr(), emitted.code.len()) };
        if first == 0 {
            return Err(WasmError::Unsupported("the browser did not take it".to_string()));
        }
        let functions = module.functions.iter().zip(emitted.exports).map(|(function, export)| Loaded {
            name: function.name.clone(),
            kind: function.kind,
            results: function.results as usize,
            entry: Entry::at(export.map(|number| first + number as usize), function.parameters.len()),
        });
        let functions = functions.collect();
        Ok(Engine { functions, words: module.layout.words(), depth: emitted.depth, _tables: tables })
    }

    fn frames() -> &'static LocalKey<Frames<Translated<Engine>>> {
        &FRAMES
    }

    #[inline]
    fn scratch() -> Context {
        Context::new(grow as *const () as usize as u32, 0)
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
        let mut context = Context::new(grow as *const () as usize as u32, self.depth);
        let range = buffer.as_mut_ptr_range();
        (context.next, context.end) = (range.start as u32, range.end as u32);
        (context.buffer, context.stride) = (buffer as *mut Vec<u64> as u32, self.words as u32);
        // SAFETY: see the module: position and context are valid, and `next..end` is the buffer, which is a
        // multiple of the stride long: `WordList` and `grow` see to that.
        let answer = unsafe { function.enter(position, 0, &mut context) };
        // `grow` may have moved the buffer.
        let used = (context.next as usize - buffer.as_ptr() as usize) / 8;
        function.answer(answer)?;
        children.fill(used);
        Ok(())
    }

    #[inline]
    fn generate_one(
        &self,
        scratch: &mut Context,
        function: FunctionId,
        number: u64,
        position: &[u64],
        child: &mut [u64],
    ) -> Result<bool, Failed> {
        let function = &self.functions[function.0 as usize];
        assert!(matches!(function.entry, Entry::Numbered(_)) && function.kind == Kind::Generate);
        assert!(position.len() == self.words && child.len() == self.words);
        scratch.refresh(self.depth);
        let range = child.as_mut_ptr_range();
        (scratch.next, scratch.end) = (range.start as u32, range.end as u32);
        // SAFETY: see the module: position and context are valid, and `next..end` is the child. For a second
        // one there is no room, and `grow` ends the program.
        let answer = unsafe { function.enter(position, number, scratch) };
        let made = scratch.next == scratch.end;
        // The child is borrowed for the time of the call only.
        (scratch.next, scratch.end) = (0, 0);
        function.answer(answer)?;
        Ok(made)
    }

    #[inline]
    fn evaluate(
        &self,
        scratch: &mut Context,
        function: FunctionId,
        position: &[u64],
    ) -> Result<[u64; 2], Failed> {
        self.run_silently(function, position, scratch)?;
        Ok([scratch.variables[0], scratch.variables[1]])
    }

    fn report<'s>(
        &self,
        scratch: &'s mut Context,
        function: FunctionId,
        position: &[u64],
    ) -> Result<&'s [u64], Failed> {
        self.run_silently(function, position, scratch)?;
        Ok(&scratch.variables[..self.functions[function.0 as usize].results])
    }
}

impl Engine {
    #[inline]
    fn run_silently(
        &self,
        function: FunctionId,
        position: &[u64],
        context: &mut Context,
    ) -> Result<(), Failed> {
        let function = &self.functions[function.0 as usize];
        assert!(function.kind != Kind::Generate && position.len() == self.words);
        context.refresh(self.depth);
        // SAFETY: see the module: position and context are valid, and only generators emit.
        let answer = unsafe { function.enter(position, 0, context) };
        function.answer(answer)
    }
}

impl Entry {
    /// What is at a place of the table, by its number of parameters.
    fn at(place: Option<usize>, parameters: usize) -> Entry {
        // SAFETY: function pointers of WebAssembly are places in the table of functions, and `load` has put
        // functions there that were emitted with these types.
        unsafe {
            match (place, parameters) {
                (Some(place), 0) => Entry::Plain(std::mem::transmute::<usize, Plain>(place)),
                (Some(place), 1) => Entry::Numbered(std::mem::transmute::<usize, Numbered>(place)),
                _ => Entry::Closed,
            }
        }
    }
}

impl Loaded {
    /// # Safety
    ///
    /// The position must have as many words as the code expects, and the context must be valid for it.
    #[inline]
    unsafe fn enter(&self, position: &[u64], number: u64, context: &mut Context) -> u32 {
        // SAFETY: promised by the caller.
        unsafe {
            match self.entry {
                Entry::Plain(entry) => entry(position.as_ptr(), context),
                Entry::Numbered(entry) => entry(position.as_ptr(), context, number),
                Entry::Closed => panic!("`{}` is called by other functions alone", self.name),
            }
        }
    }

    #[inline]
    fn answer(&self, answer: u32) -> Result<(), Failed> {
        match answer {
            DONE => Ok(()),
            FAILED => Err(Failed),
            _ => broken(&self.name),
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
        assert!(context.buffer != 0, "there is room for one position alone");
        let buffer = &mut *(context.buffer as usize as *mut Vec<u64>);
        let used = (context.next as usize - buffer.as_ptr() as usize) / 8;
        let room = (used * 2).max(LEAST * context.stride as usize);
        buffer.resize(room, 0);
        let range = buffer.as_mut_ptr_range();
        (context.next, context.end) = (range.start.add(used) as u32, range.end as u32);
    }
}
