//! WebAssembly in memory of its own, run by an interpreter of WebAssembly: the layout is that of an engine,
//! the words are carried in and out.

use std::mem::offset_of;
use std::sync::Mutex;
use std::thread::LocalKey;

use multigame_compiled::{Failed, Frames, Lowered, Machine, Translated, WordList};
use multigame_mir::{FunctionId, Kind, Module};
use multigame_wasm::{Context, DONE, FAILED, WasmError, broken, emit, tables};
use wasmi::{
    Caller, Config, Engine, Func, Linker, Memory, MemoryType, Ref, RefType, Store, Table, TableType, Val,
};

const CONTEXT: usize = 1024;
const POSITION: usize = 4096;
const TABLES: usize = 16384;
const PAGE: usize = 65536;

/// Where `grow` is in the table of functions.
const GROW: u32 = 1;

/// Functions that run outside of this program.
pub struct Outside {
    running: Mutex<Running>,
    functions: Vec<Loaded>,
    words: usize,
    depth: u64,
}

struct Running {
    store: Store<Heap>,
    memory: Memory,
}

/// Where children lie.
struct Heap {
    /// The memory, once it is there.
    memory: Option<Memory>,
    /// Where there may be children.
    bottom: usize,
    /// Where they begin now.
    begin: usize,
}

struct Loaded {
    name: String,
    kind: Kind,
    results: usize,
    parameters: usize,
    entry: Option<Func>,
}

thread_local! {
    static FRAMES: Frames<Translated<Outside>> = const { Frames::new() };
}

impl std::fmt::Debug for Outside {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Outside").finish_non_exhaustive()
    }
}

