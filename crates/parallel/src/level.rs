//! A node in a worker's hands: its children, who searches them, and what is known.

use multigame_game::Game;
use multigame_search::{Bounds, Brood, Choice, Found, Killer, Opened, PathEntry, Value, Window};

use crate::policy::{NodeKind, Policy, View};
use crate::protocol::JobId;
use crate::worker::WorkerId;

/// Where a node came from.
#[derive(Clone, Debug)]
pub(crate) enum Origin {
    /// It is the root.
    Root,
    /// It is a child of the node below it in the stack.
    Own,
    /// It is the father of a job; only one of its children matters here.
    Stolen(Stolen),
}

/// A job in the hands of a slave.
#[derive(Clone, Debug)]
pub(crate) struct Stolen {
    pub id: JobId,
    pub master: WorkerId,
    /// The place of the child among its brothers.
    pub number: usize,
    pub probe_only: bool,
    pub root_depth: u32,
    /// From the position after the root to the father.
    pub path: Vec<PathEntry>,
    /// Whether the father has been put where the kernel finds it.
    pub seated: bool,
    /// The master's killers, for as long as they have not been taken over.
    pub killers: Vec<[Killer; 2]>,
}

/// How a child is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// This many plies less deeply, with a zero window.
    Reduced(u32),
    /// With a zero window.
    Test,
    /// Only its first answer.
    FirstAnswer,
    /// With the window of the father.
    Value,
}

/// The child a worker searches itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Own {
    pub number: usize,
    pub choice: Choice,
    pub stage: Stage,
    /// By how much it is searched more deeply.
    pub extension: u32,
    /// The question, as the father sees it.
    pub asked: Window,
    /// Whether the same player moves at father and child.
    pub same_side: bool,
    /// Whether brothers had to wait for it.
    pub serial: bool,
}

/// Somebody who searches a child.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slave {
    pub worker: WorkerId,
    pub id: JobId,
    pub number: usize,
    pub choice: Choice,
}

/// A child whose probe did not decide.
#[derive(Clone, Debug)]
pub(crate) struct Undecided<M> {
    pub number: usize,
    pub choice: Choice,
    pub found: Found,
    pub pv: Vec<M>,
    pub end: u64,
}

/// A child that has been searched.
pub(crate) struct Searched<M> {
    pub number: usize,
    pub choice: Choice,
    pub found: Found,
    pub pv: Vec<M>,
    pub end: u64,
    pub serial: bool,
}

/// What the last word on a child means for its father.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Settled {
    /// The other children do not matter any more.
    Cuts,
    /// They have to be better than was known.
    Improves,
    Nothing,
}

/// Why a node needs no more work.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Verdict {
    /// This child is too good.
    Cutoff(usize),
    /// The known bounds became enough when the window was narrowed from outside.
    Unwound,
}

/// A node; see the module.
#[derive(Debug)]
pub(crate) struct Level<G: Game> {
    pub origin: Origin,
    pub ply: usize,
    pub depth: u32,
    pub kind: NodeKind,
    pub entry: PathEntry,
    pub position: G::Position,
    /// What was asked, narrowed from outside since.
    pub asked: Window,
    /// What is left of it.
    pub window: Window,
    /// Proved so far, the table's word included.
    pub lower: Value,
    /// Proved by the children alone.
    pub children_lower: Value,
    pub upper: Value,
    pub complete: bool,
    /// Nothing until the node has been opened.
    pub opened: Option<Opened>,
    /// Waits for the word of the table's owner.
    pub looking: bool,
    /// Whether the table or its home knew something about it, if that matters for its children.
    pub known: bool,
    /// The worker's work before it.
    pub born: u64,
    /// What was paid for opening it while it waited.
    pub prepaid: u64,
    /// Whether only the first child matters.
    pub first_only: bool,
    pub brood: Brood<G::Move>,
    /// Children picked so far.
    pub next: usize,
    /// Children given away from the end.
    pub from_end: usize,
    pub finished: usize,
    pub own: Option<Own>,
    pub slaves: Vec<Slave>,
    /// Children that were given away and came back.
    pub returned: Vec<(usize, Choice)>,
    pub undecided: Vec<Undecided<G::Move>>,
    pub best: Option<Choice>,
    pub strongest: Option<Choice>,
    pub pv: Vec<G::Move>,
    pub verdict: Option<Verdict>,
    /// Critical path to the point from which children may be searched in parallel.
    pub clock: u64,
    /// Critical path to the end of the last child.
    pub end: u64,
    /// The ends of children, where they have to be valued in order.
    pub ends: Vec<(usize, u64)>,
}

