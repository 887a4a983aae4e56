"""The disk is full after a random number of bytes; what was there before stays, and with more room the command goes on."""

import json

AIM = "1,000 full disks, 0 lost"

SOLVE = "solve connect-4 --set columns=5 --set rows=4 --table 1 --checkpoint run --checkpoint-every 5ms"
MATCH = "match depth=1 random --game breakthrough --games 30 --log log --json"


def solve(world):
    whole = world.json(SOLVE.split(" --checkpoint")[0])
    world.run(f"{SOLVE} --nodes 20000")
    before = world.file("run").read_bytes()
    code, _, errors = world.run(f"{SOLVE} --nodes 50000", most_bytes=world.random.randint(0, 1 << 20))
    world.check(code == 1 and "cannot" in errors, f"nobody heard of the full disk: {errors}")
    world.check(world.file("run").read_bytes() == before, "the old checkpoint is gone")
    world.check(world.json(SOLVE)["result"] == whole["result"], "the result is another one")


def match(world):
    for _ in range(3):
        code, _, errors = world.run(MATCH, most_bytes=world.random.randint(600, 4000))
        world.check(code == 1 and "cannot write" in errors, f"nobody heard of the full disk: {errors}")
    world.succeed(MATCH)
    games = [json.loads(line)["number"] for line in world.file("log").read_text().splitlines()[1:]]
    world.check(sorted(games) == list(range(30)), "a game is missing or there twice")


def output(world):
    world.file("page.html").write_text("before")
    analyze = "analyze tic-tac-toe --games 4 --html page.html"
    code, _, errors = world.run(analyze, most_bytes=world.random.randint(0, 1000))
    world.check(code == 1 and "cannot write" in errors, f"nobody heard of the full disk: {errors}")
    world.check(world.file("page.html").read_text() == "before", "what was there before is gone")


def round(world):
    world.random.choice([solve, match, output])(world)
    world.check(not world.leftovers(), f"{world.leftovers()} are left")
    return {"full disks": 1}
