#!/usr/bin/env python3
"""Compares successors and outcomes with OpenSpiel and with plain models of games along random games.

    models.py --binary target/release/multigame hex quarto --games 5
    models.py --binary target/release/multigame all

Each model was written from the rules in plain words, with other means than the rules in `games` where possible: it
measures distances instead of walking, lists lines instead of following them. `models_*.py` have more of them by
families, `openspiel.py` the games of OpenSpiel.
"""

import argparse
import json
import random
import re
import subprocess
import sys
from itertools import product
from pathlib import Path

import models_boards
import models_draughts
import models_hunt
import models_puzzles
import models_rows
import models_stacks
import openspiel
from freeze import Frozen
from model import ALL, HEX, OTHER, STRAIGHT, Model, Position, ahead, margin, reach, without
from openspiel import WINS

LIBRARY = Path(__file__).resolve().parents[2] / "games"

class Amazons(Model):
    columns = rows = 10
    symbols = {"w": "W", "b": "B"}
    every = 9

    def start(self):
        white = {(1, 4): "W", (4, 1): "W", (7, 1): "W", (10, 4): "W"}
        return Position(white | {(x, 11 - y): "B" for x, y in white}, "w")

    def rays(self, cells, field):
        for step in ALL:
            target = ahead(field, step)
            while target in self.on_board and target not in cells:
                yield target
                target = ahead(target, step)

    def moves(self, position):
        own = self.own(position)
        for field in [field for field, piece in position.cells.items() if piece == own]:
            others = {other: piece for other, piece in position.cells.items() if other != field}
            for target in self.rays(others, field):
                for arrow in self.rays(others | {target: own}, target):
                    yield self.after(position, {field: None, target: own, arrow: "*"})

    def children(self, position):
        for child in self.moves(position):
            yield child, None if next(self.moves(child), None) else WINS[position.side]


class LinesOfAction(Model):
    first = "b"
    symbols = {"w": "O", "b": "X"}
    every = 3

    def start(self):
        black = {(x, y): "X" for x in range(2, 8) for y in (1, 8)}
        return Position(black | {(y, x): "O" for x, y in black}, "b")

    def together(self, cells, symbol):
        men = {field for field, piece in cells.items() if piece == symbol}
        return reach([min(men)], lambda field: men & {ahead(field, step) for step in ALL}) == men

    def children(self, position):
        own, his, cells = self.own(position), self.his(position), position.cells
        found = False
        for field, step in product([field for field, piece in cells.items() if piece == own], ALL):
            distance = sum(ahead(field, step, far) in cells for far in range(-7, 8))
            target = ahead(field, step, distance)
            jumped = [cells.get(ahead(field, step, far)) for far in range(1, distance)]
            if target not in self.on_board or cells.get(target) == own or his in jumped:
                continue
            found = True
            child = self.after(position, {field: None, target: own})
            outcome = WINS[OTHER[position.side]] if self.together(child.cells, his) else None
            yield child, WINS[position.side] if self.together(child.cells, own) else outcome
        if not found:
            yield self.after(position, {}), None


class Connection(Model):
    """Hex and Y."""

    every = 4

    def __init__(self, size, swap=1):
        self.columns = self.rows = size
        self.parameters = {"size": size, "swap": swap}
        super().__init__()

    def children(self, position):
        own = self.own(position)
        for field in self.empty(position):
            child = self.after(position, {field: own})
            yield child, WINS[position.side] if self.joined(child.cells, position.side) else None
        stones = [field for field, piece in position.cells.items() if piece != "#"]
        if self.parameters["swap"] and position.side == "b" and len(stones) == 1:
            (field,) = stones
            yield self.after(position, {field: None} | {self.taken_over(field): own}), None

    def chain(self, cells, starts, symbol):
        stones = {field for field, piece in cells.items() if piece == symbol}
        return reach(stones & set(starts), lambda field: stones & {ahead(field, step) for step in HEX})


