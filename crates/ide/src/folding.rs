//! Parts of a text that can be folded to one line.

use multigame_syntax::{Span, SyntaxKind, SyntaxNode};

use crate::rules::Rules;
use crate::tree::{node_span, slice, token_span};

/// A part that can be folded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fold {
    /// The part; it has more than one line.
    pub span: Span,
    /// Whether it consists of comments.
    pub comment: bool,
}

/// All parts, in the order of the text.
pub fn folds(rules: &Rules) -> Vec<Fold> {
    let source = rules.own();
    let root = source.parse.syntax();
    let mut folds: Vec<Fold> = root
        .descendants()
        .filter(is_foldable)
        .map(|node| Fold { span: node_span(&node), comment: false })
        .chain(comments(&root))
        .filter(|fold| slice(&source.text, fold.span).contains('\n'))
        .collect();
    folds.sort_by_key(|fold| (fold.span.start, std::cmp::Reverse(fold.span.end)));
    folds
}

fn is_foldable(node: &SyntaxNode) -> bool {
    use SyntaxKind::{
        AbstractionsDecl, BracketStmt, DirectionsDecl, EvaluationDecl, GreatestDecl, LooksDecl, MaterialDecl,
        NotationDecl, PiecesDecl, PropertiesDecl, RuleItem, SetupDecl, TableEntry,
    };
    matches!(
        node.kind(),
        AbstractionsDecl
            | BracketStmt
            | DirectionsDecl
            | EvaluationDecl
            | GreatestDecl
            | LooksDecl
            | MaterialDecl
            | NotationDecl
            | PiecesDecl
            | PropertiesDecl
            | RuleItem
            | SetupDecl
            | TableEntry
    )
}

/// Comments on lines that follow each other.
fn comments(root: &SyntaxNode) -> Vec<Fold> {
    let mut folds: Vec<Fold> = Vec::new();
    let mut open = false;
    for token in root.descendants_with_tokens().filter_map(|element| element.into_token()) {
        match token.kind() {
            SyntaxKind::Comment if open => {
                if let Some(last) = folds.last_mut() {
                    last.span.end = token_span(&token).end;
                }
            }
            SyntaxKind::Comment => {
                folds.push(Fold { span: token_span(&token), comment: true });
                open = true;
            }
            SyntaxKind::Whitespace if token.text().matches('\n').count() < 2 => {}
            _ => open = false,
        }
    }
    folds
}
