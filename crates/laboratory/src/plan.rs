//! All runs of an experiment.

use std::collections::BTreeSet;

use crate::form::{Experiment, Scale};
use crate::row::Row;
use crate::settings::Settings;

/// One search on one machine.
#[derive(Clone, Debug)]
pub struct Run<'e> {
    /// The experiment.
    pub experiment: &'e str,
    /// The variant.
    pub variant: &'e Settings,
    /// The number of the position, from 1.
    pub position: u32,
    /// How deep; the longest solution of a puzzle.
    pub depth: u32,
    /// On how many processors.
    pub processors: u32,
    /// Of everything that is left to chance.
    pub seed: u64,
    /// Tells its configuration from others of the same name.
    pub settings: String,
}

/// What tells rows apart.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Key {
    pub experiment: String,
    pub variant: String,
    pub position: u32,
    pub depth: u32,
    pub processors: u32,
    pub seed: u64,
    pub settings: String,
}

impl Run<'_> {
    pub(crate) fn key(&self) -> Key {
        Key {
            experiment: self.experiment.to_string(),
            variant: self.variant.name().to_string(),
            position: self.position,
            depth: self.depth,
            processors: self.processors,
            seed: self.seed,
            settings: self.settings.clone(),
        }
    }
}

impl Experiment {
    /// All runs of a size, the small machines first. `seeds` instead of the number of seeds in the file; one processor needs
    /// one seed only, since nothing is left to chance there.
    pub fn runs(&self, scale: Scale, seeds: Option<u32>) -> Vec<Run<'_>> {
        let size = self.size(scale);
        let mut processors: Vec<u32> = std::iter::once(1).chain(size.processors.iter().copied()).collect();
        processors.sort_unstable();
        processors.dedup();
        let chosen = |variant: &&Settings| match &size.variants {
            Some(names) => names.iter().any(|name| name == variant.name()) || self.is_base(variant, names),
            None => true,
        };
        let mut runs = Vec::new();
        for &count in &processors {
            for variant in self.variants.iter().filter(chosen) {
                let positions = self.positions(variant).expect("it was checked").texts.len();
                let settings = variant.fingerprint();
                for (position, depth) in size.picked(positions).expect("it was checked") {
                    let most = if count == 1 { 1 } else { seeds.unwrap_or(size.seeds) };
                    runs.extend((1..=u64::from(most)).map(|seed| Run {
                        experiment: &self.name,
                        variant,
                        position,
                        depth: variant.depth.unwrap_or(depth),
                        processors: count,
                        seed,
                        settings: settings.clone(),
                    }));
                }
            }
        }
        runs
    }

    /// Whether other variants that are run are compared with this one.
    fn is_base(&self, variant: &Settings, chosen: &[String]) -> bool {
        let compared = self.variants.iter().filter(|other| chosen.iter().any(|name| name == other.name()));
        compared.filter_map(|other| other.base.as_deref()).any(|base| base == variant.name())
    }

    /// The rows that belong to a size of the experiment as it is now, whatever their seeds, each run once.
    pub fn rows_of<'r>(&self, scale: Scale, rows: &'r [Row]) -> Vec<&'r Row> {
        let any_seed = |key: Key| Key { seed: 0, ..key };
        let wanted: BTreeSet<Key> = self.runs(scale, Some(1)).iter().map(|run| any_seed(run.key())).collect();
        let mut seen = BTreeSet::new();
        // The last row of a run counts: it was measured again.
        let belongs = |row: &&Row| wanted.contains(&any_seed(row.key()));
        let mut own: Vec<&Row> =
            rows.iter().rev().filter(belongs).filter(|row| seen.insert(row.key())).collect();
        own.reverse();
        own
    }
}

/// The places of the runs that no row tells the result of.
pub fn missing(runs: &[Run<'_>], rows: &[Row]) -> Vec<usize> {
    let known: BTreeSet<Key> = rows.iter().map(Row::key).collect();
    (0..runs.len()).filter(|&place| !known.contains(&runs[place].key())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row::Measured;

    fn experiment(policy: &str) -> Experiment {
        let text = format!(
            "title = \"t\"\nabout = \"a\"\ncolumns = [\"speedup\"]\n\
             [common]\npositions = \"bratko-kopec\"\n[[variant]]\nname = \"a\"\npolicy = \"{policy}\"\nbase = \"b\"\n\
             [[variant]]\nname = \"b\"\n[[variant]]\nname = \"c\"\n\
             [full]\nprocessors = [4, 1]\ndepth = 3\npick = \"2,3\"\nseeds = 3\n\
             [quick]\nprocessors = [2]\ndepth = 1\npick = \"1\"\nvariants = [\"a\"]\n"
        );
        Experiment::parse("x", &text).unwrap()
    }

    fn row(run: &Run<'_>) -> Row {
        Row::new(run, "0".to_string(), 0.0, Measured::default())
    }

    #[test]
    fn one_processor_needs_one_seed() {
        let experiment = experiment("ybwc");
        let runs = experiment.runs(Scale::Full, None);
        assert_eq!(runs.iter().filter(|run| run.processors == 1).count(), 3 * 2);
        assert_eq!(runs.iter().filter(|run| run.processors == 4).count(), 3 * 2 * 3);
        assert_eq!(experiment.runs(Scale::Full, Some(1)).len(), 12);
    }

    #[test]
    fn bases_are_run_with_what_is_compared_with_them() {
        let experiment = experiment("ybwc");
        let runs = experiment.runs(Scale::Quick, None);
        let names: Vec<&str> =
            runs.iter().filter(|run| run.processors == 1).map(|run| run.variant.name()).collect();
        assert_eq!(names, ["a", "b"]);
    }

    #[test]
    fn what_is_known_is_not_run_again() {
        let experiment = experiment("ybwc");
        let runs = experiment.runs(Scale::Full, None);
        let rows: Vec<Row> = runs[..10].iter().map(row).collect();
        assert_eq!(missing(&runs, &rows), (10..runs.len()).collect::<Vec<_>>());
    }

    #[test]
    fn rows_of_another_configuration_do_not_count() {
        let (before, after) = (experiment("ybwc"), experiment("ybwc*"));
        let rows: Vec<Row> = before.runs(Scale::Full, None).iter().map(row).collect();
        assert_eq!(before.rows_of(Scale::Full, &rows).len(), rows.len());
        let left = after.rows_of(Scale::Full, &rows);
        assert!(!left.is_empty() && left.iter().all(|row| row.variant != "a"));
        assert_eq!(missing(&after.runs(Scale::Full, None), &rows).len(), rows.len() / 3);
    }

    #[test]
    fn the_last_of_two_rows_counts() {
        let experiment = experiment("ybwc");
        let first = row(&experiment.runs(Scale::Full, None)[0]);
        let again = Row { taken: 5.0, ..first.clone() };
        let rows = [first, again];
        let own = experiment.rows_of(Scale::Full, &rows);
        assert_eq!(own.len(), 1);
        assert_eq!(own[0].taken, 5.0);
    }
}
