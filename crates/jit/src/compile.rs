//! From a machine program to code in memory.

use std::sync::Mutex;

use cranelift_codegen::Context;
use cranelift_codegen::control::ControlPlane;
use cranelift_codegen::ir::{self, AbiParam, Endianness, types};
use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::FunctionBuilderContext;
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Linkage, Module as _, ModuleReloc};
use multigame_mir::Module;

use crate::JitError;
use crate::translate::{Surroundings, translate};

/// Compiles the wanted functions of a module that has passed the check; what they call must be among them.
pub(crate) fn compile(
    module: &Module,
    wanted: &[bool],
) -> Result<(JITModule, Vec<Option<FuncId>>), JitError> {
    let isa = host()?;
    let builder = JITBuilder::with_isa(isa.clone(), cranelift_module::default_libcall_names());
    let mut code = JITModule::new(builder);
    let functions = translate_all(&code, module, wanted)?;
    let mut ids = Vec::with_capacity(module.functions.len());
    let mut contexts = compile_all(&isa, functions)?.into_iter();
    for (function, wanted) in module.functions.iter().zip(wanted) {
        let Some(context) = wanted.then(|| contexts.next()).flatten() else {
            ids.push(None);
            continue;
        };
        let name = format!("{}#{}", function.name, ids.len());
        let declared = code.declare_function(&name, Linkage::Local, &context.func.signature);
        let id = declared.map_err(unsupported)?;
        let compiled = context.compiled_code().expect("compiled without an error");
        let relocations = compiled.buffer.relocs().iter();
        let relocations: Vec<ModuleReloc> = relocations
            .map(|relocation| ModuleReloc::from_mach_reloc(relocation, &context.func, id))
            .collect();
        let alignment = u64::from(compiled.buffer.alignment);
        code.define_function_bytes(id, alignment, compiled.code_buffer(), &relocations)
            .map_err(unsupported)?;
        ids.push(Some(id));
    }
    code.finalize_definitions().map_err(unsupported)?;
    Ok((code, ids))
}

fn unsupported(error: impl std::fmt::Display) -> JitError {
    JitError::Unsupported(error.to_string())
}

/// The machine this runs on, with everything its processor can do.
fn host() -> Result<OwnedTargetIsa, JitError> {
    let mut flags = settings::builder();
    let verify = if cfg!(debug_assertions) { "true" } else { "false" };
    for (name, value) in [
        ("opt_level", "speed"),
        ("enable_verifier", verify),
        ("use_colocated_libcalls", "false"),
        ("is_pic", "false"),
    ] {
        flags.set(name, value).map_err(unsupported)?;
    }
    let builder = cranelift_native::builder().map_err(unsupported)?;
    let isa = builder.finish(settings::Flags::new(flags)).map_err(unsupported)?;
    if isa.pointer_bytes() != 8 || isa.endianness() != Endianness::Little {
        return Err(unsupported("only 64-bit little-endian machines are supported"));
    }
    Ok(isa)
}

fn translate_all(code: &JITModule, module: &Module, wanted: &[bool]) -> Result<Vec<ir::Function>, JitError> {
    let mut signature = code.make_signature();
    signature.params.extend([AbiParam::new(types::I64); 2]);
    signature.returns.push(AbiParam::new(types::I64));
    let mut grow = code.make_signature();
    grow.params.push(AbiParam::new(types::I64));
    let mut tables = Vec::with_capacity(module.tables.len());
    let mut end = 0;
    for table in &module.tables {
        tables.push(i32::try_from(end).map_err(|_| unsupported("the tables are too large"))?);
        end += table.len() * 8;
    }
    let config = code.target_config();
    let surroundings = Surroundings {
        module,
        tables,
        config,
        grow,
        recursive: module.recursive(),
        checked: cfg!(debug_assertions) || module.checked,
    };
    let mut frontend = FunctionBuilderContext::new();
    let functions = module.functions.iter().zip(wanted).filter(|(_, wanted)| **wanted);
    let translated = functions.map(|(function, _)| {
        let mut target = ir::Function::new();
        target.signature = signature.clone();
        target.signature.params.extend(vec![AbiParam::new(types::I64); function.parameters.len()]);
        translate(&surroundings, function, &mut target, &mut frontend);
        target
    });
    Ok(translated.collect())
}

/// Compiles functions, each on a thread of its own: there are few, and large ones take half a second.
fn compile_all(isa: &OwnedTargetIsa, functions: Vec<ir::Function>) -> Result<Vec<Context>, JitError> {
    let mut compiled: Vec<_> = functions.iter().map(|_| None).collect();
    let threads = functions.len();
    let work = Mutex::new(functions.into_iter().zip(&mut compiled));
    let next = || work.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).next();
    let run = || {
        while let Some((function, compiled)) = next() {
            *compiled = Some(compile_one(isa, function));
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            // Where the system has no more threads, this one does more.
            let _ = std::thread::Builder::new().spawn_scoped(scope, run);
        }
        run();
    });
    compiled.into_iter().map(|compiled| compiled.expect("every function was taken")).collect()
}

fn compile_one(isa: &OwnedTargetIsa, function: ir::Function) -> Result<Context, JitError> {
    let mut context = Context::for_function(function);
    let result = context.compile(&**isa, &mut ControlPlane::default());
    result.map_err(|error| unsupported(error.inner)).map(|_| ())?;
    Ok(context)
}
