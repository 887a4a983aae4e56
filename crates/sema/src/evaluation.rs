//! `evaluation`: weights, tables and what terms count.
//!
//! The count of a term becomes a rule of its own that computes the expression, so that everything that is
//! checked about rules is checked about terms too.

use std::collections::{BTreeMap, BTreeSet};

use multigame_game::{
    Evaluation, MAX_TERMS, MAX_WEIGHT, Pair, Piece, Purpose, Term, TermKind, USUAL_EVALUATION, Weight,
};
use multigame_syntax::ast::{self, DeclarationKind, EvaluationItem, Expr, Name, TermItem, WeightDecl};
use multigame_syntax::{Diagnostic, Span};

use crate::board::count;
use crate::checker::Checker;
use crate::model::{Counted, EvaluationModel, Rule, RuleId, Stmt, StmtKind};
use crate::suggest::shown;

impl<'a> Checker<'a> {
    /// Resolves all `evaluation` blocks; the rules that compute their terms are added to `rules`.
    pub(crate) fn evaluations(&mut self, rules: &mut Vec<Rule>) -> Vec<EvaluationModel> {
        let mut names: BTreeMap<&str, Span> = BTreeMap::new();
        let mut models = Vec::new();
        for declaration in &self.program.declarations {
            let DeclarationKind::Evaluation(block) = &declaration.kind else { continue };
            let name = block.name.as_ref().map_or(USUAL_EVALUATION, |name| &name.text);
            if let Some(name) = &block.name {
                self.check_length(name);
            }
            let place = block.name.as_ref().map_or(declaration.span, |name| name.span);
            let first = *names.entry(name).or_insert(place);
            if first != place {
                self.declared_twice(&format!("evaluation `{}`", shown(name)), place, first);
            }
            models.push(self.evaluation(name, block, rules));
        }
        // The one without a name comes first: it is the usual one.
        models.sort_by_key(|model| model.evaluation.name != USUAL_EVALUATION);
        models
    }

    fn evaluation(
        &mut self,
        name: &'a str,
        block: &'a ast::Evaluation,
        rules: &mut Vec<Rule>,
    ) -> EvaluationModel {
        let purpose = if self.players == 1 { Purpose::Bound } else { Purpose::Worth };
        let has_phase = block.items.iter().any(|item| matches!(item, EvaluationItem::Phase { .. }));
        let evaluation = Evaluation {
            name: name.to_string(),
            purpose,
            phase: None,
            weights: Vec::new(),
            terms: Vec::new(),
        };
        let model = EvaluationModel { evaluation, phase: None, calm: None, counted: Vec::new() };
        let mut making = Making { model, rules, names: BTreeSet::new(), has_phase, groups: 0 };
        for item in &block.items {
            match item {
                EvaluationItem::Phase { value, low, high, span } => {
                    self.phase(value, low, high, *span, &mut making)
                }
                EvaluationItem::Calm { value, span } => {
                    if purpose == Purpose::Bound {
                        self.meaningless(*span, "a puzzle's lower bound is never threatened");
                    }
                    if making.model.calm.is_some() {
                        let message = "an evaluation says once what is calm";
                        let diagnostic = Diagnostic::error("double-declaration", *span, message);
                        self.report(diagnostic.label("remove one of the two"));
                    }
                    making.model.calm = Some(self.counting_rule("calm", value, *span, &mut making));
                }
                EvaluationItem::Material(items) => self.material(items, &mut making),
                EvaluationItem::Table { piece, opening, end } => self.table(piece, opening, end, &mut making),
                EvaluationItem::Term(item) => self.term(item, None, &mut making),
                EvaluationItem::Greatest(items, span) => {
                    if purpose == Purpose::Worth {
                        self.meaningless(*span, "`greatest { }` is for puzzles: a lower bound");
                    }
                    for item in items {
                        self.term(item, Some(making.groups), &mut making);
                    }
                    making.groups += 1;
                }
            }
        }
        making.model
    }

    fn meaningless(&mut self, span: Span, message: &str) {
        self.report(Diagnostic::error("bad-evaluation", span, message.to_string()));
    }

    fn phase(&mut self, value: &'a Expr, low: &'a Expr, high: &'a Expr, span: Span, making: &mut Making<'_>) {
        if making.model.evaluation.purpose == Purpose::Bound {
            self.meaningless(span, "a puzzle's lower bound has no phases");
        }
        if making.model.phase.is_some() {
            let diagnostic = Diagnostic::error("double-declaration", span, "an evaluation has one phase");
            self.report(diagnostic.label("remove one of the two"));
        }
        let (least, greatest) = (self.constant(low), self.constant(high));
        if let (Some(least), Some(greatest)) = (least, greatest) {
            let possible = -1_000_000..=1_000_000;
            if least >= greatest || !possible.contains(&least) || !possible.contains(&greatest) {
                let message = format!("[{least} .. {greatest}] is not a range for a phase");
                let diagnostic = Diagnostic::error("bad-range", low.span.cover(high.span), message);
                self.report(diagnostic.label("the end of the game comes first, and is less"));
            }
            making.model.evaluation.phase = Some((least as i32, greatest as i32));
        }
        making.model.phase = Some(self.counting_rule("phase", value, span, making));
    }

