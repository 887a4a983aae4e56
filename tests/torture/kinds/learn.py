"""`learn --state` is killed at random moments and goes on; the weights are those of an uninterrupted run."""

AIM = "1,000 kills, 0 lost"

RULES = """dimensions (4, 5) no moves = loss pieces { man 'A' 'B' }
    setup { "BBBB" "...." "...." "...." "AAAA" }
    evaluation { material { man 1 } ahead -30 : count [ find own man, assert (row >= 3) ] }
    main = find own man, pick up,
        either [ north, step, points at empty field ]
        or [ either northwest or northeast, step, points at opponent's man ],
        put down, irreversible, try [ assert (row == 5), win ]."""

WAYS = ["", "--patterns 3", "--network 16 --epochs 2"]


def round(world):
    world.file("rules.mg").write_text(RULES)
    way, threads = world.random.choice(WAYS), world.random.choice([1, 2])
    games, seed = world.random.randint(50, 300), world.random.randint(1, 1000)
    learn = (
        f"learn rules.mg {way} --games {games} --seed {seed} --rounds 2 --depth 2 --plies 3 --match-games 0 "
        f"--concurrency {threads}"
    )
    world.succeed(f"{learn} --state whole.state --output whole")
    counts = world.until_done(f"{learn} --state killed.state --output killed", 0.2)
    found, expected = world.file("killed").read_text(), world.file("whole").read_text()
    world.check(found == expected, f"other weights were learned\n{found}\n{expected}")
    world.check(not world.leftovers(), f"{world.leftovers()} are left")
    return counts
