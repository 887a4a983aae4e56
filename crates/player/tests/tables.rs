//! Pattern databases on the 8-puzzle, whose positions can all be visited.

#![allow(clippy::disallowed_methods, reason = "a test may use files")]

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::Path;

use multigame_compiler::{Options as CompilerOptions, compile};
use multigame_files::{Kind, Sealed, seal};
use multigame_game::{Diagram, Game, Random, Side, parse_position};
use multigame_ir::{Program, RulesGame};
use multigame_jit::JitGame;
use multigame_player::{load_tables, save_tables};
use multigame_search::patterns::{Costs, LowerBound, PatternDatabase, PatternError, build, derived};
use multigame_search::{Engine, Evaluator, Options, Root, Search, Value};

const RULES: &str = r#"
players = 1
dimensions (3, 3)
no moves = error
pieces { t1 '1' t2 '2' t3 '3' t4 '4' t5 '5' t6 '6' t7 '7' t8 '8' }
setup { "123" "45." "678" }
ABSTRACTIONS
main = MOVE.
goal = match (empty field, t1, t2, t3, t4, t5, t6, t7, t8).
"#;

const SLIDE: &str = "find empty field, orthogonal, step, pick up, step backward, put down";

fn program(abstractions: &str, mv: &str) -> Program {
    let rules = RULES.replace("ABSTRACTIONS", abstractions).replace("MOVE", mv);
    let options = CompilerOptions { name: "8-puzzle".to_string(), parameters: Vec::new() };
    let compilation = compile(&rules, &options);
    compilation.program.unwrap_or_else(|| panic!("{:?}", compilation.diagnostics))
}

fn patterns<G: Game>(game: &G) -> Result<Vec<PatternDatabase>, PatternError> {
    let puzzle = game.puzzle().unwrap();
    puzzle.abstractions.iter().map(|kept| build(game, &puzzle, kept, &mut |_| true)).collect()
}

/// Every position with its distance from the goal.
fn distances(program: &Program) -> Vec<(Diagram, u32)> {
    let endless = RulesGame::new(Program { goal: None, ..program.clone() });
    let goal = RulesGame::new(program.clone()).puzzle().unwrap().goal;
    let start = endless.position(&Diagram { cells: goal, values: Vec::new(), side: Side::White });
    let mut met = HashMap::from([(endless.signature(&start), 0)]);
    let mut all = vec![(start, 0)];
    let mut next = 0;
    while next < all.len() {
        let (position, distance) = all[next].clone();
        endless
            .children(&position, &mut |child| {
                met.entry(endless.signature(child)).or_insert_with(|| {
                    all.push((child.clone(), distance + 1));
                    distance + 1
                });
                ControlFlow::Continue(())
            })
            .unwrap();
        next += 1;
    }
    all.iter().map(|(position, distance)| (endless.diagram(position), *distance)).collect()
}

/// Checks a bound on all positions and gives its average.
fn check<G: Game>(game: &G, bound: &LowerBound, all: &[(Diagram, u32)]) -> f64 {
    let mut sum = 0;
    for (diagram, distance) in all {
        let found = bound.of(game, &game.position(diagram));
        assert!(
            found <= *distance && (distance - found).is_multiple_of(2),
            "{found} for {distance}: {diagram:?}"
        );
        sum += found;
    }
    f64::from(sum) / all.len() as f64
}

