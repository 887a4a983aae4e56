#!/usr/bin/env python3
"""What several ranks are worth here: times by turns, and their ratios.

Usage: ratios.py all|depth|driver|perft|match|puzzle|states|predict [--program PATH]
                 [--launcher "mpirun.openmpi ..."] [--ranks 2] [--positions 12]
                 [--repeats 3] [--games chess:9,othello:12,...] [--more "--memory hybrid"]
                 [--keep FILE] [--minutes 5]

all      everything below, with the settings that the table in README.md was made with; then the table
depth    time to depth on one rank over that on several: what the other ranks are worth
driver   time of one process over that of one rank: what the driver of the cluster costs
perft    leaves counted by one rank over those counted by several
match    games played by one rank over those played by several
puzzle   time of one rank over that of several with the same memory in all, for `stealing` and for `tds`, and
         the nodes a second of both
states   positions that a rank is sent in a second, 64 in a message
predict  times that `cluster predict` says, against those measured on several ranks and on twice as many

Each position is searched by both sides by turns, the fastest of all repeats counts, and the ratio of a game is
the geometric mean over its positions. Beside it is that of the nodes that both sides searched: ranks that
search more nodes than one lose that much. Positions are random openings from a seed; those that one rank
searches in less than --shortest seconds are left out, and others taken instead. The machine should have nothing
else to do: the load is printed before and after, because ratios mean nothing where others use the cores.

With --keep, what was measured by the same program is read from FILE, and what is measured is added to it, so that
a run that was stopped goes on; with --minutes it stops by itself. The table comes when everything was measured.
"""

import argparse
import hashlib
import itertools
import json
import math
import os
import random
import re
import shlex
import subprocess
import sys
import time

DEPTHS = "chess:10,othello:13,checkers:17,connect-4:17"
# Of these, one rank searches most positions in half a second to three seconds.
LONG = "chess:16,othello:13,checkers:21,connect-4:16"
OPENING = 6
# Of so many positions for each that is wanted, those count that take as long as they should.
TRIED = 4
# Korf's positions of the 15-puzzle, those of them that took his search so many nodes, and MiB of all tables
# together. With the bound of the rules they take some fifty times fewer.
KORF = os.path.join(os.path.dirname(__file__), "../korf/instances.txt")
NODES = (30e6, 100e6)
MEMORY = 64
# How the ranks search them: the policy, and where the table of several ranks is.
DIVIDED = [("stealing", None), ("stealing", "replicated:tell=36"), ("tds", None)]
# Players of a match whose games take about a fifth of a second.
PLAYERS = ["nodes=1500,name=a", "nodes=1500,lmr=off,name=b"]


class Kept:
    """What was measured, by the command and which time it was: in memory, and in a file if there is one."""

    def __init__(self, program, file, minutes):
        self.program = hashlib.sha256(open(program, "rb").read()).hexdigest()[:12]
        self.file = file
        self.known = {}
        self.end = time.monotonic() + 60 * minutes if minutes else math.inf
        for line in open(file) if file and os.path.exists(file) else []:
            row = json.loads(line)
            if row["program"] == self.program:
                self.known[row["what"], row["turn"]] = row["found"]

    def get(self, what, turn, measure):
        """What a measurement says, done now if it has not been."""
        if (what, turn) not in self.known:
            if time.monotonic() > self.end:
                sys.exit(f"time is over: {len(self.known)} measurements are in {self.file}; the same command goes on")
            found = self.known[what, turn] = measure()
            if self.file:
                with open(self.file, "a") as out:
                    row = {"program": self.program, "what": what, "turn": turn, "found": found, "load": load()}
                    out.write(json.dumps(row) + "\n")
        return self.known[what, turn]


def output(command):
    environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    if done.returncode:
        sys.exit(f"{shlex.join(command)} failed:\n{done.stderr}")
    return done.stdout


def measured(options, command, turn, read):
    """What `read` makes of a command's output and of the seconds that it took."""

    def measure():
        start = time.monotonic()
        text = output(command)
        return read(text, time.monotonic() - start)

    return options.kept.get(shlex.join(command), turn, measure)


