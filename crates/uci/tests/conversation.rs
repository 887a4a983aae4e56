//! Conversations: what is said in answer to what.

#![allow(clippy::disallowed_methods, reason = "a test may use files")]

mod support;

use expect_test::expect;
use multigame_uci::{Action, Protocol, Settings, Told};
use support::{Moves, game, player};

/// Feeds lines to the state machine; `>` lines are what the search tells. Gives what is done, one line each.
fn talk(script: &str) -> String {
    let game = game("tic-tac-toe");
    let stop = Default::default();
    let player = player(&game, &stop);
    let mut protocol = Protocol::new(&game, Settings::of(&player));
    let mut done = String::new();
    for line in script.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let actions = match line.strip_prefix('>') {
            Some("end") => protocol.hung_up(),
            Some(told) => {
                let mut words = told.split_whitespace().map(str::to_string);
                protocol.finished(Told { best: words.next(), answer: words.next() })
            }
            None => protocol.hear(line),
        };
        for action in actions {
            done.push_str(&match action {
                Action::Say(text) => format!("say {text}\n"),
                Action::Configure(settings) => {
                    format!(
                        "configure {} MiB, {} lines, {:?}\n",
                        settings.hash,
                        settings.lines,
                        settings.search.to_string()
                    )
                }
                Action::GetReady => "get ready\n".to_string(),
                Action::Forget => "forget\n".to_string(),
                Action::Think(job) => format!(
                    "think after {} moves, depth {:?}, nodes {:?}, time {:?}, clock {:?}, only {}{}{}\n",
                    job.line.moves().len(),
                    job.limits.depth,
                    job.limits.nodes,
                    job.limits.time,
                    job.limits.clock.map(|clock| (clock.left[0], clock.increment, clock.moves_to_go)),
                    job.only.len(),
                    if job.waiting { ", waiting" } else { "" },
                    if job.several { ", several" } else { "" },
                ),
                Action::Stop => "stop\n".to_string(),
                Action::Release => "release\n".to_string(),
                Action::Quit => "quit\n".to_string(),
            });
        }
    }
    done
}

