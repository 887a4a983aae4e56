//! What small programs become: the functions of the move program in its textual form.

mod expressions;
mod hostile;
mod passes;
mod programs;
mod statements;

use expect_test::Expect;
use multigame_compiler::{Compilation, Options, compile};
use multigame_syntax::Severity;

fn compiled(text: &str) -> Compilation {
    let compilation = compile(text, &Options { name: "test".to_string(), parameters: Vec::new() });
    let errors: Vec<_> =
        compilation.diagnostics.iter().filter(|found| found.severity == Severity::Error).collect();
    assert!(errors.is_empty(), "{errors:?}");
    compilation
}

/// The functions of a whole program, without description and origins.
fn check(text: &str, expect: Expect) {
    let program = compiled(text).program.unwrap();
    let printed = multigame_ir::print(&program);
    assert_eq!(multigame_ir::parse(&printed).as_ref(), Ok(&program), "the text form says everything");
    let functions = printed.split("\n\n").filter(|part| part.starts_with("function"));
    let functions: Vec<&str> = functions.collect();
    expect.assert_eq(&format!("{}\n", functions.join("\n").trim_end()));
}

/// The functions of `main` on a small board with some pieces and properties.
fn check_main(body: &str, expect: Expect) {
    let declarations = "dimensions (3, 2) no moves = loss pieces { man 'M' 'm' king 'K' 'k' rock '#' }
        properties { b : board : [0 .. 9] p : player : [0 .. 9] f : field : [0 .. 9] m : move : [0 .. 9] }";
    check(&format!("{declarations}\nmain = {body}."), expect);
}
