//! Jobs inside of one process, for tests: every rank is a thread.

use std::time::{Duration, Instant};

use multigame_cluster::memory::{self, Weather};
use multigame_cluster::{Cluster, SilenceLimit};
use multigame_game::WithGame;
use multigame_jit::JitGame;
use multigame_player::ranks::{Chores, Member, Next, Ranks, no_game};

/// Nobody is silent for long in here, but machines that run tests are busy.
pub const SILENCE: SilenceLimit =
    SilenceLimit { beat: Duration::from_millis(100), silence: Duration::from_secs(60) };

/// Runs a job of this many ranks; `conduct` is what rank 0 does.
pub fn job<T>(size: u32, weather: Weather, conduct: impl FnOnce(&Ranks) -> T) -> T {
    job_with(&(), size, weather, conduct)
}

/// The same with ranks that know chores.
pub fn job_with<T>(
    chores: &(impl Chores + Sync),
    size: u32,
    weather: Weather,
    conduct: impl FnOnce(&Ranks) -> T,
) -> T {
    let mut ends = memory::ranks(size, weather).into_iter();
    let first = ends.next().expect("there is a rank 0");
    let cluster = |end| Cluster::new(Box::new(end), SILENCE, |lost| panic!("{lost}"));
    std::thread::scope(|scope| {
        for end in ends {
            scope.spawn(move || follow(&cluster(end), chores));
        }
        let ranks = Ranks::new(cluster(first)).unwrap();
        let _over = Over(&ranks);
        conduct(&ranks)
    })
}

/// Ends the job, also where a test fails: the others would wait for ever.
struct Over<'r>(&'r Ranks);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.quit();
    }
}

/// What the other ranks do.
fn follow(cluster: &Cluster, chores: &impl Chores) {
    let start = Instant::now();
    let mut next = no_game(cluster, start, chores).unwrap();
    while let Next::Load { program, .. } = next {
        let game = JitGame::new(multigame_ir::parse(&program).unwrap()).unwrap();
        next = Member { cluster, start, program: &program, chores }.run(game).unwrap();
    }
}
