#!/usr/bin/env python3
"""Compares our backgammon with OpenSpiel's along random games.

    pip install open_spiel
    backgammon.py --binary target/release/multigame --games 20 [--freeze 24]

In every position after a throw, the positions after a whole move must be the same set. OpenSpiel splits the
rules in another way: a throw has 36 outcomes (ours 21 with weights); a double is two turns of two actions
each, joined here; the same position reached in several ways is one move of ours. OpenSpiel asks of each
half of a double that as many of its two dice as possible are used, the rules that as many as possible of
the four: of its results those count that use the most pips. OpenSpiel ends games after a number of turns
and knows no backgammons or gammons unless asked.
"""

import argparse
import json
import random
import re
import subprocess
import sys
import time

import pyspiel
from freeze import Frozen

PROPERTIES = ("height", "bar", "off")


def men(state):
    """Board, bar and men off of both players: White is OpenSpiel's first player."""
    text = str(state)
    white, black = ([state.board(player, point) for point in range(24)] for player in (0, 1))
    bar = re.search(r"Bar:[ \t]*(\S*)", text)[1]
    off = [int(number) for number in re.search(r"Scores, X: (\d+), O: (\d+)", text).groups()]
    return white, black, [bar.count("x"), bar.count("o")], off


def board_text(state):
    white, black, bar, off = men(state)
    row = "".join("O" if ours else "X" if theirs else "." for ours, theirs in zip(white, black))
    height = ",".join(str(ours + theirs) for ours, theirs in zip(white, black))
    return row, f"height={height} bar={bar[0]},{bar[1]} off={off[0]},{off[1]}"


def key_of(text):
    """The part of our position text that OpenSpiel knows; values that are 0 may be missing."""
    rows, _, *values = text.split()
    values = dict(value.split("=", 1) for value in values)
    cells = re.sub(r"\d+", lambda run: "." * int(run[0]), rows)
    zeros = {"height": ",".join("0" * 24), "bar": "0,0", "off": "0,0"}
    return " ".join([cells, *(f"{name}={values.get(name, zeros[name])}" for name in PROPERTIES)])


def pips(state, player):
    """How far a player has gone."""
    own = men(state)
    points = own[player] if player == 0 else own[1][::-1]
    return sum(column * count for column, count in enumerate(points, 1)) + 25 * own[3][player]


def whole_moves(state, player):
    """The states after a whole move: doubles are two turns of OpenSpiel's."""
    for action in state.legal_actions():
        child = state.child(action)
        if not child.is_terminal() and not child.is_chance_node() and child.current_player() == player:
            yield from whole_moves(child, player)
        else:
            yield child


def successors(state):
    player = state.current_player()
    children = {" ".join(board_text(child)): child for child in whole_moves(state, player)}
    most = max(pips(child, player) for child in children.values())
    best = {text: child for text, child in children.items() if pips(child, player) == most}
    # The last men may leave by throws that are greater than needed.
    ends = {text: child for text, child in children.items() if child.is_terminal()}
    return best | ends if dice(state)[0] == dice(state)[1] else children


def dice(state):
    return sorted(map(int, re.search(r"Dice:\s*(\d)(\d)", str(state)).groups()), reverse=True)


def text_of(state):
    row, values = board_text(state)
    first, second = dice(state)
    side = "wb"[state.current_player()]
    return f"{row} {side} first={first} second={second} begun=1 {values}"


def ours(binary, text):
    command = [binary, "moves", "backgammon", "--json", "--position", text]
    answer = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return {key_of(move["position"]): move["position"] for move in answer}


def play(game, binary, rng, frozen, seen):
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(rng.choice([action for action, _ in state.chance_outcomes()]))
            continue
        theirs, text = successors(state), text_of(state)
        found = ours(binary, text)
        if set(found) != set(theirs):
            print(f"{text}\n  only ours: {sorted(set(found) - set(theirs))}\n  only OpenSpiel's: "
                  f"{sorted(set(theirs) - set(found))}\n{state}")
            return False
        seen.append(len(theirs))
        frozen.offer(text, found.values())
        state = rng.choice(list(theirs.values()))
    return True


def speed(game, games):
    """Random games per second, played by OpenSpiel's own loop in C++."""
    bots = [pyspiel.make_uniform_random_bot(player, player + 1) for player in (0, 1)]
    start = time.process_time()
    for seed in range(games):
        pyspiel.evaluate_bots(game.new_initial_state(), bots, seed)
    seconds = time.process_time() - start
    rate = games / seconds
    print(f"OpenSpiel: {games} random games in {seconds:.2f} s of processor time, {rate:.0f} per second")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", default="target/release/multigame")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--freeze", type=int, default=0, help="positions to keep in frozen.toml")
    parser.add_argument("--speed", type=int, default=0, help="only measure how long random games take")
    arguments = parser.parse_args()
    game = pyspiel.load_game("backgammon(max_player_turns=100000)")
    if arguments.speed:
        return speed(game, arguments.speed)
    rng, seen = random.Random(arguments.seed), []
    frozen = Frozen("backgammon", "OpenSpiel", arguments.freeze)
    for number in range(arguments.games):
        if not play(game, arguments.binary, rng, frozen, seen):
            sys.exit(f"game {number} differs")
    frozen.write()
    print(f"{arguments.games} games, {len(seen)} positions, {sum(seen)} successors: no differences")


if __name__ == "__main__":
    main()
