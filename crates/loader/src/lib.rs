//! From the name of a game to the game.
//!
//! Front ends say what they want to do with a game as a [`WithGame`], which is run with the game that plays
//! the rules: by machine code where the compiler can make it, by WebAssembly inside of a page, else by the
//! interpreter.

mod advice;
pub mod bundled;
mod length;
#[expect(clippy::disallowed_methods, reason = "rules are files")]
mod source;
mod weights;

use std::str::FromStr;

use multigame_compiler::{Compilation, Options};
use multigame_files::unstamp_if_stamped;
use multigame_game::{NetworkFile, PatternsFile};
use multigame_ir::Program;
#[cfg(not(target_family = "wasm"))]
use multigame_jit::JitGame as NativeGame;
use multigame_syntax::{Diagnostic, Span};
#[cfg(target_family = "wasm")]
use multigame_wasm::engine::WasmGame as NativeGame;
use serde::de::DeserializeOwned;

pub use advice::{CODES as ADVICE_CODES, advice};
pub use length::{Length, without_comments};
pub use multigame_game::WithGame;
pub use multigame_mir::REMEDIES;
pub use source::{Beside, NETWORK, PATTERNS, Source, WEIGHTS, game_name, source};
pub use weights::{Weights, WeightsFile};

/// How rules are run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backend {
    /// Machine code where the compiler can make it, else the interpreter.
    Auto,
    /// Machine code; says so if the interpreter has to step in.
    Jit,
    /// The interpreter, which defines what rules mean.
    Interp,
    /// Rust generated from the rules, as a program of its own. Only front ends that can start programs offer
    /// it; where a game is asked for, it means [`Jit`](Backend::Jit).
    Aot,
}

impl Backend {
    /// All that give a game, by name, the usual one first.
    pub const ALL: [(&str, Backend); 3] =
        [("auto", Backend::Auto), ("jit", Backend::Jit), ("interp", Backend::Interp)];
}

impl FromStr for Backend {
    type Err = String;

    fn from_str(text: &str) -> Result<Backend, String> {
        let known = Backend::ALL.iter().find(|(name, _)| *name == text);
        known.map(|(_, backend)| *backend).ok_or_else(|| {
            let names = Backend::ALL.map(|(name, _)| name);
            format!("there is no back end `{text}`; there are {}", names.join(", "))
        })
    }
}

/// How rules are run where the compiler can do more than interpret them, in words.
pub const NATIVE: &str = if cfg!(target_family = "wasm") { "WebAssembly" } else { "machine code" };

/// A game that can be played. Machine code and interpreter are one type of game, so that everything that
/// plays it is compiled once.
#[derive(Debug)]
pub struct Playable(NativeGame);

impl Playable {
    /// Gets a program ready to be played. Where machine code was asked for and cannot be made, the reason
    /// comes along.
    pub fn new(program: Program, backend: Backend) -> (Playable, Option<String>) {
        if backend == Backend::Interp {
            return (Playable(NativeGame::interpreting(program)), None);
        }
        match NativeGame::new(program.clone()) {
            Ok(game) => (Playable(game), None),
            Err(reason) => (Playable(NativeGame::interpreting(program)), Some(reason.to_string())),
        }
    }

    /// Whether machine code plays, or WebAssembly inside of a page.
    pub fn is_native(&self) -> bool {
        self.0.has_code()
    }

    /// How it is played, in words.
    pub fn backend(&self) -> &'static str {
        if self.is_native() { NATIVE } else { "interpreter" }
    }

    /// Does something with the game.
    pub fn run<T: WithGame>(self, task: T) -> T::Output {
        task.run(self.0)
    }
}

/// Code and explanation of every error that only [`compile`] here gives.
pub const CODES: &[(&str, &str)] = &[
    (
        "bad-weights",
        "error: the weights file beside the rules cannot be read, or names an evaluation or a weight they do not have",
    ),
    (
        "bad-patterns",
        "error: the file of learned patterns beside the rules cannot be read, or names fields they do not have",
    ),
    (
        "bad-network",
        "error: the learned network beside the rules cannot be read, or was learned for another board, other pieces or properties",
    ),
];

/// Compiles rules, with weights, patterns and the network of the files beside them; diagnostics are for the
/// caller to show. Patterns and networks belong to the rules as they were learned, so they are left out where
/// parameters are set.
pub fn compile(source: &Source, parameters: &[(String, i64)]) -> Compilation {
    let options = Options { name: source.name.clone(), parameters: parameters.to_vec() };
    let mut compilation = multigame_compiler::compile_with(&source.text, &options, &source.libraries());
    if let (Some(program), Some(weights)) = (&mut compilation.program, &source.weights)
        && let Err(message) = WeightsFile::parse(&weights.text).and_then(|file| file.apply(program))
    {
        let message = format!("`{}` does not fit: {message}", weights.file);
        compilation.diagnostics.push(Diagnostic::error("bad-weights", Span::default(), message));
        compilation.program = None;
    }
    if parameters.is_empty() {
        add(&mut compilation, &source.patterns, "bad-patterns", |program, file: PatternsFile| {
            program.patterns = file.tuples(&program.description.board)?;
            Ok(())
        });
        add(&mut compilation, &source.network, "bad-network", |program, file: NetworkFile| {
            program.network = Some(file.network(&program.description)?);
            Ok(())
        });
    }
    compilation
}

/// Adds the content of a JSON file beside the rules to their program; an error with that code if it does not
/// fit.
fn add<F: DeserializeOwned>(
    compilation: &mut Compilation,
    beside: &Option<Beside>,
    code: &'static str,
    apply: impl FnOnce(&mut Program, F) -> Result<(), String>,
) {
    let (Some(program), Some(beside)) = (&mut compilation.program, beside) else { return };
    let text = unstamp_if_stamped(&beside.text).map_err(|error| error.to_string());
    let file = text.and_then(|text| serde_json::from_str(&text).map_err(|error| error.to_string()));
    if let Err(message) = file.and_then(|file| apply(program, file)) {
        let message = format!("`{}` does not fit: {message}", beside.file);
        compilation.diagnostics.push(Diagnostic::error(code, Span::default(), message));
        compilation.program = None;
    }
}
