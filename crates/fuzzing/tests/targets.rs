//! The targets over their seeds and over damaged ones, the same every time.
//!
//! `FUZZ=100000 cargo test --release -p multigame-fuzzing` damages more of them than the usual number, and `FIRST=n` begins
//! with another one, which is how to repeat what a failure names.

#![allow(clippy::disallowed_methods, reason = "a test may use files")]

use std::panic::{AssertUnwindSafe, catch_unwind};

use multigame_fuzzing::{TARGETS, Target, mutated};
use multigame_game::Random;

fn number(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("`{name}={text}` is not a number")))
}

/// Runs a target over its seeds and over as many damaged ones.
fn run(name: &str, usual: u64) {
    let target = TARGETS.iter().find(|target| target.name == name).expect("a target of that name");
    let seeds = (target.seeds)();
    assert!(!seeds.is_empty());
    for seed in &seeds {
        attempt(target, seed, "a seed");
    }
    let first = number("FIRST").unwrap_or(0);
    for attempted in first..first + number("FUZZ").unwrap_or(usual) {
        let mut random = Random::new(attempted);
        let (seed, other) = (&seeds[random.below(seeds.len())], &seeds[random.below(seeds.len())]);
        attempt(target, &mutated(seed, other, &mut random), &format!("FIRST={attempted}"));
    }
}

fn attempt(target: &Target, input: &[u8], which: &str) {
    let checked = catch_unwind(AssertUnwindSafe(|| (target.check)(input)));
    assert!(checked.is_ok(), "{which}: {:?}", String::from_utf8_lossy(input));
}

#[test]
fn conversations() {
    run("conversations", 3000);
}

#[test]
fn extensions() {
    run("extensions", 200);
}

#[test]
fn files() {
    run("files", 300);
}

#[test]
fn letters() {
    run("letters", 20_000);
}

#[test]
fn moves() {
    run("moves", 300);
}

#[test]
fn mutants() {
    run("mutants", 100);
}

#[test]
fn positions() {
    run("positions", 5000);
}

#[test]
fn programs() {
    run("programs", 200);
}

#[test]
fn requests() {
    run("requests", 300);
}

#[test]
fn rules() {
    run("rules", 500);
}

#[test]
fn states() {
    run("states", 1000);
}

#[test]
fn wire() {
    run("wire", 5000);
}

#[test]
fn every_target_can_be_fuzzed() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz");
    let cargo = std::fs::read_to_string(format!("{folder}/Cargo.toml")).expect("the fuzz targets");
    for target in TARGETS {
        let name = target.name;
        let text = std::fs::read_to_string(format!("{folder}/fuzz_targets/{name}.rs")).expect("a target");
        assert!(text.contains(&format!("run(\"{name}\", bytes)")), "{name}.rs runs another target");
        let times = cargo.matches(&format!("name = \"{name}\"\npath = \"fuzz_targets/{name}.rs\"")).count();
        assert_eq!(times, 1, "{name} is in Cargo.toml");
    }
    assert_eq!(locked(&format!("{folder}/Cargo.lock")), locked(&format!("{folder}/../Cargo.lock")));
    let files = std::fs::read_dir(format!("{folder}/fuzz_targets")).expect("the fuzz targets");
    assert_eq!(files.count(), TARGETS.len());
}

#[test]
fn every_crate_is_built_with_overflow_checks_somewhere() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let read = |file: &str| std::fs::read_to_string(format!("{root}/{file}")).expect("a file");
    let lists = read("Cargo.toml") + &read("tests/torture/checked.toml");
    for folder in std::fs::read_dir(format!("{root}/crates")).expect("the crates") {
        let folder = folder.expect("a crate");
        let name = folder.file_name().into_string().expect("text");
        if folder.path().is_dir() {
            let times = lists.matches(&format!("multigame-{name}.overflow-checks = true\n")).count();
            assert_eq!(times, 1, "{name} is in Cargo.toml or in tests/torture/checked.toml");
        }
    }
}

/// What the fuzz targets need, as a lock file has it. If it differs, copy `Cargo.lock` to `fuzz` and run
/// `cargo metadata --manifest-path fuzz/Cargo.toml`.
fn locked(path: &str) -> String {
    let text = std::fs::read_to_string(path).expect("a lock file");
    let mut packages = text.split("[[package]]");
    let package = packages.find(|package| package.contains("name = \"multigame-fuzzing\"\n"));
    package.expect("the body of the targets").trim().to_string()
}