class Hex(Connection):
    def taken_over(self, field):
        return field[::-1]

    def joined(self, cells, side):
        axis = 1 if side == "w" else 0
        begin = [field for field in self.fields if field[axis] == 1]
        return any(field[axis] == self.rows for field in self.chain(cells, begin, self.symbols[side]))


class Y(Connection):
    def start(self):
        return Position({field: "#" for field in self.fields if sum(field) > self.rows + 1}, "w")

    def taken_over(self, field):
        return field

    def joined(self, cells, side):
        for field in [field for field in self.fields if field[0] == 1]:
            chain = self.chain(cells, [field], self.symbols[side])
            if any(y == 1 for _, y in chain) and any(x + y == self.rows + 1 for x, y in chain):
                return True
        return False


class GoMoku(Model):
    first = "b"
    symbols = {"w": "O", "b": "X"}

    def __init__(self, size, exact=0):
        self.columns = self.rows = size
        self.parameters = {"size": size, "exact": exact}
        super().__init__()

    def longest(self, cells, field):
        """The lengths of the four rows through a field."""
        for step in ((0, 1), (1, 0), (1, 1), (1, -1)):
            length = 1
            for sign in (1, -1):
                far = sign
                while cells.get(ahead(field, step, far)) == cells[field]:
                    length, far = length + 1, far + sign
            yield length

    def children(self, position):
        for field in self.empty(position):
            child = self.after(position, {field: self.own(position)})
            rows = list(self.longest(child.cells, field))
            won = 5 in rows or max(rows) > 5 and not self.parameters["exact"]
            full = "draw" if len(child.cells) == len(self.fields) else None
            yield child, WINS[position.side] if won else full


class Domineering(Model):
    symbols = {"w": "V", "b": "H"}

    def __init__(self, columns, rows):
        self.columns, self.rows = columns, rows
        self.parameters = {"columns": columns, "rows": rows}
        super().__init__()

    def moves(self, position):
        step = (0, 1) if position.side == "w" else (1, 0)
        free = set(self.empty(position))
        for field in free:
            if ahead(field, step) in free:
                yield self.after(position, dict.fromkeys([field, ahead(field, step)], self.own(position)))

    def children(self, position):
        for child in self.moves(position):
            yield child, None if next(self.moves(child), None) else WINS[position.side]


class Halma(Model):
    columns = rows = 16
    symbols = {"w": "w", "b": "b"}
    every = 12
    camp = {(x, y) for y, width in enumerate((5, 5, 4, 3, 2), 1) for x in range(1, width + 1)}
    goal = {"b": camp, "w": {(17 - x, 17 - y) for x, y in camp}}

    def start(self):
        return Position({field: OTHER[side] for side in "wb" for field in self.goal[side]}, "w")

    def children(self, position):
        own, cells, goal = position.side, position.cells, self.goal[position.side]
        played = position.values.get("played", 0) + 1
        for field in [field for field, piece in cells.items() if piece == own]:
            others = set(cells) - {field}

            def jumps(start):
                for step in ALL:
                    target = ahead(start, step, 2)
                    if ahead(start, step) in others and target in self.on_board - others:
                        yield target

            near = {ahead(field, step) for step in ALL} & self.on_board
            for target in (near | reach([field], jumps)) - others - {field}:
                if field in goal and target not in goal:
                    continue
                child = self.after(position, {field: None, target: own}, {"played": played})
                arrived = all(child.cells.get(field) == own for field in goal)
                limit = "draw" if played == 600 else None
                yield child, WINS[own] if arrived else limit


class Lines(Model):
    """Games that are won by a full line; `lines` lists them all."""

    def children(self, position):
        for field in self.empty(position):
            child = self.after(position, {field: self.own(position)})
            won = any(all(child.cells.get(f) == self.own(position) for f in line) for line in self.lines)
            full = "draw" if len(child.cells) == len(self.fields) else None
            yield child, WINS[position.side] if won else full