    /// The rule that computes an expression.
    fn counting_rule(&mut self, name: &str, value: &'a Expr, span: Span, making: &mut Making<'_>) -> RuleId {
        let value = self.expression(value);
        let body = Stmt { span: value.span, kind: StmtKind::Assign(value) };
        let name = format!("{}.{name}", making.model.evaluation.name);
        making.rules.push(Rule { name, name_span: span, body });
        RuleId(making.rules.len() as u32 - 1)
    }

    fn material(&mut self, items: &'a [ast::MaterialItem], making: &mut Making<'_>) {
        let mut entries = Vec::new();
        for item in items {
            let pieces = self.weighed_piece(&item.piece, making);
            let name = format!("material.{}", item.piece.text);
            self.new_name(&name, item.piece.span, making);
            let pair = self.weight(&name, &item.weight, making);
            entries.extend(pieces.zip(pair));
        }
        let kind = TermKind::Material(entries);
        making.model.evaluation.terms.push(Term { name: "material".to_string(), kind, group: None });
    }

    /// White's and Black's piece of a name.
    fn weighed_piece(&mut self, name: &Name, making: &Making<'_>) -> Option<[Piece; 2]> {
        let Some(entry) = self.piece_names.get(name.text.as_str()).copied() else {
            let known: Vec<&str> = self.piece_names.keys().copied().collect();
            let diagnostic = self.undefined("undefined-piece", "piece", &name.text, name.span, known);
            self.report(diagnostic);
            return None;
        };
        if making.model.evaluation.purpose == Purpose::Worth && entry.own[0] == entry.own[1] {
            let message = format!("`{}` belongs to nobody, so it is worth nothing", shown(&name.text));
            let diagnostic = Diagnostic::error("bad-evaluation", name.span, message);
            self.report(diagnostic.help("own pieces count minus the opponent's; use a term to count others"));
            return None;
        }
        Some(entry.own)
    }

    fn table(
        &mut self,
        piece: &'a Name,
        opening: &[(String, Span)],
        end: &[(String, Span)],
        making: &mut Making<'_>,
    ) {
        let pieces = self.weighed_piece(piece, making);
        let name = format!("table.{}", piece.text);
        self.new_name(&name, piece.span, making);
        if !end.is_empty() && !making.has_phase {
            self.missing_phase(end[0].1);
        }
        let opening = self.rows(opening);
        let end = if end.is_empty() { Some(Vec::new()) } else { self.rows(end) };
        let (Some(pieces), Some(opening), Some(end)) = (pieces, opening, end) else { return };
        let Some(board) = &self.board else { return };
        let mut pairs = vec![None; board.size()];
        let weights = &mut making.model.evaluation.weights;
        for field in board.fields() {
            let (value, mirrored) = opening[field.index()];
            let mirrored = mirrored && end.get(field.index()).is_none_or(|(_, mirrored)| *mirrored);
            let twin = usize::from(board.row(field) - 1) * usize::from(board.columns())
                + usize::from(board.columns() - board.column(field));
            if mirrored && twin < field.index() && pairs[twin].is_some() {
                pairs[field.index()] = pairs[twin];
                continue;
            }
            let name = format!("{name}.{}", board.field_name(field));
            let first = weights.len() as u32;
            pairs[field.index()] = Some(match end.get(field.index()) {
                None => {
                    weights.push(Weight::new(name, value));
                    Pair::single(first)
                }
                Some(&(end, _)) => {
                    weights.push(Weight::new(format!("{name}.opening"), value));
                    weights.push(Weight::new(format!("{name}.end"), end));
                    Pair { opening: first, end: first + 1 }
                }
            });
        }
        let kind = TermKind::Table(pieces, pairs);
        making.model.evaluation.terms.push(Term { name, kind, group: None });
    }

