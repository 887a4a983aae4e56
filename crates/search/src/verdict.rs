//! The winner with best play, or whether a puzzle can be solved, and nothing else: zero windows over loss,
//! draw and win, followed to the end of the game.
//!
//! Every question is whether a position is worth at least a draw, or a win, to the player to move. There is
//! no horizon, no evaluation and no best line, so a node is little more than its moves and a look into the
//! table:
//! - a move that wins at once is seen before anything else is asked;
//! - positions that are images of each other ([`crate::symmetry`]) share an entry of the table;
//! - the table is asked about all children before one of them is searched (enhanced transposition cutoffs).
//!   Their entries are fetched together, and each is needed again by the child that is searched;
//! - entries that were expensive replace cheap ones, whatever their depth;
//! - moves are ordered by what they did elsewhere, and where much work is to be expected by what the rules'
//!   evaluation says about where they lead, if there is one. Random games tell what to begin with: a move
//!   that winners play more often than losers comes first.
//!
//! Several threads answer the same questions with one table: each leaves for later what others are at, and
//! goes back to the first question on its path that has been answered meanwhile. Processes do the same with a
//! table for each: the monitor sees what was expensive, and what this search is at.
//!
//! Positions must not come back; where rules allow that, proof-number search is for it.

mod known;
mod moves;
mod suits;

use std::ops::ControlFlow;

use multigame_game::{Game, Outcome, Side, Signature};

use self::known::Known;
use self::moves::{Candidate, Moves, pick, slot};
pub(crate) use self::suits::check;

use crate::busy::BusyMoves;
use crate::effort::Effort;
use crate::hooks::{Interrupt, Monitor, Pulse};
use crate::kernel::{KernelInput, MAX_PLY};
use crate::puzzle::{NEVER, line, unsolved};
use crate::symmetry::{Images, symmetries};
use crate::transposition::TranspositionTable;
use crate::{Bounds, Evaluator, Proved, Root, SearchResult, Value};

/// The weight of a point of the evaluation beside one move tried in vain, when moves are ordered.
///
/// PERF: connect-4 on 6x5 takes a tenth fewer nodes with 100 and a tenth more with hardly any history; but
/// what moves did adds up, so the longer the search the more a small number lets history decide.
const EVALUATION: i64 = 1000;

/// Positions are evaluated where nodes after as many moves take at least this many nodes on average.
///
/// PERF: from 64 to 1000 connect-4 on 6x5 takes as many nodes as with evaluations everywhere, but a tenth to
/// a hundredth of the evaluations, which took more than half of the time.
const WORTHWHILE: u64 = 128;
/// The table is asked about children where nodes after as many moves take at least this many nodes on
/// average.
///
/// PERF: connect-4 on 6x6 takes 61 to 64 million nodes with 0 to 8, 71 with 16, and the least time with 4.
const GLANCED: u64 = 4;
/// Other threads are told about work where nodes after as many moves take at least this many nodes on
/// average.
const SHARED: u64 = 1000;
/// A thread looks whether others have made its work needless each time it has visited this many nodes.
const LOOKS_UP: u64 = 4096;
/// The order of moves that others are at: after all others.
const LATER: i64 = i64::MIN / 2;

/// The data of one ply.
struct Frame<G: Game> {
    /// Children of the position at this ply; more than are used.
    children: Vec<G::Position>,
    /// Their signatures, all images of one child after the other.
    images: Vec<Signature>,
    /// Those whose worth is not known yet.
    open: Vec<Candidate>,
    /// The one that is being searched.
    current: usize,
    /// The least signature of the position at this ply, and what is asked about it, as long as others may
    /// answer.
    asked: Option<(Signature, i8)>,
    /// The work of positions at this ply.
    effort: Effort,
}

impl<G: Game> Frame<G> {
    fn new() -> Frame<G> {
        let (children, images, open) = (Vec::new(), Vec::new(), Vec::new());
        Frame { children, images, open, current: 0, asked: None, effort: Effort::default() }
    }
}

struct Search<'a, G: Game, E, M> {
    game: &'a G,
    /// Says which children look good, where asking it costs less than to expand them.
    evaluator: Option<&'a E>,
    table: Option<&'a TranspositionTable>,
    /// The work of other threads on the same questions.
    busy: Option<&'a BusyMoves>,
    pulse: Pulse<'a, M>,
    images: Images,
    moves: Moves,
    /// Whether the table is asked about children first.
    etc: bool,
    /// The least work of entries that the monitor wants to see, as a power of two.
    shown_from: u32,
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

