"""Plain models of tafl and hunting games and of some others, for `models.py`."""

from itertools import product

from model import ALL, HEX, OTHER, STRAIGHT, Model, Position, ahead, margin, reach, without
from openspiel import WINS

DIAGONAL = tuple(product((-1, 1), repeat=2))


class Brandubh(Model):
    columns = rows = 7
    limit = 100
    arms = "WBB"  # from the throne outward
    every = 2

    def __init__(self):
        super().__init__()
        middle = (self.columns + 1) // 2
        self.throne = (middle, middle)
        self.corners = set(product((1, self.columns), repeat=2))

    def start(self):
        cells = {self.throne: "K"}
        for step in STRAIGHT:
            for far, piece in enumerate(self.arms, 1):
                cells[ahead(self.throne, step, far)] = piece
        return Position(cells, "b")

    def moves(self, position):
        """The field left and the field reached."""
        own = "WK" if position.side == "w" else "B"
        for field, step in product([field for field, piece in position.cells.items() if piece in own], STRAIGHT):
            target = ahead(field, step)
            while target in self.on_board and target not in position.cells:
                if position.cells[field] != "K" and target in self.corners | {self.throne}:
                    break
                yield field, target
                target = ahead(target, step)

    def children(self, position):
        own = "WK" if position.side == "w" else "B"
        for field, target in self.moves(position):
            cells = dict(position.cells)
            cells[target] = cells.pop(field)
            taken = []
            for step in STRAIGHT:
                victim = ahead(target, step)
                piece = cells.get(victim)
                if piece and piece not in own and self.caught(cells, piece, victim, ahead(victim, step), own):
                    taken.append(victim)
            king_taken = any(cells[victim] == "K" for victim in taken)
            for victim in taken:
                del cells[victim]
            quiet = 0 if taken else position.values.get("quiet", 0) + 1
            child = Position(cells, OTHER[position.side], without({"quiet": quiet}))
            escaped = cells[target] == "K" and target in self.corners
            stuck = next(self.moves(child), None) is None
            if king_taken or escaped:
                yield child, WINS[position.side]
            else:
                yield child, "draw" if quiet == self.limit else WINS[position.side] if stuck else None

    def caught(self, cells, piece, victim, behind, own):
        if piece == "K":
            return self.king_caught(cells, victim, behind)
        empty_throne = behind == self.throne and behind not in cells
        return cells.get(behind, "?") in own or behind in self.corners or empty_throne

    def king_caught(self, cells, king, behind):
        around = [ahead(king, step) for step in STRAIGHT]
        enemies = sum(cells.get(field) == "B" for field in around)
        if king == self.throne or self.throne in around:
            return enemies == (4 if king == self.throne else 3)
        return cells.get(behind) == "B" or behind in self.corners


class Hnefatafl(Brandubh):
    columns = rows = 11
    limit = 200
    every = 5

    def start(self):
        cells = {self.throne: "K"}
        for step in STRAIGHT:
            for far, piece in ((1, "W"), (2, "W"), (4, "B"), (5, "B")):
                cells[ahead(self.throne, step, far)] = piece
            for aside in (-2, -1, 1, 2):
                cells[ahead(ahead(self.throne, step, 5), step[::-1], aside)] = "B"
        cells |= {ahead(self.throne, step): "W" for step in DIAGONAL}
        return Position(cells, "b")

    def king_caught(self, cells, king, behind):
        around = [ahead(king, step) for step in STRAIGHT]
        enemies = sum(cells.get(field) == "B" for field in around)
        return enemies == 4 or enemies == 3 and self.throne in around


class BaghChal(Model):
    columns = rows = 5
    every = 3

    def start(self):
        return Position(dict.fromkeys(product((1, 5), repeat=2), "t"), "w", {"to_place": 20})

    def ways(self, field):
        return ALL if sum(field) % 2 == 0 else STRAIGHT

    def moves(self, position):
        cells, values = position.cells, position.values
        quiet = {"quiet": values.get("quiet", 0) + 1}
        if position.side == "w":
            if values.get("to_place"):
                left = values | {"to_place": values["to_place"] - 1, "quiet": 0}
                yield from (self.after(position, {field: "G"}, left) for field in self.empty(position))
                return
            for field in [field for field in cells if cells[field] == "G"]:
                for step in self.ways(field):
                    if ahead(field, step) in self.on_board - set(cells):
                        yield self.after(position, {field: None, ahead(field, step): "G"}, values | quiet)
            return
        for field in [field for field in cells if cells[field] == "t"]:
            for step in self.ways(field):
                near, far = ahead(field, step), ahead(field, step, 2)
                if near in self.on_board - set(cells):
                    yield self.after(position, {field: None, near: "t"}, values | quiet)
                elif cells.get(near) == "G" and far in self.on_board - set(cells):
                    taken = values | {"captured": values.get("captured", 0) + 1, "quiet": 0}
                    yield self.after(position, {field: None, near: None, far: "t"}, taken)

    def children(self, position):
        for child in self.moves(position):
            stuck = next(self.moves(child), None) is None
            if child.values.get("captured") == 5:
                yield child, WINS["b"]
            else:
                drawn = "draw" if child.values.get("quiet") == 100 else None
                yield child, drawn or (WINS[position.side] if stuck else None)


