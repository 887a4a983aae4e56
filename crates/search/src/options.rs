//! All options of a search, and their text form `engine=negascout,tt=on,history=off`. `table.rs` declares
//! each of them.

pub mod declared;
mod table;

use multigame_game::Description;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

use crate::Layout;
use declared::Declaration;

/// For how many plies captures are followed where nothing leaves the board: one and the answers to it.
const MOST_COVERS: u32 = 3;

/// A way to search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Engine {
    /// The whole tree: the reference.
    NegaMax,
    /// Fail-soft Alpha-Beta.
    AlphaBeta,
    /// Zero windows for all but the first child.
    #[default]
    NegaScout,
    /// Zero windows only, from the root down.
    Mtdf,
    /// Best-first proof-number search.
    ProofNumber,
    /// Depth-first proof-number search.
    DfPn,
    /// Zero windows over loss, draw and win, to the end of the game.
    Verdict,
    /// Iterative deepening A*, for puzzles.
    IdaStar,
    /// A*, for small puzzles.
    AStar,
    /// Breadth-first search, for small puzzles.
    Bfs,
    /// Monte-Carlo tree search (UCT).
    Mcts,
    /// Alpha-Beta with chance nodes: Star1 and Star2.
    Expectimax,
}

impl Engine {
    /// All of them with their names.
    pub const ALL: [(&'static str, Engine); 12] = [
        ("negamax", Engine::NegaMax),
        ("alphabeta", Engine::AlphaBeta),
        ("negascout", Engine::NegaScout),
        ("mtdf", Engine::Mtdf),
        ("pns", Engine::ProofNumber),
        ("dfpn", Engine::DfPn),
        ("verdict", Engine::Verdict),
        ("idastar", Engine::IdaStar),
        ("astar", Engine::AStar),
        ("bfs", Engine::Bfs),
        ("mcts", Engine::Mcts),
        ("expectimax", Engine::Expectimax),
    ];

    /// Whether it follows every line to the end of the game, so that a depth means nothing to it.
    pub fn proves(self) -> bool {
        matches!(self, Engine::ProofNumber | Engine::DfPn | Engine::Verdict)
    }

    /// Whether it keeps what it knows about positions in the transposition table: whether it uses option `tt`.
    pub fn uses_table(self) -> bool {
        Options::declared("tt").is_ok_and(|option| option.is_used(self, false))
    }

    /// Whether it knows that nature moves, too.
    pub fn knows_chance(self) -> bool {
        matches!(self, Engine::Mcts | Engine::Expectimax)
    }

    /// Whether it is for puzzles only.
    pub fn is_for_puzzles(self) -> bool {
        matches!(self, Engine::IdaStar | Engine::AStar | Engine::Bfs)
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, _) =
            Engine::ALL.iter().find(|(_, engine)| engine == self).expect("all engines are listed");
        f.write_str(name)
    }
}

/// What a position that comes back inside of the search means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum RepetitionMode {
    /// Nothing, even if the rules say otherwise.
    Off,
    /// What the rules say, but already at the second occurrence: what can be repeated once can be repeated
    /// again.
    #[default]
    First,
    /// What the rules say.
    Exact,
}

/// Which moves are the same for the history heuristic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum HistoryForm {
    /// Those that change the signature in the same way: same piece, same fields, same capture.
    #[default]
    Difference,
    /// Those of the same player from and to the same fields, whatever moves or is taken.
    Fields,
}

