//! Where lines break: a small pretty printer in the manner of Wadler, with comments.

use super::items::Item;
use crate::SyntaxKind::*;

/// Lines should not be longer.
const WIDTH: usize = 100;

/// Blanks for each level.
const INDENT: usize = 4;

/// A layout that still has choices.
pub(super) enum Doc {
    /// The token of this number.
    Token(usize),
    /// Blanks.
    Space,
    /// A blank, or a new line if the group is broken.
    Line,
    /// Two blanks, or a new line if the group is broken.
    WideLine,
    /// Nothing, or a new line if the group is broken.
    SoftLine,
    /// A new line.
    HardLine,
    /// A new line with a blank line before it.
    BlankLine,
    /// A blank, or a new line if what follows up to the next one does not fit.
    Fill,
    /// Blanks that align columns if the group is broken.
    Pad(usize),
    /// The comments before the token of this number, which itself stands further out.
    Comments(usize),
    /// One level deeper.
    Indent(Vec<Doc>),
    /// Broken as a whole or not at all.
    Group(Group),
}

/// Something that takes one line or several.
pub(super) struct Group {
    pub(super) docs: Vec<Doc>,
    /// Broken whether it fits or not.
    pub(super) forced: bool,
    /// Number of following characters that must stay on the line.
    pub(super) reserve: usize,
}

/// Whether a line break is certain inside: forced, or by a comment that is neither the first nor the last
/// thing.
pub(super) fn has_break(docs: &[Doc], items: &[Item]) -> bool {
    let mut scan = BreakScan { items, begun: false, comment_behind: false };
    scan.any(docs)
}

struct BreakScan<'i> {
    items: &'i [Item],
    begun: bool,
    /// The last token has a comment behind it, which breaks the line if another token follows.
    comment_behind: bool,
}

impl BreakScan<'_> {
    fn any(&mut self, docs: &[Doc]) -> bool {
        docs.iter().any(|doc| match doc {
            Doc::HardLine | Doc::BlankLine => true,
            Doc::Group(group) => group.forced || self.any(&group.docs),
            Doc::Indent(docs) => self.any(docs),
            Doc::Token(index) => {
                let item = &self.items[*index];
                let breaks = self.comment_behind || self.begun && !item.comments.is_empty();
                self.begun = true;
                self.comment_behind = item.trailing.is_some();
                breaks
            }
            _ => false,
        })
    }
}

/// The width of a layout on one line; ends at the first certain line break.
struct Measure<'i> {
    items: &'i [Item],
    room: usize,
    ended: bool,
}

impl Measure<'_> {
    fn fits(docs: &[Doc], items: &[Item], room: usize) -> bool {
        Measure { items, room, ended: false }.walk(docs, false)
    }

    /// `false` as soon as the line is full.
    fn walk(&mut self, docs: &[Doc], broken: bool) -> bool {
        docs.iter().all(|doc| self.ended || self.doc(doc, broken))
    }

    fn doc(&mut self, doc: &Doc, broken: bool) -> bool {
        match doc {
            Doc::Token(index) => {
                let item = &self.items[*index];
                let fits = self.take(item.text.chars().count());
                self.ended |= item.trailing.is_some();
                fits
            }
            Doc::Line | Doc::WideLine | Doc::SoftLine if broken => self.end(),
            Doc::HardLine | Doc::BlankLine => self.end(),
            Doc::Space | Doc::Line | Doc::Fill => self.take(1),
            Doc::WideLine => self.take(2),
            Doc::Comments(index) if !self.items[*index].comments.is_empty() => self.end(),
            Doc::SoftLine | Doc::Pad(_) | Doc::Comments(_) => true,
            Doc::Indent(docs) => self.walk(docs, broken),
            Doc::Group(group) => self.walk(&group.docs, group.forced),
        }
    }

    fn take(&mut self, width: usize) -> bool {
        let fits = width <= self.room;
        self.room = self.room.saturating_sub(width);
        fits
    }

    fn end(&mut self) -> bool {
        self.ended = true;
        true
    }
}

/// Whether a blank line comes before a new line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Blank {
    Never,
    /// If the author put one there.
    Kept,
    Always,
}

/// The text between the last token and the next.
#[derive(Clone, Copy)]
enum Gap {
    None,
    Spaces(usize),
    Line { indent: usize, blank: Blank },
}

struct Printer<'i> {
    items: &'i [Item],
    output: String,
    column: usize,
    indent: usize,
    gap: Gap,
    /// A comment runs to the end of the line, so the next token must begin a new one.
    after_comment: bool,
    /// The number of the token whose comments are printed already.
    comments_done: Option<usize>,
    previous: crate::SyntaxKind,
    /// The comments behind tokens, to be aligned in the end.
    trailing: Vec<Trailing>,
    line: usize,
}

/// A comment behind a token.
struct Trailing {
    line: usize,
    column: usize,
    /// Where it begins in the output.
    offset: usize,
}

/// Prints a layout.
pub(super) fn print(docs: &[Doc], items: &[Item]) -> String {
    let mut printer = Printer {
        items,
        output: String::new(),
        column: 0,
        indent: 0,
        gap: Gap::None,
        after_comment: false,
        comments_done: None,
        previous: OpenBrace,
        trailing: Vec::new(),
        line: 0,
    };
    printer.docs(docs, true);
    let mut output = align(&printer.output, &printer.trailing).trim_end().to_owned();
    if !output.is_empty() {
        output.push('\n');
    }
    output
}

