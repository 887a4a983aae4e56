//! A node that is being searched at its home.

use std::collections::BTreeMap;

use multigame_game::{Game, Signature};
use multigame_search::{Brood, Opened, PathEntry, Value, Window};

use super::protocol::{Question, Ticket};
use crate::level::{Level, Origin, Own};

/// Somebody who waits for the answer, and the window that still matters to them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asker {
    pub ticket: Ticket,
    pub window: Window,
}

/// A node; see the module.
#[derive(Debug)]
pub(super) struct Node<G: Game> {
    /// The window, the children and what is known. Its slaves are the homes of children that were asked.
    pub level: Level<G>,
    pub signature: Signature,
    /// The depth that was asked for.
    pub asked_depth: u32,
    pub root_depth: u32,
    pub path: Vec<PathEntry>,
    pub place: Vec<u16>,
    pub askers: Vec<Asker>,
    /// Questions that it does not answer.
    pub behind: Vec<Box<Question<G>>>,
    /// How the children that were asked are searched, by the number of the question.
    pub asked: BTreeMap<u64, Own>,
    pub joins: bool,
}

impl<G: Game> Node<G> {
    pub fn new(question: &Question<G>, opened: Opened, brood: Brood<G::Move>) -> Node<G> {
        let Question { ply, depth, kind, ref position, window, .. } = *question;
        let mut level = Level::new(Origin::Root, ply, depth, kind, position.clone());
        (level.opened, level.depth, level.brood, level.asked) = (Some(opened), opened.depth, brood, window);
        Node {
            level,
            signature: question.signature,
            asked_depth: depth,
            root_depth: question.root_depth,
            path: question.path.clone(),
            place: question.place.clone(),
            askers: vec![Asker { ticket: question.ticket, window }],
            behind: Vec::new(),
            asked: BTreeMap::default(),
            joins: question.joins,
        }
    }

    /// The window that contains those of all who wait.
    pub fn wanted(&self) -> Window {
        let alpha = self.askers.iter().map(|asker| asker.window.alpha).min().unwrap_or(Value::INFINITE);
        let beta = self.askers.iter().map(|asker| asker.window.beta).max().unwrap_or(-Value::INFINITE);
        Window { alpha, beta }
    }
}
