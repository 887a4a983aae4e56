"""Plain models of games with stacks, for `models.py`: a stack is a list of pieces, the lowest first."""

from itertools import product

from model import OTHER, STRAIGHT, Model, Position, ahead, without
from openspiel import WINS


class Stacks(Model):
    """Cells hold strings, the lowest piece first; texts put more than one into parentheses."""

    def text(self, position):
        shown = {field: stack if len(stack) == 1 else f"({stack})" for field, stack in position.cells.items()}
        return super().text(position._replace(cells=shown))


class Focus(Stacks):
    symbols = {"w": "W", "b": "B"}
    every = 3

    def is_field(self, field):
        """The eight by eight board without three fields at each corner."""
        x, y = (min(part, 9 - part) for part in field)
        return x + y > 3

    def start(self):
        middle = product(range(2, 8), repeat=2)
        return Position({(x, y): "WB"[(x // 2 + y) % 2] for x, y in middle}, "w")

    def reserves(self, position):
        return [int(number) for number in position.values.get("reserve", "0,0").split(",")]

    def put(self, position, cells, target, stack, spent):
        """The position after a stack has come to a field; `spent` pieces left the reserve."""
        own = self.own(position)
        reserves = self.reserves(position)
        player = "wb".index(position.side)
        reserves[player] -= spent
        whole = cells.get(target, "") + stack
        reserves[player] += whole[:-5].count(own)
        values = {"reserve": f"{reserves[0]},{reserves[1]}" if any(reserves) else None}
        return Position(cells | {target: whole[-5:]}, OTHER[position.side], without(values))

    def moves(self, position):
        own = self.own(position)
        for field, stack in position.cells.items():
            if stack[-1] != own:
                continue
            for count, step in product(range(1, len(stack) + 1), STRAIGHT):
                # Fields that are not on the board cannot be passed.
                way = [ahead(field, step, far) for far in range(1, count + 1)]
                if all(passed in self.on_board for passed in way):
                    cells = {other: pieces for other, pieces in position.cells.items() if other != field}
                    if count < len(stack):
                        cells[field] = stack[:-count]
                    yield self.put(position, cells, way[-1], stack[-count:], 0)
        if self.reserves(position)["wb".index(position.side)]:
            for field in self.fields:
                yield self.put(position, dict(position.cells), field, own, 1)

    def children(self, position):
        for child in self.moves(position):
            stuck = next(self.moves(child), None) is None
            yield child, WINS[position.side] if stuck else None


class Lasca(Stacks):
    """Soldiers are small letters; the piece on top of a column says whose it is and how it moves."""

    columns = rows = 7

    def is_field(self, field):
        return sum(field) % 2 == 0

    def start(self):
        return Position({field: "w" if field[1] < 4 else "b" for field in self.fields if field[1] != 4}, "w")

    def ways(self, top):
        forward = 1 if top.lower() == "w" else -1
        return [(x, y) for x, y in product((-1, 1), repeat=2) if top.isupper() or y == forward]

    def last_row(self, top):
        return {"w": 7, "b": 1}.get(top)

    def jumps(self, cells, field, column, jumped):
        """Ends of captures: the board, the field and the column; `cells` without the column."""
        went_on = False
        if not (jumped and self.last_row(column[-1]) == field[1]):
            for step in self.ways(column[-1]):
                victim, landing = ahead(field, step), ahead(field, step, 2)
                enemy = cells.get(victim, "")
                if not enemy or enemy[-1].lower() == column[-1].lower() or victim in jumped:
                    continue
                if landing not in self.on_board or landing in cells:
                    continue
                went_on = True
                after = {other: pieces for other, pieces in cells.items() if other != victim}
                if enemy[:-1]:
                    after[victim] = enemy[:-1]
                yield from self.jumps(after, landing, enemy[-1] + column, (*jumped, victim))
        if jumped and not went_on:
            yield cells, field, column

    def moves(self, position):
        cells = position.cells
        own = [field for field, column in cells.items() if column[-1].lower() == position.side]
        rest = {field: {other: cells[other] for other in cells if other != field} for field in own}
        found = [end for field in own for end in self.jumps(rest[field], field, cells[field], ())]
        if not found:
            for field in own:
                targets = [ahead(field, step) for step in self.ways(cells[field][-1])]
                free = [target for target in targets if target in self.on_board and target not in cells]
                found += [(rest[field], target, cells[field]) for target in free]
        for board, field, column in found:
            if self.last_row(column[-1]) == field[1]:
                column = column[:-1] + column[-1].upper()
            yield Position(board | {field: column}, OTHER[position.side])

    def children(self, position):
        for child in self.moves(position):
            stuck = next(self.moves(child), None) is None
            yield child, WINS[position.side] if stuck else None


MODELS = {"focus": lambda: [Focus()], "lasca": lambda: [Lasca()]}
