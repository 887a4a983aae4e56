"""Random games in pgx, as JSON: moves for each second of processor time. `speed.py` runs this.

    python3 -m venv target/pgx && target/pgx/bin/pip install pgx jax
    target/pgx/bin/python experiments/python/pgx_games.py connect_four go_9x9

A batch of games is played by one compiled function, which is how pgx is meant to be used. Games that are
over begin again, and compiling does not count.
"""

import json
import sys
import time

import jax
import jax.numpy as jnp
import pgx
from pgx.experimental import auto_reset

SECONDS = 2.0
SIZE = 500
STEPS = 50


def rate(name):
    """Moves a second."""
    env = pgx.make(name)
    step = jax.vmap(auto_reset(env.step, env.init))

    def play(carry, _):
        state, key = carry
        key, choose, reset = jax.random.split(key, 3)
        # The same random choice among legal actions for each game.
        logits = jnp.where(state.legal_action_mask, 0.0, -jnp.inf)
        actions = jax.random.categorical(choose, logits, axis=-1)
        return (step(state, actions, jax.random.split(reset, SIZE)), key), None

    many = jax.jit(lambda carry: jax.lax.scan(play, carry, None, length=STEPS)[0])
    key = jax.random.PRNGKey(1)
    carry = (jax.jit(jax.vmap(env.init))(jax.random.split(key, SIZE)), key)
    carry = jax.block_until_ready(many(carry))
    moves, start = 0, time.process_time()
    while (spent := time.process_time() - start) < SECONDS:
        carry = jax.block_until_ready(many(carry))
        moves += SIZE * STEPS
    return moves / spent


def main():
    print(json.dumps({name: rate(name) for name in sys.argv[1:]}))


if __name__ == "__main__":
    main()
