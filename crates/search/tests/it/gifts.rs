//! Parts of a puzzle's tree that are given away in the middle of the search.

use multigame_game::{Game, Random, Signature};
use multigame_search::{
    Control, Engine, Evaluator, Layout, Monitor, NEVER, Nothing, Options, Part, Pursuit, Root, Salt, Search,
    Statistics, TranspositionTable,
};

use crate::games::eight::{Eight, Manhattan, Tiles};
use crate::search;

/// A position to be searched: the signature it came from, and the moves that are left.
type Given = (Tiles, Option<Signature>, u32);

/// Asks for a part of the work as often as it can.
struct Greedy<'g> {
    game: &'g Eight,
    root: Tiles,
    parts: Vec<Given>,
}

impl Monitor<Eight> for Greedy<'_> {
    fn poll(&mut self, _statistics: &Statistics) -> Control {
        Control::Share
    }

    fn share(&mut self, part: Part<'_, Eight>) {
        let (mut position, mut moves) = (self.root, Vec::new());
        let mut before = None;
        for &index in part.way {
            self.game.moves(&position, &mut moves).unwrap();
            before = Some(self.game.signature(&position));
            let father = position;
            self.game.apply(&father, &moves[usize::from(index)], &mut position);
        }
        assert_eq!((position, before), (*part.position, Some(part.back)), "the way leads there");
        self.parts.push((position, before, part.left));
    }
}

/// The result of a search of all parts, and of the parts of parts: the moves needed, the nodes, and the
/// number of parts.
fn in_parts(
    game: &Eight,
    root: Tiles,
    limit: u32,
    table: Option<&TranspositionTable>,
    greedy: bool,
) -> (u32, u64, usize) {
    let mut pursuit = Pursuit::new::<Eight, Manhattan>(&Manhattan, Salt::default());
    let (mut least, mut nodes, mut parts) = (NEVER, 0, 0);
    let mut waiting: Vec<Given> = vec![(root, None, limit)];
    while let Some((root, father, left)) = waiting.pop() {
        let mut monitor = Greedy { game, root, parts: Vec::new() };
        let (mut nobody, known) = ((), (game, &Manhattan));
        let watch: &mut dyn Monitor<Eight> = if greedy { &mut monitor } else { &mut nobody };
        let back = father.map_or(0, |father| father ^ game.signature(&root));
        let (needed, counted) = pursuit.search(known, table, None, (&root, back), left, watch);
        least = least.min(limit - left + needed.unwrap());
        nodes += counted.nodes;
        parts += monitor.parts.len();
        waiting.extend(monitor.parts);
    }
    (least, nodes, parts)
}

#[test]
fn parts_that_are_given_away_are_all_that_is_missing() {
    let game = Eight::new();
    let mut random = Random::new(5);
    let mut given = 0;
    for _ in 0..20 {
        let root = game.shuffled(300, &mut random);
        let shortest = search(&game, &Nothing, &root, 40, Options::plain(Engine::Bfs)).pv.len() as u32;
        let table = TranspositionTable::new(1, Layout::Cluster).unwrap();
        let mut limit = Manhattan.lower_bound(&game, &root);
        while limit < shortest {
            let (least, nodes, parts) = in_parts(&game, root, limit, None, true);
            assert_eq!((least, nodes, 0), in_parts(&game, root, limit, None, false), "nothing twice");
            given += parts;
            assert!((limit + 1..=shortest).contains(&in_parts(&game, root, limit, Some(&table), true).0));
            limit = least;
        }
        assert_eq!(in_parts(&game, root, limit, Some(&table), true).0, shortest);
    }
    assert!(given > 200, "{given} parts");
}

#[test]
fn what_is_found_without_a_part_is_not_believed() {
    let game = Eight::new();
    let mut random = Random::new(7);
    let mut missed = 0;
    for _ in 0..50 {
        let root = game.shuffled(300, &mut random);
        let shortest = search(&game, &Nothing, &root, 40, Options::plain(Engine::Bfs)).pv.len() as u32;
        let table = TranspositionTable::new(1, Layout::Cluster).unwrap();
        // The salt of the search below, so that it reads what is written here.
        let salt = Salt::new(Some(&table), game.signature(&root));
        let mut pursuit = Pursuit::new::<Eight, Manhattan>(&Manhattan, salt);
        let mut monitor = Greedy { game: &game, root, parts: Vec::new() };
        let known = (&game, &Manhattan);
        let (needed, _) = pursuit.search(known, Some(&table), None, (&root, 0), shortest, &mut monitor);
        // Nobody searches the parts, and one of them has the solution.
        missed += u32::from(needed.unwrap() > shortest);
        let options = Options { engine: Engine::IdaStar, ..Options::default() };
        let mut search = Search::new(&game, &Manhattan, options).unwrap().with_table(&table);
        let result = search.join(&Root::new(&game, root), 40, &mut ()).unwrap();
        assert_eq!(result.pv.len() as u32, shortest);
    }
    assert!(missed > 5, "{missed} solutions were missed");
}
