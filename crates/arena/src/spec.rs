//! Who plays, in one text: `default`, `lmr=on,time=0.1`, `random`, `uci:stockfish,UCI_LimitStrength=true`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use anyhow::{Context, bail};
use multigame_game::{Appraiser, Game};
use multigame_input::{MOST_TEXT, read_text};
use multigame_loader::WeightsFile;
use multigame_player::{
    Configuration, Limits, Player, network_of_text, parse_clock, parse_time, patterns_of_text,
};
use multigame_search::{Options, RulesEvaluator};

use crate::referee::Control;
use crate::{Computer, Contestant, Failure, Guesser, Process};

/// What files say, by their names.
pub type Files = BTreeMap<PathBuf, String>;

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
    /// What its files say that were read already; the others are read when they are needed.
    pub files: Files,
}

/// The kinds of players.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// One of ours.
    Computer {
        /// How it searches.
        configuration: Box<Configuration>,
        /// Whether moves are counted in the evaluation.
        mobility: bool,
        /// What positions are judged by, if not by what is usual.
        evaluation: Option<String>,
        /// A file with weights of evaluations.
        weights: Option<PathBuf>,
        /// A file with learned patterns.
        patterns: Option<PathBuf>,
        /// A file with a learned network.
        network: Option<PathBuf>,
    },
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
            files: Files::new(),
        };
        let mut parts = text.split(',').map(str::trim).filter(|part| !part.is_empty()).peekable();
        let first = parts.next_if(|part| !part.contains('=') || part.starts_with("uci:"));
        let mut rest = Vec::new();
        for part in parts {
            let (name, value) = part.split_once('=').unwrap_or((part, "on"));
            if !spec.set(name.trim(), value.trim())? {
                rest.push((name.trim(), value.trim()));
            }
        }
        let shown: Vec<String> = rest.iter().map(|(name, value)| format!("{name}={value}")).collect();
        if spec.name.is_empty() {
            spec.name = first.into_iter().map(str::to_string).chain(shown).collect::<Vec<_>>().join(",");
        }
        if spec.name.is_empty() {
            spec.name = "default".to_string();
        }
        spec.kind = match first {
            None | Some("default") => computer(&rest)?,
            Some("random") => random(&rest)?,
            Some(first) => match first.strip_prefix("uci:") {
                Some(command) => program(command, &rest)?,
                None => {
                    bail!(
                        "`{first}` is no player; write `default`, `random`, `uci:PROGRAM` or `option=value`"
                    )
                }
            },
        };
        Ok(spec)
    }

    /// Sets what all kinds have; false if it is something else.
    fn set(&mut self, name: &str, value: &str) -> anyhow::Result<bool> {
        let number = || value.parse::<u64>().ok().filter(|&number| number > 0);
        let control = self.control.unwrap_or_default();
        let control = match name {
            "name" => {
                self.name = value.to_string();
                return Ok(true);
            }
            "time" => Control { time: Some(parse_time(value).map_err(anyhow::Error::msg)?), ..control },
            "clock" => {
                let clock = parse_clock(value).map_err(anyhow::Error::msg)?;
                Control { clock: Some((clock.left[0], clock.increment)), ..control }
            }
            "depth" => {
                let depth = number().and_then(|depth| u32::try_from(depth).ok());
                Control { depth: Some(depth.context("`depth` needs a number of plies")?), ..control }
            }
            "nodes" => {
                Control { nodes: Some(number().context("`nodes` needs a number of positions")?), ..control }
            }
            _ => return Ok(false),
        };
        self.control = Some(control);
        Ok(true)
    }

    /// Reads the player's files, so that it needs none any more: other ranks have no files.
    pub fn read_files(&mut self) -> anyhow::Result<()> {
        let Kind::Computer { weights, patterns, network, .. } = &self.kind else { return Ok(()) };
        let paths: Vec<PathBuf> = [weights, patterns, network].into_iter().flatten().cloned().collect();
        for path in paths {
            let text = self.text_of(&path)?;
            self.files.insert(path, text);
        }
        Ok(())
    }

    /// What a file says.
    fn text_of(&self, path: &Path) -> anyhow::Result<String> {
        match self.files.get(path) {
            Some(text) => Ok(text.clone()),
            None => read_text(path, MOST_TEXT).with_context(|| format!("cannot read `{}`", path.display())),
        }
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
                    failure => anyhow::anyhow!("{} is no UCI engine: {failure}", self.name),
                })?)
            }
            Kind::Computer { configuration, mobility, evaluation, weights, patterns, network } => {
                let mut player = Player::new(game, (**configuration).clone(), Limits::usual(), stop)?;
                if let Some(evaluator) = self.evaluator(game, evaluation.as_deref(), weights.as_deref())? {
                    player = player.with_evaluator(evaluator);
                }
                if let Some(path) = patterns {
                    let (text, name) = (self.text_of(path)?, path.display().to_string());
                    let patterns = patterns_of_text(&text, &name, game.description())?;
                    let evaluator = player.evaluator().clone().with_learned(patterns);
                    player = player.with_evaluator(evaluator);
                }
                if let Some(path) = network {
                    let (text, name) = (self.text_of(path)?, path.display().to_string());
                    let network = network_of_text(&text, &name, game.description())?;
                    let evaluator = player.evaluator().clone().with_learned(network);
                    player = player.with_evaluator(evaluator);
                }
                Box::new(Computer::new(game, if *mobility { player } else { player.without_mobility() }))
            }
        })
    }

    /// The judge a player asks for; nothing if it is the usual one.
    fn evaluator<G: Game>(
        &self,
        game: &G,
        evaluation: Option<&str>,
        weights: Option<&Path>,
    ) -> anyhow::Result<Option<RulesEvaluator>> {
        let Some(path) = weights else {
            return evaluation
                .map(|name| RulesEvaluator::new(game, Some(name)).map_err(anyhow::Error::msg))
                .transpose();
        };
        let name = path.display();
        let text = self.text_of(path)?;
        let file = WeightsFile::parse(&text).map_err(anyhow::Error::msg);
        let file = file.with_context(|| format!("`{name}` is no file of weights"))?;
        let wanted = evaluation.or(file.evaluation.keys().next().map(String::as_str)).unwrap_or("main");
        let found = game.evaluations().iter().position(|known| known.name == wanted);
        let number =
            found.with_context(|| format!("the rules have no evaluation `{wanted}` to use `{name}` for"))?;
        let mut appraiser = Appraiser::new(game, number);
        let values = file.values(appraiser.evaluation()).map_err(anyhow::Error::msg);
        appraiser.set(game.description(), values.with_context(|| format!("`{name}` cannot be used"))?);
        Ok(Some(RulesEvaluator::with_appraiser(game, appraiser)))
    }
}

