//! The measurements, as plain data.

use multigame_game::{Outcome, Side};
use serde::Serialize;

/// Everything about a game.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Report {
    /// Its name.
    pub game: String,
    /// Fields of the board.
    pub fields: usize,
    /// Kinds of pieces.
    pub kinds: usize,
    /// Random games.
    pub random: Summary,
    /// Average number of moves at each ply of random games.
    pub branching_by_ply: Vec<f64>,
    /// The computer against itself, the weakest first.
    pub levels: Vec<Level>,
    /// The scale of evaluations: with this value 73 % of the points are made in these games.
    pub scale: f64,
    /// The worth of twice the effort.
    pub doublings: Vec<Doubling>,
    /// Parts of the rules that never had a result; nothing if that was not measured.
    pub unused: Option<Vec<Unused>>,
    /// Findings in words.
    pub findings: Vec<String>,
    /// False if the analysis was stopped early.
    pub complete: bool,
}

impl Report {
    /// How many kinds of pieces there are, in words.
    pub(crate) fn kinds_of_pieces(&self) -> String {
        format!("{} {} of pieces", self.kinds, if self.kinds == 1 { "kind" } else { "kinds" })
    }
}

/// Ends and lengths of games.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Summary {
    /// Games played.
    pub games: u32,
    /// Won by the player who begins.
    pub first_wins: u32,
    /// Won by the other one.
    pub second_wins: u32,
    /// Drawn.
    pub draws: u32,
    /// Not over within the limit of moves; they count as drawn below.
    pub unfinished: u32,
    /// Ended by repetition.
    pub repeated: u32,
    /// Points of the player who begins, out of 1.
    pub first_score: f64,
    /// Share of games with a winner.
    pub decided: f64,
    /// Moves of a game.
    pub length: Spread,
    /// The length of each game.
    pub lengths: Vec<u32>,
    /// Legal moves at each turn, on average.
    pub branching: f64,
    #[serde(skip)]
    pub(crate) choices: u64,
    #[serde(skip)]
    pub(crate) turns: u64,
}

/// The distribution of numbers.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Spread {
    /// The least.
    pub least: f64,
    /// A tenth of them are smaller.
    pub tenth: f64,
    /// Half of them are smaller.
    pub median: f64,
    /// A tenth of them are larger.
    pub nine_tenths: f64,
    /// The greatest.
    pub greatest: f64,
    /// The average.
    pub mean: f64,
}

/// The computer against itself with some effort.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Level {
    /// `depth 3` or `200 random games`.
    pub name: String,
    /// Results and lengths.
    pub summary: Summary,
    /// Average number of changes of the lead in a game.
    pub lead_changes: f64,
    /// Average deficit of the later winner at the worst moment: 0 never behind, 1 nearly lost.
    pub drama: f64,
    /// After which share of the moves the winner was certain (9 to 1) for good, on average.
    pub decided_after: f64,
    /// White's chances along each game.
    pub traces: Vec<Trace>,
}

/// White's chances along a game.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Trace {
    /// Before each move, from 0 to 1, as the search sees it.
    pub chances: Vec<f64>,
    /// `white`, `black` or nothing.
    pub winner: Option<&'static str>,
}

/// A match of a player against one who searches half as many nodes.
#[derive(Clone, Debug, Serialize)]
pub struct Doubling {
    /// Nodes of the weaker one.
    pub nodes: u64,
    /// Games played.
    pub games: u64,
    /// Points of the stronger one, out of 1.
    pub score: f64,
    /// As Elo difference; nothing if all games were won or lost.
    pub elo: Option<f64>,
    /// The ends of its 95 % interval.
    pub low: Option<f64>,
    /// The ends of its 95 % interval.
    pub high: Option<f64>,
}

/// A part of the rules that never had a result.
#[derive(Clone, Debug, Serialize)]
pub struct Unused {
    /// The rule it is in.
    pub rule: String,
    /// The line in the rules.
    pub line: u32,
    /// The part.
    pub text: String,
    /// Number of vain attempts.
    pub tried: u64,
}

impl Report {
    /// Adds what was never used of the rules.
    pub fn set_unused(&mut self, unused: Vec<Unused>) {
        self.unused = Some(unused);
        self.findings = crate::findings::of(self);
    }
}

impl Summary {
    /// Adds a game that `first` began.
    pub(crate) fn add(&mut self, outcome: Option<Outcome>, first: Side, plies: u32) {
        self.games += 1;
        self.lengths.push(plies);
        match outcome.map(Outcome::winner) {
            None => self.unfinished += 1,
            Some(None) => self.draws += 1,
            Some(Some(side)) if side == first => self.first_wins += 1,
            Some(Some(_)) => self.second_wins += 1,
        }
    }

    /// Computes shares and averages.
    pub(crate) fn finish(&mut self) {
        let games = f64::from(self.games.max(1));
        let halves = f64::from(self.draws + self.unfinished) / 2.0;
        self.first_score = if self.games == 0 { 0.5 } else { (f64::from(self.first_wins) + halves) / games };
        self.decided = f64::from(self.first_wins + self.second_wins) / games;
        self.length = Spread::of(self.lengths.iter().map(|&plies| f64::from(plies)).collect());
        self.branching = self.choices as f64 / self.turns.max(1) as f64;
    }

    /// Twice the standard error of the score of the player who begins.
    pub fn first_error(&self) -> f64 {
        let games = f64::from(self.games.max(1));
        let draws = f64::from(self.draws + self.unfinished);
        let mean = self.first_score;
        let squares = f64::from(self.first_wins) * (1.0 - mean).powi(2)
            + f64::from(self.second_wins) * mean.powi(2)
            + draws * (0.5 - mean).powi(2);
        1.96 * (squares / games / games).sqrt()
    }
}

impl Spread {
    pub(crate) fn of(mut numbers: Vec<f64>) -> Spread {
        if numbers.is_empty() {
            return Spread::default();
        }
        numbers.sort_by(f64::total_cmp);
        let at = |share: f64| numbers[((numbers.len() - 1) as f64 * share).round() as usize];
        Spread {
            least: at(0.0),
            tenth: at(0.1),
            median: at(0.5),
            nine_tenths: at(0.9),
            greatest: at(1.0),
            mean: numbers.iter().sum::<f64>() / numbers.len() as f64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_counted_for_the_player_who_begins() {
        let mut summary = Summary::default();
        summary.add(Some(Outcome::Wins(Side::Black)), Side::Black, 10);
        summary.add(Some(Outcome::Score(3)), Side::Black, 20);
        summary.add(Some(Outcome::Draw), Side::White, 30);
        summary.add(None, Side::White, 40);
        summary.finish();
        assert_eq!(
            (summary.first_wins, summary.second_wins, summary.draws, summary.unfinished),
            (1, 1, 1, 1)
        );
        assert_eq!((summary.first_score, summary.decided), (0.5, 0.5));
        assert_eq!((summary.length.least, summary.length.greatest, summary.length.mean), (10.0, 40.0, 25.0));
    }
}
