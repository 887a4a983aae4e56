//! A game's description as clients see it.

use multigame_game::{
    Board, Description, Field, NoMoves, NotationStyle, Property, Repetition, Scope, Side, Topology,
};
use multigame_parallel::PolicyKind;
use multigame_simulator::Profile;
use multigame_syntax::ast::{DeclarationKind, Expr, Program};
use serde::Serialize;
use serde_json::{Value, json};

/// A parameter of rules.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its value now.
    pub value: Option<i64>,
    /// Least value.
    pub low: Option<i64>,
    /// Greatest value.
    pub high: Option<i64>,
    /// The comment beside it.
    pub about: String,
}

/// The parameters that rules declare, with the values given.
pub fn parameters(program: &Program, text: &str, given: &[(String, i64)]) -> Vec<Parameter> {
    let number =
        |expr: &Expr| text.get(expr.span.start as usize..expr.span.end as usize)?.trim().parse().ok();
    let mut parameters = Vec::new();
    for declaration in &program.declarations {
        let DeclarationKind::Parameter { name, default, low, high } = &declaration.kind else { continue };
        let value = given.iter().find(|(given, _)| *given == name.text).map(|(_, value)| *value);
        let after =
            text.get(declaration.span.end as usize..).unwrap_or("").lines().next().unwrap_or("").trim();
        parameters.push(Parameter {
            name: name.text.clone(),
            value: value.or_else(|| number(default)),
            low: number(low),
            high: number(high),
            about: after.strip_prefix('#').unwrap_or("").trim().to_string(),
        });
    }
    parameters
}

/// The first comment of rules: what the game is.
pub fn about(text: &str) -> String {
    let first = text.lines().next().unwrap_or("");
    first.strip_prefix('#').unwrap_or("").trim().to_string()
}

/// A side's name.
pub fn side_name(side: Side) -> &'static str {
    match side {
        Side::White => "white",
        Side::Black => "black",
    }
}

/// Everything a page needs to draw a game.
pub fn game(description: &Description, about: &str, parameters: &[Parameter]) -> Value {
    let pieces: Vec<Value> = description
        .pieces
        .iter()
        .map(|piece| {
            json!({
                "name": piece.name, "side": piece.side.map(side_name), "symbol": piece.symbol,
                "glyph": piece.glyph, "colour": piece.colour,
            })
        })
        .collect();
    json!({
        "name": description.name,
        "about": about,
        "players": description.players,
        "board": board(&description.board),
        "pieces": pieces,
        "properties": description.shown_properties().map(property).collect::<Vec<_>>(),
        "parameters": parameters,
        "notation": description.notation.iter().map(NotationStyle::name).collect::<Vec<_>>(),
        "looks": {"fields": description.looks.fields},
        "no_moves": match description.no_moves {
            NoMoves::Loss => "loss",
            NoMoves::Draw => "draw",
            NoMoves::Pass => "pass",
            NoMoves::Error => "error",
        },
        "repetition": repetition(description.repetition),
    })
}

/// `square`, `hex` or `graph`.
pub fn topology_name(topology: Topology) -> &'static str {
    match topology {
        Topology::Square => "square",
        Topology::Hex => "hex",
        Topology::Graph => "graph",
    }
}

fn board(board: &Board) -> Value {
    let fields: Vec<Value> = board
        .fields()
        .map(|field| {
            let (x, y) = place(board, field);
            json!({
                "name": board.field_name(field), "column": board.column(field), "row": board.row(field),
                "x": x, "y": y,
            })
        })
        .collect();
    json!({
        "topology": topology_name(board.topology()),
        "columns": board.columns(),
        "rows": board.rows(),
        "turned": board.turned(),
        "fields": fields,
        "edges": edges(board),
    })
}

/// Where the middle of a field is drawn. The six neighbours of a hexagonal field lie around it at equal
/// distances.
fn place(board: &Board, field: Field) -> (f64, f64) {
    let (column, row) = (f64::from(board.column(field) - 1), f64::from(board.row(field) - 1));
    match board.topology() {
        Topology::Hex => {
            let rounded = |number: f64| (number * 1e4).round() / 1e4;
            (column + row / 2.0, rounded(row * 0.75f64.sqrt()))
        }
        Topology::Square | Topology::Graph => (column, row),
    }
}

/// The links of a graph, each pair once.
fn edges(board: &Board) -> Vec<[String; 2]> {
    if board.topology() != Topology::Graph {
        return Vec::new();
    }
    let mut pairs: Vec<(Field, Field)> = board
        .fields()
        .flat_map(|field| board.directions().filter_map(move |d| Some((field, board.step(field, d)?))))
        .map(|(a, b)| (a.min(b), a.max(b)))
        .filter(|(a, b)| a != b)
        .collect();
    pairs.sort();
    pairs.dedup();
    pairs.into_iter().map(|(a, b)| [board.field_name(a), board.field_name(b)]).collect()
}

fn property(property: &Property) -> Value {
    let scope = match property.scope {
        Scope::Board => "board",
        Scope::Player => "player",
        Scope::Field => "field",
    };
    json!({"name": property.name, "scope": scope, "low": property.low, "high": property.high})
}

fn repetition(repetition: Repetition) -> Value {
    match repetition {
        Repetition::Ignored => Value::Null,
        Repetition::Draw(count) => json!({"effect": "draw", "count": count}),
        Repetition::Win(count) => json!({"effect": "win", "count": count}),
        Repetition::Loss(count) => json!({"effect": "loss", "count": count}),
        Repetition::Judge(count) => json!({"effect": "judge", "count": count}),
        Repetition::Forbidden => json!({"effect": "forbidden"}),
    }
}

/// The ways to share work that can be simulated.
pub fn policies() -> Value {
    let simulated = PolicyKind::ALL.into_iter().filter(|(_, kind, _)| kind.messages().is_some());
    simulated.map(|(name, _, about)| json!({"name": name, "about": about})).collect()
}

/// The machines that can be simulated.
pub fn networks() -> Value {
    let profiles = Profile::ALL.iter();
    profiles.map(|profile| json!({"name": profile.name, "about": profile.about})).collect()
}