fn computer(options: &[(&str, &str)]) -> anyhow::Result<Kind> {
    let mut mobility = true;
    let (mut evaluation, mut weights, mut patterns, mut network) = (None, None, None, None);
    let mut configuration = Configuration::from(Options { table_mib: 16, ..Options::playing() });
    for &(name, value) in options {
        match (name, value) {
            ("mobility", "on") => mobility = true,
            ("mobility", "off") => mobility = false,
            ("evaluation", name) => evaluation = Some(name.to_string()),
            ("weights", file) => weights = Some(PathBuf::from(file)),
            ("patterns", file) => patterns = Some(PathBuf::from(file)),
            ("network", file) => network = Some(PathBuf::from(file)),
            ("mobility", _) => bail!("`mobility` is `on` or `off`, not `{value}`"),
            _ => configuration.set_one(name, value)?,
        }
    }
    configuration.search.check()?;
    if patterns.is_some() && network.is_some() {
        bail!("patterns and a network are not added up: leave out `patterns` or `network`");
    }
    let configuration = Box::new(configuration);
    Ok(Kind::Computer { configuration, mobility, evaluation, weights, patterns, network })
}

fn random(options: &[(&str, &str)]) -> anyhow::Result<Kind> {
    let mut seed = 1;
    for &(name, value) in options {
        if name != "seed" {
            bail!("a random player has no option `{name}`; it has `seed`");
        }
        seed = value.parse().with_context(|| format!("`{value}` is no seed"))?;
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
        assert!(matches!(&spec.kind, Kind::Computer { configuration, mobility: true, .. }
                if configuration.engine() == Some(Engine::Mtdf) && configuration.search.reductions));
        let spec = Spec::parse("default").unwrap();
        assert!(
            spec.control.is_none()
                && matches!(&spec.kind, Kind::Computer { configuration, .. } if configuration.automatic)
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
            ("strong", "`strong` is no player"),
            ("uci:", "no program is named"),
            ("depth=0", "`depth` needs a number"),
            ("speed=3", "there is no option `speed`"),
            ("random,depth=2,x=1", "a random player has no option `x`"),
            ("mobility=maybe", "`mobility` is `on` or `off`"),
            ("engine=mtdf,tt=off", "needs the transposition table"),
        ] {
            let error = format!("{:#}", Spec::parse(text).unwrap_err());
            assert!(error.contains(message), "{text}: {error}");
        }
    }
}