/// Finds out whether a position is won, drawn or lost.
pub(crate) fn solve<'a, G: Game, E: Evaluator<G>, M: Monitor<G>>(
    task: KernelInput<'a, G, E>,
    root: &Root<G>,
    monitor: &'a mut M,
) -> Result<SearchResult<G::Move>, Interrupt> {
    let game = task.game;
    let one_player = game.description().players == 1;
    let mut search = Search {
        game,
        evaluator: Some(task.evaluator).filter(|evaluator| evaluator.looks_first() && !one_player),
        table: task.table.filter(|_| task.options.table),
        busy: task.busy,
        shown_from: monitor.stored_from(),
        pulse: Pulse::new(monitor, task.abort, task.options.poll_interval),
        images: Images::new(if task.options.symmetry { symmetries(game) } else { Vec::new() }),
        moves: Moves::new(),
        etc: task.options.enhanced_cutoffs,
        frames: Vec::new(),
        one_player,
        saw_score: false,
        best: None,
        solution: Vec::new(),
    };
    if task.options.history {
        search.moves.play_random_games(game, &root.position, task.options.seed)?;
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
        known = match search.node(1, question, search.root_signature()) {
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
        let (bounds, proved) = (search.bounds(known), proved(known));
        if search.pulse.iteration(0, bounds, proved, &pv).is_break() {
            break;
        }
    }
    let bounds = search.bounds(known);
    let value = if bounds == Bounds::UNKNOWN { Value::DRAW } else { bounds.strongest().1 };
    let finished = known.answers(1) && known.answers(0);
    let (proved, statistics) = (proved(known), search.pulse.statistics);
    Ok(SearchResult { bounds, proved, value, pv, depth: 0, finished, reported: finished, statistics })
}

/// What has been proved. Whether a game is won outright or by a score is not: other threads, or the search
/// that a table is kept of, may have met scores that this one has not.
fn proved(known: Known) -> Proved {
    Proved::within(bounds(known, Value::LEAST_SCORE))
}

/// The known bounds, in the values of other engines.
fn bounds(known: Known, least: Value) -> Bounds {
    match (known.lower, known.upper) {
        (1, _) => Bounds::at_least(least),
        (_, -1) => Bounds::at_most(-least),
        (0, 0) => Bounds::exact(Value::DRAW),
        (0, _) => Bounds::at_least(Value::DRAW),
        (_, 0) => Bounds::at_most(Value::DRAW),
        _ => Bounds::UNKNOWN,
    }
}

fn leads_to<G: Game>(game: &G, position: &G::Position, mv: &G::Move, child: &G::Position) -> bool {
    let mut after = position.clone();
    game.apply(position, mv, &mut after);
    after == *child
}

impl<G: Game, E: Evaluator<G>, M: Monitor<G>> Search<'_, G, E, M> {
    fn seat(&mut self, root: &G::Position) {
        let mut images = Vec::new();
        self.images.of(self.game, root, &mut images);
        self.frames.push(Frame { children: vec![root.clone()], images, ..Frame::new() });
    }

    /// Looks for any solution.
    fn solve_puzzle(mut self, root: &G::Position) -> Result<SearchResult<G::Move>, Interrupt> {
        let known = match self.node(1, 1, self.root_signature()) {
            Err(Interrupt::Stopped) => Known::NOTHING,
            answer => answer?,
        };
        let statistics = self.pulse.statistics;
        if known.lower < 1 {
            let (length, finished) = if known.upper < 1 { (NEVER, true) } else { (0, false) };
            return Ok(unsolved(length, finished, statistics));
        }
        let pv = line(self.game, root, self.solution.iter().rev())?;
        // A table that was kept may know that there is a solution, and not which one.
        let Some(proved) = Proved::solution(self.game, root, &pv)? else {
            return Ok(unsolved(0, false, statistics));
        };
        let (bounds, value) = (proved.bounds(), proved.bounds().lower);
        Ok(SearchResult { bounds, proved, value, pv, depth: 0, finished: true, reported: true, statistics })
    }

    /// The proof, in the values of other engines.
    fn bounds(&self, known: Known) -> Bounds {
        let least = if self.saw_score { Value::LEAST_SCORE } else { Value::LEAST_WIN };
        bounds(known, least)
    }

    /// The worth of the current child of the frame above, as far as the question goes.
    /// The signature is the least of its images.
    fn node(&mut self, ply: usize, question: i8, signature: Signature) -> Result<Known, Interrupt> {
        self.pulse.tick()?;
        if self.busy.is_some() && self.pulse.statistics.nodes.is_multiple_of(LOOKS_UP) {
            self.look_up(ply)?;
        }
        if ply >= MAX_PLY {
            return Ok(Known::NOTHING);
        }
        if let Some(table) = self.table {
            table.expect(signature);
        }
        let begin = self.pulse.statistics.nodes;
        let side = self.side(ply);
        let ending = match self.expand(ply, side)? {
            Expanded::Over(outcome) => {
                self.pulse.statistics.leaves += 1;
                return Ok(Known::exactly(self.worth(outcome, side)));
            }
            Expanded::Moves { ending: Some(worth) } if worth >= question => {
                self.pulse.statistics.leaves += 1;
                self.answered(ply, self.frames[ply].current);
                return Ok(Known { lower: worth, upper: 1 });
            }
            Expanded::Moves { ending } => ending.unwrap_or(-1),
        };
        let glances = self.etc && self.frames[ply].effort.takes(GLANCED);
        if glances {
            self.expect_children(ply);
        }
        let (known, work) = self.probe(signature);
        if self.is_enough(ply, question, known) {
            self.pulse.statistics.table_cutoffs += 1;
            return Ok(known);
        }
        let mut found = Known { lower: ending.max(known.lower), upper: ending };
        if !glances || !self.glance(ply, question, side, &mut found) {
            self.frames[ply].asked = Some((signature, question));
            let before = found;
            match self.children(ply, question, side, &mut found) {
                // Another thread has answered. If its entry is gone, or that of the root's best move, this
                // one goes on.
                Err(Interrupt::Unwind(level)) if level == ply => {
                    let known = self.probe(signature).0;
                    if self.is_enough(ply, question, known) {
                        return Ok(known);
                    }
                    (self.frames[ply].asked, found) = (None, before);
                    if !self.glance(ply, question, side, &mut found) {
                        self.children(ply, question, side, &mut found)?;
                    }
                }
                done => done?,
            }
            self.frames[ply].effort.add(self.pulse.statistics.nodes - begin + 1);
        }
        found.upper = found.upper.min(known.upper);
        self.store(signature, found, begin, work);
        Ok(found)
    }

    /// Searches the children until one answers the question.
    fn children(&mut self, ply: usize, question: i8, side: Side, found: &mut Known) -> Result<(), Interrupt> {
        self.order(ply, side);
        let busy = self.busy.filter(|_| self.frames[ply].effort.takes(SHARED));
        for turn in 0..self.frames[ply].open.len() {
            let candidate = match busy {
                Some(busy) => self.pick_beside(busy, ply, turn),
                None => pick(&mut self.frames[ply].open, turn),
            };
            self.frames[ply].current = candidate.child as usize;
            let same = self.side(ply + 1) == side;
            let asked = if same { question } else { 1 - question };
            let begin = self.pulse.statistics.nodes;
            let answer = self.node(ply + 1, asked, candidate.signature);
            if let Some(busy) = busy {
                busy.leave(candidate.signature);
                self.pulse.monitor.at(candidate.signature, false);
            }
            let answer = answer?;
            self.frames[ply].open[turn].at_once = self.pulse.statistics.nodes == begin + 1;
            let answer = if same { answer } else { answer.turned() };
            found.lower = found.lower.max(answer.lower);
            found.upper = found.upper.max(answer.upper);
            if answer.lower >= question {
                self.cut(ply, turn);
                found.upper = 1;
                break;
            }
        }
        Ok(())
    }

    /// The most promising of the children from `turn` on that nobody is at, if there is one; now this thread
    /// is at it. The first is searched by everybody: it tells whether the others are needed at all.
    fn pick_beside(&mut self, busy: &BusyMoves, ply: usize, turn: usize) -> Candidate {
        loop {
            let open = &mut self.frames[ply].open;
            let candidate = pick(open, turn);
            if turn == 0 || candidate.score == LATER || !busy.contains(candidate.signature) {
                busy.enter(candidate.signature);
                self.pulse.monitor.at(candidate.signature, true);
                return candidate;
            }
            open[turn].score = LATER;
        }
    }

    /// Goes back to the first node on the path that another thread has answered.
    fn look_up(&mut self, ply: usize) -> Result<(), Interrupt> {
        for level in 1..ply {
            let Some((signature, question)) = self.frames[level].asked else { continue };
            if self.probe(signature).0.answers(question) {
                return Err(Interrupt::Unwind(level));
            }
        }
        Ok(())
    }

    /// Whether what the table knows about a node answers the question. At the root it has to be known as well
    /// by which move.
    fn is_enough(&self, ply: usize, question: i8, known: Known) -> bool {
        known.upper < question || (ply > 1 && known.lower >= question)
    }

    /// Says how promising the children look that are not known.
    #[inline]
    fn order(&mut self, ply: usize, side: Side) {
        let worthwhile = self.frames[ply].effort.takes(WORTHWHILE);
        let Frame { children, open, .. } = &mut self.frames[ply];
        self.moves.order(open);
        let Some(evaluator) = self.evaluator.filter(|_| worthwhile && open.len() > 1) else { return };
        self.pulse.statistics.evaluations += open.len() as u64;
        for candidate in open {
            let child = &children[candidate.child as usize];
            let value = i64::from(evaluator.evaluate(self.game, child).number()) * EVALUATION;
            candidate.score += if self.game.side_to_move(child) == side { value } else { -value };
        }
    }

    /// Asks the table about all children: whether one answers the question. Those that do not and never will
    /// are left out.
    fn glance(&mut self, ply: usize, question: i8, side: Side, found: &mut Known) -> bool {
        let Some(table) = self.table.filter(|_| !self.one_player) else { return false };
        let Frame { children, open, .. } = &mut self.frames[ply];
        let mut best = None;
        open.retain(|candidate| {
            let Some(entry) = table.probe(candidate.signature).filter(|_| best.is_none()) else {
                return true;
            };
            let same = self.game.side_to_move(&children[candidate.child as usize]) == side;
            let known = Known::of_entry(entry);
            let known = if same { known } else { known.turned() };
            if known.lower >= question {
                best = Some((candidate.child, known.lower));
            } else if known.upper < question {
                found.lower = found.lower.max(known.lower);
                found.upper = found.upper.max(known.upper);
                return false;
            }
            true
        });
        let Some((child, lower)) = best else { return false };
        self.pulse.statistics.enhanced_cutoffs += 1;
        self.answered(ply, child as usize);
        *found = Known { lower: found.lower.max(lower), upper: 1 };
        true
    }

    /// Has the entries of all children fetched while other things are done.
    #[inline]
    fn expect_children(&self, ply: usize) {
        let Some(table) = self.table else { return };
        for candidate in &self.frames[ply].open {
            table.expect(candidate.signature);
        }
    }

    /// Writes the children of a position into its frame, up to one that wins.
    #[inline]
    fn expand(&mut self, ply: usize, side: Side) -> Result<Expanded, Interrupt> {
        if self.frames.len() <= ply {
            self.frames.push(Frame::new());
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
                    let own_images = &frame.images[number * images.count()..];
                    let signature = own_images.iter().copied().min().unwrap_or(0);
                    let slot = slot(own_images[0] ^ own[0], side);
                    let (child, score, at_once) = (number as u32, 0, false);
                    frame.open.push(Candidate { child, slot, at_once, score, signature });
                }
                Some(outcome) if best.is_none_or(|best| outcome.worth_to(side) > best.worth_to(side)) => {
                    best = Some(outcome);
                    frame.current = number;
                    if outcome == Outcome::Wins(side) {
                        return ControlFlow::Break(());
                    }
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

    /// The least signature of all images of the root.
    fn root_signature(&self) -> Signature {
        self.frames[0].images.iter().copied().min().unwrap_or(0)
    }

    #[inline]
    fn worth(&mut self, outcome: Outcome, side: Side) -> i8 {
        self.saw_score |= matches!(outcome, Outcome::Score(_));
        outcome.worth_to(side).signum() as i8
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

    /// A child that was searched has answered the question.
    #[inline]
    fn cut(&mut self, ply: usize, turn: usize) {
        self.pulse.statistics.cutoffs += 1;
        self.pulse.statistics.first_move_cutoffs += u64::from(turn == 0);
        let open = &self.frames[ply].open;
        self.moves.cut(open, turn);
        let child = open[turn].child as usize;
        self.answered(ply, child);
    }

    /// The table's facts about a position, and the work they took.
    #[inline]
    fn probe(&mut self, signature: Signature) -> (Known, u32) {
        let Some(table) = self.table else { return (Known::NOTHING, 0) };
        self.pulse.statistics.table_probes += 1;
        let Some(entry) = table.probe(signature) else { return (Known::NOTHING, 0) };
        self.pulse.statistics.table_hits += 1;
        (Known::of_entry(entry), entry.depth)
    }

    #[inline]
    fn store(&mut self, signature: Signature, found: Known, begin: u64, work: u32) {
        let Some(table) = self.table.filter(|_| found != Known::NOTHING) else { return };
        self.pulse.statistics.table_stores += 1;
        let nodes = self.pulse.statistics.nodes - begin + 1;
        let entry = found.entry(nodes.ilog2().max(work));
        table.store(signature, entry);
        if entry.depth >= self.shown_from {
            self.pulse.monitor.stored(signature, entry);
        }
    }
}

enum Expanded {
    Over(Outcome),
    /// There are moves; the best that one of them reaches at once.
    Moves {
        ending: Option<i8>,
    },
}
