//! `stacks`: fields that hold several pieces, and the properties in which they are kept.

use multigame_game::{Diagram, Field, Piece, PieceSet, Property, Scope, Side, Stacks};
use multigame_syntax::ast::{self, BinaryOp, DeclarationKind};
use multigame_syntax::{Diagnostic, Span};

use crate::checker::Checker;
use crate::directions::{binary, number};
use crate::model::{Expr, ExprKind, MoveProperty, Pattern, StackModel, Stmt, StmtKind, Variable};
use crate::suggest::shown;

impl<'a> Checker<'a> {
    /// Reads `stacks`, and declares the properties that keep them.
    pub fn declare_stacks(&mut self) {
        let Some((stacks, span)) = self.only("`stacks`", |kind| match kind {
            DeclarationKind::Stacks(stacks) => Some(stacks),
            _ => None,
        }) else {
            return;
        };
        let covered = self.covered(stacks);
        let Some(highest) = self.constant(&stacks.highest) else { return };
        let most = self.highest_possible(&covered);
        if !(2..=most).contains(&highest) {
            let message = format!("stacks of {highest} pieces are not possible");
            let mut diagnostic = Diagnostic::error("bad-stacks", stacks.highest.span, message)
                .label(format!("2 to {most} is expected"));
            if highest > most {
                diagnostic = diagnostic.help(
                    "name the pieces that may lie below others, as in `stacks = 40 (man)`: fewer need less room",
                );
            }
            self.report(diagnostic);
        }
        self.refuse_kept_names(span);
        // What is said about the rest holds for any height.
        self.add_stacks(covered, highest.clamp(2, most));
    }

    /// The pieces that may lie below others: those that are named, or all.
    fn covered(&mut self, stacks: &'a ast::Stacks) -> Vec<Piece> {
        let mut covered = PieceSet::EMPTY;
        for name in &stacks.covered {
            match self.piece_names.get(name.text.as_str()) {
                Some(entry) => covered = entry.own.into_iter().fold(covered, with),
                None => {
                    let known: Vec<&str> = self.piece_names.keys().copied().collect();
                    let diagnostic = self.undefined("undefined-piece", "piece", &name.text, name.span, known);
                    self.report(diagnostic);
                }
            }
        }
        match stacks.covered.is_empty() {
            true => (1..self.pieces.len()).map(|piece| Piece(piece as u8)).collect(),
            false => covered.iter().collect(),
        }
    }

    fn highest_possible(&self, covered: &[Piece]) -> i64 {
        i64::from(Stacks::MOST_BITS / Stacks { covered: covered.to_vec() }.bits())
    }

    /// Properties of the rules must not have the names of those that keep stacks.
    fn refuse_kept_names(&mut self, span: Span) {
        let kept = std::iter::once(Stacks::HEIGHT).chain(Stacks::BELOW).chain(HAND);
        let clash = kept.filter_map(|name| self.property_names.get_key_value(name));
        let clash: Vec<(String, Span)> = clash.map(|(name, entry)| (name.to_string(), entry.span)).collect();
        for (name, declared) in clash {
            let message = format!("`{}` is a property that `stacks` keeps", shown(&name));
            self.report(
                Diagnostic::error("double-declaration", declared, message)
                    .label("choose another name")
                    .related(span, "declared by this"),
            );
        }
    }

    fn add_stacks(&mut self, covered: Vec<Piece>, highest: i64) {
        let bits = i64::from(Stacks { covered: covered.clone() }.bits());
        let mut field = |name: &str, high: i64| {
            self.properties.push(Property {
                name: name.to_string(),
                scope: Scope::Field,
                low: 0,
                high: high as i32,
                hashed: true,
                offset: 0,
            });
            self.properties.len() - 1
        };
        let height = field(Stacks::HEIGHT, highest);
        let below = chunks((highest - 1) * bits);
        let below = Stacks::BELOW.iter().zip(below).map(|(name, high)| field(name, high)).collect();
        let pieces = self.pieces.len() as i64 - 1;
        let mut in_hand = |name: usize, low: i64, high: i64| {
            let name = HAND[name].to_string();
            self.move_properties.push(MoveProperty { name, low: low as i32, high: high as i32 });
            self.move_properties.len() - 1
        };
        let stacks = StackModel {
            covered,
            highest,
            height,
            below,
            carried: in_hand(0, 0, highest),
            top: in_hand(1, 0, pieces),
            taken: in_hand(2, 1, highest),
            left: in_hand(3, 0, highest),
            next: in_hand(4, 0, pieces),
            end: in_hand(5, 0, 0),
            hand: chunks(highest * bits).enumerate().map(|(i, high)| in_hand(6 + i, 0, high)).collect(),
        };
        self.stacks = Some(stacks);
    }

    /// Where stacks are declared.
    pub fn stacks_span(&self) -> Option<Span> {
        let is_stacks = |kind: &DeclarationKind| matches!(kind, DeclarationKind::Stacks(_));
        self.program.declarations.iter().find(|one| is_stacks(&one.kind)).map(|one| one.span)
    }

    /// A piece in the picture of the setup is a stack of one.
    pub fn initial_heights(&self, diagram: &mut Diagram) {
        let Some(stacks) = &self.stacks else { return };
        let offset = self.properties[stacks.height].offset;
        for field in (0..diagram.cells.len() as u16).map(Field) {
            if let Some(height) = diagram.values.get_mut(offset + field.index()) {
                *height = i32::from(diagram.cells[field.index()] != Piece::NONE);
            }
        }
    }

