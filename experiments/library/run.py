#!/usr/bin/env python3
"""Random games of every bundled game, with all checks, and the published counts that are too large for the tests.

    experiments/library/run.py --binary target/release/multigame --games 1000 > experiments/library/report.md

For each game: `playout --check` plays the games (a puzzle for at most 200 moves each), reads the names of all moves of a
random position of each game back, and says how the games ended; `playout --coverage` lists the parts of the rules that
never had a result in a tenth of them. A game that takes longer than `--seconds` is stopped and reported as such.
"""

import argparse
import json
import subprocess
from pathlib import Path

LIBRARY = Path(__file__).resolve().parents[2] / "games"

# Counts that `tests/games.rs` leaves out, or that are worth a second look: command, last line expected.
COUNTS = [
    (["perft", "amazons", "2"], "perft 2 4307152"),
    (["perft", "xiangqi", "4"], "perft 4 3290240"),
    (["perft", "shogi", "4"], "perft 4 719731"),
    (["perft", "minishogi", "5"], "perft 5 533203"),
]


def run(arguments, command):
    command = [arguments.binary, *command]
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=arguments.seconds, check=False)
    except subprocess.TimeoutExpired:
        return None


def playouts(arguments, name, count, *options):
    puzzle = "players = 1" in (LIBRARY / name / "rules.mg").read_text()
    plies = ["--max-plies", "200"] if puzzle else []
    result = run(arguments, ["playout", name, "--games", str(count), "--json", *plies, *options])
    if result is None:
        return None, puzzle
    if result.returncode:
        raise SystemExit(f"{name}: {result.stderr}")
    return json.loads(result.stdout), puzzle


def row(arguments, name):
    report, puzzle = playouts(arguments, name, arguments.games, "--check", "1")
    if report is None:
        return f"| {name} | not finished in {arguments.seconds} s | | | | |", []
    if report["unfinished"] and not puzzle:
        raise SystemExit(f"{name}: {report['unfinished']} games without an end")
    ended = arguments.games - report["unfinished"]
    cells = [name, ended, report["by_repetition"], f"{report['length']['mean']:.1f}", report["names_checked"]]
    covered, _ = playouts(arguments, name, max(1, arguments.games // 10), "--coverage")
    if covered is None:
        return "| " + " | ".join(map(str, cells)) + " | not finished |", []
    unused = covered["coverage"]["unused"]
    lines = [f"- {name}, line {part['line']}, `{part['rule']}`: `{part['text']}`" for part in unused]
    return "| " + " | ".join(map(str, [*cells, len(unused)])) + " |", lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="games; all if none is named")
    parser.add_argument("--binary", default="multigame")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seconds", type=int, default=600, help="for one command")
    parser.add_argument("--counts", action="store_true", help="check the large counts too")
    arguments = parser.parse_args()
    names = arguments.names or sorted(path.parent.name for path in LIBRARY.glob("*/rules.mg"))
    print(f"# {arguments.games} random games of every game\n")
    print("| game | ended | by repetition | moves | names read back | unused parts |")
    print("|---|---|---|---|---|---|")
    unused = []
    for name in names:
        line, more = row(arguments, name)
        print(line, flush=True)
        unused += more
    print("\n## Parts of the rules that never had a result in a tenth of these games\n")
    print("\n".join(unused))
    if arguments.counts:
        print("\n## Large counts\n")
        for command, expected in COUNTS:
            result = run(arguments, command)
            last = result.stdout.splitlines()[-1] if result and result.stdout else "not finished"
            print(f"- `{' '.join(command)}`: {last}{'' if last == expected else ', expected ' + expected}", flush=True)


if __name__ == "__main__":
    main()
