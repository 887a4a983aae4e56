"""What the plain models of games have in common: see `models.py`."""

from itertools import product
from typing import NamedTuple

from openspiel import WINS

STRAIGHT = ((0, 1), (1, 0), (0, -1), (-1, 0))
ALL = tuple(step for step in product((-1, 0, 1), repeat=2) if step != (0, 0))
HEX = ((0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1))
OTHER = {"w": "b", "b": "w"}


class Position(NamedTuple):
    cells: dict  # from (column, row), counted from 1, to the symbol of a piece
    side: str
    values: dict = {}  # other than nought


def ahead(field, step, distance=1):
    return field[0] + step[0] * distance, field[1] + step[1] * distance


def margin(white, black):
    """The outcome of a game that counts."""
    if white == black:
        return "draw"
    return f"white wins by {white - black}" if white > black else f"black wins by {black - white}"


def without(values):
    return {name: value for name, value in values.items() if value}


def reach(starts, step):
    """Everything that can be reached from some fields; `step` gives the fields next to one."""
    found, waiting = set(starts), list(starts)
    while waiting:
        for field in step(waiting.pop()):
            if field not in found:
                found.add(field)
                waiting.append(field)
    return found


class Model:
    program = "an independent program of this folder"
    finals = True
    most_moves = 1000
    columns = rows = 8
    first = "w"
    symbols = {"w": "X", "b": "O"}
    parameters = {}
    every = 1  # how many moves from one comparison to the next

    def __init__(self):
        grid = product(range(1, self.columns + 1), range(1, self.rows + 1))
        self.fields = [field for field in grid if self.is_field(field)]
        self.on_board = set(self.fields)

    def is_field(self, field):
        return True

    def start(self):
        return Position({}, self.first)

    def own(self, position):
        return self.symbols[position.side]

    def his(self, position):
        return self.symbols[OTHER[position.side]]

    def empty(self, position):
        return [field for field in self.fields if field not in position.cells]

    def after(self, position, changes, values=None):
        cells = {field: piece for field, piece in (position.cells | changes).items() if piece}
        return Position(cells, OTHER[position.side], position.values if values is None else without(values))

    def text(self, position):
        def symbol(field):
            return position.cells.get(field, ".") if field in self.on_board else "_"

        rows = ("".join(symbol((x, y)) for x in range(1, self.columns + 1)) for y in range(self.rows, 0, -1))
        values = (f"{name}={value}" for name, value in position.values.items())
        return " ".join(["/".join(rows), position.side, *values])