class HareAndHounds(Model):
    columns, rows = 5, 3
    links = {
        (1, 2): "b1 b2 b3", (2, 1): "a2 b2 c1 c2", (2, 2): "a2 b1 b3 c2", (2, 3): "a2 b2 c3 c2",
        (3, 1): "b1 c2 d1", (3, 2): "b1 b2 b3 c1 c3 d1 d2 d3", (3, 3): "b3 c2 d3",
        (4, 1): "c1 c2 d2 e2", (4, 2): "c2 d1 d3 e2", (4, 3): "c3 c2 d2 e2", (5, 2): "d1 d2 d3",
    }  # fmt: skip

    def is_field(self, field):
        return field in self.links

    def start(self):
        return Position({(1, 2): "H", (2, 1): "H", (2, 3): "H", (5, 2): "r"}, "w")

    def moves(self, position):
        own = "H" if position.side == "w" else "r"
        for field in [field for field, piece in position.cells.items() if piece == own]:
            for name in self.links[field].split():
                target = ("abcde".index(name[0]) + 1, int(name[1]))
                if target in position.cells or own == "H" and target[0] < field[0]:
                    continue
                values = dict(position.values)
                if own == "H":
                    values["upright"] = values.get("upright", 0) + 1 if target[0] == field[0] else 0
                yield self.after(position, {field: None, target: own}, values)

    def children(self, position):
        for child in self.moves(position):
            hare = next(field for field, piece in child.cells.items() if piece == "r")
            hounds = [field for field, piece in child.cells.items() if piece == "H"]
            stuck = next(self.moves(child), None) is None
            if position.side == "b" and all(hound[0] >= hare[0] for hound in hounds):
                yield child, WINS["b"]
            elif child.values.get("upright") == 10 and position.side == "w":
                yield child, WINS["b"]
            else:
                yield child, WINS[position.side] if stuck else None


class FoxAndGeese(Model):
    columns = rows = 7

    def is_field(self, field):
        return 3 <= field[0] <= 5 or 3 <= field[1] <= 5

    def start(self):
        geese = {field: "G" for field in self.fields if field[1] <= 3}
        return Position(geese | {(4, 4): "f"}, "w")

    def leaps(self, cells, field):
        for step in STRAIGHT:
            near, far = ahead(field, step), ahead(field, step, 2)
            if cells.get(near) == "G" and far in self.on_board and far not in cells:
                yield near, far

    def chains(self, cells, field):
        for near, far in self.leaps(cells, field):
            after = {other: piece for other, piece in cells.items() if other not in (near, field)} | {far: "f"}
            yield after
            yield from self.chains(after, far)

    def moves(self, position):
        cells, quiet = position.cells, position.values.get("quiet", 0) + 1
        if position.side == "w":
            for field, step in product([field for field in cells if cells[field] == "G"], STRAIGHT):
                if step != (0, -1) and ahead(field, step) in self.on_board - set(cells):
                    yield self.after(position, {field: None, ahead(field, step): "G"}, {"quiet": quiet})
            return
        fox = next(field for field in cells if cells[field] == "f")
        for step in STRAIGHT:
            if ahead(fox, step) in self.on_board - set(cells):
                yield self.after(position, {fox: None, ahead(fox, step): "f"}, {"quiet": quiet})
        for after in self.chains(cells, fox):
            yield Position(after, "w")

    def children(self, position):
        for child in self.moves(position):
            stuck = next(self.moves(child), None) is None
            if position.side == "b" and list(child.cells.values()).count("G") < 6:
                yield child, "draw" if child.values.get("quiet") == 100 else WINS["b"]
            else:
                drawn = "draw" if child.values.get("quiet") == 100 else None
                yield child, drawn or (WINS[position.side] if stuck else None)