#[test]
fn bounds_never_say_too_much_and_solutions_are_shortest() {
    let program = program("abstractions { upper : t1, t2, t3, t4  lower : t5, t6, t7, t8 }", SLIDE);
    let game = JitGame::new(program.clone()).unwrap();
    let all = distances(&program);
    assert_eq!(all.len(), 181_440);
    let manhattan = derived(&game).unwrap();
    for (diagram, _) in all.iter().step_by(1000) {
        let cells = diagram.cells.iter().enumerate();
        // Row 0 is the lowest; piece n belongs to field n of the rows counted from the top.
        let way = cells.filter(|(_, piece)| piece.index() > 0).map(|(field, piece)| {
            let (row, column) = (2 - field / 3, field % 3);
            row.abs_diff(piece.index() / 3) + column.abs_diff(piece.index() % 3)
        });
        assert_eq!(manhattan.of(&game, &game.position(diagram)), way.sum::<usize>() as u32);
    }
    let additive = patterns(&game).unwrap();
    assert!(additive.iter().all(|pattern| pattern.costs() == Costs::Own));
    let additive = LowerBound::new(additive);
    assert_eq!(additive.families().len(), 1);
    let (weak, strong) = (check(&game, &manhattan, &all), check(&game, &additive, &all));
    assert!((13.9..14.1).contains(&weak) && strong > weak + 1.0, "{weak} {strong}");
    let mut random = Random::new(3);
    for _ in 0..25 {
        let (diagram, distance) = &all[random.below(all.len())];
        for (bound, table) in [(&manhattan, false), (&additive, false), (&additive, true)] {
            let engine = if table { Engine::AStar } else { Engine::IdaStar };
            let options = Options { engine, table: false, ..Options::default() };
            let root = Root::new(&game, game.position(diagram));
            let result = Search::new(&game, bound, options).unwrap().run(&root, 40, &mut ()).unwrap();
            assert_eq!(result.value, Value::win_in(*distance));
            assert_eq!(result.pv.len() as u32, *distance);
        }
    }
}

#[test]
fn images_of_positions_are_looked_up_as_well() {
    let program = program("abstractions { upper : t1, t2, t3, t4  lower : t5, t6, t7, t8 }", SLIDE);
    let game = JitGame::new(program.clone()).unwrap();
    let puzzle = game.puzzle().unwrap();
    let images = puzzle.images();
    let [image] = &images[..] else { panic!("the empty field stays at the top left: {images:?}") };
    let plain = LowerBound::new(patterns(&game).unwrap());
    let both = plain.clone().reflected(&puzzle);
    let all = distances(&program);
    for (diagram, _) in all.iter().step_by(997) {
        let mut other = diagram.clone();
        for (field, turned) in image.fields.iter().enumerate() {
            let becomes = image.pieces.iter().find(|(piece, _)| *piece == diagram.cells[field]).unwrap().1;
            other.cells[turned.index()] = becomes;
        }
        let [one, two] = [diagram, &other].map(|diagram| plain.of(&game, &game.position(diagram)));
        assert_eq!(both.of(&game, &game.position(diagram)), one.max(two));
    }
    let (one, two) = (check(&game, &plain, &all), check(&game, &both, &all));
    assert!(two > one + 0.05, "{one} {two}");
}

#[test]
fn moves_that_tell_directions_apart_have_no_images() {
    let uneven = "find empty field, either east or west or north, step, pick up, step backward, put down";
    let game = RulesGame::new(program("", uneven));
    assert!(game.puzzle().unwrap().images().is_empty());
    assert_eq!(RulesGame::new(program("", SLIDE)).puzzle().unwrap().images().len(), 1);
}

/// Knows a bound and not what it is the sum of.
struct Whole<'a>(&'a LowerBound);

impl<G: Game> Evaluator<G> for Whole<'_> {
    fn evaluate(&self, _: &G, _: &G::Position) -> Value {
        Value::DRAW
    }

    fn lower_bound(&self, game: &G, position: &G::Position) -> u32 {
        self.0.of(game, position)
    }
}

