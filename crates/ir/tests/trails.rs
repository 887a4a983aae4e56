//! Trails tell the changes of a move in the order in which the rules make them.

use multigame_game::{Field, Game};
use multigame_ir::{RulesGame, parse};

fn game(text: &str) -> RulesGame {
    RulesGame::new(parse(text).expect("a program"))
}

#[test]
fn seeds_come_from_the_first_field() {
    let game = game(include_str!("files/sowing.ir"));
    let initial = &game.description().initial;
    let trails = game.trails(initial).unwrap();
    assert!(!trails.is_empty());
    for (after, trail) in trails {
        let decreased = |field: &Field| {
            game.description()
                .properties
                .iter()
                .filter(|property| property.scope == multigame_game::Scope::Field)
                .any(|p| after.values[p.offset + field.index()] < initial.values[p.offset + field.index()])
        };
        assert!(trail.len() > 1 && decreased(&trail[0]), "{trail:?}");
    }
}

#[test]
fn a_piece_is_picked_up_before_it_is_put_down() {
    let game = game(include_str!("files/breakthrough.ir"));
    let initial = &game.description().initial;
    for (after, trail) in game.trails(initial).unwrap() {
        let [from, to] = trail[..] else { panic!("{trail:?}") };
        assert_eq!(after.piece(to), initial.piece(from));
        assert_eq!(game.description().piece(after.piece(from)).name, "empty field");
    }
}

/// Positions are the same whether somebody asked for trails or not.
#[test]
fn trails_lead_to_the_children() {
    for text in
        [include_str!("files/othello.ir"), include_str!("files/peg.ir"), include_str!("files/tictactoe.ir")]
    {
        let game = game(text);
        let mut children = Vec::new();
        let _ = game.visit(&game.initial(), &mut |_, child| {
            children.push(game.diagram(child));
            std::ops::ControlFlow::Continue(())
        });
        let trails = game.trails(&game.description().initial).unwrap();
        assert!(children.iter().all(|child| trails.iter().any(|(after, _)| after == child)));
    }
}
