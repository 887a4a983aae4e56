//! Free graphs: named directions with chains of coordinates.

use std::collections::BTreeMap;

use multigame_game::{Board, BoardError, Chains};
use multigame_syntax::ast::{DeclarationKind, DirectionDecl, Name};
use multigame_syntax::{Diagnostic, Span};

use crate::board::Shape;
use crate::checker::Checker;
use crate::suggest::shown;

/// Numbers of directions are bytes.
const MOST_DIRECTIONS: usize = 255;

impl<'a> Checker<'a> {
    /// Builds the board from its shape and the `directions` blocks.
    pub fn graph(&mut self, shape: Shape, turned: bool) -> Option<Board> {
        let mut directions: Vec<&'a DirectionDecl> = Vec::new();
        for declaration in &self.program.declarations {
            if let DeclarationKind::Directions(block) = &declaration.kind {
                directions.extend(block);
            }
        }
        let names_fit = self.check_direction_names(&directions);
        let fields_fit = self.check_coordinates(&directions, &shape);
        if !names_fit || !fields_fit {
            return None;
        }
        let texts: Vec<Vec<Vec<String>>> = directions
            .iter()
            .map(|direction| {
                let chains = direction.chains.iter();
                chains.map(|chain| chain.iter().map(|name| name.text.clone()).collect()).collect()
            })
            .collect();
        let chains: Vec<Chains<'_>> = directions
            .iter()
            .zip(&texts)
            .map(|(direction, chains)| {
                let opposite = direction.opposite.as_ref().map(|name| name.text.as_str());
                (direction.name.text.as_str(), opposite, chains.as_slice())
            })
            .collect();
        match Board::graph(shape.columns, shape.rows, shape.present, turned, &chains) {
            Ok(board) => Some(board),
            Err(error) => {
                let span = double_link_span(&error, &directions).unwrap_or(shape.span);
                self.board_error(&error, span);
                None
            }
        }
    }

    /// Each name once, none that is also a rule's, not too many.
    fn check_direction_names(&mut self, directions: &[&'a DirectionDecl]) -> bool {
        let errors_before = self.diagnostics.len();
        let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
        let rules: BTreeMap<&str, Span> =
            self.program.rules.iter().map(|rule| (rule.name.text.as_str(), rule.name.span)).collect();
        let names = directions
            .iter()
            .flat_map(|direction| std::iter::once(&direction.name).chain(&direction.opposite));
        for (i, name) in names.enumerate() {
            self.check_length(name);
            let what = format!("direction `{}`", shown(&name.text));
            if let Some(&first) = seen.get(name.text.as_str()) {
                self.declared_twice(&what, name.span, first);
            }
            seen.entry(&name.text).or_insert(name.span);
            if let Some(&rule) = rules.get(name.text.as_str()) {
                let message = format!("{what} has the name of a rule");
                let diagnostic = Diagnostic::error("direction-clash", name.span, message);
                self.report(diagnostic.label("rename one of the two").related(rule, "the rule"));
            }
            if i == MOST_DIRECTIONS {
                let message = format!("there can be {MOST_DIRECTIONS} directions");
                self.report(
                    Diagnostic::error("too-many-directions", name.span, message).label("one too many"),
                );
            }
        }
        self.diagnostics.len() == errors_before && !self.is_flooded()
    }

    fn check_coordinates(&mut self, directions: &[&'a DirectionDecl], shape: &Shape) -> bool {
        let Ok(board) = Board::graph(shape.columns, shape.rows, shape.present.clone(), false, &[]) else {
            return false;
        };
        let mut all_there = true;
        let coordinates = directions.iter().flat_map(|direction| direction.chains.iter().flatten());
        for Name { text, span } in coordinates {
            if board.parse_field(text).is_none() {
                let message = format!("there is no field `{}` on this board", shown(text));
                let last = board.field_name(board.fields().last().unwrap_or(multigame_game::Field(0)));
                let label = format!("a column and a row are expected, `a1` to `{last}`, and no hole");
                self.report(Diagnostic::error("no-such-field", *span, message).label(label));
                all_there = false;
            }
        }
        all_there
    }
}

/// The second place in a direction's chains that names the field with two ways out.
fn double_link_span(error: &BoardError, directions: &[&DirectionDecl]) -> Option<Span> {
    let BoardError::DoubleLink { direction, from } = error else { return None };
    let is_meant = |name: &Name| name.text == *direction;
    let declaration =
        directions.iter().find(|d| is_meant(&d.name) || d.opposite.as_ref().is_some_and(is_meant))?;
    let places = declaration.chains.iter().flatten().filter(|name| name.text == *from);
    places.map(|name| name.span).nth(1).or(Some(declaration.name.span))
}
