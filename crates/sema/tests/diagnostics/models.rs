//! The models of correct programs.

use multigame_game::{Field, NoMoves, NotationStyle, Piece, Repetition, Side, Topology};
use multigame_sema::Model;

use crate::analyze;

fn model(text: &str) -> Model {
    let analysis = analyze(text, &[]);
    analysis.model.unwrap_or_else(|| panic!("{:?}", analysis.diagnostics))
}

#[test]
fn a_description_is_complete() {
    let model = model(
        r##"
players = 2 no moves = pass repetition = loss 3
pieces { man 'M' 'm' rock '#' }
properties { count : board : [0 .. 9] unhashed  home : player : [1 .. 5]  seeds : field : [0 .. 48]  left : move : [2 .. 3] }
setup { "m.m" "_#_" "M.M" count = 4 home = 2, 3 seeds = "1 2 3" "_ 5 _" "7 8 9" black to move apply start }
notation { coordinates }
looks { man "A" "B" man colour "red" rock "R" fields "plain" }
main = find own man, assert (count + home + seeds + left).
final = draw.
start = find rock, replace by rock.
"##,
    );
    let description = &model.description;
    assert_eq!((description.board.columns(), description.board.rows()), (3, 3));
    assert_eq!(description.board.topology(), Topology::Square);
    assert!(description.board.turned());
    assert!(!description.board.is_field(Field(3)));
    let symbols: String = description.pieces.iter().map(|piece| piece.symbol).collect();
    assert_eq!(symbols, ".Mm#");
    assert_eq!(description.pieces[1].side, Some(Side::White));
    assert_eq!(description.pieces[3].side, None);
    assert_eq!(description.pieces[2].glyph.as_deref(), Some("B"));
    assert_eq!(description.pieces[2].colour.as_deref(), Some("red"));
    assert_eq!(description.looks.fields.as_deref(), Some("plain"));
    assert_eq!(description.no_moves, NoMoves::Pass);
    assert_eq!(description.repetition, Repetition::Loss(3));
    assert_eq!(description.notation, [NotationStyle::Coordinates]);
    assert_eq!(description.initial.side, Side::Black);
    assert_eq!(
        description.initial.cells.iter().map(|piece| piece.0).collect::<Vec<_>>(),
        [1, 0, 1, 0, 3, 0, 2, 0, 2]
    );
    assert_eq!(description.initial.values, [4, 2, 3, 7, 8, 9, 0, 5, 0, 1, 2, 3]);
    assert_eq!(description.properties.iter().map(|property| property.offset).collect::<Vec<_>>(), [0, 1, 3]);
    assert!(!description.properties[0].hashed && description.properties[1].hashed);
    assert_eq!(model.move_properties[0].low, 2);
    assert_eq!(model.rules[model.last.unwrap().index()].name, "final");
    assert_eq!(model.rules[model.setup_rule.unwrap().index()].name, "start");
}

#[test]
fn defaults() {
    let model = model("dimensions (2, 2) main = draw.");
    assert_eq!(model.description.players, 2);
    assert!(model.description.board.turned());
    assert_eq!(model.description.no_moves, NoMoves::Loss);
    assert_eq!(model.description.repetition, Repetition::Ignored);
    assert_eq!(model.description.initial.cells, [Piece::NONE; 4]);
    assert_eq!(model.goal, None);
}

#[test]
fn puzzles_have_one_side_and_a_goal() {
    let model = model("players = 1 dimensions (2, 2) pieces { tile 't' } main = draw. goal = find own tile.");
    assert!(!model.description.board.turned());
    assert_eq!(model.description.pieces[1].side, Some(Side::White));
    assert!(model.goal.is_some());
}

#[test]
fn a_rule_may_have_the_name_of_a_new_word() {
    let model = model(
        "dimensions (2, 2) main = either goal or pass or final. goal = win. pass = draw. final = lose.",
    );
    assert_eq!((model.goal, model.last), (None, None));
}
