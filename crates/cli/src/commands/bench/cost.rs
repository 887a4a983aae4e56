//! `multigame bench cost`: what a search spends on a position beside what it costs to make it.
//!
//! The measure is a walk through the whole tree that makes every position and counts none without making it
//! (perft without counting). It tells two speeds: positions made, and positions whose moves were generated,
//! which make many at once. A search that generates, judges, orders and remembers visits fewer positions a
//! second; its share of both is printed. Both go in turns, the processor's time counts, and of each only the
//! fastest turn: that is robust against whatever else the machine does.

use std::cell::RefCell;
use std::io::Write;
use std::ops::ControlFlow;

use multigame_game::{Game, RulesError, parse_position};
use multigame_loader::{Backend, WithGame};
use multigame_search::{Options, Root, RulesEvaluator, Search, SearchError, TranspositionTable};

use crate::stopwatch::Stopwatch;
use crate::{load, output};

/// The walks and searches: position, depth of the walk, depth of the search.
const CHESS: [(Option<&str>, u32, u32); 4] = [
    (None, 4, 10),
    (Some("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"), 3, 8),
    (Some("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10"), 3, 8),
    (Some("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"), 5, 12),
];

/// Turns of both.
const TURNS: u32 = 3;

/// Positions and seconds.
type Timed = (u64, f64);

/// The fastest turns.
#[derive(Clone, Copy, Default)]
struct Row {
    walk: Timed,
    /// Positions of the walk whose moves were generated, in the same time.
    expanded: u64,
    search: Timed,
}

impl Row {
    /// Positions a second: made and expanded by walking, visited by searching.
    fn rates(&self) -> [f64; 3] {
        [rate(self.walk), rate((self.expanded, self.walk.1)), rate(self.search)]
    }
}

fn rate((positions, seconds): Timed) -> f64 {
    positions as f64 / seconds.max(1e-9)
}

/// Prints a line for each position, and one for all.
pub fn run(shallower: u32, backend: Backend, json: bool) -> anyhow::Result<()> {
    let arguments = load::GameArguments {
        game: "chess".to_string(),
        parameters: Vec::new(),
        backend,
        weights_file: None,
    };
    let rows = RefCell::new(Vec::new());
    load::with_game(&arguments, Cost { shallower, rows: &rows })?;
    let rows = rows.into_inner();
    let sum = |part: &dyn Fn(&Row) -> Timed| {
        rows.iter().map(part).fold((0, 0.0), |sum, row| (sum.0 + row.0, sum.1 + row.1))
    };
    let expanded = rows.iter().map(|row| row.expanded).sum();
    let all = Row { walk: sum(&|row| row.walk), expanded, search: sum(&|row| row.search) };
    if json {
        let line = |row: &Row| {
            let [made, expanded, searched] = row.rates();
            serde_json::json!({
                "made": made, "expanded": expanded, "searched": searched, "nodes": row.search.0,
                "of_made": searched / made, "of_expanded": searched / expanded,
            })
        };
        let positions: Vec<serde_json::Value> = rows.iter().map(line).collect();
        return output::json(
            &serde_json::json!({ "game": "chess", "positions": positions, "all": line(&all) }),
        );
    }
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "{:<12} {:>12} {:>12} {:>12} {:>9} {:>12}",
        "chess", "made/s", "expanded/s", "searched/s", "of made", "of expanded"
    )?;
    let names = (1..=rows.len()).map(|number| format!("position {number}")).chain(["all".to_string()]);
    for (name, row) in names.zip(rows.iter().chain([&all])) {
        let [made, expanded, searched] = row.rates();
        let (of_made, of_expanded) = (searched / made, searched / expanded);
        writeln!(
            out,
            "{name:<12} {made:>12.0} {expanded:>12.0} {searched:>12.0} {of_made:>9.3} {of_expanded:>12.3}"
        )?;
    }
    Ok(())
}

struct Cost<'a> {
    shallower: u32,
    rows: &'a RefCell<Vec<Row>>,
}

impl WithGame for Cost<'_> {
    type Output = anyhow::Result<()>;

    fn run<G: Game>(self, game: G) -> anyhow::Result<()> {
        let evaluator = RulesEvaluator::new(&game, None).map_err(anyhow::Error::msg)?;
        let options = Options { table_mib: 32, ..Options::playing() };
        for (text, walk, search) in CHESS {
            let position = match text {
                Some(text) => game.position(&parse_position(game.description(), text)?),
                None => game.initial(),
            };
            let root = Root::new(&game, position.clone());
            let deep = search.saturating_sub(self.shallower).max(1);
            let mut row = Row::default();
            for turn in 0..TURNS {
                let watch = Stopwatch::start();
                let [made, expanded] =
                    walk_through(&game, &position, walk.saturating_sub(self.shallower).max(1))?;
                let walked = (made, watch.processor_seconds());
                row.expanded = expanded;
                let table = TranspositionTable::new(options.table_mib, options.table_layout)?;
                let mut kernel = Search::new(&game, &evaluator, options.clone())?.with_table(&table);
                let watch = Stopwatch::start();
                let result = kernel.run(&root, deep, &mut ()).map_err(|error| match error {
                    SearchError::Rules(error) => anyhow::Error::from(*error),
                    error => error.into(),
                })?;
                let searched = (result.statistics.nodes, watch.processor_seconds());
                row.walk = if turn == 0 || walked.1 < row.walk.1 { walked } else { row.walk };
                row.search = if turn == 0 || searched.1 < row.search.1 { searched } else { row.search };
            }
            self.rows.borrow_mut().push(row);
        }
        Ok(())
    }
}

/// Makes every position below one, down to a depth: the number of positions made and expanded.
fn walk_through<G: Game>(game: &G, position: &G::Position, depth: u32) -> Result<[u64; 2], RulesError> {
    let (mut made, mut expanded, mut failure) = (0, 1, None);
    game.children(position, &mut |child| {
        made += 1;
        if depth > 1 {
            match walk_through(game, child, depth - 1) {
                Ok(below) => (made, expanded) = (made + below[0], expanded + below[1]),
                Err(error) => {
                    failure = Some(error);
                    return ControlFlow::Break(());
                }
            }
        }
        ControlFlow::Continue(())
    })?;
    failure.map_or(Ok([made, expanded]), Err)
}

#[cfg(test)]
mod tests {
    use multigame_game::perft;
    use multigame_loader::{compile, source};

    use super::*;

    #[test]
    fn a_walk_makes_what_counting_counts() {
        let program = compile(&source("tic-tac-toe").unwrap(), &[]).program.unwrap();
        let game = multigame_jit::JitGame::new(program).unwrap();
        let start = game.initial();
        let counts: Vec<u64> = (1..=5).map(|depth| perft(&game, &start, depth).unwrap()).collect();
        let (made, expanded) = (counts.iter().sum(), 1 + counts[..4].iter().sum::<u64>());
        assert_eq!(walk_through(&game, &start, 5).unwrap(), [made, expanded]);
    }
}
