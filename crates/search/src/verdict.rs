//! Who wins with best play, or whether a puzzle can be solved, and nothing else: zero windows over loss, draw and win,
//! followed to the end of the game.
//!
//! Every question is whether a position is worth at least a draw, or a win, to the player to move. There is no horizon,
//! no evaluation and no best line, so a node is little more than its moves and one look into the table:
//! - a move that wins at once is seen before anything else is asked;
//! - positions that are images of each other ([`crate::symmetry`]) share an entry of the table;
//! - entries that were expensive replace cheap ones, whatever their depth;
//! - moves are ordered by what they did elsewhere. Random games tell what to begin with: a move that winners play more
//!   often than losers comes first.
//!
//! Positions must not come back; where rules allow that, proof-number search is for it.

use std::ops::ControlFlow;

use multigame_game::{Game, Outcome, Random, Repetition, Side, Signature};

use crate::hooks::{Interrupt, Monitor, Pulse};
use crate::kernel::{MAX_PLY, Task};
use crate::puzzle::{NEVER, line, unsolved};
use crate::symmetry::{Images, symmetries};
use crate::transposition::{Entry, TranspositionTable};
use crate::{Bound, Bounds, Root, SearchError, SearchResult, Value};

/// Random games for the first order of moves, and how far they are followed.
const GAMES: usize = 4000;
const LONGEST: usize = 300;
/// Moves in them; whichever comes first.
const MOVES: usize = 200_000;
/// Moves that are told apart, as a power of two.
const MOVE_BITS: u32 = 16;

/// What a position is worth to the player to move: -1, 0 or 1, or something between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Known {
    lower: i8,
    upper: i8,
}

impl Known {
    const NOTHING: Known = Known { lower: -1, upper: 1 };

    fn exactly(worth: i8) -> Known {
        Known { lower: worth, upper: worth }
    }

    /// Whether that is enough to say if the position is worth so much.
    fn answers(self, question: i8) -> bool {
        self.lower >= question || self.upper < question
    }

    fn turned(self) -> Known {
        Known { lower: -self.upper, upper: -self.lower }
    }
}

/// What is kept for one ply.
struct Frame<G: Game> {
    /// Children of the position at this ply; more than are used.
    children: Vec<G::Position>,
    /// Their signatures, all images of one child after the other.
    images: Vec<Signature>,
    /// Those whose worth is not known yet.
    open: Vec<Candidate>,
    /// The one that is being searched.
    current: usize,
}

#[derive(Clone, Copy, Debug)]
struct Candidate {
    child: u32,
    /// Its place in the history.
    slot: u32,
    score: i32,
}

struct Search<'a, G: Game, M> {
    game: &'a G,
    table: Option<&'a TranspositionTable>,
    pulse: Pulse<'a, M>,
    images: Images,
    history: Vec<i32>,
    /// The root is the only child of the first frame.
    frames: Vec<Frame<G>>,
    one_player: bool,
    /// Whether a game ended with a score, which is less than a win.
    saw_score: bool,
    /// The move of the root that answered the last question.
    best: Option<usize>,
    /// The signatures of the positions of a puzzle's solution, the last one first.
    solution: Vec<Signature>,
}

/// Whether positions of a game cannot come back, as far as its rules say.
pub(crate) fn check<G: Game>(game: &G) -> Result<(), SearchError> {
    let description = game.description();
    let refused = match description.players {
        1 if !only_goes_on(game) => {
            "`engine=verdict` is for puzzles whose moves are all irreversible; use `idastar`"
        }
        2 if description.repetition != Repetition::Ignored => {
            "`engine=verdict` is for games whose positions never come back; use `dfpn`"
        }
        _ => return Ok(()),
    };
    Err(SearchError::Unsuitable(refused.to_string()))
}

/// Whether there are moves in a random game and all of them are irreversible.
fn only_goes_on<G: Game>(game: &G) -> bool {
    let (mut random, mut moves) = (Random::new(1), Vec::new());
    let mut position = game.initial();
    for number in 0..LONGEST {
        if !matches!(game.moves(&position, &mut moves), Ok(None)) {
            return number > 0;
        }
        let mut child = position.clone();
        game.apply(&position, &moves[random.below(moves.len())], &mut child);
        if !game.is_irreversible(&child) {
            return false;
        }
        position = child;
    }
    true
}

