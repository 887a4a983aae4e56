"""`endgame make` is killed at random moments, and writes to a full disk; its slices are right or not there."""

AIM = "1,000 kills, 0 lost"

MAKE = "endgame make checkers --slice WW-B --endgames killed"


def round(world):
    world.succeed(MAKE.replace("killed", "whole"))
    whole = {path.name: path.read_bytes() for path in world.file("whole").glob("*.endgame")}

    def are_right():
        found = {path.name: path.read_bytes() for path in world.file("killed").glob("*.endgame")}
        world.check(found.items() <= whole.items(), "a slice is there that is not right")

    ended = world.until_done(MAKE, 0.02)
    are_right()
    for path in world.file("killed").glob("*.endgame"):
        if world.random.random() < 0.7:
            path.unlink()
    code, _, errors = world.run(MAKE, most_bytes=world.random.randint(0, max(map(len, whole.values()))))
    world.check(code == 0 or "cannot" in errors, f"nobody heard of the full disk: {errors}")
    are_right()
    world.succeed(MAKE)
    world.check(len(list(world.file("killed").glob("*.endgame"))) == len(whole), "a slice is missing")
    world.check("positions proved" in world.succeed("endgame verify checkers --endgames killed"), "nothing is proved")
    leftovers = [path.name for path in world.file("killed").iterdir() if not path.name.endswith(".endgame")]
    world.check(not leftovers, f"{leftovers} are left")
    return ended
