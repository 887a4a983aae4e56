//! Asks generated programs about positions; `../random_rules.rs` adds the programs and `answer`.

use std::collections::BTreeMap;
use std::panic::catch_unwind;

use multigame_emulator::answers;

fn main() {
    let path = std::env::args().nth(1).expect("the questions");
    let mut questions: BTreeMap<u64, Vec<Vec<u64>>> = BTreeMap::new();
    for line in std::fs::read_to_string(path).unwrap().lines() {
        let mut words = line.split(' ').map(|word| word.parse().unwrap());
        let number = words.next().expect("the number of a program");
        questions.entry(number).or_default().push(words.collect());
    }
    for (number, positions) in questions {
        // A program that panics has no answers; standard error says why.
        let found = catch_unwind(|| answer(number, &positions)).unwrap_or_default();
        let found: Vec<String> =
            found.iter().map(|answer| answer.map_or("-".to_string(), |answer| answer.to_string())).collect();
        println!("{number} {}", found.join(" "));
    }
}

