//! A hand-written game played move by move: what a `Line` keeps.

use multigame_game::{Game, Line};
use multigame_reference::ConnectFour;

/// New moves overwrite the moves that were taken back.
#[test]
fn lines_forget_what_was_taken_back() {
    let game = ConnectFour::new();
    let moves_of = |line: &Line<'_, ConnectFour>| {
        let mut moves = Vec::new();
        line.legal_moves(&mut moves).unwrap();
        moves
    };
    let mut line = Line::new(&game, game.initial());
    for column in [0, 0, 3] {
        let mv = moves_of(&line)[column];
        line.play(&mv);
    }
    assert!(line.undo() && line.undo());
    assert_eq!((line.moves().len(), line.positions().len()), (1, 2));
    let early = line.clone();
    for column in [5, 1] {
        let mv = moves_of(&line)[column];
        line.play(&mv);
    }
    let mut fresh = Line::new(&game, game.initial());
    for column in [0, 5, 1] {
        let mv = moves_of(&fresh)[column];
        fresh.play(&mv);
    }
    assert_eq!(line.moves(), fresh.moves());
    assert_eq!(line.positions(), fresh.positions());
    assert_eq!(early.positions(), &fresh.positions()[..2]);
    line.restart();
    assert_eq!(line.positions(), &fresh.positions()[..1]);
    assert!(!line.undo());
}
