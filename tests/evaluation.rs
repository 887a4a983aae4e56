//! Evaluations as users meet them: lower bounds that must not lie, values that must be the same for both
//! players, and commands.

use std::collections::HashMap;
use std::path::Path;
use std::process::Command;

use multigame_compiler::{Options, compile};
use multigame_game::{Appraiser, Game, Piece, Purpose, Side, parse_position};
use multigame_ir::{Program, RulesGame};
use multigame_jit::JitGame;
use multigame_search::{Evaluator, RulesEvaluator};

fn program(path: &str) -> Program {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap();
    let compilation = compile(&text, &Options::default());
    compilation.program.unwrap_or_else(|| panic!("{path}: {:?}", compilation.diagnostics))
}

/// All distances from the goal of the 8-puzzle, by breadth-first search; its rules there have no `goal`, so
/// the search can begin in it.
fn distances(game: &JitGame) -> HashMap<u64, (<JitGame as Game>::Position, u32)> {
    let start = game.initial();
    let mut known = HashMap::from([(game.signature(&start), (start.clone(), 0))]);
    let mut border = vec![start];
    for distance in 1.. {
        let mut next = Vec::new();
        for position in &border {
            game.children(position, &mut |child| {
                known.entry(game.signature(child)).or_insert_with(|| {
                    next.push(child.clone());
                    (child.clone(), distance)
                });
                std::ops::ControlFlow::Continue(())
            })
            .unwrap();
        }
        if next.is_empty() {
            break;
        }
        border = next;
    }
    known
}

#[test]
fn manhattan_distance_linear_conflicts_corners_and_last_move_never_overestimate() {
    let game = JitGame::new(program("tests/data/8-puzzle.mg")).unwrap();
    let known = distances(&game);
    assert_eq!(known.len(), 181_440);
    let evaluator = RulesEvaluator::new(&game, None).unwrap();
    let appraiser = evaluator.appraiser().unwrap();
    assert_eq!(appraiser.evaluation().purpose, Purpose::Bound);
    let manhattan = |position: &<JitGame as Game>::Position| {
        let cells = game.diagram(position).cells;
        let placed = cells.iter().enumerate().filter(|(_, piece)| **piece != Piece::NONE);
        placed
            .map(|(field, piece)| {
                let (row, column) = (2 - field / 3, field % 3);
                (row.abs_diff(piece.index() / 3) + column.abs_diff(piece.index() % 3)) as u32
            })
            .sum::<u32>()
    };
    let (mut sum, mut plain) = (0, 0);
    let mut used = [0; 3];
    for (number, (position, distance)) in known.values().enumerate() {
        let bound = evaluator.lower_bound(&game, position);
        assert!(bound <= *distance, "{bound} moves for {distance}: {:?}", game.diagram(position).cells);
        assert!(bound.abs_diff(*distance) % 2 == 0, "every move changes the parity");
        assert!(bound >= manhattan(position));
        (sum, plain) = (sum + bound, plain + manhattan(position));
        if number % 50 == 0 {
            let shares = appraiser.explain(&game, position).unwrap().shares;
            let terms = ["conflicts", "corners", "last_move"];
            let shares = shares.iter().filter(|share| terms.contains(&share.name.as_str()));
            for (count, share) in used.iter_mut().zip(shares) {
                *count += u32::from(share.value > 0.0);
            }
        }
    }
    assert!(used.iter().all(|&count| count > 100), "every term matters somewhere: {used:?}");
    assert!(f64::from(sum) > 1.04 * f64::from(plain), "{sum} is hardly more than {plain}");
}

