//! The form of an experiment: its file.

use serde::{Deserialize, Serialize};

use crate::catalogue::{self, Positions};
use crate::settings::Settings;
use crate::tally::Measure;

/// An experiment.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// The name of its file.
    pub name: String,
    /// What it says.
    pub form: Form,
    /// Its variants with everything that they leave out.
    pub variants: Vec<Settings>,
}

/// What the file of an experiment says.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Form {
    /// A line that names it.
    pub title: String,
    /// What is asked, and how it is answered: a paragraph.
    pub about: String,
    /// What differs from the document's own experiment, one sentence each.
    #[serde(default)]
    pub differs: Vec<String>,
    /// How positions are put together.
    #[serde(default)]
    pub average: Average,
    /// Columns of its table.
    pub columns: Vec<Measure>,
    /// Its pictures.
    #[serde(default)]
    pub pictures: Vec<Picture>,
    /// What all variants have in common.
    #[serde(default)]
    pub common: Settings,
    /// Its variants.
    #[serde(default, rename = "variant")]
    pub variants: Vec<Settings>,
    /// How much is run.
    pub full: Size,
    /// How much is run to see that it works.
    pub quick: Size,
    /// As much as the document ran, where that takes too long to be the usual size.
    pub document: Option<Size>,
    /// What the document found.
    #[serde(default)]
    pub theirs: Vec<Theirs>,
    /// The document's fit of T = a C + b W/P.
    pub fit: Option<TheirFit>,
}

/// How positions are put together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Average {
    /// Ratios of sums over the positions, as in ZUGZWANG.
    #[default]
    Sums,
    /// Geometric means of the positions, as in the Multigame thesis.
    Geometric,
}

/// A kind of picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Picture {
    /// Speedup over processors.
    Speedup,
    /// What processors did with their time, as bars.
    Breakdown,
    /// Processors at work over time on the greatest machine.
    Profile,
    /// Processors at work over time if there were infinitely many, on the tree of the greatest machine.
    Ideal,
    /// Time beside that of the model T = a C + b W/P.
    Model,
}

/// How much of an experiment is run.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Size {
    /// Numbers of processors besides one.
    pub processors: Vec<u32>,
    /// How deep; the longest solution of a puzzle.
    pub depth: u32,
    /// Positions by number from 1, each perhaps with a depth of its own, such as `1:2,2,4:9`; all if nothing is said.
    pub pick: Option<String>,
    /// Seeds.
    #[serde(default = "one")]
    pub seeds: u32,
    /// The variants that are run; all if nothing is said.
    pub variants: Option<Vec<String>>,
    /// How long it took when it was last run, in words.
    pub takes: Option<String>,
}

fn one() -> u32 {
    1
}

/// Which size is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Scale {
    /// In seconds, to see that it works.
    Quick,
    /// In minutes or hours: what the recorded reports show.
    Full,
    /// As much as in the document: overnight and longer.
    Document,
}

impl Scale {
    /// All of them, the largest first.
    pub const ALL: [Scale; 3] = [Scale::Document, Scale::Full, Scale::Quick];

    /// The option of the command line that asks for it.
    pub fn option(self) -> &'static str {
        match self {
            Scale::Quick => " --quick",
            Scale::Full => "",
            Scale::Document => " --document",
        }
    }
}

/// What a document found.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Theirs {
    /// The document.
    pub document: String,
    /// The table, figure or section.
    pub place: String,
    /// The page; none where the document has none.
    pub page: Option<u32>,
    /// The variant it belongs to; all if nothing is said.
    pub variant: Option<String>,
    /// On how many processors.
    pub processors: u32,
    /// Speedup.
    pub speedup: Option<f64>,
    /// Efficiency in percent.
    pub efficiency: Option<f64>,
    /// LOAD in percent.
    pub load: Option<f64>,
    /// SOVHD in percent.
    pub overhead: Option<f64>,
    /// PERF in percent.
    pub performance: Option<f64>,
    /// Seconds.
    pub seconds: Option<f64>,
    /// Idle time in percent.
    pub idle: Option<f64>,
    /// Nodes of a position on average.
    pub nodes: Option<f64>,
    /// Messages about the table for each node.
    pub table_messages: Option<f64>,
    /// Average distance of jobs from the root.
    pub job_depth: Option<f64>,
    /// Share of type 2 nodes without a cutoff, in percent.
    pub wrong_cut: Option<f64>,
    /// Share of type 3 nodes with one, in percent.
    pub wrong_all: Option<f64>,
    /// Jobs of a position on average.
    pub jobs: Option<f64>,
    /// Messages of a position on average.
    pub messages: Option<f64>,
    /// Share of the cutoffs that the first child gave, in percent.
    pub first_cutoffs: Option<f64>,
    /// Share of the questions to the table that ended a node, in percent.
    pub table_cutoffs: Option<f64>,
    /// Share of those that found no more than a move, in percent.
    pub table_moves: Option<f64>,
    /// Share of the time spent waiting for the table, in percent.
    pub table_wait: Option<f64>,
}

