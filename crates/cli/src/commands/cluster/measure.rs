//! `multigame cluster measure`: what work and messages cost here, for simulations.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use multigame_game::{Line, Portable, WithGame};
use multigame_loader::Backend;
use multigame_parallel::Prices;
use multigame_player::ranks::{Machine as Place, Ranks};
use multigame_player::{Configuration, Limits, Player};
use multigame_simulator::{Doubled, Machine, Topology};

use crate::load::{GameArguments, with_game};
use crate::{interrupt, output};

/// How long a search has to be, so that its nodes tell what one costs.
const LONG: Duration = Duration::from_secs(2);

/// Write what work and messages cost here to a file that `simulate --network` reads
#[derive(Debug, Args)]
pub struct Arguments {
    /// Whose nodes are measured
    #[arg(long, default_value = "chess")]
    game: String,
    /// The file, such as `machine.toml`; printed if not given
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Measures and writes.
pub fn run(ranks: &Ranks, arguments: &Arguments) -> anyhow::Result<()> {
    let game = GameArguments {
        game: arguments.game.clone(),
        parameters: Vec::new(),
        backend: Backend::Auto,
        weights_file: None,
    };
    with_game(&game, Measure { ranks, arguments })
}

struct Measure<'r> {
    ranks: &'r Ranks,
    arguments: &'r Arguments,
}

impl WithGame for Measure<'_> {
    type Output = anyhow::Result<()>;

    fn run<G: Portable>(self, game: G) -> anyhow::Result<()> {
        let limits = Limits { time: Some(LONG), ..Limits::default() };
        let mut player = Player::new(&game, Configuration::playing(), limits, interrupt::flag())?;
        let thought = player.search(&Line::new(&game, game.initial()), &mut |_| ())?;
        let node = thought.time.as_nanos() as u64 / thought.statistics.nodes.max(1);
        let machine = machine(self.ranks, node)?;
        let [here, there] = ends(self.ranks.machines()).map(|rank| &self.ranks.machines()[rank as usize]);
        let mut about = format!(
            "`{}` and `{}`, {}, multigame {}\nA node is one of {}. Times in nanoseconds.",
            here.host, there.host, here.library, here.program, self.arguments.game
        );
        if game.description().players == 1 {
            let to = ends(self.ranks.machines())[1];
            let million = self.ranks.states_per_second(&game, player.evaluator(), to)? / 1e6;
            about += &format!("\nPositions sent, 64 in a message: {million:.1} million a second.");
        }
        let text = machine.to_toml(&about);
        match &self.arguments.output {
            Some(file) => output::write(file, &text),
            None => {
                print!("{text}");
                Ok(())
            }
        }
    }
}

/// Rank 0, and the rank messages to which are measured: on another host if there is one.
fn ends(places: &[Place]) -> [u32; 2] {
    let far = places.iter().position(|place| place.host != places[0].host);
    [0, far.unwrap_or(1) as u32]
}

/// What messages cost on this machine, on which a node takes this many nanoseconds.
pub fn machine(ranks: &Ranks, node: u64) -> anyhow::Result<Machine> {
    let [here, there] = ends(ranks.machines());
    let (journey, overhead) = (ranks.journey(here, there)?, ranks.overhead(there)?);
    let [send, receive] = [overhead.send, overhead.receive].map(|time| time.as_nanos() as u64);
    Ok(Machine {
        prices: Prices { node: node.max(1), leaf: 0, evaluation: 0 },
        send,
        receive,
        latency: (journey.latency.as_nanos() as u64).saturating_sub(send + receive).max(1),
        per_kib: (1024.0 / journey.bandwidth * 1e9) as u64,
        routing: 0,
        topology: Topology::Full,
        table_server: false,
        contention: 0,
        doubled: Doubled::Nothing,
    })
}
