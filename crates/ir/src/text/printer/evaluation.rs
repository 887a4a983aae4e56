//! Writing evaluations: a line for each, then its weights, then its terms.

use std::fmt::Write;

use multigame_game::{Description, Pair, Piece, Purpose, TermKind};

use crate::{FunctionId, Program};

/// Writes all evaluations of a program.
pub(super) fn evaluations(out: &mut String, program: &Program, labels: &[String]) {
    let label = |id: FunctionId| labels.get(id.0 as usize).map_or("?", |label| label);
    for judgement in &program.evaluations {
        let evaluation = &judgement.evaluation;
        let purpose = match evaluation.purpose {
            Purpose::Worth => "worth",
            Purpose::Bound => "bound",
        };
        let _ = write!(out, "evaluation {:?} {purpose}", evaluation.name);
        if let (Some((low, high)), Some(phase)) = (evaluation.phase, judgement.phase) {
            let _ = write!(out, " phase {low} .. {high} @{}", label(phase));
        }
        if let Some(calm) = judgement.calm {
            let [white, black] = calm.map(label);
            let _ = write!(out, " calm @{white} @{black}");
        }
        out.push('\n');
        for weight in &evaluation.weights {
            let _ =
                writeln!(out, "weight {:?} {} {} .. {}", weight.name, weight.value, weight.low, weight.high);
        }
        let mut counted = judgement.counted.iter();
        for term in &evaluation.terms {
            let _ = write!(out, "term {:?} ", term.name);
            match &term.kind {
                TermKind::Material(entries) => {
                    out.push_str("material");
                    for (pieces, weights) in entries {
                        let _ = write!(out, " {} {}", signs(&program.description, *pieces), pair(*weights));
                    }
                }
                TermKind::Table(pieces, pairs) => {
                    let _ = write!(out, "table {} :", signs(&program.description, *pieces));
                    for weights in pairs {
                        let _ = write!(out, " {}", weights.map_or("_".to_string(), pair));
                    }
                }
                TermKind::Counted(weights) => {
                    let _ = write!(out, "counted {}", pair(*weights));
                    if let Some(counted) = counted.next() {
                        let [white, black] = counted.functions.map(label);
                        let mover = if counted.mover { " mover" } else { "" };
                        let _ = write!(out, "{mover} @{white} @{black}");
                    }
                }
            }
            if let Some(group) = term.group {
                let _ = write!(out, " group {group}");
            }
            out.push('\n');
        }
    }
}

fn signs(description: &Description, pieces: [Piece; 2]) -> String {
    let [white, black] = pieces.map(|piece| description.piece(piece).symbol);
    format!("{white:?} {black:?}")
}

fn pair(pair: Pair) -> String {
    format!("{}/{}", pair.opening, pair.end)
}
