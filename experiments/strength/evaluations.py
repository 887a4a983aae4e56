"""Matches that say what evaluations are worth, at fixed numbers of positions a move, so that a busy machine does not matter.

Usage: evaluations.py default|tuned|doubling [--nodes N] [--games N] [--limit SECONDS] [--folder FOLDER] [GAME...]

default   what plays if nothing is chosen against material only and against a random evaluation (two matches a game)
tuned     the rules' own evaluation against what is measured, as a sequential test of 0 against 50 Elo
doubling  twice the positions against once

Every match keeps a log in FOLDER (target/strength unless given) and goes on from there. Prints a Markdown table.
"""

import argparse
import json
import os
import subprocess

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
PROGRAM = os.environ.get("MULTIGAME", os.path.join(ROOT, "target", "release", "multigame"))


def two_players():
    listed = json.loads(subprocess.check_output([PROGRAM, "games", "--json"]))
    games = listed["games"] if isinstance(listed, dict) else listed
    return [game["name"] for game in games if game.get("players", 2) == 2]


def match(folder, game, first, second, games, nodes, limit, *more):
    name = f"{game}-{first}-{second}-{nodes}".replace("=", "").replace(",", "_").replace("/", "_")
    command = [PROGRAM, "match", first, second, "--game", game, "--games", str(games), "--nodes", str(nodes),
               "--max-plies", "300", "--log", os.path.join(folder, name + ".jsonl"), "--json", *more]
    if limit:
        # The score after that time counts: an interrupted match prints it.
        command = ["timeout", "--signal", "INT", str(limit), *command]
    done = subprocess.run(command, capture_output=True, text=True)
    if not done.stdout:
        said = done.stderr.strip().splitlines()
        return None, said[-1] if said else f"no game within {limit} s"
    return json.loads(done.stdout), None


def shown(result, error):
    if result is None:
        return error
    limit = lambda number: "inf" if number is None else f"{number:+.0f}"
    text = f"+{result['wins']} ={result['draws']} -{result['losses']}"
    text += f", {limit(result['elo'])} [{limit(result['elo_low'])}, {limit(result['elo_high'])}]"
    if result.get("sprt"):
        text += f", {result['sprt']['verdict']}"
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["default", "tuned", "doubling"])
    parser.add_argument("--nodes", type=int, default=2000)
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--limit", type=int, help="seconds for each match; what was played by then counts")
    parser.add_argument("--folder", default=os.path.join(ROOT, "target", "strength"))
    parser.add_argument("names", nargs="*", metavar="GAME")
    given = parser.parse_intermixed_args()
    os.makedirs(given.folder, exist_ok=True)
    header = {"default": "against `material` | against `random`", "tuned": "`main` against `measured`",
              "doubling": "twice the positions"}[given.what]
    columns = header.count("|") + 2
    print(f"| game | {header} |\n|{'---|' * columns}", flush=True)
    for game in given.names or two_players():
        play = lambda first, second, *more, nodes=given.nodes: shown(
            *match(given.folder, game, first, second, given.games, nodes, given.limit, *more))
        if given.what == "default":
            cells = [play("default", f"engine=negascout,evaluation={other}") for other in ("material", "random")]
        elif given.what == "tuned":
            cells = [play("engine=negascout,evaluation=main", "engine=negascout,evaluation=measured",
                          "--sprt", "elo0=0,elo1=50")]
        else:
            cells = [play(f"nodes={2 * given.nodes}", f"nodes={given.nodes}")]
        print(f"| {game} | {' | '.join(cells)} |", flush=True)


main()
