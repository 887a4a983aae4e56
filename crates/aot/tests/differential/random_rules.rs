//! Random rules as generated Rust: its functions answer as the emulator does, which `crates/emulator` compares
//! with the interpreter. Many programs are compiled at once, as modules of one crate.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::process::Command;

use multigame_compiler::{Options, compile};
use multigame_emulator::Examination;
use multigame_game::Random;
use multigame_generator::{bytes, position, rules};

use crate::folder::Folder;

/// Random programs of the ordinary test, and of the long form. `PROGRAMS=1000 FIRST=5000` makes others.
const PROGRAMS: u64 = 20;
const MANY_PROGRAMS: u64 = 10_000;

/// Programs of one crate.
const AT_ONCE: usize = 100;

/// Random positions of each, besides the initial one.
const POSITIONS: usize = 9;

#[test]
fn random_rules_answer_the_same() {
    check(number("PROGRAMS", PROGRAMS));
}

#[test]
#[ignore = "takes an hour: ten thousand programs"]
fn very_many_random_rules_answer_the_same() {
    check(number("PROGRAMS", MANY_PROGRAMS));
}

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).map_or(otherwise, |number| number.parse().expect("a number"))
}

fn check(programs: u64) {
    let first = number("FIRST", 0);
    let numbers: Vec<u64> = (first..first + programs).collect();
    let (mut compared, mut answered) = (0, 0);
    for numbers in numbers.chunks(AT_ONCE) {
        let examinations = together(numbers);
        compared += examinations.len();
        answered += examinations.values().map(Examination::answered).sum::<usize>();
    }
    println!("{programs} programs, {compared} compared by {answered} answers");
    assert!(answered > 20 * compared, "most questions are answered: {answered} answers");
    assert!(compared as u64 * 4 > programs, "many programs compile: {compared} of {programs}");
}

/// Compares some programs, all of them in one crate.
fn together(numbers: &[u64]) -> BTreeMap<u64, Examination> {
    let folder = Folder::new(&format!("random-{}", numbers[0]));
    let mut driver = String::from(include_str!("driver/random_rules.rs"));
    let (mut calls, mut questions) = (String::new(), String::new());
    let mut examinations = BTreeMap::new();
    for &number in numbers {
        let Some((source, examination)) = prepared(number) else { continue };
        let source = source.replace("multigame_compiled::", "multigame_emulator::compiled::");
        std::fs::write(folder.path().join(format!("program_{number}.rs")), source).unwrap();
        let _ = writeln!(driver, "mod program_{number};");
        let _ = writeln!(calls, "        {number} => answers(&program_{number}::Rules, positions),");
        for position in &examination.positions {
            let words: Vec<String> = position.iter().map(u64::to_string).collect();
            let _ = writeln!(questions, "{number} {}", words.join(" "));
        }
        examinations.insert(number, examination);
    }
    let _ = write!(
        driver,
        "\nfn answer(number: u64, positions: &[Vec<u64>]) -> Vec<Option<u64>> {{\n    match number {{\n{calls}        \
         _ => unreachable!(\"a number of these\"),\n    }}\n}}\n"
    );
    std::fs::write(folder.path().join("main.rs"), driver).unwrap();
    let asked = folder.path().join("questions");
    std::fs::write(&asked, questions).unwrap();
    let program = folder.compile("0", &["multigame_emulator"]);
    let run = Command::new(&program).arg(asked).output().unwrap();
    let found = String::from_utf8_lossy(&run.stdout);
    let answers: BTreeMap<u64, Vec<Option<u64>>> = found.lines().map(parsed).collect();
    for (number, examination) in &examinations {
        let answers = answers.get(number).map_or(&[][..], Vec::as_slice);
        assert!(
            examination.passes(answers),
            "program {number}: {answers:?}, not {:?}\n{}\n{}",
            examination.emulated,
            rules(&bytes(*number)),
            String::from_utf8_lossy(&run.stderr)
        );
    }
    folder.remove();
    examinations
}

/// The source of a program, and what it has to answer.
fn prepared(number: u64) -> Option<(String, Examination)> {
    let program = compile(&rules(&bytes(number)), &Options::default()).program?;
    let module = multigame_mir::lower(&program).ok()?;
    let mut random = Random::new(number);
    let description = &program.description;
    let others: Vec<_> = (0..POSITIONS).map(|_| position(description, &mut random)).collect();
    let positions = [description.initial.clone()].into_iter().chain(others);
    let examination = Examination::of(&program, positions).ok()?;
    Some((multigame_aot::emit(&module, description), examination))
}

/// A line of the driver: the number of a program and its answers.
fn parsed(line: &str) -> (u64, Vec<Option<u64>>) {
    let mut words = line.split(' ');
    let number = words.next().and_then(|word| word.parse().ok()).expect("the number of a program");
    (number, words.map(|word| word.parse().ok()).collect())
}
