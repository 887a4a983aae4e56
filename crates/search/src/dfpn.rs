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

use multigame_game::{Game, Random, Signature};
use rustc_hash::FxHashMap;

use crate::hooks::{Interrupt, Monitor, Pulse};
use crate::identity::identity;
use crate::kernel::KernelInput;
use crate::proof::{Attack, INFINITE, Numbers, Verdict};
use crate::proofs::{Known, NOTHING, Proofs, twin};
use crate::{Root, SearchResult, Statistics};

/// The answer relies on the limit of the depth, which no node can excuse: plies count from 1.
const LIMIT: u32 = 0;
/// Longer paths are not followed, because the stack of the thread ends somewhere.
const MAX_PLIES: u32 = 2000;

struct Frame<G: Game> {
    position: G::Position,
    moves: Vec<G::Move>,
    children: Vec<Child>,
}

#[derive(Clone, Copy)]
struct Child {
    signature: Signature,
    known: Known,
}

struct DfPn<'a, G: Game, M> {
    game: &'a G,
    pulse: Pulse<'a, M>,
    attack: Attack,
    /// Two attacks on the same position are two questions.
    question: u64,
    table: &'a mut Proofs,
    frames: Vec<Frame<G>>,
    /// Where the positions of the path stand.
    path: FxHashMap<Signature, u32>,
}

/// Finds out whether the root is won, drawn or lost; `proofs` is what an earlier search of this root has
/// found out.
pub(crate) fn solve<G: Game, E, M: Monitor<G>>(
    task: KernelInput<'_, G, E>,
    root: &Root<G>,
    proofs: &mut Proofs,
    monitor: &mut M,
) -> Result<SearchResult<G::Move>, Interrupt> {
    let player = task.game.side_to_move(&root.position);
    let mut statistics = Statistics::default();
    let mut result = crate::proof::solve(player, |mut attack| {
        // Endings that an earlier search has met are not met again.
        attack.saw_score |= proofs.saw_score;
        let mut search = DfPn {
            game: task.game,
            pulse: Pulse::new(&mut *monitor, task.abort, task.options.poll_interval),
            attack,
            question: Random::new(attack.number()).next_u64(),
            table: &mut *proofs,
            frames: Vec::new(),
            path: FxHashMap::default(),
        };
        search.ensure(0, &root.position);
        let known = search.search(0, 0, Numbers { proof: INFINITE, disproof: INFINITE });
        statistics += search.pulse.statistics;
        search.table.saw_score |= search.attack.saw_score;
        let success = match known {
            Err(Interrupt::Stopped) => None,
            known => Some(known?).filter(|known| known.numbers.is_solved() && known.relies_on != LIMIT),
        };
        let success = success.map(|known| known.numbers.proof == 0);
        let pv = success.map_or(Ok(Vec::new()), |success| search.line(success))?;
        Ok(Verdict { success, pv, saw_score: search.attack.saw_score })
    })?;
    result.statistics = statistics;
    Ok(result)
}

impl<G: Game, M: Monitor<G>> DfPn<'_, G, M> {
    fn ensure(&mut self, ply: usize, position: &G::Position) {
        while self.frames.len() < ply + 2 {
            self.frames.push(Frame { position: position.clone(), moves: Vec::new(), children: Vec::new() });
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
        if let Some(outcome) = game.moves(&frame.position, &mut frame.moves)? {
            let known = Known::anywhere(self.attack.judge(outcome));
            self.table.store(signature, known, 0);
            self.pulse.statistics.leaves += 1;
            return Ok(known);
        }
        let number = ply as u32 + 1;
        if number >= MAX_PLIES {
            return Ok(Known { numbers: Numbers::FAILURE, relies_on: LIMIT });
        }
        let attacks = game.side_to_move(&frame.position) == self.attack.attacker;
        let below = Random::new(way ^ signature).next_u64();
        self.path.insert(signature, number);
        self.look_at_children(ply, below);
        let answer = loop {
            let children = &self.frames[ply].children;
            let numbers = weak_numbers(attacks, children);
            if numbers.proof >= limits.proof || numbers.disproof >= limits.disproof || numbers.is_solved() {
                break Known { numbers, relies_on: relies_on(attacks, numbers, children) };
            }
            let (best, limits) = choose(attacks, limits, children);
            let (upper, lower) = self.frames.split_at_mut(ply + 1);
            game.apply(&upper[ply].position, &upper[ply].moves[best], &mut lower[0].position);
            let known = self.search(ply + 1, below, limits)?;
            self.frames[ply].children[best].known = known;
            self.look_again(ply);
        };
        self.path.remove(&signature);
        // A failure that relies on this very node relies on nothing once the node is left.
        let relies_on = if answer.relies_on == number { NOTHING } else { answer.relies_on };
        let answer = Known { relies_on, ..answer };
        let key = if relies_on == NOTHING { signature } else { twin(signature, way) };
        self.table.store(key, answer, (self.pulse.statistics.nodes - before) as u32);
        Ok(answer)
    }

    /// Shows what is known, endings that were met included.
    #[cold]
    fn show(&mut self) {
        self.table.saw_score |= self.attack.saw_score;
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
            frame.children.push(Child { signature, known });
        }
    }

    /// Children may have been solved on other paths in the meantime.
    fn look_again(&mut self, ply: usize) {
        for child in self.frames[ply].children.iter_mut().filter(|child| !child.known.numbers.is_solved()) {
            if let Some(known) = self.table.get(child.signature).filter(|known| known.numbers.is_solved()) {
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
fn choose(attacks: bool, limits: Numbers, children: &[Child]) -> (usize, Numbers) {
    let seen = |numbers: Numbers| if attacks { numbers } else { numbers.swapped() };
    let limits = seen(limits);
    let (mut best, mut second) = (0, INFINITE);
    for (index, child) in children.iter().enumerate().skip(1) {
        let proof = seen(child.known.numbers).proof;
        let least = seen(children[best].known.numbers).proof;
        if proof < least {
            (best, second) = (index, least);
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
