//! What goes on at a node between its opening and its end: children are asked about, their answers are put
//! together, and those who asked are answered.

use multigame_game::Game;
use multigame_search::{Bounds, Choice, Closing, Engine, Evaluator, Found, Monitor, PathEntry};

use super::TravelWorker;
use super::node::Node;
use super::protocol::{Answer, Item, Question, Ticket, TravelMessage};
use crate::level::{Level, Own, Searched, Settled, Slave, Stage, Verdict};
use crate::protocol::JobId;
use crate::stages::{asked_window, first_stage};
use crate::worker::Mail;

type Post<'m, G> = &'m mut dyn Mail<TravelMessage<G>>;

impl<G: Game, E: Evaluator<G>, M: Monitor<G>> TravelWorker<'_, G, E, M> {
    /// Asks about as many children of a node as may be searched now, or closes it.
    pub(super) fn advance(&mut self, number: u64, mail: Post<'_, G>) {
        let policy = self.setup.policy;
        loop {
            let Some(node) = self.nodes.get_mut(&number) else { return };
            let level = &mut node.level;
            if level.verdict.is_some() || level.is_done() {
                self.close(number, mail);
                return;
            }
            let serial = !level.is_parallel(policy.policy());
            if serial && !level.slaves.is_empty() {
                return;
            }
            let start = level.clock;
            let Some(child) = level.take_next() else { return };
            self.ask(number, child, None, (start, serial), mail);
        }
    }

    /// Puts the kernel where a node is.
    fn seat(&mut self, number: u64) {
        let node = &self.nodes[&number];
        self.stepper.seat(node.level.ply, &node.level.position, &node.path, &node.level.brood);
        self.stepper.set_root_depth(node.root_depth);
    }

    /// Sends a child home; `again` tells the stage and the extension if it is not the first time.
    fn ask(
        &mut self,
        number: u64,
        (child, choice): (usize, Choice),
        again: Option<(Stage, u32)>,
        (start, serial): (u64, bool),
        mail: Post<'_, G>,
    ) {
        self.seat(number);
        let (game, policy) = (self.stepper.task().game, self.setup.policy);
        let node = &self.nodes[&number];
        let (ply, depth) = (node.level.ply, node.level.depth);
        self.stepper.make(ply, choice);
        let (stage, extension) = again.unwrap_or_else(|| {
            let extension = self.stepper.extension(ply, choice);
            let place = (child, choice, extension);
            (first_stage(&mut self.stepper, &node.level, policy.policy(), place, serial), extension)
        });
        let asked = asked_window(stage, &node.level, policy.policy());
        let same_side = self.stepper.is_same_side(ply);
        let position = self.stepper.position(ply + 1).clone();
        let signature = game.signature(&position);
        let irreversible = game.is_irreversible(&position);
        let repeats = signature == self.root || node.path.iter().any(|entry| entry.signature == signature);
        self.serial += 1;
        let home = self.home(signature);
        let question = Question {
            ticket: Ticket { asker: self.me, serial: self.serial },
            position,
            signature,
            ply: ply + 1,
            depth: match stage {
                Stage::Reduced(plies) => depth - 1 - plies,
                _ => depth - 1 + extension,
            },
            window: Level::<G>::for_child(asked, same_side),
            kind: node.level.kind.child(child),
            path: node.path.iter().copied().chain([PathEntry { signature, irreversible }]).collect(),
            place: node.place.iter().copied().chain([child as u16]).collect(),
            start,
            root_depth: node.root_depth,
            joins: extension == 0 && !repeats,
        };
        let own = Own { number: child, choice, stage, extension, asked, same_side, serial };
        self.note_question(number, own, home);
        self.counters.given += 1;
        self.counters.given_plies += ply as u64 + 1;
        self.tell(home, Item::Ask(Box::new(question)), mail);
    }

    /// Remembers the question that was numbered last.
    fn note_question(&mut self, number: u64, own: Own, home: u32) {
        let serial = self.serial;
        let id = JobId { master: self.me, serial };
        let node = self.nodes.get_mut(&number).expect("the node asks");
        node.level.slaves.push(Slave { worker: home, id, number: own.number, choice: own.choice });
        node.asked.insert(serial, own);
        self.asked.insert(serial, number);
    }

    /// An answer has come.
    pub(super) fn answered(&mut self, answer: Answer<G>, mail: Post<'_, G>) {
        let Some(number) = self.asked.remove(&answer.serial) else {
            self.counters.stale += 1;
            return;
        };
        let zero = self.stepper.task().options.engine == Engine::NegaScout;
        let node = self.nodes.get_mut(&number).expect("questions end with their node");
        let own = node.asked.remove(&answer.serial).expect("the node has asked");
        let level = &mut node.level;
        level.slaves.retain(|slave| slave.id.serial != answer.serial);
        let found = answer.found;
        let found = if own.same_side { found } else { Found { bounds: -found.bounds, ..found } };
        let decided = match own.stage {
            Stage::Reduced(_) => found.bounds.upper <= level.window.alpha,
            Stage::Value => true,
            Stage::Test | Stage::FirstAnswer => self.setup.decides(found.bounds, level.window),
        };
        let again = match own.stage {
            _ if decided => None,
            Stage::Reduced(_) if zero => Some(Stage::Test),
            // The bound has become better since: ask again.
            Stage::Test if own.asked.alpha < level.window.alpha => Some(Stage::Test),
            _ => Some(Stage::Value),
        };
        if let Some(stage) = again {
            if own.stage == Stage::Test {
                self.stepper.count_research();
            }
            let again = Some((stage, own.extension));
            self.ask(number, (own.number, own.choice), again, (answer.end, own.serial), mail);
            return;
        }
        let Own { number: child, choice, serial, .. } = own;
        let searched = Searched { number: child, choice, found, pv: answer.pv, end: answer.end, serial };
        match level.settle(searched, true, false) {
            Settled::Cuts => self.close(number, mail),
            Settled::Improves => {
                self.narrow_children(number, mail);
                self.answer_those_decided(number, mail);
                self.advance(number, mail);
            }
            Settled::Nothing => self.advance(number, mail),
        }
    }

    /// Tells the homes of the children what matters now. A test of a bound that has become better is begun
    /// anew: what it has found out so far is in the table.
    fn narrow_children(&mut self, number: u64, mail: Post<'_, G>) {
        let node = self.nodes.get_mut(&number).expect("it has children");
        let alpha = node.level.window.alpha;
        let pending: Vec<(u64, Own)> = node.asked.iter().map(|(&serial, &own)| (serial, own)).collect();
        for (serial, own) in pending {
            let node = self.nodes.get_mut(&number).expect("it has children");
            let place = node.level.slaves.iter().position(|slave| slave.id.serial == serial);
            let home = node.level.slaves[place.expect("each question has a home")].worker;
            if own.stage == Stage::Value {
                let window = Level::<G>::for_child(node.level.window, own.same_side);
                self.tell(home, Item::Window { serial, window }, mail);
            } else if own.asked.alpha < alpha {
                self.counters.renewed += 1;
                node.level.slaves.retain(|slave| slave.id.serial != serial);
                node.asked.remove(&serial);
                self.asked.remove(&serial);
                let start = node.level.clock;
                self.tell(home, Item::Kill(serial), mail);
                self.ask(number, (own.number, own.choice), None, (start, own.serial), mail);
            }
        }
    }

    /// Those who have asked for less than is known by now need not wait for the rest.
    fn answer_those_decided(&mut self, number: u64, mail: Post<'_, G>) {
        let node = self.nodes.get_mut(&number).expect("it is being searched");
        let level = &node.level;
        let (lower, end) = (level.lower, level.end.max(level.clock));
        let decided: Vec<Ticket> =
            node.askers.iter().filter(|asker| asker.window.beta <= lower).map(|asker| asker.ticket).collect();
        node.askers.retain(|asker| asker.window.beta > lower);
        let (found, pv) = (Found { bounds: Bounds::at_least(lower), complete: false }, level.pv.clone());
        for ticket in decided {
            self.reply(ticket, (found, pv.clone(), end), mail);
        }
        self.renew_window(number, mail);
    }

    /// What those who wait for a node want to know has become less.
    pub(super) fn renew_window(&mut self, number: u64, mail: Post<'_, G>) {
        let node = self.nodes.get_mut(&number).expect("it is being searched");
        let wanted = node.wanted();
        let level = &mut node.level;
        if level.window.and(wanted) == level.window {
            return;
        }
        level.asked = level.asked.and(wanted);
        level.window = level.window.and(wanted);
        if level.lower >= level.window.beta {
            level.verdict = Some(Verdict::Unwound);
            self.close(number, mail);
        } else {
            self.narrow_children(number, mail);
        }
    }

    /// Nobody has to know about the children of a node any more.
    fn kill_children(&mut self, node: &mut Node<G>, mail: Post<'_, G>) {
        node.asked.clear();
        for slave in node.level.slaves.drain(..) {
            self.asked.remove(&slave.id.serial);
            self.tell(slave.worker, Item::Kill(slave.id.serial), mail);
        }
    }

    /// Takes a node out, and lets those behind it have their turn.
    fn take_out(&mut self, number: u64, mail: Post<'_, G>) -> Option<Node<G>> {
        let mut node = self.nodes.remove(&number)?;
        let key = (node.signature, node.asked_depth);
        if self.known.get(&key) == Some(&number) {
            self.known.remove(&key);
        }
        self.kill_children(&mut node, mail);
        std::mem::take(&mut node.behind).into_iter().for_each(|question| self.enqueue(question));
        Some(node)
    }

    /// Nobody wants to know about a node any more.
    pub(super) fn drop_node(&mut self, number: u64, mail: Post<'_, G>) {
        self.take_out(number, mail);
    }

    /// A node is done.
    fn close(&mut self, number: u64, mail: Post<'_, G>) {
        let best = self.nodes[&number].level.best;
        self.seat(number);
        let Some(mut node) = self.take_out(number, mail) else { return };
        let level = &mut node.level;
        let mut found = level.found();
        let cutoff = match level.verdict {
            Some(Verdict::Cutoff(place)) => Some(place),
            _ => None,
        };
        self.counters.note_node(level.kind, cutoff.is_some());
        let unwound = matches!(level.verdict, Some(Verdict::Unwound));
        if let Some(opened) = level.opened.filter(|_| !unwound) {
            let closing = Closing { opened, found, best, cutoff };
            found = self.stepper.close(level.ply, level.depth, level.asked, closing, &mut self.witness);
        }
        level.root_line(found);
        let (pv, end) = (std::mem::take(&mut level.pv), level.end.max(level.clock));
        for asker in std::mem::take(&mut node.askers) {
            self.reply(asker.ticket, (found, pv.clone(), end), mail);
        }
    }
}
