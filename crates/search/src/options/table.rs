//! The options of a search: the one place where each has its name, range, engines and help.

use super::declared::{Declaration, Kind, index_of, names_of};
use super::{Engine, HistoryForm, Options, RepetitionMode};
use crate::Layout;
use Engine::{
    AStar, AlphaBeta, Bfs, DfPn, Expectimax, IdaStar, Mcts, Mtdf, NegaMax, NegaScout, ProofNumber, Verdict,
};

const LAYOUTS: [(&str, Layout); 2] = [("cluster", Layout::Cluster), ("two-way", Layout::TwoWay)];
const HISTORY_FORMS: [(&str, HistoryForm); 2] =
    [("difference", HistoryForm::Difference), ("fields", HistoryForm::Fields)];
const REPETITIONS: [(&str, RepetitionMode); 3] =
    [("off", RepetitionMode::Off), ("first", RepetitionMode::First), ("exact", RepetitionMode::Exact)];

/// Those of the engines that are for every engine.
const EVERY: &[Engine] = &[];
const ALPHA_BETA: &[Engine] = &[AlphaBeta, NegaScout, Mtdf];
const WINDOWS: &[Engine] = &[AlphaBeta, NegaScout];
const DEPTHS: &[Engine] = &[NegaMax, AlphaBeta, NegaScout, Mtdf];
const TABLES: &[Engine] = &[AlphaBeta, NegaScout, Mtdf, Verdict, IdaStar, Expectimax];
const TREES: &[Engine] = &[ProofNumber, DfPn, AStar, Bfs, Mcts];

/// Deeper than any search gets.
const DEEPEST: u64 = 249;
/// Greater than any difference of evaluations that means something.
const MOST_POINTS: u64 = 1_000_000;

macro_rules! switch {
    ($field:ident) => {
        Kind::Switch { get: |options| options.$field, set: |options, on| options.$field = on }
    };
}

macro_rules! number {
    ($field:ident, $least:expr, $most:expr) => {
        number!($field, $least, $most, "")
    };
    ($field:ident, $least:expr, $most:expr, $unit:expr) => {
        Kind::Number {
            least: $least,
            most: $most,
            unit: $unit,
            get: |options| options.$field.try_into().unwrap_or(u64::MAX),
            set: |options, number| options.$field = number.try_into().expect("ranges fit"),
        }
    };
}

macro_rules! choice {
    ($field:ident, $choices:expr) => {
        Kind::Choice {
            names: const { &names_of(&$choices) },
            get: |options| index_of(options.$field, &$choices),
            set: |options, number| options.$field = $choices[number].1,
        }
    };
}

/// Those who want pruning as well have to say so afterwards, and are told that it cannot be.
fn set_depth_exact(options: &mut Options, on: bool) {
    options.depth_exact = on;
    if on {
        (options.null_move, options.reductions, options.futility, options.late_pruning) =
            (false, false, false, false);
        (options.internal_reduction, options.singular, options.quiescence_table) = (false, false, false);
    }
}

/// What one move tells about an outcome is of use only to windows.
fn set_star1(options: &mut Options, on: bool) {
    options.star1 = on;
    options.star2 &= on;
}

/// The engines that use an option only in a team; none if the declaration says nothing.
macro_rules! team {
    () => {
        &[]
    };
    ($team:expr) => {
        $team
    };
}

macro_rules! declare {
    ($($name:literal: $kind:expr, $engines:expr $(; $team:expr)?, $help:literal;)*) => {
        &[$(Declaration { name: $name, kind: $kind, engines: $engines, team: team!($($team)?), help: $help }),*]
    };
}

