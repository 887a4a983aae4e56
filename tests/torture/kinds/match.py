"""`match --log` is killed at random moments and goes on; every game is there once, as in an uninterrupted match."""

import json

AIM = "1,000 kills, 0 lost"

GAMES = ["breakthrough", "connect-4", "othello", "hexxagon"]


def games(path):
    lines = [json.loads(line) for line in path.read_text().splitlines()[1:]]
    return sorted((game["number"], game["result"], game["moves"]) for game in lines)


def round(world):
    game, depth = world.random.choice(GAMES), world.random.choice([2, 3])
    count, threads = 2 * world.random.randint(10, 40), world.random.choice([1, 2, 3])
    play = f"match depth={depth} depth=2,name=other --game {game} --games {count} --concurrency {threads} --log"
    whole = world.json(f"{play} whole")
    counts = world.until_done(f"{play} killed", 0.2)
    again = world.json(f"{play} killed")
    for what in ["games", "wins", "draws", "losses", "pairs"]:
        world.check(again[what] == whole[what], f"{what}: {again[what]} instead of {whole[what]}")
    found, expected = games(world.file("killed")), games(world.file("whole"))
    world.check([game[0] for game in found] == list(range(count)), "a game is missing or there twice")
    world.check(found == expected, "other games were played")
    return counts