/// The switches. Everything is on that pays for most games and cannot change a value, apart from the depth
/// rule of the table; what prunes or extends is off.
///
/// Bounds from the transposition table know nothing of the path. Where repetition counts, a search with table
/// can therefore differ from one without.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    /// The way to search (`engine`).
    pub engine: Engine,
    /// Plies added by each iteration of iterative deepening, 1 or 2; 0 searches the full depth at once
    /// (`deepening`).
    pub deepening: u32,
    /// Whether to guess a window from the iteration before (`aspiration`).
    pub aspiration: bool,
    /// Distance of the guess to the nearer side of the window (`aspiration-narrow`).
    pub aspiration_narrow: i32,
    /// Distance to the other side: upwards in iterations of odd depth, downwards in even ones
    /// (`aspiration-wide`).
    pub aspiration_wide: i32,
    /// Whether to use the transposition table (`tt`).
    pub table: bool,
    /// Its size (`tt-size`).
    pub table_mib: usize,
    /// Its sets (`tt-layout`: `cluster` or `two-way`).
    pub table_layout: Layout,
    /// Least depth of nodes that use the table (`tt-depth`).
    pub table_depth: u32,
    /// Use entries only for the depth they were searched to, so that all engines give NegaMax's value
    /// (`depth-exact`).
    pub depth_exact: bool,
    /// Whether the table finishes nodes; off, it only remembers best moves (`tt-cutoffs`).
    pub table_cutoffs: bool,
    /// Try the table's move first (`table-move`).
    pub table_move: bool,
    /// Order moves by how often they were best (`history`).
    pub history: bool,
    /// Which moves count as the same there (`history-form`: `difference`, `fields`).
    pub history_form: HistoryForm,
    /// Let moves count less that were tried in vain before one that gave a cutoff (`history-malus`).
    pub history_malus: bool,
    /// Order moves by how they did when they were tried, by themselves and as answers to the same move,
    /// instead of by history counts; late-move reductions depend on it (`merits`).
    pub merits: bool,
    /// Try the two moves that last gave cutoffs at the same ply (`killers`).
    pub killers: bool,
    /// Try moves first that leave the opponent few replies, for solving (`fewest`).
    pub fewest_first: bool,
    /// Follow the refutation of each root move from the iteration before (`refutation`).
    pub refutation: bool,
    /// Look whether the table knows a child that gives a cutoff (`etc`).
    pub enhanced_cutoffs: bool,
    /// Where no best move is known, search less deeply for one first (`iid`).
    pub internal_deepening: bool,
    /// Where no best move is known, search less deeply altogether: the next iteration will know one (`iir`).
    pub internal_reduction: bool,
    /// Search the table's move more deeply where all others are worse by far (`singular`).
    pub singular: bool,
    /// Let positions that are images of each other share what is known (`symmetry`); only `engine=verdict`
    /// does.
    pub symmetry: bool,
    /// Search on below the horizon until it is quiet (`quiescence`).
    pub quiescence: bool,
    /// For this many plies (`quiescence-depth`).
    pub quiescence_depth: u32,
    /// Let the table remember what was found below the horizon (`quiescence-table`).
    pub quiescence_table: bool,
    /// Ask the evaluator for extensions (`extensions`).
    pub extensions: bool,
    /// Try passing, where the evaluator knows how (`null`).
    pub null_move: bool,
    /// Search late quiet moves less deeply first (`lmr`).
    pub reductions: bool,
    /// Leave out quiet moves near the horizon that are too far below alpha, and nodes that are too far above
    /// beta (`futility`).
    pub futility: bool,
    /// Leave out quiet moves near the horizon that come late, where the evaluator knows what is calm (`lmp`).
    pub late_pruning: bool,
    /// How much a quiet move can gain for each ply left (`futility-margin`).
    pub futility_margin: i32,
    /// Entries of the evaluation cache as a power of two; 0 for none (`evaluation-cache`).
    pub evaluation_cache: u32,
    /// What repetition means (`repetition`: `off`, `first`, `exact`).
    pub repetition: RepetitionMode,
    /// This many lines of the root are searched, each beginning with another move; they are reported to
    /// [`crate::Monitor::iteration`] (`lines`).
    pub lines: u32,
    /// Nodes between polls (`poll`).
    pub poll_interval: u32,
    /// Most nodes kept by the engines that keep their tree: pns, dfpn, astar, bfs, mcts (`tree-nodes`).
    pub tree_nodes: usize,
    /// Seed of engines that use chance (`seed`).
    pub seed: u64,
    /// Let what is known of some outcomes of chance narrow the windows of others (`star1`).
    pub star1: bool,
    /// Look at one move after each outcome before searching any (`star2`).
    pub star2: bool,
    /// The greatest margin that expectations count, in won games (`points`).
    pub points: u32,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            engine: Engine::default(),
            deepening: 1,
            aspiration: true,
            aspiration_narrow: 10,
            aspiration_wide: 25,
            table: true,
            table_mib: 64,
            table_layout: Layout::default(),
            table_depth: 1,
            depth_exact: false,
            table_cutoffs: true,
            table_move: true,
            history: true,
            history_form: HistoryForm::default(),
            history_malus: false,
            merits: false,
            killers: true,
            fewest_first: false,
            refutation: true,
            enhanced_cutoffs: false,
            internal_deepening: false,
            internal_reduction: false,
            singular: false,
            symmetry: true,
            quiescence: true,
            quiescence_depth: 16,
            quiescence_table: false,
            extensions: true,
            null_move: false,
            reductions: false,
            futility: false,
            late_pruning: false,
            futility_margin: 200,
            evaluation_cache: 14,
            repetition: RepetitionMode::default(),
            lines: 1,
            poll_interval: 256,
            tree_nodes: 1 << 22,
            seed: 1,
            star1: true,
            star2: true,
            points: 1,
        }
    }
}

