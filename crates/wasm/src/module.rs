//! The module around the functions: what it imports and what it exports.

use multigame_compiled::{called, check};
use multigame_mir::{DEEPEST_CALLS, Function, FunctionId, Module};
use wasm_encoder::{
    CodeSection, EntityType, ExportKind, ExportSection, FunctionSection, ImportSection, MemoryType, RefType,
    TableType, TypeSection, ValType,
};

use crate::WasmError;
use crate::function::{Surroundings, write};

/// Where imports come from.
const ENGINE: &str = "engine";

/// Functions of more bytes are refused: browsers take at most 7,654,321.
const LARGEST_FUNCTION: usize = 7_000_000;

/// Functions of more locals are refused: browsers take at most 50,000.
const MOST_LOCALS: usize = 49_000;

/// What calls that are nested may take of the stack, in bytes: browsers give a web worker about a million,
/// and the search is on the same stack.
const STACK: u64 = 300_000;

/// What a call takes besides the locals of the function.
const CALL: u64 = 200;

/// A WebAssembly module.
#[derive(Clone, Debug)]
pub struct Emitted {
    /// Its binary form. It imports `memory` and `table` from `engine`.
    pub code: Vec<u8>,
    /// For each function of the machine program the number under which it is exported.
    pub exports: Vec<Option<u32>>,
    /// How deeply calls of functions that come back to themselves may be nested.
    pub depth: u64,
}

/// All tables of a machine program one after the other.
pub fn tables(module: &Module) -> Box<[u64]> {
    module.tables.iter().flatten().copied().collect()
}

/// Translates functions and what they call; the tables lie at an address of the engine's memory.
pub fn emit(module: &Module, functions: &[FunctionId], tables: u32) -> Result<Emitted, WasmError> {
    check(module).map_err(|message| WasmError::Unsupported(format!("mistake of the compiler: {message}")))?;
    let wanted = called(module, functions);
    let mut next = 0..;
    let exports: Vec<Option<u32>> =
        wanted.iter().map(|wanted| if *wanted { next.next() } else { None }).collect();
    let surroundings = Surroundings {
        module,
        tables: places(module, tables)?,
        exports: &exports,
        recursive: module.recursive(),
        checked: cfg!(debug_assertions) || module.checked,
    };
    let wanted: Vec<usize> = (0..wanted.len()).filter(|&number| wanted[number]).collect();
    let mut code = CodeSection::new();
    let mut depth = DEEPEST_CALLS;
    for &number in &wanted {
        let function = &module.functions[number];
        let (locals, body) = write(&surroundings, function);
        if locals.len() > MOST_LOCALS || body.len() > LARGEST_FUNCTION {
            return Err(WasmError::Unsupported(format!("`{}` is too large for browsers", function.name)));
        }
        if surroundings.recursive[number] {
            depth = depth.min(STACK / (8 * locals.len() as u64 + CALL)).max(2);
        }
        let mut written = wasm_encoder::Function::new_with_locals_types(locals);
        written.raw(body);
        code.function(&written);
    }
    let mut whole = wasm_encoder::Module::new();
    whole.section(&types(module)).section(&imports());
    whole
        .section(&declarations(wanted.iter().map(|&number| &module.functions[number])))
        .section(&exported(&exports))
        .section(&code);
    Ok(Emitted { code: whole.finish(), exports, depth })
}

/// The address of each table.
fn places(module: &Module, begin: u32) -> Result<Vec<u32>, WasmError> {
    let too_large = || WasmError::Unsupported("the tables are too large".to_string());
    let mut end = begin;
    let places = module.tables.iter().map(|table| {
        let place = end;
        let length = u32::try_from(table.len() * 8).map_err(|_| too_large())?;
        end = end.checked_add(length).ok_or_else(too_large)?;
        Ok(place)
    });
    places.collect()
}

/// The number of the type of functions with this many parameters besides position and context.
fn type_of(parameters: usize) -> u32 {
    1 + parameters as u32
}

/// The number of the type of what makes room for children.
pub(crate) const GROW: u32 = 0;

fn types(module: &Module) -> TypeSection {
    let mut types = TypeSection::new();
    types.ty().function([ValType::I32], []);
    let most = module.functions.iter().map(|function| function.parameters.len()).max().unwrap_or(0);
    for parameters in 0..=most {
        let given = [vec![ValType::I32; 2], vec![ValType::I64; parameters]].concat();
        types.ty().function(given, [ValType::I32]);
    }
    types
}

fn imports() -> ImportSection {
    let mut imports = ImportSection::new();
    let memory =
        MemoryType { minimum: 0, maximum: None, memory64: false, shared: false, page_size_log2: None };
    let table = TableType {
        element_type: RefType::FUNCREF,
        minimum: 0,
        maximum: None,
        table64: false,
        shared: false,
    };
    imports.import(ENGINE, "memory", EntityType::Memory(memory));
    imports.import(ENGINE, "table", EntityType::Table(table));
    imports
}

fn declarations<'m>(functions: impl Iterator<Item = &'m Function>) -> FunctionSection {
    let mut declarations = FunctionSection::new();
    functions.for_each(|function| {
        declarations.function(type_of(function.parameters.len()));
    });
    declarations
}

/// Functions are exported by their numbers, which are also those by which they call each other.
fn exported(exports: &[Option<u32>]) -> ExportSection {
    let mut section = ExportSection::new();
    for number in exports.iter().flatten() {
        section.export(&number.to_string(), ExportKind::Func, *number);
    }
    section
}
