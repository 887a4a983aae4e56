//! Data that all checks share: the tables of names, and the list of diagnostics.

use std::collections::{BTreeMap, BTreeSet};

use multigame_game::{Board, NoMoves, Piece, PieceInfo, Property, Repetition, Topology};
use multigame_syntax::ast::{self, Name};
use multigame_syntax::{Diagnostic, Severity, Span};

use crate::model::{MoveProperty, Pattern, RuleId, StackModel};
use crate::suggest::{LONGEST_NAME, closest, shown};

/// More errors or warnings than this help nobody.
const MOST_DIAGNOSTICS: usize = 100;

/// The state of one analysis. Each phase is an `impl` block in its own file and fills some of the fields.
pub(crate) struct Checker<'a> {
    pub program: &'a ast::Program,
    pub diagnostics: Vec<Diagnostic>,
    errors: usize,
    warnings: usize,
    /// Something could not be parsed, so absence proves nothing.
    pub incomplete: bool,

    pub parameters: BTreeMap<&'a str, (i64, Span)>,
    /// Whether values were chosen for some of them.
    pub chosen: bool,
    pub players: u8,
    pub no_moves: Option<NoMoves>,
    pub repetition: Repetition,
    /// The move property that is told how long a cycle is.
    pub cycle: Option<usize>,
    pub pieces: Vec<PieceInfo>,
    pub piece_names: BTreeMap<&'a str, PieceEntry>,
    pub pattern_names: BTreeMap<&'a str, PatternEntry<'a>>,
    pub properties: Vec<Property>,
    pub move_properties: Vec<MoveProperty>,
    /// How fields hold several pieces, if they do.
    pub stacks: Option<StackModel>,
    pub property_names: BTreeMap<&'a str, PropertyEntry>,
    pub used_properties: BTreeSet<&'a str>,
    /// The property that says when nature moves, and the one that says how likely an outcome is: their
    /// numbers and marks.
    pub chance: Option<(usize, Span)>,
    pub weight: Option<(usize, Span)>,
    pub topology: Topology,
    /// Absent if the declarations give no board; everything else is still checked.
    pub board: Option<Board>,
    pub rule_names: BTreeMap<&'a str, RuleId>,
    /// Rules that are used as names of directions, and whether that is being looked up.
    pub direction_rules: BTreeSet<(RuleId, bool)>,

    /// Above 0 where constants say that a place is never reached, so bad constants are not errors there.
    pub dead: u32,
    /// Current nesting depth of statements and expressions.
    pub depth: u32,
}

/// A name declared in `pieces`.
#[derive(Clone, Copy)]
pub(crate) struct PieceEntry {
    /// The meaning of the plain name for White and for Black.
    pub own: [Piece; 2],
    /// Whether it belongs to a player.
    pub owned: bool,
    pub span: Span,
}

/// A name declared by `pattern`.
pub(crate) struct PatternEntry<'a> {
    pub pattern: &'a ast::Pattern,
    pub span: Span,
    /// Its meaning as far as it is known.
    pub state: PatternState,
}

/// How far the meaning of a named pattern is known.
#[derive(Clone)]
pub(crate) enum PatternState {
    Unknown,
    /// Something it consists of is being looked up.
    Begun,
    /// Nothing if it has an error.
    Known(Option<NamedPattern>),
}

/// The meaning of a named pattern.
#[derive(Clone)]
pub(crate) struct NamedPattern {
    pub matches: Pattern,
    /// The pieces that `replace by` puts there, if it says which.
    pub replacement: Option<Vec<[Piece; 2]>>,
}

/// A name declared in `properties`.
#[derive(Clone, Copy)]
pub(crate) struct PropertyEntry {
    pub scope: ast::Scope,
    /// The number among the properties of the description, or among the move properties.
    pub index: usize,
    pub low: i32,
    pub high: i32,
    pub span: Span,
}

impl<'a> Checker<'a> {
    pub fn new(program: &'a ast::Program) -> Self {
        Checker {
            program,
            diagnostics: Vec::new(),
            errors: 0,
            warnings: 0,
            incomplete: false,
            parameters: BTreeMap::new(),
            chosen: false,
            players: 2,
            no_moves: None,
            repetition: Repetition::Ignored,
            cycle: None,
            pieces: vec![PieceInfo::none()],
            piece_names: BTreeMap::new(),
            pattern_names: BTreeMap::new(),
            properties: Vec::new(),
            move_properties: Vec::new(),
            stacks: None,
            property_names: BTreeMap::new(),
            used_properties: BTreeSet::new(),
            chance: None,
            weight: None,
            topology: Topology::Square,
            board: None,
            rule_names: BTreeMap::new(),
            direction_rules: BTreeSet::new(),
            dead: 0,
            depth: 0,
        }
    }

    /// Adds to the list, up to a bound for each severity.
    pub fn report(&mut self, diagnostic: Diagnostic) {
        // A mistake in a rule with parameters is a mistake in every rule made of it.
        if self.diagnostics.contains(&diagnostic) {
            return;
        }
        let count = match diagnostic.severity {
            Severity::Error => &mut self.errors,
            Severity::Warning | Severity::Note => &mut self.warnings,
        };
        *count += 1;
        if *count <= MOST_DIAGNOSTICS {
            self.diagnostics.push(diagnostic);
        } else if *count == MOST_DIAGNOSTICS + 1 && diagnostic.severity == Severity::Error {
            self.diagnostics.push(Diagnostic::error(
                "too-many-errors",
                diagnostic.span,
                format!("more than {MOST_DIAGNOSTICS} errors; the others are not shown"),
            ));
        }
    }

    /// Whether the bound of errors is passed, so that composing another message is wasted work.
    pub fn is_flooded(&self) -> bool {
        self.errors > MOST_DIAGNOSTICS
    }

    /// Whether there is any error.
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// An error about a name that is not known, with the nearest known one.
    pub fn undefined<'n>(
        &mut self,
        code: &'static str,
        what: &str,
        name: &str,
        span: Span,
        known: impl IntoIterator<Item = &'n str>,
    ) -> Diagnostic {
        let diagnostic = Diagnostic::error(code, span, format!("there is no {what} `{}`", shown(name)));
        if self.is_flooded() {
            return diagnostic;
        }
        match closest(name, known) {
            Some(near) => {
                diagnostic.label(format!("did you mean `{near}`?")).fix(format!("write `{near}`"), span, near)
            }
            None => diagnostic.label("not declared"),
        }
    }

    /// Reports that something of which there is one is declared twice.
    pub fn declared_twice(&mut self, what: &str, second: Span, first: Span) {
        self.report(
            Diagnostic::error("double-declaration", second, format!("{what} is declared twice"))
                .label("remove one of the two")
                .related(first, "first declared here"),
        );
    }

    /// Reports a name too long to be shown to anybody.
    pub fn check_length(&mut self, name: &Name) {
        if name.text.len() > LONGEST_NAME {
            let message = format!("a name may have {LONGEST_NAME} letters, this one has {}", name.text.len());
            self.report(Diagnostic::error("name-too-long", name.span, message).label("shorten it"));
        }
    }
}