/// Options that mean nothing or contradict each other.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct OptionsError(String);

impl OptionsError {
    /// Says what is wrong, and what to do about it.
    pub fn new(message: String) -> OptionsError {
        OptionsError(message)
    }
}

impl Options {
    /// For how many plies a game is searched below the horizon.
    ///
    /// A capture usually takes a piece off the board, so captures come to an end. What is covered in a game
    /// with stacks comes free again, and nearly every position has such captures.
    pub(crate) fn quiescence_plies(&self, description: &Description) -> u32 {
        let most = if description.stacks.is_some() { MOST_COVERS } else { u32::MAX };
        self.quiescence_depth.min(most)
    }

    /// An engine with everything switched off.
    pub fn plain(engine: Engine) -> Options {
        Options {
            engine,
            deepening: 0,
            aspiration: false,
            table: false,
            table_move: false,
            history: false,
            killers: false,
            refutation: false,
            symmetry: false,
            quiescence: false,
            extensions: false,
            evaluation_cache: 0,
            repetition: RepetitionMode::Exact,
            ..Options::default()
        }
    }

    /// What computers play with: the default, and what prunes. Values are no longer NegaMax's, but deeper.
    pub fn playing() -> Options {
        Options {
            null_move: true,
            reductions: true,
            futility: true,
            late_pruning: true,
            merits: true,
            internal_reduction: true,
            singular: true,
            quiescence_table: true,
            ..Options::default()
        }
    }

    /// Changes the options named in a text like `tt=on,history=off`.
    pub fn set(&mut self, text: &str) -> Result<(), OptionsError> {
        for (name, value) in declared::parts(text) {
            self.set_one(name, value)?;
        }
        Ok(())
    }

    /// Changes one option.
    pub fn set_one(&mut self, name: &str, value: &str) -> Result<(), OptionsError> {
        Options::declared(name)?.set(self, value)
    }