    /// `height` and `carried`, unless the rules have properties of these names.
    pub fn stack_variable(&self, name: &str) -> Option<Variable> {
        let stacks = self.stacks.as_ref().filter(|_| !self.property_names.contains_key(name))?;
        match name {
            "height" => Some(Variable::Field(stacks.height)),
            "carried" => Some(Variable::Move(stacks.carried)),
            _ => None,
        }
    }

    /// `pick up`, `pick up (e)`
    pub fn pick_up(&mut self, count: Option<&'a ast::Expr>, span: Span) -> StmtKind {
        let Some(highest) = self.stacks.as_ref().map(|stacks| stacks.highest) else {
            return count.map_or(StmtKind::PickUp, |_| self.no_stacks("pick up", span));
        };
        match count {
            None => StmtKind::Lift(number(1, span)),
            Some(count) => StmtKind::Lift(self.count_of_pieces(count, highest)),
        }
    }

    /// `put down`, `put down (e)`
    pub fn put_down(&mut self, count: Option<&'a ast::Expr>, span: Span) -> StmtKind {
        let Some(highest) = self.stacks.as_ref().map(|stacks| stacks.highest) else {
            return count.map_or(StmtKind::PutDown, |_| self.no_stacks("put down", span));
        };
        StmtKind::Drop(count.map(|count| self.count_of_pieces(count, highest)))
    }

    fn count_of_pieces(&mut self, count: &'a ast::Expr, highest: i64) -> Expr {
        let expr = self.expression(count);
        if let Some(value) = expr.constant()
            && self.dead == 0
            && !(1..=highest).contains(&value)
        {
            let message = format!("{value} pieces cannot be taken or put down");
            let diagnostic = Diagnostic::error("out-of-range", count.span, message);
            self.report(diagnostic.label(format!("1 to {highest} is possible: `stacks = {highest}`")));
            return Expr { kind: ExprKind::Unknown, span: count.span };
        }
        expr
    }

    fn no_stacks(&mut self, statement: &str, span: Span) -> StmtKind {
        let message = "fields hold one piece each in this game";
        self.report(
            Diagnostic::error("no-stacks", span, message)
                .label(match statement {
                    "replace by" => "`replace by` is expected".to_string(),
                    _ => format!("`{statement}` without a number is expected"),
                })
                .help("declare how high stacks may be: `stacks = 5`"),
        );
        StmtKind::Unknown
    }

    /// `add P`; nothing comes to lie on top by `empty field`.
    pub fn add_pieces(&mut self, pieces: Vec<[Piece; 2]>, span: Span) -> StmtKind {
        if self.stacks.is_none() {
            return self.no_stacks("replace by", span);
        }
        StmtKind::Add(pieces.into_iter().filter(|both| both[0] != Piece::NONE).collect())
    }

    /// `replace by` where fields hold stacks: the piece on top becomes another one; `empty field` takes it
    /// off.
    pub fn replaces_top(&self, pieces: Vec<[Piece; 2]>, span: Span) -> StmtKind {
        let removes = |both: &[Piece; 2]| both[0] == Piece::NONE;
        if self.stacks.is_none() || !pieces.iter().any(removes) {
            return StmtKind::Replace(pieces);
        }
        let others: Vec<[Piece; 2]> = pieces.into_iter().filter(|both| !removes(both)).collect();
        match others.is_empty() {
            true => StmtKind::RemoveTop,
            false => {
                let parts = [StmtKind::RemoveTop, StmtKind::Replace(others)];
                StmtKind::Either(parts.into_iter().map(|kind| Stmt { kind, span }).collect())
            }
        }
    }
}

/// The move properties that keep the hand.
const HAND: [&str; 8] = [
    "hand_height",
    "hand_top",
    "hand_taken",
    "hand_left",
    "hand_next",
    "hand_at_end",
    "hand_below",
    "hand_below_2",
];

fn with(pieces: PieceSet, piece: Piece) -> PieceSet {
    pieces.union(PieceSet::of(piece))
}

/// The greatest values of the properties that hold this many bits.
fn chunks(bits: i64) -> impl Iterator<Item = i64> {
    let chunk = i64::from(Stacks::CHUNK);
    let count = (bits + chunk - 1) / chunk;
    (0..count.max(1)).map(move |number| (1 << (bits - number * chunk).clamp(0, chunk)) - 1)
}

impl StackModel {
    /// `holds P`: whether the top piece in the hand matches, as each player sees it.
    pub fn holds(&self, pattern: Pattern, span: Span) -> StmtKind {
        let top = || Expr { kind: ExprKind::Load(Variable::Move(self.top)), span };
        let seen = |side: Side| {
            let equals = |piece: Piece| binary(BinaryOp::Equal, top(), number(i64::from(piece.0), span));
            let either = |a, b| Expr { kind: ExprKind::Or(Box::new(a), Box::new(b)), span };
            let matches = pattern.seen_by(side).iter().map(equals).reduce(either);
            let parts =
                [StmtKind::ToMove(side), StmtKind::Assert(matches.unwrap_or_else(|| number(0, span)))];
            Stmt {
                kind: StmtKind::Sequence(parts.into_iter().map(|kind| Stmt { kind, span }).collect()),
                span,
            }
        };
        StmtKind::Either(Side::BOTH.map(seen).into())
    }
}