fn bytes(words: &[u64]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

impl Running {
    fn half(&self, at: usize) -> usize {
        half(self.memory.data(&self.store), at)
    }

    fn words(&self, at: usize, count: usize) -> Vec<u64> {
        let bytes = &self.memory.data(&self.store)[at..at + count * 8];
        bytes.chunks(8).map(|word| u64::from_le_bytes(word.try_into().unwrap())).collect()
    }

    fn write(&mut self, at: usize, bytes: &[u8]) {
        self.memory.write(&mut self.store, at, bytes).unwrap();
    }
}

fn half(data: &[u8], at: usize) -> usize {
    u32::from_le_bytes(data[at..at + 4].try_into().unwrap()) as usize
}

/// Makes room for more children somewhere else, so that nobody can rely on their place.
fn grow(mut caller: Caller<'_, Heap>, context: i32) {
    let (context, memory) = (context as usize, caller.data().memory.unwrap());
    let field = |caller: &Caller<'_, Heap>, field: usize| half(memory.data(caller), context + field);
    let next = field(&caller, offset_of!(Context, next));
    let stride = field(&caller, offset_of!(Context, stride)) * 8;
    let (begin, bottom) = (caller.data().begin, caller.data().bottom);
    let used = next - begin;
    assert!(field(&caller, offset_of!(Context, end)) == next && stride > 0, "no room, or room for one alone");
    let room = (2 * used).max(stride);
    // Not over the old place.
    let moved = if begin - bottom >= room { bottom } else { next.max(bottom) };
    while memory.data(&caller).len() < moved + room {
        memory.grow(&mut caller, 1).unwrap();
    }
    memory.data_mut(&mut caller).copy_within(begin..next, moved);
    caller.data_mut().begin = moved;
    for (field, value) in
        [(offset_of!(Context, next), moved + used), (offset_of!(Context, end), moved + room)]
    {
        memory.write(&mut caller, context + field, &(value as u32).to_le_bytes()).unwrap();
    }
}

impl Outside {
    /// Translates functions of any module that passes the check.
    pub fn translated(module: &Module, functions: &[FunctionId]) -> Result<Outside, WasmError> {
        let emitted = emit(module, functions, TABLES as u32)?;
        let tables = bytes(&tables(module));
        let mut config = Config::default();
        config.set_max_stack_height(1 << 22);
        let engine = Engine::new(&config);
        let bottom = TABLES + tables.len();
        let mut store = Store::new(&engine, Heap { memory: None, bottom, begin: bottom });
        let pages = (bottom / PAGE + 1) as u32;
        let memory = Memory::new(&mut store, MemoryType::new(pages, None)).unwrap();
        store.data_mut().memory = Some(memory);
        memory.write(&mut store, TABLES, &tables).unwrap();
        let grow = Func::wrap(&mut store, grow);
        let table = TableType::new(RefType::Func, 2, None);
        let table = Table::new(&mut store, table, Ref::Func(wasmi::Nullable::Null)).unwrap();
        table.set(&mut store, u64::from(GROW), Ref::Func(grow.into())).unwrap();
        let mut linker = <Linker<Heap>>::new(&engine);
        linker.define("engine", "memory", memory).unwrap();
        linker.define("engine", "table", table).unwrap();
        let code = wasmi::Module::new(&engine, &emitted.code).unwrap_or_else(|error| panic!("{error}"));
        let instance = linker.instantiate_and_start(&mut store, &code).unwrap();
        let functions = module.functions.iter().zip(&emitted.exports).map(|(function, export)| Loaded {
            name: function.name.clone(),
            kind: function.kind,
            results: function.results as usize,
            parameters: function.parameters.len(),
            entry: export.map(|number| instance.get_func(&store, &number.to_string()).unwrap()),
        });
        let functions = functions.collect();
        let running = Mutex::new(Running { store, memory });
        Ok(Outside { running, functions, words: module.layout.words(), depth: emitted.depth })
    }

    /// Runs a function; afterwards the results and the children are taken.
    fn run<T>(
        &self,
        function: FunctionId,
        position: &[u64],
        number: u64,
        room: usize,
        take: impl FnOnce(&Running, &Loaded) -> T,
    ) -> Result<T, Failed> {
        assert_eq!(position.len(), self.words);
        let loaded = &self.functions[function.0 as usize];
        let entry = loaded.entry.expect("it was asked for");
        // A comparison that panicked before leaves nothing here that matters.
        let mut running = self.running.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let begin = running.store.data().bottom;
        running.store.data_mut().begin = begin;
        let fresh = Context::new(GROW, self.depth);
        running.write(POSITION, &bytes(position));
        running.write(CONTEXT + offset_of!(Context, calls), &fresh.calls.to_le_bytes());
        running.write(CONTEXT + offset_of!(Context, depth), &fresh.depth.to_le_bytes());
        let stride = if room > 0 { 0 } else { self.words };
        for (field, value) in [
            (offset_of!(Context, next), begin),
            (offset_of!(Context, end), begin + room),
            (offset_of!(Context, grow), GROW as usize),
            (offset_of!(Context, stride), stride),
        ] {
            running.write(CONTEXT + field, &(value as u32).to_le_bytes());
        }
        let mut inputs = vec![Val::I32(POSITION as i32), Val::I32(CONTEXT as i32)];
        inputs.extend((0..loaded.parameters).map(|_| Val::I64(number as i64)));
        let mut answer = [Val::I32(0)];
        let done = entry.call(&mut running.store, &inputs, &mut answer);
        done.unwrap_or_else(|trap| panic!("`{}`: {trap}", loaded.name));
        match answer[0].i32().unwrap() as u32 {
            DONE => Ok(take(&running, loaded)),
            FAILED => Err(Failed),
            _ => broken(&loaded.name),
        }
    }
}

impl Machine for Outside {
    type Scratch = Vec<u64>;
    type Error = WasmError;

    fn new(module: Lowered<'_>, functions: &[FunctionId]) -> Result<Outside, WasmError> {
        Outside::translated(module.module(), functions)
    }

    fn frames() -> &'static LocalKey<Frames<Translated<Outside>>> {
        &FRAMES
    }

    fn scratch() -> Vec<u64> {
        Vec::new()
    }

    fn generate(
        &self,
        function: FunctionId,
        position: &[u64],
        children: &mut WordList,
    ) -> Result<(), Failed> {
        let buffer = children.room(self.words);
        let emitted = self.run(function, position, 0, 0, |running, loaded| {
            assert_eq!(loaded.kind, Kind::Generate);
            let (begin, next) =
                (running.store.data().begin, running.half(CONTEXT + offset_of!(Context, next)));
            running.words(begin, (next - begin) / 8)
        })?;
        if buffer.len() < emitted.len() {
            buffer.resize(emitted.len(), 0);
        }
        buffer[..emitted.len()].copy_from_slice(&emitted);
        children.fill(emitted.len());
        Ok(())
    }

    fn generate_one(
        &self,
        _: &mut Vec<u64>,
        function: FunctionId,
        number: u64,
        position: &[u64],
        child: &mut [u64],
    ) -> Result<bool, Failed> {
        self.run(function, position, number, self.words * 8, |running, _| {
            let begin = running.store.data().begin;
            let made = running.half(CONTEXT + offset_of!(Context, next)) > begin;
            if made {
                child.copy_from_slice(&running.words(begin, self.words));
            }
            made
        })
    }

    fn evaluate(
        &self,
        scratch: &mut Vec<u64>,
        function: FunctionId,
        position: &[u64],
    ) -> Result<[u64; 2], Failed> {
        let results = self.report(scratch, function, position)?;
        Ok([0, 1].map(|number| results.get(number).copied().unwrap_or(0)))
    }

    fn report<'s>(
        &self,
        scratch: &'s mut Vec<u64>,
        function: FunctionId,
        position: &[u64],
    ) -> Result<&'s [u64], Failed> {
        *scratch = self.run(function, position, 0, 0, |running, loaded| {
            assert_ne!(loaded.kind, Kind::Generate);
            running.words(CONTEXT + offset_of!(Context, variables), loaded.results)
        })?;
        Ok(scratch)
    }
}
