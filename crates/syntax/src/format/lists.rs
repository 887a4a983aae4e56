//! The layout of declarations in braces: one entry on a line, in columns.

use rowan::NodeOrToken;

use super::layout::{Builder, significant};
use super::printer::Doc;
use crate::syntax_kind::SyntaxKind::{self, *};
use crate::syntax_kind::{SyntaxNode, SyntaxToken};

impl Builder<'_> {
    /// `pieces { ... }` and the like: one entry on a line, in columns.
    pub(super) fn braces(&mut self, node: &SyntaxNode) {
        let always = node.kind() == SetupDecl;
        let columns = columns(node);
        self.block_group(0, |builder| {
            let children: Vec<_> = significant(node).collect();
            let mut breaks = always;
            let (head, rest) = children.split_at(2);
            head.iter().for_each(|child| builder.any(child));
            builder.indent(|builder| {
                for child in &rest[..rest.len() - 1] {
                    breaks |= builder.author_breaks();
                    builder.separate(Doc::Line);
                    match child {
                        NodeOrToken::Node(entry) => builder.entry(entry, &columns),
                        NodeOrToken::Token(token) => builder.token(token),
                    }
                }
                breaks |= builder.author_breaks();
                builder.docs.push(Doc::Comments(builder.next));
            });
            builder.separate(Doc::Line);
            builder.any(&rest[rest.len() - 1]);
            breaks
        });
    }

    /// An entry whose first cells are filled up to the widths of their columns.
    fn entry(&mut self, entry: &SyntaxNode, columns: &[usize]) {
        if entry.kind() == SetupValueItem || columns.is_empty() {
            return self.node(entry);
        }
        let mut cell = 0;
        let mut width = 0;
        for child in significant(entry) {
            let ends_cell = cell < columns.len() && begins_column(entry.kind(), &child);
            if ends_cell && width > 0 {
                self.docs.push(Doc::Pad(columns[cell].saturating_sub(width)));
                cell += 1;
                width = 0;
            }
            if ends_cell && child.kind() == Colon {
                self.any(&child);
                if entry.kind() == DirectionEntry {
                    return self.chains(entry);
                }
                continue;
            }
            width += cell_width(&child, width);
            self.any(&child);
        }
    }

    /// Coordinates of a direction: the author's rows stay, long ones are filled.
    fn chains(&mut self, entry: &SyntaxNode) {
        self.previous = None;
        self.group(0, |builder| {
            let mut breaks = false;
            builder.indent(|builder| {
                for child in significant(entry).skip_while(|child| child.kind() != Chain) {
                    match child {
                        NodeOrToken::Node(chain) => {
                            let row = builder.author_breaks();
                            let first = builder.docs.is_empty();
                            breaks |= row;
                            builder.separate(match (first, row) {
                                (true, _) => Doc::Line,
                                (false, true) => Doc::HardLine,
                                (false, false) => Doc::Fill,
                            });
                            builder.chain(&chain);
                        }
                        NodeOrToken::Token(token) => builder.token(&token),
                    }
                }
            });
            breaks
        });
    }

    fn chain(&mut self, chain: &SyntaxNode) {
        self.group(1, |builder| {
            for (at, child) in significant(chain).enumerate() {
                if at > 0 {
                    builder.separate(Doc::Fill);
                }
                builder.any(&child);
            }
            false
        });
    }

    /// `seeds = "4 4" "4 4"`: several strings that the author put on lines stay there.
    pub(super) fn setup_value(&mut self, node: &SyntaxNode) {
        self.group(0, |builder| {
            let mut breaks = false;
            let children: Vec<_> = significant(node).collect();
            let (head, rest) = children.split_at(2);
            head.iter().for_each(|child| builder.any(child));
            builder.indent(|builder| {
                for child in rest {
                    if child.kind() == Text {
                        breaks |= builder.author_breaks();
                        builder.separate(Doc::Line);
                    }
                    builder.any(child);
                }
            });
            breaks
        });
    }
}

/// Whether a child of an entry stands in a new column.
fn begins_column(entry: SyntaxKind, child: &NodeOrToken<SyntaxNode, SyntaxToken>) -> bool {
    match entry {
        PieceEntry => child.kind() == Symbol,
        PropertyEntry | DirectionEntry => child.kind() == Colon,
        LooksEntry => child.kind() == Text,
        _ => false,
    }
}

/// How much wider a cell becomes by a child.
fn cell_width(child: &NodeOrToken<SyntaxNode, SyntaxToken>, already: usize) -> usize {
    let NodeOrToken::Token(token) = child else { return 0 };
    let blank = usize::from(already > 0 && token.kind() != Comma);
    token.text().chars().count() + blank
}

/// The widths of the columns of a list: of all but the last, which needs no filling.
fn columns(list: &SyntaxNode) -> Vec<usize> {
    let mut widths: Vec<usize> = Vec::new();
    for entry in list.children() {
        let (mut cell, mut width) = (0, 0);
        for child in significant(&entry) {
            if begins_column(entry.kind(), &child) && width > 0 {
                if widths.len() <= cell {
                    widths.push(0);
                }
                widths[cell] = widths[cell].max(width);
                cell += 1;
                width = 0;
                if child.kind() == Colon {
                    continue;
                }
            }
            width += cell_width(&child, width);
        }
    }
    widths
}
