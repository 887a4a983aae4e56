//! From the text of a rules file to a move program: parse, analyse, lower.
//!
//! **Invariant:** nothing here fails. Any text gives diagnostics, and a program if none of them is an error.
//! **Invariant:** this crate does not know how programs run, except that a setup may ask for a rule to be
//! applied once; it reads no files and prints nothing.

mod bases;
mod expressions;
mod libraries;
mod lower;
mod origins;
mod stacks;
mod statements;

use bases::Texts;
pub use libraries::{Libraries, is_library_name, libraries_used};
use multigame_ir::{FunctionId, Program, apply_setup};
use multigame_sema::Model;
use multigame_syntax::{Diagnostic, Severity, Span};

/// What to compile, besides the text.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The game's name.
    pub name: String,
    /// Values for parameters; the others are as declared.
    pub parameters: Vec<(String, i64)>,
}

/// The outcome of [`compile`].
#[derive(Clone, Debug)]
pub struct Compilation {
    /// The move program; absent if there is any error.
    pub program: Option<Program>,
    /// Errors and warnings in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// Code and explanation of every error that only [`compile`] gives; the others are [`multigame_sema::CODES`]
/// and the parser's.
pub const CODES: &[(&str, &str)] = &[
    ("circular-base", "error: a game is based on itself"),
    (
        "not-in-a-library",
        "error: a library says something that is the game's to say, such as `main` or `setup`",
    ),
    ("setup-failed", "error: the rule applied by `setup` has a run-time error or not exactly one result"),
    ("unknown-base", "error: there is no game of that name to be based on"),
    ("unknown-library", "error: there is no library of that name, neither bundled nor beside the rules"),
];

/// Errors that may only be echoes where a part of the text could not be read.
const ECHOES: [&str; 3] = ["no-main", "missing-dimensions", "missing-directions"];

/// Compiles the text of a rules file, which may use bundled libraries.
pub fn compile(text: &str, options: &Options) -> Compilation {
    compile_with(text, options, &Libraries::new())
}

/// Compiles the text of a rules file; libraries of its own come before bundled ones.
pub fn compile_with(text: &str, options: &Options, own: &Libraries) -> Compilation {
    let mut parse = multigame_syntax::parse(text);
    let texts = Texts::compose(&options.name, text, own, &mut parse.program, &mut parse.diagnostics);
    let analysis = multigame_sema::analyze(&parse.program, &options.parameters);
    let is_error = |diagnostic: &Diagnostic| diagnostic.severity == Severity::Error;
    let is_readable = !parse.diagnostics.iter().any(is_error);
    let mut diagnostics = parse.diagnostics;
    diagnostics.extend(
        analysis
            .diagnostics
            .into_iter()
            .filter(|found| is_readable || (is_error(found) && !ECHOES.contains(&found.code))),
    );
    let mut diagnostics: Vec<Diagnostic> =
        diagnostics.into_iter().filter_map(|diagnostic| texts.translate(diagnostic)).collect();
    diagnostics.sort_by_key(|diagnostic| (diagnostic.span.start, diagnostic.severity));
    let lowered = analysis.model.filter(|_| is_readable).map(|mut model| {
        model.description.name = options.name.clone();
        lower::lower(model, &texts)
    });
    let program = lowered.and_then(|(program, setup)| {
        set_up(program, setup).map_err(|diagnostic| diagnostics.push(*diagnostic)).ok()
    });
    Compilation { program, diagnostics }
}

/// The resolved model of the rules file of that text and name, and of what it is based on; nothing if there
/// is an error.
pub fn model(text: &str, name: &str) -> Option<Model> {
    let mut parse = multigame_syntax::parse(text);
    Texts::compose(name, text, &Libraries::new(), &mut parse.program, &mut parse.diagnostics);
    let is_readable = parse.diagnostics.iter().all(|diagnostic| diagnostic.severity != Severity::Error);
    multigame_sema::analyze(&parse.program, &[]).model.filter(|_| is_readable)
}

/// Lets the rule named by `apply` finish the initial position.
fn set_up(mut program: Program, setup: Option<FunctionId>) -> Result<Program, Box<Diagnostic>> {
    let Some(setup) = setup else { return Ok(program) };
    match apply_setup(&mut program, setup) {
        Ok(()) => Ok(program),
        Err(error) => {
            let span = Span::new(error.span.0, error.span.1);
            let message = format!("the setup fails: {}", error.message);
            Err(Box::new(Diagnostic::error("setup-failed", span, message)))
        }
    }
}
