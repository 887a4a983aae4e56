//! Who plays, in one text: `default`, `lmr=on,time=0.1`, `random`, `uci:stockfish,UCI_LimitStrength=true`.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, bail};
use multigame_game::Game;
use multigame_input::{MOST_TEXT, read_text};
use multigame_loader::WeightsFile;
use multigame_player::ranks::EvaluatorSpec;
use multigame_player::{Configuration, Limits, PlayerSpec};
use multigame_search::Options;

use crate::referee::Control;
use crate::{Computer, Contestant, Failure, Guesser, Process};

/// The part of a player's text that names a file of weights.
pub(crate) const WEIGHTS: &str = "weights";

/// A player as described by a text.
#[derive(Clone, Debug, PartialEq)]
pub struct Spec {
    /// The text.
    pub text: String,
    /// What to call it: `name=...`, else the text without limits.
    pub name: String,
    /// Its own limits; those of the match where it has none.
    pub control: Option<Control>,
    /// What it is.
    pub kind: Kind,
}

/// The kinds of players.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// One of ours.
    Computer(Box<PlayerSpec>),
    /// Any legal move.
    Random {
        /// The same seed gives the same guesses.
        seed: u64,
    },
    /// Another program.
    Uci {
        /// Program and arguments.
        command: Vec<String>,
        /// Set at its start.
        options: Vec<(String, String)>,
    },
}

impl Spec {
    /// Reads a player.
    pub fn parse(text: &str) -> anyhow::Result<Spec> {
        Spec::read(text).with_context(|| format!("the player `{text}` is wrong"))
    }

    /// Whether it has endgame databases, which other ranks of a job have not.
    pub fn uses_endgames(&self) -> bool {
        matches!(&self.kind, Kind::Computer(computer) if computer.endgames.is_some())
    }

    /// Calls players who have the same name, because only their limits differ, by their full texts.
    pub fn tell_apart(players: &mut [Spec; 2]) {
        if players[0].name == players[1].name && players[0].text != players[1].text {
            players.iter_mut().for_each(|player| player.name = player.text.clone());
        }
    }

    fn read(text: &str) -> anyhow::Result<Spec> {
        let mut spec = Spec {
            text: text.to_string(),
            name: String::new(),
            control: None,
            kind: Kind::Random { seed: 1 },
        };
        let mut parts = text.split(',').map(str::trim).filter(|part| !part.is_empty()).peekable();
        let first = parts.next_if(|part| !part.contains('=') || part.starts_with("uci:"));
        let (mut rest, mut limits) = (Vec::new(), Limits::default());
        for part in parts {
            let (name, value) = part.split_once('=').unwrap_or((part, "on"));
            match (name.trim(), value.trim()) {
                ("name", value) => spec.name = value.to_string(),
                (name, value) if Limits::NAMES.contains(&name) => limits.set_one(name, value)?,
                other => rest.push(other),
            }
        }
        spec.control = (limits != Limits::default()).then(|| limits.into());
        let shown: Vec<String> = rest.iter().map(|(name, value)| format!("{name}={value}")).collect();
        if spec.name.is_empty() {
            spec.name = first.into_iter().map(str::to_string).chain(shown).collect::<Vec<_>>().join(",");
        }
        if spec.name.is_empty() {
            spec.name = "default".to_string();
        }
        spec.kind = match first {
            None | Some("default") => computer(&rest, limits)?,
            Some("random") => random(&rest)?,
            Some(first) => match first.strip_prefix("uci:") {
                Some(command) => program(command, &rest)?,
                None => {
                    bail!(
                        "`{first}` is not a player; write `default`, `random`, `uci:PROGRAM` or \
                         `option=value`"
                    )
                }
            },
        };
        Ok(spec)
    }

    /// One of our players with something else to value positions by.
    pub fn valuing(text: &str, evaluator: EvaluatorSpec) -> anyhow::Result<Spec> {
        let mut spec = Spec::parse(text)?;
        match &mut spec.kind {
            Kind::Computer(computer) => computer.evaluator = evaluator,
            _ => bail!("`{text}` values no positions"),
        }
        Ok(spec)
    }

    /// The player itself. `stop` ends its searches.
    pub fn contestant<'l, G: Game>(
        &self,
        game: &'l G,
        stop: &'l AtomicBool,
    ) -> anyhow::Result<Box<dyn Contestant<G> + 'l>> {
        Ok(match &self.kind {
            Kind::Random { seed } => Box::new(Guesser::new(*seed)),
            Kind::Uci { command, options } => {
                let started = Process::start(command, options);
                Box::new(started.map_err(|failure| match failure {
                    Failure::Crashed(reason) => anyhow::anyhow!("{}: {reason}", self.name),
                    failure => anyhow::anyhow!("{} is not a UCI engine: {failure}", self.name),
                })?)
            }
            Kind::Computer(spec) => Box::new(Computer::new(game, spec.player(game, None, stop)?)),
        })
    }
}

