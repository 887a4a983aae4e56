"""Plain implementations of games for which no other program is at hand, written without looking at our rules.

A state is `(cells, side)`: a dictionary from (column, row), counted from 1, to a piece's symbol, and `w` or `b`.
"""

STRAIGHT = ((0, 1), (1, 0), (0, -1), (-1, 0))


def rows_text(cells, size):
    rows = ("".join(cells.get((column, row), ".") for column in range(1, size + 1)) for row in range(size, 0, -1))
    return "/".join(rows)


class Tablut:
    size = 9
    throne = (5, 5)

    def start(self, rng):
        cells = {self.throne: "K"}
        for across, along in STRAIGHT:
            for distance, piece in enumerate("WWBB", 1):
                cells[5 + distance * across, 5 + distance * along] = piece
            for aside in (-1, 1):
                cells[5 + 4 * across + aside * along, 5 + 4 * along + aside * across] = "B"
        return cells, "b"

    def successors(self, state):
        cells, side = state
        if not self.king(cells) or self.on_edge(self.king(cells)):
            return []
        own = "WK" if side == "w" else "B"
        children = []
        for field in [field for field, piece in cells.items() if piece in own]:
            for direction in STRAIGHT:
                target = self.next(field, direction)
                while self.on_board(target) and target not in cells and target != self.throne:
                    children.append((self.after(cells, field, target, own), "b" if side == "w" else "w"))
                    target = self.next(target, direction)
        return children

    def after(self, before, field, target, own):
        cells = dict(before)
        cells[target] = cells.pop(field)
        # All captures are decided before anything is removed.
        taken = [victim for direction in STRAIGHT if (victim := self.victim(cells, target, direction, own))]
        for victim in taken:
            del cells[victim]
        return cells

    def victim(self, cells, target, direction, own):
        victim = self.next(target, direction)
        piece = cells.get(victim)
        if piece is None or piece in own:
            return None
        behind = self.next(victim, direction)
        if piece == "K":
            return victim if self.king_is_caught(cells, victim, behind) else None
        if cells.get(behind, ".") in own:
            return victim
        if behind == self.throne and (behind not in cells or self.beset(cells, behind) == 3 and piece == "W"):
            return victim
        return None

    def king_is_caught(self, cells, king, behind):
        neighbours = [self.next(king, direction) for direction in STRAIGHT]
        if king == self.throne:
            return self.beset(cells, king) == 4
        if self.throne in neighbours:
            return self.beset(cells, king) == 3
        return cells.get(behind) == "B"

    def beset(self, cells, field):
        return sum(cells.get(self.next(field, direction)) == "B" for direction in STRAIGHT)

    @staticmethod
    def next(field, direction):
        return field[0] + direction[0], field[1] + direction[1]

    def on_board(self, field):
        return all(1 <= coordinate <= self.size for coordinate in field)

    def on_edge(self, field):
        return any(coordinate in (1, self.size) for coordinate in field)

    @staticmethod
    def king(cells):
        return next((field for field, piece in cells.items() if piece == "K"), None)


class Renju:
    """Lines are cut out as strings; a five is found by looking at every window of a line."""

    size = 15
    axes = ((1, 0), (0, 1), (1, 1), (1, -1))

    def start(self, rng):
        """Stones close to each other: random games would hardly ever come across a forbidden move."""
        while True:
            fields = rng.sample(
                [(column, row) for column in range(5, 12) for row in range(5, 12)], 2 * rng.randrange(5, 12)
            )
            cells = {field: "XO"[number % 2] for number, field in enumerate(fields)}
            if not self.won(cells):
                return cells, "b"

    def successors(self, state):
        cells, side = state
        if self.won(cells):
            return []
        children = []
        for column in range(1, self.size + 1):
            for row in range(1, self.size + 1):
                field = (column, row)
                if field in cells or len(cells) < 3 and max(abs(column - 8), abs(row - 8)) > len(cells):
                    continue
                if side == "b" and self.is_forbidden(cells, field):
                    continue
                children.append(({**cells, field: "X" if side == "b" else "O"}, "w" if side == "b" else "b"))
        return children

    def won(self, cells):
        return any(
            self.length(cells, field, axis) == 5 or piece == "O" and self.length(cells, field, axis) > 5
            for field, piece in cells.items()
            for axis in self.axes
        )

    def length(self, cells, field, axis):
        return 1 + self.reach(cells, field, axis) + self.reach(cells, field, (-axis[0], -axis[1]))

    @staticmethod
    def reach(cells, field, direction):
        piece, steps = cells[field], 0
        while cells.get((field[0] + (steps + 1) * direction[0], field[1] + (steps + 1) * direction[1])) == piece:
            steps += 1
        return steps

    def is_forbidden(self, before, field):
        cells = {**before, field: "X"}
        lengths = [self.length(cells, field, axis) for axis in self.axes]
        if 5 in lengths:
            return False
        if max(lengths) > 5:
            return True
        fours = sum(self.fours(cells, field, axis) for axis in self.axes)
        return fours > 1 or sum(self.is_three(cells, field, axis) for axis in self.axes) > 1

    def near(self, cells, field, axis):
        """Empty fields on an axis that can belong to one five with the field."""
        for distance in range(-4, 5):
            other = (field[0] + distance * axis[0], field[1] + distance * axis[1])
            if all(1 <= coordinate <= self.size for coordinate in other) and other not in cells:
                yield other

    def joined(self, cells, field, other, axis):
        """The row through the field and another one, if they are in the same one: its length, else 0."""
        length = self.length(cells, field, axis)
        forward, backward = self.reach(cells, field, axis), self.reach(cells, field, (-axis[0], -axis[1]))
        inside = [(field[0] + d * axis[0], field[1] + d * axis[1]) for d in range(-backward, forward + 1)]
        return length if other in inside else 0

    def completions(self, cells, field, axis):
        return [
            other
            for other in self.near(cells, field, axis)
            if self.joined({**cells, other: "X"}, field, other, axis) == 5
        ]

    def is_straight_four(self, cells, field, axis):
        return self.length(cells, field, axis) == 4 and len(self.completions(cells, field, axis)) == 2

    def fours(self, cells, field, axis):
        return 1 if self.is_straight_four(cells, field, axis) else len(self.completions(cells, field, axis))

    def is_three(self, cells, field, axis):
        for other in self.near(cells, field, axis):
            after = {**cells, other: "X"}
            if not self.joined(after, field, other, axis) or not self.is_straight_four(after, other, axis):
                continue
            makes_five = any(self.length(after, other, line) == 5 for line in self.axes)
            if not makes_five and not self.is_forbidden(cells, other):
                return True
        return False
