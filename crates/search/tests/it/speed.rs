//! Larger problems, by hand: `cargo test --release -p multigame-search -- --ignored --nocapture speed`.

use std::time::Instant;

use multigame_game::Game;
use multigame_search::random_tree::{Guess, RandomTree, Shape};
use multigame_search::{
    Engine, Kernel, Nothing, Options, Root, Search, Task, TranspositionTable, Value, Window, Workspace,
};

use crate::games::drop::Drop;

fn report<G: Game, E: multigame_search::Evaluator<G>>(
    name: &str,
    game: &G,
    evaluator: &E,
    depth: u32,
    set: &str,
) {
    let options = Options { quiescence: false, table_mib: 256, tree_nodes: 1 << 24, ..Options::default() };
    let options = options.with(set).unwrap();
    let table = TranspositionTable::new(options.table_mib, options.table_layout).unwrap();
    let start = Instant::now();
    let mut search = Search::new(game, evaluator, options).unwrap().with_table(&table);
    let result = search.run(&Root::new(game, game.initial()), depth, &mut ()).unwrap();
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{name:12} {set:40} {:>14} depth {:3} nodes {:>11} {:6.2} s {:6.2} M/s first {:.3} table {}",
        result.bounds.to_string(),
        result.depth,
        result.statistics.nodes,
        seconds,
        result.statistics.nodes as f64 / seconds / 1e6,
        result.statistics.first_move_rate().unwrap_or(0.0),
        table.fullness(),
    );
}

#[test]
#[ignore = "takes minutes and prints"]
fn zero_windows_at_full_depth() {
    for (columns, rows) in [(5, 5), (6, 5)] {
        let game = Drop::new(columns, rows);
        let options = Options { quiescence: false, evaluation_cache: 0, ..Options::default() };
        let table = TranspositionTable::new(256, options.table_layout).unwrap();
        let task = Task {
            game: &game,
            evaluator: &Nothing,
            options: &options,
            table: Some(&table),
            abort: None,
            busy: None,
        };
        let (mut work, mut monitor) = (Workspace::default(), ());
        let root = Root::new(&game, game.initial());
        for alpha in [Value::DRAW, Value::DRAW - 1] {
            let mut kernel = Kernel::new(task, &root, &mut work, &mut monitor);
            let start = Instant::now();
            let found = kernel.search(columns * rows, Window::above(alpha)).unwrap();
            let (nodes, seconds) = (kernel.statistics().nodes, start.elapsed().as_secs_f64());
            let speed = nodes as f64 / seconds / 1e6;
            println!(
                "{columns}x{rows} {} {nodes} nodes {seconds:.2} s {speed:.2} M/s {:?}",
                found.bounds,
                kernel.statistics().first_move_rate()
            );
        }
    }
}

#[test]
#[ignore = "takes minutes and prints"]
fn speed() {
    let game = Drop::new(5, 5);
    for (_, engine) in Engine::ALL.into_iter().filter(|(_, engine)| !engine.is_for_puzzles()) {
        if !matches!(engine, Engine::NegaMax | Engine::ProofNumber | Engine::Mcts) {
            report("connect 5x5", &game, &Nothing, 100, &format!("engine={engine}"));
        }
    }
    for set in
        ["tt=off,deepening=0", "etc", "iid", "history=off", "killers=off", "deepening=0", "tt-layout=two-way"]
    {
        report(
            "connect 5x4",
            &Drop::new(5, 4),
            &Nothing,
            if set.contains("deepening=0") { 20 } else { 100 },
            set,
        );
    }
    report("connect 6x5", &Drop::new(6, 5), &Nothing, 100, "");
    let tree = RandomTree::new(Shape { width: 30, height: 20, ..Shape::default() });
    for set in ["engine=alphabeta", "engine=negascout", "engine=mtdf", "tt=off", "history=off", "lmr", "null"]
    {
        report("random tree", &tree, &Guess, 7, set);
    }
}
