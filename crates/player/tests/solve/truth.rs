//! What a position is worth, from all positions that can be reached: no engine, no table, no pruning.

use std::collections::HashMap;

use multigame_game::{Game, Outcome, Side, Signature};
use multigame_search::Value;

/// A position is over, or has successors; with each of them goes whether the same player moves there.
enum Node {
    Over(Value),
    Open(Vec<(usize, bool)>),
}

/// The value with best play. Endless play is a draw; a puzzle without a solution is lost.
pub fn truth<G: Game>(game: &G, root: &G::Position) -> Value {
    let nodes = reachable(game, root);
    let mut values = vec![Value::DRAW; nodes.len()];
    loop {
        let better: Vec<Value> = nodes.iter().map(|node| worth(node, &values)).collect();
        if better == values {
            break;
        }
        values = better;
    }
    let unsolved = game.description().players == 1 && !values[0].is_win();
    if unsolved { -Value::WIN } else { values[0] }
}

fn worth(node: &Node, values: &[Value]) -> Value {
    let successors = match node {
        Node::Over(value) => return *value,
        Node::Open(successors) => successors,
    };
    let best = successors.iter().map(|&(number, same)| {
        let value = values[number].from_node(1);
        if same { value } else { -value }
    });
    best.max().expect("a position that is not over has moves")
}

fn reachable<G: Game>(game: &G, root: &G::Position) -> Vec<Node> {
    let (mut numbers, mut positions) = (HashMap::<Signature, usize>::new(), vec![root.clone()]);
    numbers.insert(game.signature(root), 0);
    let (mut nodes, mut moves) = (Vec::new(), Vec::new());
    while nodes.len() < positions.len() {
        let position = positions[nodes.len()].clone();
        let side = game.side_to_move(&position);
        if let Some(outcome) = game.moves(&position, &mut moves).unwrap() {
            nodes.push(Node::Over(ending(game, outcome, side)));
            continue;
        }
        let mut successors = Vec::new();
        for mv in &moves {
            let mut child = position.clone();
            game.apply(&position, mv, &mut child);
            let number = *numbers.entry(game.signature(&child)).or_insert_with(|| {
                positions.push(child.clone());
                positions.len() - 1
            });
            successors.push((number, game.side_to_move(&child) == side));
        }
        nodes.push(Node::Open(successors));
    }
    nodes
}

/// A puzzle that is over is solved or worth nothing.
fn ending<G: Game>(game: &G, outcome: Outcome, side: Side) -> Value {
    let value = Value::of_outcome(outcome, side, 0);
    if game.description().players == 1 && !value.is_win() { Value::DRAW } else { value }
}
