"""Files with a damaged byte or a wrong length are refused or say the same; no panic, and they stay as they are."""

import json

AIM = "10^5 files, 0 panics, 0 believed"

# A file is made by the first command and used by the second.
FORMATS = {
    "checkpoint": (
        "solve connect-4 --set columns=4 --set rows=4 --engine dfpn --nodes 500 --checkpoint file",
        "solve connect-4 --set columns=4 --set rows=4 --engine dfpn --nodes 500 --checkpoint file",
    ),
    "log": (
        "match depth=2 depth=1 --game tic-tac-toe --games 6 --log file --json",
        "match depth=2 depth=1 --game tic-tac-toe --games 6 --log file --json",
    ),
    "state": (
        "learn rules.mg --games 10 --rounds 1 --depth 1 --match-games 0 --state file --output weights",
        "learn rules.mg --games 10 --rounds 1 --depth 1 --match-games 0 --state file --output weights",
    ),
    "patterns": (
        "learn rules.mg --patterns 3 --games 20 --rounds 1 --depth 1 --match-games 0 --output file",
        "search rules.mg --patterns file --depth 2 --json",
    ),
    "network": (
        "learn rules.mg --network 16 --epochs 1 --games 20 --rounds 1 --depth 1 --match-games 0 --output file",
        "search rules.mg --network file --depth 2 --json",
    ),
    "tables": ("tables puzzle.mg --output file", "solve puzzle.mg --tables file --json"),
}
# People edit these, so they have no checksum: they are refused or say something else, without a panic.
EDITED = {
    "weights": (
        "learn rules.mg --games 20 --rounds 1 --depth 1 --match-games 0 --output file",
        "search rules.mg --weights-file file --depth 2 --json",
    ),
    "book": (None, "play rules.mg --computer none --book file"),
}
BOOK = "BBBB/..../..../..../AAAA w | a1 -> a2\n"

RULES = """dimensions (4, 5) no moves = loss pieces { man 'A' 'B' }
    setup { "BBBB" "...." "...." "...." "AAAA" }
    evaluation { material { man 1 } ahead -30 : count [ find own man, assert (row >= 3) ] }
    main = find own man, pick up,
        either [ north, step, points at empty field ]
        or [ either northwest or northeast, step, points at opponent's man ],
        put down, irreversible, try [ assert (row == 5), win ]."""

PUZZLE = """players = 1 dimensions (3, 3) no moves = error
    pieces { t1 '1' t2 '2' t3 '3' t4 '4' t5 '5' t6 '6' t7 '7' t8 '8' }
    setup { "867" "254" "3.1" }
    abstractions { a : t1, t2 b : t3, t4 }
    main = find empty field, orthogonal, step, pick up, step backward, put down.
    goal = match (empty field, t1, t2, t3, t4, t5, t6, t7, t8)."""

FILES = 40
# What differs from run to run.
VARYING = ("seconds", "time", "nodes_per_second", "speed", "nodes")


def damaged(world, whole):
    place = world.random.randrange(len(whole))
    match world.random.randrange(4):
        case 0:
            return whole[:place]
        case 1:
            return whole[:place] + bytes([world.random.randrange(256)]) + whole[place:]
        case _:
            changed = whole[place] ^ (1 << world.random.randrange(8))
            return whole[:place] + bytes([changed]) + whole[place + 1 :]


def content(out):
    try:
        found = json.loads(out)
    except ValueError:
        return out
    return {name: value for name, value in found.items() if name not in VARYING}


def is_torn(name, bytes_):
    """A log that ends within a line goes on; that is not damage."""
    return name in ("log", "state") and not bytes_.endswith(b"\n")


def round(world):
    world.file("rules.mg").write_text(RULES)
    world.file("puzzle.mg").write_text(PUZZLE)
    name, (make, use) = world.random.choice(list({**FORMATS, **EDITED}.items()))
    file = world.file("file")
    if make:
        world.run(make)
    else:
        file.write_text(BOOK)
    whole = file.read_bytes()
    code, out, errors = world.run(use)
    world.check(code == 0 or name == "checkpoint", f"{name} cannot be used: {errors}")
    expected = content(out)
    for _ in range(FILES):
        bytes_ = damaged(world, whole)
        file.unlink()
        file.write_bytes(bytes_)
        code, out, errors = world.run(use)
        if name in EDITED or is_torn(name, bytes_):
            continue
        if code == 0:
            same = bytes_ == whole or content(out) == expected
            world.check(same, f"a damaged file is believed: {name}\n{out}\n{expected}")
        elif bytes_ != whole and bytes_ and name != "checkpoint":
            world.check(file.read_bytes() == bytes_, f"{name}: a file that is refused was changed")
        if name == "checkpoint" and bytes_ != whole:
            world.check("cannot go on" in errors, f"a damaged checkpoint is believed: {errors}")
    return {"files": FILES}
