//! Proof-number search and df-pn agree with each other and with games solved otherwise, cycles included.

use multigame_game::{Game, Line, Outcome, Random, Repetition, Side, playout};
use multigame_search::random_tree::{Guess, RandomTree, Shape};
use multigame_search::{Bounds, Engine, NodeLimit, Nothing, Options, Root, Search, SearchError, Value};

use crate::games::cycles::Cycles;
use crate::games::drop::Drop;
use crate::games::nim::Nim;
use crate::games::tictactoe::TicTacToe;
use crate::{play, search, seeds};

/// No table unless asked for, and then a small one.
fn small() -> Options {
    Options { table: false, table_mib: 1, ..Options::default() }
}

const ENGINES: [Engine; 2] = [Engine::ProofNumber, Engine::DfPn];

/// -1, 0 or 1 for lost, drawn and won.
fn class<G: Game>(game: &G, position: &G::Position, engine: Engine) -> i32 {
    let options = Options { engine, tree_nodes: 1 << 20, ..small() };
    let result = search(game, &Nothing, position, 0, options);
    assert!(result.finished, "{engine}");
    play(game, position, &result.pv).unwrap();
    assert_eq!(result.pv.is_empty(), game.outcome(position).unwrap().is_some());
    class_of(result.bounds)
}

fn class_of(bounds: Bounds) -> i32 {
    i32::from(bounds.lower >= Value::LEAST_SCORE) - i32::from(bounds.upper <= -Value::LEAST_SCORE)
}

#[test]
fn small_games() {
    for engine in ENGINES {
        let game = TicTacToe::new();
        assert_eq!(class(&game, &game.initial(), engine), 0);
        for heaps in [[1, 2, 3], [1, 2, 4], [3, 3, 0], [0, 0, 1], [2, 3, 4]] {
            let won = heaps[0] ^ heaps[1] ^ heaps[2] != 0;
            let game = Nim::new(heaps);
            assert_eq!(class(&game, &game.initial(), engine), if won { 1 } else { -1 });
        }
    }
}

#[test]
fn connect_4_positions_agree_with_alpha_beta() {
    let game = Drop::new(5, 4);
    let mut random = Random::new(3);
    for _ in 0..20 {
        let mut line = Line::new(&game, game.initial());
        playout(&mut line, 8, &mut random).unwrap();
        let options = Options { quiescence: false, table: true, ..small() };
        let value = search(&game, &Nothing, line.position(), 20, options).bounds;
        for engine in ENGINES {
            assert_eq!(class(&game, line.position(), engine), class_of(value), "{engine}");
        }
    }
    let game = Drop::new(4, 4);
    assert_eq!(class(&game, &game.initial(), Engine::DfPn), 0);
}

#[test]
fn games_with_cycles_agree_with_retrograde_analysis() {
    let mut classes = [0; 3];
    for seed in seeds(150) {
        let nodes = [4, 8, 14, 40][seed as usize % 4];
        let game = Cycles::new(nodes, seed, [Repetition::Ignored, Repetition::Draw(3)][seed as usize % 2]);
        let winners = game.solve();
        for side in Side::BOTH {
            let expected = match winners[0][side.index()] {
                Some(winner) if winner == side => 1,
                Some(_) => -1,
                None => 0,
            };
            classes[(expected + 1) as usize] += 1;
            for engine in ENGINES {
                assert_eq!(class(&game, &(0, side), engine), expected, "{engine} seed {seed} {side}");
            }
        }
    }
    assert!(classes.iter().all(|&count| count > 30), "{classes:?}");
}

#[test]
fn scores_and_double_moves() {
    for seed in seeds(30) {
        let shape = Shape {
            width: 3,
            height: 5,
            seed,
            positions: 8,
            spread: 2,
            sudden: 50,
            again: 200,
            ..Shape::default()
        };
        let game = RandomTree::new(shape);
        let value = search(&game, &Guess, &game.initial(), 5, Options::plain(Engine::NegaMax)).value;
        for engine in ENGINES {
            let result =
                search(&game, &Guess, &game.initial(), 0, Options { engine, tree_nodes: 1 << 16, ..small() });
            assert!(result.bounds.contains(value), "{} but {value}", result.bounds);
            assert_eq!(class_of(result.bounds), class_of(Bounds::exact(value)));
        }
    }
}

#[test]
fn memory_and_patience_have_limits() {
    let game = Drop::new(7, 6);
    let root = Root::new(&game, game.initial());
    let options = Options { engine: Engine::ProofNumber, tree_nodes: 1000, ..small() };
    let result = Search::new(&game, &Nothing, options).unwrap().run(&root, 0, &mut ()).unwrap();
    assert!(!result.finished && result.pv.len() == 1);
    let options = Options { engine: Engine::DfPn, tree_nodes: 1000, ..small() };
    let result = Search::new(&game, &Nothing, options).unwrap().run(&root, 0, &mut NodeLimit(5000)).unwrap();
    assert!(!result.finished && result.statistics.nodes < 6000);
    // A tree that is almost too small makes room by forgetting what is solved.
    let game = TicTacToe::new();
    let options = Options { engine: Engine::ProofNumber, tree_nodes: 4000, ..small() };
    let small = search(&game, &Nothing, &game.initial(), 0, options);
    assert_eq!(small.bounds, Bounds::exact(Value::DRAW));
}

#[test]
fn other_rules_on_repetition_are_refused() {
    let game = Cycles::new(5, 1, Repetition::Loss(2));
    for engine in ENGINES {
        let error = Search::new(&game, &Nothing, Options { engine, ..small() }).unwrap_err();
        assert!(matches!(error, SearchError::Unsuitable(_)));
    }
}

#[test]
fn monte_carlo_finds_the_winning_move() {
    let game = Drop::new(5, 4);
    let mut random = Random::new(11);
    let (mut wins, mut right) = (0, 0);
    for seed in seeds(30) {
        let mut line = Line::new(&game, game.initial());
        playout(&mut line, 9, &mut random).unwrap();
        let position = line.position();
        if game.outcome(position).unwrap().is_some() {
            continue;
        }
        let options = Options { engine: Engine::Mcts, seed, poll_interval: 1, ..small() };
        let mut search_mcts = Search::new(&game, &Nothing, options).unwrap();
        let result = search_mcts.run(&Root::new(&game, *position), 0, &mut NodeLimit(3000)).unwrap();
        let exact =
            search(&game, &Nothing, position, 20, Options { quiescence: false, table: true, ..small() });
        assert!(result.bounds.lower <= exact.bounds.lower && exact.bounds.upper <= result.bounds.upper);
        let after = play(&game, position, &result.pv[..1]).unwrap();
        if exact.value.is_win() {
            wins += 1;
            right += u32::from(class(&game, &after, Engine::DfPn) == -1);
        }
    }
    assert!(wins > 5 && right * 10 >= wins * 9, "{right} of {wins}");
    let game = TicTacToe::new();
    let options = Options { engine: Engine::Mcts, tree_nodes: 1 << 20, ..small() };
    let result = search(&game, &Nothing, &game.initial(), 0, options);
    assert_eq!(result.bounds, Bounds::exact(Value::DRAW), "tic-tac-toe is small enough to be proved");
    let won = Nim::new([0, 0, 3]);
    let options = Options { engine: Engine::Mcts, tree_nodes: 1 << 20, ..small() };
    assert_eq!(class_of(search(&won, &Nothing, &won.initial(), 0, options).bounds), 1);
    assert_eq!(won.outcome(&won.initial()).unwrap(), None::<Outcome>);
}
