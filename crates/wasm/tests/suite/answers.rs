//! Random rules: WebAssembly answers as the emulator does, which `crates/emulator` compares with the interpreter.

use multigame_compiled::Code;
use multigame_compiler::{Options, compile};
use multigame_emulator::{Examination, answers};
use multigame_game::Random;
use multigame_generator::{bytes, position, rules};

use crate::under_test::TestedCode;

/// Random programs that are made; `EXAMINED=10000 FIRST=5000` makes others.
const PROGRAMS: u64 = 200;

/// Random positions of each, besides the initial one.
const POSITIONS: usize = 9;

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).map_or(otherwise, |number| number.parse().expect("a number"))
}

#[test]
fn random_rules_answer_the_same() {
    let first = number("FIRST", 0);
    let programs = number("EXAMINED", PROGRAMS);
    let (mut compared, mut answered) = (0, 0);
    for number in first..first + programs {
        let text = rules(&bytes(number));
        let Some(program) = compile(&text, &Options::default()).program else { continue };
        let mut random = Random::new(number);
        let description = &program.description;
        let others: Vec<_> = (0..POSITIONS).map(|_| position(description, &mut random)).collect();
        let positions = [description.initial.clone()].into_iter().chain(others);
        let Ok(examination) = Examination::of(&program, positions) else { continue };
        let code = TestedCode::new(&program).unwrap_or_else(|error| panic!("program {number}: {error}"));
        let found = answers(&code, &examination.positions);
        assert!(
            examination.passes(&found),
            "program {number}: {found:?}, not {:?}\n{text}",
            examination.emulated
        );
        compared += 1;
        answered += examination.answered();
    }
    println!("{programs} programs, {compared} compared by {answered} answers");
    assert!(answered as u64 > 20 * compared, "most questions are answered: {answered} answers");
    assert!(compared * 2 > programs, "many programs compile: {compared} of {programs}");
}