fn computer(options: &[(&str, &str)], limits: Limits) -> anyhow::Result<Kind> {
    let configuration = Configuration::from(Options { table_mib: 16, ..Options::playing() });
    let mut spec = PlayerSpec { limits: limits.or_usual(), ..PlayerSpec::of(configuration) };
    let mut weights = None;
    for &(name, value) in options {
        match name {
            WEIGHTS => weights = Some(Path::new(value)),
            _ => spec.set_one(name, value)?,
        }
    }
    spec.configuration.search.check()?;
    if let Some(path) = weights {
        set_weights(&mut spec, path)?;
    }
    Ok(Kind::Computer(Box::new(spec)))
}

/// Reads the weights of the evaluation that was asked for, or of the first one in the file.
fn set_weights(spec: &mut PlayerSpec, path: &Path) -> anyhow::Result<()> {
    let name = path.display().to_string();
    let text = read_text(path, MOST_TEXT).with_context(|| format!("cannot read `{name}`"))?;
    let file = WeightsFile::parse(&text).map_err(anyhow::Error::msg);
    let file = file.with_context(|| format!("`{name}` is not a file of weights"))?;
    let wanted = spec.evaluator.evaluation.clone().or(file.evaluation.keys().next().cloned());
    let wanted = wanted.with_context(|| format!("`{name}` has no weights; tune an evaluation first"))?;
    let named = file.evaluation.get(&wanted);
    let named = named.with_context(|| format!("`{name}` has no weights of the evaluation `{wanted}`"))?;
    spec.evaluator.weights = Some(named.weights.clone());
    spec.evaluator.evaluation = Some(wanted);
    spec.names.weights = name;
    Ok(())
}

fn random(options: &[(&str, &str)]) -> anyhow::Result<Kind> {
    let mut seed = 1;
    for &(name, value) in options {
        if name != "seed" {
            bail!("a random player has no option `{name}`; it has `seed`");
        }
        seed = value.parse().with_context(|| format!("`{value}` is not a seed"))?;
    }
    Ok(Kind::Random { seed })
}

fn program(command: &str, options: &[(&str, &str)]) -> anyhow::Result<Kind> {
    let command: Vec<String> = command.split_whitespace().map(str::to_string).collect();
    if command.is_empty() {
        bail!("no program is named; write `uci:PROGRAM ARGUMENTS,Option=Value`");
    }
    let options = options.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
    Ok(Kind::Uci { command, options })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use multigame_search::Engine;

    use super::*;

    #[test]
    fn players_are_read() {
        let spec = Spec::parse("engine=mtdf,lmr=on,time=100ms,name=fast").unwrap();
        assert_eq!(spec.name, "fast");
        assert_eq!(spec.control.unwrap().time, Some(Duration::from_millis(100)));
        let Kind::Computer(computer) = &spec.kind else { panic!() };
        assert_eq!(computer.configuration.engine(), Some(Engine::Mtdf));
        assert!(computer.configuration.search.reductions && !computer.evaluator.without_mobility);
        assert_eq!(computer.limits.time, Some(Duration::from_millis(100)));
        let spec = Spec::parse("default").unwrap();
        assert!(
            spec.control.is_none()
                && matches!(&spec.kind, Kind::Computer(computer) if computer.configuration.automatic)
        );
        let spec = Spec::parse("uci:stockfish --x,UCI_Elo=2000,clock=10+0.1").unwrap();
        assert_eq!(spec.name, "uci:stockfish --x,UCI_Elo=2000");
        let Kind::Uci { command, options } = &spec.kind else { panic!() };
        assert_eq!(command, &["stockfish", "--x"]);
        assert_eq!(options, &[("UCI_Elo".to_string(), "2000".to_string())]);
        assert_eq!(Spec::parse("random,seed=4").unwrap().kind, Kind::Random { seed: 4 });
        assert_eq!(Spec::parse("").unwrap().name, "default");
    }

    #[test]
    fn players_that_differ_only_in_limits_are_told_apart() {
        let names = |first: &str, second: &str| {
            let mut players = [Spec::parse(first).unwrap(), Spec::parse(second).unwrap()];
            Spec::tell_apart(&mut players);
            players.map(|player| player.name)
        };
        assert_eq!(names("nodes=2000", "nodes=1000"), ["nodes=2000", "nodes=1000"]);
        assert_eq!(names("lmr=on,depth=3", "lmr=on,depth=4"), ["lmr=on,depth=3", "lmr=on,depth=4"]);
        assert_eq!(names("lmr=on,depth=3", "depth=3"), ["lmr=on", "default"]);
        assert_eq!(names("default", "default"), ["default", "default"]);
    }

    #[test]
    fn wrong_players_are_refused() {
        for (text, message) in [
            ("strong", "`strong` is not a player"),
            ("uci:", "no program is named"),
            ("depth=0", "`depth` needs a number"),
            ("speed=3", "there is no option `speed`"),
            ("random,depth=2,x=1", "a random player has no option `x`"),
            ("weights=/no/such/file", "cannot read"),
            ("mobility=maybe", "`mobility` is `on` or `off`"),
            ("engine=mtdf,tt=off", "needs the transposition table"),
        ] {
            let error = format!("{:#}", Spec::parse(text).unwrap_err());
            assert!(error.contains(message), "{text}: {error}");
        }
    }
}
