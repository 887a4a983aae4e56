//! Databases against published facts, and against themselves.

#![allow(clippy::disallowed_methods, reason = "tests damage files")]

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use multigame_endgame::{
    Anatomy, Conditions, Endgames, Material, Shape, Standing, Tables, finished, load_endgames_within,
    load_folder, save, solve_strongly, summary, verify,
};
use multigame_game::{Description, Game, Side, WithGame, parse_position};
use multigame_loader::{Backend, Playable, compile, source};

/// Runs something on a bundled game.
fn on<T: WithGame>(name: &str, parameters: &[(&str, i64)], task: T) -> T::Output {
    let source = source(name).unwrap();
    let parameters: Vec<(String, i64)> =
        parameters.iter().map(|&(name, value)| (name.to_string(), value)).collect();
    Playable::new(compile(&source, &parameters).program.unwrap(), Backend::Auto).0.run(task)
}

static GO: AtomicBool = AtomicBool::new(false);

fn conditions(tell: &mut dyn FnMut(&'static str, u64, Option<u64>)) -> Conditions<'_> {
    Conditions { threads: 2, memory: 1 << 30, option: "--memory", stop: &GO, tell }
}

/// The longest wins of slices of chess, in plies, and whether all values agree.
struct Longest<'n>(&'n [(&'n str, Option<u16>)]);

impl WithGame for Longest<'_> {
    type Output = ();

    fn run<G: Game>(self, game: G) {
        let anatomy = Anatomy::of(&game).unwrap();
        let (mut tables, mut tell) = (Tables::default(), |_: &'static str, _, _| {});
        for &(name, plies) in self.0 {
            let material = Material::parse(game.description(), name).unwrap();
            let planned = anatomy.plan(std::slice::from_ref(&material)).unwrap();
            assert_eq!(planned.last().unwrap().material, material);
            let done = anatomy.make(&material, &mut tables, &mut conditions(&mut tell), &mut |_, _| Ok(()));
            assert!(done.unwrap());
            let table = &tables[&material];
            let found = summary(&game, table);
            assert_eq!(found.longest[Side::White.index()].as_ref().map(|(plies, _)| *plies), plies, "{name}");
            let proved = verify(&game, table, anatomy.survey(), &tables, &mut conditions(&mut tell));
            assert_eq!(proved.unwrap(), Some(found.positions()), "{name}");
        }
    }
}

#[test]
fn mates_take_as_long_as_published() {
    // Mate in 10 and in 16 moves; Black moves as often before the last one.
    on("chess", &[], Longest(&[("KK", None), ("KNK", None), ("KQK", Some(20)), ("KRK", Some(32))]));
}

/// The number of ways to put pieces on the board, one player to move, for all slices with that many pieces.
struct Ways(usize);

impl WithGame for Ways {
    type Output = u64;

    fn run<G: Game>(self, game: G) -> u64 {
        let anatomy = Anatomy::of(&game).unwrap();
        let description = game.description();
        let kinds = description.pieces.len() as u8;
        let mut all = vec![vec![]];
        for _ in 0..self.0 {
            let longer = |begin: &Vec<u8>| -> Vec<Vec<u8>> {
                (begin.last().copied().unwrap_or(1)..kinds)
                    .map(|piece| [begin.clone(), vec![piece]].concat())
                    .collect()
            };
            all = all.iter().flat_map(longer).collect();
        }
        let ways = |pieces: Vec<u8>| {
            let pieces = pieces.into_iter().map(multigame_game::Piece);
            let shape = Shape::new(&Material::of(description, pieces), anatomy.survey()).unwrap();
            let mut buffer = Vec::new();
            (0..shape.size() / 2).filter(|&index| shape.arrangement(index, &mut buffer)).count() as u64
        };
        all.into_iter().map(ways).sum()
    }
}

#[test]
fn checkers_has_as_many_positions_as_chinook_counts() {
    assert_eq!(on("checkers", &[], Ways(1)), 120);
    assert_eq!(on("checkers", &[], Ways(2)), 6_972);
    assert_eq!(on("checkers", &[], Ways(3)), 261_224);
}

/// The value of the first position, the number of entries and of finished positions; all values agree.
struct Strong;

impl WithGame for Strong {
    type Output = (Standing, usize, u64);

    fn run<G: Game>(self, game: G) -> Self::Output {
        let mut tell = |_: &'static str, _, _| {};
        let table = solve_strongly(&game, &game.initial(), &mut conditions(&mut tell)).unwrap().unwrap();
        let anatomy = Anatomy::of(&game).unwrap();
        let none = Tables::default();
        let proved = verify(&game, &table, anatomy.survey(), &none, &mut conditions(&mut tell)).unwrap();
        assert_eq!(proved, Some(table.entries() as u64));
        let ended = finished(&game, &table).unwrap().into_iter().sum();
        let entries = table.entries();
        let endgames = Endgames::new(game.description(), none, Some(table.into()));
        (endgames.probe(&game, &game.initial()).unwrap(), entries, ended)
    }
}

#[test]
fn small_games_are_solved_strongly() {
    let (value, entries, ended) = on("tic-tac-toe", &[], Strong);
    assert_eq!((value, entries as u64 + ended), (Standing::Draw, 5_478));
    // Tromp counts 161,029 positions.
    let (value, entries, ended) = on("connect-4", &[("columns", 4), ("rows", 4)], Strong);
    assert_eq!((value, entries as u64 + ended), (Standing::Draw, 161_029));
    // The first man in the centre wins.
    let (value, ..) = on("three-mens-morris", &[], Strong);
    assert!(matches!(value, Standing::Win(_)));
}

struct Files(PathBuf);

impl WithGame for Files {
    type Output = ();

    fn run<G: Game>(self, game: G) {
        let (folder, description) = (self.0, game.description());
        let anatomy = Anatomy::of(&game).unwrap();
        let (mut tables, mut tell) = (Tables::default(), |_: &'static str, _, _| {});
        let (material, mut paths) = (Material::parse(description, "W-B").unwrap(), Vec::new());
        anatomy
            .make(&material, &mut tables, &mut conditions(&mut tell), &mut |table, tables| {
                paths.push(save(&folder, &anatomy, table, tables)?.0);
                Ok(())
            })
            .unwrap();
        let loaded = load_folder(&folder, &game).unwrap();
        assert_eq!(loaded.len(), tables.len());
        assert!(loaded.iter().all(|(material, table)| **table == *tables[material]));
        let mut quiet = |_: &'static str, _, _| {};
        for table in loaded.values() {
            let proved = verify(&game, table, anatomy.survey(), &loaded, &mut conditions(&mut quiet));
            assert_eq!(proved.unwrap(), Some(summary(&game, table).positions()));
        }
        let endgames = Endgames::new(description, loaded, None);
        // Kings in the double corners draw.
        assert_eq!(endgames.probe(&game, &position(&game, "1B6/8/8/8/8/8/8/6W1 w")), Some(Standing::Draw));
        let path = paths.pop().unwrap();
        let whole = std::fs::read(&path).unwrap();
        for at in [3, 12, 30, whole.len() / 2, whole.len() - 1] {
            let mut damaged = whole.clone();
            damaged[at] ^= 4;
            std::fs::write(&path, &damaged).unwrap();
            assert!(load_folder(&folder, &game).is_err(), "byte {at}");
        }
        std::fs::write(&path, &whole[..whole.len() - 9]).unwrap();
        let refused = format!("{:#}", load_folder(&folder, &game).unwrap_err());
        assert!(refused.contains("damaged") && refused.contains("endgame make"), "{refused}");
        std::fs::write(&path, &whole).unwrap();
        load_folder(&folder, &game).unwrap();
        let needed: u64 = load_folder(&folder, &game).unwrap().values().map(|table| table.bytes()).sum();
        assert!(load_endgames_within(&folder, &game, needed).is_ok());
        let refused = format!("{:#}", load_endgames_within(&folder, &game, needed - 1).unwrap_err());
        assert!(refused.contains("bytes of memory"), "{refused}");
        on("breakthrough", &[], Foreign(folder));
    }
}

fn position<G: Game>(game: &G, text: &str) -> G::Position {
    game.position(&parse_position(game.description(), text).unwrap())
}

struct Foreign(PathBuf);

impl WithGame for Foreign {
    type Output = ();

    fn run<G: Game>(self, game: G) {
        let refused = format!("{:#}", load_folder(&self.0, &game).unwrap_err());
        assert!(refused.contains("other rules") || refused.contains("another game"), "{refused}");
    }
}

#[test]
fn files_come_back_and_others_are_refused() {
    let folder = std::env::temp_dir().join(format!("multigame-endgames-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    on("checkers", &[], Files(folder.clone()));
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn names_of_slices_are_read_back() {
    on("chess", &[], Names);
}

struct NoSlices;

impl WithGame for NoSlices {
    type Output = ();

    fn run<G: Game>(self, game: G) {
        for most in [4, 40] {
            let refused = Anatomy::of(&game).unwrap().up_to(most).unwrap_err().to_string();
            assert!(refused.contains("no slices") && refused.contains("solve --strong"), "{refused}");
        }
    }
}

#[test]
fn games_without_pieces_of_both_players_have_no_slices() {
    for name in ["awari", "kalah"] {
        on(name, &[], NoSlices);
    }
}

struct Names;

impl WithGame for Names {
    type Output = ();

    fn run<G: Game>(self, game: G) {
        let description: &Description = game.description();
        let name = |text: &str| {
            Material::parse(description, text).map(|it| it.name(description)).map_err(|it| it.to_string())
        };
        assert_eq!(name("KQKR").as_deref(), Ok("KQ-kr"));
        assert_eq!(name("KP-kr").as_deref(), Ok("KP-kr"));
        assert_eq!(Material::parse(description, "KNNk").unwrap().file_name(description), "king+2knight-king");
        assert!(name("KQ").unwrap_err().contains("pieces of Black"));
        assert!(name("KX").unwrap_err().contains("signs of its pieces"));
        let anatomy = Anatomy::of(&game).unwrap();
        assert_eq!(anatomy.up_to(3).unwrap().len(), 11);
        assert!(anatomy.up_to(1).unwrap_err().to_string().contains("games keep 2"));
        let two_queens = Material::parse(description, "Q-q").unwrap();
        assert!(anatomy.plan(&[two_queens]).unwrap_err().to_string().contains("king"));
    }
}
