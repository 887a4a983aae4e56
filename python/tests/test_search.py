"""Searches, solutions, counts, matches, analyses, simulations."""

import os
import signal
import threading
import time

import pytest

import multigame

MATE = "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1"


@pytest.fixture(scope="module")
def chess():
    return multigame.load("chess")


def test_search_finds_a_mate_and_tells_of_it(chess):
    told = []
    found = chess.position(MATE).search("lmr=off", depth=3, threads=1, engine="negascout", report=told.append)
    assert (found.best.name, found.value, found.proved, found.engine) == ("a1a8", "won in 1", True, "negascout")
    assert found.pv == ["a1a8"] and found.nodes > 0 and found.iterations == told
    assert told[0]["depth"] == 1


def test_search_takes_the_options_of_the_command_line(chess):
    start = chess.initial()
    assert start.search(depth=4, threads=2, policy="ybwc", table=8).threads["policy"] == "ybwc"
    assert start.search(nodes=2000, tt=False).statistics["nodes"] < 50_000
    assert start.search(time="50ms", evaluation="material").seconds < 10
    with pytest.raises(ValueError, match="policy"):
        start.search(depth=2, policy="ybwc")


def test_solutions(tmp_path):
    assert multigame.load("tic-tac-toe").initial().solve().result == "draw"
    hanoi = multigame.load("hanoi", discs=4).initial()
    solution = hanoi.solve(table=16)
    assert solution.result == "solved in 15 moves" and hanoi.play(*solution.moves).outcome.winner == 0
    assert hanoi.solve(engine="idastar", table=16).moves[0] == solution.best.name
    verdict = multigame.load("connect-4", columns=4, rows=4).initial().solve(verdict=True)
    assert verdict.result == "draw"
    puzzle = multigame.load("15-puzzle").initial()
    assert puzzle.solve(perimeter=6, nodes=2000, engine="idastar").result is None
    kept = tmp_path / "kept"
    game = multigame.load("connect-4", columns=5, rows=4)
    assert game.initial().solve(nodes=5000, checkpoint=kept, engine="negascout").result is None
    assert kept.exists()
    assert game.initial().solve(checkpoint=kept, engine="negascout").result is not None
    with pytest.raises(ValueError, match="puzzles"):
        game.initial().solve(perimeter=4)
    with pytest.raises(ValueError, match="checkpoint"):
        game.initial().solve(checkpoint_every="1m")


def test_counts_agree_with_published_ones(chess):
    start = chess.initial()
    assert start.perft(0) == 1
    assert start.perft(4) == start.perft(4, threads=2) == 197_281
    parts = start.divide(3)
    assert sum(parts.values()) == 8902 and parts["e2e4"] == 600
    kiwipete = chess.position("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
    assert kiwipete.perft(3) == 97_862


def test_evaluations_are_explained(chess):
    told = chess.initial().play("e4", "d5", "exd5").evaluate("material")
    assert told["value"] < 0 and told["side"] == "black" and told["terms"]
    assert "othello" in multigame.games() and multigame.load("othello").evaluations


def test_matches():
    game = multigame.load("tic-tac-toe")
    seen = []
    told = game.match({"depth": 9, "name": "strong"}, "random,seed=3", games=10, plies=0, report=seen.append)
    assert told["players"] == ["strong", "random,seed=3"] and told["losses"] == 0 and told["wins"] > 0
    assert told["played"] == seen and len(seen) == 10
    assert {"number", "white", "result", "moves", "reason"} <= set(seen[0])
    opened = game.match("random", "random,seed=2", games=2, openings=["startpos | a1 b2"])
    assert all(entry["moves"][:2] == ["a1", "b2"] for entry in opened["played"])
    sprt = game.match({"depth": 9}, "random", games=400, plies=2, sprt=(0, 50))
    assert sprt["sprt"]["verdict"] == "accepted" and sprt["games"] < 400
    with pytest.raises(ValueError, match="is not a player"):
        game.match("strong")


def test_analysis_and_simulation():
    game = multigame.load("tic-tac-toe")
    told = game.analyze(games=50, depth=2, selfplay=4, doublings=0)
    assert told["random"]["games"] == 50 and len(told["levels"]) == 2 and told["complete"]
    rows = game.initial().simulate([1, 4], depth=5, seed=2)
    assert [row["processors"] for row in rows] == [1, 4] and rows[0]["speedup"] == 1.0
    puzzle = multigame.load("hanoi", discs=3).initial().simulate([1, 2], policy="stealing")
    assert puzzle[0]["value"] == 7
    with pytest.raises(ValueError, match="for games of two players"):
        multigame.load("hanoi").initial().simulate([1], options="tt=off")
    with pytest.raises(ValueError, match="processors"):
        game.initial().simulate([0])


def test_tables_of_pandas():
    pandas = pytest.importorskip("pandas")
    game = multigame.load("tic-tac-toe")
    assert len(pandas.DataFrame(game.initial().search(depth=5).iterations)) >= 1
    assert list(pandas.DataFrame(game.initial().simulate([1, 2], depth=3))["processors"]) == [1, 2]
    assert pandas.DataFrame(game.random_games(100).columns())["plies"].between(5, 9).all()


def test_ctrl_c_ends_a_search(chess):
    def press():
        time.sleep(0.3)
        os.kill(os.getpid(), signal.SIGINT)

    for work in (
        lambda: chess.initial().search(time=60),
        lambda: multigame.load("connect-4").initial().solve(),
        lambda: chess.initial().perft(8),
        lambda: chess.random_games(10**7),
        lambda: multigame.load("othello").match(games=1000, time=0.05),
    ):
        thread = threading.Thread(target=press)
        start = time.monotonic()
        thread.start()
        with pytest.raises(KeyboardInterrupt):
            work()
        thread.join()
        assert time.monotonic() - start < 30


def test_a_report_that_fails_ends_the_search(chess):
    def fail(_):
        raise RuntimeError("no more")

    start = time.monotonic()
    with pytest.raises(RuntimeError, match="no more"):
        chess.initial().search(time=60, report=fail)
    assert time.monotonic() - start < 30


def test_python_goes_on_while_something_is_searched(chess):
    count, done = 0, threading.Event()

    def search():
        chess.initial().search(time=0.5)
        done.set()

    threading.Thread(target=search).start()
    while not done.is_set():
        count += 1
        time.sleep(0.001)
    assert count > 20
