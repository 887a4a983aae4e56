#!/usr/bin/env python3
"""Solves Korf's hundred 15-puzzles and compares lengths and nodes with the published ones.

    multigame tables 15-puzzle --output 15.tables
    korf.py --binary target/release/multigame --tables 15.tables            # all of them, pattern databases
    korf.py --binary target/release/multigame --rules 15-puzzle             # all of them, the bound of the rules
    korf.py --binary target/release/multigame --most 20000000               # Manhattan distance, the easier ones
    multigame build experiments/korf/korf.mg --output korf
    korf.py --program ./korf --most 100000000                               # the same by a program built from the rules

Nodes are counted as Korf did: positions generated, the first one once. With the Manhattan distance and the moves in his
order (korf.mg) the number must be his to the last node.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
KORF = str(HERE / "korf.mg")


def instances():
    for line in (HERE / "instances.txt").read_text().splitlines():
        if not line.startswith("#"):
            number, position, bound, length, nodes = line.split()
            yield int(number), position, int(bound), int(length), int(nodes)


def solve(arguments, position):
    rules = [arguments.program, "search"] if arguments.program else [arguments.binary, "search", arguments.rules]
    command = [*rules, "--position", position, "--engine", "idastar"]
    command += ["--options", "tt=off", "--depth", "100", "--json"]
    if arguments.tables:
        command += ["--tables", arguments.tables]
    report = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    counts = report["statistics"]
    # Each further iteration generates the first position again.
    nodes = counts["nodes"] + counts["leaves"] - len(report["iterations"])
    return len(report["pv"]), nodes, report["seconds"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default="target/release/multigame")
    parser.add_argument("--program", help="what `multigame build` made of korf.mg, used instead of --binary")
    parser.add_argument("--rules", default=KORF, help="other rules, such as 15-puzzle, whose lower bound then counts")
    parser.add_argument("--tables", help="pattern databases; the Manhattan distance if not given")
    parser.add_argument("--most", type=int, default=10**12, help="leave out those for which Korf generated more nodes")
    arguments = parser.parse_args()
    count = wrong = total = 0
    seconds = 0.0
    for number, position, _, length, nodes in instances():
        if nodes > arguments.most:
            continue
        found, generated, time = solve(arguments, position)
        plain = arguments.rules == KORF and not arguments.tables
        same = found == length and (not plain or generated == nodes)
        wrong += not same
        count, total, seconds = count + 1, total + generated, seconds + time
        mark = "" if same else f"  DIFFERS: {length} moves, {nodes} nodes"
        print(f"{number:>3} {position}  {found} moves  {generated:>11} nodes  {time:8.2f} s{mark}", flush=True)
    print(f"{count} solved, {wrong} differ; {total / max(count, 1):.0f} nodes on average, {total / seconds:.0f} nodes/s")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