def openings(options, game):
    """Positions after a few random moves, always the same ones, without end."""
    chance = random.Random(24)
    while True:
        position = None
        for _ in range(OPENING):
            at = ["--position", position] if position else []
            command = [options.program, "moves", game, "--json", *at]
            listed = measured(options, command, 0, lambda text, _: json.loads(text))
            after = [move["position"] for move in listed if not move["outcome"]]
            if not after:
                break
            position = chance.choice(after)
        else:
            yield position


def searched(options, command, arguments, turn):
    """Seconds and nodes of a search."""

    def read(text, _):
        found = json.loads(text)
        return [found["seconds"], found["nodes"]]

    return measured(options, command + ["search", *arguments, "--json"], turn, read)


def by_turns(options, sides, arguments):
    """The fastest search of each side; each side has arguments of its own after the common ones."""
    fastest = [[math.inf, 0], [math.inf, 0]]
    for turn in range(options.repeats):
        for side in (0, 1) if turn % 2 == 0 else (1, 0):
            command, own = sides[side]
            fastest[side] = min(fastest[side], searched(options, command, arguments + own, turn))
    return fastest


def mean(numbers):
    """The geometric mean."""
    return math.exp(sum(map(math.log, numbers)) / len(numbers))


def compared(name, positions, sides, options):
    """The ratios of times, and of nodes, of searches of positions: the means, and both sides' nodes a second."""
    times, nodes, speeds = [], [], [[], []]
    for position, arguments in itertools.islice(positions, TRIED * options.positions):
        command, own = sides[0]
        if not options.shortest <= searched(options, command, arguments + own, 0)[0] <= options.longest:
            continue
        one, other = by_turns(options, sides, arguments)
        times.append(one[0] / other[0])
        nodes.append(other[1] / one[1])
        for speed, side in zip(speeds, (one, other)):
            speed.append(side[1] / side[0])
        print(
            f"{name:10} {one[0]:8.3f} s {other[0]:8.3f} s {times[-1]:6.2f}  nodes {nodes[-1]:5.2f}  {position}",
            flush=True,
        )
        if len(times) == options.positions:
            break
    if not times:
        sys.exit(f"no position of {name} takes {options.shortest} to {options.longest} s; choose another depth")
    return len(times), mean(times), mean(nodes), [mean(speed) for speed in speeds]


def searches(options, sides, games):
    """A row for each game: what, ratio, remark."""
    for entry in games.split(","):
        game, depth = entry.split(":")
        more = shlex.split(options.more)
        positions = (
            (position, [game, "--position", position, "--depth", depth, *more])
            for position in openings(options, game)
        )
        count, times, nodes, _ = compared(game, positions, [(side, []) for side in sides], options)
        yield f"{game}, {depth} plies, {count} positions", f"{times:.2f}", f"nodes x {nodes:.2f}"


def depth(options, games=None):
    sides = [ranks(options, 1), ranks(options, options.ranks)]
    for what, ratio, nodes in searches(options, sides, games or options.games):
        yield f"{options.ranks} ranks over 1, {what}", ratio, nodes


def driver(options, games=None):
    sides = [[options.program], ranks(options, 1)]
    for what, ratio, nodes in searches(options, sides, games or options.games):
        yield f"1 rank over one process, {what}", ratio, nodes


def fastest_of(options, commands):
    """The shortest time of each command, by turns."""
    seconds = lambda _, seconds: seconds
    turns = [[measured(options, command, turn, seconds) for command in commands] for turn in range(options.repeats)]
    return [min(times) for times in zip(*turns)]


def farmed(options, what, arguments):
    commands = [ranks(options, count) + arguments for count in (1, options.ranks)]
    one, several = fastest_of(options, commands)
    yield f"{options.ranks} ranks over 1, {what}", f"{one / several:.2f}", f"{one:.2f} s, {several:.2f} s"


def perft(options):
    yield from farmed(options, "perft of chess, 7 plies", ["perft", "chess", "7"])


def match(options):
    arguments = ["match", *PLAYERS, "--game", "chess", "--games", "100"]
    yield from farmed(options, "match of 100 games", arguments)


