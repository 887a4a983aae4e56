//! Moves as text, both ways.
//!
//! The generic form (`a3 -> c5; empty field -> b4`) works for every game and is unique in every position. A
//! style declared by the rules is used where it is unique; the generic form steps in where it is not.

mod algebraic;
mod counted;
mod delta;
mod draughts;
mod styles;

use std::collections::HashMap;
use std::ops::ControlFlow;

use crate::{Description, Diagram, Game, NotationStyle, Outcome, RulesError};
pub use delta::Delta;
pub use draughts::stops;

/// A legal move with its name.
#[derive(Clone, Debug)]
pub struct Named<M> {
    /// The move.
    pub mv: M,
    /// Its name: the declared style if that is unique, else the generic form.
    pub name: String,
}

/// Why a text names no move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveTextError {
    /// No legal move is called so.
    #[error("`{0}` is not a legal move here; `legal` lists them")]
    Unknown(String),
    /// Several legal moves are called so.
    #[error("`{text}` may mean {}", candidates.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" or "))]
    Ambiguous {
        /// The text that was asked for.
        text: String,
        /// The possible meanings.
        candidates: Vec<String>,
    },
    /// The rules failed.
    #[error(transparent)]
    Rules(#[from] RulesError),
}

/// Facts about one legal move while names are made.
struct Candidate<M> {
    mv: M,
    delta: Delta,
    after: Diagram,
    outcome: Option<Outcome>,
    /// The names given by the rules, the preferred name first.
    called: Vec<String>,
}

/// The moves of one position under all their names: made once, asked often.
pub struct Names<'d, M> {
    description: &'d Description,
    before: Diagram,
    candidates: Vec<Candidate<M>>,
    preferred: Vec<String>,
    generic: Vec<String>,
    /// For each declared style the names of each move in it.
    styled: Vec<Vec<Vec<String>>>,
}

impl<'d, M: Clone> Names<'d, M> {
    /// Names all legal moves of a position; there are none where it is final.
    pub fn new<G: Game<Move = M>>(game: &'d G, position: &G::Position) -> Result<Names<'d, M>, RulesError> {
        let candidates = candidates(game, position)?;
        let description = game.description();
        let before = game.diagram(position);
        let preferred = preferred(description, &before, &candidates);
        let generic = generic_names(description, &before, &candidates);
        let styles = description.notation.iter();
        let styled = styles.map(|style| styled(style, description, &before, &candidates)).collect();
        Ok(Names { description, before, candidates, preferred, generic, styled })
    }

    /// All moves with the names people see.
    pub fn all(self) -> Vec<Named<M>> {
        let named = self.candidates.into_iter().zip(self.preferred);
        named.map(|(candidate, name)| Named { mv: candidate.mv, name }).collect()
    }

    /// Each move with the name people see.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&M, &str)> {
        self.candidates.iter().map(|candidate| &candidate.mv).zip(self.preferred.iter().map(String::as_str))
    }

    /// The move that a text names, in any declared style or any form of the generic one.
    pub fn find(&self, text: &str) -> Result<&M, MoveTextError> {
        let text = text.trim();
        let candidates = &self.candidates;
        if let Some(number) = self.preferred.iter().position(|name| name == text) {
            return Ok(&candidates[number].mv);
        }
        let all = || 0..candidates.len();
        let mut found: Vec<usize> =
            all().filter(|&i| candidates[i].called.iter().any(|name| name == text)).collect();
        for (style, names) in self.description.notation.iter().zip(&self.styled) {
            let wanted = |name: &String| styles::same(style, name, text);
            found.extend(all().filter(|&i| names[i].iter().any(wanted)));
        }
        found.extend(all().filter(|&i| self.generic[i] == text));
        if let Some(wanted) = delta::parse(self.description, &self.before, text) {
            found.extend(all().filter(|&i| candidates[i].after.cells == wanted));
        }
        // `D4` is `d4` to many players; where upper and lower case differ in meaning the exact name was found
        // before.
        if found.is_empty() {
            found.extend(all().filter(|&i| self.preferred[i].eq_ignore_ascii_case(text)));
        }
        found.sort_unstable();
        found.dedup();
        match found[..] {
            [] => Err(MoveTextError::Unknown(text.to_string())),
            [only] => Ok(&candidates[only].mv),
            _ => Err(MoveTextError::Ambiguous {
                text: text.to_string(),
                candidates: found.iter().map(|&i| self.preferred[i].clone()).collect(),
            }),
        }
    }
}

/// All legal moves of a position with their names; none where the position is final.
pub fn names<G: Game>(game: &G, position: &G::Position) -> Result<Vec<Named<G::Move>>, RulesError> {
    Names::new(game, position).map(Names::all)
}

/// Moves on one line: separated by blanks, or by commas where a name has blanks itself.
pub fn listed(names: &[String]) -> String {
    names.join(if names.iter().any(|name| name.contains(' ')) { ", " } else { " " })
}

