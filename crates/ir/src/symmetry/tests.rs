//! Which turns boards have: of squares, oblongs, and boards with holes.

use multigame_game::{Board, Topology};

use super::*;

#[test]
fn a_square_board_has_seven_other_looks_and_directions_follow() {
    let board = Board::grid(Topology::Square, 4, 4, vec![true; 16], true).unwrap();
    let all = candidates(&board);
    assert_eq!(all.len(), 7);
    for turned in all {
        for (field, direction) in board.fields().flat_map(|it| board.directions().map(move |to| (it, to))) {
            let there = board.step(field, direction).map(|next| turned.fields[next.index()]);
            let image = board.step(turned.fields[field.index()], turned.directions[direction.index()]);
            assert_eq!(there, image);
        }
    }
    let oblong = Board::grid(Topology::Square, 4, 3, vec![true; 12], true).unwrap();
    assert_eq!(candidates(&oblong).len(), 3);
    let mut present = vec![true; 16];
    present[1] = false;
    let corner = Board::grid(Topology::Square, 4, 4, present, false).unwrap();
    assert!(candidates(&corner).is_empty());
}
