//! How fast positions travel between two ranks by transposition-driven scheduling, and where the time goes.
//!
//!     cargo run --release -p multigame-threads --example states -- [MOVES] [COMPANY]
//!
//! Two workers solve a 15-puzzle of this many random moves; every position goes to its home, COMPANY in a
//! message. What one of them sends to the other is written as bytes and read back, as between ranks; the
//! bytes themselves are handed over.

#![allow(clippy::disallowed_methods, clippy::print_stdout, reason = "an example is a program")]

use std::time::{Duration, Instant};

use multigame_game::{Game, Random};
use multigame_jit::JitGame;
use multigame_parallel::{
    Outbox, Parcel, PuzzleMessage, PuzzlePolicy, PuzzleSetup, PuzzleWorker, Status, Wire, Worker,
};
use multigame_search::{Layout, RulesEvaluator, TranspositionTable};

/// What was sent, and how long everything took.
#[derive(Default)]
struct Sum {
    positions: u64,
    messages: u64,
    bytes: u64,
    writing: Duration,
    reading: Duration,
    working: Duration,
}

fn main() {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse().expect("a number"));
    let (moves, company): (u32, u32) = (numbers.next().unwrap_or(120), numbers.next().unwrap_or(64));
    let source = multigame_loader::source("15-puzzle").expect("it is bundled");
    let program = multigame_loader::compile(&source, &[]).program.expect("it compiles");
    let game = JitGame::new(program).expect("there is machine code for it");
    let evaluator = RulesEvaluator::new(&game, None).expect("it can be judged");
    let root = scrambled(&game, moves);
    let tables = [0, 1].map(|_| TranspositionTable::new(64, Layout::Cluster).expect("memory"));
    let setup = PuzzleSetup { combine: company as usize, ..PuzzleSetup::fine(PuzzlePolicy::TDS) };
    let mut workers: Vec<_> = (0..2)
        .map(|me| {
            PuzzleWorker::new((me, 2), (&game, &evaluator), Some(&tables[me as usize]), &root, 80, setup)
        })
        .collect();
    let sum = run(&game, &mut workers);
    let nodes: u64 = workers.iter().map(|worker| worker.statistics().nodes).sum();
    let rate = |time: Duration| sum.positions as f64 / time.as_secs_f64() / 1e6;
    let all = sum.working + sum.writing + sum.reading;
    println!("{:?}", workers[0].result());
    println!(
        "{nodes} nodes; {} positions in {} messages of {:.0} bytes, {:.1} bytes each",
        sum.positions,
        sum.messages,
        sum.bytes as f64 / sum.messages as f64,
        sum.bytes as f64 / sum.positions as f64
    );
    println!(
        "millions a second: written {:.2}, read {:.2}, written and read by two ranks at once {:.2}, with all \
         other work {:.2}",
        rate(sum.writing),
        rate(sum.reading),
        2.0 * rate(sum.writing + sum.reading),
        2.0 * rate(all)
    );
}

/// Runs two workers until the first has finished.
fn run<'a, G: multigame_game::Portable>(
    game: &G,
    workers: &mut [PuzzleWorker<'a, G, RulesEvaluator>],
) -> Sum {
    let (mut sum, mut finished) = (Sum::default(), false);
    while !finished {
        for me in 0..2 {
            let mut outbox = Outbox::default();
            let start = Instant::now();
            let progress = workers[me].work(256, &mut outbox);
            sum.working += start.elapsed();
            finished |= me == 0 && progress.status == Status::Finished;
            for (_, message) in outbox.letters {
                let message = carry(game, &message, &mut sum);
                let (start, mut answers) = (Instant::now(), Outbox::default());
                workers[1 - me].handle(me as u32, message, &mut answers);
                sum.working += start.elapsed();
                for (_, message) in answers.letters {
                    workers[me].handle(1 - me as u32, message, &mut Outbox::default());
                }
            }
        }
    }
    sum
}

fn carry<G: multigame_game::Portable>(
    game: &G,
    message: &PuzzleMessage<G>,
    sum: &mut Sum,
) -> PuzzleMessage<G> {
    let start = Instant::now();
    let mut bytes = Vec::new();
    message.write(game, &mut bytes);
    let written = Instant::now();
    let read = PuzzleMessage::read(game, &bytes).expect("a message");
    if let PuzzleMessage::States { states, .. } = &read {
        sum.positions += states.len() as u64;
        sum.messages += 1;
        sum.bytes += bytes.len() as u64;
        sum.writing += written - start;
        sum.reading += written.elapsed();
    }
    debug_assert_eq!(read.kind(), message.kind());
    read
}

fn scrambled<G: Game>(game: &G, moves: u32) -> G::Position {
    let mut random = Random::new(11);
    let (mut position, mut list) = (game.initial(), Vec::new());
    for _ in 0..moves {
        game.moves(&position, &mut list).expect("the rules are right");
        let before = position.clone();
        game.apply(&before, &list[random.below(list.len())], &mut position);
    }
    position
}