    /// The declaration of an option.
    pub fn declared(name: &str) -> Result<&'static Declaration<Options>, OptionsError> {
        let known = || Options::DECLARED.iter();
        known()
            .find(|option| option.name == name)
            .ok_or_else(|| declared::unknown(name, known().map(|option| option.name)))
    }

    /// The options with those of a text changed.
    pub fn with(mut self, text: &str) -> Result<Options, OptionsError> {
        self.set(text)?;
        Ok(self)
    }

    /// The options with those of a text changed, which fit together. The engine has to use each of them, in
    /// a team of several processors or alone.
    pub fn with_used(self, text: &str, team: bool) -> Result<Options, OptionsError> {
        let options = self.with(text)?;
        options.check()?;
        for (name, _) in declared::parts(text) {
            Options::declared(name)?.check_use(options.engine, team)?;
        }
        Ok(options)
    }

    /// Whether the options fit together.
    pub fn check(&self) -> Result<(), OptionsError> {
        Options::DECLARED.iter().try_for_each(|option| option.check(self))?;
        let needs_table =
            |what: &str| Err(OptionsError(format!("{what} needs the transposition table; use `tt=on`")));
        if self.enhanced_cutoffs && !self.table {
            return needs_table("`etc=on`");
        }
        if self.engine == Engine::Mtdf && !self.table {
            return needs_table("`engine=mtdf`");
        }
        if self.star2 && !self.star1 {
            return Err(OptionsError("`star2=on` narrows the windows of `star1`; use `star1=on`".into()));
        }
        if self.enhanced_cutoffs && !self.table_cutoffs {
            return Err(OptionsError(
                "`etc=on` finishes nodes by the table, which `tt-cutoffs=off` forbids".into(),
            ));
        }
        let prunes = self.null_move || self.reductions || self.futility || self.late_pruning;
        let bends = self.internal_reduction || self.singular || self.quiescence_table;
        if self.depth_exact && (prunes || bends) {
            let message = "`depth-exact=on` promises NegaMax's value, which `null`, `lmr`, `futility`, `lmp`, `iir`, \
                `singular` and `quiescence-table` can change";
            return Err(OptionsError(message.to_string()));
        }
        let deepens = matches!(self.engine, Engine::AlphaBeta | Engine::NegaScout | Engine::Mtdf);
        if self.lines > 1 && !deepens {
            return Err(OptionsError(format!(
                "`engine={}` knows only one line; use `lines=1`, or alphabeta, negascout or mtdf",
                self.engine
            )));
        }
        Ok(())
    }
}

impl FromStr for Options {
    type Err = OptionsError;

    /// The default options with those of the text changed.
    fn from_str(text: &str) -> Result<Options, OptionsError> {
        Options::default().with(text)
    }
}

/// All options in the form that [`Options::set`] reads.
impl fmt::Display for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, option) in Options::DECLARED.iter().enumerate() {
            let comma = if number == 0 { "" } else { "," };
            write!(f, "{comma}{}={}", option.name, option.get(self))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_options_are_the_same() {
        let options: Options = "engine=mtdf, tt-layout=two-way,history=off,deepening=2,etc".parse().unwrap();
        assert_eq!(options.engine, Engine::Mtdf);
        assert!(!options.history && options.enhanced_cutoffs && options.deepening == 2);
        assert_eq!(options.to_string().parse(), Ok(options));
        for option in Options::DECLARED {
            let name = option.name;
            assert!(Options::default().to_string().contains(&format!("{name}=")), "{name}");
        }
    }

    #[test]
    fn mistakes_are_explained() {
        let error = |text: &str| match text.parse::<Options>() {
            Ok(options) => options.check().unwrap_err().to_string(),
            Err(error) => error.to_string(),
        };
        assert!(error("killer=on").contains("no option `killer`"));
        assert!(error("tt=maybe").contains("use on, off"));
        assert!(error("tt-size=-3").contains("needs a number"));
        assert!(error("engine=mtdf,tt=off").contains("needs the transposition table"));
        assert!(error("etc=on,tt=off").contains("needs the transposition table"));
        assert!(error("depth-exact=on,lmr=on").contains("NegaMax"));
        let exact = Options::playing().with("depth-exact=on").unwrap();
        assert_eq!(exact.check(), Ok(()));
        assert_eq!(exact, Options { depth_exact: true, merits: true, ..Options::default() });
        assert!(error("deepening=3").contains("0, 1 or 2"));
        assert!(error("tt-size=0").contains("1 MiB"));
        assert!(error("etc=on,tt-cutoffs=off").contains("forbids"));
        assert!(error("history-form=pieces").contains("difference, fields"));
        assert!(error("lines=0").contains("1 to 256"));
        assert!(error("evaluation-cache=29").contains("0 to 28"));
    }
}
