//! The winner and nothing else: the same as every other engine says.

use multigame_game::{Game, Line, Random, playout};
use multigame_search::{
    Bounds, Engine, Evaluator, NodeLimit, Nothing, Options, Root, Search, SearchError, Value,
};

use crate::games::cycles::Cycles;
use crate::games::drop::Drop;
use crate::games::eight::Eight;
use crate::games::nim::{Heaps, Nim};
use crate::games::tictactoe::TicTacToe;
use crate::games::twin::Twin;
use crate::{play, search};

fn options(text: &str) -> Options {
    Options { engine: Engine::Verdict, table_mib: 4, ..Options::default() }.with(text).unwrap()
}

/// -1, 0 or 1 for lost, drawn and won.
fn class<G: Game>(game: &G, position: &G::Position, text: &str) -> i32 {
    let result = search(game, &Nothing, position, 0, options(text));
    assert!(result.finished);
    play(game, position, &result.pv).unwrap();
    class_of(result.bounds)
}

fn class_of(bounds: Bounds) -> i32 {
    i32::from(bounds.lower >= Value::LEAST_SCORE) - i32::from(bounds.upper <= -Value::LEAST_SCORE)
}

#[test]
fn small_games() {
    for text in ["", "symmetry=off", "history=off", "etc=on", "tt=off"] {
        let game = TicTacToe::new();
        assert_eq!(class(&game, &game.initial(), text), 0, "{text}");
        let game = Twin::new();
        assert_eq!(class(&game, &game.initial(), text), 0, "{text}");
        for heaps in [[1, 2, 3], [1, 2, 4], [3, 3, 0], [0, 0, 1], [2, 3, 4]] {
            let won = heaps[0] ^ heaps[1] ^ heaps[2] != 0;
            let game = Nim::new(heaps);
            assert_eq!(class(&game, &game.initial(), text), if won { 1 } else { -1 }, "{text} {heaps:?}");
        }
    }
}

#[test]
fn connect_4_positions_agree_with_alpha_beta() {
    let game = Drop::new(5, 4);
    let mut random = Random::new(5);
    let mut classes = [0; 3];
    for _ in 0..40 {
        let mut line = Line::new(&game, game.initial());
        playout(&mut line, 8, &mut random).unwrap();
        let plain = Options { quiescence: false, table_mib: 1, ..Options::default() };
        let expected = class_of(search(&game, &Nothing, line.position(), 20, plain).bounds);
        for text in ["", "symmetry=off", "etc=on", "tt-size=1,tt-layout=two-way"] {
            assert_eq!(class(&game, line.position(), text), expected, "{text}");
        }
        classes[(expected + 1) as usize] += 1;
    }
    assert!(classes.iter().all(|&count| count > 0), "{classes:?}");
}

#[test]
fn the_move_that_holds_the_result_is_told() {
    let game = Drop::new(5, 4);
    let mut random = Random::new(9);
    for _ in 0..20 {
        let mut line = Line::new(&game, game.initial());
        playout(&mut line, 9, &mut random).unwrap();
        if game.outcome(line.position()).unwrap().is_some() {
            continue;
        }
        for text in ["", "etc=on"] {
            let result = search(&game, &Nothing, line.position(), 0, options(text));
            let after = play(&game, line.position(), &result.pv[..1]).unwrap();
            assert_eq!(class(&game, &after, ""), -class_of(result.bounds));
        }
    }
}

#[test]
fn children_that_are_known_are_not_searched() {
    let game = Drop::new(5, 4);
    let run = |text: &str| search(&game, &Nothing, &game.initial(), 0, options(text)).statistics;
    let (plain, looking) = (run(""), run("etc=on"));
    assert!(looking.enhanced_cutoffs > 0 && looking.nodes < plain.nodes, "{plain:?} {looking:?}");
}

/// Knows who wins at nim, or says the opposite.
struct Knows(i32);

impl Evaluator<Nim> for Knows {
    fn evaluate(&self, _: &Nim, position: &Heaps) -> Value {
        let won = position.heaps.into_iter().fold(0, |all, heap| all ^ heap) != 0;
        Value::new(if won { self.0 } else { -self.0 })
    }

    fn looks_first(&self) -> bool {
        true
    }
}

#[test]
fn moves_that_look_good_come_first_and_change_no_verdict() {
    let game = Nim::new([5, 6, 7]);
    let run = |evaluator: &Knows| search(&game, evaluator, &game.initial(), 0, options("tt=off"));
    let (right, wrong) = (run(&Knows(1)), run(&Knows(-1)));
    assert_eq!((class_of(right.bounds), class_of(wrong.bounds)), (1, 1));
    assert!(right.statistics.nodes * 10 < wrong.statistics.nodes, "{right:?} {wrong:?}");
    // Most positions are near the end and not worth a look.
    assert!(wrong.statistics.evaluations * 10 < wrong.statistics.nodes, "{wrong:?}");
}

#[test]
fn images_share_what_is_known() {
    let game = Drop::new(5, 4);
    let nodes = |text: &str| search(&game, &Nothing, &game.initial(), 0, options(text)).statistics.nodes;
    let (shared, apart) = (nodes(""), nodes("symmetry=off"));
    assert!(shared * 4 < apart * 3, "{shared} {apart}");
}

#[test]
fn a_search_that_is_stopped_claims_nothing() {
    let game = Drop::new(7, 6);
    let mut search = Search::new(&game, &Nothing, options("tt=off,poll=10")).unwrap();
    let result = search.run(&Root::new(&game, game.initial()), 0, &mut NodeLimit(1000)).unwrap();
    assert!(!result.finished && result.bounds == Bounds::UNKNOWN && result.pv.len() == 1);
}

#[test]
fn games_that_may_never_end_are_refused() {
    let game = Cycles::new(8, 1, multigame_game::Repetition::Draw(3));
    let error = Search::new(&game, &Nothing, options("")).unwrap_err();
    assert!(matches!(error, SearchError::Unsuitable(message) if message.contains("use `dfpn`")));
    let error = Search::new(&Eight::new(), &Nothing, options("")).unwrap_err();
    assert!(matches!(error, SearchError::Unsuitable(message) if message.contains("use `idastar`")));
}
