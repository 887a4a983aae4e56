//! Whole analyses of small games whose answers are known.

#![allow(clippy::disallowed_methods, reason = "a test may use files")]

use std::sync::atomic::AtomicBool;

use multigame_analysis::{Listener, Plan, Report, Unused, analyze, html, text};
use multigame_game::Game;
use multigame_ir::RulesGame;

fn game(name: &str) -> RulesGame {
    let path = format!("{}/../../games/{name}/rules.mg", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let options = multigame_compiler::Options { name: name.to_string(), parameters: Vec::new() };
    RulesGame::new(multigame_compiler::compile(&text, &options).program.unwrap())
}

fn plan() -> Plan {
    Plan {
        random_games: 300,
        levels: 2,
        games: 6,
        doublings: 1,
        match_games: 4,
        nodes: 50,
        ..Plan::default()
    }
}

fn report(name: &str, plan: &Plan) -> Report {
    analyze(&game(name), plan, &|_| None, &AtomicBool::new(false), &mut ()).unwrap()
}

#[test]
fn tic_tac_toe_is_what_everybody_knows() {
    let report = report("tic-tac-toe", &Plan { levels: 6, games: 6, plies: 1, doublings: 0, ..plan() });
    // Random games: 58.5 % won by the first player, 28.8 % by the second, 12.7 % drawn.
    let random = &report.random;
    assert!((f64::from(random.first_wins) / 300.0 - 0.585).abs() < 0.1, "{random:?}");
    assert!((f64::from(random.draws) / 300.0 - 0.127).abs() < 0.07, "{random:?}");
    assert_eq!((random.length.least, random.length.greatest), (5.0, 9.0));
    assert_eq!(report.branching_by_ply[..3], [9.0, 8.0, 7.0]);
    // With deep searches everything is drawn.
    let best = report.levels.last().unwrap();
    assert_eq!((best.name.as_str(), best.summary.draws), ("depth 6", 6));
    assert!(report.findings.iter().any(|finding| finding.contains("Most games are drawn: 100 %")));
    assert!(report.complete);
}

#[test]
fn reports_are_shown_in_three_ways() {
    let mut report = report("tic-tac-toe", &plan());
    let part = Unused { rule: "main".into(), line: 7, text: "a < b".into(), tried: 3 };
    report.set_unused(vec![part]);
    assert!(report.findings.iter().any(|finding| finding.starts_with("1 parts of the rules never")));
    let said = text(&report);
    assert!(
        said.contains("depth 2") && said.contains("100 : 50") && said.contains("line   7, `main`"),
        "{said}"
    );
    let page = html(&report);
    assert_eq!(page.matches("<svg").count(), 6);
    assert!(page.contains("a &lt; b") && !page.contains("http"), "nothing comes from anywhere else");
    assert!(!page.contains("NaN") && !page.contains("inf"), "{page}");
    let json = serde_json::to_value(&report).unwrap();
    assert_eq!(json["levels"][1]["summary"]["games"], 6);
    assert_eq!(json["doublings"][0]["nodes"], 50);
}

#[test]
fn the_same_seed_gives_the_same_games() {
    let plan = Plan { doublings: 0, random_games: 20, games: 3, ..plan() };
    let lengths = |seed| {
        let report = report("tic-tac-toe", &Plan { seed, ..plan });
        (report.random.lengths.clone(), report.levels[1].summary.lengths.clone())
    };
    assert_eq!(lengths(1), lengths(1));
    assert_ne!(lengths(1), lengths(2));
}

/// Keeps the positions that it hears of.
#[derive(Debug, Default, PartialEq)]
struct Heard(Vec<<RulesGame as Game>::Position>);

impl Listener<RulesGame> for Heard {
    fn position(&mut self, position: &<RulesGame as Game>::Position) {
        self.0.push(position.clone());
    }
}

#[test]
fn reports_do_not_depend_on_how_many_games_are_played_at_once() {
    // One whose levels are depths, and one whose levels are random games.
    for (name, games, doublings) in [("tic-tac-toe", 12, 1), ("domineering", 2, 0)] {
        let game = game(name);
        let reports = [1, 3].map(|concurrency| {
            let plan = Plan { random_games: 30, levels: 1, games, doublings, concurrency, ..plan() };
            let mut heard = Heard::default();
            let report = analyze(&game, &plan, &|_| None, &AtomicBool::new(false), &mut heard).unwrap();
            (serde_json::to_value(&report).unwrap(), heard)
        });
        assert_eq!(reports[0], reports[1], "{name}");
        assert!(reports[0].1.0.len() > 100);
    }
}

#[test]
fn a_stopped_analysis_says_so() {
    let report = analyze(&game("tic-tac-toe"), &plan(), &|_| None, &AtomicBool::new(true), &mut ()).unwrap();
    assert!(!report.complete && text(&report).contains("stopped early"));
    assert!(!html(&report).contains("NaN"));
}

#[test]
fn puzzles_are_refused() {
    let error = analyze(&game("hanoi"), &plan(), &|_| None, &AtomicBool::new(false), &mut ()).unwrap_err();
    assert!(error.to_string().contains("a puzzle has no opponent"));
}
