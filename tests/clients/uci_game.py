"""Plays a full game of chess through `multigame uci chess` with python-chess, and asks for the rarer things.

Usage: uci_game.py PROGRAM
"""

import sys
import time

import chess
import chess.engine


def play_game(engine):
    """The engine plays both sides with a clock; python-chess referees."""
    board = chess.Board()
    left = [3.0, 3.0]
    increment = 0.02
    while not board.is_game_over(claim_draw=True) and board.ply() < 300:
        limit = chess.engine.Limit(
            white_clock=left[0], black_clock=left[1], white_inc=increment, black_inc=increment
        )
        side = 0 if board.turn == chess.WHITE else 1
        start = time.monotonic()
        result = engine.play(board, limit, info=chess.engine.INFO_BASIC)
        left[side] += increment - (time.monotonic() - start)
        assert left[side] > 0, f"lost on time after {board.ply()} plies"
        assert result.move in board.legal_moves, f"{result.move} in {board.fen()}"
        board.push(result.move)
    return board


def ask(engine):
    """Analysis, several lines, some moves only, mate, pondering."""
    board = chess.Board()
    lines = engine.analyse(board, chess.engine.Limit(depth=4), multipv=3)
    assert len(lines) == 3, lines
    assert len({line["pv"][0] for line in lines}) == 3, lines
    scores = [line["score"].relative.score(mate_score=100000) for line in lines]
    assert scores == sorted(scores, reverse=True), scores

    only = chess.Move.from_uci("a2a3")
    result = engine.play(board, chess.engine.Limit(depth=3), root_moves=[only])
    assert result.move == only, result

    ladder = chess.Board("6k1/8/8/8/8/8/1R6/R5K1 w - - 0 1")
    info = engine.analyse(ladder, chess.engine.Limit(mate=2))
    assert info["score"].relative == chess.engine.Mate(2), info

    promotion = chess.Board("8/P6k/8/8/8/8/7K/8 w - - 0 1")
    assert engine.play(promotion, chess.engine.Limit(depth=3)).move.promotion == chess.QUEEN

    pondered = engine.play(board, chess.engine.Limit(depth=4), ponder=True)
    assert pondered.ponder is not None
    board.push(pondered.move)
    board.push(pondered.ponder)
    assert engine.play(board, chess.engine.Limit(time=0.1), ponder=True).move in board.legal_moves

    with engine.analysis(board) as analysis:
        for info in analysis:
            if info.get("depth", 0) >= 3:
                break


def main():
    # The engine is ended whatever happens: its thread would keep this program alive.
    with chess.engine.SimpleEngine.popen_uci([sys.argv[1], "uci", "chess"], timeout=60) as engine:
        assert engine.id["name"].startswith("Multigame"), engine.id
        engine.configure({"Hash": 16})
        board = play_game(engine)
        ask(engine)
        engine.quit()
    print(f"{board.ply()} plies, {board.result(claim_draw=True)}")


main()
