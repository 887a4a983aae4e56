//! The layout of declarations in braces: one entry on a line, in columns, or several where the author put
//! several.

use rowan::NodeOrToken;

use super::items::Item;
use super::layout::{Builder, flat_width, significant, token_count};
use super::printer::Doc;
use crate::syntax_kind::SyntaxKind::{self, *};
use crate::syntax_kind::{SyntaxNode, SyntaxToken};

impl Builder<'_> {
    /// `pieces { ... }` and the like.
    pub(super) fn braces(&mut self, node: &SyntaxNode) {
        // A picture has one row on a line, whatever the author did.
        let picture = node.children().any(|child| child.kind() == SetupRow);
        let entries: Vec<SyntaxNode> = node.children().collect();
        let may_share_lines = matches!(node.kind(), PiecesDecl | LooksDecl | NotationDecl | MaterialDecl);
        let all: Vec<_> = significant(node).collect();
        let head_length = all.iter().position(|child| child.kind() == OpenBrace).map_or(2, |at| at + 1);
        let grid = Grid::new(&entries, self.items, self.next + head_length).filter(|_| may_share_lines);
        let columns = if grid.is_some() { Vec::new() } else { columns(node) };
        self.block_group(0, |builder| {
            let mut breaks = picture;
            let (head, rest) = all.split_at(head_length);
            head.iter().for_each(|child| builder.any(child));
            builder.indent(|builder| {
                for (at, entry) in entries.iter().enumerate() {
                    match grid.as_ref().and_then(|grid| grid.gap_before(at)) {
                        Some(gap) => {
                            builder.separate(Doc::Space);
                            builder.docs.push(Doc::Pad(gap));
                        }
                        None => {
                            breaks |= builder.author_breaks();
                            // Entries of several words are told apart by a wider gap, as in rows of several.
                            let wide = at > 0
                                && !matches!(
                                    node.kind(),
                                    SetupDecl | DirectionsDecl | NotationDecl | AbstractionsDecl
                                );
                            builder.separate(if wide { Doc::WideLine } else { Doc::Line });
                        }
                    }
                    builder.entry(entry, &columns);
                }
                breaks |= builder.author_breaks();
                builder.docs.push(Doc::Comments(builder.next));
            });
            builder.separate(Doc::Line);
            rest[rest.len() - 1..].iter().for_each(|close| builder.any(close));
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

    /// `seeds = "4 4" "4 4"`, `table pawn = "0 0" .. "1 1"`: several strings that the author put on lines
    /// stay there.
    pub(super) fn setup_value(&mut self, node: &SyntaxNode) {
        self.group(0, |builder| {
            let mut breaks = false;
            let children: Vec<_> = significant(node).collect();
            let head_length = children.iter().position(|child| child.kind() == Equal).map_or(2, |at| at + 1);
            let (head, rest) = children.split_at(head_length);
            head.iter().for_each(|child| builder.any(child));
            builder.indent(|builder| {
                for child in rest {
                    if matches!(child.kind(), Text | DotDot) {
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

/// Whether a child of an entry begins a new column.
fn begins_column(entry: SyntaxKind, child: &NodeOrToken<SyntaxNode, SyntaxToken>) -> bool {
    match entry {
        PieceEntry => child.kind() == Symbol,
        PropertyEntry | DirectionEntry | AbstractionEntry => child.kind() == Colon,
        LooksEntry => child.kind() == Text,
        _ => false,
    }
}

/// The width that a child adds to a cell.
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

/// Entries that the author put on several lines, several on a line.
struct Grid {
    /// For each entry its place in its row.
    places: Vec<usize>,
    /// For each entry its width.
    widths: Vec<usize>,
    /// For each place in a row the greatest width of an entry that is followed by another.
    columns: Vec<usize>,
}

impl Grid {
    /// `first` is the number of the first entry's first token. `None` if the entries are on one line, or each
    /// on its own.
    fn new(entries: &[SyntaxNode], items: &[Item], first: usize) -> Option<Self> {
        let mut places: Vec<usize> = Vec::new();
        let mut token = first;
        for entry in entries {
            let place = match places.last() {
                Some(last) if !items[token].newline_before => last + 1,
                _ => 0,
            };
            places.push(place);
            token += token_count(entry);
        }
        let row_count = places.iter().filter(|place| **place == 0).count();
        if row_count <= 1 || row_count == entries.len() {
            return None;
        }
        let widths: Vec<usize> = entries.iter().map(flat_width).collect();
        let mut columns = vec![0; entries.len()];
        for (at, place) in places.iter().enumerate().skip(1).filter(|(_, place)| **place > 0) {
            columns[place - 1] = columns[place - 1].max(widths[at - 1]);
        }
        Some(Grid { places, widths, columns })
    }

    /// Number of blanks beyond one before an entry; `None` if it begins a row.
    fn gap_before(&self, at: usize) -> Option<usize> {
        let column = self.places[at].checked_sub(1)?;
        Some(self.columns[column] - self.widths[at - 1] + 1)
    }
}
