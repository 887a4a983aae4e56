//! Multigame for Python: the part in Rust, a module `multigame._native` that the package `multigame` wraps.
//!
//! Only numbers, texts, arrays and JSON cross the border here; classes that people see, their documentation
//! and their types are in `../multigame`.
//!
//! **Invariant:** no panic crosses the border (`work.rs` runs everything), and Python's lock is not held
//! while something is searched or played.

#![forbid(unsafe_op_in_unsafe_fn)]

mod actions;
mod batch;
mod errors;
mod hosted;
mod matches;
mod native;
mod node;
mod picture;
mod planes;
mod random_games;
mod simulation;
mod solve;
mod think;
mod work;

use pyo3::prelude::*;

/// The part of Multigame that is written in Rust.
#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<native::NativeGame>()?;
    module.add_class::<native::NativePosition>()?;
    module.add_class::<native::NativeBatch>()?;
    module.add_function(wrap_pyfunction!(native::load, module)?)?;
    module.add_function(wrap_pyfunction!(native::load_text, module)?)?;
    module.add_function(wrap_pyfunction!(native::names, module)?)?;
    module.add_function(wrap_pyfunction!(native::options, module)?)?;
    module.add_function(wrap_pyfunction!(native::check, module)?)
}
