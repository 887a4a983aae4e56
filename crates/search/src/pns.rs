//! Proof-number search: always expands the leaf that does most for a proof or a disproof.
//!
//! The tree is kept in memory, at most [`crate::Options::tree_nodes`] of it. When it is full, the trees below
//! solved nodes are given up; when that is not enough, the search ends without an answer.

use multigame_game::{Game, Signature};

use crate::hooks::{Interrupt, Monitor, Pulse};
use crate::identity::identity;
use crate::kernel::KernelInput;
use crate::proof::{Attack, Numbers, Verdict};
use crate::{Root, SearchResult, Statistics};

struct Node<M> {
    parent: u32,
    /// Empty until it is expanded.
    children: Vec<u32>,
    mv: Option<M>,
    numbers: Numbers,
    attacks: bool,
}

struct ProofNumber<'a, G: Game, M> {
    game: &'a G,
    pulse: Pulse<'a, M>,
    attack: Attack,
    nodes: Vec<Node<G::Move>>,
    free: Vec<u32>,
    limit: usize,
    /// Positions and signatures from the root to the node being looked at.
    positions: Vec<G::Position>,
    signatures: Vec<Signature>,
    moves: Vec<G::Move>,
}

const ROOT: u32 = 0;

/// Finds out whether the root is won, drawn or lost.
pub(crate) fn solve<G: Game, E, M: Monitor<G>>(
    task: KernelInput<'_, G, E>,
    root: &Root<G>,
    monitor: &mut M,
) -> Result<SearchResult<G::Move>, Interrupt> {
    let player = task.game.side_to_move(&root.position);
    let mut statistics = Statistics::default();
    let mut result = crate::proof::solve(player, |attack| {
        let mut search = ProofNumber {
            game: task.game,
            pulse: Pulse::new(&mut *monitor, task.abort, task.options.poll_interval),
            attack,
            nodes: Vec::new(),
            free: Vec::new(),
            limit: task.options.tree_nodes.clamp(2, u32::MAX as usize),
            positions: vec![root.position.clone()],
            signatures: vec![identity(task.game, &root.position)],
            moves: Vec::new(),
        };
        let verdict = search.run();
        statistics += search.pulse.statistics;
        verdict
    })?;
    result.statistics = statistics;
    Ok(result)
}

