"""Two runs of one command on one file: one works, the other is refused and told why, and the file is whole."""

import json

AIM = "1,000 pairs, 0 lost"

SOLVE = "solve connect-4 --set columns=5 --set rows=4 --table 1 --checkpoint file --checkpoint-every 1ms"
MATCH = "match depth=2 depth=1 --game breakthrough --games 40 --log file --json"


def both(world, arguments):
    """Runs a command twice at once; gives how many worked."""
    processes = [world.start(arguments), world.start(arguments)]
    worked = 0
    for process in processes:
        code, _, errors = world.end(process, arguments)
        world.check(code == 0 or "is in use by" in errors, f"refused with {code}: {errors}")
        worked += code == 0
    return worked


def round(world):
    arguments = world.random.choice([SOLVE, MATCH])
    pairs = 5
    for _ in range(pairs):
        # A run that is short may be over before the other begins.
        world.check(both(world, arguments) >= 1, "both were refused")
    if arguments == MATCH:
        games = [json.loads(line)["number"] for line in world.file("file").read_text().splitlines()[1:]]
        world.check(sorted(games) == list(range(40)), "a game is missing or there twice")
    world.succeed(arguments)
    world.check(not world.leftovers(), f"{world.leftovers()} are left")
    return {"pairs": pairs}
