#!/usr/bin/env python3
"""Positions of chess with what a UCI engine thinks of them, for `multigame learn chess --judged FILE`.

    judged.py POSITIONS NODES SEED PROGRAM [ARGUMENT]... > FILE

The engine plays against itself with so many nodes a move, after a few random moves and with some in between, so that
positions are not all alike. Kept are positions that are quiet: nobody is in check and the best move takes nothing. A line is
`POSITION | SCORE`, the score being what White may expect, from 0 to 1. Needs python-chess (`tests/setup`).
"""

import math
import random
import sys

import chess
import chess.engine

# Stockfish says 100 where it expects half of the games to be won and hardly any to be lost.
SCALE = 100 / math.log(3)
OPENING = 8
STRAY = 0.08
# Positions farther from equality than this have been decided.
DECIDED = 1200


def main():
    wanted, nodes, seed = map(int, sys.argv[1:4])
    chance = random.Random(seed)
    engine = chess.engine.SimpleEngine.popen_uci(sys.argv[4:])
    engine.configure({"Threads": 1, "Hash": 16})
    limit = chess.engine.Limit(nodes=nodes)
    seen = set()
    while len(seen) < wanted:
        board = chess.Board()
        plies = OPENING + chance.randrange(4)
        decided = 0
        while not board.is_game_over(claim_draw=True) and board.ply() < 240 and decided < 4:
            if board.ply() < plies or chance.random() < STRAY:
                board.push(chance.choice(list(board.legal_moves)))
                continue
            result = engine.play(board, limit, info=chess.engine.INFO_SCORE)
            score = result.info["score"].white().score(mate_score=10_000)
            decided = decided + 1 if abs(score) > DECIDED else 0
            fen = board.fen()
            quiet = not board.is_check() and not board.is_capture(result.move) and not result.move.promotion
            if quiet and not decided and fen not in seen:
                seen.add(fen)
                print(f"{fen} | {1 / (1 + math.exp(-score / SCALE)):.4f}", flush=True)
            board.push(result.move)
    engine.quit()


main()
