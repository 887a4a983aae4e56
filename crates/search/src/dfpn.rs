//! df-pn: proof-number search that walks depth first and keeps numbers in a table instead of a tree.
//!
//! # Transpositions and cycles
//! Where paths meet again, the same leaves are counted many times, and with cycles the sums of proof-number
//! search grow without end. So a node counts its most difficult child and one for each of the others that are
//! open (weak proof-number search, Ueda and others): numbers only rise as fast as there is work.
//!
//! A position that comes back on the path is a failure of the attacker. So what was found out about a node
//! can depend on the path that led to it, and must not be believed on other paths (the graph-history
//! interaction problem). A proof never depends on the path, because repetition never helps the attacker. A
//! disproof remembers the nearest-to- the-root position of the path that it relies on. If that is the node
//! itself or nothing, it holds everywhere and is stored under the position; otherwise it is stored under
//! position *and* path (Kishimoto and Müller's twins).
//!
//! # Threads
//! Several threads search the same root with one table. Each takes a child for more difficult than it is
//! while others are below it (virtual proof numbers, Kaneko), so that they go different ways; what is stored
//! are the true numbers. At nodes that others may visit, a thread believes the numbers of the table, which
//! may be newer than its own. From time to time it looks whether a node on its path has been solved
//! meanwhile, and goes back to it.

use multigame_game::{Game, Random, Signature};
use rustc_hash::FxHashMap;

use crate::hooks::{Interrupt, Monitor, Pulse};
use crate::identity::identity;
use crate::kernel::KernelInput;
use crate::paths::Paths;
use crate::proof::{Attack, INFINITE, Numbers, Verdict};
use crate::proofs::{Known, NOTHING, Proofs, twin};
use crate::{Root, SearchResult, Statistics};

/// The answer relies on the limit of the depth, which no node can excuse: plies count from 1.
const LIMIT: u32 = 0;
/// Longer paths are not followed, because the stack of the thread ends somewhere.
const MAX_PLIES: u32 = 2000;
/// A thread looks whether others have solved a node on its path each time it has visited this many.
const LOOKS_UP: u64 = 64;

struct Frame<G: Game> {
    position: G::Position,
    moves: Vec<G::Move>,
    children: Vec<Child>,
    signature: Signature,
}

#[derive(Clone, Copy)]
struct Child {
    signature: Signature,
    known: Known,
    /// Other threads that are below it just now.
    visitors: u32,
}

/// The threads of a search, and which of them this one is.
pub(crate) type Company<'a> = (&'a Paths, usize);

struct DfPn<'a, G: Game, M> {
    game: &'a G,
    pulse: Pulse<'a, M>,
    attack: Attack,
    /// Two attacks on the same position are two questions.
    question: u64,
    table: &'a Proofs,
    company: Option<Company<'a>>,
    frames: Vec<Frame<G>>,
    /// Where the positions of the path stand.
    path: FxHashMap<Signature, u32>,
}

/// Finds out whether the root is won, drawn or lost; `proofs` is what an earlier search of this root has
/// found out.
pub(crate) fn solve<G: Game, E, M: Monitor<G>>(
    task: KernelInput<'_, G, E>,
    root: &Root<G>,
    proofs: &Proofs,
    company: Option<Company<'_>>,
    monitor: &mut M,
) -> Result<SearchResult<G::Move>, Interrupt> {
    let player = task.game.side_to_move(&root.position);
    let mut statistics = Statistics::default();
    let mut result = crate::proof::solve(player, |attack| {
        let mut search = DfPn {
            game: task.game,
            pulse: Pulse::new(&mut *monitor, task.abort, task.options.poll_interval),
            attack,
            question: Random::new(attack.number()).next_u64(),
            table: proofs,
            company,
            frames: Vec::new(),
            path: FxHashMap::default(),
        };
        search.ensure(0, &root.position);
        let known = search.search(0, 0, Numbers { proof: INFINITE, disproof: INFINITE });
        statistics += search.pulse.statistics;
        let success = match known {
            Err(Interrupt::Stopped) => None,
            known => Some(known?).filter(|known| known.numbers.is_solved() && known.relies_on != LIMIT),
        };
        let success = success.map(|known| known.numbers.proof == 0);
        let pv = success.map_or(Ok(Vec::new()), |success| search.line(success))?;
        // Endings that an earlier search or another thread has met are not met again.
        Ok(Verdict { success, pv, saw_score: proofs.saw_score() })
    })?;
    result.statistics = statistics;
    Ok(result)
}

