//! English draughts: four diagonal shifts; jumps are followed one after the other.

use std::ops::ControlFlow;

use multigame_game::{
    Description, Diagram, Looks, NotationStyle, Outcome, Piece, Property, Repetition, Scope, Side,
};

use crate::by_hand::{ByHand, HandWritten};
use crate::describe::{diagram_of, fields_of, fingerprint, lost, mix, square, starting};

const NOT_LEFT: u64 = !0x0101_0101_0101_0101;
const NOT_RIGHT: u64 = !0x8080_8080_8080_8080;
const ENDS: u64 = 0xff00_0000_0000_00ff;

/// Quiet moves after which the game is drawn.
const MOST_QUIET: u8 = 80;

/// English draughts.
pub type Checkers = ByHand<Rules>;

/// The rules of English draughts.
#[derive(Debug)]
pub struct Rules;

/// A position of [`Checkers`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// White's and Black's pieces, kings included.
    pieces: [u64; 2],
    kings: u64,
    side: Side,
    /// Moves of kings since the last jump or man's move.
    quiet: u8,
    /// Whether the last move was such a move.
    reversible: bool,
    /// Whether it was one too many.
    drawn: bool,
}

/// A move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    from: u8,
    to: u8,
    /// The pieces that are taken.
    taken: u64,
}

/// The four directions; those of White's men come first.
const DIRECTIONS: [usize; 4] = [0, 1, 2, 3];

/// All fields of a set one step further.
#[inline]
fn step(direction: usize, set: u64) -> u64 {
    match direction {
        0 => set << 7 & NOT_RIGHT,
        1 => set << 9 & NOT_LEFT,
        2 => set >> 7 & NOT_LEFT,
        _ => set >> 9 & NOT_RIGHT,
    }
}

/// The directions of a side's men.
#[inline]
fn forward(side: Side) -> [usize; 2] {
    if side == Side::White { [0, 1] } else { [2, 3] }
}

impl Position {
    #[inline]
    fn own(&self) -> u64 {
        self.pieces[self.side.index()]
    }

    #[inline]
    fn other(&self) -> u64 {
        self.pieces[self.side.opponent().index()]
    }

    #[inline]
    fn empty(&self) -> u64 {
        !(self.pieces[0] | self.pieces[1])
    }

    /// The pieces that move into each direction: men forward, kings everywhere.
    #[inline]
    fn movers(&self) -> [u64; 4] {
        let (own, kings) = (self.own(), self.own() & self.kings);
        match self.side {
            Side::White => [own, own, kings, kings],
            Side::Black => [kings, kings, own, own],
        }
    }

    /// The pieces that can jump.
    #[inline]
    fn jumpers(&self) -> u64 {
        let (empty, other, movers) = (self.empty(), self.other(), self.movers());
        DIRECTIONS.into_iter().fold(0, |all, direction| {
            let back = 3 - direction;
            all | step(back, step(back, empty) & other) & movers[direction]
        })
    }

    /// The fields that can be stepped to, by direction.
    #[inline]
    fn steps(&self) -> [u64; 4] {
        let (empty, movers) = (self.empty(), self.movers());
        DIRECTIONS.map(|direction| step(direction, movers[direction]) & empty)
    }
}

/// A piece in the middle of its jumps.
#[derive(Clone, Copy)]
struct Jump {
    from: u8,
    at: u64,
    taken: u64,
    /// Fields that are empty, the one it came from included.
    empty: u64,
    /// Pieces that can still be taken.
    other: u64,
}

/// Follows all ways to go on; they end where there is none.
fn follow(
    jump: Jump,
    directions: &[usize],
    take: &mut dyn FnMut(Move) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let mut goes_on = false;
    for &direction in directions {
        let over = step(direction, jump.at) & jump.other;
        let at = step(direction, over) & jump.empty;
        if at != 0 {
            goes_on = true;
            let next = Jump {
                at,
                taken: jump.taken | over,
                empty: jump.empty | over,
                other: jump.other & !over,
                ..jump
            };
            follow(next, directions, take)?;
        }
    }
    if goes_on {
        return ControlFlow::Continue(());
    }
    take(Move { from: jump.from, to: jump.at.trailing_zeros() as u8, taken: jump.taken })
}

/// Hands out all jumps.
fn each_jump(
    position: &Position,
    mut jumpers: u64,
    take: &mut dyn FnMut(Move) -> ControlFlow<()>,
) -> ControlFlow<()> {
    while jumpers != 0 {
        let at = jumpers & jumpers.wrapping_neg();
        let from = jumpers.trailing_zeros() as u8;
        let (empty, other) = (position.empty() | at, position.other());
        let jump = Jump { from, at, taken: 0, empty, other };
        if at & position.kings == 0 {
            follow(jump, &forward(position.side), take)?;
        } else {
            // A king that goes round takes the same pieces either way: that is one move.
            let mut round: Vec<Move> = Vec::new();
            follow(jump, &DIRECTIONS, &mut |mv| {
                if mv.taken.count_ones() >= 4 {
                    if round.contains(&mv) {
                        return ControlFlow::Continue(());
                    }
                    round.push(mv);
                }
                take(mv)
            })?;
        }
        jumpers &= jumpers - 1;
    }
    ControlFlow::Continue(())
}