impl Theirs {
    /// What it says about a number, if it does.
    pub fn number(&self, measure: Measure) -> Option<f64> {
        match measure {
            Measure::Speedup => self.speedup,
            Measure::Efficiency => self.efficiency,
            Measure::Load => self.load,
            Measure::Overhead => self.overhead,
            Measure::Performance => self.performance,
            Measure::Seconds => self.seconds,
            Measure::Idle => self.idle,
            Measure::Nodes => self.nodes,
            Measure::TableMessages => self.table_messages,
            Measure::JobDepth => self.job_depth,
            Measure::WrongCut => self.wrong_cut,
            Measure::WrongAll => self.wrong_all,
            Measure::Jobs => self.jobs,
            Measure::Messages => self.messages,
            Measure::FirstCutoffs => self.first_cutoffs,
            Measure::TableCutoffs => self.table_cutoffs,
            Measure::TableMoves => self.table_moves,
            Measure::TableWait => self.table_wait,
            Measure::Parallelism
            | Measure::Dropped
            | Measure::IdealHalf
            | Measure::Redone
            | Measure::Lost
            | Measure::Joined => None,
        }
    }

    /// Where it is from, in words.
    pub fn from(&self) -> String {
        let page = self.page.map(|page| format!(", p. {page}")).unwrap_or_default();
        format!("{}, {}{page}", self.document, self.place)
    }
}

/// A document's fit of T = a C + b W/P.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TheirFit {
    /// Where it is from.
    pub place: String,
    /// Factor of the critical path.
    pub a: f64,
    /// Factor of the work for each processor.
    pub b: f64,
    /// Correlation.
    pub r: f64,
    /// Mean relative error in percent.
    pub error: f64,
}

/// What is wrong with an experiment.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("experiment `{experiment}`: {reason}")]
pub struct FormError {
    experiment: String,
    reason: String,
}

impl Experiment {
    /// Reads the file of an experiment.
    pub fn parse(name: &str, text: &str) -> Result<Experiment, FormError> {
        let wrong = |reason: String| FormError { experiment: name.to_string(), reason };
        let form: Form = toml::from_str(text).map_err(|error| wrong(error.to_string()))?;
        let own = if form.variants.is_empty() { vec![Settings::default()] } else { form.variants.clone() };
        let variants = own.iter().map(|variant| variant.or(&form.common)).collect();
        let experiment = Experiment { name: name.to_string(), form, variants };
        experiment.check().map_err(wrong)?;
        Ok(experiment)
    }

    fn check(&self) -> Result<(), String> {
        for variant in &self.variants {
            let of = |error: String| format!("variant `{}`: {error}", variant.name());
            self.check_variant(variant).map_err(of)?;
        }
        let known = |name: &str| match self.variant(name) {
            Some(_) => Ok(()),
            None => Err(format!("there is no variant `{name}`")),
        };
        let bases = self.variants.iter().filter_map(|variant| variant.base.as_deref());
        bases
            .chain(self.form.theirs.iter().filter_map(|theirs| theirs.variant.as_deref()))
            .try_for_each(known)?;
        for size in self.sizes() {
            size.variants.iter().flatten().try_for_each(|name| known(name))?;
            if size.seeds == 0 || size.depth == 0 {
                return Err("seeds and depths begin at 1".to_string());
            }
        }
        Ok(())
    }

    fn check_variant(&self, variant: &Settings) -> Result<(), String> {
        let positions = self.positions(variant)?;
        for size in self.sizes() {
            size.picked(positions.texts.len())?;
            let machine = variant.machine()?;
            size.processors
                .iter()
                .try_for_each(|&count| machine.topology.check(count).map_err(|error| error.to_string()))?;
        }
        if positions.is_puzzle() {
            variant.puzzle_setup().map(drop)?;
            return variant.puzzle_machine().map(drop);
        }
        variant.sorts_captures()?;
        variant.options()?;
        variant.setup()?;
        let losses = variant.faults()?.losses;
        self.sizes().flat_map(|size| &size.processors).try_for_each(|&count| losses.check(count))?;
        match variant.memory.as_deref() == Some("shared") && variant.equal_memory.is_some() {
            true => Err("a table in common memory is not shared out; leave `equal_memory` out".to_string()),
            false => Ok(()),
        }
    }

