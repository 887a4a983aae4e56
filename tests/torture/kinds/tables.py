"""`tables` is killed at random moments; its file is the old one or the new one, never anything else."""

import subprocess

AIM = "1,000 kills, 0 lost"

RULES = """players = 1 dimensions (3, 3) no moves = error
    pieces { t1 '1' t2 '2' t3 '3' t4 '4' t5 '5' t6 '6' t7 '7' t8 '8' }
    setup { "867" "254" "3.1" }
    abstractions { a : ABSTRACTION }
    main = find empty field, orthogonal, step, pick up, step backward, put down.
    goal = match (empty field, t1, t2, t3, t4, t5, t6, t7, t8)."""


def round(world):
    versions = []
    for name, pieces in [("old", "t1, t2, t3, t4"), ("new", "t1, t2, t3, t4, t5, t6")]:
        world.file(f"{name}.mg").write_text(RULES.replace("ABSTRACTION", pieces))
        world.succeed(f"tables {name}.mg --output {name}")
        versions.append(world.file(name).read_bytes())
    kills = 0
    target = world.file("killed")
    target.write_bytes(versions[0])
    for _ in range(30):
        process = world.start(f"tables {world.random.choice(['old', 'new'])}.mg --output killed")
        try:
            process.wait(timeout=world.random.uniform(0, 0.15))
        except subprocess.TimeoutExpired:
            process.kill()
            kills += 1
        process.communicate()
        world.check(target.read_bytes() in versions, f"after {kills} kills it is neither the old nor the new one")
    world.succeed("tables new.mg --output killed")
    world.check(not world.leftovers(), f"{world.leftovers()} are left")
    return {"kills": kills}
