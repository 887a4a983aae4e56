//! Symmetries that are proved: which there are, and that the moves of positions agree with them.

use std::ops::ControlFlow;

use multigame_game::{Diagram, Field, Game, Outcome, Piece, PieceSet, Random, WithGame};
use multigame_loader::{Backend, Playable, compile, source};

/// How many symmetries positions with the pieces of each of these texts have; the moves of as many positions
/// as are asked for are compared.
struct Count<'n>(&'n [(&'n str, usize)]);

impl WithGame for Count<'_> {
    type Output = ();

    fn run<G: Game>(self, game: G) {
        let description = game.description();
        let mut random = Random::new(5);
        for &(signs, count) in self.0 {
            let pieces: Vec<Piece> =
                signs.chars().map(|sign| description.piece_of_symbol(sign).unwrap()).collect();
            let found = game.symmetries(pieces.iter().copied().collect::<PieceSet>());
            assert_eq!(found.len(), count, "{} {signs}", description.name);
            for turn in &found {
                (0..300).for_each(|_| agrees(&game, turn, &some(&game, &pieces, &mut random)));
            }
        }
    }
}

/// A position with these pieces somewhere.
fn some<G: Game>(game: &G, pieces: &[Piece], random: &mut Random) -> Diagram {
    let mut diagram = Diagram::empty(game.description());
    let fields: Vec<Field> = game.description().board.fields().collect();
    for &piece in pieces {
        diagram.cells[fields[random.below(fields.len())].index()] = piece;
    }
    diagram.side = multigame_game::Side::BOTH[random.below(2)];
    diagram
}

/// The moves of the turned position have to be the turned moves.
fn agrees<G: Game>(game: &G, turn: &[Field], diagram: &Diagram) {
    let turned = |diagram: &Diagram| {
        let mut turned = diagram.clone();
        for (from, to) in turn.iter().enumerate() {
            turned.cells[to.index()] = diagram.cells[from];
        }
        turned
    };
    let here = children(game, diagram, &|child| turned(&child));
    let there = children(game, &turned(diagram), &|child| child);
    assert_eq!(here, there, "{} {diagram:?}", game.description().name);
}

type Children = (Option<Outcome>, Vec<(Vec<Piece>, multigame_game::Side, Option<Outcome>)>);

fn children<G: Game>(game: &G, diagram: &Diagram, turn: &dyn Fn(Diagram) -> Diagram) -> Children {
    let mut all = Vec::new();
    let outcome = game.children(&game.position(diagram), &mut |child| {
        let diagram = turn(game.diagram(child));
        all.push((diagram.cells, diagram.side, game.ended(child)));
        ControlFlow::Continue(())
    });
    all.sort_by_key(|(cells, _, _)| cells.clone());
    all.dedup();
    (outcome.unwrap(), all)
}

fn on(name: &str, counts: &[(&str, usize)]) {
    let program = compile(&source(name).unwrap(), &[]).program.unwrap();
    Playable::new(program, Backend::Auto).0.run(Count(counts));
}

#[test]
fn few_pieces_of_chess_are_symmetric() {
    // Pawns go north, and which of two pawns may be taken en passant is told by its column.
    on("chess", &[("KQkr", 7), ("KBNk", 7), ("KPk", 1), ("Kqkp", 1), ("KPkp", 0), ("KQRBNkqrbn", 7)]);
}

#[test]
fn boards_and_pieces_of_other_games() {
    // That kings stand on dark fields only is not what the rules say. Men go forward, to both sides.
    on("checkers", &[("WB", 7), ("Wb", 1), ("wB", 1)]);
    on("los-alamos", &[("KQkr", 7), ("KPk", 1)]);
    on("three-mens-morris", &[("wb", 7)]);
    on("breakthrough", &[("w", 1), ("wb", 1)]);
}
