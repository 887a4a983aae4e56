//! Writing a program: the facts, the functions, the origins.

mod body;
mod evaluation;
mod expression;

use std::collections::HashMap;
use std::fmt::Write;

use multigame_game::{
    Board, Description, Direction, Field, NoMoves, NotationStyle, PieceInfo, Repetition, Side, Topology,
    Tuple, position_text,
};

use super::is_word;
use crate::{FunctionId, Origin, Program};
use body::Body;

/// Writes a program as text that [`parse`](super::parse) reads back.
pub fn print(program: &Program) -> String {
    let labels = labels(program);
    let mut out = String::from("multigame ir 1\n");
    description(&mut out, &program.description);
    for property in &program.move_properties {
        let _ = writeln!(out, "move property {:?} {} .. {}", property.name, property.low, property.high);
    }
    conventions(&mut out, &program.description);
    entries(&mut out, program, &labels);
    evaluation::evaluations(&mut out, program, &labels);
    for (function, label) in program.functions.iter().zip(&labels) {
        let _ = write!(out, "\nfunction {} {} ", quoted_unless_word(&function.name), function.view);
        Body { program, labels: &labels, out: &mut out }.function(function, label);
    }
    for (number, origin) in program.origins.iter().enumerate() {
        let Origin { rule, line, span: (start, end) } = origin;
        match number {
            0 if *origin == Origin::default() => continue,
            0 | 1 => out.push('\n'),
            _ => {}
        }
        let _ = writeln!(out, "origin {number} {rule:?} {line} {start}..{end}");
    }
    out
}

/// What each function is called by: name and view, and which one of them if there are several.
fn labels(program: &Program) -> Vec<String> {
    let mut met: HashMap<(&str, Side), u32> = HashMap::new();
    let mut labels = Vec::with_capacity(program.functions.len());
    for function in &program.functions {
        let count = met.entry((&function.name, function.view)).or_default();
        *count += 1;
        let label = format!("{}.{}", quoted_unless_word(&function.name), function.view);
        labels.push(if *count == 1 { label } else { format!("{label}~{count}") });
    }
    labels
}

fn quoted_unless_word(name: &str) -> String {
    if is_word(name) { name.to_string() } else { format!("{name:?}") }
}

fn description(out: &mut String, description: &Description) {
    let _ = writeln!(out, "game {:?}", description.name);
    let _ = writeln!(out, "players {}", description.players);
    board(out, &description.board);
    for (number, piece) in description.pieces.iter().enumerate() {
        if number > 0 || *piece != PieceInfo::none() {
            piece_line(out, piece);
        }
    }
    for property in &description.properties {
        let (name, scope, low, high) = (&property.name, property.scope.word(), property.low, property.high);
        let hashed = if property.hashed { "hashed" } else { "unhashed" };
        let _ = writeln!(out, "property {name:?} {scope} {low} .. {high} {hashed}");
    }
    if let Some(stacks) = &description.stacks {
        let signs: String = stacks.covered.iter().map(|&piece| description.piece(piece).symbol).collect();
        let _ = writeln!(out, "stacks {signs:?}");
    }
    if let Some(chance) = description.chance {
        let at = |slot: usize| description.properties.iter().find(|property| property.offset == slot);
        let name = |slot: usize| at(slot).map_or("?", |property| &property.name);
        let weight = chance.weight.map(|slot| format!(" weight {:?}", name(slot))).unwrap_or_default();
        let _ = writeln!(out, "chance {:?}{weight}", name(chance.slot));
    }
}

fn board(out: &mut String, board: &Board) {
    let topology = match board.topology() {
        Topology::Square => "square",
        Topology::Hex => "hex",
        Topology::Graph => "graph",
    };
    let turned = if board.turned() { " turned" } else { "" };
    let _ = writeln!(out, "board {topology} {} {}{turned}", board.columns(), board.rows());
    let all = (0..board.size() as u16).map(Field);
    let holes: Vec<String> =
        all.filter(|&field| !board.is_field(field)).map(|f| board.field_name(f)).collect();
    if !holes.is_empty() {
        let _ = writeln!(out, "holes {}", holes.join(" "));
    }
    if board.topology() == Topology::Graph {
        // A direction is followed by its opposite, which the same line declares.
        let declared = board.directions().filter(|&d| board.opposite(d).is_none_or(|back| back > d));
        declared.for_each(|direction| direction_line(out, board, direction));
    }
}

fn direction_line(out: &mut String, board: &Board, direction: Direction) {
    let _ = write!(out, "direction {:?}", board.direction_name(direction));
    if let Some(opposite) = board.opposite(direction) {
        let _ = write!(out, " / {:?}", board.direction_name(opposite));
    }
    let chains = chains(board, direction);
    let chains: Vec<String> = chains
        .iter()
        .map(|chain| chain.iter().map(|&field| board.field_name(field)).collect::<Vec<_>>().join(" "))
        .collect();
    let _ = match chains.is_empty() {
        true => writeln!(out),
        false => writeln!(out, " : {}", chains.join(", ")),
    };
}