/// Puts comments behind tokens on lines that follow each other into one column.
fn align(output: &str, comments: &[Trailing]) -> String {
    let mut aligned = String::new();
    let mut copied = 0;
    for run in comments.chunk_by(|left, right| left.line + 1 == right.line) {
        let column = run.iter().map(|comment| comment.column).max().unwrap_or(0);
        for comment in run {
            aligned.push_str(&output[copied..comment.offset]);
            aligned.push_str(&" ".repeat(column - comment.column));
            copied = comment.offset;
        }
    }
    aligned.push_str(&output[copied..]);
    aligned
}

impl Printer<'_> {
    fn docs(&mut self, docs: &[Doc], broken: bool) {
        for (at, doc) in docs.iter().enumerate() {
            if let Doc::Fill = doc {
                self.fill(&docs[at + 1..]);
            } else {
                self.doc(doc, broken);
            }
        }
    }

    fn doc(&mut self, doc: &Doc, broken: bool) {
        match doc {
            Doc::Token(index) => self.token(*index),
            Doc::Line | Doc::WideLine | Doc::SoftLine if broken => self.line(Blank::Kept),
            Doc::HardLine => self.line(Blank::Kept),
            Doc::BlankLine => self.line(Blank::Always),
            Doc::Space | Doc::Line | Doc::Fill => self.spaces(1),
            Doc::WideLine => self.spaces(2),
            Doc::Pad(width) if broken => self.spaces(*width),
            Doc::SoftLine | Doc::Pad(_) => {}
            Doc::Comments(index) => {
                if !self.items[*index].comments.is_empty() {
                    self.line(Blank::Kept);
                    self.comments(*index);
                }
            }
            Doc::Indent(docs) => {
                self.indent += INDENT;
                self.docs(docs, broken);
                self.indent -= INDENT;
            }
            Doc::Group(group) => {
                let broken = group.forced || !self.fits(&group.docs, group.reserve);
                self.docs(&group.docs, broken);
            }
        }
    }

    /// Breaks the line if the docs up to the next possible break do not fit on it.
    fn fill(&mut self, rest: &[Doc]) {
        let end = rest.iter().position(|doc| matches!(doc, Doc::Fill)).unwrap_or(rest.len());
        self.spaces(1);
        if !self.fits(&rest[..end], 3) {
            self.gap = Gap::Line { indent: self.indent + INDENT, blank: Blank::Never };
        }
    }

    fn fits(&self, docs: &[Doc], reserve: usize) -> bool {
        let column = match self.gap {
            Gap::None => self.column,
            Gap::Spaces(width) => self.column + width,
            Gap::Line { indent, .. } => indent,
        };
        Measure::fits(docs, self.items, WIDTH.saturating_sub(column + reserve))
    }

    fn spaces(&mut self, width: usize) {
        self.gap = match self.gap {
            Gap::None => Gap::Spaces(width),
            Gap::Spaces(already) => Gap::Spaces(already + width),
            line => line,
        };
    }

    fn line(&mut self, blank: Blank) {
        self.gap = Gap::Line { indent: self.indent, blank };
    }

    fn token(&mut self, index: usize) {
        if self.comments_done != Some(index) {
            self.comments(index);
        }
        let item = &self.items[index];
        if self.after_comment && !matches!(self.gap, Gap::Line { .. }) {
            self.gap = Gap::Line { indent: self.indent + INDENT, blank: Blank::Never };
        }
        let closes = matches!(item.kind, CloseBracket | CloseBrace | CloseParen | Dot);
        self.close_gap(item.blank_before && !closes);
        self.write(&item.text);
        self.previous = item.kind;
        if let Some(comment) = &item.trailing {
            self.write("  ");
            self.trailing.push(Trailing { line: self.line, column: self.column, offset: self.output.len() });
            self.write(comment);
            self.after_comment = true;
        }
    }

    /// Prints the comments before a token, each on its line.
    fn comments(&mut self, index: usize) {
        self.comments_done = Some(index);
        for comment in &self.items[index].comments {
            if !matches!(self.gap, Gap::Line { .. }) && !self.output.is_empty() {
                self.gap = Gap::Line { indent: self.indent + INDENT, blank: Blank::Never };
            }
            let indent = if let Gap::Line { indent, .. } = self.gap { indent } else { self.indent };
            self.close_gap(comment.blank_before);
            self.write(&comment.text);
            self.previous = Comment;
            self.gap = Gap::Line { indent, blank: Blank::Kept };
        }
    }

    /// Writes what stands before the next token or comment. The author's blank lines stay, but not at the
    /// beginning or the end of something in brackets.
    fn close_gap(&mut self, blank_before: bool) {
        let gap = std::mem::replace(&mut self.gap, Gap::None);
        self.after_comment = false;
        match gap {
            Gap::None => {}
            Gap::Spaces(width) => self.write(&" ".repeat(width)),
            Gap::Line { .. } if self.output.is_empty() => {}
            Gap::Line { indent, blank } => {
                let opened = matches!(self.previous, OpenBracket | OpenBrace | OpenParen | Equal);
                if blank == Blank::Always || blank == Blank::Kept && blank_before && !opened {
                    self.output.push('\n');
                    self.line += 1;
                }
                self.output.push('\n');
                self.line += 1;
                self.output.push_str(&" ".repeat(indent));
                self.column = indent;
            }
        }
    }

    fn write(&mut self, text: &str) {
        self.output.push_str(text);
        self.column += text.chars().count();
    }
}
