//! Catches Ctrl-C and SIGTERM: [`Interrupt`] says what they mean.

use std::sync::atomic::AtomicBool;

use multigame_player::{Interrupt, Thinking};

/// The exit code that shells expect of a program ended by Ctrl-C.
pub const INTERRUPTED: i32 = 130;

/// This process's.
pub static INTERRUPT: Interrupt = Interrupt::new();

/// Searches that are running stop when it is set.
pub fn flag() -> &'static AtomicBool {
    INTERRUPT.flag()
}

/// A search is running for as long as the value lives.
pub fn thinking() -> Thinking<'static> {
    INTERRUPT.thinking()
}

/// From now on Ctrl-C stops searches first.
pub fn catch() -> anyhow::Result<()> {
    ctrlc::set_handler(|| {
        if INTERRUPT.press() {
            std::process::exit(INTERRUPTED);
        }
    })?;
    Ok(())
}