    /// A variant by name.
    pub fn variant(&self, name: &str) -> Option<&Settings> {
        self.variants.iter().find(|variant| variant.name() == name)
    }

    /// The positions of a variant.
    pub fn positions(&self, variant: &Settings) -> Result<&'static Positions, String> {
        let name =
            variant.positions.as_deref().ok_or("it names no set of positions; give `positions = NAME`")?;
        catalogue::positions(name)
    }

    /// A size; the full one is the document's where nothing else is said.
    pub fn size(&self, scale: Scale) -> &Size {
        match scale {
            Scale::Quick => &self.form.quick,
            Scale::Full => &self.form.full,
            Scale::Document => self.form.document.as_ref().unwrap_or(&self.form.full),
        }
    }

    fn sizes(&self) -> impl Iterator<Item = &Size> {
        [&self.form.quick, &self.form.full].into_iter().chain(&self.form.document)
    }
}

impl Size {
    /// Positions by number with their depths.
    pub fn picked(&self, count: usize) -> Result<Vec<(u32, u32)>, String> {
        let Some(pick) = &self.pick else {
            return Ok((1..=count as u32).map(|number| (number, self.depth)).collect());
        };
        let number = |text: &str| {
            text.trim().parse::<u32>().map_err(|_| format!("`{text}` in `{pick}` is not a number"))
        };
        let one = |text: &str| {
            let (position, depth) = match text.split_once(':') {
                None => (number(text)?, self.depth),
                Some((position, depth)) => (number(position)?, number(depth)?),
            };
            match (1..=count as u32).contains(&position) {
                true => Ok((position, depth)),
                false => Err(format!("there is no position {position}; there are {count}")),
            }
        };
        pick.split(',').map(one).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOUND: &str = "title = \"t\"\nabout = \"a\"\ncolumns = [\"speedup\"]\n\
        [common]\npositions = \"bratko-kopec\"\n[full]\nprocessors = [4]\ndepth = 3\npick = \"1:2,3\"\n\
        [quick]\nprocessors = [2]\ndepth = 1\n";

    fn error(text: &str) -> String {
        Experiment::parse("x", text).unwrap_err().to_string()
    }

    #[test]
    fn a_file_is_read_and_checked() {
        let experiment = Experiment::parse("x", SOUND).unwrap();
        assert_eq!(experiment.variants[0].name(), "ours");
        assert_eq!(experiment.form.full.picked(24), Ok(vec![(1, 2), (3, 3)]));
        assert_eq!(experiment.form.quick.picked(24).unwrap().len(), 24);
    }

    #[test]
    fn the_example_of_the_documentation_is_an_experiment() {
        let page = include_str!("../../../docs/experiments.md");
        let (_, rest) = page.split_once("```toml\n").expect("an example");
        let (text, _) = rest.split_once("```").expect("its end");
        let experiment = Experiment::parse("example", text).unwrap();
        assert_eq!((experiment.variants.len(), experiment.form.theirs.len()), (2, 1));
    }

    #[test]
    fn mistakes_are_told_with_their_place() {
        assert!(error(&SOUND.replace("[quick]", "[quick]\nspeed = 3")).contains("speed"));
        assert!(error(&SOUND.replace("1:2,3", "25")).contains("there are 24"));
        assert!(error(&SOUND.replace("1:2,3", "one")).contains("not a number"));
        assert!(error(&SOUND.replace("bratko-kopec", "kaufman")).contains("bratko-kopec"));
        assert!(error(&SOUND.replace("depth = 1", "depth = 0")).contains("begin at 1"));
        let machine = SOUND.replace("[full]", "machine = \"transputer\"\n[full]").replace("[2]", "[3]");
        assert!(error(&machine).contains("variant `ours`"));
        let theirs = "[[theirs]]\ndocument = \"d\"\nplace = \"p\"\nprocessors = 4\nvariant = \"v\"\n";
        assert!(error(&format!("{SOUND}{theirs}")).contains("no variant `v`"));
    }
}
