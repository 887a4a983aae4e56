"""Plain models of games on small boards, for `models.py`: blocking, hunting and racing games."""

from itertools import product

from model import ALL, STRAIGHT, Model, Position, ahead
from openspiel import WINS

DIAGONAL = tuple(product((-1, 1), repeat=2))
OTHER_WINS = {"w": WINS["b"], "b": WINS["w"]}


class Blocking(Model):
    """Who cannot move has lost; `moves` gives the positions one move away."""

    def children(self, position):
        for child in self.moves(position):
            yield child, None if next(self.moves(child), None) else WINS[position.side]

    def men(self, position, symbol):
        return [field for field, piece in position.cells.items() if piece == symbol]


class Clobber(Blocking):
    symbols = {"w": "O", "b": "X"}

    def __init__(self, columns, rows):
        self.columns, self.rows = columns, rows
        self.parameters = {"columns": columns, "rows": rows}
        super().__init__()

    def start(self):
        return Position({(x, y): "OX"[(x - 1 + self.rows - y) % 2] for x, y in self.fields}, "w")

    def moves(self, position):
        for field in self.men(position, self.own(position)):
            for step in STRAIGHT:
                if position.cells.get(ahead(field, step)) == self.his(position):
                    yield self.after(position, {field: None, ahead(field, step): self.own(position)})


class Konane(Blocking):
    symbols = {"w": "O", "b": "X"}
    first = "b"

    def __init__(self, size):
        self.columns = self.rows = size
        self.parameters = {"size": size}
        super().__init__()

    def start(self):
        return Position({(x, y): "XO"[(x + y) % 2] for x, y in self.fields}, "b")

    def moves(self, position):
        own, his, cells, size = self.own(position), self.his(position), position.cells, self.rows
        gone = [field for field in self.fields if field not in cells]
        if len(gone) < 2:
            half = size // 2
            middle = {half, half + 1} if size % 2 == 0 else {half + 1}
            allowed = set(product((1, size), repeat=2)) | set(product(middle, repeat=2))
            if gone:
                allowed = {ahead(gone[0], step) for step in STRAIGHT}
            yield from (self.after(position, {field: None}) for field in allowed if cells.get(field) == own)
            return
        for field, step in product(self.men(position, own), STRAIGHT):
            taken = {field: None}
            while cells.get(ahead(field, step)) == his and ahead(field, step, 2) in self.on_board - set(cells):
                taken[ahead(field, step)] = None
                field = ahead(field, step, 2)
                yield self.after(position, taken | {field: own})


class Cram(Blocking):
    def __init__(self, columns, rows):
        self.columns, self.rows = columns, rows
        self.parameters = {"columns": columns, "rows": rows}
        super().__init__()

    def moves(self, position):
        free = set(self.empty(position))
        for field, step in product(free, ((1, 0), (0, 1))):
            if ahead(field, step) in free:
                yield self.after(position, dict.fromkeys([field, ahead(field, step)], "#"))


class Colouring(Blocking):
    """Snort keeps away from the opponent's fields, col from one's own."""

    symbols = {"w": "O", "b": "X"}

    def __init__(self, columns, rows, from_own):
        self.columns, self.rows, self.from_own = columns, rows, from_own
        self.parameters = {"columns": columns, "rows": rows}
        super().__init__()

    def moves(self, position):
        barred = self.own(position) if self.from_own else self.his(position)
        for field in self.empty(position):
            if barred not in [position.cells.get(ahead(field, step)) for step in STRAIGHT]:
                yield self.after(position, {field: self.own(position)})


class Nim(Model):
    columns, rows = 4, 7
    heaps = (1, 3, 5, 7)

    def __init__(self, misere):
        self.parameters = {"misere": misere}
        super().__init__()

    def heaps_position(self, heaps, side):
        return Position({(x, y): "o" for x, height in enumerate(heaps, 1) for y in range(1, height + 1)}, side)

    def start(self):
        return self.heaps_position(self.heaps, "w")

    def children(self, position):
        heights = [sum(field[0] == x for field in position.cells) for x in range(1, 5)]
        for heap in range(4):
            for height in range(heights[heap]):
                left = [height if number == heap else other for number, other in enumerate(heights)]
                child = self.heaps_position(left, "b" if position.side == "w" else "w")
                last = OTHER_WINS if self.parameters["misere"] else WINS
                yield child, None if any(left) else last[position.side]