/// The name of one legal move, given the position it leads to.
pub fn name_of<G: Game>(game: &G, position: &G::Position, mv: &G::Move) -> Result<String, RulesError> {
    let key = game.move_key(mv);
    let named = names(game, position)?.into_iter().find(|named| game.move_key(&named.mv) == key);
    Ok(named.map_or_else(|| "?".to_string(), |named| named.name))
}

/// The name of one legal move in a style, if the style has a word for it.
pub fn name_in_style<G: Game>(
    game: &G,
    position: &G::Position,
    mv: &G::Move,
    style: &NotationStyle,
) -> Result<Option<String>, RulesError> {
    let candidates = candidates(game, position)?;
    let key = game.move_key(mv);
    let Some(number) = candidates.iter().position(|candidate| game.move_key(&candidate.mv) == key) else {
        return Ok(None);
    };
    let mut names = styled(style, game.description(), &game.diagram(position), &candidates);
    Ok(names.swap_remove(number).into_iter().next())
}

/// The legal move that a text names, in any declared style or any form of the generic one.
pub fn find<G: Game>(game: &G, position: &G::Position, text: &str) -> Result<G::Move, MoveTextError> {
    Names::new(game, position)?.find(text).cloned()
}

fn candidates<G: Game>(game: &G, position: &G::Position) -> Result<Vec<Candidate<G::Move>>, RulesError> {
    let before = game.diagram(position);
    let mut children = Vec::new();
    let outcome = game.visit(position, &mut |mv, child| {
        children.push((mv.clone(), child.clone()));
        ControlFlow::Continue(())
    })?;
    // Rules that are over need not know what moves would be called.
    if outcome.is_some() {
        return Ok(Vec::new());
    }
    // Only the algebraic style marks mate; asking each child costs a generation.
    let marks_ends = game.description().notation.contains(&NotationStyle::Algebraic);
    let called = game.called(position)?;
    let mut candidates = Vec::with_capacity(children.len());
    for (mv, child) in children {
        let after = game.diagram(&child);
        let outcome = if marks_ends { game.outcome(&child)? } else { None };
        // Input is read without the blanks around it; an empty input is not a name.
        let names = called.iter().filter(|called| called.after == after).map(|called| called.name.trim());
        let called = names.filter(|name| !name.is_empty()).map(str::to_string).collect();
        candidates.push(Candidate {
            called,
            mv,
            delta: Delta::between(game.description(), &before, &after),
            after,
            outcome,
        });
    }
    Ok(candidates)
}

/// For each move the name people see: what the rules call it, else the first style, else the generic form;
/// what is not unique is left out.
fn preferred<M>(description: &Description, before: &Diagram, candidates: &[Candidate<M>]) -> Vec<String> {
    let generic = generic_names(description, before, candidates);
    let mut styled: Vec<Vec<String>> =
        candidates.iter().map(|candidate| candidate.called.iter().take(1).cloned().collect()).collect();
    let style = description.notation.iter().find(|style| !matches!(style, NotationStyle::Fen(_)));
    if let Some(style) = style {
        for (names, more) in styled.iter_mut().zip(self::styled(style, description, before, candidates)) {
            names.extend(more.into_iter().filter(|name| !names.contains(name)).collect::<Vec<_>>());
        }
    }
    let mut uses: HashMap<&str, u32> = HashMap::new();
    for name in styled.iter().flatten() {
        *uses.entry(name).or_default() += 1;
    }
    let unique = |names: &Vec<String>| names.iter().find(|name| uses[name.as_str()] == 1).cloned();
    styled.iter().zip(generic).map(|(names, generic)| unique(names).unwrap_or(generic)).collect()
}

/// For each move its names in a style, the shortest first; none where the style has no word for it.
fn styled<M>(
    style: &NotationStyle,
    description: &Description,
    before: &Diagram,
    candidates: &[Candidate<M>],
) -> Vec<Vec<String>> {
    match style {
        NotationStyle::Algebraic => algebraic::names(description, before, candidates),
        _ => {
            let name = |c: &Candidate<M>| styles::names(style, description, before, &c.delta);
            candidates.iter().map(name).collect()
        }
    }
}

/// For each move its generic form; what tells equal boards apart is appended.
fn generic_names<M>(description: &Description, before: &Diagram, candidates: &[Candidate<M>]) -> Vec<String> {
    let mut names: Vec<String> = candidates.iter().map(|c| c.delta.text(description)).collect();
    let mut uses: HashMap<String, u32> = HashMap::new();
    for name in &names {
        *uses.entry(name.clone()).or_default() += 1;
    }
    for (name, candidate) in names.iter_mut().zip(candidates) {
        if uses[name.as_str()] > 1 {
            let values = delta::value_text(description, before, &candidate.after);
            match values.strip_prefix("; ") {
                Some(values) if candidate.delta == Delta::default() => *name = values.to_string(),
                _ => name.push_str(&values),
            }
        }
    }
    // Moves that still look the same differ in their outcome only: a number must do.
    let mut seen: HashMap<String, u32> = HashMap::new();
    for name in &mut names {
        let count = seen.entry(name.clone()).or_default();
        *count += 1;
        if *count > 1 {
            name.push_str(&format!("; ({count})"));
        }
    }
    names
}