impl Options {
    /// All options of a search.
    pub const DECLARED: &'static [Declaration<Options>] = declare! {
        "engine": choice!(engine, Engine::ALL), EVERY,
            "the way to search";
        "deepening": number!(deepening, 0, 2), ALPHA_BETA,
            "step of iterative deepening; 0 searches the full depth at once";
        "aspiration": switch!(aspiration), WINDOWS,
            "an aspiration window around the last value; the parity of the depth decides between the two widths";
        "aspiration-narrow": number!(aspiration_narrow, 1, MOST_POINTS, "points"), WINDOWS,
            "distance from the last value to the nearer side of the aspiration window";
        "aspiration-wide": number!(aspiration_wide, 1, MOST_POINTS, "points"), WINDOWS,
            "distance from the last value to the other side";
        "tt": switch!(table), TABLES,
            "the transposition table";
        "tt-size": number!(table_mib, 1, 1 << 20, "MiB"), TABLES,
            "size of the transposition table; `--table` is short for it. A table that does not fit into free memory \
             is refused";
        "tt-layout": choice!(table_layout, LAYOUTS), TABLES,
            "sets of the table";
        "tt-depth": number!(table_depth, 0, DEEPEST, "plies"), ALPHA_BETA,
            "least depth of the positions that are stored";
        "depth-exact": Kind::Switch { get: |options| options.depth_exact, set: set_depth_exact }, ALPHA_BETA,
            "use only table entries of exactly the wanted depth: every engine then gives NegaMax's value. Switches \
             `null`, `lmr`, `futility`, `lmp`, `iir`, `singular` and `quiescence-table` off";
        "tt-cutoffs": switch!(table_cutoffs), ALPHA_BETA,
            "`off`: the table provides best moves but never ends a node";
        "table-move": switch!(table_move), ALPHA_BETA,
            "try the best move of the table first";
        "history": switch!(history), &[AlphaBeta, NegaScout, Mtdf, Verdict],
            "order moves by how often they were best";
        "history-form": choice!(history_form, HISTORY_FORMS), ALPHA_BETA,
            "which moves share a history entry: those with the same signature difference, or those between the same \
             fields";
        "history-malus": switch!(history_malus), ALPHA_BETA,
            "moves that were tried before the one that gave a cutoff lose history; off, because it helps some games \
             and harms others as much";
        "merits": switch!(merits), ALPHA_BETA,
            "order quiet moves by their success so far, alone and as replies, recent results counting most, instead \
             of by history counts; `lmr` reduces moves of merit less and others more";
        "killers": switch!(killers), ALPHA_BETA,
            "try the two moves first that last gave cutoffs at the same ply";
        "fewest": switch!(fewest_first), ALPHA_BETA,
            "for solving games such as othello: try moves first that leave the opponent few replies, and in large \
             subtrees also those that the evaluation prefers; skip the table in small subtrees";
        "refutation": switch!(refutation), ALPHA_BETA,
            "follow the refutation of each root move from the iteration before";
        "etc": switch!(enhanced_cutoffs), &[AlphaBeta, NegaScout, Mtdf, Verdict],
            "enhanced transposition cutoffs in large subtrees (on in `solve --verdict`, and where `solve` computes a \
             final score)";
        "iid": switch!(internal_deepening), ALPHA_BETA,
            "internal iterative deepening: where no best move is known, search less deeply for one first";
        "iir": switch!(internal_reduction), ALPHA_BETA,
            "internal iterative reduction: a node of 4 plies or more without a table move is searched one ply less \
             deeply";
        "singular": switch!(singular), ALPHA_BETA,
            "singular extensions, from 6 plies on: if a search of half the depth says that all other moves are worse \
             than the table move by 2 points a ply, the table move is searched one ply deeper";
        "symmetry": switch!(symmetry), &[Verdict],
            "positions that are images of each other share a table entry";
        "quiescence": switch!(quiescence), DEPTHS,
            "search captures below the horizon";
        "quiescence-depth": number!(quiescence_depth, 0, DEEPEST, "plies"), DEPTHS,
            "how deep; at most 3 in games with stacks, where captures lose no material and could go on for ever";
        "quiescence-table": switch!(quiescence_table), ALPHA_BETA,
            "the transposition table also stores results from below the horizon";
        "extensions": switch!(extensions), ALPHA_BETA,
            "extensions that the evaluator asks for";
        "null": switch!(null_move), ALPHA_BETA,
            "null moves, 3 plies less deep, plus one for every 4 plies of depth and for every 200 points above beta \
             (at most three); only where the evaluation's term `calm` holds and the value is already above beta, and \
             not near the end of a game";
        "lmr": switch!(reductions), ALPHA_BETA,
            "late-move reductions: quiet moves from the fourth on are first searched less deeply; later moves, deeper \
             nodes, and nodes that do not improve on the player's last turn are reduced more";
        "futility": switch!(futility), ALPHA_BETA,
            "near the horizon: skip quiet moves far below alpha, and where `calm` holds, cut off nodes far above beta \
             (reverse futility); below the horizon: skip captures that gain too little or that lose by static \
             exchange evaluation";
        "lmp": switch!(late_pruning), ALPHA_BETA,
            "late-move pruning: near the horizon and where `calm` holds, skip late quiet moves (after half as many \
             moves where the position does not improve on the player's last turn), moves that did badly elsewhere, \
             and losing captures";
        "futility-margin": number!(futility_margin, 0, MOST_POINTS, "points"), ALPHA_BETA,
            "how much a quiet move can gain for each ply left";
        "evaluation-cache": number!(evaluation_cache, 0, 28), ALPHA_BETA,
            "number of entries of the evaluation cache, as a power of two; 0 for none";
        "repetition": choice!(repetition, REPETITIONS), DEPTHS,
            "a position that comes back during the search: nothing, the rule as soon as a position occurs again, or \
             the rule as it is";
        "lines": number!(lines, 1, 256), ALPHA_BETA,
            "number of lines to search, each beginning with another move";
        "poll": number!(poll_interval, 1, 1 << 30, "nodes"), EVERY,
            "nodes between looks at the clock";
        "tree-nodes": number!(tree_nodes, 1, 1 << 40, "nodes"), TREES,
            "most nodes that engines with a tree of their own keep";
        "seed": number!(seed, 0, u64::MAX), &[Verdict, Mcts]; &[AlphaBeta, NegaScout, Mtdf, IdaStar],
            "the same seed gives the same random choices";
        "star1": Kind::Switch { get: |options| options.star1, set: set_star1 }, &[Expectimax],
            "at chance nodes: stop as soon as the outcomes searched so far decide, and narrow the windows of others; \
             off, `star2` is off as well";
        "star2": switch!(star2), &[Expectimax],
            "at chance nodes: look at one move after each outcome before searching any; needs `star1`";
        "points": number!(points, 1, 6, "won games"), &[Expectimax],
            "greatest margin that expectations count: 3 where a backgammon counts three times";
    };
}
