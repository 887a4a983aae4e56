//! Symmetries of a game: ways to turn or reflect the board that change nothing about how the game goes on.
//!
//! A board can be turned and reflected in eight ways at most. Which of them the rules do not notice is found
//! by trying: along random games (always the same ones) the moves of the turned position have to be the
//! turned moves, endings included. So a symmetry is established by thousands of positions, not by a proof;
//! rules that treat one corner of the board in their own way in some rare position only could deceive it.
//!
//! A signature is a sum of independent numbers, so the same difference of signatures becomes the same
//! difference when the board is turned: [`Images`] remembers which, and follows the signatures of all images
//! of a position without ever turning one.

use std::ops::ControlFlow;

use multigame_game::{Diagram, Field, Game, Line, Outcome, Random, Scope, Signature, Status};

/// Random games that have to agree, and how far they are followed.
const GAMES: usize = 30;
const LONGEST: usize = 100;

/// One way to turn or reflect the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Symmetry {
    /// Where each field goes.
    fields: Vec<usize>,
    /// The first value of each property that belongs to fields.
    offsets: Vec<usize>,
}

impl Symmetry {
    fn turn(&self, diagram: &Diagram) -> Diagram {
        let mut turned = diagram.clone();
        for (from, &to) in self.fields.iter().enumerate() {
            turned.cells[to] = diagram.cells[from];
            for offset in &self.offsets {
                turned.values[offset + to] = diagram.values[offset + from];
            }
        }
        turned
    }
}

/// The symmetries of a game, without the one that changes nothing.
pub(crate) fn symmetries<G: Game>(game: &G) -> Vec<Symmetry> {
    let mut candidates = candidates(game);
    let mut random = Random::new(7);
    for _ in 0..GAMES {
        let mut line = Line::new(game, game.initial());
        for _ in 0..LONGEST {
            // Diagrams do not tell that a move has ended the game, so turned positions would go on.
            let mut moves = Vec::new();
            if candidates.is_empty() || !matches!(line.legal_moves(&mut moves), Ok(None)) {
                break;
            }
            candidates.retain(|symmetry| agrees(game, symmetry, line.position()));
            if !matches!(line.repetition(), Ok(Status::Playing)) {
                break;
            }
            line.play(&moves[random.below(moves.len())]);
        }
    }
    candidates
}

/// Ways to map the board onto itself.
fn candidates<G: Game>(game: &G) -> Vec<Symmetry> {
    let description = game.description();
    let board = &description.board;
    let (columns, rows) = (i64::from(board.columns()), i64::from(board.rows()));
    let fields = description.properties.iter().filter(|property| property.scope == Scope::Field);
    let offsets: Vec<usize> = fields.map(|property| property.offset).collect();
    let mut symmetries: Vec<Symmetry> = Vec::new();
    for way in 1..8 {
        let image = |field: usize| {
            let field = Field(field as u16);
            let (column, row) = (i64::from(board.column(field)), i64::from(board.row(field)));
            let (column, row) = if way & 4 == 0 { (column, row) } else { (row, column) };
            let column = if way & 1 == 0 { column } else { columns + 1 - column };
            let row = if way & 2 == 0 { row } else { rows + 1 - row };
            let image = board.field_at(column, row).filter(|&image| board.is_field(image));
            // Holes need not go anywhere.
            if board.is_field(field) { image.map(Field::index) } else { Some(field.index()) }
        };
        let Some(fields) = (0..board.size()).map(image).collect::<Option<Vec<usize>>>() else { continue };
        let changes = fields.iter().enumerate().any(|(from, &to)| from != to);
        let symmetry = Symmetry { fields, offsets: offsets.clone() };
        if changes && is_permutation(&symmetry.fields) && !symmetries.contains(&symmetry) {
            symmetries.push(symmetry);
        }
    }
    symmetries
}

fn is_permutation(fields: &[usize]) -> bool {
    let mut seen = vec![false; fields.len()];
    fields.iter().all(|&field| !std::mem::replace(&mut seen[field], true))
}

/// Whether the moves of a position and of the turned one are the same.
fn agrees<G: Game>(game: &G, symmetry: &Symmetry, position: &G::Position) -> bool {
    let turned = game.position(&symmetry.turn(&game.diagram(position)));
    let here = children(game, position, |diagram| symmetry.turn(&diagram));
    here.is_some() && here == children(game, &turned, |diagram| diagram)
}

type Children = (Option<Outcome>, Vec<(Signature, Diagram, Option<Outcome>)>);

/// The children of a position, in an order that does not depend on the generator.
fn children<G: Game>(
    game: &G,
    position: &G::Position,
    turn: impl Fn(Diagram) -> Diagram,
) -> Option<Children> {
    let mut children = Vec::new();
    let outcome = game.children(position, &mut |child| {
        let diagram = turn(game.diagram(child));
        let signature = game.signature(&game.position(&diagram));
        children.push((signature, diagram, game.ended(child)));
        ControlFlow::Continue(())
    });
    children.sort_by_key(|(signature, _, outcome)| (*signature, outcome.is_some()));
    Some((outcome.ok()?, children))
}

/// The signatures of a position under all symmetries of its game.
#[derive(Debug)]
pub(crate) struct Images {
    symmetries: Vec<Symmetry>,
    /// Differences of signatures that were met, and what they become under each symmetry.
    known: Vec<Signature>,
    become_: Vec<Signature>,
}

/// Differences that are remembered, as a power of two.
const REMEMBERED: u32 = 12;

impl Images {
    pub fn new(symmetries: Vec<Symmetry>) -> Images {
        let count = symmetries.len();
        Images { symmetries, known: vec![0; 1 << REMEMBERED], become_: vec![0; count << REMEMBERED] }
    }

    /// Number of signatures that a position has.
    pub fn count(&self) -> usize {
        self.symmetries.len() + 1
    }

    /// The signatures of a position, its own first.
    pub fn of<G: Game>(&self, game: &G, position: &G::Position, images: &mut Vec<Signature>) {
        let diagram = game.diagram(position);
        images.push(game.signature(position));
        let turned = self.symmetries.iter().map(|symmetry| symmetry.turn(&diagram));
        images.extend(turned.map(|diagram| game.signature(&game.position(&diagram))));
    }

    /// The signatures of a child, from those of its father.
    #[inline]
    pub fn follow<G: Game>(
        &mut self,
        game: &G,
        father: &G::Position,
        child: &G::Position,
        own: &[Signature],
        images: &mut Vec<Signature>,
    ) {
        let signature = game.signature(child);
        images.push(signature);
        if self.symmetries.is_empty() {
            return;
        }
        let difference = signature ^ own[0];
        let slot = (difference.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - REMEMBERED)) as usize;
        if self.known[slot] != difference {
            self.learn(game, father, child, slot);
        }
        let count = self.symmetries.len();
        let differences = &self.become_[slot * count..][..count];
        images.extend(own[1..].iter().zip(differences).map(|(own, difference)| own ^ difference));
    }

    #[cold]
    fn learn<G: Game>(&mut self, game: &G, father: &G::Position, child: &G::Position, slot: usize) {
        self.known[slot] = game.signature(child) ^ game.signature(father);
        let (before, after) = (game.diagram(father), game.diagram(child));
        for (number, symmetry) in self.symmetries.iter().enumerate() {
            let signature = |diagram: &Diagram| game.signature(&game.position(&symmetry.turn(diagram)));
            self.become_[slot * self.symmetries.len() + number] = signature(&before) ^ signature(&after);
        }
    }
}