    /// The numbers of a table, one for each field as White sees the board, and whether they are mirrored from
    /// the left half.
    fn rows(&mut self, rows: &[(String, Span)]) -> Option<Vec<(i32, bool)>> {
        let board = self.board.as_ref()?;
        let (columns, row_count) = (usize::from(board.columns()), usize::from(board.rows()));
        let span = rows[0].1.cover(rows[rows.len() - 1].1);
        if rows.len() != row_count {
            let message = format!("{} for {} of fields", count(rows.len(), "row"), count(row_count, "row"));
            let diagnostic = Diagnostic::error("table-size", span, message);
            self.report(diagnostic.help("one string for each row is expected, the farthest first"));
            return None;
        }
        let mut values = vec![(0, false); columns * row_count];
        let mut wrong = None;
        for (index, (text, span)) in rows.iter().enumerate() {
            let numbers: Vec<&str> = text.split_whitespace().collect();
            let half = columns.div_ceil(2);
            if numbers.len() != columns && numbers.len() != half {
                let message = format!("{} for {}", count(numbers.len(), "number"), count(columns, "column"));
                wrong = Some(("table-size", *span, message));
                continue;
            }
            for column in 0..columns {
                let mirrored = numbers.len() < columns;
                let from = if mirrored && column >= half { columns - 1 - column } else { column };
                let field = (row_count - 1 - index) * columns + column;
                let hole = !board.is_field(multigame_game::Field(field as u16));
                match numbers[from].parse::<i32>() {
                    Ok(value) if value.unsigned_abs() <= MAX_WEIGHT.unsigned_abs() => {
                        values[field] = (value, mirrored)
                    }
                    _ if hole && numbers[from] == "_" => {}
                    _ => {
                        let message = format!("`{}` is not a weight", shown(numbers[from]));
                        wrong = Some(("bad-weight", *span, message));
                    }
                }
            }
        }
        let Some((code, span, message)) = wrong else { return Some(values) };
        let label = match code {
            "table-size" => format!("{columns} numbers, or {} to be mirrored", columns.div_ceil(2)),
            _ => format!("numbers from -{MAX_WEIGHT} to {MAX_WEIGHT} are expected, `_` in holes"),
        };
        self.report(Diagnostic::error(code, span, message).label(label));
        None
    }

    fn term(&mut self, item: &'a TermItem, group: Option<u32>, making: &mut Making<'_>) {
        let name = item.name.text.as_str();
        self.check_length(&item.name);
        self.new_name(name, item.name.span, making);
        let is_bound = making.model.evaluation.purpose == Purpose::Bound;
        if let (Some(span), true) = (item.mover, is_bound) {
            self.meaningless(span, "a puzzle has one player, who is always to move");
        }
        let pair = match &item.weight {
            Some(weight) => self.weight(name, weight, making),
            None if is_bound => {
                making.model.evaluation.weights.push(Weight::new(name.to_string(), 1));
                Some(Pair::single(making.model.evaluation.weights.len() as u32 - 1))
            }
            None => {
                let message = format!("the term `{}` has no weight", shown(name));
                let diagnostic = Diagnostic::error("missing-weight", item.name.span, message);
                let behind = Span::new(item.name.span.end, item.name.span.end);
                self.report(diagnostic.label("what is one of it worth?").fix("insert one", behind, " 10"));
                None
            }
        };
        let rule = self.counting_rule(name, &item.value, item.name.span, making);
        making.model.counted.push(Counted { rule, mover: item.mover.is_some() });
        if making.model.counted.len() == MAX_TERMS + 1 {
            let message = format!("more than {MAX_TERMS} terms that count something");
            self.report(Diagnostic::error("too-many-terms", item.name.span, message));
        }
        let kind = TermKind::Counted(pair.unwrap_or(Pair::single(0)));
        making.model.evaluation.terms.push(Term { name: name.to_string(), kind, group });
    }

    fn new_name(&mut self, name: &str, span: Span, making: &mut Making<'_>) {
        if !making.names.insert(name.to_string()) {
            let message = format!("`{}` is there twice", shown(name));
            self.report(
                Diagnostic::error("double-declaration", span, message).label("remove one of the two"),
            );
        }
    }

    fn missing_phase(&mut self, span: Span) {
        self.report(
            Diagnostic::error("missing-phase", span, "there are two weights, but no phase between them")
                .help("declare one, the end first: `phase = count [ find any piece ] [4 .. 32]`"),
        );
    }

    /// One or two weights; with one of them wrong there are none.
    fn weight(&mut self, name: &str, weight: &'a WeightDecl, making: &mut Making<'_>) -> Option<Pair> {
        if let (Some(end), false) = (&weight.end, making.has_phase) {
            self.missing_phase(weight.opening.span.cover(end.span));
        }
        let opening = self.weight_value(&weight.opening);
        let end = weight.end.as_ref().map(|end| self.weight_value(end));
        let weights = &mut making.model.evaluation.weights;
        let first = weights.len() as u32;
        match end {
            None => {
                weights.push(Weight::new(name.to_string(), opening?));
                Some(Pair::single(first))
            }
            Some(end) => {
                let (opening, end) = (opening?, end?);
                weights.push(Weight::new(format!("{name}.opening"), opening));
                weights.push(Weight::new(format!("{name}.end"), end));
                Some(Pair { opening: first, end: first + 1 })
            }
        }
    }

    fn weight_value(&mut self, expr: &'a Expr) -> Option<i32> {
        let value = self.constant(expr)?;
        if value.unsigned_abs() > u64::from(MAX_WEIGHT.unsigned_abs()) {
            let message = format!("{value} is too much for a weight");
            let label = format!("-{MAX_WEIGHT} to {MAX_WEIGHT} is possible; a man is about 100");
            self.report(Diagnostic::error("bad-weight", expr.span, message).label(label));
            return None;
        }
        Some(value as i32)
    }
}

/// An evaluation in the making.
struct Making<'r> {
    model: EvaluationModel,
    rules: &'r mut Vec<Rule>,
    names: BTreeSet<String>,
    has_phase: bool,
    groups: u32,
}