#[test]
fn greeting_and_options() {
    expect![[r#"
        say id name Multigame 0.1.0 (tic-tac-toe)
        say id author the Multigame developers
        say option name Hash type spin default 64 min 1 max 1048576
        say option name Threads type spin default 1 min 1 max 256
        say option name MultiPV type spin default 1 min 1 max 256
        say option name Ponder type check default false
        say option name Clear Hash type button
        say option name Search type string default <empty>
        say uciok
        configure 8 MiB, 1 lines, ""
        configure 8 MiB, 1 lines, ""
        configure 8 MiB, 1 lines, "lmr=on"
        forget
        forget
        get ready
    "#]]
    .assert_eq(&talk(
        "uci
        debug on
        setoption name hash value 8
        setoption name Ponder value true
        setoption name Search value lmr=on
        setoption name Clear Hash
        ucinewgame
        isready",
    ));
}

#[test]
fn what_is_wrong_is_said_and_changes_nothing() {
    expect![[r#"
        say info string there is no command `sing`
        say info string option `Hash` is a number from 1 to 1048576, not `many`
        say info string option `Ponder` is `true` or `false`, not `1`
        say info string there is no option `Style`; there are Hash, Threads, MultiPV, Ponder, Clear Hash, Search
        say info string there is no option `lrm`; known are engine, deepening, aspiration, aspiration-narrow, aspiration-wide, tt, tt-size, tt-layout, tt-depth, depth-exact, tt-cutoffs, table-move, history, history-form, history-malus, merits, killers, fewest, refutation, etc, iid, iir, singular, symmetry, quiescence, quiescence-depth, quiescence-table, extensions, null, lmr, futility, lmp, futility-margin, evaluation-cache, repetition, lines, poll, tree-nodes, seed, star1, star2, points, threads, policy, memory
        say info string `Search` does not set `tt-size`; set option `Hash`
        say info string the position is wrong: 1 rows are given, 3 are expected, separated by `/`
        say info string `z9` is not a legal move here; `legal` lists them
        say info string `b2` is not a legal move here; `legal` lists them
        say bestmove (none)
        think after 1 moves, depth Some(1), nodes None, time None, clock None, only 0
    "#]]
    .assert_eq(&talk(
        "position startpos moves b2
        sing
        setoption name Hash value many
        setoption name Ponder value 1
        setoption name Style value wild
        setoption name Search value lrm=on
        setoption name Search value tt-size=4
        position fen xx
        position startpos moves b2 z9
        go searchmoves b2
        go depth 1",
    ));
}

#[test]
fn limits_of_all_kinds() {
    expect![[r#"
        think after 0 moves, depth None, nodes None, time None, clock Some((60s, 1s, Some(20))), only 0
        say bestmove b2 ponder a1
        think after 1 moves, depth None, nodes None, time None, clock Some((59s, 2s, None)), only 0
        say bestmove a1
        think after 0 moves, depth Some(3), nodes Some(100), time Some(50ms), clock None, only 2
        say bestmove a1
        think after 0 moves, depth Some(5), nodes None, time None, clock None, only 0
        say bestmove (none)
    "#]]
    .assert_eq(
        &talk(
            "go wtime 60000 btime 59000 winc 1000 binc 2000 movestogo 20
        >b2 a1
        position startpos moves b2
        go wtime 60000 btime 59000 winc 1000 binc 2000
        >a1
        position fen ... /
        position fen .../.../... w
        go depth 3 nodes 100 movetime 50 searchmoves a1 b2
        >a1
        go mate 3
        >",
        )
        .lines()
        .filter(|line| !line.contains("position is wrong"))
        .map(|line| format!("{line}\n"))
        .collect::<String>(),
    );
}

#[test]
fn an_endless_search_is_held_until_stop() {
    expect![[r#"
        think after 0 moves, depth None, nodes None, time Some(10000000s), clock None, only 0
        say readyok
        say bestmove b2
        think after 0 moves, depth None, nodes None, time Some(10000000s), clock None, only 0
        stop
        say bestmove a1
    "#]]
    .assert_eq(&talk(
        "go infinite
        isready
        >b2
        stop
        go
        stop
        >a1",
    ));
}

#[test]
fn pondering() {
    expect![[r#"
        think after 0 moves, depth None, nodes None, time None, clock Some((9s, 0ns, None)), only 0, waiting
        release
        say bestmove b2 ponder a1
        think after 0 moves, depth None, nodes None, time None, clock Some((9s, 0ns, None)), only 0, waiting
        say bestmove c3
        think after 0 moves, depth None, nodes None, time None, clock Some((9s, 0ns, None)), only 0, waiting
        stop
        say bestmove c3
    "#]]
    .assert_eq(&talk(
        "go ponder wtime 9000 btime 9000
        ponderhit
        >b2 a1
        go ponder wtime 9000 btime 9000
        >c3
        ponderhit
        go ponder wtime 9000 btime 9000
        stop
        >c3
        ponderhit
        stop",
    ));
}

#[test]
fn impatient_programs_are_served_in_order() {
    expect![[r#"
        think after 0 moves, depth Some(9), nodes None, time None, clock None, only 0
        stop
        stop
        stop
        say bestmove b2
        think after 2 moves, depth Some(3), nodes None, time None, clock None, only 0
        say bestmove c3
        quit
    "#]]
    .assert_eq(
        &talk(
            "go depth 9
        position startpos moves b2 a1
        go depth 3
        isready
        position startpos
        >b2
        >end
        >c3",
        )
        .replace("say readyok\n", ""),
    );
}

#[test]
fn searches_that_wait_for_a_stop_end_with_the_input() {
    expect![[r#"
        think after 0 moves, depth Some(5), nodes None, time None, clock None, only 0
        stop
        stop
        say bestmove b2
        think after 0 moves, depth None, nodes None, time Some(10000000s), clock None, only 0
        stop
        say bestmove a1
        think after 0 moves, depth None, nodes None, time None, clock Some((9s, 0ns, None)), only 0, waiting
        stop
        say bestmove c3
        quit
    "#]]
    .assert_eq(&talk(
        "go depth 5
        go infinite
        go ponder wtime 9000
        >end
        >b2
        >a1
        >c3",
    ));
}

#[test]
fn a_stop_is_meant_for_the_search_before_it() {
    expect![[r#"
        think after 0 moves, depth Some(5), nodes None, time None, clock None, only 0
        stop
        say bestmove b2
        think after 0 moves, depth None, nodes None, time Some(10000000s), clock None, only 0
        stop
        say bestmove a1
    "#]]
    .assert_eq(&talk(
        "go depth 5
        go infinite
        stop
        >b2
        >a1",
    ));
}

#[test]
fn positions_are_continued_and_taken_back() {
    let game = game("tic-tac-toe");
    let stop = Default::default();
    let mut protocol = Protocol::new(&game, Settings::of(&player(&game, &stop)));
    for moves in ["b2 a1 c3", "b2 a1", "b2 c1 c3", "", "a1"] {
        assert!(protocol.hear(&format!("position startpos moves {moves}")).is_empty());
        assert_eq!(protocol.line().names(), moves.split_whitespace().collect::<Vec<_>>());
    }
}