#[test]
fn bounds_that_are_followed_move_by_move_are_those_that_are_computed_anew() {
    let program = program("abstractions { a : t1, t2, t3  b : t4, t5  c : t6, t7, t8 }", SLIDE);
    let game = JitGame::new(program.clone()).unwrap();
    let groups = LowerBound::new(patterns(&game).unwrap());
    assert_eq!(groups.parts(), 3);
    let all = distances(&program);
    for bound in [groups, derived(&game).unwrap()] {
        for (diagram, distance) in all.iter().step_by(9001) {
            let root = Root::new(&game, game.position(diagram));
            let options = Options { engine: Engine::IdaStar, table: false, ..Options::default() };
            let followed = Search::new(&game, &bound, options.clone()).unwrap().run(&root, 40, &mut ());
            let anew = Search::new(&game, &Whole(&bound), options).unwrap().run(&root, 40, &mut ());
            let (followed, anew) = (followed.unwrap(), anew.unwrap());
            assert_eq!(followed.statistics, anew.statistics);
            assert_eq!(followed.pv.len() as u32, *distance);
        }
    }
}

#[test]
fn abstractions_that_share_pieces_are_not_added() {
    let program = program("abstractions { a : t1, t2, t3  b : t3, t4, t5  c : t6, t7, t8 }", SLIDE);
    let game = RulesGame::new(program.clone());
    let patterns = patterns(&game).unwrap();
    let bound = LowerBound::new(patterns);
    let names = |family: &Vec<PatternDatabase>| -> Vec<String> {
        family.iter().map(|pattern| pattern.abstraction().name.clone()).collect()
    };
    let families: Vec<Vec<String>> = bound.families().iter().map(names).collect();
    assert_eq!(families, [vec!["a", "c"], vec!["b"]]);
}

#[test]
fn moves_of_several_pieces_count_once() {
    // The tile and the one behind it slide together.
    let two = "find empty field, orthogonal, step, pick up, step backward, put down, step, \
               try [ step, pick up, step backward, put down ]";
    let program = program("abstractions { a : t1, t2, t3  b : t4, t5 }", two);
    let game = RulesGame::new(program.clone());
    let patterns = patterns(&game).unwrap();
    assert!(patterns.iter().all(|pattern| pattern.costs() == Costs::All));
    let bound = LowerBound::new(patterns);
    assert_eq!(bound.families().len(), 2);
    for (diagram, distance) in distances(&program).iter().step_by(17) {
        assert!(bound.of(&game, &game.position(diagram)) <= *distance);
    }
}

#[test]
fn moves_that_cannot_be_undone_are_noticed() {
    let one_way = "find empty field, either east or north or south, step, pick up, step backward, put down";
    let game = RulesGame::new(program("abstractions { a : t1, t2, t3 }", one_way));
    let error = patterns(&game).unwrap_err();
    assert!(error.to_string().contains("undone"), "{error}");
}

