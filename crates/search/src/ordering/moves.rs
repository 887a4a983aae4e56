//! Where the kernel meets the tables: scoring the moves of a node before they are tried, remembering the good
//! ones.

use multigame_game::{Game, Outcome, RulesError, Side};

use super::{Choice, MOST_MERIT, reply, stage};
use crate::effort::Effort;
use crate::kernel::Kernel;
use crate::transposition::move_mark;
use crate::workspace::{Frame, Workspace};
use crate::{Evaluator, HistoryForm, Monitor, Options};

/// Moves that leave few replies are judged by the evaluation as well where nodes after as many moves take so
/// many nodes on average.
///
/// PERF: positions 40 and 41 of FFO (othello, see `experiments/strength`) take 14.0 s, with 100 18.6 and with
/// 2000 14.5.
const JUDGED_EFFORT: u64 = 500;
/// The weight of a reply then; a man is 100.
///
/// PERF: position 40 takes 28.9 million nodes with 0, 25.6 with 10, 23.7 with 30, 23.5 with 100; position 41
/// 46.8 with 30, 62.6 with 100.
const REPLY: i64 = 30;
/// Depths above this are for searches to the end of the game, whose nodes take less than the depth would say.
const COUNTED_DEPTH: u32 = 24;

impl<G: Game, E: Evaluator<G>, M: Monitor<G>> Kernel<'_, G, E, M> {
    /// Gives each move its score.
    pub(crate) fn order(&mut self, ply: usize, hint: u32) {
        let (side, by_merits) = (self.side(ply), self.keeps_merits());
        let (game, evaluator, options) = (self.game, self.evaluator, self.options);
        let Workspace { frames, killers, history, merits, replies, line, .. } = &mut *self.work;
        let Frame { position, moves, order, follows, arrived, .. } = &mut frames[ply];
        let line = if *follows { line.get(ply).copied() } else { None };
        order.clear();
        for (index, mv) in moves.iter().enumerate() {
            let key = game.move_key(mv);
            let ending = game.ending(mv);
            if ending.is_some() {
                order.has_ending();
            }
            if let Some(score) = ending.and_then(|outcome| ending_score(outcome, side)) {
                let gain = evaluator.gain(game, position, mv);
                let priority = evaluator.priority(game, position, mv, gain);
                order.push(Choice { score, key, index: index as u32, gain, priority, merit: 0 });
                continue;
            }
            let gain = evaluator.gain(game, position, mv);
            let priority = evaluator.priority(game, position, mv, gain);
            let mut merit = 0;
            let score = if line == Some(key) {
                stage::LINE
            } else if hint != 0 && move_mark(key) == hint {
                stage::TABLE
            } else if priority > 0 {
                stage::PROMISING + i64::from(priority)
            } else if priority < 0 {
                i64::from(priority)
            } else {
                let killer = if options.killers { killers.rank(ply, key) } else { 0 };
                let count = if by_merits {
                    merit = merits.get(key) + replies.get(reply(*arrived, key));
                    // Never less than nothing, which is for doubtful moves.
                    i64::from(merit + 2 * MOST_MERIT)
                } else if options.history {
                    i64::from(history.get(form(game, evaluator, options, position, mv)))
                } else {
                    0
                };
                killer * stage::KILLER + stage::HISTORY + count
            };
            order.push(Choice { score, key, index: index as u32, gain, priority, merit });
        }
    }

    /// Puts those of the moves nothing is known about first that leave the opponent the fewest moves: the
    /// tree below them is smallest. Moves after which it is the same player's turn count as leaving none.
    /// Where much lies below, they have to be good as well.
    pub(crate) fn prefer_few_replies(&mut self, ply: usize) -> Result<(), RulesError> {
        let (game, evaluator, side) = (self.game, self.evaluator, self.side(ply));
        let table = self.table_at(ply + 1);
        let judged = evaluator.looks_first() && self.work.frames[ply].effort.takes(JUDGED_EFFORT);
        let (frame, below) = self.work.pair(ply);
        for choice in frame.order.iter_mut().filter(|choice| choice.score >= stage::HISTORY) {
            if choice.score >= stage::PROMISING {
                continue;
            }
            game.apply(&frame.position, &frame.moves[choice.index as usize], &mut below.position);
            let child = &below.position;
            if let Some(table) = table {
                table.expect(game.signature(child));
            }
            let replies = if game.side_to_move(child) == side { 0 } else { game.count(child)? };
            let mut points = -REPLY * replies.min(stage::MANY_REPLIES as u64) as i64;
            if judged {
                let value = i64::from(evaluator.evaluate(game, child).number());
                points += if game.side_to_move(child) == side { value } else { -value };
            }
            let points = points.clamp(-stage::MOST_POINTS, stage::MOST_POINTS - 1) + stage::MOST_POINTS;
            choice.score = choice.score % stage::POINT + points * stage::POINT;
        }
        Ok(())
    }

    /// Gives the moves that are not quiet their scores, where the moves themselves tell; false if they do
    /// not.
    pub(crate) fn order_unquiet(&mut self, ply: usize, hint: u32) -> bool {
        let (game, evaluator) = (self.game, self.evaluator);
        let Frame { position, moves, order, .. } = &mut self.work.frames[ply];
        order.clear();
        for (index, mv) in moves.iter().enumerate() {
            let Some(gain) = evaluator.gain(game, position, mv) else { return false };
            if gain > 0 {
                let priority = evaluator.priority(game, position, mv, Some(gain));
                let key = game.move_key(mv);
                let known = hint != 0 && move_mark(key) == hint;
                let score = if known { stage::TABLE } else { i64::from(priority) };
                order.push(Choice { score, key, index: index as u32, gain: Some(gain), priority, merit: 0 });
            }
        }
        true
    }

    /// Whether the child of a move is on the refutation line; at the root, chooses that line.
    pub(crate) fn follow(&mut self, ply: usize, choice: Choice) -> bool {
        if !self.options.refutation {
            return false;
        }
        if ply == 0 {
            self.work.refutations.load(choice.key, &mut self.work.line);
            return !self.work.line.is_empty();
        }
        self.work.frames[ply].follows && self.work.line.get(ply) == Some(&choice.key)
    }

    /// Where no move is quieter than others, history counts stay: merits did not do better there (othello).
    #[inline]
    fn keeps_merits(&self) -> bool {
        self.options.merits && self.evaluator.tells_quiet_moves()
    }

    /// Moves that were tried before one that gave a cutoff count less, unless they look promising by
    /// themselves.
    pub(crate) fn unlearn(&mut self, ply: usize, depth: u32, tried: usize) {
        let (game, evaluator, options) = (self.game, self.evaluator, self.options);
        let (counts, by_merits) = (options.history_malus && options.history, self.keeps_merits());
        if !counts && !by_merits {
            return;
        }
        let Workspace { frames, history, merits, replies, .. } = &mut *self.work;
        let Frame { position, moves, order, arrived, effort, .. } = &mut frames[ply];
        for number in 0..tried.min(order.len()) {
            // A worker that searched the children elsewhere has picked them there.
            let choice = order.pick(number);
            if choice.priority != 0 {
                continue;
            }
            if counts {
                let mv = &moves[choice.index as usize];
                history.subtract(form(game, evaluator, options, position, mv), counted_depth(depth, effort));
            }
            if by_merits {
                merits.learn(choice.key, depth, false);
                replies.learn(reply(*arrived, choice.key), depth, false);
            }
        }
    }

    /// Remembers a good move.
    pub(crate) fn learn(&mut self, ply: usize, depth: u32, choice: Choice, cutoff: bool) {
        let frame = &self.work.frames[ply];
        let mv = &frame.moves[choice.index as usize];
        if self.options.killers && cutoff && choice.priority == 0 {
            self.work.killers.add(ply, choice.key);
        }
        if self.options.history {
            let key = form(self.game, self.evaluator, self.options, &frame.position, mv);
            self.work.history.add(key, counted_depth(depth, &frame.effort));
        }
        if self.keeps_merits() && choice.priority == 0 {
            let arrived = frame.arrived;
            self.work.merits.learn(choice.key, depth, true);
            self.work.replies.learn(reply(arrived, choice.key), depth, true);
        }
    }
}

/// The depth for which a move counts in the history heuristic.
#[inline]
fn counted_depth(depth: u32, effort: &Effort) -> u32 {
    if depth > COUNTED_DEPTH { effort.doublings().min(COUNTED_DEPTH) } else { depth }
}

/// The key of a move for the history heuristic.
#[inline]
fn form<G: Game, E: Evaluator<G>>(
    game: &G,
    evaluator: &E,
    options: &Options,
    position: &G::Position,
    mv: &G::Move,
) -> u64 {
    match options.history_form {
        HistoryForm::Difference => evaluator.history_key(game, mv),
        HistoryForm::Fields => game.route(position, mv),
    }
}

/// Where a move stands that ends the game; nothing for draws and scores, which may be what one wants or not.
#[cold]
fn ending_score(outcome: Outcome, side: Side) -> Option<i64> {
    let winner = outcome.winner().filter(|_| !matches!(outcome, Outcome::Score(_)))?;
    Some(if winner == side { stage::WINNING } else { stage::LOSING })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depths_beyond_the_end_of_the_game_do_not_count() {
        let mut effort = Effort::default();
        effort.add(70);
        assert_eq!(counted_depth(12, &effort), 12);
        assert_eq!(counted_depth(60, &effort), 6);
    }
}
