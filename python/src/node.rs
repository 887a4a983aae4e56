//! Positions as Python holds them: values that never change, each with the way that led to it.

use std::sync::{Arc, OnceLock};

use multigame_game::{Field, Game, Line, Outcome, Repetition, RulesError, Side, Status, notation};
use multigame_syntax::closest;

use crate::hosted::Table;

/// A position, the move to it, and the position before.
pub struct Node<G: Game> {
    pub position: G::Position,
    pub ply: u32,
    before: Option<(Arc<Node<G>>, G::Move)>,
    legal: OnceLock<Legal<G::Move>>,
    names: OnceLock<Vec<String>>,
}

/// What may be played in a position, and whether the game goes on there.
#[derive(Clone)]
pub struct Legal<M> {
    pub moves: Vec<M>,
    pub status: Status,
}

/// The way to a position may be long, so it is not dropped by recursion.
impl<G: Game> Drop for Node<G> {
    fn drop(&mut self) {
        let mut before = self.before.take();
        while let Some((node, _)) = before {
            before = Arc::into_inner(node).and_then(|mut node| node.before.take());
        }
    }
}

impl<G: Game> Node<G> {
    /// A position to start from.
    pub fn start(position: G::Position) -> Node<G> {
        Node { position, ply: 0, before: None, legal: OnceLock::new(), names: OnceLock::new() }
    }

    /// The position after a legal move.
    pub fn after(node: &Arc<Node<G>>, game: &G, mv: G::Move) -> Node<G> {
        let mut position = node.position.clone();
        game.apply(&node.position, &mv, &mut position);
        let mut after = Node::start(position);
        (after.ply, after.before) = (node.ply + 1, Some((node.clone(), mv)));
        after
    }

    /// The position before, and the move.
    pub fn before(&self) -> Option<&(Arc<Node<G>>, G::Move)> {
        self.before.as_ref()
    }

    /// The game up to here, at least from where positions could come back.
    pub fn line<'g>(&self, game: &'g G) -> Line<'g, G> {
        let (mut node, mut moves) = (self, Vec::new());
        while let Some((before, mv)) = node.before.as_ref() {
            if game.is_irreversible(&node.position) && !moves.is_empty() {
                break;
            }
            moves.push(mv);
            node = before;
        }
        let mut line = Line::new(game, node.position.clone());
        moves.into_iter().rev().for_each(|mv| line.play(mv));
        line
    }

    /// What may be played here.
    pub fn legal(&self, game: &G) -> Result<&Legal<G::Move>, RulesError> {
        if let Some(legal) = self.legal.get() {
            return Ok(legal);
        }
        let mut moves = Vec::new();
        let status = if game.description().repetition == Repetition::Ignored {
            game.moves(&self.position, &mut moves)?.map_or(Status::Playing, Status::Over)
        } else {
            let line = self.line(game);
            line.legal_moves(&mut moves)?.map_or_else(|| line.repetition(), |end| Ok(Status::Over(end)))?
        };
        Ok(self.legal.get_or_init(|| Legal { moves, status }))
    }

    /// The end of the game, if it is over.
    pub fn outcome(&self, game: &G) -> Result<Option<Outcome>, RulesError> {
        Ok(self.legal(game)?.status.outcome())
    }

    /// The names of the legal moves, in their order.
    pub fn names(&self, game: &G) -> Result<&[String], RulesError> {
        if let Some(names) = self.names.get() {
            return Ok(names);
        }
        let legal = self.legal(game)?;
        let all = notation::Names::new(game, &self.position)?;
        let table: Table<u64, String> =
            all.iter().map(|(mv, name)| (game.move_key(mv), name.to_string())).collect();
        let name = |mv| table.get(&game.move_key(mv)).cloned().unwrap_or_else(|| "?".to_string());
        let names = legal.moves.iter().map(name).collect();
        Ok(self.names.get_or_init(|| names))
    }

    /// The place of the legal move that a text names.
    pub fn find(&self, game: &G, text: &str) -> anyhow::Result<usize> {
        let legal = self.legal(game)?;
        let found = match notation::find(game, &self.position, text) {
            Ok(mv) => self.place(game, &mv)?,
            Err(notation::MoveTextError::Unknown(_)) => None,
            Err(error) => return Err(error.into()),
        };
        if let Some(place) = found {
            return Ok(place);
        }
        if legal.moves.is_empty() {
            anyhow::bail!("`{text}` is not a legal move here: there are none, the game is over");
        }
        let names = self.names(game)?;
        let near = closest(text, names.iter().map(String::as_str));
        let hint = near.map_or(String::new(), |near| format!("did you mean `{near}`? "));
        anyhow::bail!("`{text}` is not a legal move here; {hint}`legal_names()` lists them")
    }

    /// The place of a move among the legal ones.
    pub fn place(&self, game: &G, mv: &G::Move) -> Result<Option<usize>, RulesError> {
        let key = game.move_key(mv);
        Ok(self.legal(game)?.moves.iter().position(|mv| game.move_key(mv) == key))
    }

    /// The fields that the last move changed.
    pub fn changed(&self, game: &G) -> Vec<Field> {
        let Some((before, _)) = &self.before else { return Vec::new() };
        let (before, after) = (game.diagram(&before.position), game.diagram(&self.position));
        let cells = before.cells.iter().zip(&after.cells).enumerate();
        cells.filter(|(_, (old, new))| old != new).map(|(field, _)| Field(field as u16)).collect()
    }
}

/// 1, 0 or -1 for White and Black: what a game was worth to them.
pub fn returns(outcome: Option<Outcome>) -> [f32; 2] {
    match outcome.and_then(Outcome::winner) {
        None => [0.0, 0.0],
        Some(Side::White) => [1.0, -1.0],
        Some(Side::Black) => [-1.0, 1.0],
    }
}