impl HandWritten for Rules {
    type Position = Position;
    type Move = Move;

    fn description() -> Description {
        let kinds = [("man", ['w', 'b'], Some(["⛀", "⛂"])), ("king", ['W', 'B'], Some(["⛁", "⛃"]))];
        let mut board = square("checkers", 8, 8, true, &kinds);
        board.properties.push(Property {
            name: "quiet".to_string(),
            scope: Scope::Board,
            low: 0,
            high: i32::from(MOST_QUIET),
            hashed: false,
            offset: 0,
        });
        let start = "1b1b1b1b/b1b1b1b1/1b1b1b1b/8/8/w1w1w1w1/1w1w1w1w/w1w1w1w1 b";
        Description {
            repetition: Repetition::Draw(3),
            notation: vec![NotationStyle::Pdn],
            looks: Looks { fields: Some("chequered".to_string()) },
            ..starting(board, start)
        }
    }

    fn read(diagram: &Diagram) -> Position {
        let [white, black, white_kings, black_kings] =
            [1, 2, 3, 4].map(|piece| fields_of(diagram, Piece(piece)));
        Position {
            pieces: [white | white_kings, black | black_kings],
            kings: white_kings | black_kings,
            side: diagram.side,
            quiet: diagram.values.first().map_or(0, |quiet| (*quiet).clamp(0, i32::from(MOST_QUIET)) as u8),
            reversible: true,
            drawn: false,
        }
    }

    fn show(position: &Position) -> Diagram {
        let [white, black] = position.pieces;
        let kings = position.kings;
        let boards = [white & !kings, black & !kings, white & kings, black & kings];
        diagram_of(&boards, vec![i32::from(position.quiet)], position.side)
    }

    fn side(position: &Position) -> Side {
        position.side
    }

    fn signature(position: &Position) -> u64 {
        let [white, black] = position.pieces;
        fingerprint(white ^ mix(position.kings), black, position.side)
    }

    fn irreversible(position: &Position) -> bool {
        !position.reversible
    }

    fn each(position: &Position, mut take: impl FnMut(Move) -> ControlFlow<()>) -> Option<Outcome> {
        if position.drawn {
            return Some(Outcome::Draw);
        }
        let jumpers = position.jumpers();
        if jumpers != 0 {
            let _ = each_jump(position, jumpers, &mut take);
            return None;
        }
        let steps = position.steps();
        if steps.iter().all(|targets| *targets == 0) {
            return Some(lost(position.side));
        }
        for (direction, mut targets) in steps.into_iter().enumerate() {
            let distance = [7, 9, -7, -9][direction];
            while targets != 0 {
                let to = targets.trailing_zeros() as u8;
                if take(Move { from: to.wrapping_add_signed(-distance), to, taken: 0 }).is_break() {
                    return None;
                }
                targets &= targets - 1;
            }
        }
        None
    }

    fn count(position: &Position) -> u64 {
        if position.drawn {
            return 0;
        }
        let jumpers = position.jumpers();
        if jumpers == 0 {
            return position.steps().iter().map(|targets| u64::from(targets.count_ones())).sum();
        }
        let mut count = 0;
        let _ = each_jump(position, jumpers, &mut |_| {
            count += 1;
            ControlFlow::Continue(())
        });
        count
    }

    #[inline]
    fn play(position: &Position, mv: Move) -> Position {
        let (from, to) = (1u64 << mv.from, 1u64 << mv.to);
        let (own, other) = (position.side.index(), position.side.opponent().index());
        let is_king = position.kings & from != 0;
        let mut pieces = position.pieces;
        pieces[own] = pieces[own] & !from | to;
        pieces[other] &= !mv.taken;
        let mut kings = position.kings & !(from | mv.taken);
        if is_king || to & ENDS != 0 {
            kings |= to;
        }
        let reversible = is_king && mv.taken == 0;
        let quiet = if reversible { (position.quiet + 1).min(MOST_QUIET) } else { 0 };
        Position {
            pieces,
            kings,
            side: position.side.opponent(),
            quiet,
            reversible,
            drawn: reversible && quiet == MOST_QUIET,
        }
    }

    fn key(mv: Move) -> u64 {
        mix(mix(mv.taken) + u64::from(mv.from) * 64 + u64::from(mv.to))
    }
}
