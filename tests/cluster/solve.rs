//! `solve` on several ranks.

use crate::job::{json, many, one_process, run, stdout};

/// Solves on several ranks and in one process; what is proved is the same, and all ranks have taken part or
/// a note says why not. `more` is for several ranks only.
fn agree(ranks: u32, arguments: &[&str], more: &[&str], note: Option<&str>) {
    let arguments = [&["solve"], arguments, &["--json"]].concat();
    let output = run(ranks, &[&arguments[..], more].concat());
    let several = json(&stdout(&output));
    let alone = json(&one_process(&arguments));
    assert!(alone["result"].is_string(), "{alone}");
    assert_eq!(several["result"], alone["result"], "{arguments:?}");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let notes: Vec<&str> = said.lines().filter(|line| line.contains("one rank")).collect();
    let expected = note.map(|note| format!("note: {note}; {} wait", ranks - 1));
    assert_eq!(notes, expected.as_deref().into_iter().collect::<Vec<_>>(), "{said}");
}

#[test]
fn ranks_solve_what_one_process_solves() {
    agree(many(3), &["connect-4", "--set", "columns=4", "--set", "rows=4"], &[], None);
    agree(2, &["connect-4", "--set", "columns=4", "--set", "rows=4"], &["--memory", "replicated"], None);
    // Only the margin counts there, which has its own way to search.
    agree(2, &["dots-and-boxes", "--set", "columns=2", "--set", "rows=2"], &[], None);
    let verdict = ["connect-4", "--set", "columns=5", "--set", "rows=4", "--verdict"];
    agree(2, &verdict, &[], None);
    agree(many(3), &verdict, &["--memory", "private"], None);
    let puzzle = "`engine=verdict` with `policy=ybwc-1-2*` searches on one rank";
    agree(2, &["eight-queens", "--verdict"], &[], Some(puzzle));
}

#[test]
fn ranks_find_a_shortest_solution() {
    let puzzle = ["15-puzzle", "--position", crate::PUZZLE];
    agree(2, &puzzle, &[], None);
    agree(2, &[&puzzle[..], &["--perimeter", "8"]].concat(), &["--policy", "tds"], None);
    let star = "`engine=astar` with `policy=ybwc-1-2*` searches on one rank";
    agree(2, &["hanoi", "--set", "discs=4", "--engine", "astar"], &[], Some(star));
}

/// The state of rank 0 is enough to go on with another number of ranks, or without any.
#[test]
fn checkpoints_go_on_with_another_number_of_ranks() {
    let file = std::env::temp_dir().join(format!("multigame-ranks-{}.checkpoint", std::process::id()));
    let _ = std::fs::remove_file(&file);
    let name = file.to_str().unwrap();
    let game = ["solve", "connect-4", "--set", "columns=5", "--set", "rows=4"];
    let kept = ["--checkpoint", name, "--table", "16"];
    for (piece, ranks) in [2, many(3)].into_iter().enumerate() {
        let output = run(ranks, &[&game[..], &kept, &["--nodes", "100000"]].concat());
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && said.contains("not solved"), "{said}");
        assert!(said.contains(&format!("kept in `{name}`")), "{said}");
        assert_eq!(said.contains("going on from"), piece > 0, "{said}");
    }
    let last = [&game[..], &kept, &["--json"]].concat();
    let found = json(&one_process(&last));
    std::fs::remove_file(&file).unwrap();
    let fresh = json(&one_process(&[&game[..], &["--table", "16", "--json"]].concat()));
    assert_eq!(found["result"], fresh["result"]);
    assert!(found["nodes"].as_u64() < fresh["nodes"].as_u64(), "it went on: {found}, {fresh}");
}
