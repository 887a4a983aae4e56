//! The horizon, and the search below it for as long as it is not quiet.
//!
//! The player to move may accept the evaluation (*stand pat*) or try one of the moves that are not
//! quiet.

use multigame_game::{Game, Outcome};

use crate::evaluation_cache::Remembered;
use crate::hooks::Interrupt;
use crate::kernel::{Answer, Found, Kernel, MAX_PLY};
use crate::ordering::Choice;
use crate::transposition::{Entry, move_mark};
use crate::{Bounds, Estimate, Evaluator, Monitor, Value, Window};

impl<G: Game, E: Evaluator<G>, M: Monitor<G>> Kernel<'_, G, E, M> {
    /// The outcome or the evaluation of a position.
    pub(crate) fn leaf(&mut self, ply: usize) -> Answer {
        Ok(match self.at_horizon(ply)? {
            Estimate::Over(outcome) => Found::exact(self.worth(ply, outcome), true),
            Estimate::Worth(value) => Found::exact(value, false),
        })
    }

    /// Searches a node `below` plies below the horizon; the frame's window is set.
    pub(crate) fn quiesce(&mut self, ply: usize, below: u32) -> Answer {
        if below >= self.quiescence_plies || ply >= MAX_PLY {
            return self.leaf(ply);
        }
        if let Some(found) = self.ended(ply) {
            return Ok(found);
        }
        let Some(table) = self.table.filter(|_| self.options.quiescence_table && !self.path.forbids()) else {
            return Ok(self.quiesce_moves(ply, below, 0)?.0);
        };
        let frame = &self.work.frames[ply];
        let (signature, window) = (self.game.signature(&frame.position), frame.window);
        let mut hint = 0;
        if let Some(entry) = table.probe(signature) {
            let bounds = entry.bounds(ply);
            if bounds.decides(window) {
                self.pulse.statistics.table_cutoffs += 1;
                return Ok(Found { bounds, complete: entry.complete });
            }
            hint = entry.mark;
        }
        let (found, best) = self.quiesce_moves(ply, below, hint)?;
        let mark = best.map_or(0, |best| move_mark(best.key));
        table.store(signature, Entry::new(found.bounds, window, ply, 0, found.complete, mark));
        Ok(found)
    }

    /// Stands pat or tries the moves that are not quiet, the table's first. Tells the move that was too good.
    fn quiesce_moves(
        &mut self,
        ply: usize,
        below: u32,
        hint: u32,
    ) -> Result<(Found, Option<Choice>), Interrupt> {
        let stands = self.calm(ply) != Some(false);
        let (mut lower, mut upper) = (-Value::INFINITE, -Value::INFINITE);
        let mut stand = Value::DRAW;
        if stands {
            lower = match self.stand_pat(ply)? {
                Estimate::Over(outcome) => return Ok((Found::exact(self.worth(ply, outcome), true), None)),
                Estimate::Worth(value) => value,
            };
            (stand, upper) = (lower, lower);
            let frame = &mut self.work.frames[ply];
            frame.lower = lower;
            frame.window.alpha = frame.window.alpha.max(lower);
            if lower >= frame.window.beta {
                return Ok((Found { bounds: Bounds::at_least(lower), complete: false }, None));
            }
        }
        if let Some(outcome) = self.generate_unquiet(ply, stands)? {
            return Ok((Found::exact(self.worth(ply, outcome), true), None));
        }
        let known_unquiet = stands && self.order_unquiet(ply, hint);
        if !known_unquiet {
            self.order(ply, hint);
        }
        for number in 0..self.work.frames[ply].order.len() {
            let choice = self.work.frames[ply].order.pick(number);
            if known_unquiet && let Some(hope) = self.gains_too_little(ply, choice, stand) {
                upper = upper.max(hope);
                continue;
            }
            if known_unquiet && self.loses(ply, choice, stand)? {
                continue;
            }
            self.make(ply, choice);
            if stands && !known_unquiet && self.is_quiet(ply, choice) {
                self.path.back_to(ply);
                continue;
            }
            let found = self.quiesce_child(ply, below)?;
            self.path.back_to(ply);
            lower = lower.max(found.bounds.lower);
            upper = upper.max(found.bounds.upper);
            let frame = &mut self.work.frames[ply];
            frame.lower = lower;
            frame.window.alpha = frame.window.alpha.max(lower);
            if lower >= frame.window.beta {
                return Ok((Found { bounds: Bounds::at_least(lower), complete: false }, Some(choice)));
            }
        }
        Ok((Found { bounds: Bounds { lower, upper }, complete: false }, None))
    }

    /// The hoped-for value of a move, if it does not reach alpha: the value before it with what it takes,
    /// and as much as a quiet move may gain.
    fn gains_too_little(&self, ply: usize, choice: Choice, stand: Value) -> Option<Value> {
        let alpha = self.work.frames[ply].window.alpha;
        if !self.options.futility || alpha.is_loss() || alpha.is_win() {
            return None;
        }
        let hope = stand + choice.gain? + self.options.futility_margin;
        (hope <= alpha).then_some(hope)
    }

    /// Whether a capture is left out because it loses material: the capturing piece is lost, and its surplus
    /// over the captured one puts alpha out of reach.
    fn loses(&mut self, ply: usize, choice: Choice, stand: Value) -> Result<bool, Interrupt> {
        let frame = &self.work.frames[ply];
        let alpha = frame.window.alpha;
        if !self.options.futility || alpha.is_loss() {
            return Ok(false);
        }
        let (gain, mv) = (choice.gain.unwrap_or(0), &frame.moves[choice.index as usize]);
        let stake = self.evaluator.stake(self.game, &frame.position, mv);
        let hope = stand + (gain - stake + self.options.futility_margin / 2);
        let loses = stake > gain && hope <= alpha && self.exchanged(ply, choice)? < 0;
        self.pulse.statistics.losing_captures += u64::from(loses);
        Ok(loses)
    }

    /// Generates the moves that are not quiet where they can be told from the others, and otherwise all. A
    /// player who may not stand pat needs all.
    fn generate_unquiet(&mut self, ply: usize, stands: bool) -> Result<Option<Outcome>, Interrupt> {
        let (game, evaluator) = (self.game, self.evaluator);
        // Pruning takes a stalemate for a position that goes on.
        let endings = !self.options.futility || self.calm(ply) != Some(true);
        let frame = &mut self.work.frames[ply];
        match evaluator.prey(game, &frame.position) {
            Some(prey) if stands && ply > 0 && !self.path.forbids() => {
                Ok(game.takes(&frame.position, prey, endings, &mut frame.moves)?)
            }
            _ => self.generate(ply),
        }
    }

    fn quiesce_child(&mut self, ply: usize, below: u32) -> Answer {
        let same_side = self.side(ply) == self.side(ply + 1);
        let window: Window = self.work.frames[ply].window;
        self.work.frames[ply + 1].scouting = false;
        self.pulse.statistics.quiescence_nodes += 1;
        let answer = match self.start(ply + 1, if same_side { window } else { -window }) {
            Ok(()) => self.quiesce(ply + 1, below + 1),
            Err(interrupt) => Err(interrupt),
        };
        let found = self.caught(ply + 1, answer)?;
        Ok(if same_side { found } else { Found { bounds: -found.bounds, ..found } })
    }

    /// The value of standing pat, or the end of the game. Whether it ended is
    /// looked at only where nobody else will: below beta the moves are generated next, and where pruning is
    /// allowed and nothing is threatened, it does not matter.
    fn stand_pat(&mut self, ply: usize) -> Result<Estimate, Interrupt> {
        if !self.evaluator.looks_first() || self.path.forbids() {
            return self.at_horizon(ply);
        }
        let Remembered { value, goes_on } = self.remembered(ply);
        let decided = value >= self.work.frames[ply].window.beta;
        let pruned = self.options.futility && self.calm(ply) == Some(true);
        if goes_on || pruned || !decided {
            return Ok(Estimate::Worth(value));
        }
        self.confirmed(ply, value)
    }

    /// Whether the game is over at a node, and if not, what the evaluation says. An evaluation that is
    /// remembered may tell that the game goes on, unless that depends on the path.
    #[inline]
    fn at_horizon(&mut self, ply: usize) -> Result<Estimate, Interrupt> {
        let (game, evaluator) = (self.game, self.evaluator);
        let (frame, below) = self.work.pair(ply);
        if let Some(outcome) = game.ended(&frame.position) {
            return Ok(Estimate::Over(outcome));
        }
        if self.path.forbids() {
            let outcome = self.path.outcome(game, &frame.position, &mut frame.moves, &mut below.position)?;
            return Ok(outcome.map_or_else(|| Estimate::Worth(self.evaluate(ply)), Estimate::Over));
        }
        let signature = game.signature(&frame.position);
        if let Some(Remembered { value, goes_on }) = self.work.evaluations.get(signature) {
            self.pulse.statistics.evaluation_hits += 1;
            return if goes_on { Ok(Estimate::Worth(value)) } else { self.confirmed(ply, value) };
        }
        let estimate = evaluator.estimate(game, &self.work.frames[ply].position)?;
        if let Estimate::Worth(value) = estimate {
            self.pulse.statistics.evaluations += 1;
            self.work.evaluations.set(signature, value, true);
        }
        Ok(estimate)
    }

    /// An evaluation that was made first, unless the game is over.
    fn confirmed(&mut self, ply: usize, value: Value) -> Result<Estimate, Interrupt> {
        let position = &self.work.frames[ply].position;
        if let Some(outcome) = self.game.outcome(position)? {
            return Ok(Estimate::Over(outcome));
        }
        self.work.evaluations.set(self.game.signature(position), value, true);
        Ok(Estimate::Worth(value))
    }

    /// The evaluation of a position. It means nothing where the game is over.
    #[inline]
    pub(crate) fn evaluate(&mut self, ply: usize) -> Value {
        self.remembered(ply).value
    }

    /// The same, and whether the game is known to go on.
    fn remembered(&mut self, ply: usize) -> Remembered {
        let position = &self.work.frames[ply].position;
        let signature = self.game.signature(position);
        if let Some(remembered) = self.work.evaluations.get(signature) {
            self.pulse.statistics.evaluation_hits += 1;
            return remembered;
        }
        let value = self.evaluator.evaluate(self.game, position);
        self.pulse.statistics.evaluations += 1;
        self.work.evaluations.set(signature, value, false);
        Remembered { value, goes_on: false }
    }
}