class Qubic(Lines):
    columns, rows = 19, 4
    every = 3

    def __init__(self):
        super().__init__()
        self.lines = []
        for step in [step for step in product((-1, 0, 1), repeat=3) if step > (0, 0, 0)]:
            for start in product(range(4), repeat=3):
                points = [tuple(a + far * b for a, b in zip(start, step)) for far in range(4)]
                if all(0 <= part < 4 for point in points for part in point):
                    self.lines.append([(5 * z + x + 1, y + 1) for x, y, z in points])
        assert len(self.lines) == 76

    def is_field(self, field):
        return field[0] % 5 != 0


def square_lines(size):
    """Rows, columns and the two diagonals."""
    numbers = range(1, size + 1)
    for number in numbers:
        yield [(number, other) for other in numbers]
        yield [(other, number) for other in numbers]
    yield [(number, number) for number in numbers]
    yield [(number, size + 1 - number) for number in numbers]


class Quarto(Model):
    """A cell holds the number of its token."""

    columns = rows = 4
    every = 2

    def start(self):
        return Position({}, "w", {"given": 16})

    def text(self, position):
        tokens = position._replace(cells=dict.fromkeys(position.cells, "#"))
        kinds = "/".join(",".join(str(position.cells.get((x, y), 0)) for x in range(1, 5)) for y in range(4, 0, -1))
        return super().text(tokens) + (f" kind={kinds}" if any(position.cells.values()) else "")

    def after(self, position, cells, given):
        return Position(cells, OTHER[position.side], without({"given": given}))

    def quarto(self, cells):
        for line in square_lines(4):
            tokens = [cells[field] for field in line if field in cells]
            if len(tokens) == 4 and any(len({token >> bit & 1 for token in tokens}) == 1 for bit in range(4)):
                return True
        return False

    def children(self, position):
        given = position.values.get("given", 0)
        if given == 16:
            yield from ((self.after(position, {}, kind), None) for kind in range(16))
            return
        for field in self.empty(position):
            cells = position.cells | {field: given}
            rest = set(range(16)) - set(cells.values())
            if self.quarto(cells):
                yield self.after(position, cells, given), WINS[position.side]
            elif not rest:
                yield self.after(position, cells, given), "draw"
            else:
                yield from ((self.after(position, cells, kind), None) for kind in rest)


class Hexxagon(Model):
    columns = rows = 9
    symbols = {"w": "w", "b": "b"}
    every = 3

    def is_field(self, field):
        return self.distance(field, (5, 5)) <= 4

    def distance(self, one, other):
        across, along = one[0] - other[0], one[1] - other[1]
        return max(abs(across), abs(along), abs(across + along))

    def start(self):
        corners = dict.fromkeys([(1, 5), (5, 9), (9, 1)], "w") | dict.fromkeys([(1, 9), (5, 1), (9, 5)], "b")
        return Position(corners | dict.fromkeys([(5, 6), (6, 4), (4, 5)], "*"), "w")

    def moves(self, position):
        own, his, cells = self.own(position), self.his(position), position.cells
        for field, target in product([field for field in cells if cells[field] == own], self.empty(position)):
            distance = self.distance(field, target)
            if distance > 2:
                continue
            turned = [other for other in cells if cells[other] == his and self.distance(other, target) == 1]
            changes = dict.fromkeys([target, *turned], own) | ({field: None} if distance == 2 else {})
            quiet = 0 if distance == 1 or turned else position.values.get("quiet", 0) + 1
            yield self.after(position, changes, {"quiet": quiet})

    def stuck(self, position):
        return next(self.moves(position), None) is None

    def children(self, position):
        if self.stuck(position):
            yield self.after(position, {}), None
        for child in self.moves(position):
            gems = list(child.cells.values())
            over = self.stuck(child) and self.stuck(child._replace(side=position.side))
            if child.side not in gems:
                yield child, WINS[position.side]
            elif over or child.values.get("quiet") == 100:
                yield child, margin(gems.count("w"), gems.count("b"))
            else:
                yield child, None


