//! `multigame learn --network`: a network from games of the computer against itself, or from judged
//! positions.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::Ordering;

use anyhow::{Context, bail};
use multigame_files::stamp;
use multigame_game::{Eyes, Game, Network, NetworkFile};
use multigame_input::{MOST_POSITIONS, read_text};
use multigame_learning::{
    Epoch, GameRecord, Lessons, State, Training, eyes, judged_positions, reflected, targets, train,
};
use multigame_player::RulesEvaluator;
use multigame_progress::Progress;
use multigame_search::{Evaluator, Learned, Net};

use super::{Learn, scale_of_values};
use crate::interrupt;

impl Learn<'_> {
    /// Learns a network that adds to what positions are judged by.
    pub fn learn_network<G: Game>(&self, game: &G, hidden: usize) -> anyhow::Result<()> {
        let arguments = self.arguments;
        let before =
            RulesEvaluator::new(game, arguments.evaluation.as_deref()).map_err(anyhow::Error::msg)?;
        let base = before.clone().without_learned();
        interrupt::catch()?;
        let _thinking = interrupt::thinking();
        let eyes = eyes(game)?;
        let (network, source) = match &arguments.judged {
            Some(file) => {
                let mut lessons = Lessons::new(game.description(), eyes)?;
                judged_lessons(game, &base, file, &mut lessons)?;
                let network = self.train(&lessons, hidden, lessons.scale(), "")?;
                (network, format!("{} judged positions", lessons.len()))
            }
            None => self.network_of_games(game, &before, hidden, eyes)?,
        };
        let learned = Net::new(game.description(), network.clone()).map_err(anyhow::Error::msg)?;
        let proof = self.prove(game, &base.with_learned(learned), &before)?;
        let provenance = format!("multigame learn: {source}, {} epochs; {proof}", arguments.epochs);
        let file = NetworkFile::new(game.description(), &network, provenance);
        let name = self.output.display();
        let text = stamp(&serde_json::to_string_pretty(&file)?)? + "\n";
        multigame_files::write(&self.output, text.as_bytes())?;
        writeln!(std::io::stdout(), "written to {name}; {}", self.use_of("network"))?;
        Ok(())
    }

    /// Plays rounds of games, later ones with what was learned, and learns from all of them.
    fn network_of_games<G: Game>(
        &self,
        game: &G,
        before: &RulesEvaluator,
        hidden: usize,
        eyes: Eyes,
    ) -> anyhow::Result<(Network, String)> {
        let arguments = self.arguments;
        let base = before.clone().without_learned();
        let on_top = before.learned().map_or("nothing", Learned::name);
        let (name, epochs) = (base.name(), arguments.epochs);
        let from = format!("{name} and {on_top} with a network of {hidden}, {epochs} epochs");
        let (mut state, kept) = State::open(arguments.state.as_deref(), &self.head(game, &from), 0)?;
        let mut learned: Option<Network> = None;
        let mut records = Vec::new();
        for round in 1..=arguments.rounds {
            let evaluator = match learned.take() {
                None => before.clone(),
                Some(network) => {
                    let network = Net::new(game.description(), network).map_err(anyhow::Error::msg)?;
                    base.clone().with_learned(network)
                }
            };
            records.extend(self.play(game, &evaluator, round, &kept, &mut state)?);
            let scale = scale_of_values(&records);
            let mut lessons = Lessons::new(game.description(), eyes)?;
            for record in &records {
                add_game(game, &base, record, (arguments.lambda, scale), &mut lessons)?;
            }
            let what = format!("round {round}: {} games, ", records.len());
            learned = Some(self.train(&lessons, hidden, scale, &what)?);
        }
        let network = learned.expect("there is at least one round");
        Ok((network, self.of_games(records.len())))
    }

    fn train(&self, lessons: &Lessons, hidden: usize, scale: f64, what: &str) -> anyhow::Result<Network> {
        if lessons.is_empty() {
            bail!("there is nothing to learn from; play more `--games`");
        }
        let plan = Training {
            hidden,
            epochs: self.arguments.epochs,
            rate: 1e-3,
            scale: scale.round() as i32,
            seed: self.arguments.seed,
            threads: self.arguments.concurrency,
        };
        let mut progress = Progress::counting("epochs", u64::from(plan.epochs));
        let mut last = None;
        let network = train(lessons, &plan, &mut |epoch| {
            let Epoch { number, loss, held_out } = epoch;
            progress.at(u64::from(number));
            progress.say(&format!("loss {loss:.4}, {held_out:.4}"));
            last = Some(epoch);
            match interrupt::flag().load(Ordering::Relaxed) {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        drop(progress);
        if interrupt::flag().load(Ordering::Relaxed) {
            bail!("stopped; nothing was written");
        }
        if let Some(Epoch { loss, held_out, .. }) = last {
            let (positions, scale) = (lessons.len(), plan.scale);
            writeln!(
                std::io::stdout(),
                "{what}{positions} positions, scale {scale}, loss {loss:.4}, {held_out:.4} where not learned"
            )?;
        }
        Ok(network)
    }
}

/// The lessons of a file of judged positions.
fn judged_lessons<G: Game>(
    game: &G,
    base: &RulesEvaluator,
    file: &Path,
    lessons: &mut Lessons,
) -> anyhow::Result<()> {
    let name = file.display();
    let text = read_text(file, MOST_POSITIONS).with_context(|| format!("cannot read `{name}`"))?;
    judged_positions(game, &text, &mut |position, target| teach(game, base, position, target, lessons))
        .with_context(|| format!("`{name}` cannot be learned from"))?;
    if lessons.is_empty() {
        bail!("there is no position in `{name}`; lines `POSITION | SCORE` are expected");
    }
    Ok(())
}

/// Adds a position, and the one with left and right exchanged where that is as good.
fn teach<G: Game>(
    game: &G,
    base: &RulesEvaluator,
    position: &G::Position,
    target: f64,
    lessons: &mut Lessons,
) -> anyhow::Result<()> {
    lessons.add(game, position, target, base.evaluate(game, position).number());
    if let Some(image) = reflected(game, position)? {
        lessons.add(game, &image, target, base.evaluate(game, &image).number());
    }
    Ok(())
}

/// Adds the positions of a game that something can be learned from.
fn add_game<G: Game>(
    game: &G,
    base: &RulesEvaluator,
    record: &GameRecord,
    (lambda, scale): (f64, f64),
    lessons: &mut Lessons,
) -> anyhow::Result<()> {
    let line = record.replay(game)?;
    let targets = targets(&record.values, record.result, lambda, scale);
    for (number, target) in targets.into_iter().enumerate().filter(|(number, _)| record.teaches(*number)) {
        let Some(position) = line.positions().get(record.opening + number) else { break };
        teach(game, base, position, target, lessons)?;
    }
    Ok(())
}
