//! *Socrates's model: Jamboree's time is a C + b W/P, whatever is searched on however many processors.
//!
//!     cargo run --release -p multigame-simulator --example model -- [DEPTHS,...] [PROCESSORS,...] [POSITIONS,...] [NETWORK]
//!
//! Every position is searched to each depth on each number of processors; one fit is made over all runs.

#[path = "support/chess.rs"]
mod chess;
#[path = "support/positions.rs"]
mod positions;

use chess::{Exchanges, chess};
use multigame_game::{Game, parse_position};
use multigame_parallel::{Memory, PolicyKind, Setup};
use multigame_search::{Options, Root};
use multigame_simulator::{Experiment, Faults, Fit, Machine, Row, simulate};
use positions::POSITIONS;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let argument = |number: usize, usual: &str| arguments.get(number).cloned().unwrap_or(usual.to_string());
    let numbers = |text: String| text.split(',').map(|n| n.parse().expect("a number")).collect::<Vec<u32>>();
    let depths = numbers(argument(0, "3,4,5"));
    let processors = numbers(argument(1, "1,2,4,8,16,32,64,128,256"));
    let positions = numbers(argument(2, "2,3,6,8,12,17,20,24"));
    let machine = Machine::named(&argument(3, "cm5")).expect("a network");
    let policy: PolicyKind = "jamboree".parse().expect("a policy");
    let game = chess();
    let judge = Exchanges::new(&game);
    let options = Options { depth_exact: true, evaluation_cache: 0, ..Options::default() };
    let mut runs: Vec<(u32, u32, Row)> = Vec::new();
    for &number in &positions {
        let text = POSITIONS[number as usize - 1];
        let position = game.position(&parse_position(game.description(), text).expect("a position"));
        let root = Root::new(&game, position);
        for &depth in &depths {
            let mut base = None;
            for &count in &processors {
                let setup = Setup::fine(policy.messages().expect("a policy of workers"));
                let experiment = Experiment {
                    processors: count,
                    options: &options,
                    setup: Setup { memory: Memory::Partitioned { least_depth: 1, combine: 1 }, ..setup },
                    depth,
                    machine,
                    faults: Faults::default(),
                    seed: 1,
                    entries: 1 << 14,
                    spans: false,
                };
                let outcome =
                    simulate(&game, &judge, &root, &experiment, &mut |_, _| true, &|| ()).expect("it runs");
                let base = *base.get_or_insert((outcome.time, outcome.statistics.nodes));
                runs.push((number, depth, Row::new(&outcome, machine.prices.node, base)));
            }
        }
    }
    let rows: Vec<Row> = runs.iter().map(|(.., row)| row.clone()).collect();
    let fit = Fit::of(&rows).expect("enough runs");
    println!("position depth     P          T          C          W      model   error");
    for (number, depth, row) in &runs {
        let predicted = fit.predict(row.critical, row.work, row.processors);
        println!(
            "{number:>8} {depth:>5} {:>5} {:>10.4} {:>10.4} {:>10.3} {predicted:>10.4} {:>+6.1} %",
            row.processors,
            row.time,
            row.critical,
            row.work,
            100.0 * (predicted / row.time - 1.0)
        );
    }
    println!(
        "{} runs: T = {:.3} C + {:.3} W/P, r = {:.6}, mean error {:.2} %, greatest {:.1} %",
        rows.len(),
        fit.a,
        fit.b,
        fit.r,
        100.0 * fit.error,
        100.0 * fit.worst
    );
    for &count in &processors {
        let errors: Vec<f64> = rows
            .iter()
            .filter(|row| row.processors == count)
            .map(|row| fit.predict(row.critical, row.work, count) / row.time - 1.0)
            .collect();
        let mean = errors.iter().sum::<f64>() / errors.len() as f64;
        let size = errors.iter().map(|error| error.abs()).sum::<f64>() / errors.len() as f64;
        println!(
            "{count:>5} processors: mean residual {:+.2} %, mean size {:.2} %",
            100.0 * mean,
            100.0 * size
        );
    }
}
