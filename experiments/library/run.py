#!/usr/bin/env python3
"""Random games of every bundled game, with all checks, and which parts of the rules they never use.

    experiments/library/run.py games --binary target/release/multigame > games.md
    experiments/library/run.py coverage --binary target/release/multigame > coverage.md
    cat games.md coverage.md > experiments/library/report.md

`games`: `playout --check` plays 1000 games of each (a puzzle for at most 200 moves), reads the names of all moves of a
random position of each game back, and says how the games ended. `coverage`: `playout --coverage` finds the parts of the
rules that have no result in a hundred games from the start and from the positions of `known.toml`. Every such part must
be explained in `rare.toml`, and everything explained there must be such a part. The exit code is 1 where a game does not
end, a check fails or something is unexplained.
"""

import argparse
import json
import subprocess
import sys
import textwrap
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
LIBRARY = HERE.parents[1] / "games"


class Failed(Exception):
    """An error in a game."""


def run(arguments, name, *options):
    """A report of `playout`; random moves hardly ever solve a puzzle."""
    rules = LIBRARY / name / "rules.mg"
    plies = ["--max-plies", "200"] if is_puzzle(name) else []
    command = [arguments.binary, "playout", str(rules), "--json", "--games", str(arguments.games), *plies, *options]
    try:
        result = subprocess.run(command, capture_output=True, text=True, timeout=arguments.seconds, check=False)
    except subprocess.TimeoutExpired:
        raise Failed(f"not finished in {arguments.seconds} s") from None
    if result.returncode:
        raise Failed(result.stderr.strip())
    return json.loads(result.stdout)


def is_puzzle(name):
    return "players = 1" in (LIBRARY / name / "rules.mg").read_text()


def games(arguments, name):
    """A row of the table."""
    report = run(arguments, name, "--check", "1")
    if report["unfinished"] and not is_puzzle(name):
        raise Failed(f"{report['unfinished']} games without an end")
    ended = arguments.games - report["unfinished"]
    cells = [name, ended, report["by_repetition"], f"{report['length']['mean']:.1f}", report["names_checked"]]
    return "| " + " | ".join(map(str, cells)) + " |"


def starts(name):
    """Positions of `known.toml`, as arguments."""
    known = tomllib.loads((LIBRARY / name / "known.toml").read_text())
    entries = [entry for kind in ("perft", "states", "moves", "over") for entry in known.get(kind, [])]
    positions = dict.fromkeys(entry.get("position") for entry in entries if "set" not in entry)
    return [word for position in positions if position for word in ("--also", position)]


def coverage(arguments, name):
    """The parts of the rules that were never used, with the reasons."""
    rare = tomllib.loads((HERE / "rare.toml").read_text()).get(name, [])
    reasons = {(entry["rule"], entry["text"]): entry["why"] for entry in rare}
    unused = run(arguments, name, "--coverage", *starts(name))["coverage"]["unused"]
    lines = []
    for part in unused:
        why = reasons.get((part["rule"], part["text"]), "**not explained**")
        lines.append(f"- {name}, `{part['rule']}`, line {part['line']}, `{part['text']}`: {why}")
    used = reasons.keys() - {(part["rule"], part["text"]) for part in unused}
    lines += [f"- {name}, `{rule}`, `{text}`: **used after all**" for rule, text in sorted(used)]
    return "\n".join(map(wrapped, lines))


def wrapped(item):
    """An item of a list in lines of 110 columns."""
    return textwrap.fill(item, 110, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


HEADS = {
    "games": """# {games} random games of every game

`run.py` writes this report. Puzzles are given up after 200 moves.

| game | ended | by repetition | moves | names read back |
|---|---|---|---|---|""",
    "coverage": """
## Parts of the rules that had no result in {games} games

The games began at the start and at the positions of `known.toml`. Games that are not listed used all of their
rules.
""",
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=HEADS)
    parser.add_argument("names", nargs="*", help="games; all if none is named")
    parser.add_argument("--binary", default="multigame")
    parser.add_argument("--games", type=int, help="1000, or 100 for `coverage`")
    parser.add_argument("--seconds", type=int, default=1800, help="for one game")
    arguments = parser.parse_args()
    part = {"games": games, "coverage": coverage}[arguments.part]
    arguments.games = arguments.games or {"games": 1000, "coverage": 100}[arguments.part]
    good = True
    print(HEADS[arguments.part].format(games=arguments.games), flush=True)
    for name in arguments.names or sorted(path.parent.name for path in LIBRARY.glob("*/rules.mg")):
        try:
            text = part(arguments, name)
        except Failed as failed:
            text = f"- {name}: **{failed}**"
        good &= "**" not in text
        if text:
            print(text, flush=True)
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