class Chomp(Blocking):
    def __init__(self, columns, rows):
        self.columns, self.rows = columns, rows
        self.parameters = {"columns": columns, "rows": rows}
        super().__init__()

    def start(self):
        return Position(dict.fromkeys(self.fields, "#"), "w")

    def moves(self, position):
        for x, y in position.cells:
            if (x, y) != (1, 1):
                yield self.after(position, {(u, v): None for u, v in position.cells if u >= x and v >= y})


class JesonMor(Model):
    columns = rows = 9
    symbols = {"w": "N", "b": "n"}
    leaps = [step for step in product((-2, -1, 1, 2), repeat=2) if abs(step[0]) != abs(step[1])]

    def start(self):
        return Position({(x, y): "N" if y == 1 else "n" for x in range(1, 10) for y in (1, 9)}, "w")

    def children(self, position):
        own, his, cells = self.own(position), self.his(position), position.cells
        for field, step in product([field for field in cells if cells[field] == own], self.leaps):
            target = ahead(field, step)
            if target not in self.on_board or cells.get(target) == own:
                continue
            quiet = 0 if target in cells else position.values.get("quiet", 0) + 1
            child = self.after(position, {field: None, target: own}, {"quiet": quiet})
            won = field == (5, 5) or his not in child.cells.values()
            yield child, WINS[position.side] if won else "draw" if quiet == 100 else None


class Ataxx(Model):
    columns = rows = 7
    symbols = {"w": "P", "b": "p"}
    every = 3

    def start(self):
        return Position({(1, 7): "P", (7, 1): "P", (1, 1): "p", (7, 7): "p"}, "w")

    def moves(self, position):
        own, his, cells = self.own(position), self.his(position), position.cells
        for field, target in product([field for field in cells if cells[field] == own], self.empty(position)):
            distance = max(abs(one - other) for one, other in zip(field, target))
            if distance <= 2:
                turned = [near for near in (ahead(target, step) for step in ALL) if cells.get(near) == his]
                changes = dict.fromkeys([target, *turned], own) | ({field: None} if distance == 2 else {})
                quiet = 0 if distance == 1 or turned else position.values.get("quiet", 0) + 1
                yield self.after(position, changes, {"quiet": quiet})

    def stuck(self, position):
        return next(self.moves(position), None) is None

    def children(self, position):
        if self.stuck(position):
            yield self.after(position, {}), None
        for child in self.moves(position):
            discs = list(child.cells.values())
            over = self.stuck(child) and self.stuck(child._replace(side=position.side))
            if self.symbols[child.side] not in discs:
                yield child, WINS[position.side]
            elif over or child.values.get("quiet") == 100:
                white, black = discs.count("P"), discs.count("p")
                margin = f"{WINS['w' if white > black else 'b']} by {abs(white - black)}"
                yield child, margin if white != black else "draw"
            else:
                yield child, None


class Dodgem(Model):
    symbols = {"w": "W", "b": "B"}
    ways = {"w": ((0, 1), (1, 0), (0, -1)), "b": ((-1, 0), (0, 1), (1, 0))}

    def __init__(self, size):
        self.columns = self.rows = size
        self.parameters = {"size": size}
        super().__init__()

    def start(self):
        white = {(1, y): "W" for y in range(2, self.rows + 1)}
        return Position(white | {(y, x): "B" for x, y in white}, "w")

    def moves(self, position):
        own, cells = self.own(position), position.cells
        exit_step = (1, 0) if position.side == "w" else (0, 1)
        for field in [field for field in cells if cells[field] == own]:
            for step in self.ways[position.side]:
                target = ahead(field, step)
                if target in self.on_board - set(cells):
                    yield self.after(position, {field: None, target: own})
                elif target not in self.on_board and step == exit_step:
                    yield self.after(position, {field: None})

    def children(self, position):
        for child in self.moves(position):
            yield child, None if next(self.moves(child), None) else OTHER_WINS[position.side]


