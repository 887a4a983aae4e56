"""`solve --checkpoint` is killed at random moments and goes on; it says what an uninterrupted search says."""

AIM = "1,000 kills, 0 lost"

CASES = [
    ("connect-4 --set columns=5 --set rows=4 --table 4 --engine dfpn", 0.1),
    ("connect-4 --set columns=5 --set rows=4 --table 4 --engine negascout", 0.1),
    ("connect-4 --set columns=5 --set rows=4 --table 4 --engine negascout --threads 2", 0.1),
    ("connect-4 --set columns=5 --set rows=4 --table 4 --engine verdict", 0.1),
    ("connect-4 --set columns=4 --set rows=5 --table 2 --engine mtdf", 0.1),
    ("15-puzzle --position C5DB/2A.9/7843/E6F1 --table 1 --engine idastar", 0.2),
    ("15-puzzle --position ED4B/F869/.731/2AC5 --table 1 --engine idastar", 0.1),
]


def round(world):
    case, shortest = world.random.choice(CASES)
    whole = world.json(f"solve {case}")
    every = world.random.choice([1, 5, 20, 100])
    keeping = f"solve {case} --checkpoint run --checkpoint-every {every}ms"
    counts = world.until_done(keeping, shortest)
    again = world.json(keeping)
    world.check(again["result"] == whole["result"], f"{case}: {again['result']} instead of {whole['result']}")
    world.check(not world.leftovers(), f"{case}: {world.leftovers()} are left")
    return counts
