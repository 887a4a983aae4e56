//! A game of one's own: who takes the last match wins.

use std::ops::ControlFlow;

use multigame::{
    Board, Description, Diagram, Game, Line, Looks, NoMoves, Outcome, Piece, PieceInfo, Property, Random,
    Repetition, RulesError, Scope, Side, Signature, Solving, Topology, Visitor, Zobrist,
};

/// The game.
struct Matches(Description);

/// How many matches are left, and whose turn it is.
#[derive(Clone, Debug, PartialEq)]
struct Table {
    left: u8,
    side: Side,
}

impl Matches {
    fn new(matches: u8) -> Matches {
        let board = Board::grid(Topology::Square, 1, 1, vec![true], false).expect("one field is a board");
        let (name, scope, low, high) = ("left".to_string(), Scope::Board, 0, 255);
        let left = Property { name, scope, low, high, hashed: true, offset: 0 };
        let initial = Diagram { cells: vec![Piece::NONE], values: vec![matches.into()], side: Side::White };
        Matches(Description {
            name: "matches".to_string(),
            players: 2,
            board,
            pieces: vec![PieceInfo::none()],
            properties: vec![left],
            no_moves: NoMoves::Error,
            repetition: Repetition::Ignored,
            notation: Vec::new(),
            stacks: None,
            chance: None,
            looks: Looks::default(),
            initial,
        })
    }
}

impl Game for Matches {
    type Position = Table;
    type Move = u8;

    fn description(&self) -> &Description {
        &self.0
    }

    fn position(&self, diagram: &Diagram) -> Table {
        Table { left: diagram.values[0] as u8, side: diagram.side }
    }

    fn diagram(&self, table: &Table) -> Diagram {
        Diagram { cells: vec![Piece::NONE], values: vec![table.left.into()], side: table.side }
    }

    fn side_to_move(&self, table: &Table) -> Side {
        table.side
    }

    fn signature(&self, table: &Table) -> Signature {
        let side = if table.side == Side::White { 0 } else { Zobrist::BLACK_TO_MOVE };
        Random::new(table.left.into()).next_u64() ^ side
    }

    fn is_irreversible(&self, _: &Table) -> bool {
        true
    }

    fn visit(&self, table: &Table, visitor: &mut Visitor<'_, Self>) -> Result<Option<Outcome>, RulesError> {
        if table.left == 0 {
            return Ok(Some(Outcome::Wins(table.side.opponent())));
        }
        let mut child = table.clone();
        for taken in 1..=table.left.min(3) {
            self.apply(table, &taken, &mut child);
            if visitor(&taken, &child) == ControlFlow::Break(()) {
                break;
            }
        }
        Ok(None)
    }

    fn ended(&self, _: &Table) -> Option<Outcome> {
        None
    }

    fn ending(&self, _: &u8) -> Option<Outcome> {
        None
    }

    fn apply(&self, table: &Table, taken: &u8, child: &mut Table) {
        *child = Table { left: table.left - taken, side: table.side.opponent() };
    }

    fn move_key(&self, taken: &u8) -> u64 {
        Random::new(u64::from(*taken) + 1000).next_u64()
    }

    multigame::moves_alone!();
}

fn main() -> anyhow::Result<()> {
    for matches in [7, 8] {
        let game = Matches::new(matches);
        let solution = multigame::solve(&Line::new(&game, game.initial()), &Solving::default())?;
        // Nobody can win who leaves no multiple of four.
        assert_eq!(solution.proved.is_win(), matches % 4 != 0);
    }
    Ok(())
}
