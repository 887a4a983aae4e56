//! Any bytes as what a program says by UCI: every `go` is answered by one `bestmove`, and the conversation
//! ends with its input.

use std::collections::VecDeque;

use multigame_input::{Heard, hear};
use multigame_uci::{Action, Protocol, Settings, Told};

use crate::games::{Both, chosen};

/// Answers to a greeting and more: nothing says more than that in answer to one line.
const MOST_ACTIONS: usize = 100;

pub fn check(input: &[u8]) {
    let Some((Both { rules, .. }, mut lines)) = chosen(input) else { return };
    let settings = Settings { hash: 1, threads: 1, lines: 1, ponder: false, search: Default::default() };
    let mut talk = Talk { protocol: Protocol::new(rules, settings), searches: 0, answers: 0, quit: false };
    let mut count = 0;
    while let Some(heard) = hear(&mut lines).expect("memory can be read") {
        let actions = match heard {
            Heard::Line(line) => talk.protocol.hear(&line),
            Heard::TooLong => talk.protocol.heard_too_much(),
        };
        assert!(actions.len() <= MOST_ACTIONS);
        talk.act(actions);
        // Some searches end at once, others are told to.
        count += 1;
        if count % 3 == 0 {
            talk.finish();
        }
        if talk.quit {
            return;
        }
    }
    let actions = talk.protocol.hung_up();
    talk.act(actions);
    while talk.searches > 0 && !talk.quit {
        talk.finish();
    }
    assert!(talk.quit, "the conversation does not end with its input");
}

struct Talk<'g, G: multigame_game::Game> {
    protocol: Protocol<'g, G>,
    /// Searches that are going on: none or one.
    searches: usize,
    answers: usize,
    quit: bool,
}

impl<'g, G: multigame_game::Game> Talk<'g, G> {
    fn act(&mut self, actions: Vec<Action<'g, G>>) {
        for action in VecDeque::from(actions) {
            match action {
                Action::Think(_) => {
                    assert_eq!(self.searches, 0, "one search at a time");
                    self.searches = 1;
                }
                Action::Say(line) => {
                    assert!(!line.contains('\n'), "{line}");
                    self.answers += usize::from(line.starts_with("bestmove"));
                }
                Action::Quit => self.quit = true,
                _ => {}
            }
        }
    }

    /// The search that is going on ends.
    fn finish(&mut self) {
        if self.searches == 0 {
            return;
        }
        self.searches = 0;
        let actions = self.protocol.finished(Told::default());
        self.act(actions);
    }
}

/// Conversations as programs have them.
pub fn seeds() -> Vec<Vec<u8>> {
    let talks: [&[u8]; 5] = [
        b"uci\nsetoption name Hash value 8\nsetoption name MultiPV value 3\nisready\nucinewgame\n",
        b"position startpos moves b2 a1\ngo wtime 1000 btime 1000 winc 10 binc 10 movestogo 5\nstop\nquit\n",
        b"position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves e2e4\ngo depth 5\ngo infinite\n",
        b"go ponder movetime 100\nponderhit\ngo nodes 100 searchmoves d2d4 e2e4\nisready\nstop\n",
        b"go mate 3\nposition startpos\nsetoption name Search value lmr=on\nsetoption name Clear Hash\ngo\n",
    ];
    (0..2).flat_map(|game| talks.map(|talk| [&[game], talk].concat())).collect()
}
