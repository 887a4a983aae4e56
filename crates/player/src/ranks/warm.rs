//! A search for a moment, before the first one that counts: machine code is made when a search first asks for
//! it, and where ranks made it one after the other, each when its first work arrives, the others would wait.

use std::time::{Duration, Instant};

use multigame_game::Game;
use multigame_search::{Control, Evaluator, Monitor, Options, Root, Search, Statistics, TranspositionTable};

/// How much is searched at most.
const NODES: u64 = 4000;
const TIME: Duration = Duration::from_millis(500);
/// Deeper than so many nodes reach.
const DEPTH: u32 = 40;
/// Nodes between two looks at the clock.
const POLL: u32 = 16;

/// Has everything made that searches with these options use. Whatever goes wrong goes wrong again in the
/// search, which says so.
pub(super) fn warm_up<G: Game>(game: &G, evaluator: &impl Evaluator<G>, options: &Options) {
    let options = Options { table_mib: 1, poll_interval: POLL, ..options.clone() };
    let table = TranspositionTable::new(options.table_mib, options.table_layout);
    let (Ok(table), Ok(search)) = (table, Search::new(game, evaluator, options)) else { return };
    let root = Root::new(game, game.initial());
    let _ = search.with_table(&table).run(&root, DEPTH, &mut Moment { end: Instant::now() + TIME });
}

/// Ends a search soon.
struct Moment {
    end: Instant,
}

impl<G: Game> Monitor<G> for Moment {
    fn poll(&mut self, statistics: &Statistics) -> Control {
        let over = statistics.nodes >= NODES || Instant::now() >= self.end;
        if over { Control::Stop } else { Control::Continue }
    }
}
