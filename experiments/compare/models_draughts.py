"""Plain models of draughts with flying kings, for `models.py`: captures are followed field by field on sets of men."""

from itertools import product

from model import STRAIGHT, Model, Position, ahead
from openspiel import WINS

DIAGONAL = tuple(product((-1, 1), repeat=2))


class Draughts(Model):
    """`longest`: the longest capture is compulsory. What is jumped over leaves the board when the move is over."""

    def __init__(self, size, longest, first="w"):
        self.columns = self.rows = size
        self.longest, self.first = longest, first
        super().__init__()

    def start(self):
        cells = {}
        for x, y in self.fields:
            if (x + y) % 2 == 0 and not self.rows // 2 <= y <= self.rows // 2 + 1:
                cells[x, y] = "w" if y < self.rows / 2 else "b"
        return Position(cells, self.first)

    def slide(self, field, step, blocked):
        """The free fields ahead, and the first one that is not free."""
        free = []
        field = ahead(field, step)
        while field in self.on_board and field not in blocked:
            free.append(field)
            field = ahead(field, step)
        return free, field

    def captures(self, field, king, blocked, enemies, taken=()):
        """Where captures from this field end, and what they take; those that could go on are not among them."""
        went_on = False
        for step in DIAGONAL:
            way, victim = self.slide(field, step, blocked)
            if victim not in enemies or victim in taken or (way and not king):
                continue
            landings, _ = self.slide(victim, step, blocked)
            for landing in landings if king else landings[:1]:
                went_on = True
                yield from self.captures(landing, king, blocked, enemies, (*taken, victim))
        if taken and not went_on:
            yield field, taken

    def moves(self, position):
        """From, to, and what is taken."""
        side, cells = position.side, position.cells
        enemies = {field for field, piece in cells.items() if piece.lower() != side}
        forward = 1 if side == "w" else -1
        own = [field for field in cells if field not in enemies]
        found = [
            (field, end, taken)
            for field in own
            for end, taken in self.captures(field, cells[field].isupper(), cells.keys() - {field}, enemies)
        ]
        if found:
            most = max(len(taken) for _, _, taken in found) if self.longest else 0
            return [move for move in found if len(move[2]) >= most]
        for field in own:
            for step in DIAGONAL if cells[field].isupper() else ((-1, forward), (1, forward)):
                way, _ = self.slide(field, step, cells)
                found += [(field, end, ()) for end in (way if cells[field].isupper() else way[:1])]
        return found

    def children(self, position):
        for field, end, taken in self.moves(position):
            piece = position.cells[field]
            crowned = end[1] == (self.rows if position.side == "w" else 1)
            changes = {field: None, **dict.fromkeys(taken), end: piece.upper() if crowned else piece}
            quiet = 0 if taken or piece.islower() else position.values.get("quiet", 0) + 1
            child = self.after(position, changes, self.counts(position, quiet))
            stuck = not self.moves(child)
            yield child, WINS[position.side] if stuck else self.drawn(child)

    def counts(self, position, quiet):
        return {"quiet": quiet}

    def drawn(self, child):
        return None


class Turkish(Draughts):
    """Along rows and columns; what is jumped over is gone at once, so it can be passed, but no king turns back."""

    def __init__(self):
        super().__init__(8, longest=True)

    def start(self):
        return Position({(x, y): "w" if y < 4 else "b" for x, y in self.fields if y in (2, 3, 6, 7)}, "w")

    def steps(self, side, king):
        return STRAIGHT if king else ((-1, 0), (1, 0), (0, 1 if side == "w" else -1))

    def lines(self, field, king, blocked, enemies, side, came=None, taken=()):
        went_on = False
        for step in self.steps(side, king):
            way, victim = self.slide(field, step, blocked)
            if victim not in enemies or (way and not king) or (came and king and step == (-came[0], -came[1])):
                continue
            landings, _ = self.slide(victim, step, blocked)
            for landing in landings if king else landings[:1]:
                went_on = True
                rest = (blocked - {victim}, enemies - {victim}, side, step, (*taken, victim))
                yield from self.lines(landing, king, *rest)
        if taken and not went_on:
            yield field, taken

    def moves(self, position):
        side, cells = position.side, position.cells
        enemies = {field for field, piece in cells.items() if piece.lower() != side}
        own = [field for field in cells if field not in enemies]
        found = [
            (field, end, taken)
            for field in own
            for end, taken in self.lines(field, cells[field].isupper(), cells.keys() - {field}, enemies, side)
        ]
        if found:
            most = max(len(taken) for _, _, taken in found)
            return [move for move in found if len(move[2]) == most]
        for field in own:
            for step in self.steps(side, cells[field].isupper()):
                way, _ = self.slide(field, step, cells)
                found += [(field, end, ()) for end in (way if cells[field].isupper() else way[:1])]
        return found

    def drawn(self, child):
        return "draw" if child.values.get("quiet") == 50 else None


class Canadian(Draughts):
    def __init__(self):
        super().__init__(12, longest=True)

    def counts(self, position, quiet):
        return {"quiet": quiet, "endgame": 0}

    def drawn(self, child):
        return "draw" if child.values.get("quiet") == 50 else None


class Pool(Draughts):
    def __init__(self):
        super().__init__(8, longest=False, first="b")

    def drawn(self, child):
        return "draw" if child.values.get("quiet") == 30 else None


MODELS = {
    "canadian-draughts": lambda: [Canadian()],
    "pool-checkers": lambda: [Pool()],
    "turkish-draughts": lambda: [Turkish()],
}