def puzzle(options):
    lines = [line.split() for line in open(KORF) if not line.startswith("#")]
    listed = [line[1] for line in lines if NODES[0] < int(line[-1]) < NODES[1]]
    for policy, memory in DIVIDED:
        fixed = ["15-puzzle", "--depth", "80", "--policy", policy]
        positions = ((position, [*fixed, "--position", position]) for position in listed)
        tables = [["--table", str(MEMORY // count)] for count in (1, options.ranks)]
        tables[1] += ["--memory", memory] if memory else []
        sides = list(zip((ranks(options, count) for count in (1, options.ranks)), tables))
        count, times, nodes, speeds = compared(policy, positions, sides, options)
        each = " and ".join(f"{speed / 1e6:.2f}" for speed in speeds)
        yield (
            f"{options.ranks} ranks over 1, 15-puzzle, {' '.join(filter(None, (policy, memory)))}, {count} positions",
            f"{times:.2f}",
            f"nodes x {nodes:.2f}, {each} M nodes/s",
        )


def states(options):
    command = ranks(options, 2) + ["cluster", "measure", "--game", "15-puzzle"]
    million = lambda text, _: re.search(r"64 in a message: ([0-9.]+) million", text).group(1)
    million = measured(options, command, 0, million)
    yield "positions of the 15-puzzle sent to the other rank, 64 in a message", f"{million} M/s", ""


def predict(options):
    """On twice as many ranks as cores each of them has half a core, so that everything takes twice as long."""
    game, plies = options.predicted.split(":")
    fixed = ["cluster", "predict", game, "--depth", plies, "--runs", str(options.repeats), "--json"]
    for count, slower in ((options.ranks, 1), (2 * options.ranks, 2)):
        shared = ["--oversubscribe", "--mca", "mpi_yield_when_idle", "1"] if slower > 1 else []
        command = shlex.split(options.launcher) + shared + ["-n", str(count), options.program]
        found = measured(options, command + [*fixed, "--processes", str(count)], 0, lambda text, _: json.loads(text))
        row = next(row for row in found["rows"] if row["processes"] == count)
        said, real = row["seconds"] * slower, row["measured"]
        cores = "" if slower == 1 else ", half a core each"
        yield (
            f"predicted against measured, {game}, {plies} plies, {count} ranks{cores}",
            f"{100 * (said / real - 1):+.1f} %",
            f"{said:.2f} s, {real:.2f} s",
        )


def ranks(options, count):
    return shlex.split(options.launcher) + ["-n", str(count), options.program]


def everything(options):
    """All rows of the table."""
    options.shortest, options.repeats = 0.3, 2
    yield from depth(options, LONG)
    options.positions = 6
    yield from driver(options, "chess:15,othello:12")
    yield from perft(options)
    yield from match(options)
    yield from puzzle(options)
    yield from states(options)
    yield from predict(options)


WHAT = {
    "all": everything,
    "depth": depth,
    "driver": driver,
    "perft": perft,
    "match": match,
    "puzzle": puzzle,
    "states": states,
    "predict": predict,
}


def load():
    return re.match(r"\S+", open("/proc/loadavg").read()).group()


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("what", choices=WHAT)
    parser.add_argument("--program", default="target/release/multigame")
    parser.add_argument("--launcher", default="mpirun.openmpi --bind-to none")
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--positions", type=int, default=12)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--games", default=DEPTHS)
    parser.add_argument("--predicted", default="othello:14")
    parser.add_argument("--shortest", type=float, default=0.05)
    parser.add_argument("--longest", type=float, default=10.0)
    parser.add_argument("--more", default="")
    parser.add_argument("--keep")
    parser.add_argument("--minutes", type=float)
    options = parser.parse_args()
    if options.minutes and not options.keep:
        parser.error("--minutes needs --keep: what was measured would be lost")
    options.kept = Kept(options.program, options.keep, options.minutes)
    start = time.monotonic()
    print(f"program {options.kept.program}, load before: {load()}", flush=True)
    rows = []
    for row in WHAT[options.what](options):
        rows.append(row)
        print("  ".join(row), flush=True)
    print(f"load after: {load()}, {(time.monotonic() - start) / 60:.1f} minutes\n")
    print("| what | ratio or figure | |\n|---|---|---|")
    for row in rows:
        print(f"| {' | '.join(row)} |")


if __name__ == "__main__":
    main()