impl<G: Game, M: Monitor<G>> DfPn<'_, G, M> {
    fn ensure(&mut self, ply: usize, position: &G::Position) {
        while self.frames.len() < ply + 2 {
            let (moves, children) = (Vec::new(), Vec::new());
            self.frames.push(Frame { position: position.clone(), moves, children, signature: 0 });
        }
    }

    /// Searches a node until one of its numbers reaches its limit. `way` is a fingerprint of the path above.
    fn search(&mut self, ply: usize, way: u64, limits: Numbers) -> Result<Known, Interrupt> {
        self.pulse.tick()?;
        if std::mem::take(&mut self.pulse.asked) {
            self.show();
        }
        if self.frames.len() < ply + 2 {
            let any = self.frames[0].position.clone();
            self.ensure(ply, &any);
        }
        let before = self.pulse.statistics.nodes;
        let (game, frame) = (self.game, &mut self.frames[ply]);
        let signature = identity(game, &frame.position) ^ self.question;
        frame.signature = signature;
        if self.company.is_some() {
            if let Some(known) = self.solved(signature) {
                return Ok(known);
            }
            if before.is_multiple_of(LOOKS_UP) {
                self.look_up(ply)?;
            }
        }
        let frame = &mut self.frames[ply];
        if let Some(outcome) = game.moves(&frame.position, &mut frame.moves)? {
            let known = Known::anywhere(self.attack.judge(outcome));
            if self.attack.saw_score {
                self.table.see_score();
            }
            self.table.store(signature, known, 0);
            self.pulse.statistics.leaves += 1;
            return Ok(known);
        }
        let number = ply as u32 + 1;
        if number >= MAX_PLIES {
            return Ok(Known { numbers: Numbers::FAILURE, relies_on: LIMIT });
        }
        let below = Random::new(way ^ signature).next_u64();
        self.path.insert(signature, number);
        if let Some((paths, thread)) = self.company {
            paths.enter(thread, ply, signature);
        }
        self.look_at_children(ply, below);
        let answer = self.work_on(ply, below, limits);
        if let Some((paths, thread)) = self.company {
            paths.leave(thread, ply);
        }
        self.path.remove(&signature);
        let answer = answer?;
        // A failure that relies on this very node relies on nothing once the node is left.
        let relies_on = if answer.relies_on == number { NOTHING } else { answer.relies_on };
        let answer = Known { relies_on, ..answer };
        let key = if relies_on == NOTHING { signature } else { twin(signature, way) };
        self.table.store(key, answer, (self.pulse.statistics.nodes - before) as u32);
        Ok(answer)
    }

    /// Searches one child after the other until one of the numbers of their node reaches its limit.
    fn work_on(&mut self, ply: usize, below: u64, limits: Numbers) -> Result<Known, Interrupt> {
        let attacks = self.game.side_to_move(&self.frames[ply].position) == self.attack.attacker;
        loop {
            self.look_around(ply);
            let children = &self.frames[ply].children;
            let numbers = weak_numbers(attacks, children);
            if numbers.proof >= limits.proof || numbers.disproof >= limits.disproof || numbers.is_solved() {
                return Ok(Known { numbers, relies_on: relies_on(attacks, numbers, children) });
            }
            let (best, limits) = choose(attacks, limits, children);
            let (upper, lower) = self.frames.split_at_mut(ply + 1);
            self.game.apply(&upper[ply].position, &upper[ply].moves[best], &mut lower[0].position);
            match self.search(ply + 1, below, limits) {
                Err(Interrupt::Unwind(level)) if level == ply => {
                    if let Some(known) = self.solved(self.frames[ply].signature) {
                        return Ok(known);
                    }
                }
                known => self.frames[ply].children[best].known = known?,
            }
            self.look_again(ply, below);
        }
    }

    /// The answer for a position that the table knows to be solved, on whatever path.
    fn solved(&self, signature: Signature) -> Option<Known> {
        self.table.get(signature).filter(|known| known.numbers.is_solved())
    }

    /// Goes back to the first node of the path that another thread has solved.
    fn look_up(&mut self, ply: usize) -> Result<(), Interrupt> {
        let solved = |frame: &Frame<G>| self.solved(frame.signature).is_some();
        self.frames[..ply].iter().position(solved).map_or(Ok(()), |level| Err(Interrupt::Unwind(level)))
    }

    /// Looks at which children the other threads are.
    fn look_around(&mut self, ply: usize) {
        let Some((paths, thread)) = self.company else { return };
        let Frame { children, signature, .. } = &mut self.frames[ply];
        children.iter_mut().for_each(|child| child.visitors = 0);
        for visited in paths.beside(thread, ply, *signature) {
            if let Some(child) = children.iter_mut().find(|child| child.signature == visited) {
                child.visitors += 1;
            }
        }
    }

    /// Shows what is known.
    #[cold]
    fn show(&mut self) {
        self.pulse.monitor.known(self.table);
    }

    /// What is known about the children before any of them is searched.
    fn look_at_children(&mut self, ply: usize, way: u64) {
        let (upper, lower) = self.frames.split_at_mut(ply + 1);
        let (frame, child) = (&mut upper[ply], &mut lower[0].position);
        frame.children.clear();
        for mv in &frame.moves {
            self.game.apply(&frame.position, mv, child);
            let signature = identity(self.game, child) ^ self.question;
            self.pulse.statistics.table_probes += 1;
            let on_path = match self.game.is_irreversible(child) {
                true => None,
                false => self.path.get(&signature),
            };
            let known = if let Some(&relies_on) = on_path {
                self.pulse.statistics.repetitions += 1;
                Known { numbers: Numbers::FAILURE, relies_on }
            } else if let Some(known) = self.table.probe(signature, way) {
                self.pulse.statistics.table_hits += 1;
                known
            } else {
                Known::anywhere(Numbers::UNKNOWN)
            };
            frame.children.push(Child { signature, known, visitors: 0 });
        }
    }

    /// Children may have been solved on other paths in the meantime; other threads may have searched them.
    fn look_again(&mut self, ply: usize, way: u64) {
        let (table, shared) = (self.table, self.company.is_some());
        for child in self.frames[ply].children.iter_mut().filter(|child| !child.known.numbers.is_solved()) {
            let known = if shared { table.probe(child.signature, way) } else { table.get(child.signature) };
            if let Some(known) = known.filter(|known| shared || known.numbers.is_solved()) {
                child.known = known;
            }
        }
    }

    /// A line along which the answer was found, as far as the table remembers it.
    fn line(&mut self, success: bool) -> Result<Vec<G::Move>, Interrupt> {
        let mut line = Vec::new();
        let mut position = self.frames[0].position.clone();
        let mut met = vec![identity(self.game, &position) ^ self.question];
        let mut moves = Vec::new();
        'next: loop {
            self.game.moves(&position, &mut moves)?;
            for mv in &moves {
                let mut child = position.clone();
                self.game.apply(&position, mv, &mut child);
                let signature = identity(self.game, &child) ^ self.question;
                let known = self.table.get(signature).map(|known| known.numbers);
                let same = known.is_some_and(|n| if success { n.proof == 0 } else { n.disproof == 0 });
                if same && !met.contains(&signature) {
                    line.push(mv.clone());
                    met.push(signature);
                    position = child;
                    continue 'next;
                }
            }
            return Ok(line);
        }
    }
}