class Morris(Model):
    """Men are placed and then moved along links."""

    symbols = {"w": "w", "b": "b"}

    def start(self):
        return Position({}, "w", {"to_place": f"{self.men},{self.men}"})

    def to_place(self, position):
        return [int(number) for number in position.values.get("to_place", "0,0").split(",")]

    def men_moved(self, position):
        """The changes, the field reached and the men still to place."""
        own, left = self.own(position), self.to_place(position)
        player = "wb".index(position.side)
        if left[player]:
            left[player] -= 1
            yield from (({field: own}, field, left) for field in self.empty(position))
            return
        for field in [field for field, piece in position.cells.items() if piece == own]:
            for target in self.links[field] - set(position.cells):
                yield {field: None, target: own}, target, left

    def values(self, left, **more):
        return {"to_place": f"{left[0]},{left[1]}" if any(left) else None} | more


class ThreeMensMorris(Morris):
    columns = rows = men = 3

    def __init__(self):
        super().__init__()
        self.links = {field: set() for field in self.fields}
        for line in square_lines(3):
            for one, other in zip(line, line[1:]):
                self.links[one].add(other)
                self.links[other].add(one)

    def children(self, position):
        for changes, _, left in self.men_moved(position):
            child = self.after(position, changes, self.values(left))
            won = any(all(child.cells.get(f) == self.own(position) for f in line) for line in square_lines(3))
            stuck = next(self.men_moved(child), None) is None
            yield child, WINS[position.side] if won or stuck else None


class SixMensMorris(Morris):
    columns = rows = 5
    men = 6
    mills = "a1 c1 e1, b2 c2 d2, b4 c4 d4, a5 c5 e5, a1 a3 a5, b2 b3 b4, d2 d3 d4, e1 e3 e5"
    bridges = "a3 b3, d3 e3, c1 c2, c4 c5"

    def __init__(self):
        def fields(text):
            return [[("abcde".index(name[0]) + 1, int(name[1])) for name in line.split()] for line in text.split(",")]

        self.mills = fields(self.mills)
        self.links = {field: set() for line in self.mills for field in line}
        for line in self.mills + fields(self.bridges):
            for one, other in zip(line, line[1:]):
                self.links[one].add(other)
                self.links[other].add(one)
        super().__init__()

    def is_field(self, field):
        return field in self.links

    def in_mill(self, cells, field):
        return any(all(cells.get(f) == cells[field] for f in line) for line in self.mills if field in line)

    def moves(self, position):
        his, before = self.his(position), sum(self.to_place(position))
        for changes, target, left in self.men_moved(position):
            quiet = 0 if sum(left) < before else position.values.get("quiet", 0) + 1
            child = self.after(position, changes, self.values(left, quiet=quiet))
            men = [field for field, piece in child.cells.items() if piece == his]
            if not men or not self.in_mill(child.cells, target):
                yield child
                continue
            for victim in [man for man in men if not self.in_mill(child.cells, man)] or men:
                yield self.after(position, changes | {victim: None}, self.values(left))

    def children(self, position):
        for child in self.moves(position):
            left = self.to_place(child)["wb".index(child.side)]
            few = not left and list(child.cells.values()).count(self.his(position)) < 3
            stuck = next(self.moves(child), None) is None
            limit = "draw" if child.values.get("quiet") == 100 else None
            yield child, WINS[position.side] if few else limit or (WINS[position.side] if stuck else None)


