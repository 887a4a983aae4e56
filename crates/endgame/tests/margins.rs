//! Games that end with scores: best margins against a direct search of every position.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use multigame_endgame::{Anatomy, Conditions, Endgames, Standing, Tables, solve_strongly, summary, verify};
use multigame_game::{Game, Outcome, Side, Signature, WithGame};
use multigame_loader::{Backend, Playable, compile, source};

/// The margin of the first position as White sees it, and the number of positions whose margins agree.
struct Margins;

impl WithGame for Margins {
    type Output = (i32, usize);

    fn run<G: Game>(self, game: G) -> (i32, usize) {
        let stop = AtomicBool::new(false);
        let mut tell = |_: &'static str, _, _| {};
        let mut conditions =
            Conditions { threads: 2, memory: 1 << 30, option: "--table", stop: &stop, tell: &mut tell };
        let table = solve_strongly(&game, &game.initial(), &mut conditions).unwrap().unwrap();
        assert!(table.scored());
        let (anatomy, none) = (Anatomy::of(&game).unwrap(), Tables::default());
        let proved = verify(&game, &table, anatomy.survey(), &none, &mut conditions).unwrap();
        assert_eq!(proved, Some(summary(&game, &table).positions()));
        let entries = table.entries();
        let endgames = Endgames::new(game.description(), none, Some(table.into()));
        let mut known = HashMap::new();
        let margin = direct(&game, &game.initial(), &endgames, &mut known);
        assert_eq!(known.len(), entries);
        (margin, entries)
    }
}

/// The best margin as White sees it, by going through all games; the database has to say the same.
fn direct<G: Game>(
    game: &G,
    position: &G::Position,
    endgames: &Endgames,
    known: &mut HashMap<Signature, i32>,
) -> i32 {
    let score = |outcome| match outcome {
        Outcome::Score(margin) => margin,
        Outcome::Draw => 0,
        Outcome::Wins(_) => panic!("a game without a score"),
    };
    if let Some(outcome) = game.ended(position) {
        return score(outcome);
    }
    let signature = game.signature(position);
    if let Some(&margin) = known.get(&signature) {
        return margin;
    }
    let white = game.side_to_move(position) == Side::White;
    let mut children = Vec::new();
    let outcome = game.children(position, &mut |child| {
        children.push(child.clone());
        ControlFlow::Continue(())
    });
    let margin = match outcome.unwrap() {
        Some(outcome) => score(outcome),
        None => {
            let margins = children.iter().map(|child| direct(game, child, endgames, known));
            if white { margins.max().unwrap() } else { margins.min().unwrap() }
        }
    };
    let ahead = if white { margin } else { -margin };
    let standing = match ahead {
        0 => Standing::Draw,
        1.. => Standing::Ahead(ahead as u16),
        _ => Standing::Behind(ahead.unsigned_abs() as u16),
    };
    assert_eq!(endgames.probe(game, position), Some(standing));
    known.insert(signature, margin);
    margin
}

fn margins(name: &str, parameters: &[(&str, i64)]) -> (i32, usize) {
    let parameters: Vec<(String, i64)> =
        parameters.iter().map(|&(name, value)| (name.to_string(), value)).collect();
    let program = compile(&source(name).unwrap(), &parameters).program.unwrap();
    Playable::new(program, Backend::Auto).0.run(Margins)
}

#[test]
fn best_margins_are_those_of_a_direct_search() {
    let (margin, positions) = margins("dots-and-boxes", &[("columns", 2), ("rows", 2)]);
    // Berlekamp, Conway and Guy, Winning Ways: the first player wins on 2 x 2 boxes.
    assert_eq!(margin, 2);
    assert!(positions > 4_000, "{positions}");
    let (margin, positions) = margins("kalah", &[("filling", 1)]);
    assert_eq!((margin, positions), (2, 1_182_342));
}
