//! Where lines may break: the lossless tree as a layout with choices.

use rowan::NodeOrToken;

use super::items::Item;
use super::printer::{Doc, Group, has_break};
use crate::syntax_kind::SyntaxKind::{self, *};
use crate::syntax_kind::{SyntaxNode, SyntaxToken};

/// The layout of a file.
pub(super) fn layout(root: &SyntaxNode, items: &[Item]) -> Vec<Doc> {
    let mut builder = Builder { items, docs: Vec::new(), next: 0, previous: None, glued: false };
    builder.file(root);
    builder.docs
}

/// Walks the tree; tokens are met in order, so a counter tells which one is next.
pub(super) struct Builder<'i> {
    pub(super) items: &'i [Item],
    pub(super) docs: Vec<Doc>,
    /// The number of the next token.
    pub(super) next: usize,
    /// The token before, unless a place where a line may break came after it.
    pub(super) previous: Option<SyntaxKind>,
    /// The next token stands directly behind the previous one.
    glued: bool,
}

impl Builder<'_> {
    /// Items of several lines are set off by blank lines, and so are rules from declarations; between rules,
    /// or declarations, of one line the author decides.
    fn file(&mut self, root: &SyntaxNode) {
        let mut previous = None;
        for node in root.children() {
            let rest = &self.items[self.next + 1..self.next + token_count(&node)];
            let on_one_line = !rest.iter().any(|item| item.newline_before);
            let is_short = on_one_line && node.kind() != SetupDecl;
            let is_rule = node.kind() == RuleItem;
            let together = match previous {
                Some((was_short, was_rule)) => is_short && was_short && is_rule == was_rule,
                None => true,
            };
            self.separate(if together { Doc::HardLine } else { Doc::BlankLine });
            self.node(&node);
            previous = Some((is_short, is_rule));
        }
        self.separate(Doc::HardLine);
        let end = self.next;
        self.docs.push(Doc::Comments(end));
    }

    // Pieces of layout.

    /// A place where the line may break.
    pub(super) fn separate(&mut self, doc: Doc) {
        self.docs.push(doc);
        self.previous = None;
    }

    /// Whether the author broke the line before the next token.
    pub(super) fn author_breaks(&self) -> bool {
        self.items[self.next].newline_before
    }

    fn collect(&mut self, inner: impl FnOnce(&mut Self)) -> Vec<Doc> {
        let outer = std::mem::take(&mut self.docs);
        inner(self);
        std::mem::replace(&mut self.docs, outer)
    }

    pub(super) fn indent(&mut self, inner: impl FnOnce(&mut Self)) {
        let docs = self.collect(inner);
        self.docs.push(Doc::Indent(docs));
    }

    /// A group that is broken if `inner` says so.
    pub(super) fn group(&mut self, reserve: usize, inner: impl FnOnce(&mut Self) -> bool) {
        self.space_before_next();
        let mut forced = false;
        let docs = self.collect(|builder| forced = inner(builder));
        self.docs.push(Doc::Group(Group { docs, forced, reserve }));
    }

    /// A group that is also broken if anything inside is.
    pub(super) fn block_group(&mut self, reserve: usize, inner: impl FnOnce(&mut Self) -> bool) {
        self.space_before_next();
        let mut forced = false;
        let docs = self.collect(|builder| forced = inner(builder));
        forced |= has_break(&docs, self.items);
        self.docs.push(Doc::Group(Group { docs, forced, reserve }));
    }

    /// The blank before a group belongs outside of it, so that the group's first token is where measuring
    /// begins.
    fn space_before_next(&mut self) {
        if self.needs_space(self.items[self.next].kind) {
            self.docs.push(Doc::Space);
        }
        self.previous = None;
        self.glued = false;
    }

    fn needs_space(&self, next: SyntaxKind) -> bool {
        let Some(previous) = self.previous else { return false };
        !self.glued
            && !matches!(previous, OpenParen | OpenBracket)
            && !matches!(next, CloseParen | CloseBracket | Comma | Dot)
    }

    // Tokens and nodes.

    pub(super) fn token(&mut self, token: &SyntaxToken) {
        if token.kind().is_trivia() {
            return;
        }
        if self.needs_space(token.kind()) {
            self.docs.push(Doc::Space);
        }
        self.docs.push(Doc::Token(self.next));
        self.next += 1;
        self.previous = Some(token.kind());
        self.glued = false;
    }

    pub(super) fn node(&mut self, node: &SyntaxNode) {
        match node.kind() {
            RuleItem => self.rule(node),
            BracketStmt => self.bracket(node),
            EitherStmt => self.broken_before(node, "or"),
            TryStmt => self.broken_before(node, "else"),
            MatchStmt => self.match_statement(node),
            WordStmt | UnaryExpr => self.glue_behind_sign(node),
            StepExpr => self.step_expression(node),
            kind if is_operators(kind) => self.operators(node),
            PiecesDecl | PropertiesDecl | DirectionsDecl | SetupDecl | NotationDecl | LooksDecl
            | AbstractionsDecl | EvaluationDecl | MaterialDecl | GreatestDecl => self.braces(node),
            SetupValueItem | TableEntry => self.setup_value(node),
            _ => self.children(node),
        }
    }

    fn children(&mut self, node: &SyntaxNode) {
        for child in node.children_with_tokens() {
            match child {
                NodeOrToken::Node(node) => self.node(&node),
                NodeOrToken::Token(token) => self.token(&token),
            }
        }
    }

    /// `name = statements.`: on one line, or the statements on lines of their own. A single statement that
    /// ends in a bracket may begin on the rule's line, and only what is in the bracket on lines of its own.
    fn rule(&mut self, node: &SyntaxNode) {
        let parameters = node.children().find(|child| child.kind() == RuleParameters);
        let head = 2 + parameters.as_ref().map_or(0, token_count);
        let body_begins_line = self.items[self.next + head].newline_before;
        if !body_begins_line && node.children().any(|body| ends_in_bracket(&body)) {
            self.space_before_next();
            return self.children(node);
        }
        self.block_group(0, |builder| {
            let mut breaks = false;
            for child in node.children_with_tokens() {
                match child {
                    NodeOrToken::Node(node) if node.kind() == RuleParameters => builder.node(&node),
                    NodeOrToken::Node(body) => builder.indent(|builder| {
                        breaks |= builder.author_breaks();
                        builder.separate(Doc::Line);
                        breaks |= builder.statements(&body);
                    }),
                    NodeOrToken::Token(token) => builder.token(&token),
                }
            }
            breaks
        });
    }

    /// Statements and commas; `true` if the author broke a line behind a comma.
    fn statements(&mut self, body: &SyntaxNode) -> bool {
        let mut breaks = false;
        let mut after_comma = false;
        for child in significant(body) {
            if after_comma {
                breaks |= self.author_breaks();
                self.separate(Doc::Line);
                after_comma = false;
            }
            match child {
                NodeOrToken::Node(node) => self.node(&node),
                NodeOrToken::Token(token) => {
                    after_comma = token.kind() == Comma;
                    self.token(&token);
                }
            }
        }
        breaks
    }

    /// `[ A, B ]`
    fn bracket(&mut self, node: &SyntaxNode) {
        self.block_group(2, |builder| {
            let children: Vec<_> = significant(node).collect();
            let mut breaks = false;
            builder.any(&children[0]);
            builder.indent(|builder| {
                breaks |= builder.author_breaks();
                builder.separate(Doc::Line);
                for (at, child) in children[1..children.len() - 1].iter().enumerate() {
                    builder.any(child);
                    // The last comma may be followed by the bracket.
                    if child.kind() == Comma && at + 3 < children.len() {
                        breaks |= builder.author_breaks();
                        builder.separate(Doc::Line);
                    }
                }
                breaks |= builder.author_breaks();
                builder.docs.push(Doc::Comments(builder.next));
            });
            builder.separate(Doc::Line);
            builder.any(&children[children.len() - 1]);
            breaks
        });
    }

    pub(super) fn any(&mut self, child: &NodeOrToken<SyntaxNode, SyntaxToken>) {
        match child {
            NodeOrToken::Node(node) => self.node(node),
            NodeOrToken::Token(token) => self.token(token),
        }
    }

    /// `either A or B`, `try A else B`: lines may break before the word.
    fn broken_before(&mut self, node: &SyntaxNode, word: &str) {
        self.group(2, |builder| {
            let mut breaks = false;
            let mut behind_word = false;
            for child in significant(node) {
                // A break behind the word moves before it.
                breaks |= behind_word && builder.author_breaks();
                behind_word = false;
                if let NodeOrToken::Token(token) = &child
                    && token.text() == word
                {
                    breaks |= builder.author_breaks();
                    builder.separate(Doc::Line);
                    behind_word = true;
                }
                builder.any(&child);
            }
            breaks
        });
    }

    /// `match (...)` is a picture of the board: the author's rows stay, in columns if they are equally long.
    fn match_statement(&mut self, node: &SyntaxNode) {
        let patterns: Vec<SyntaxNode> = node.children().collect();
        let widths: Vec<usize> = patterns.iter().map(flat_width).collect();
        self.group(2, |builder| {
            let rows = builder.rows_of(&patterns);
            let forced = rows.len() > 1;
            let row_length = rows.first().map_or(0, |row| row.len());
            let aligned = forced && rows.iter().all(|row| row.len() == row_length);
            let mut columns = vec![0; row_length];
            if aligned {
                for (at, width) in widths.iter().enumerate() {
                    columns[at % row_length] = columns[at % row_length].max(*width);
                }
            }
            let begins_row = |at: usize| rows.binary_search_by_key(&at, |row| row.start).is_ok();
            let mut at = 0;
            let children: Vec<_> = significant(node).collect();
            let (head, rest) = children.split_at(2);
            head.iter().for_each(|child| builder.any(child));
            builder.indent(|builder| {
                builder.separate(Doc::SoftLine);
                for child in &rest[..rest.len() - 1] {
                    builder.any(child);
                    if child.kind() != Comma {
                        continue;
                    }
                    at += 1;
                    if begins_row(at) || !forced {
                        builder.separate(Doc::Line);
                    } else if aligned {
                        let width = columns[(at - 1) % row_length];
                        builder.docs.push(Doc::Pad(width - widths[at - 1]));
                    }
                }
                builder.docs.push(Doc::Comments(builder.next));
            });
            builder.separate(Doc::SoftLine);
            builder.any(&rest[rest.len() - 1]);
            forced
        });
    }

    /// The patterns that the author put on one line. One row without a break, or only one before the first.
    fn rows_of(&self, patterns: &[SyntaxNode]) -> Vec<std::ops::Range<usize>> {
        let mut rows: Vec<std::ops::Range<usize>> = Vec::new();
        // The words `match` and `(` come first, and a comma behind each pattern.
        let mut token = self.next + 2;
        for (at, pattern) in patterns.iter().enumerate() {
            let breaks = at > 0 && self.items[token].newline_before;
            match rows.last_mut() {
                Some(row) if !breaks => row.end = at + 1,
                _ => rows.push(at..at + 1),
            }
            token += token_count(pattern) + 1;
        }
        rows
    }

    /// `-e`, `!e`, `turn -45`: no blank behind the sign, except where two signs would become another
    /// operator.
    fn glue_behind_sign(&mut self, node: &SyntaxNode) {
        for child in significant(node) {
            let sign = child.kind();
            self.any(&child);
            if !matches!(sign, Plus | Minus | Exclamation | Tilde) {
                continue;
            }
            let next = self.items[self.next].kind;
            self.glued = !matches!((sign, next), (Plus, Plus | PlusPlus) | (Minus, Minus | MinusMinus));
        }
    }

    /// `++v`, `v++`
    fn step_expression(&mut self, node: &SyntaxNode) {
        for (at, child) in significant(node).enumerate() {
            self.glued |= at > 0;
            self.any(&child);
        }
    }

    /// Operands and operators: a line may break behind an operator. Operators inside operators are one list.
    fn operators(&mut self, node: &SyntaxNode) {
        if node.parent().is_some_and(|parent| is_operators(parent.kind())) {
            return self.operands(node);
        }
        self.group(0, |builder| {
            builder.operands(node);
            false
        });
    }

    fn operands(&mut self, node: &SyntaxNode) {
        for child in significant(node) {
            match child {
                // A line breaks at the loosest operators first: what is tighter stays together while it fits.
                NodeOrToken::Node(inner) if is_tighter(node, &inner) => self.group(0, |builder| {
                    builder.operands(&inner);
                    false
                }),
                NodeOrToken::Node(node) => self.node(&node),
                NodeOrToken::Token(token) => {
                    self.token(&token);
                    // Comparisons and products are short and read best in one piece.
                    let tight = matches!(
                        token.kind(),
                        EqualEqual
                            | NotEqual
                            | Less
                            | LessEqual
                            | Greater
                            | GreaterEqual
                            | Star
                            | Slash
                            | Percent
                    );
                    if !tight {
                        self.separate(Doc::Fill);
                    }
                }
            }
        }
    }
}