class AtariGo(Model):
    first = "b"
    symbols = {"w": "O", "b": "X"}
    every = 3

    def __init__(self, size):
        self.columns = self.rows = size
        self.parameters = {"size": size}
        super().__init__()

    def breathes(self, cells, field):
        group = reach([field], lambda f: [g for g in (ahead(f, s) for s in STRAIGHT) if cells.get(g) == cells[field]])
        return any(ahead(f, s) in self.on_board and ahead(f, s) not in cells for f in group for s in STRAIGHT)

    def moves(self, position):
        """The positions, and whether something is captured; the stones stay where they are."""
        for field in self.empty(position):
            child = self.after(position, {field: self.own(position)})
            near = [ahead(field, step) for step in STRAIGHT]
            caught = any(
                child.cells.get(f) == self.his(position) and not self.breathes(child.cells, f) for f in near
            )
            if caught or self.breathes(child.cells, field):
                yield child, caught

    def children(self, position):
        for child, caught in self.moves(position):
            stuck = not caught and next(self.moves(child), None) is None
            yield child, WINS[position.side] if caught or stuck else None


class ToguzKorgool(Model):
    """Holes 0 to 8 are White's from left to right, 9 to 17 Black's in the order of sowing."""

    columns, rows = 9, 2

    def start(self):
        return (9,) * 18, (0, 0), (0, 0), "w"

    def text(self, state):
        holes, stores, tuz, side = state
        rows = [",".join(map(str, reversed(holes[9:]))), ",".join(map(str, holes[:9]))]
        values = [f"balls={'/'.join(rows)}"]
        values += [f"store={stores[0]},{stores[1]}"] if any(stores) else []
        values += [f"tuz={tuz[0]},{tuz[1]}"] if any(tuz) else []
        return " ".join(["9/9", side, *values])

    def after(self, state, hole):
        holes, stores, tuz, side = state
        holes, stores, tuz = list(holes), list(stores), list(tuz)
        player = "wb".index(side)
        theirs = range(9, 18) if player == 0 else range(9)
        count = holes[hole]
        holes[hole] = 0
        at = hole if count > 1 else (hole + 1) % 18
        for number in range(count):
            last = (at + number) % 18
            holes[last] += 1
        if last in theirs:
            number = last % 9 + 1
            if holes[last] % 2 == 0:
                stores[player] += holes[last]
                holes[last] = 0
            elif holes[last] == 3 and not tuz[player] and number != 9 and tuz[1 - player] != number:
                tuz[player] = number
        for owner in (0, 1):
            if tuz[owner]:
                place = (9 if owner == 0 else 0) + tuz[owner] - 1
                stores[owner] += holes[place]
                holes[place] = 0
        return tuple(holes), tuple(stores), tuple(tuz), OTHER[side]

    def own(self, state):
        return range(9) if state[3] == "w" else range(9, 18)

    def children(self, state):
        for hole in self.own(state):
            if not state[0][hole]:
                continue
            child = self.after(state, hole)
            holes, stores, _, _ = child
            over = next((WINS["wb"[player]] for player in (0, 1) if stores[player] > 81), None)
            if not over and not any(holes[hole] for hole in self.own(child)):
                rest = [0, 0]
                rest["wb".index(state[3])] = sum(holes)
                over = margin(stores[0] + rest[0], stores[1] + rest[1])
            yield child, over


