//! King and rook against king, solved a second time on the moves of another program.

use cozy_chess::{Board, BoardBuilder, Color, Piece, Square};
use multigame_endgame::{Anatomy, Conditions, Endgames, Material, Standing, Tables};
use multigame_game::{Game, WithGame, parse_position};
use multigame_loader::{Backend, Playable, compile, source};

/// A position of the slice as a number, or nothing where the rook is gone.
fn number(board: &Board) -> Option<usize> {
    let rook = board.pieces(Piece::Rook).next_square()?;
    let squares = [board.king(Color::White), rook, board.king(Color::Black)];
    let fields = squares.iter().fold(0, |number, &square| number << 6 | square as usize);
    Some(fields << 1 | usize::from(board.side_to_move() == Color::Black))
}

fn board(number: usize) -> Option<Board> {
    let square = |shift: u32| Square::index(number >> shift & 63);
    let mut builder = BoardBuilder::empty();
    let men =
        [(13, Piece::King, Color::White), (7, Piece::Rook, Color::White), (1, Piece::King, Color::Black)];
    for (shift, piece, color) in men {
        if builder.square_mut(square(shift)).replace((piece, color)).is_some() {
            return None;
        }
    }
    // The other program lets kings stand side by side.
    let distance = |shift: u32| (number >> (12 + 1) >> shift & 7).abs_diff(number >> 1 >> shift & 7);
    if distance(0).max(distance(3)) <= 1 {
        return None;
    }
    builder.side_to_move = if number & 1 == 0 { Color::White } else { Color::Black };
    builder.build().ok()
}

/// By rounds: a position is won in `n` plies if a move leads to one that is lost in `n - 1`, and lost if all
/// moves lead to won ones.
fn by_rounds(boards: &[Option<Board>]) -> Vec<Option<Standing>> {
    let children: Vec<Vec<Option<usize>>> =
        boards.iter().map(|board| board.as_ref().map_or(vec![], after)).collect();
    let mated = |board: &Option<Board>| {
        let board = board.as_ref()?;
        let moves = board.generate_moves(|_| true);
        (!moves && !board.checkers().is_empty()).then_some(Standing::Loss(0))
    };
    let mut values: Vec<Option<Standing>> = boards.iter().map(mated).collect();
    for plies in 1.. {
        let known = |child: &Option<usize>| child.and_then(|child| values[child]);
        let lost = |child: &Option<usize>| matches!(known(child), Some(Standing::Loss(_)));
        let won = |child: &Option<usize>| matches!(known(child), Some(Standing::Win(_)));
        let value = |(number, children): (usize, &Vec<Option<usize>>)| {
            let standing = match children.is_empty() || values[number].is_some() {
                true => None,
                false if children.iter().any(lost) => Some(Standing::Win(plies)),
                false => children.iter().all(won).then_some(Standing::Loss(plies)),
            };
            Some((number, standing?))
        };
        let fresh: Vec<(usize, Standing)> = children.iter().enumerate().filter_map(value).collect();
        if fresh.is_empty() {
            break;
        }
        fresh.into_iter().for_each(|(number, standing)| values[number] = Some(standing));
    }
    values
}

fn after(board: &Board) -> Vec<Option<usize>> {
    let mut children = Vec::new();
    board.generate_moves(|moves| {
        for mv in moves {
            let mut child = board.clone();
            child.play_unchecked(mv);
            children.push(number(&child));
        }
        false
    });
    children
}

struct Compare;

impl WithGame for Compare {
    type Output = ();

    fn run<G: Game>(self, game: G) {
        let (anatomy, description) = (Anatomy::of(&game).unwrap(), game.description());
        let stop = Default::default();
        let mut tell = |_: &'static str, _, _| {};
        let mut conditions =
            Conditions { threads: 2, memory: 1 << 30, option: "--memory", stop: &stop, tell: &mut tell };
        let material = Material::parse(description, "KRK").unwrap();
        let mut tables = Tables::default();
        assert!(anatomy.make(&material, &mut tables, &mut conditions, &mut |_, _| Ok(())).unwrap());
        let endgames = Endgames::new(description, tables, None);
        let boards: Vec<Option<Board>> = (0..1 << 19).map(board).collect();
        let (values, mut compared) = (by_rounds(&boards), 0);
        for (board, value) in
            boards.iter().zip(values).filter_map(|(board, value)| Some((board.as_ref()?, value)))
        {
            let text = board.to_string();
            let position = game.position(&parse_position(description, &text).unwrap());
            assert_eq!(endgames.probe(&game, &position), value.or(Some(Standing::Draw)), "{text}");
            compared += 1;
        }
        assert_eq!(compared, 399_112);
    }
}

#[test]
fn another_program_finds_the_same_values() {
    let program = compile(&source("chess").unwrap(), &[]).program.unwrap();
    Playable::new(program, Backend::Auto).0.run(Compare);
}