/// The least of one kind, and the most of the other with one for each other open child.
fn weak_numbers(attacks: bool, children: &[Child]) -> Numbers {
    let (mut least, mut most, mut open) = (INFINITE, 0, 0u32);
    for child in children {
        let child = if attacks { child.known.numbers } else { child.known.numbers.swapped() };
        least = least.min(child.proof);
        most = most.max(child.disproof);
        open += u32::from(child.disproof != 0);
    }
    // Only what is solved is infinite.
    let others = if most == INFINITE { 0 } else { open.saturating_sub(1) };
    let disproof = if least == 0 { INFINITE } else { (most + others).min(INFINITE - 1) };
    let numbers = Numbers { proof: least, disproof };
    if attacks { numbers } else { numbers.swapped() }
}

/// The child to search next and its limits: until another child is better, or the node reaches its own.
/// Children that others visit count as more difficult, but not as too difficult: where no other child can be
/// searched within the limits of the node, threads go the same way and part further down.
fn choose(attacks: bool, limits: Numbers, children: &[Child]) -> (usize, Numbers) {
    let seen = |numbers: Numbers| if attacks { numbers } else { numbers.swapped() };
    let limits = seen(limits);
    let virtually = |child: &Child| {
        let proof = seen(child.known.numbers).proof;
        let more = proof.saturating_add(proof.max(1).saturating_mul(child.visitors)).min(INFINITE);
        if proof < limits.proof { more.min(limits.proof - 1) } else { more }
    };
    let (mut best, mut least, mut second) = (0, virtually(&children[0]), INFINITE);
    for (index, child) in children.iter().enumerate().skip(1) {
        let proof = virtually(child);
        if proof < least {
            (best, least, second) = (index, proof, least);
        } else {
            second = second.min(proof);
        }
    }
    // A quarter more than the next best: changing to and fro between equal children costs more than it finds.
    let patience = second.saturating_add(second / 4).saturating_add(1).min(INFINITE);
    let rest = children.iter().filter(|child| seen(child.known.numbers).disproof != 0).count() as u32 - 1;
    let limits =
        Numbers { proof: limits.proof.min(patience), disproof: limits.disproof.saturating_sub(rest) };
    (best, seen(limits))
}

/// What the failure at a node relies on. The attacker fails if all children do; the opponent chooses the
/// child that relies on least.
fn relies_on(attacks: bool, numbers: Numbers, children: &[Child]) -> u32 {
    if numbers.disproof != 0 {
        return NOTHING;
    }
    let failures = children.iter().filter(|child| child.known.numbers.disproof == 0);
    let plies = failures.map(|child| child.known.relies_on);
    if attacks { plies.min() } else { plies.max() }.unwrap_or(NOTHING)
}