impl<G: Game> Level<G> {
    /// A node that has not been opened.
    pub fn new(origin: Origin, ply: usize, depth: u32, kind: NodeKind, position: G::Position) -> Level<G> {
        Level {
            origin,
            ply,
            depth,
            kind,
            entry: PathEntry { signature: 0, irreversible: true },
            position,
            asked: Window::FULL,
            window: Window::FULL,
            lower: -Value::INFINITE,
            children_lower: -Value::INFINITE,
            upper: -Value::INFINITE,
            complete: true,
            opened: None,
            looking: false,
            known: true,
            born: 0,
            prepaid: 0,
            first_only: false,
            brood: Brood::default(),
            next: 0,
            from_end: 0,
            finished: 0,
            own: None,
            slaves: Vec::new(),
            returned: Vec::new(),
            undecided: Vec::new(),
            best: None,
            strongest: None,
            pv: Vec::new(),
            verdict: None,
            clock: 0,
            end: 0,
            ends: Vec::new(),
        }
    }

    /// The job this node is the father of.
    pub fn stolen(&self) -> Option<&Stolen> {
        match &self.origin {
            Origin::Stolen(stolen) => Some(stolen),
            _ => None,
        }
    }

    /// The place of a child among all brothers, wherever they are searched.
    pub fn true_number(&self, number: usize) -> usize {
        self.stolen().map_or(number, |stolen| stolen.number)
    }

    fn view(&self) -> View {
        let busy = self.own.is_some_and(|own| own.choice.is_promising())
            || self.slaves.iter().any(|slave| slave.choice.is_promising());
        View {
            kind: self.kind,
            ply: self.ply,
            depth: self.depth,
            children: self.brood.len(),
            finished: self.finished,
            promising: busy || self.brood.is_promising_from(self.next),
            uncuttable: self.window.beta >= Value::INFINITE,
        }
    }

    /// Whether brothers need not wait now.
    pub fn is_parallel(&self, policy: &dyn Policy) -> bool {
        policy.may_give(&self.view())
    }

    /// Whether there is a child to give away. The eldest is never given.
    pub fn can_give(&self, policy: &dyn Policy) -> bool {
        let free = self.next > 0 && self.has_next() || !self.returned.is_empty();
        free && self.opened.is_some()
            && self.verdict.is_none()
            && !self.first_only
            && self.stolen().is_none()
            && self.is_parallel(policy)
    }

    /// The child to give away or to search next.
    pub fn take_next(&mut self) -> Option<(usize, Choice)> {
        if let Some(returned) = self.returned.pop() {
            return Some(returned);
        }
        if !self.has_next() || (self.first_only && self.next > 0) {
            return None;
        }
        self.next += 1;
        Some((self.next - 1, self.brood.pick(self.next - 1)))
    }

    /// The child that would be searched last.
    pub fn take_last(&mut self) -> Option<(usize, Choice)> {
        if let Some(returned) = self.returned.pop() {
            return Some(returned);
        }
        if !self.has_next() {
            return None;
        }
        self.from_end += 1;
        let number = self.brood.len() - self.from_end;
        Some((number, self.brood.pick(number)))
    }

    /// Whether there is a child that nobody has.
    pub fn has_next(&self) -> bool {
        self.next + self.from_end < self.brood.len()
    }

    /// The place of the child that failed its probe and whose elder brothers are all done.
    fn ready(&self) -> Option<usize> {
        let numbers = self.undecided.iter().map(|undecided| undecided.number).enumerate();
        let (place, least) = numbers.min_by_key(|&(_, number)| number)?;
        let younger = |number: usize| number > least;
        let elders_taken = least < self.next || !self.has_next();
        let waits = elders_taken && self.slaves.iter().all(|slave| younger(slave.number));
        (waits && self.returned.iter().all(|&(number, _)| younger(number))).then_some(place)
    }