class Jungle(Model):
    columns, rows = 7, 9
    order = "RCDWPTLE"
    rivers = set(product((2, 3, 5, 6), (4, 5, 6)))
    white = {"E": (1, 3), "W": (3, 3), "P": (5, 3), "R": (7, 3), "C": (2, 2), "D": (6, 2), "T": (1, 1), "L": (7, 1)}

    def start(self):
        cells = {}
        for piece, (x, y) in self.white.items():
            cells[x, y] = piece
            cells[8 - x, 10 - y] = piece.lower()
        return Position(cells, "w")

    def home(self, side, fields):
        return {field if side == "w" else (8 - field[0], 10 - field[1]) for field in fields}

    def targets(self, cells, field, piece):
        """Where a piece may go by its way, whatever is there."""
        for step in STRAIGHT:
            target = ahead(field, step)
            if target in self.rivers and piece in "TL":
                while target in self.rivers and target not in cells:
                    target = ahead(target, step)
            if target in self.on_board and (target not in self.rivers or piece == "R"):
                yield target

    def beats(self, side, field, piece, target, victim):
        if piece == "R" and (field in self.rivers) != (target in self.rivers):
            return False
        if target in self.home(side, {(3, 1), (5, 1), (4, 2)}):
            return True
        mine, other = self.order.index(piece), self.order.index(victim)
        return (mine >= other and (piece, victim) != ("E", "R")) or (piece, victim) == ("R", "E")

    def moves(self, position):
        side, cells = position.side, position.cells
        for field, symbol in cells.items():
            if symbol.isupper() != (side == "w"):
                continue
            for target in self.targets(cells, field, symbol.upper()):
                victim = cells.get(target)
                if target in self.home(side, {(4, 1)}) or victim and victim.isupper() == symbol.isupper():
                    continue
                if victim and not self.beats(side, field, symbol.upper(), target, victim.upper()):
                    continue
                quiet = 0 if victim else position.values.get("quiet", 0) + 1
                yield self.after(position, {field: None, target: symbol}, {"quiet": quiet})

    def children(self, position):
        for child in self.moves(position):
            in_den = any(field in child.cells for field in self.home(position.side, {(4, 9)}))
            left = any(symbol.isupper() == (child.side == "w") for symbol in child.cells.values())
            if in_den or not left:
                yield child, WINS[position.side]
            else:
                drawn = "draw" if child.values.get("quiet") == 100 else None
                yield child, drawn or (None if next(self.moves(child), None) else WINS[position.side])


class Abalone(Model):
    columns = rows = 9
    first = "b"
    symbols = {"w": "O", "b": "X"}
    every = 5

    def is_field(self, field):
        across, along = field[0] - 5, field[1] - 5
        return max(abs(across), abs(along), abs(across + along)) <= 4

    def start(self):
        black = {(x, 9) for x in range(1, 6)} | {(x, 8) for x in range(1, 7)} | {(3, 7), (4, 7), (5, 7)}
        cells = dict.fromkeys(black, "X") | {(10 - x, 10 - y): "O" for x, y in black}
        return Position(cells, "b")

    def groups(self, men):
        """Rows of one to three marbles, and the direction along each."""
        for field in men:
            yield (field,), None
            for step in HEX[:3]:
                for length in (2, 3):
                    row = tuple(ahead(field, step, far) for far in range(length))
                    if men.issuperset(row):
                        yield row, step

    def moves(self, position):
        own, his, cells = self.own(position), self.his(position), position.cells
        men = {field for field, piece in cells.items() if piece == own}
        for row, axis in self.groups(men):
            for step in HEX:
                moved = [ahead(field, step) for field in row]
                fresh = [field for field in moved if field not in row]
                if not self.on_board.issuperset(moved) or men.intersection(fresh):
                    continue
                changes = dict.fromkeys(row) | dict.fromkeys(moved, own)
                victims = [field for field in fresh if field in cells]
                in_line = axis in (step, (-step[0], -step[1]))
                if not victims:
                    yield changes, 0
                elif in_line:
                    target = victims[0]
                    pushed = []
                    while cells.get(target) == his:
                        pushed.append(target)
                        target = ahead(target, step)
                    if len(pushed) < len(row) and target not in cells:
                        off = target not in self.on_board
                        yield changes | ({} if off else {target: his}), int(off)

    def children(self, position):
        played = position.values.get("played", 0) + 1
        player = "wb".index(position.side)
        before = [int(number) for number in position.values.get("pushed", "0,0").split(",")]
        for changes, off in self.moves(position):
            counts = list(before)
            counts[player] += off
            pushed = f"{counts[0]},{counts[1]}" if any(counts) else None
            child = self.after(position, changes, {"pushed": pushed, "played": played})
            stuck = next(self.moves(child), None) is None
            won = WINS[position.side] if counts[player] == 6 or stuck else None
            yield child, won or ("draw" if played == 400 else None)


MODELS = {
    "brandubh": lambda: [Brandubh()],
    "hnefatafl": lambda: [Hnefatafl()],
    "bagh-chal": lambda: [BaghChal()],
    "hare-and-hounds": lambda: [HareAndHounds()],
    "fox-and-geese": lambda: [FoxAndGeese()],
    "jungle": lambda: [Jungle()],
    "abalone": lambda: [Abalone()],
    "atari-go": lambda: [AtariGo(9), AtariGo(4)],
    "toguz-korgool": lambda: [ToguzKorgool()],
}