/// Finds out whether a position is won, drawn or lost.
pub(crate) fn solve<'a, G: Game, E, M: Monitor<G>>(
    task: Task<'a, G, E>,
    root: &Root<G>,
    monitor: &'a mut M,
) -> Result<SearchResult<G::Move>, Interrupt> {
    let game = task.game;
    let mut search = Search {
        game,
        table: task.table.filter(|_| task.options.table),
        pulse: Pulse::new(monitor, task.abort, task.options.poll_interval),
        images: Images::new(if task.options.symmetry { symmetries(game) } else { Vec::new() }),
        history: vec![0; 1 << MOVE_BITS],
        frames: Vec::new(),
        one_player: game.description().players == 1,
        saw_score: false,
        best: None,
        solution: Vec::new(),
    };
    if task.options.history {
        search.play_random_games(&root.position, task.options.seed)?;
    }
    search.seat(&root.position);
    if search.one_player {
        return search.solve_puzzle(&root.position);
    }
    let mut known = Known::NOTHING;
    let mut pv = Vec::new();
    for question in [1, 0] {
        if known.answers(question) {
            continue;
        }
        search.best = None;
        known = match search.node(1, question) {
            Err(Interrupt::Stopped) => break,
            answer => {
                let answer = answer?;
                Known { lower: known.lower.max(answer.lower), upper: known.upper.min(answer.upper) }
            }
        };
        if !known.answers(question) {
            break;
        }
        if let Some(best) = search.best {
            let mut moves = Vec::new();
            game.moves(&root.position, &mut moves)?;
            let child = &search.frames[1].children[best];
            pv = moves.into_iter().filter(|mv| leads_to(game, &root.position, mv, child)).take(1).collect();
        }
        let bounds = search.bounds(known);
        if search.pulse.iteration(0, bounds, &pv).is_break() {
            break;
        }
    }
    let bounds = search.bounds(known);
    let value = if bounds == Bounds::UNKNOWN { Value::DRAW } else { bounds.strongest().1 };
    let finished = known.answers(1) && known.answers(0);
    Ok(SearchResult { bounds, value, pv, depth: 0, finished, statistics: search.pulse.statistics })
}

fn leads_to<G: Game>(game: &G, position: &G::Position, mv: &G::Move, child: &G::Position) -> bool {
    let mut after = position.clone();
    game.apply(position, mv, &mut after);
    after == *child
}

