//! Captures in the order of ZUGZWANG's experiment.

#[path = "../examples/support/chess.rs"]
mod chess;

use chess::{Exchanges, chess};
use multigame_game::{Game, notation, parse_position};
use multigame_search::Evaluator;

#[test]
fn captures_that_lose_material_come_after_other_moves() {
    let game = chess();
    let evaluator = Exchanges::new(&game);
    // A queen that can take a guarded pawn and one that is not, a pawn that can take a guarded rook.
    let text = "4k3/2p5/1r1p4/P7/8/3Q3p/8/4K3 w - - 0 1";
    let position = game.position(&parse_position(game.description(), text).unwrap());
    let priority = |text: &str| {
        let mv = notation::find(&game, &position, text).expect("a legal move");
        let gain = evaluator.gain(&game, &position, &mv);
        evaluator.priority(&game, &position, &mv, gain)
    };
    assert!(priority("d3d6") < 0, "the queen would be taken");
    assert!(priority("d3h3") > 0, "nobody guards the pawn");
    assert!(priority("a5b6") > priority("d3h3"), "a rook for a pawn");
    assert_eq!(priority("d3d4"), 0, "nothing is taken");
}
