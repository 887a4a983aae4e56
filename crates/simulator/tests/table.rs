//! The table that is spread over processors: it answers in the midst of work, and work goes on while it is
//! asked.

use multigame_game::{Game, Signature};
use multigame_parallel::{
    AlphaBeta, Mail, Memory, Message, Outbox, Parcel, PolicyKind, Prices, Progress, Setup, Status, Worker,
    WorkerId,
};
use multigame_search::random_tree::{Guess, RandomTree, Shape};
use multigame_search::{KernelInput, Layout, Options, Root, Search, TranspositionTable, Workspace};
use multigame_simulator::{Faults, Machine, Simulation};

struct Letter {
    interrupts: bool,
    answer: bool,
}

impl Parcel for Letter {
    const KINDS: &'static [&'static str] = &["letter"];

    fn bytes(&self) -> u32 {
        0
    }

    fn kind(&self) -> usize {
        0
    }

    fn interrupts(&self) -> bool {
        self.interrupts
    }
}

/// Worker 0 asks worker 1, which works for a long time, and finishes when it gets an answer.
struct Asker {
    me: WorkerId,
    interrupts: bool,
    started: bool,
    answered: bool,
}

const LONG: u64 = 1_000_000;

impl Worker for Asker {
    type Message = Letter;

    fn handle(&mut self, from: WorkerId, letter: Letter, mail: &mut dyn Mail<Letter>) {
        self.answered |= letter.answer;
        if !letter.answer {
            mail.send(from, Letter { interrupts: false, answer: true });
        }
    }

    fn work(&mut self, _: u64, mail: &mut dyn Mail<Letter>) -> Progress {
        let first = !std::mem::replace(&mut self.started, true);
        match self.me {
            0 if first => {
                mail.send(1, Letter { interrupts: self.interrupts, answer: false });
                Progress { cost: 0, status: Status::Waiting }
            }
            0 => Progress { cost: 0, status: if self.answered { Status::Finished } else { Status::Waiting } },
            _ => Progress { cost: if first { LONG } else { 0 }, status: Status::Idle(None) },
        }
    }
}

fn asked(interrupts: bool, table_server: bool) -> (u64, u64) {
    let worker = |me| Asker { me, interrupts, started: false, answered: false };
    let machine =
        Machine { send: 10, receive: 10, latency: 5, table_server, ..Machine::named("ideal").unwrap() };
    let mut simulation = Simulation::new(vec![worker(0), worker(1)], machine, Faults::default(), 1);
    simulation.run(&mut |_, _| true);
    let routing = simulation.accounts().map(|account| account.routing).sum();
    (simulation.time(), routing)
}

#[test]
fn a_table_is_asked_in_the_midst_of_work() {
    let (soon, _) = asked(true, true);
    assert_eq!(soon, 2 * (10 + 5 + 10));
    for (interrupts, table_server) in [(true, false), (false, true)] {
        assert!(asked(interrupts, table_server).0 > LONG, "{interrupts} {table_server}");
    }
}

#[test]
fn a_node_is_paid_for_while_its_home_is_asked() {
    let game = RandomTree::new(Shape { width: 5, height: 6, ..Shape::default() });
    let options = Options { depth_exact: true, ..Options::default() };
    let table = TranspositionTable::with_entries(1 << 10, Layout::Cluster).unwrap();
    let task = KernelInput {
        game: &game,
        evaluator: &Guess,
        options: &options,
        table: Some(&table),
        abort: None,
        busy: None,
    };
    let policy = PolicyKind::default().messages().unwrap();
    let memory = Memory::USUAL.from_depth(1);
    let setup = Setup { memory, prices: Prices { node: 100, leaf: 0, evaluation: 0 }, ..Setup::fine(policy) };
    let root = Root::new(&game, game.initial());
    let mut worker = AlphaBeta::new((0, 64), task, &root, 4, setup, Vec::new(), Workspace::default());
    let mut questions = 0;
    while questions < 20 {
        let mut outbox = Outbox::default();
        let progress = worker.work(0, &mut outbox);
        let asked = outbox.letters.iter().find_map(|(home, letter)| match letter {
            Message::Lookup { signature } => Some((*home, *signature)),
            _ => None,
        });
        assert!(progress.status == Status::Busy, "{progress:?}");
        let Some((home, signature)) = asked else { continue };
        questions += 1;
        assert!(progress.cost <= 100, "the question leaves before the node is paid for");
        let (nodes, mut outbox) = (worker.statistics().nodes, Outbox::default());
        let meanwhile = worker.work(0, &mut outbox);
        assert_eq!(meanwhile, Progress { cost: 100, status: Status::Waiting });
        assert_eq!(worker.work(0, &mut outbox), Progress { cost: 0, status: Status::Waiting });
        assert_eq!(worker.statistics().nodes, nodes);
        worker.handle(home, Message::Answer { signature, entry: None }, &mut outbox);
        let opened = worker.counters().work;
        worker.work(0, &mut outbox);
        let (work, nodes) = (worker.counters().work - opened, worker.statistics().nodes - nodes);
        assert_eq!(work, 100 * (nodes - 1), "the first of them has been paid for");
        if let Some((home, Message::Lookup { signature })) = outbox.letters.pop() {
            worker.work(0, &mut outbox);
            worker.handle(home, Message::Answer { signature, entry: None }, &mut outbox);
        }
    }
}