    /// Whether there is such a child.
    pub fn has_ready(&self) -> bool {
        self.ready().is_some()
    }

    /// That child.
    pub fn take_ready(&mut self) -> Option<Undecided<G::Move>> {
        self.ready().map(|place| self.undecided.swap_remove(place))
    }

    /// Whether the worker searches this child itself.
    pub fn redoes(&self, number: usize) -> bool {
        self.own.is_some_and(|own| own.number == number)
    }

    /// Takes the last word on a child. Without `prunes` no bound spares any work; with `timed` the ends of
    /// all children are kept.
    pub fn settle(&mut self, searched: Searched<G::Move>, prunes: bool, timed: bool) -> Settled {
        let Searched { number, choice, found, mut pv, end, serial } = searched;
        self.finished += 1;
        self.end = self.end.max(end);
        if timed {
            self.ends.push((number, end));
        }
        if serial {
            self.clock = self.clock.max(end);
        }
        self.upper = self.upper.max(found.bounds.upper);
        if found.bounds.lower > self.children_lower || self.strongest.is_none() {
            self.strongest = Some(choice);
        }
        self.children_lower = self.children_lower.max(found.bounds.lower);
        self.lower = self.lower.max(found.bounds.lower);
        let cuts = prunes && found.bounds.lower >= self.window.beta;
        let improves = found.bounds.lower > self.window.alpha;
        if improves {
            self.window.alpha = found.bounds.lower;
            self.best = Some(choice);
            pv.insert(0, self.brood.mv(choice).clone());
            self.pv = pv;
        }
        if cuts {
            self.complete = found.complete;
            self.verdict = Some(Verdict::Cutoff(self.true_number(number)));
            self.end = self.clock.max(end);
            return Settled::Cuts;
        }
        self.complete &= found.complete;
        if improves && prunes { Settled::Improves } else { Settled::Nothing }
    }

    /// The table can tell the exact value of a root below the window: then the strongest child is its move.
    pub fn root_line(&mut self, found: Found) {
        if self.ply == 0
            && self.best.is_none()
            && found.bounds.is_exact()
            && let Some(strongest) = self.strongest
        {
            self.pv = vec![self.brood.mv(strongest).clone()];
        }
    }

    /// Whether all children have had their say.
    pub fn is_done(&self) -> bool {
        let all = !self.has_next() || (self.first_only && self.next > 0);
        all && self.own.is_none()
            && self.slaves.is_empty()
            && self.returned.is_empty()
            && self.undecided.is_empty()
    }

    /// What the children have said.
    pub fn found(&self) -> Found {
        let bounds = match self.verdict {
            Some(_) => Bounds::at_least(self.lower),
            None if self.first_only && self.brood.len() > 1 => Bounds::at_least(self.children_lower),
            None => Bounds { lower: self.children_lower, upper: self.upper },
        };
        let unwound = matches!(self.verdict, Some(Verdict::Unwound)) || self.first_only;
        Found { bounds, complete: self.complete && !unwound }
    }

    /// Of the killers of all plies those that matter below a child: no others are used where only captures
    /// are tried.
    pub fn lessons<'k>(&self, killers: &'k [[Killer; 2]]) -> &'k [[Killer; 2]] {
        let from = (self.ply + 1).min(killers.len());
        &killers[from..killers.len().min(from + self.depth as usize)]
    }

    /// A window of this node as its child sees it.
    pub fn for_child(window: Window, same_side: bool) -> Window {
        if same_side { window } else { -window }
    }
}

#[cfg(test)]
mod tests {
    use multigame_search::random_tree::{RandomTree, Shape};

    use super::*;

    #[test]
    fn killers_matter_as_deep_as_moves_are_searched() {
        let killers = vec![[Killer::default(); 2]; 9];
        let position = RandomTree::new(Shape::default()).initial();
        let count = |ply, depth| {
            let level = Level::<RandomTree>::new(Origin::Root, ply, depth, NodeKind::Pv, position);
            level.lessons(&killers).len()
        };
        assert_eq!([count(0, 6), count(5, 1), count(6, 4), count(12, 1)], [6, 1, 2, 0]);
    }
}
