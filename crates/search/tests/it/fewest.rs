//! Searches to the end of the game: what is tried first, and where the table is asked.

use multigame_game::Game;
use multigame_search::random_tree::{Guess, RandomTree, Shape, TreePosition};
use multigame_search::{Engine, Evaluator, Nothing, Options, SearchResult, Value};

use crate::search;

/// Knows what positions are worth, or says the opposite.
struct Knows(i32);

impl Evaluator<RandomTree> for Knows {
    fn evaluate(&self, game: &RandomTree, position: &TreePosition) -> Value {
        Value::new(self.0 * Guess.evaluate(game, position).number())
    }

    fn looks_first(&self) -> bool {
        true
    }
}

fn solve<E: Evaluator<RandomTree>>(evaluator: &E, set: &str) -> SearchResult<u16> {
    let game = RandomTree::new(Shape { width: 4, height: 10, ordered: 25, noise: 0, ..Shape::default() });
    let options = Options::plain(Engine::NegaScout).with("tt,tt-size=1,history").unwrap().with(set).unwrap();
    search(&game, evaluator, &game.initial(), 60, options)
}

#[test]
fn moves_that_look_good_come_first_and_change_no_value() {
    let (right, wrong) = (solve(&Knows(1), "fewest"), solve(&Knows(-1), "fewest"));
    assert!(right.bounds.is_exact());
    assert_eq!(right.bounds, wrong.bounds);
    assert_eq!(right.statistics.evaluations, 0);
    assert!(2 * right.statistics.nodes < wrong.statistics.nodes, "{right:?} {wrong:?}");
}

#[test]
fn the_table_is_left_alone_where_little_lies_below() {
    let (usual, fewest) = (solve(&Nothing, ""), solve(&Nothing, "fewest"));
    assert_eq!(usual.bounds, fewest.bounds);
    let share =
        |result: &SearchResult<u16>| result.statistics.table_probes as f64 / result.statistics.nodes as f64;
    assert!(share(&usual) > 0.9 && share(&fewest) < 0.3, "{usual:?} {fewest:?}");
}
