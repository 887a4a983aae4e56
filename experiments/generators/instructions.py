#!/usr/bin/env python3
"""Instructions per counted leaf and per generated move, by valgrind.

    cargo build --release
    experiments/generators/instructions.py [GAME ...]      # all bundled games if none is named

Two runs that differ only in the amount of work are subtracted, so that starting and compiling do not count:
perft to depth D and D-1, once as it is and once with `--make`, which makes every position. The counts are exact and do not depend on what else the machine
does; only the compiler's threads make them vary by some thousand instructions.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "target" / "release" / "multigame"
VALGRIND = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null",
            "--smc-check=all-non-file"]
LEAVES = 60_000  # the first depth with this many leaves is measured


def run(arguments):
    """What the program prints with --json, or nothing if it fails or takes too long."""
    try:
        done = subprocess.run([PROGRAM, *arguments, "--json"], capture_output=True, text=True, timeout=120)
    except subprocess.TimeoutExpired:
        return None
    return json.loads(done.stdout) if done.returncode == 0 else None


def instructions(arguments):
    done = subprocess.run([*VALGRIND, PROGRAM, *arguments], capture_output=True, text=True)
    found = re.search(r"I\s+refs:\s+([\d,]+)", done.stderr)
    if done.returncode != 0 or not found:
        raise SystemExit(f"valgrind failed on {arguments}: {done.stderr[-500:]}")
    return int(found.group(1).replace(",", ""))


def per_leaf(game):
    """The depth with enough leaves, and the instructions for each: counted, and made."""
    for depth in range(2, 30):
        counts = run(["perft", game, str(depth)])
        if counts is None:
            return None
        leaves = counts["perft"][-1]["count"]
        if leaves >= LEAVES:
            more, less = (instructions(["perft", game, str(d)]) for d in (depth, depth - 1))
            made, before = (instructions(["perft", game, str(d), "--make"]) for d in (depth, depth - 1))
            return depth, (more - less) / leaves, (made - before) / leaves
        if leaves == 0:
            return None
    return None


def main():
    games = sys.argv[1:] or sorted(path.parent.name for path in (ROOT / "games").glob("*/rules.mg"))
    print("| game | perft depth | instructions a leaf | instructions a generated move |")
    print("|---|---|---|---|")
    for game in games:
        depth, leaf, move = per_leaf(game) or ("-", None, None)
        shown = [f"{value:.0f}" if value is not None else "-" for value in (leaf, move)]
        print(f"| {game} | {depth} | {shown[0]} | {shown[1]} |", flush=True)


main()