class DotsAndBoxes(Model):
    symbols = {"w": "W", "b": "B"}

    def __init__(self, columns, rows):
        self.columns, self.rows = 2 * columns + 1, 2 * rows + 1
        self.parameters = {"columns": columns, "rows": rows}
        super().__init__()
        self.boxes = {
            box: {ahead(box, step) for step in STRAIGHT} for box in self.fields if box[0] % 2 == box[1] % 2 == 0
        }

    def start(self):
        return Position({field: "+" for field in self.fields if field[0] % 2 and field[1] % 2}, "w")

    def children(self, position):
        for field in [field for field in self.empty(position) if sum(field) % 2]:
            drawn = set(position.cells) | {field}
            closed = [box for box, lines in self.boxes.items() if field in lines and lines <= drawn]
            child = self.after(position, {field: "="} | dict.fromkeys(closed, self.own(position)))
            if closed:
                child = child._replace(side=position.side)
            owned = list(child.cells.values())
            over = len(owned) == len(self.fields)
            yield child, margin(owned.count("W"), owned.count("B")) if over else None


class Pentago(Model):
    columns = rows = 6
    symbols = {"w": "O", "b": "X"}
    every = 4

    def five(self, cells, symbol):
        marbles = [field for field, piece in cells.items() if piece == symbol]
        return any(
            all(cells.get(ahead(field, step, far)) == symbol for far in range(5))
            for field, step in product(marbles, ((0, 1), (1, 0), (1, 1), (1, -1)))
        )

    def turned(self, cells, centre, sign):
        changed = dict(cells)
        for across, along in ALL:
            target = centre[0] + sign * along, centre[1] - sign * across
            changed[target] = cells.get((centre[0] + across, centre[1] + along))
        return {field: piece for field, piece in changed.items() if piece}

    def children(self, position):
        for field in self.empty(position):
            placed = position.cells | {field: self.own(position)}
            if self.five(placed, self.own(position)):
                yield Position(placed, OTHER[position.side]), WINS[position.side]
                continue
            for centre, sign in product(product((2, 5), repeat=2), (1, -1)):
                child = Position(self.turned(placed, centre, sign), OTHER[position.side])
                winners = [side for side in "wb" if self.five(child.cells, self.symbols[side])]
                if len(winners) == 2 or not winners and len(child.cells) == 36:
                    yield child, "draw"
                else:
                    yield child, WINS[winners[0]] if winners else None


