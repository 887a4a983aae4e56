//! Work that takes a while: it runs on a thread of its own without Python's lock, a signal such as Ctrl-C
//! stops it, and no panic leaves it.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::errors::{Bug, Rules, exception};

/// Between two looks for signals.
const BEAT: Duration = Duration::from_millis(50);
/// Deep rules need deep stacks; only what is used is taken.
const STACK: usize = 256 << 20;

/// Does something on a thread of its own. It has to end soon after the flag is set.
pub fn interruptible<T: Send>(
    py: Python<'_>,
    rules: &Rules,
    work: impl FnOnce(&AtomicBool) -> anyhow::Result<T> + Send,
) -> PyResult<T> {
    let stop = AtomicBool::new(false);
    let (send, receive) = channel();
    let (stop_flag, mut interrupted) = (&stop, None);
    let worked = py.detach(|| {
        let receive = receive;
        std::thread::scope(|scope| {
            let body = move || {
                let worked = guarded(|| work(stop_flag));
                // The receiver waits below.
                let _ = send.send(());
                worked
            };
            let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, body)?;
            while let Err(RecvTimeoutError::Timeout) = receive.recv_timeout(BEAT) {
                if let Err(signal) = Python::attach(|py| py.check_signals()) {
                    stop.store(true, Ordering::Relaxed);
                    interrupted.get_or_insert(signal);
                }
            }
            thread.join().unwrap_or_else(|panic| Err(bug(&*panic)))
        })
    });
    match (interrupted, worked) {
        (Some(signal), _) => Err(signal),
        (None, Ok(done)) => Ok(done),
        (None, Err(error)) => Err(exception(py, error, rules)),
    }
}

/// Does something short without Python's lock, on the thread that asks for it.
pub fn at_once<T: Send>(
    py: Python<'_>,
    rules: &Rules,
    work: impl FnOnce() -> anyhow::Result<T> + Send,
) -> PyResult<T> {
    py.detach(|| guarded(work)).map_err(|error| exception(py, error, rules))
}

/// Does something so short that giving Python's lock away would take longer.
pub fn quickly<T>(py: Python<'_>, rules: &Rules, work: impl FnOnce() -> anyhow::Result<T>) -> PyResult<T> {
    guarded(work).map_err(|error| exception(py, error, rules))
}

/// The work's result; an error if it panics.
fn guarded<T>(work: impl FnOnce() -> anyhow::Result<T>) -> anyhow::Result<T> {
    // What panicked is not looked at again: positions are never changed, and batches say so.
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(bug(&*panic)))
}

fn bug(panic: &(dyn Any + Send)) -> anyhow::Error {
    let text = panic.downcast_ref::<&str>().map(|text| text.to_string());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    Bug(text.unwrap_or_else(|| "unknown".to_string())).into()
}

/// A lock that somebody panicked with.
pub fn poisoned() -> PyErr {
    PyRuntimeError::new_err("this batch was being changed when something went wrong; make a new one")
}
