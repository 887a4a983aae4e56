"""Searches by machine code read and write only memory that is theirs and has a value, as valgrind sees it."""

import json
import shutil

AIM = "1,000 searches, 0 errors"

# What valgrind gives back if it found an error.
FOUND = 99


def round(world):
    valgrind = shutil.which("valgrind")
    world.check(valgrind, "valgrind is not installed: `apt install valgrind`")
    games = [game["name"] for game in json.loads(world.succeed("games --json"))]
    game = world.random.choice(games)
    threads = world.random.choice(["", " --threads 2"])
    nodes = world.random.randrange(100, 2000)
    command = f"search {game} --nodes {nodes}{threads}"
    process = world.start(command, under=[valgrind, "--quiet", f"--error-exitcode={FOUND}"])
    _, errors = process.communicate()
    world.check(process.returncode == 0, f"`{command}` ended with {process.returncode}: {errors}")
    return {"searches": 1}
