"""Random games here and in OpenSpiel, on one core, in one run.

    target/python/bin/python experiments/python/speed.py [GAME...]

With pgx in an environment of its own, beside it, too:

    python3 -m venv target/pgx && target/pgx/bin/pip install pgx jax

Three ways to play a random game are timed: OpenSpiel from Python, one call for each move, as its algorithms do it;
ours in the same way; and ours in batch form, `Game.random_games`, which plays whole games by one call, and
`Batch.step_indices`, which plays a move of each of 500 games by one call. Processor time counts, so other programs
on the machine matter little.
"""

import json
import pathlib
import random
import subprocess
import sys
import time

import numpy as np
import pyspiel

import multigame

# Our names, OpenSpiel's, pgx's.
GAMES = {
    "tic-tac-toe": ("tic_tac_toe", "tic_tac_toe"),
    "connect-4": ("connect_four", "connect_four"),
    "breakthrough": ("breakthrough", None),
    "othello": ("othello", "othello"),
    "chess": ("chess", "chess"),
    "go-9x9": ("go(board_size=9)", "go_9x9"),
}
PGX = pathlib.Path("target/pgx/bin/python")
SECONDS = 2.0
SIZE = 500


def rate(play):
    """Moves a second."""
    play()
    moves, start = 0, time.process_time()
    while (spent := time.process_time() - start) < SECONDS:
        moves += play()
    return moves / spent


def of_openspiel(game):
    def play():
        state, moves = game.new_initial_state(), 0
        while not state.is_terminal():
            state.apply_action(random.choice(state.legal_actions()))
            moves += 1
        return moves

    return play


def one_by_one(game):
    def play():
        position, moves = game.initial(), 0
        while not position.is_over:
            position = position.apply(random.choice(position.moves()))
            moves += 1
        return moves

    return play


def whole_games(game):
    seeds = iter(range(1, 1 << 30))
    # Enough games that starting a thread does not count.
    count = max(20, int(200_000 / game.random_games(20).plies.mean()))
    return lambda: int(game.random_games(count, seed=next(seeds)).plies.sum())


def steps(game):
    batch, generator = game.batch(SIZE), np.random.default_rng(1)

    def play():
        batch.reset()
        while not batch.over.all():
            batch.step_indices((generator.random(SIZE) * batch.counts()).astype(np.int64))
        return int(batch.plies.sum())

    return play


def of_pgx(name):
    """Moves a second in pgx; nothing if it is not installed or does not know the game."""
    if name is None or not PGX.exists():
        return None
    script = pathlib.Path(__file__).with_name("pgx_games.py")
    output = subprocess.run([PGX, script, name], capture_output=True, check=True, text=True).stdout
    return json.loads(output)[name]


def main():
    random.seed(1)
    wanted = sys.argv[1:] or GAMES
    print("| game | OpenSpiel | pgx | one by one | `step_indices` | `random_games` | ratio to OpenSpiel |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    for name in wanted:
        theirs, pgx = GAMES[name]
        game = multigame.load(name)
        other = rate(of_openspiel(pyspiel.load_game(theirs)))
        ours = [rate(play(game)) for play in (one_by_one, steps, whole_games)]
        shown = [None if value is None else f"{value / 1e3:,.0f}" for value in (other, of_pgx(pgx), *ours)]
        columns = " | ".join(value or "-" for value in shown)
        print(f"| {name} | {columns} | {ours[2] / other:.2f} |", flush=True)


if __name__ == "__main__":
    main()
