//! Several ranks prove what one rank proves.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use multigame_cluster::memory::Weather;
use multigame_game::{Game, Line, Random};
use multigame_player::ranks::{EvaluatorSpec, FileNames, Ranks};
use multigame_player::{Changes, Checkpoint, Limits, News, Solver, Solving, Thought};
use multigame_search::patterns::Perimeter;
use multigame_search::{Engine, Evaluator};

use super::checkpoints::{Folder, identity};
use super::jobs::job;
use super::truth::truth;
use super::{Case, Move, case, cases, check, random_solving};

/// Solves a case on all ranks; also says why they could not take part, if they could not.
fn solve(
    case: &Case,
    solving: &Solving,
    ranks: &Ranks,
    checkpoint: Option<&dyn Fn(Engine) -> anyhow::Result<Checkpoint>>,
) -> anyhow::Result<(Thought<Move>, Option<String>)> {
    let stop = AtomicBool::new(false);
    let mut solver = Solver::new(&case.game, solving, &stop);
    solver = solver.with_others(ranks.others(&case.game, EvaluatorSpec::default()));
    if let Some(checkpoint) = checkpoint {
        solver = solver.with_checkpoint(checkpoint);
    }
    let (line, mut note) = (Line::new(&case.game, case.position.clone()), None);
    let solution = solver.run(&line, &mut |news| {
        if let News::OneRank(reason, waiting) = news {
            assert_eq!(waiting, ranks.size() - 1);
            assert!(note.replace(reason).is_none(), "it is said once");
        }
    })?;
    Ok((solution, note))
}

/// Runs a job that plays the game of a case.
fn together<T>(case: &Case, size: u32, seed: u64, conduct: impl FnOnce(&Ranks) -> T) -> T {
    job(size, Weather { seed, looks: [0, 3, 20][seed as usize % 3] }, |ranks| {
        ranks.load(&case.program, false).wait(&case.game).unwrap();
        conduct(ranks)
    })
}

#[test]
fn ranks_prove_what_one_rank_proves() {
    let (mut shared, mut alone, mut decided) = (0, 0, 0);
    for (seed, case) in (0..).zip(cases()) {
        let puzzle = case.game.description().players == 1;
        let engines: &[(Option<Engine>, &str)] = match puzzle {
            true => &[(None, "stealing"), (None, "tds"), (Some(Engine::AStar), "stealing")],
            false => &[
                (None, "ybwc-1-2*"),
                (Some(Engine::NegaScout), "jamboree"),
                (Some(Engine::Mtdf), "lazy-smp"),
                (Some(Engine::DfPn), "ybwc"),
            ],
        };
        together(&case, 2 + seed as u32 % 2, seed, |ranks| {
            for &(engine, policy) in engines {
                let policy = Some(policy.parse().unwrap());
                // Where positions come back, no depth is enough for alpha-beta.
                let limits = Limits { nodes: Some(200_000), ..Limits::default() };
                let solving = Solving { engine, policy, limits, table_mib: 8, ..Solving::default() };
                let (solution, note) = match solve(&case, &solving, ranks, None) {
                    // The engine searches on rank 0 alone.
                    Err(error) if error.to_string().contains("does not use option `policy`") => {
                        solve(&case, &Solving { policy: None, ..solving.clone() }, ranks, None).unwrap()
                    }
                    solved => solved.unwrap(),
                };
                let what = format!("{} {engine:?} {policy:?}", case.name);
                check(&case, &solving, &solution);
                let ended = limits.nodes.is_some_and(|most| solution.statistics.nodes >= most);
                assert!(solution.proved.decides() || engine.is_some() || ended, "{what}");
                decided += u32::from(solution.proved.decides() && solution.crew.is_some());
                assert_eq!(note.is_none(), solution.crew.is_some(), "{what}: {note:?}");
                let unable = matches!(solution.engine, Engine::AStar | Engine::DfPn);
                assert_eq!(note.is_some(), unable, "{what}: {note:?}");
                let crew = solution.crew.as_ref();
                assert!(crew.is_none_or(|crew| crew.processes.len() as u32 == ranks.size()), "{what}");
                shared += u32::from(crew.is_some());
                alone += u32::from(note.is_some());
            }
        });
    }
    assert!(shared > 30 && alone > 15 && decided > 20, "{shared} {alone} {decided}");
}

#[test]
fn ranks_prove_nothing_false_under_any_limit() {
    let mut random = Random::new(24);
    let (mut possible, mut proved, mut together_proved) = (0, 0, 0);
    for (seed, case) in (0..).zip(cases()) {
        together(&case, 2 + seed as u32 % 3, seed, |ranks| {
            for _ in 0..12 {
                let solving = random_solving(&case.game, &mut random);
                let Ok((solution, _)) = solve(&case, &solving, ranks, None) else { continue };
                check(&case, &solving, &solution);
                possible += 1;
                let decided = solution.proved.decides();
                proved += u32::from(decided);
                let several = solution.crew.is_some_and(|crew| crew.processes.len() > 1);
                together_proved += u32::from(decided && several);
            }
        });
    }
    assert!(
        possible > 70 && proved < possible && together_proved > 10,
        "{together_proved} {proved} {possible}"
    );
}

