#!/usr/bin/env python3
"""Positions of chess with what a UCI engine thinks of them, for `multigame learn chess --judged FILE`.

    judged.py POSITIONS NODES SEED PROGRAM [ARGUMENT]... > FILE

The engine plays against itself with so many nodes a move, after a few random moves and with some in between, so that
positions are not all alike. Kept are positions that are quiet: nobody is in check and the best move takes nothing. A line is
`POSITION | SCORE`, the score being what White may expect, from 0 to 1. Needs python-chess (`tests/setup`).
"""

import math
import random
import subprocess
import sys

import chess

# Stockfish says 100 where it expects half of the games to be won and hardly any to be lost.
SCALE = 100 / math.log(3)
OPENING = 6
STRAY = 0.1
# Positions farther from equality than this have been decided.
DECIDED = 1500


class Engine:
    """A UCI engine behind plain pipes: python-chess's own client takes longer than such short searches do."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.say("uci", "setoption name Threads value 1", "setoption name Hash value 16", "isready")
        self.wait_for("readyok")

    def say(self, *lines):
        self.process.stdin.write("\n".join(lines) + "\n")
        self.process.stdin.flush()

    def wait_for(self, word):
        """The last line about a score before the line that begins with `word`, and that line."""
        about = None
        while line := self.process.stdout.readline():
            if line.startswith(word):
                return about, line
            if " score " in line:
                about = line
        sys.exit("the engine has gone")

    def judge(self, fen, nodes):
        """The score for the player to move, and the best move."""
        self.say(f"position fen {fen}", f"go nodes {nodes}")
        about, answer = self.wait_for("bestmove")
        words = about.split()
        kind, number = words[words.index("score") + 1 :][:2]
        score = int(number)
        if kind == "mate":
            score = 10_000 if score > 0 else -10_000
        return score, chess.Move.from_uci(answer.split()[1])


def main():
    wanted, nodes, seed = map(int, sys.argv[1:4])
    chance = random.Random(seed)
    engine = Engine(sys.argv[4:])
    seen = set()
    while len(seen) < wanted:
        board = chess.Board()
        plies = OPENING + chance.randrange(6)
        decided = 0
        while not board.is_game_over() and board.halfmove_clock < 60 and board.ply() < 240 and decided < 6:
            if board.ply() < plies or chance.random() < STRAY:
                board.push(chance.choice(list(board.legal_moves)))
                continue
            fen = board.fen()
            score, move = engine.judge(fen, nodes)
            decided = decided + 1 if abs(score) > DECIDED else 0
            quiet = not board.is_check() and not board.is_capture(move) and not move.promotion
            if quiet and abs(score) < 10_000 and fen not in seen:
                seen.add(fen)
                white = score if board.turn == chess.WHITE else -score
                print(f"{fen} | {1 / (1 + math.exp(-white / SCALE)):.6f}", flush=True)
            board.push(move)


main()