/// How often one of 64 workers asks others about positions when it searches alone, and how many nodes looked
/// into its own table.
fn questions(game: &RandomTree, options: &Options, table: &TranspositionTable) -> (u64, u64) {
    let task = KernelInput { game, evaluator: &Guess, options, table: Some(table), abort: None, busy: None };
    let policy = PolicyKind::default().messages().unwrap();
    let setup = Setup { memory: Memory::USUAL.from_depth(1), ..Setup::fine(policy) };
    let root = Root::new(game, game.initial());
    let mut worker = AlphaBeta::new((0, 64), task, &root, 4, setup, Vec::new(), Workspace::default());
    loop {
        let mut outbox = Outbox::default();
        if worker.work(0, &mut outbox).status == Status::Finished {
            return (worker.counters().lookups, worker.statistics().table_probes);
        }
        for (home, letter) in std::mem::take(&mut outbox.letters) {
            if let Message::Lookup { signature } = letter {
                worker.handle(home, Message::Answer { signature, entry: None }, &mut outbox);
            }
        }
    }
}

#[test]
fn only_what_may_be_known_elsewhere_is_asked_for() {
    let game = RandomTree::new(Shape { width: 5, height: 6, ..Shape::default() });
    let options =
        Options { depth_exact: true, ..Options::default() }.with("deepening=0,aspiration=off").unwrap();
    let table = TranspositionTable::with_entries(1 << 12, Layout::Cluster).unwrap();
    let (asked, probes) = questions(&game, &options, &table);
    assert!(asked > 0 && asked * 10 < probes * 9, "fathers of leaves without cutoff: {asked} of {probes}");
    let table = TranspositionTable::with_entries(1 << 12, Layout::Cluster).unwrap();
    let mut search = Search::new(&game, &Guess, options.clone()).unwrap().with_table(&table);
    search.run(&Root::new(&game, game.initial()), 4, &mut ()).unwrap();
    assert_eq!(questions(&game, &options, &table).0, 0, "the worker's own table knows it all");
}

/// The entries that one of `workers` tells when it searches alone, with this much left to the kernel.
fn told(memory: &str, workers: u32, grain: u32) -> Vec<Signature> {
    let game = RandomTree::new(Shape { width: 5, height: 6, ..Shape::default() });
    let options = Options { depth_exact: true, ..Options::default() };
    let table = TranspositionTable::with_entries(1 << 12, Layout::Cluster).unwrap();
    let task = KernelInput {
        game: &game,
        evaluator: &Guess,
        options: &options,
        table: Some(&table),
        abort: None,
        busy: None,
    };
    let policy = PolicyKind::default().messages().unwrap();
    let setup = Setup { memory: memory.parse().unwrap(), grain, ..Setup::fine(policy) };
    let root = Root::new(&game, game.initial());
    let (who, depth) = ((0, workers), 6);
    let mut worker = AlphaBeta::new(who, task, &root, depth, setup, Vec::new(), Workspace::default());
    let mut told = Vec::new();
    loop {
        let mut outbox = Outbox::default();
        let finished = worker.work(0, &mut outbox).status == Status::Finished;
        for (to, letter) in std::mem::take(&mut outbox.letters) {
            match letter {
                Message::Store(entries) => told.extend(entries),
                Message::Lookup { signature } => {
                    worker.handle(to, Message::Answer { signature, entry: None }, &mut outbox);
                }
                _ => {}
            }
        }
        if finished {
            break;
        }
    }
    assert!(told.iter().all(|(signature, entry)| entry.depth >= 2 && table.probe(*signature).is_some()));
    told.into_iter().map(|(signature, _)| signature).collect()
}

#[test]
fn everybody_is_told_also_what_a_kernel_found_out() {
    let fine = told("replicated:tell=2:company=1", 2, 0);
    let coarse = told("replicated:tell=2:company=1", 2, 3);
    assert!(fine.len() > 100, "{}", fine.len());
    assert_eq!(coarse.len(), fine.len(), "who searches a node makes no difference");
    assert_eq!(told("replicated:tell=2:company=1", 1, 3), [], "there is nobody to tell");
    // The kernel has all nodes of three plies and less.
    let homes = told("partitioned:depth=2", 2, 3).len();
    assert!(
        homes > 0 && homes * 2 < coarse.len(),
        "{homes} of {}: only nodes that others ask about",
        coarse.len()
    );
}