/// The table of rank 0 is enough to go on, with whatever number of ranks.
#[test]
fn checkpoints_go_on_with_other_ranks() {
    let case = case("connect-4", super::CONNECT_4, &[("columns", 4), ("rows", 4)], super::After(0));
    let folder = Folder::new("ranks");
    let checkpoint = |engine| Checkpoint::new(folder.0.join("a"), &identity(&case.name, engine), 8);
    let (mut pieces, mut seen) = (0, [false; 4]);
    loop {
        let size = [3, 1, 2][pieces as usize % 3];
        let nodes = if pieces < 4 { 3000 } else { u64::MAX };
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let solving = Solving { engine: Some(Engine::NegaScout), table_mib: 8, limits, ..Solving::default() };
        let (solution, note) =
            together(&case, size, pieces, |ranks| solve(&case, &solving, ranks, Some(&checkpoint)).unwrap());
        check(&case, &solving, &solution);
        assert_eq!(note, None);
        seen[size as usize] |= !solution.finished;
        pieces += 1;
        if solution.proved.decides() {
            break;
        }
        assert!(pieces < 6);
    }
    assert_eq!(seen, [false, true, true, true], "each number of ranks was stopped once");
}

#[test]
fn what_cannot_be_shared_out_says_so() {
    let puzzle = case("hanoi", super::HANOI, &[("discs", 3)], super::After(0));
    let folder = Folder::new("one-rank");
    let checkpoint = |engine| Checkpoint::new(folder.0.join("a"), &identity(&puzzle.name, engine), 1);
    together(&puzzle, 2, 0, |ranks| {
        let solving = Solving { table_mib: 1, ..Solving::default() };
        let (solution, note) = solve(&puzzle, &solving, ranks, Some(&checkpoint)).unwrap();
        assert!(solution.proved.decides() && solution.crew.is_none());
        assert_eq!(note.as_deref(), Some("`--checkpoint` keeps what one rank knows about a puzzle"));
        let options = Changes::parse("memory=private").unwrap();
        let engine = Some(Engine::AStar);
        let refused = solve(&puzzle, &Solving { options, engine, ..solving }, ranks, None).unwrap_err();
        assert!(refused.to_string().contains("does not use option `memory`; leave it out"), "{refused}");
    });
}

/// Positions around the goal reach the other ranks: their lower bounds are those of rank 0.
#[test]
fn perimeters_travel() {
    let case = case("8-puzzle", super::EIGHT_PUZZLE, &[], super::At("312/675/48."));
    let mut endless = case.program.clone();
    endless.goal = None;
    let endless = super::JitGame::new(endless).unwrap();
    let goal = multigame_game::parse_position(endless.description(), ".12/345/678").unwrap();
    let goal = endless.position(&goal);
    let perimeter = Perimeter::around(&endless, &goal, 12, 100_000, &mut |_| true).unwrap();
    let entries: Vec<u64> = perimeter.entries().collect();
    assert_eq!(entries.len(), perimeter.len());
    let spec = EvaluatorSpec { perimeter: Some(entries.clone()), ..EvaluatorSpec::default() };
    let there = spec.evaluator(&case.game, &FileNames::default()).unwrap();
    let plain = EvaluatorSpec::default().evaluator(&case.game, &FileNames::default()).unwrap();
    let (mut position, mut random, mut more) = (goal.clone(), Random::new(5), 0);
    for step in 0..1000 {
        if step % 20 == 0 {
            position = goal.clone();
        }
        let mut children = Vec::new();
        let _ = endless.children(&position, &mut |child| {
            children.push(child.clone());
            ControlFlow::Continue(())
        });
        position = children.swap_remove(random.below(children.len()));
        let bound = there.lower_bound(&case.game, &position);
        let without = plain.lower_bound(&case.game, &position);
        assert_eq!(bound, without.max(perimeter.bound(case.game.signature(&position))));
        more += u32::from(bound > without);
    }
    assert!(more > 5, "it says more than the rules: {more}");
    for damaged in [vec![], vec![entries[0] & !0xf], vec![entries[0]; 2]] {
        let spec = EvaluatorSpec { perimeter: Some(damaged), ..EvaluatorSpec::default() };
        assert!(spec.evaluator(&case.game, &FileNames::default()).is_err());
    }
    let case = Case { truth: truth(&case.game, &position), position, ..case };
    let solving = Solving { table_mib: 1, ..Solving::default() };
    together(&case, 2, 1, |ranks| {
        let stop = AtomicBool::new(false);
        let solver = Solver::new(&case.game, &solving, &stop).with_perimeter(perimeter).unwrap();
        let solver = solver.with_others(ranks.others(&case.game, spec));
        let line = Line::new(&case.game, case.position.clone());
        let solution = solver.run(&line, &mut |_| {}).unwrap();
        check(&case, &solving, &solution);
        assert!(solution.proved.decides() && solution.crew.is_some());
    });
}
