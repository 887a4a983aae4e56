"""Plain models of puzzles, for `models.py`: a position is a set of fields or a list of numbers."""

from itertools import product

from model import STRAIGHT, Model, ahead
from openspiel import WINS


class Puzzle(Model):
    """A state is a dictionary from fields to symbols; White wins by solving it."""

    def after(self, cells, changes):
        return {field: piece for field, piece in (cells | changes).items() if piece}

    def text(self, cells):
        def symbol(field):
            return cells.get(field, ".") if field in self.on_board else "_"

        return "/".join(
            "".join(symbol((x, y)) for x in range(1, self.columns + 1)) for y in range(self.rows, 0, -1)
        )

    def children(self, cells):
        for child in self.moves(cells):
            stuck = self.blocks and next(self.moves(child), None) is None
            yield child, WINS["w"] if self.solved(child) else WINS["b"] if stuck else None

    blocks = True  # who cannot move has lost


class LightsOut(Puzzle):
    blocks = False

    def __init__(self, size):
        self.columns = self.rows = size
        self.parameters = {"size": size}
        super().__init__()

    def start(self):
        return dict.fromkeys(self.fields, "o")

    def moves(self, cells):
        for field in self.fields:
            pressed = {field, *(ahead(field, step) for step in STRAIGHT)} & self.on_board
            yield self.after(cells, {lamp: None if lamp in cells else "o" for lamp in pressed})

    def solved(self, cells):
        return not cells


class Queens(Puzzle):
    def __init__(self, size):
        self.columns = self.rows = size
        self.parameters = {"size": size}
        super().__init__()

    def start(self):
        return {}

    def moves(self, cells):
        y = len(cells) + 1
        for x in range(1, self.columns + 1):
            if all(x not in (u, u + y - v, u - y + v) for u, v in cells) and y <= self.rows:
                yield self.after(cells, {(x, y): "Q"})

    def solved(self, cells):
        return len(cells) == self.rows


class KnightsTour(Puzzle):
    def __init__(self, size):
        self.columns = self.rows = size
        self.parameters = {"size": size}
        super().__init__()

    def start(self):
        return {(1, 1): "N"}

    def moves(self, cells):
        x, y = next(field for field, piece in cells.items() if piece == "N")
        for field in self.fields:
            if abs(field[0] - x) * abs(field[1] - y) == 2 and field not in cells:
                yield self.after(cells, {(x, y): "*", field: "N"})

    def solved(self, cells):
        return len(cells) == len(self.fields)


class Pegs(Puzzle):
    """`lines`: the steps along which pegs jump."""

    def __init__(self, rows, hole, lines):
        self.columns = self.rows = len(rows)
        self.holes = {(x, len(rows) - y) for y, row in enumerate(rows) for x, sign in enumerate(row, 1) if sign != "_"}
        self.hole, self.lines = hole, lines
        super().__init__()

    def is_field(self, field):
        return field in self.holes

    def start(self):
        return {field: "o" for field in self.fields if field != self.hole}

    def moves(self, cells):
        for field, step in product(cells, self.lines):
            over, target = ahead(field, step), ahead(field, step, 2)
            if over in cells and target in self.on_board and target not in cells:
                yield self.after(cells, {field: None, over: None, target: "o"})

    def solved(self, cells):
        return len(cells) == 1


EUROPEAN = ["__ooo__", "_ooooo_", "ooooooo", "ooooooo", "ooooooo", "_ooooo_", "__ooo__"]
TRIANGLE = ["o____", "oo___", "ooo__", "oooo_", "ooooo"]

MODELS = {
    "lights-out": lambda: [LightsOut(5), LightsOut(2)],
    "eight-queens": lambda: [Queens(8), Queens(5)],
    "knights-tour": lambda: [KnightsTour(5), KnightsTour(4)],
    "european-solitaire": lambda: [Pegs(EUROPEAN, (3, 5), STRAIGHT)],
    "triangle-solitaire": lambda: [Pegs(TRIANGLE, (1, 5), (*STRAIGHT, (1, -1), (-1, 1)))],
}