/// Whether a rule's body is one statement, with nothing behind it, whose last part is a bracket and whose
/// other parts are not on separate lines.
fn ends_in_bracket(node: &SyntaxNode) -> bool {
    let last = significant(node).last();
    match (node.kind(), last) {
        (BracketStmt | MatchStmt, _) => true,
        (RuleBody, Some(NodeOrToken::Node(last))) => node.children().count() == 1 && ends_in_bracket(&last),
        (PrefixStmt | RepeatStmt | WhileStmt | ForEachStmt | GreatestStmt, Some(NodeOrToken::Node(last))) => {
            let mut others = node.children().filter(|child| *child != last);
            others.all(|child| !matches!(child.kind(), EitherStmt | TryStmt)) && ends_in_bracket(&last)
        }
        _ => false,
    }
}

/// Whether an operand has an operator that binds more tightly than that of the expression around it.
fn is_tighter(outer: &SyntaxNode, inner: &SyntaxNode) -> bool {
    inner.kind() == BinaryExpr
        && match outer.kind() {
            BinaryExpr => tightness(inner) > tightness(outer),
            kind => matches!(kind, CommaExpr | ConditionalExpr),
        }
}

/// The binding strength of the operator of a binary expression.
fn tightness(node: &SyntaxNode) -> u32 {
    let mut operators = significant(node).filter_map(NodeOrToken::into_token);
    match operators.next().map(|token| token.kind()) {
        Some(OrOr) => 1,
        Some(AndAnd) => 2,
        Some(Bar) => 3,
        Some(Caret) => 4,
        Some(Ampersand) => 5,
        Some(EqualEqual | NotEqual) => 6,
        Some(Less | LessEqual | Greater | GreaterEqual) => 7,
        Some(ShiftLeft | ShiftRight) => 8,
        Some(Plus | Minus) => 9,
        _ => 10,
    }
}

fn is_operators(kind: SyntaxKind) -> bool {
    matches!(kind, BinaryExpr | CommaExpr | ConditionalExpr | AssignExpr)
}

/// The children that are not blanks or comments.
pub(super) fn significant(node: &SyntaxNode) -> impl Iterator<Item = NodeOrToken<SyntaxNode, SyntaxToken>> {
    node.children_with_tokens().filter(|child| !child.kind().is_trivia())
}

fn tokens(node: &SyntaxNode) -> impl Iterator<Item = SyntaxToken> {
    node.descendants_with_tokens()
        .filter_map(NodeOrToken::into_token)
        .filter(|token| !token.kind().is_trivia())
}

pub(super) fn token_count(node: &SyntaxNode) -> usize {
    tokens(node).count()
}

/// The width of a pattern or an entry on one line.
pub(super) fn flat_width(node: &SyntaxNode) -> usize {
    let mut previous = OpenBracket;
    let mut width = 0;
    for token in tokens(node) {
        let blank = previous != OpenBracket && token.kind() != CloseBracket;
        width += token.text().chars().count() + usize::from(blank);
        previous = token.kind();
    }
    width
}
