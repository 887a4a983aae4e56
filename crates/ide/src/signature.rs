//! What belongs between the brackets around a place.

use multigame_syntax::{SyntaxKind, SyntaxToken};

use crate::rules::Rules;
use crate::tree::{before, token_at, token_span};

/// The parts between two brackets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// All of it, such as `move to (column, row)`.
    pub label: &'static str,
    /// Each part with what it means.
    pub parts: &'static [(&'static str, &'static str)],
    /// The number of the part at the place.
    pub active: usize,
    /// What it does.
    pub about: &'static str,
}

/// Something with parts between brackets.
struct Form {
    /// The words before the bracket.
    before: &'static [&'static str],
    label: &'static str,
    parts: &'static [(&'static str, &'static str)],
    about: &'static str,
}

const BOUNDS: &[(&str, &str)] = &[("low", "the least value"), ("high", "the greatest value")];

#[rustfmt::skip]
const FORMS: &[Form] = &[
    Form { before: &["move", "to"], label: "move to (column, row)",
        parts: &[("column", "from 1, the leftmost as the player who moves sees it"), ("row", "from 1, the nearest as the player who moves sees it")],
        about: "Puts the finger on the field with that column and row." },
    Form { before: &["dimensions"], label: "dimensions (columns, rows)",
        parts: &[("columns", "how many columns the board has"), ("rows", "how many rows the board has")],
        about: "The size of the board." },
    Form { before: &["fen"], label: "fen (king_side, queen_side, en_passant, half_moves)",
        parts: &[("king_side", "a player property"), ("queen_side", "a player property"), ("en_passant", "a board property"), ("half_moves", "a board property")],
        about: "Positions are written as FEN; these properties become its fields." },
    Form { before: &["assert"], label: "assert (condition)", parts: &[("condition", "goes on only if this is not 0")], about: "Tests an expression." },
    Form { before: &["assign"], label: "assign (changes)", parts: &[("changes", "`p = e`, `p += e`, `p++`, joined by commas")], about: "Changes properties." },
    Form { before: &["score"], label: "score (margin)", parts: &[("margin", "for the player who moves")], about: "Ends the game with this margin." },
    Form { before: &["greatest"], label: "greatest (value) statement", parts: &[("value", "computed for each result")], about: "Keeps the results with the greatest value." },
    Form { before: &["sum"], label: "sum (value) [ statements ]", parts: &[("value", "added up over all results")], about: "The sum over all results of the statements." },
    Form { before: &["match"], label: "match (pattern, pattern, ...)", parts: &[("pattern, pattern, ...", "one for each field, from the top left, row by row")], about: "Compares the whole board." },
];

const PARAMETER: Form = Form {
    before: &[],
    label: "parameter name = usual [low .. high]",
    parts: BOUNDS,
    about: "The values that can be chosen.",
};
const PROPERTY: Form = Form {
    before: &[],
    label: "name : scope : [low .. high]",
    parts: BOUNDS,
    about: "The values it can have.",
};
const PHASE: Form = Form {
    before: &[],
    label: "phase = e [end .. opening]",
    parts: PHASE_PARTS,
    about: "How far the game has come.",
};
const PHASE_PARTS: &[(&str, &str)] = &[("end", "at the end of the game"), ("opening", "in the opening")];

/// What belongs at a place of the own text.
pub fn signature(rules: &Rules, offset: u32) -> Option<Signature> {
    let offset = rules.inside(offset);
    let token = token_at(&rules.own().parse, offset)?;
    if matches!(token.kind(), SyntaxKind::Comment | SyntaxKind::Text) && token_span(&token).start < offset {
        return None;
    }
    let behind = token_span(&token).start >= offset || token.kind().is_trivia();
    let last = if behind { before(&token) } else { Some(token) };
    let (open, parts) = opening(last?)?;
    let form = form(&open)?;
    let active = parts.min(form.parts.len() - 1);
    Some(Signature { label: form.label, parts: form.parts, active, about: form.about })
}

/// The innermost bracket that is open behind a token, and the number of separators since.
fn opening(last: SyntaxToken) -> Option<(SyntaxToken, usize)> {
    use SyntaxKind::{
        CloseBrace, CloseBracket, CloseParen, Comma, Dot, DotDot, OpenBrace, OpenBracket, OpenParen,
    };
    let (mut depth, mut parts) = (0usize, 0);
    for token in std::iter::successors(Some(last), before) {
        match token.kind() {
            CloseParen | CloseBracket | CloseBrace => depth += 1,
            OpenParen | OpenBracket | OpenBrace if depth == 0 => return Some((token, parts)),
            OpenParen | OpenBracket | OpenBrace => depth -= 1,
            Comma | DotDot if depth == 0 => parts += 1,
            // A full stop ends every rule.
            Dot => return None,
            _ => {}
        }
    }
    None
}

fn form(open: &SyntaxToken) -> Option<&'static Form> {
    if open.kind() == SyntaxKind::OpenBracket {
        return open.parent_ancestors().find_map(|node| match node.kind() {
            SyntaxKind::ParameterDecl => Some(&PARAMETER),
            SyntaxKind::PropertyEntry => Some(&PROPERTY),
            SyntaxKind::PhaseEntry => Some(&PHASE),
            _ => None,
        });
    }
    FORMS
        .iter()
        .find(|form| {
            let words = std::iter::successors(before(open), before);
            form.before.iter().rev().zip(words).filter(|(word, token)| token.text() == **word).count()
                == form.before.len()
        })
        .filter(|_| open.kind() == SyntaxKind::OpenParen)
}