impl<G: Game, M: Monitor<G>> Search<'_, G, M> {
    fn seat(&mut self, root: &G::Position) {
        let mut images = Vec::new();
        self.images.of(self.game, root, &mut images);
        self.frames.push(Frame { children: vec![root.clone()], images, open: Vec::new(), current: 0 });
    }

    /// Looks for any solution.
    fn solve_puzzle(mut self, root: &G::Position) -> Result<SearchResult<G::Move>, Interrupt> {
        let known = match self.node(1, 1) {
            Err(Interrupt::Stopped) => Known::NOTHING,
            answer => answer?,
        };
        let statistics = self.pulse.statistics;
        if known.lower < 1 {
            let (length, finished) = if known.upper < 1 { (NEVER, true) } else { (0, false) };
            return Ok(unsolved(length, finished, statistics));
        }
        let pv = line(self.game, root, self.solution.iter().rev())?;
        let value = Value::win_in(pv.len() as u32);
        Ok(SearchResult { bounds: Bounds::at_least(value), value, pv, depth: 0, finished: true, statistics })
    }

    /// What has been proved, in the values of other engines.
    fn bounds(&self, known: Known) -> Bounds {
        let least = if self.saw_score { Value::LEAST_SCORE } else { Value::LEAST_WIN };
        match (known.lower, known.upper) {
            (1, _) => Bounds::at_least(least),
            (_, -1) => Bounds::at_most(-least),
            (0, 0) => Bounds::exact(Value::DRAW),
            (0, _) => Bounds::at_least(Value::DRAW),
            (_, 0) => Bounds::at_most(Value::DRAW),
            _ => Bounds::UNKNOWN,
        }
    }

    /// What the position that is the current child of the frame above is worth, as far as the question goes.
    fn node(&mut self, ply: usize, question: i8) -> Result<Known, Interrupt> {
        self.pulse.tick()?;
        if ply >= MAX_PLY {
            return Ok(Known::NOTHING);
        }
        let begin = self.pulse.statistics.nodes;
        let side = self.side(ply);
        let (mut lower, mut upper) = match self.expand(ply, side)? {
            Expanded::Over(outcome) => {
                self.pulse.statistics.leaves += 1;
                return Ok(Known::exactly(self.worth(outcome, side)));
            }
            Expanded::Moves { ending: Some(worth) } if worth >= question => {
                self.pulse.statistics.leaves += 1;
                self.answered(ply, self.frames[ply].current);
                return Ok(Known { lower: worth, upper: 1 });
            }
            Expanded::Moves { ending } => (ending.unwrap_or(-1), ending.unwrap_or(-1)),
        };
        let signature = self.signature(ply);
        let (known, work) = self.probe(signature);
        if known.answers(question) {
            self.pulse.statistics.table_cutoffs += 1;
            return Ok(known);
        }
        lower = lower.max(known.lower);
        self.order(ply);
        for turn in 0..self.frames[ply].open.len() {
            let candidate = pick(&mut self.frames[ply].open, turn);
            self.frames[ply].current = candidate.child as usize;
            let same = self.side(ply + 1) == side;
            let answer = self.node(ply + 1, if same { question } else { 1 - question })?;
            let answer = if same { answer } else { answer.turned() };
            lower = lower.max(answer.lower);
            upper = upper.max(answer.upper);
            if answer.lower >= question {
                self.cut(ply, turn);
                upper = 1;
                break;
            }
        }
        let found = Known { lower, upper: upper.min(known.upper) };
        self.store(signature, found, begin, work);
        Ok(found)
    }

    /// Writes the children of a position into its frame.
    #[inline]
    fn expand(&mut self, ply: usize, side: Side) -> Result<Expanded, Interrupt> {
        if self.frames.len() <= ply {
            let any = Vec::new();
            self.frames.push(Frame { children: any, images: Vec::new(), open: Vec::new(), current: 0 });
        }
        let (game, images) = (self.game, &mut self.images);
        let (above, below) = self.frames.split_at_mut(ply);
        let (above, frame) = (&above[ply - 1], &mut below[0]);
        let position = &above.children[above.current];
        let own = &above.images[above.current * images.count()..][..images.count()];
        frame.open.clear();
        frame.images.clear();
        let mut number = 0;
        let mut best: Option<Outcome> = None;
        let outcome = game.children(position, &mut |child| {
            match frame.children.get_mut(number) {
                Some(place) => place.clone_from(child),
                None => frame.children.push(child.clone()),
            }
            images.follow(game, position, child, own, &mut frame.images);
            match game.ended(child) {
                None => {
                    let slot = slot(game.signature(child) ^ own[0], side);
                    frame.open.push(Candidate { child: number as u32, slot, score: 0 });
                }
                Some(outcome) if best.is_none_or(|best| outcome.worth_to(side) > best.worth_to(side)) => {
                    best = Some(outcome);
                    frame.current = number;
                }
                Some(_) => {}
            }
            number += 1;
            ControlFlow::Continue(())
        })?;
        if let Some(outcome) = outcome {
            return Ok(Expanded::Over(outcome));
        }
        let ending = best.map(|outcome| self.worth(outcome, side));
        Ok(Expanded::Moves { ending })
    }

    #[inline]
    fn side(&self, ply: usize) -> Side {
        let above = &self.frames[ply - 1];
        self.game.side_to_move(&above.children[above.current])
    }

    /// The least signature of all images.
    #[inline]
    fn signature(&self, ply: usize) -> Signature {
        let above = &self.frames[ply - 1];
        let count = self.images.count();
        above.images[above.current * count..][..count].iter().copied().min().unwrap_or(0)
    }

    #[inline]
    fn worth(&mut self, outcome: Outcome, side: Side) -> i8 {
        self.saw_score |= matches!(outcome, Outcome::Score(_));
        outcome.worth_to(side).signum() as i8
    }

    #[inline]
    fn order(&mut self, ply: usize) {
        for candidate in &mut self.frames[ply].open {
            candidate.score = self.history[candidate.slot as usize];
        }
    }

    /// Learns that a move answered the question, and those before it did not.
    #[inline]
    fn cut(&mut self, ply: usize, turn: usize) {
        self.pulse.statistics.cutoffs += 1;
        self.pulse.statistics.first_move_cutoffs += u64::from(turn == 0);
        let open = &self.frames[ply].open;
        for tried in &open[..turn] {
            self.history[tried.slot as usize] -= 1;
        }
        self.history[open[turn].slot as usize] += turn as i32;
        let child = open[turn].child as usize;
        self.answered(ply, child);
    }

    /// A child has answered the question of its father.
    #[inline]
    fn answered(&mut self, ply: usize, child: usize) {
        if ply == 1 {
            self.best = Some(child);
        }
        if self.one_player {
            self.solution.push(self.frames[ply].images[child * self.images.count()]);
        }
    }

    /// What the table knows about a position, and how much work that was.
    #[inline]
    fn probe(&mut self, signature: Signature) -> (Known, u32) {
        let Some(table) = self.table else { return (Known::NOTHING, 0) };
        self.pulse.statistics.table_probes += 1;
        let Some(entry) = table.probe(signature) else { return (Known::NOTHING, 0) };
        self.pulse.statistics.table_hits += 1;
        let worth = entry.value.number().clamp(-1, 1) as i8;
        let known = match entry.bound {
            Bound::Exact => Known::exactly(worth),
            Bound::Lower => Known { lower: worth, upper: 1 },
            Bound::Upper => Known { lower: -1, upper: worth },
        };
        (known, entry.depth)
    }

    #[inline]
    fn store(&mut self, signature: Signature, found: Known, begin: u64, work: u32) {
        let Some(table) = self.table.filter(|_| found != Known::NOTHING) else { return };
        self.pulse.statistics.table_stores += 1;
        let bound = match found {
            Known { lower, upper } if lower == upper => Bound::Exact,
            Known { upper: 1, .. } => Bound::Lower,
            _ => Bound::Upper,
        };
        let worth = if bound == Bound::Upper { found.upper } else { found.lower };
        let nodes = self.pulse.statistics.nodes - begin + 1;
        let entry = Entry {
            value: Value::new(i32::from(worth)),
            bound,
            depth: nodes.ilog2().max(work),
            complete: true,
            mark: 0,
        };
        table.store(signature, entry);
    }

    /// Counts which moves winners play and which losers play.
    fn play_random_games(&mut self, root: &G::Position, seed: u64) -> Result<(), Interrupt> {
        let game = self.game;
        let mut random = Random::new(seed);
        let (mut moves, mut played, mut total) = (Vec::new(), Vec::new(), 0);
        for _ in 0..GAMES {
            let mut position = root.clone();
            played.clear();
            let outcome = loop {
                if let Some(outcome) = game.moves(&position, &mut moves)? {
                    break Some(outcome);
                }
                if played.len() >= LONGEST {
                    break None;
                }
                let side = game.side_to_move(&position);
                let mut child = position.clone();
                game.apply(&position, &moves[random.below(moves.len())], &mut child);
                played.push((slot(game.signature(&child) ^ game.signature(&position), side), side));
                position = child;
            };
            for &(slot, side) in &played {
                let worth = outcome.map_or(0, |outcome| outcome.worth_to(side).signum());
                self.history[slot as usize] += worth as i32;
            }
            total += played.len();
            if total >= MOVES {
                break;
            }
        }
        Ok(())
    }
}

enum Expanded {
    Over(Outcome),
    /// There are moves; the best that one of them reaches at once.
    Moves {
        ending: Option<i8>,
    },
}

/// The place of a move in the history.
#[inline]
fn slot(difference: Signature, side: Side) -> u32 {
    let key = difference ^ (side.index() as u64) << 40;
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - MOVE_BITS)) as u32
}

/// Brings the most promising of the candidates from `turn` on to the front of them.
#[inline]
fn pick(open: &mut [Candidate], turn: usize) -> Candidate {
    let rest = open.iter().enumerate().skip(turn);
    let best = rest.max_by_key(|(number, candidate)| (candidate.score, usize::MAX - number));
    let best = best.map_or(turn, |(number, _)| number);
    open[turn..=best].rotate_right(1);
    open[turn]
}