#[test]
fn files_are_checked() {
    let rules = program("abstractions { upper : t1, t2, t3, t4 }", SLIDE);
    let game = JitGame::new(rules.clone()).unwrap();
    let patterns = patterns(&game).unwrap();
    let folder = std::env::temp_dir().join(format!("multigame-tables-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("8-puzzle.tables");
    let error = load_tables(&file, &game).unwrap_err();
    assert!(format!("{error:#}").contains("multigame tables"), "{error:#}");
    save_tables(&file, &game, &patterns).unwrap();
    let bound = LowerBound::new(patterns).reflected(&game.puzzle().unwrap());
    assert_eq!(load_tables(&file, &game).unwrap(), bound);
    // The interpreter plays the same game.
    assert_eq!(load_tables(&file, &RulesGame::new(rules)).unwrap(), bound);
    let other = RulesGame::new(program(
        "",
        "find empty field, any direction, step, pick up, step backward, put down",
    ));
    let error = load_tables(&file, &other).unwrap_err();
    assert!(format!("{error:#}").contains("other rules"), "{error:#}");
    let good = std::fs::read(&file).unwrap();
    let refused = |bytes: &[u8]| {
        std::fs::remove_file(&file).unwrap();
        std::fs::write(&file, bytes).unwrap();
        load_tables(&file, &game).is_err()
    };
    for place in 0..good.len() {
        let mut bad = good.clone();
        bad[place] ^= 1 << (place % 8);
        assert!(refused(&bad), "byte {place}");
        assert!(refused(&good[..place]), "cut after {place}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

/// Not damage, which checksums notice, but files that say something impossible.
#[test]
fn files_that_make_no_sense_are_refused() {
    let game = RulesGame::new(program("abstractions { upper : t1, t2 }", SLIDE));
    let folder = std::env::temp_dir().join(format!("multigame-forged-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("forged.tables");
    save_tables(&file, &game, &patterns(&game).unwrap()).unwrap();
    let kind = Kind { name: "tables", version: 1, remedy: "" };
    let mut content = content(&file, kind);
    let whole = content.len();
    let mut forge = |place: usize, byte: u8| {
        let before = std::mem::replace(&mut content[place], byte);
        seal(&file, kind, |output| output.bytes(&content)).unwrap();
        content[place] = before;
        load_tables(&file, &game)
    };
    // After the number of the game and the number of tables: name and kept pieces with their lengths, then
    // what is counted, the width and the length of the numbers.
    let (name, kept) = (24, 24 + 5);
    for piece in [0, 9, 100, 255] {
        let error = forge(kept + 8, piece).unwrap_err();
        assert!(format!("{error:#}").contains("is damaged"), "{error:#}");
    }
    for (place, byte) in
        [(8, 2), (16, 255), (name, 255), (kept, 1), (kept + 10, 7), (kept + 18, 9), (kept + 26, 0)]
    {
        assert!(forge(place, byte).is_err(), "{place} {byte}");
    }
    // Whatever stands anywhere: an error, or tables.
    let mut random = Random::new(5);
    for _ in 0..2000 {
        let _ = forge(random.below(whole), random.next_u64() as u8);
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

/// Everything that a sealed file holds.
fn content(file: &Path, kind: Kind) -> Vec<u8> {
    let mut sealed = Sealed::open(file, kind).unwrap();
    std::iter::from_fn(|| sealed.many(1).ok()).flatten().collect()
}

#[test]
fn unsuitable_abstractions_are_explained() {
    let error = |abstractions: &str, mv: &str| {
        patterns(&RulesGame::new(program(abstractions, mv))).unwrap_err().to_string()
    };
    let all = "abstractions { a : t1, t2, t3, t4, t5, t6, t7, t8 }";
    assert!(error(all, SLIDE).contains("hides nothing"));
    let picky = "find empty field, orthogonal, step, points at t8, pick up, step backward, put down";
    assert!(error("abstractions { a : t1 }", picky).contains("tell hidden pieces apart"));
}

/// Korf's numbers 79 and 12, with the nodes that Korf's program generated.
#[test]
fn nodes_of_the_15_puzzle_are_those_that_korf_counted() {
    let rules = include_str!("../../../experiments/korf/korf.mg");
    let options = CompilerOptions { name: "korf".to_string(), parameters: Vec::new() };
    let game = JitGame::new(compile(rules, &options).program.unwrap()).unwrap();
    let bound = derived(&game).unwrap();
    for line in include_str!("../../../experiments/korf/instances.txt").lines() {
        let words: Vec<&str> = line.split(' ').collect();
        if !["79", "12"].contains(&words[0]) {
            continue;
        }
        let number = |index: usize| words[index].parse::<u64>().unwrap();
        let root = Root::new(&game, game.position(&parse_position(game.description(), words[1]).unwrap()));
        assert_eq!(u64::from(bound.of(&game, &root.position)), number(2));
        let options = Options { engine: Engine::IdaStar, table: false, ..Options::default() };
        let result = Search::new(&game, &bound, options).unwrap().run(&root, 100, &mut ()).unwrap();
        assert_eq!(result.pv.len() as u64, number(3));
        // Each iteration generates the first position again.
        let again = (number(3) - number(2)) / 2;
        assert_eq!(result.statistics.nodes + result.statistics.leaves - again, number(4));
    }
}