impl<G: Game, M: Monitor<G>> ProofNumber<'_, G, M> {
    fn run(&mut self) -> Result<Verdict<G::Move>, Interrupt> {
        let attacks = self.game.side_to_move(&self.positions[0]) == self.attack.attacker;
        let numbers = match self.game.outcome(&self.positions[0])? {
            Some(outcome) => self.attack.judge(outcome),
            None => Numbers::UNKNOWN,
        };
        self.nodes.push(Node { parent: ROOT, children: Vec::new(), mv: None, numbers, attacks });
        let mut node = ROOT;
        while !self.nodes[ROOT as usize].numbers.is_solved() {
            match self.pulse.tick() {
                Err(Interrupt::Stopped) => break,
                polled => polled?,
            };
            node = self.most_proving(node);
            if !self.expand(node)? {
                break;
            }
            node = self.update(node);
        }
        let numbers = self.nodes[ROOT as usize].numbers;
        let success = numbers.is_solved().then_some(numbers.proof == 0);
        Ok(Verdict { success, pv: self.line(), saw_score: self.attack.saw_score })
    }

    /// Walks from a node to the leaf below it that matters most, taking the position along.
    fn most_proving(&mut self, mut node: u32) -> u32 {
        while !self.nodes[node as usize].children.is_empty() {
            let Node { children, numbers, attacks, .. } = &self.nodes[node as usize];
            let wanted = |child: &&u32| {
                let child = self.nodes[**child as usize].numbers;
                if *attacks { child.proof == numbers.proof } else { child.disproof == numbers.disproof }
            };
            node = *children.iter().find(wanted).expect("a node has the numbers of one of its children");
            let mut child = self.positions[self.positions.len() - 1].clone();
            let mv = self.nodes[node as usize].mv.as_ref().expect("only the root has no move");
            self.game.apply(&self.positions[self.positions.len() - 1], mv, &mut child);
            self.signatures.push(identity(self.game, &child));
            self.positions.push(child);
        }
        node
    }

    /// Gives a leaf its children; false if the tree is full.
    fn expand(&mut self, node: u32) -> Result<bool, Interrupt> {
        let position = self.positions[self.positions.len() - 1].clone();
        let mut moves = std::mem::take(&mut self.moves);
        self.game.moves(&position, &mut moves)?;
        if !self.make_room(moves.len()) {
            return Ok(false);
        }
        let mut child = position.clone();
        for mv in moves.drain(..) {
            self.game.apply(&position, &mv, &mut child);
            self.pulse.statistics.leaves += 1;
            let numbers = match self.game.outcome(&child)? {
                Some(outcome) => self.attack.judge(outcome),
                None if self.comes_back(&child) => Numbers::FAILURE,
                None => Numbers::UNKNOWN,
            };
            let attacks = self.game.side_to_move(&child) == self.attack.attacker;
            let new = Node { parent: node, children: Vec::new(), mv: Some(mv), numbers, attacks };
            let number = self.add(new);
            self.nodes[node as usize].children.push(number);
        }
        self.moves = moves;
        Ok(true)
    }

    fn comes_back(&mut self, child: &G::Position) -> bool {
        if self.game.is_irreversible(child) {
            return false;
        }
        self.pulse.statistics.repetition_scans += 1;
        let signature = identity(self.game, child);
        let back = self.signatures.contains(&signature);
        self.pulse.statistics.repetitions += u64::from(back);
        back
    }

    fn add(&mut self, node: Node<G::Move>) -> u32 {
        match self.free.pop() {
            Some(number) => {
                self.nodes[number as usize] = node;
                number
            }
            None => {
                self.nodes.push(node);
                self.nodes.len() as u32 - 1
            }
        }
    }

    /// Computes numbers upwards as long as they change, and tells the node where they did not: the next
    /// search for a leaf starts there.
    fn update(&mut self, mut node: u32) -> u32 {
        loop {
            let Node { children, attacks, numbers, parent, .. } = &self.nodes[node as usize];
            let (old, parent) = (*numbers, *parent);
            let children = children.iter().map(|&child| self.nodes[child as usize].numbers);
            let numbers = Numbers::of_children(*attacks, children);
            self.nodes[node as usize].numbers = numbers;
            if node == ROOT || numbers == old {
                return node;
            }
            self.positions.pop();
            self.signatures.pop();
            node = parent;
        }
    }

    fn make_room(&mut self, count: usize) -> bool {
        if self.nodes.len() + count <= self.limit + self.free.len() {
            return true;
        }
        self.collect();
        // Collecting again and again for a handful of nodes would take forever.
        self.free.len() > self.limit / 16 && self.free.len() >= count
    }

    /// Gives up what lies below solved nodes.
    fn collect(&mut self) {
        let mut open = vec![ROOT];
        while let Some(node) = open.pop() {
            if node != ROOT && self.nodes[node as usize].numbers.is_solved() {
                let mut dead = std::mem::take(&mut self.nodes[node as usize].children);
                while let Some(child) = dead.pop() {
                    dead.append(&mut self.nodes[child as usize].children);
                    self.free.push(child);
                }
            } else {
                open.extend_from_slice(&self.nodes[node as usize].children);
            }
        }
    }

    /// The line along which the answer was found.
    fn line(&self) -> Vec<G::Move> {
        let mut line = Vec::new();
        let mut node = ROOT;
        loop {
            let Node { children, numbers, .. } = &self.nodes[node as usize];
            let same = |child: &&u32| {
                let child = self.nodes[**child as usize].numbers;
                (child.proof == 0, child.disproof == 0) == (numbers.proof == 0, numbers.disproof == 0)
            };
            let Some(&child) = children.iter().find(same).filter(|_| numbers.is_solved()) else {
                return line;
            };
            line.extend(self.nodes[child as usize].mv.clone());
            node = child;
        }
    }
}
