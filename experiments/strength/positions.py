"""How many test positions a UCI engine solves: its last best move is one of those an EPD file names.

Usage: positions.py FILE.epd SECONDS PROGRAM [ARGUMENTS...]
SECONDS like `50000n` are positions to search instead.
Needs python-chess: tests/setup, then target/python/bin/python.
"""

import sys

import chess
import chess.engine


def read(path):
    for line in open(path):
        if line.strip():
            board = chess.Board()
            yield board, board.set_epd(line)


def main():
    path, effort, command = sys.argv[1], sys.argv[2], sys.argv[3:]
    if effort.endswith("n"):
        limit = chess.engine.Limit(nodes=int(effort[:-1]))
    else:
        limit = chess.engine.Limit(time=float(effort))
    engine = chess.engine.SimpleEngine.popen_uci(command, timeout=60)
    solved = total = 0
    for board, operations in read(path):
        result = engine.play(board, limit, game=object(), info=chess.engine.INFO_BASIC)
        right = result.move in operations["bm"]
        solved += right
        total += 1
        named = " ".join(board.san(move) for move in operations["bm"])
        depth = result.info.get("depth", "-")
        print(f"{operations['id']:8} {'solved' if right else '      '} {board.san(result.move):7} {named:12} depth {depth}",
              flush=True)
    engine.quit()
    print(f"{solved} of {total} solved with {effort} each")


main()
