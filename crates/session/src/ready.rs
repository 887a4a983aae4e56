//! Games made ready for sessions: at once by the interpreter, later by machine code.

use std::sync::{Arc, mpsc};
use std::time::Duration;

use multigame_endgame::Endgames;
use multigame_game::{Portable, WithGame};
use multigame_ir::{Program, RulesGame};
use multigame_loader::{Backend, NATIVE, Playable};
use multigame_player::ranks::{Ranks, Rulebook};

use crate::session::{Hosted, HostedGame, Next, Shared};

/// Machine code that is ready within this time is used from the beginning; otherwise the interpreter begins.
const PATIENCE: Duration = Duration::from_millis(700);

/// Makes a game one that sessions can be opened for.
pub struct MakeHosted {
    tracer: RulesGame,
    shared: Option<Shared>,
    endgames: Option<Arc<Endgames>>,
}

impl MakeHosted {
    /// For a program that is played by the interpreter or not.
    fn new(program: Program, interpret: bool, with: &With) -> MakeHosted {
        let book = || Arc::new(Rulebook::new(&program, interpret));
        let shared = with.ranks.map(|ranks| Shared { ranks, book: book() });
        MakeHosted { tracer: RulesGame::new(program), shared, endgames: with.endgames.clone() }
    }
}

impl WithGame for MakeHosted {
    type Output = Arc<dyn Hosted>;

    fn run<G: Portable + 'static>(self, game: G) -> Arc<dyn Hosted> {
        let MakeHosted { tracer, shared, endgames } = self;
        Arc::new(HostedGame { game, tracer, shared, endgames })
    }
}

/// Makes a game one that sessions can be opened for, by `Playable::run`. The front end has this function, so
/// that the searches of sessions are those that its other commands have: they are compiled once.
pub type MakeGame = fn(Playable, MakeHosted) -> Arc<dyn Hosted>;

/// What a game can be played with besides its rules.
#[derive(Clone, Default)]
pub struct With {
    /// The ranks that search it, too.
    pub ranks: Option<&'static Ranks>,
    /// The values of positions that are known.
    pub endgames: Option<Arc<Endgames>>,
}

/// A game that can be played at once.
pub struct Ready {
    /// What plays it at first.
    pub first: Arc<dyn Hosted>,
    /// What plays it afterwards; it comes when the compiler is ready.
    pub next: Arc<Next>,
    /// How it is run at first, in words.
    pub backend: &'static str,
}

/// Gets a program ready. Large rules take seconds to become machine code, and nobody has to wait for that.
pub fn get_ready(program: Program, make: MakeGame, with: With) -> Ready {
    let next = Arc::new(Next::new());
    let (sender, receiver) = mpsc::channel();
    let (filled, compiled, along) = (Arc::clone(&next), program.clone(), with.clone());
    // Where the system has no more threads, the interpreter goes on.
    let _ = std::thread::Builder::new().spawn(move || {
        let made = MakeHosted::new(compiled.clone(), false, &along);
        let (playable, _) = Playable::new(compiled, Backend::Auto);
        if playable.is_native() {
            let _ = filled.set(make(playable, made));
        }
        // Nobody may be waiting any more.
        let _ = sender.send(());
    });
    let _ = receiver.recv_timeout(PATIENCE);
    if let Some(native) = next.get() {
        return Ready { first: Arc::clone(native), next: Arc::default(), backend: NATIVE };
    }
    let made = MakeHosted::new(program.clone(), true, &with);
    let (playable, _) = Playable::new(program, Backend::Interp);
    let backend = playable.backend();
    Ready { first: make(playable, made), next, backend }
}
