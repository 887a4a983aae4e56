//! Where in the language a place is.

use multigame_syntax::{Parse, Span, SyntaxKind, SyntaxNode, SyntaxToken, parse};

use crate::names::NameKind;
use crate::tree::{before, token_span};

/// A word that no text has and that resembles none of the language.
const NEW_WORD: &str = "zq";

/// What can be written at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Context {
    /// Nothing that can be known: a new name, a comment, a text.
    Nothing,
    /// One of these words.
    Words(&'static [&'static str]),
    /// A rule or a declaration.
    Item,
    /// A statement, or one of these words.
    Statement { connectors: Vec<&'static str> },
    /// One of these words, behind a statement that is complete.
    Connector(Vec<&'static str>),
    /// A pattern.
    Pattern,
    /// What follows `own` or `opponent's` in a pattern.
    OwnedPattern,
    /// An expression.
    Expression,
    /// What follows `own` or `opponent's` in an expression.
    OwnedVariable,
    /// An expression without properties.
    Constant,
    /// Names of these kinds.
    Names(&'static [NameKind]),
    /// An entry of a declaration with braces.
    Entry(Part),
    /// A bundled game.
    Game,
    /// A bundled library.
    Library,
}

/// Where something is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Part {
    Item,
    Statement,
    Pattern,
    Expression,
    Setup,
    Notation,
    Looks,
    Evaluation,
    Material,
}

/// What the name of an argument may be the name of.
const ARGUMENTS: [NameKind; 7] = [
    NameKind::Argument,
    NameKind::Rule,
    NameKind::Piece,
    NameKind::Pattern,
    NameKind::Property,
    NameKind::Parameter,
    NameKind::Direction,
];

/// Words that only one other word can follow.
const FOLLOWING: &[(&str, &[&str])] = &[
    ("points", &["at"]),
    ("replace", &["by"]),
    ("pick", &["up"]),
    ("put", &["down"]),
    ("keep", &["turn"]),
    ("as", &["opponent"]),
    ("for", &["each"]),
    ("empty", &["field"]),
    ("no", &["moves"]),
    ("based", &["on"]),
    ("topology", &["square", "hex", "graph"]),
];

/// What can replace a part of a text.
pub(crate) fn context(text: &str, span: Span) -> Context {
    let changed = format!("{}{NEW_WORD}{}", &text[..span.start as usize], &text[span.end as usize..]);
    let parse = parse(&changed);
    let found = parse.syntax().token_at_offset((span.start + 1).into()).left_biased();
    let Some(token) = found.filter(|token| token.kind() == SyntaxKind::Ident) else {
        return Context::Nothing;
    };
    let previous = before(&token);
    let words: Vec<String> =
        std::iter::successors(previous, before).take(3).map(|token| token.text().to_string()).collect();
    let word = |place: usize| words.get(place).map_or("", String::as_str);
    let (last, but_one) = (word(0), word(1));
    if last == "(" && word(2) == "judge" {
        return Context::Names(&[NameKind::Property]);
    }
    if let Some(context) = after_words(last, but_one) {
        return context;
    }
    let Some(parent) = token.parent() else { return Context::Nothing };
    if parent.kind() == SyntaxKind::PiecePattern
        && parent.parent().is_some_and(|call| call.kind() == SyntaxKind::CallStmt)
        && !matches!(last, "own" | "opponent's")
    {
        return Context::Names(&ARGUMENTS);
    }
    in_declaration(&parent, last, but_one).unwrap_or_else(|| in_rule(&parse, &token, &parent, last))
}

/// Where the words before leave no choice.
fn after_words(last: &str, but_one: &str) -> Option<Context> {
    if (but_one, last) == ("based", "on") {
        return Some(Context::Game);
    }
    if last == "uses" {
        return Some(Context::Library);
    }
    if (but_one, last) == ("moves", "=") {
        return Some(Context::Words(&["loss", "draw", "pass", "error"]));
    }
    if (but_one, last) == ("repetition", "=") {
        return Some(Context::Words(&["draw", "win", "loss", "forbidden", "judge"]));
    }
    if last == "any" {
        return Some(Context::Words(&["field", "piece", "direction"]));
    }
    FOLLOWING.iter().find(|(word, _)| *word == last).map(|(_, words)| Context::Words(words))
}

/// In the braces of a declaration.
fn in_declaration(parent: &SyntaxNode, last: &str, but_one: &str) -> Option<Context> {
    use SyntaxKind::*;
    let within = |kind: SyntaxKind| parent.ancestors().any(|node| node.kind() == kind);
    if within(BracketStmt) || within(CountExpr) || within(SumExpr) {
        return None;
    }
    let kind = parent.ancestors().map(|node| node.kind()).find(|kind| {
        matches!(
            kind,
            PiecesDecl
                | PropertiesDecl
                | DirectionsDecl
                | SetupDecl
                | NotationDecl
                | LooksDecl
                | AbstractionsDecl
                | MaterialDecl
                | EvaluationDecl
                | StacksDecl
                | TopologyDecl
        )
    })?;
    Some(match kind {
        PropertiesDecl if last == ":" => Context::Words(&["board", "player", "field", "move"]),
        PropertiesDecl if matches!(last, "[" | "..") => Context::Constant,
        PropertiesDecl if last == "]" => Context::Words(&["unhashed", "chance", "weight"]),
        StacksDecl if matches!(last, "(" | ",") => Context::Names(&[NameKind::Piece]),
        StacksDecl => Context::Constant,
        SetupDecl if last == "apply" => Context::Names(&[NameKind::Rule]),
        SetupDecl if matches!(last, "white" | "black") => Context::Words(&["to move"]),
        SetupDecl if matches!(last, "=" | ",") => Context::Constant,
        SetupDecl => Context::Entry(Part::Setup),
        NotationDecl if matches!(last, "(" | ",") => Context::Names(&[NameKind::Property]),
        NotationDecl => Context::Entry(Part::Notation),
        LooksDecl => Context::Entry(Part::Looks),
        AbstractionsDecl if matches!(last, ":" | ",") => Context::Names(&[NameKind::Piece]),
        MaterialDecl => Context::Entry(Part::Material),
        EvaluationDecl if last == "table" => Context::Names(&[NameKind::Piece]),
        EvaluationDecl if matches!(last, "{" | "}") || parent.kind() == Error => {
            Context::Entry(Part::Evaluation)
        }
        EvaluationDecl if parent.ancestors().any(|node| node.kind() == VariableExpr) => {
            if matches!(last, "own" | "opponent's") {
                Context::OwnedVariable
            } else if parent.ancestors().any(|node| node.kind() == Weight) {
                Context::Words(&["mover"])
            } else {
                Context::Expression
            }
        }
        EvaluationDecl if but_one.is_empty() => Context::Nothing,
        EvaluationDecl => Context::Entry(Part::Evaluation),
        _ => Context::Nothing,
    })
}

/// In a rule or between rules.
fn in_rule(parse: &Parse, token: &SyntaxToken, parent: &SyntaxNode, last: &str) -> Context {
    use SyntaxKind::*;
    let owned = matches!(last, "own" | "opponent's");
    match parent.kind() {
        VariableExpr if owned => Context::OwnedVariable,
        VariableExpr if is_constant(parent) => Context::Constant,
        VariableExpr => Context::Expression,
        PiecePattern if owned => Context::OwnedPattern,
        PiecePattern | WordPattern => Context::Pattern,
        CallStmt => {
            let place = token_span(token).start;
            let previous = before(token).map_or(0, |previous| token_span(&previous).end);
            // The parser reports a missing word between the words, or at the new one.
            let lacks_word = parse.diagnostics.iter().any(|diagnostic| {
                let (start, end) = (diagnostic.span.start, diagnostic.span.end);
                matches!(diagnostic.code, "missing-comma" | "expected-word")
                    && start <= place
                    && previous <= end
            });
            let mut connectors = connectors(parent);
            if last == "step" {
                connectors.push("backward");
            }
            if lacks_word {
                Context::Connector(connectors)
            } else {
                Context::Statement { connectors: Vec::new() }
            }
        }
        RuleItem if last == "." || last.is_empty() || last == "}" => Context::Item,
        RuleItem | Error | Root => {
            let in_body = parent.ancestors().any(|node| node.kind() == RuleBody);
            if in_body { Context::Statement { connectors: Vec::new() } } else { Context::Item }
        }
        _ => Context::Nothing,
    }
}

/// Whether an expression must not depend on the position.
fn is_constant(node: &SyntaxNode) -> bool {
    use SyntaxKind::*;
    let kinds = node.ancestors().map(|node| node.kind());
    let mut outer = kinds.filter(|kind| {
        matches!(
            kind,
            RepeatStmt
                | DimensionsDecl
                | NumberDecl
                | StacksDecl
                | ParameterDecl
                | ParenExpr
                | ExprStmt
                | CountExpr
                | SumExpr
                | GreatestStmt
                | MoveToStmt
                | CalledStmt
                | BracketStmt
                | RuleBody
        )
    });
    matches!(outer.next(), Some(RepeatStmt | DimensionsDecl | NumberDecl | StacksDecl | ParameterDecl))
}

/// The words that go on with statements around a place.
fn connectors(node: &SyntaxNode) -> Vec<&'static str> {
    use SyntaxKind::*;
    // The statement without its comma is behind those it may belong to.
    let sibling = node.prev_sibling();
    let inside = sibling.iter().flat_map(|sibling| sibling.descendants()).map(|node| node.kind());
    let mut words: Vec<&'static str> = Vec::new();
    for kind in inside.chain(node.ancestors().map(|node| node.kind())) {
        let word = match kind {
            EitherStmt => "or",
            TryStmt => "else",
            WhileStmt | ForEachStmt => "do",
            DoWhileStmt => "while",
            _ => continue,
        };
        if !words.contains(&word) {
            words.push(word);
        }
    }
    words
}