class UltimateTicTacToe(Model):
    columns = rows = 11

    def start(self):
        return Position({field: "#" for field in self.fields if 0 in (field[0] % 4, field[1] % 4)}, "w")

    def winner(self, cells, board):
        x, y = 4 * ((board - 1) % 3), 8 - 4 * ((board - 1) // 3)
        for line in square_lines(3):
            marks = {cells.get((x + column, y + row)) for column, row in line}
            if len(marks) == 1 and marks != {None}:
                return marks.pop()
        return None

    def board(self, field):
        return 1 + (field[0] - 1) // 4 + 3 * ((11 - field[1]) // 4)

    def open(self, position, number):
        if self.winner(position.cells, number):
            return []
        return [field for field in self.empty(position) if self.board(field) == number]

    def moves(self, position):
        allowed = position.values.get("next")
        for number in [allowed] if allowed else range(1, 10):
            for field in self.open(position, number):
                child = self.after(position, {field: self.own(position)})
                target = 1 + (field[0] - 1) % 4 + 3 * ((11 - field[1]) % 4)
                yield child._replace(values={"next": target} if self.open(child, target) else {})

    def children(self, position):
        for child in self.moves(position):
            won = {
                ((number - 1) % 3 + 1, (number - 1) // 3 + 1)
                for number in range(1, 10)
                if self.winner(child.cells, number) == self.own(position)
            }
            if any(won.issuperset(line) for line in square_lines(3)):
                yield child, WINS[position.side]
            else:
                yield child, None if next(self.moves(child), None) else "draw"


MODELS = {
    **models_boards.MODELS,
    **models_draughts.MODELS,
    **models_stacks.MODELS,
    **models_hunt.MODELS,
    **models_puzzles.MODELS,
    **models_rows.MODELS,
    "amazons": lambda: [Amazons()],
    "lines-of-action": lambda: [LinesOfAction()],
    "hex": lambda: [Hex(11), Hex(4), Hex(5, swap=0)],
    "y": lambda: [Y(11), Y(4), Y(5, swap=0)],
    "go-moku": lambda: [GoMoku(15), GoMoku(7, exact=1)],
    "domineering": lambda: [Domineering(8, 8), Domineering(5, 3)],
    "halma": lambda: [Halma()],
    "qubic": lambda: [Qubic()],
    "quarto": lambda: [Quarto()],
    "hexxagon": lambda: [Hexxagon()],
    "three-mens-morris": lambda: [ThreeMensMorris()],
    "six-mens-morris": lambda: [SixMensMorris()],
    "dots-and-boxes": lambda: [DotsAndBoxes(3, 3), DotsAndBoxes(2, 4)],
    "pentago": lambda: [Pentago()],
    "ultimate-tic-tac-toe": lambda: [UltimateTicTacToe()],
}


# Differences that are shown of one position.
SHOWN = 5

NAMES = sorted({*MODELS, *openspiel.MODELS})


def models(name):
    """Who can be asked about a game: OpenSpiel first."""
    return [model for known in (openspiel.MODELS, MODELS) if name in known for model in known[name]()]


def key(model, text, outcome):
    """What is compared of a successor."""
    if model.program == "OpenSpiel":
        outcome = outcome and outcome.split(" by ")[0]
        if outcome and not model.finals:
            return outcome
        text = re.sub(r" (quiet=\d+|moves=\d+|checks=\d+,\d+|store=0,0)", "", text)
    # A puzzle has nobody to move.
    rows, *values = text.split()
    return " ".join([re.sub(r"\d+", lambda run: "." * int(run[0]), rows), *sorted(values), str(outcome)])


def our_successors(arguments, name, model, text):
    command = [arguments.binary, "moves", str(LIBRARY / name / "rules.mg"), "--json", "--position", text]
    for parameter, value in model.parameters.items():
        command += ["--set", f"{parameter}={value}"]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"{name}: {text}: {run.stderr}")
    moves = json.loads(run.stdout)
    return moves, {key(model, move["position"], move["outcome"]) for move in moves}


def compare(arguments, name, model, frozen):
    rng = random.Random(arguments.seed)
    positions = 0
    for _ in range(arguments.games):
        state = model.start()
        for ply in range(min(arguments.plies, model.most_moves)):
            children = list(model.children(state))
            if ply % model.every == 0:
                text = model.text(state)
                moves, ours = our_successors(arguments, name, model, text)
                theirs = {
                    key(model, model.text(child) if model.finals or not outcome else "", outcome)
                    for child, outcome in children
                }
                if ours != theirs:
                    print(f"{name}: {model.program} differs at {text}", file=sys.stderr)
                    for whose, extras in (("ours", ours - theirs), ("theirs", theirs - ours)):
                        for extra in sorted(extras)[:SHOWN]:
                            print(f"  only {whose}: {extra}", file=sys.stderr)
                    return False
                positions += 1
                frozen.offer(text, [move["position"] for move in moves], model.parameters)
            playing = [child for child, outcome in children if outcome is None]
            if not playing:
                break
            state = rng.choice(playing)
    setting = "".join(f" {parameter}={value}" for parameter, value in model.parameters.items())
    print(f"| {name}{setting} | {model.program} | {positions} |", flush=True)
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="+", help=f"games: {', '.join(NAMES)}, or all")
    parser.add_argument("--binary", default="multigame")
    parser.add_argument("--games", type=int, default=2)
    parser.add_argument("--plies", type=int, default=700)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--freeze", type=int, default=0, metavar="POSITIONS", help="keep this many of the positions")
    arguments = parser.parse_args()
    same = True
    for name in NAMES if arguments.names == ["all"] else arguments.names:
        asked = models(name)
        programs = dict.fromkeys(model.program for model in asked)
        frozen = Frozen(name, " and ".join(programs), arguments.freeze)
        if all([compare(arguments, name, model, frozen) for model in asked]):
            frozen.write()
        else:
            same = False
    sys.exit(0 if same else 1)


if __name__ == "__main__":
    main()
