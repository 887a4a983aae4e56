//! Games whose value is known.

use multigame_game::{Game, Line, Outcome, Status};
use multigame_search::{
    Bounds, Engine, Layout, Material, Nothing, Options, Root, Search, TranspositionTable, Value,
};

use crate::games::drop::Drop;
use crate::games::nim::Nim;
use crate::games::tictactoe::TicTacToe;
use crate::games::twin::Twin;
use crate::search;

fn solve<G: Game>(game: &G, engine: Engine) -> Bounds {
    let options = Options { engine, quiescence: false, table_mib: 8, ..Options::default() };
    search(game, &Nothing, &game.initial(), 100, options).bounds
}

#[test]
fn tic_tac_toe_is_a_draw() {
    for engine in [Engine::AlphaBeta, Engine::NegaScout, Engine::Mtdf] {
        assert_eq!(solve(&TicTacToe::new(), engine), Bounds::exact(Value::DRAW), "{engine}");
    }
}

#[test]
fn small_connect_4_is_a_draw() {
    for engine in [Engine::AlphaBeta, Engine::NegaScout, Engine::Mtdf] {
        assert_eq!(solve(&Drop::new(4, 4), engine), Bounds::exact(Value::DRAW), "{engine}");
    }
    assert_eq!(solve(&Drop::new(5, 4), Engine::NegaScout), Bounds::exact(Value::DRAW));
}

#[test]
fn nim_is_lost_where_the_heaps_cancel() {
    for heaps in [[1, 2, 3], [2, 2, 0], [1, 4, 5], [1, 2, 4], [3, 3, 3], [0, 0, 5]] {
        let bounds = solve(&Nim::new(heaps), Engine::NegaScout);
        let won = heaps[0] ^ heaps[1] ^ heaps[2] != 0;
        assert!(bounds.is_exact());
        assert_eq!((bounds.lower.is_win(), bounds.lower.is_loss()), (won, !won), "{heaps:?}");
    }
}

#[test]
fn a_table_that_knows_everything_does_not_hide_the_best_move() {
    let game = TicTacToe::new();
    let table = TranspositionTable::new(8, Layout::default()).unwrap();
    for engine in [Engine::AlphaBeta, Engine::NegaScout, Engine::Mtdf] {
        let options = Options { engine, ..Options::default() };
        let mut line = Line::new(&game, game.initial());
        while line.status().unwrap() == Status::Playing {
            let mut search = Search::new(&game, &Material, options.clone()).unwrap().with_table(&table);
            let result = search.run(&Root::of_line(&line), 9, &mut ()).unwrap();
            line.play(&result.pv[0]);
        }
        assert_eq!(line.status().unwrap().outcome(), Some(Outcome::Draw), "{engine}");
    }
}

#[test]
fn a_search_that_has_seen_everything_goes_no_deeper() {
    let options = Options { quiescence: false, table_mib: 1, ..Options::default() };
    let game = TicTacToe::new();
    let result = search(&game, &Nothing, &game.initial(), 100, options);
    assert!(result.depth <= 10, "{}", result.depth);
}

#[test]
fn a_finished_game_is_not_taken_for_one_that_looks_the_same() {
    let game = Twin::new();
    for engine in [Engine::AlphaBeta, Engine::NegaScout, Engine::Mtdf, Engine::DfPn, Engine::ProofNumber] {
        assert_eq!(solve(&game, engine), Bounds::exact(Value::DRAW), "{engine}");
    }
    let options: Options = "etc=on,table-move=off".parse().unwrap();
    assert_eq!(search(&game, &Nothing, &game.initial(), 5, options).value, Value::DRAW);
}