/// The links of a direction in chains as long as they get: first those that nothing leads to, then the rings.
fn chains(board: &Board, direction: Direction) -> Vec<Vec<Field>> {
    let mut reached = vec![false; board.size()];
    for next in board.fields().filter_map(|field| board.step(field, direction)) {
        reached[next.index()] = true;
    }
    let (inner, beginnings): (Vec<Field>, Vec<Field>) = board.fields().partition(|f| reached[f.index()]);
    let mut written = vec![false; board.size()];
    let mut chains = Vec::new();
    for first in beginnings.into_iter().chain(inner) {
        let mut chain = vec![first];
        let mut field = first;
        while let Some(next) = board.step(field, direction)
            && !std::mem::replace(&mut written[field.index()], true)
        {
            chain.push(next);
            field = next;
        }
        if chain.len() > 1 {
            chains.push(chain);
        }
    }
    chains
}

fn piece_line(out: &mut String, piece: &PieceInfo) {
    let _ = write!(out, "piece {:?} {:?} ", piece.symbol, piece.name);
    let _ = match piece.side {
        Some(side) => write!(out, "{side}"),
        None => write!(out, "neutral"),
    };
    if let Some(glyph) = &piece.glyph {
        let _ = write!(out, " glyph {glyph:?}");
    }
    if let Some(colour) = &piece.colour {
        let _ = write!(out, " colour {colour:?}");
    }
    out.push('\n');
}

fn conventions(out: &mut String, description: &Description) {
    let no_moves = match description.no_moves {
        NoMoves::Loss => "loss",
        NoMoves::Draw => "draw",
        NoMoves::Pass => "pass",
        NoMoves::Error => "error",
    };
    let _ = writeln!(out, "no moves {no_moves}");
    let _ = match description.repetition {
        Repetition::Ignored => writeln!(out, "repetition ignored"),
        Repetition::Draw(count) => writeln!(out, "repetition draw {count}"),
        Repetition::Win(count) => writeln!(out, "repetition win {count}"),
        Repetition::Loss(count) => writeln!(out, "repetition loss {count}"),
        Repetition::Judge(count) => writeln!(out, "repetition judge {count}"),
        Repetition::Forbidden => writeln!(out, "repetition forbidden"),
    };
    for style in &description.notation {
        notation_line(out, style);
    }
    if let Some(fields) = &description.looks.fields {
        let _ = writeln!(out, "looks fields {fields:?}");
    }
    // The generic form says everything; a FEN would not.
    let plain = Description { notation: Vec::new(), ..description.clone() };
    let _ = writeln!(out, "initial {:?}", position_text(&plain, &description.initial));
}

fn notation_line(out: &mut String, style: &NotationStyle) {
    let _ = write!(out, "notation {}", style.name());
    if let NotationStyle::Fen(names) = style {
        for name in [&names.king_side, &names.queen_side, &names.en_passant, &names.half_moves] {
            let _ = write!(out, " {name:?}");
        }
    }
    out.push('\n');
}

fn entries(out: &mut String, program: &Program, labels: &[String]) {
    let label = |id: FunctionId| labels.get(id.0 as usize).map_or("?", |label| label);
    for side in Side::BOTH {
        let _ = writeln!(out, "main {side} @{}", label(program.main[side.index()]));
    }
    if let Some(goal) = program.goal {
        let _ = writeln!(out, "goal @{}", label(goal));
    }
    for abstraction in &program.abstractions {
        let signs = abstraction.kept.iter().filter_map(|piece| program.description.pieces.get(piece.index()));
        let signs: String = signs.map(|piece| piece.symbol).collect();
        let _ = writeln!(out, "abstraction {:?} {signs:?}", abstraction.name);
    }
    let board = &program.description.board;
    for Tuple { fields, table } in &program.patterns {
        let fields: Vec<String> = fields.iter().map(|&field| board.field_name(field)).collect();
        let table: Vec<String> = table.iter().map(i32::to_string).collect();
        let _ = writeln!(out, "pattern {} : {}", fields.join(" "), table.join(" "));
    }
    if let Some(network) = &program.network {
        let (hidden, eyes, scale) = (network.hidden, network.eyes.name(), network.scale);
        let _ = writeln!(out, "network {hidden} {eyes} {scale} {:?}", network.weights_text());
    }
    for side in Side::BOTH {
        if let Some(last) = program.last {
            let _ = writeln!(out, "last {side} @{}", label(last[side.index()]));
        }
    }
    for side in Side::BOTH {
        if let Some(judge) = program.judge {
            let _ = writeln!(out, "judge {side} @{}", label(judge.rule[side.index()]));
        }
    }
    if let Some(cycle) = program.judge.and_then(|judge| judge.cycle) {
        let _ = writeln!(out, "cycle {cycle}");
    }
}
