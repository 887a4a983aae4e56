"""Plain models of games of rows, for `models.py`: every window of a line is listed beforehand."""

from itertools import product

from model import HEX, OTHER, Model, Position, ahead, without
from openspiel import WINS

AXES = ((1, 0), (0, 1), (1, 1), (1, -1))


class Rows(Model):
    symbols = {"w": "O", "b": "X"}
    axes = AXES

    def windows(self, length):
        """All straight rows of so many fields."""
        for field, step in product(self.fields, self.axes):
            row = [ahead(field, step, far) for far in range(length)]
            if row[-1] in self.on_board and all(other in self.on_board for other in row):
                yield row

    def through(self, length):
        """The same by the fields that they go through."""
        found = {field: [] for field in self.fields}
        for row in self.windows(length):
            for field in row:
                found[field].append(row)
        return found

    def has(self, cells, windows, symbol):
        return any(all(cells.get(field) == symbol for field in row) for row in windows)


class Square(Rows):
    """Boards with a size."""

    def __init__(self, size, first="w"):
        self.columns = self.rows = size
        self.parameters = {"size": size}
        self.first = first
        super().__init__()


class Connect6(Square):
    def __init__(self, size):
        super().__init__(size, "b")
        self.every = 20 if size > 10 else 2
        self.sixes = self.through(6)

    def children(self, position):
        own = self.own(position)
        for field in self.empty(position):
            cells = position.cells | {field: own}
            if self.has(cells, self.sixes[field], own):
                yield self.after(position, {field: own}), WINS[position.side]
                continue
            # One stone, then two and two: the player is the same after an odd number but the first.
            again = len(cells) % 2 == 0
            side = position.side if again else OTHER[position.side]
            full = "draw" if len(cells) == len(self.fields) else None
            yield Position(cells, side, {"second": 1} if again else {}), full


class ThreeLoses(Rows):
    """Four in a row win, three lose."""

    every = 3

    def __init__(self, swap=None):
        super().__init__()
        self.parameters = {} if swap is None else {"swap": swap}
        self.fours, self.threes = list(self.windows(4)), list(self.windows(3))

    def children(self, position):
        own = self.own(position)
        for field in self.empty(position):
            child = self.after(position, {field: own})
            if self.has(child.cells, self.fours, own):
                yield child, WINS[position.side]
            elif self.has(child.cells, self.threes, own):
                yield child, WINS[child.side]
            else:
                yield child, "draw" if len(child.cells) == len(self.fields) else None
        if self.parameters.get("swap") and position.side == "b" and len(position.cells) == 1:
            yield self.after(position, {field: "X" for field in position.cells}), None


class Squava(ThreeLoses):
    columns = rows = 5


class Yavalath(ThreeLoses):
    columns = rows = 9
    axes = HEX[:3]

    def is_field(self, field):
        across, along = field[0] - 5, field[1] - 5
        return max(abs(across), abs(along), abs(across + along)) <= 4


class Teeko(Rows):
    columns = rows = 5
    first = "b"

    def __init__(self):
        super().__init__()
        squares = [[(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)] for x, y in product(range(1, 5), repeat=2)]
        self.patterns = [*self.windows(4), *squares]
        assert len(self.patterns) == 44

    def start(self):
        return Position({}, "b", {"to_place": "4,4"})

    def moves(self, position):
        own, cells = self.own(position), position.cells
        left = [int(number) for number in position.values.get("to_place", "0,0").split(",")]
        player = "wb".index(position.side)
        if left[player]:
            left[player] -= 1
            values = {"to_place": f"{left[0]},{left[1]}" if any(left) else None}
            yield from (self.after(position, {field: own}, values) for field in self.empty(position))
            return
        quiet = position.values.get("quiet", 0) + 1
        for field, target in product([field for field in cells if cells[field] == own], self.empty(position)):
            if max(abs(one - other) for one, other in zip(field, target)) == 1:
                yield self.after(position, {field: None, target: own}, {"quiet": quiet})

    def children(self, position):
        for child in self.moves(position):
            won = self.has(child.cells, self.patterns, self.own(position))
            draw = "draw" if child.values.get("quiet") == 100 else None
            stuck = next(self.moves(child), None) is None
            yield child, WINS[position.side] if won else draw or (WINS[position.side] if stuck else None)


class Pente(Square):
    def __init__(self, size):
        super().__init__(size)
        self.every = 20 if size > 10 else 2
        self.fives = self.through(5)

    def children(self, position):
        own, his = self.own(position), self.his(position)
        before = [int(number) for number in position.values.get("pairs", "0,0").split(",")]
        for field in self.empty(position):
            cells = position.cells | {field: own}
            pairs = list(before)
            for step in [*AXES, *((-x, -y) for x, y in AXES)]:
                one, two, end = (ahead(field, step, far) for far in (1, 2, 3))
                if cells.get(one) == cells.get(two) == his and cells.get(end) == own:
                    del cells[one], cells[two]
                    pairs["wb".index(position.side)] += 1
            won = pairs["wb".index(position.side)] >= 5
            won = won or self.has(cells, self.fives[field], own)
            values = without({"pairs": f"{pairs[0]},{pairs[1]}" if any(pairs) else None})
            full = "draw" if len(cells) == len(self.fields) else None
            yield Position(cells, OTHER[position.side], values), WINS[position.side] if won else full


class OrderAndChaos(Rows):
    columns = rows = 6
    every = 2

    def __init__(self):
        super().__init__()
        self.fives = list(self.windows(5))

    def children(self, position):
        for field, sign in product(self.empty(position), "XO"):
            child = self.after(position, {field: sign})
            if self.has(child.cells, self.fives, sign):
                yield child, WINS["w"]
            else:
                yield child, WINS["b"] if len(child.cells) == 36 else None


class Notakto(Rows):
    columns, rows = 11, 3

    def is_field(self, field):
        return field[0] % 4 != 0

    def __init__(self):
        super().__init__()
        self.threes = list(self.windows(3))

    def playable(self, cells):
        dead = {row[0][0] // 4 for row in self.threes if all(field in cells for field in row)}
        return [field for field in self.fields if field not in cells and field[0] // 4 not in dead]

    def children(self, position):
        for field in self.playable(position.cells):
            child = self.after(position, {field: "X"})
            yield child, None if self.playable(child.cells) else WINS[child.side]


MODELS = {
    "connect6": lambda: [Connect6(19), Connect6(7)],
    "squava": lambda: [Squava()],
    "yavalath": lambda: [Yavalath(1), Yavalath(0)],
    "teeko": lambda: [Teeko()],
    "pente": lambda: [Pente(19), Pente(7)],
    "order-and-chaos": lambda: [OrderAndChaos()],
    "notakto": lambda: [Notakto()],
}
