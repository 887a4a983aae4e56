//! `multigame tune`: the settings of a parallel search that suit a game and a machine.

use std::io::Write;
use std::sync::atomic::Ordering;

use clap::Args;
use multigame_laboratory::{Bench, Tuned, Tuning};
use multigame_progress::Progress;

use crate::interrupt;

/// Find the settings with which simulated processors search a game of two players soonest: policy, form of the
/// table, grain, how work is found, what is told, engine. Half of the positions are not tuned on, and tell what
/// the settings are worth.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The game
    game: String,
    /// The machine, such as `transputer`, `cluster`, `myrinet-torus`
    #[arg(long, value_name = "NAME", default_value = "cluster")]
    machine: String,
    /// Processors
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u32).range(2..=1024))]
    processors: u32,
    /// Plies to search
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=30))]
    depth: u32,
    /// Positions of random games to tune on; as many others are judged by
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..=1000))]
    positions: u32,
    /// How often each setting is tried at most
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=100))]
    rounds: u32,
    /// Chooses everything that is left to chance
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Tunes, and prints what was tried and what it is worth.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let Arguments { game, machine, processors, depth, positions, rounds, seed } = arguments;
    let tuning = Tuning {
        game: game.clone(),
        machine: machine.clone(),
        processors: *processors,
        depth: *depth,
        positions: *positions,
        rounds: *rounds,
        seed: *seed,
    };
    interrupt::catch()?;
    let _thinking = interrupt::thinking();
    let stop = interrupt::flag();
    let mut display = multigame_progress::is_live().then(Progress::news);
    let mut tried = Vec::new();
    let tuned = tuning.run(
        &mut Bench::default(),
        &mut |time, nodes| {
            if let Some(display) = &mut display {
                display.say(&format!("{nodes} nodes, {:.3} s virtual time", time as f64 * 1e-9));
            }
            !stop.load(Ordering::Relaxed)
        },
        &mut |change| tried.push(change.clone()),
    )?;
    drop(display);
    let mut out = std::io::stdout().lock();
    writeln!(out, "{:>7}  setting", "time")?;
    for change in &tried {
        let kept = if change.kept { "   (kept)" } else { "" };
        writeln!(out, "{:>6.1}%  {}{kept}", 100.0 * change.ratio, change.text)?;
    }
    print(&tuned, &mut out)
}

fn print(tuned: &Tuned, out: &mut impl Write) -> anyhow::Result<()> {
    writeln!(out, "\n{:>10} {:>12} {:>12} {:>8}", "position", "usual s", "tuned s", "time")?;
    let kinds = [("seen", &tuned.seen), ("new", &tuned.unseen)];
    for (kind, pairs) in kinds {
        for (number, &[usual, own]) in pairs.iter().enumerate() {
            let share = 100.0 * own as f64 / usual.max(1) as f64;
            let (usual, own) = (usual as f64 * 1e-9, own as f64 * 1e-9);
            writeln!(
                out,
                "{:>10} {usual:>12.6} {own:>12.6} {share:>7.1}%",
                format!("{kind} {}", number + 1)
            )?;
        }
    }
    let [seen, new] = tuned.ratios().map(|ratio| 100.0 * ratio);
    writeln!(out, "\nof the usual time: {seen:.1}% on positions tuned on, {new:.1}% on new ones\n")?;
    write!(out, "{}", tuned.text())?;
    Ok(())
}