#[test]
fn both_players_see_the_same() {
    // The same position with colours changed and the board turned has the same value.
    for game in ["breakthrough", "chess", "checkers", "international-draughts"] {
        let game = RulesGame::new(program(&format!("games/{game}/rules.mg")));
        let text = match game.description().pieces[1].symbol {
            'P' => "r1bqk2r/pp1n1ppp/2pb1n2/3p4/3P1B2/2N1PN2/PP3PPP/R2QKB1R w KQkq - 0 9",
            'w' if game.description().board.columns() == 10 => {
                "1b3b3b/b9/3b6/2b7/10/3w4w1/8w1/1w8/w5w3/5w3w w"
            }
            'w' if game.description().pieces.len() > 3 => "3b3b/8/1b3W2/8/3w4/4w3/1w6/2B1w1w1 w",
            _ => "b1bbb2b/1b3bb1/3b4/1w6/4b3/2w5/w1ww2ww/w3w1ww w",
        };
        let diagram =
            parse_position(game.description(), text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let pieces = &game.description().pieces;
        let other = |piece: Piece| {
            let info = &pieces[piece.index()];
            let twin =
                pieces.iter().position(|p| p.name == info.name && p.side == info.side.map(Side::opponent));
            Piece(twin.unwrap_or(0) as u8)
        };
        let mut turned = diagram.clone();
        turned.cells = diagram.cells.iter().rev().map(|&piece| other(piece)).collect();
        turned.side = Side::Black;
        for number in 0..game.evaluations().len() {
            let appraiser = Appraiser::new(&game, number);
            let white = appraiser.value(&game, &game.position(&diagram)).unwrap();
            let black = appraiser.value(&game, &game.position(&turned)).unwrap();
            assert_eq!(white, black, "{text}");
            assert_ne!(white, 0, "{text}");
        }
    }
}

#[test]
fn the_gradient_times_the_weights_is_the_value() {
    for (game, text) in [
        ("chess", "r1bqk2r/pp1n1ppp/2pb1n2/3p4/3P1B2/2N1PN2/PP3PPP/R2QKB1R b KQkq - 0 9"),
        ("chess", "8/5k2/3p4/1p1Pp2p/pP2Pp1P/P4P1K/8/8 b - - 99 50"),
        ("breakthrough", "b1bbb2b/1b3bb1/3b4/1w6/4b3/2w5/w1ww2ww/w3w1ww b"),
        ("othello", "8/8/2XO4/2OXXO2/3XO3/4XO2/8/8 b"),
    ] {
        let game = RulesGame::new(program(&format!("games/{game}/rules.mg")));
        let position = game.position(&parse_position(game.description(), text).unwrap());
        let mut appraiser = Appraiser::new(&game, 0);
        for change in 0..3 {
            let weights = appraiser.evaluation().weights.iter().enumerate();
            let values: Vec<i32> =
                weights.map(|(number, w)| w.value + change * (number as i32 % 7)).collect();
            appraiser.set(game.description(), values.clone());
            let slopes = appraiser.gradient(&game, &position).unwrap();
            assert!(slopes.iter().is_sorted_by_key(|(number, _)| *number));
            let sum: f64 = slopes.iter().map(|&(number, slope)| slope * f64::from(values[number])).sum();
            let value = f64::from(appraiser.value(&game, &position).unwrap());
            assert!((sum - value).abs() < 1.0, "{sum} is not {value}");
        }
    }
}

#[test]
fn goals_are_found_in_win_conditions() {
    let goals = |name: &str| RulesGame::new(program(&format!("games/{name}/rules.mg"))).goals();
    let breakthrough = goals("breakthrough");
    assert_eq!(breakthrough.len(), 2, "{breakthrough:?}");
    assert_eq!(breakthrough[0].fields.len(), 8);
    assert!(breakthrough[0].fields.iter().all(|field| field.index() >= 56));
    assert!(breakthrough[1].fields.iter().all(|field| field.index() < 8));
    assert!(breakthrough.iter().all(|goal| !goal.all));
    assert!(goals("chess").is_empty());
    // All men have to be in the opposite camp, and go to its end first.
    let halma = goals("halma");
    assert_eq!(halma.len(), 2, "{halma:?}");
    assert!(halma.iter().all(|goal| goal.all && goal.fields.len() == 19), "{halma:?}");
    let board = RulesGame::new(program("games/halma/rules.mg")).description().board.clone();
    let distances = halma[0].distances(&board);
    let at = |column, row| distances[board.field_at(column, row).unwrap().index()];
    assert_eq!((at(16, 16), at(12, 16), at(12, 15), at(1, 1)), (Some(0), Some(3), Some(3), Some(15)));
    let game = RulesGame::new(program("games/breakthrough/rules.mg"));
    let evaluator = RulesEvaluator::new(&game, Some("measured")).unwrap();
    let near = parse_position(game.description(), "bb6/4w3/8/8/8/8/b7/8 w").unwrap();
    let far = parse_position(game.description(), "bb6/8/8/4w3/8/8/b7/8 w").unwrap();
    assert!(
        evaluator.evaluate(&game, &game.position(&near)) > evaluator.evaluate(&game, &game.position(&far))
    );
}

fn run(arguments: &[&str]) -> (String, String, bool) {
    let output = Command::new(env!("CARGO_BIN_EXE_multigame")).args(arguments).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (text(&output.stdout), text(&output.stderr), output.status.success())
}

#[test]
fn evaluate_explains_and_refuses() {
    let (text, _, fine) = run(&["evaluate", "chess"]);
    assert!(fine && text.contains("phase 24") && text.contains("tempo"), "{text}");
    let (text, _, fine) = run(&["evaluate", "chess", "--json", "--backend", "jit"]);
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert!(fine && json["terms"].as_array().unwrap().len() > 10 && json["kind"] == "worth", "{text}");
    let (text, _, _) = run(&["evaluate", "othello", "--evaluation", "multello", "--weights"]);
    assert!(text.contains("table.disc.a1"), "{text}");
    let (_, error, fine) = run(&["evaluate", "chess", "--evaluation", "magic"]);
    assert!(!fine && error.contains("there is no evaluation `magic`; there are main, measured"), "{error}");
    let (_, error, fine) = run(&["evaluate", "tic-tac-toe", "--position", "XXX/OO1/3 b"]);
    assert!(fine || error.contains("the game is over"), "{error}");
    let (_, error, fine) = run(&["evaluate", "chess", "--weights-file", "no-such-file"]);
    assert!(!fine && error.contains("no-such-file"), "{error}");
}

#[test]
fn a_weights_file_beside_the_rules_counts() {
    let folder = std::env::temp_dir().join(format!("multigame-weights-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let rules = folder.join("rules.mg");
    let text = "dimensions (2, 2) no moves = loss pieces { man 'M' 'm' }
        setup { \".m\" \"MM\" } evaluation { material { man 100 } }
        main = find own man, pick up, north, step, not points at own man, put down.";
    std::fs::write(&rules, text).unwrap();
    let value = |more: &[&str]| {
        let arguments: Vec<&str> =
            ["evaluate", rules.to_str().unwrap(), "--json"].iter().chain(more).copied().collect();
        let (text, error, _) = run(&arguments);
        serde_json::from_str::<serde_json::Value>(&text).map(|json| json["value"].clone()).map_err(|_| error)
    };
    assert_eq!(value(&[]).unwrap(), 100);
    let file = "[evaluation.main]\nprovenance = \"x\"\n[evaluation.main.weights]\n\"material.man\" = 70\n";
    std::fs::write(folder.join("weights.toml"), file).unwrap();
    assert_eq!(value(&[]).unwrap(), 70);
    assert_eq!(value(&["--weights-file", "rules"]).unwrap(), 100);
    std::fs::write(folder.join("weights.toml"), file.replace("material.man", "material.rock")).unwrap();
    assert!(value(&[]).unwrap_err().contains("no weight `material.rock`"));
    std::fs::remove_dir_all(&folder).unwrap();
}