class MuTorere(Blocking):
    columns = rows = 3
    symbols = {"w": "W", "b": "B"}
    ring = ((1, 1), (2, 1), (3, 1), (3, 2), (3, 3), (2, 3), (1, 3), (1, 2))

    def start(self):
        return Position(dict(zip(self.ring, "WWBBBBWW")), "w")

    def moves(self, position):
        own, his, cells = self.own(position), self.his(position), position.cells
        (free,) = self.empty(position)
        for field in self.men(position, own):
            if free in self.ring and field in self.ring:
                legal = (self.ring.index(free) - self.ring.index(field)) % 8 in (1, 7)
            elif free in self.ring:
                legal = True
            else:
                place = self.ring.index(field)
                legal = his in (cells[self.ring[place - 1]], cells[self.ring[(place + 1) % 8]])
            if legal:
                yield self.after(position, {field: None, free: own})


class FiveFieldKono(Model):
    columns = rows = 5
    symbols = {"w": "W", "b": "B"}
    every = 5
    home = {"w": [(x, 1) for x in range(1, 6)] + [(1, 2), (5, 2)]}
    home["b"] = [(x, 6 - y) for x, y in home["w"]]

    def start(self):
        return Position({field: side.upper() for side in "wb" for field in self.home[side]}, "w")

    def moves(self, position, played):
        own = self.own(position)
        for field, step in product([field for field in position.cells if position.cells[field] == own], DIAGONAL):
            if ahead(field, step) in self.on_board - set(position.cells):
                yield self.after(position, {field: None, ahead(field, step): own}, {"played": played})

    def children(self, position):
        played = position.values.get("played", 0) + 1
        goal = self.home["b" if position.side == "w" else "w"]
        for child in self.moves(position, played):
            won = all(child.cells.get(field) == self.own(position) for field in goal)
            stuck = played == 300 or next(self.moves(child, 0), None) is None
            yield child, WINS[position.side] if won else "draw" if stuck else None


class ThreeMusketeers(Model):
    columns = rows = 5

    def start(self):
        men = dict.fromkeys(self.fields, "e")
        return Position(men | dict.fromkeys([(1, 1), (3, 3), (5, 5)], "M"), "w")

    def moves(self, position):
        own, wanted = ("M", "e") if position.side == "w" else ("e", None)
        for field, step in product([field for field in position.cells if position.cells[field] == own], STRAIGHT):
            target = ahead(field, step)
            if target in self.on_board and position.cells.get(target) == wanted:
                yield self.after(position, {field: None, target: own})

    def children(self, position):
        for child in self.moves(position):
            columns, rows = (set(line) for line in zip(*[f for f in child.cells if child.cells[f] == "M"]))
            if position.side == "w" and 1 in (len(columns), len(rows)):
                yield child, WINS["b"]
            else:
                yield child, None if next(self.moves(child), None) else WINS["w"]


MODELS = {
    "clobber": lambda: [Clobber(6, 5), Clobber(4, 3)],
    "konane": lambda: [Konane(8), Konane(5)],
    "cram": lambda: [Cram(6, 6), Cram(4, 3)],
    "snort": lambda: [Colouring(7, 7, from_own=False), Colouring(4, 3, from_own=False)],
    "col": lambda: [Colouring(7, 7, from_own=True), Colouring(4, 3, from_own=True)],
    "nim": lambda: [Nim(0), Nim(1)],
    "chomp": lambda: [Chomp(7, 4), Chomp(4, 3)],
    "jeson-mor": lambda: [JesonMor()],
    "ataxx": lambda: [Ataxx()],
    "dodgem": lambda: [Dodgem(3), Dodgem(5)],
    "mu-torere": lambda: [MuTorere()],
    "five-field-kono": lambda: [FiveFieldKono()],
    "three-musketeers": lambda: [ThreeMusketeers()],
}
