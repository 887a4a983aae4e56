"""Times of searches by one process and by several ranks, by turns, and their ratios.

Usage: ratios.py depth|driver|perft [--program PATH]
                [--launcher "mpirun.openmpi ..."] [--ranks 2] [--positions 12]
                [--repeats 3] [--games chess:9,othello:12,...] [--more "--memory hybrid"]

depth   time to depth on one rank over that on several: what the other ranks are worth
driver  time of one process over that of one rank: what the driver of the cluster costs
perft   leaves counted by one rank over those counted by several

Each position is searched by both sides by turns, the fastest of all repeats counts, and the ratio of a game is
the geometric mean over its positions. Positions are random openings from a seed; those that one rank searches in
less than a twentieth of a second are left out, and others taken instead. The machine should have nothing
else to do: the load is printed before and after, because ratios mean nothing where others use the cores.
"""

import argparse
import json
import math
import os
import random
import re
import shlex
import subprocess
import time

DEPTHS = "chess:10,othello:13,checkers:17,connect-4:17"
OPENING = 6
# Searches of less than this many seconds are left out.
SHORTEST = 0.05


def output(command):
    environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    return subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout


def openings(program, game):
    """Positions after a few random moves, always the same ones, without end."""
    chance = random.Random(24)
    while True:
        position = None
        for _ in range(OPENING):
            at = ["--position", position] if position else []
            listed = json.loads(output([program, "moves", game, "--json", *at]))
            moves = [move for move in listed if not move["outcome"]]
            if not moves:
                break
            position = chance.choice(moves)["position"]
        else:
            yield position


def seconds(command, arguments):
    return json.loads(output(command + ["search", *arguments, "--json"]))["seconds"]


def ratio(sides, arguments, repeats):
    """The first side's fastest time over the second's."""
    fastest = [math.inf, math.inf]
    for turn in range(repeats):
        for side in (0, 1) if turn % 2 == 0 else (1, 0):
            fastest[side] = min(fastest[side], seconds(sides[side], arguments))
    return fastest


def searches(options, sides):
    for entry in options.games.split(","):
        game, depth = entry.split(":")
        logarithms = []
        for position in openings(options.program, game):
            arguments = [game, "--position", position, "--depth", depth, *shlex.split(options.more)]
            if seconds(sides[0], arguments) < SHORTEST:
                continue
            one, other = ratio(sides, arguments, options.repeats)
            logarithms.append(math.log(one / other))
            print(f"{game:10} {one:8.3f} s {other:8.3f} s {one / other:6.2f}  {position}", flush=True)
            if len(logarithms) == options.positions:
                break
        mean = math.exp(sum(logarithms) / len(logarithms))
        print(f"{game}, {depth} plies, {len(logarithms)} positions: {mean:.3f}", flush=True)


def perft(options, sides):
    fastest = [math.inf, math.inf]
    for _ in range(options.repeats):
        for side in (0, 1):
            start = time.monotonic()
            output(sides[side] + ["perft", "chess", "7" if options.games == DEPTHS else options.games])
            fastest[side] = min(fastest[side], time.monotonic() - start)
    print(f"perft of chess: {fastest[0]:.2f} s, {fastest[1]:.2f} s, ratio {fastest[0] / fastest[1]:.3f}")


def load():
    return re.match(r"\S+", open("/proc/loadavg").read()).group()


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("what", choices=["depth", "driver", "perft"])
    parser.add_argument("--program", default="target/release/multigame")
    parser.add_argument("--launcher", default="mpirun.openmpi --bind-to none")
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--positions", type=int, default=12)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--games", default=DEPTHS)
    parser.add_argument("--more", default="")
    options = parser.parse_args()
    ranks = lambda count: shlex.split(options.launcher) + ["-n", str(count), options.program]
    print(f"load before: {load()}", flush=True)
    if options.what == "driver":
        searches(options, [[options.program], ranks(1)])
    elif options.what == "depth":
        searches(options, [ranks(1), ranks(options.ranks)])
    else:
        perft(options, [ranks(1), ranks(options.ranks)])
    print(f"load after: {load()}")


if __name__ == "__main__":
    main()
