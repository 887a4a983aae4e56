"""OpenSpiel's games as models for `models.py` (`pip install open_spiel`).

OpenSpiel splits some moves into several actions; here a move is whole. A state is OpenSpiel's state and the number of
the player who follows, because a final state does not know him. Of outcomes only the winner is compared.
"""

import re

WINS = {"w": "white wins", "b": "black wins"}


class OpenSpiel:
    program = "OpenSpiel"
    every = 1  # how many moves from one comparison to the next
    most_moves = 1000  # how many moves of a game are compared
    sides = "wb"  # who begins, and who follows
    finals = True  # whether final positions look as ours do

    def __init__(self, game, parameters=None):
        import pyspiel

        self.game = pyspiel.load_game(game)
        self.parameters = parameters or {}

    def start(self):
        return self.game.new_initial_state(), 0

    def children(self, state):
        now, _ = state
        mover = now.current_player()
        for child in self.whole_moves(now, mover):
            yield (child, self.next_player(child, mover)), self.outcome(child)

    def outcome(self, now):
        if not now.is_terminal():
            return None
        first, second = now.returns()
        return WINS[self.sides[0 if first > second else 1]] if first != second else "draw"

    def whole_moves(self, now, mover):
        for child in map(now.child, now.legal_actions()):
            if not child.is_terminal() and self.goes_on(child, mover):
                yield from self.whole_moves(child, mover)
            else:
                yield child

    def goes_on(self, child, mover):
        """Whether the same move has another action."""
        return False

    def next_player(self, child, mover):
        return 1 - mover if child.is_terminal() else child.current_player()

    def side(self, state):
        return self.sides[state[1]]


class Picture(OpenSpiel):
    """A board that OpenSpiel prints row by row; `signs` are its signs and ours."""

    def __init__(self, game, signs, sides="wb", parameters=None):
        super().__init__(game, parameters)
        self.signs, self.sides = str.maketrans(*signs), sides

    def rows(self, now):
        return str(now).split()

    def values(self, state):
        return ""

    def text(self, state):
        rows = "/".join(row.translate(self.signs) for row in self.rows(state[0]))
        return f"{rows} {self.side(state)}{self.values(state)}"


class Numbered(Picture):
    """Rows with their numbers, and the names of the columns below."""

    def rows(self, now):
        return [line[1:] for line in str(now).splitlines() if line[:1].isdigit()]


class Breakthrough(Numbered):
    """Black begins at the top there, White at the bottom here."""

    def rows(self, now):
        return super().rows(now)[::-1]


class Clobber(Numbered):
    """White has the upper left corner."""


class Checkers(Numbered):
    """Who begins sits at the bottom there and is Black at the top here; each hop is an action."""

    def goes_on(self, child, mover):
        return child.current_player() == mover

    def rows(self, now):
        return [row[::-1] for row in super().rows(now)[::-1]]


class Othello(Picture):
    """The first four discs lie the other way round there."""

    def rows(self, now):
        lines = str(now).splitlines()[2:10]
        return ["".join(reversed(line.split()[1:9])) for line in lines]


class Amazons(Picture):
    """From, to and the arrow are three actions."""

    every = 9

    def goes_on(self, child, mover):
        return len(child.history()) % 3 != 0


class LinesOfAction(Numbered):
    """OpenSpiel calls a position drawn that comes back, which is seldom while there are many men."""

    every = 3
    most_moves = 120


class Gomoku(Picture):
    every = 6

    def rows(self, now):
        return str(now).split()[-15:]


class Hex(Picture):
    """Its rows lean the other way."""

    every = 4

    def rows(self, now):
        return ["".join(line.split()) for line in str(now).splitlines() if line.strip()][::-1]


class Y(OpenSpiel):
    """The other half of the rhombus is filled here."""

    every = 4

    def text(self, state):
        size = self.parameters["size"]
        cells = {action: "XO"[number % 2] for number, action in enumerate(state[0].history())}
        rows = (
            "".join(cells.get(y * size + x, ".") if x + y < size else "#" for x in range(size))
            for y in range(size - 1, -1, -1)
        )
        return "/".join(rows) + f" {self.side(state)}"


class DotsAndBoxes(OpenSpiel):
    def next_player(self, child, mover):
        return mover if child.is_terminal() else child.current_player()

    def text(self, state):
        columns = 2 * self.parameters["columns"] + 1
        rows = []
        for number, line in enumerate(filter(None, str(state[0]).split("\n"))):
            signs = (line.ljust(2 * columns)[2 * column] for column in range(columns))
            if number % 2:
                rows.append("".join({"│": "=", "1": "W", "2": "B"}.get(sign, ".") for sign in signs))
            else:
                rows.append("".join("+" if at % 2 == 0 else "=" if sign == "─" else "." for at, sign in enumerate(signs)))
        return "/".join(rows) + f" {self.side(state)}"


class Pentago(Picture):
    """There a quarter is twisted even after five in a row, which may undo it; here the five has won before."""

    every = 4
    finals = False

    def children(self, state):
        now, player = state
        cells = [sign for row in self.rows(now) for sign in row]
        for action in now.legal_actions():
            name = now.action_to_string(action)
            field = 6 * (int(name[1]) - 1) + "abcdef".index(name[0])
            if five(cells, field, "O@"[player]):
                yield state, WINS[self.sides[player]]
            else:
                child = now.child(action)
                yield (child, 1 - player), self.outcome(child)

    def rows(self, now):
        lines = [line[4:15] for line in str(now).splitlines()[2:8]]
        return ["".join(line.split()) for line in lines]


def five(cells, field, sign):
    """Whether a marble makes five in a row on six by six fields."""
    row, column = divmod(field, 6)
    for across, along in ((0, 1), (1, 0), (1, 1), (1, -1)):
        length = 1
        for way in (1, -1):
            x, y = column + way * across, row + way * along
            while 0 <= x < 6 and 0 <= y < 6 and cells[6 * y + x] == sign:
                x, y, length = x + way * across, y + way * along, length + 1
        if length >= 5:
            return True
    return False


class UltimateTicTacToe(Picture):
    """Choosing a board is an action of its own; when the game is over, the board to play on means nothing."""

    finals = False

    def goes_on(self, child, mover):
        return child.current_player() == mover

    def rows(self, now):
        lines = [line.replace(" ", "#") for line in str(now).splitlines()[:11]]
        return [line or "#" * 11 for line in lines]

    def values(self, state):
        forced = re.search(r"Forced board: (\d)", str(state[0]))
        return f" next={int(forced[1]) + 1}" if forced else ""


class NineMensMorris(OpenSpiel):
    """Taking a man is an action of its own; after 200 turns OpenSpiel calls it a draw."""

    most_moves = 180
    columns = (0, 2, 4, 7, 10, 12, 14)  # in the picture
    points = ("x__x__x", "_x_x_x_", "__xxx__", "xxx_xxx", "__xxx__", "_x_x_x_", "x__x__x")

    def goes_on(self, child, mover):
        return child.current_player() == mover

    def text(self, state):
        lines = str(state[0]).splitlines()
        rows = (
            "".join(lines[2 * number][at].lower() if point == "x" else "_" for at, point in zip(self.columns, row))
            for number, row in enumerate(self.points)
        )
        left = re.search(r"deploy: (\d) (\d)", str(state[0])).groups()
        values = f" to_place={','.join(left)}" if left != ("0", "0") else ""
        return "/".join(rows) + f" {self.side(state)}{values}"


class Xiangqi(Picture):
    """Late in long games OpenSpiel knows draws that depend on the moves before."""

    every = 2
    most_moves = 150


class Shogi(OpenSpiel):
    """SFEN: what is held follows the board, promoted pieces have a `+`. Long games are drawn sooner than here."""

    every = 3
    most_moves = 200
    hands = {"P": "pawns", "G": "golds", "S": "silvers", "N": "knights", "L": "lances", "B": "bishops", "R": "rooks"}
    promoted = {"P": "T", "L": "E", "N": "C", "S": "A", "B": "H", "R": "D"}

    def text(self, state):
        rows, _, held, *_ = str(state[0]).split()
        for symbol, ours in self.promoted.items():
            rows = rows.replace("+" + symbol, ours).replace("+" + symbol.lower(), ours.lower())
        held = {letter: int(count or 1) for count, letter in re.findall(r"(\d*)([A-Za-z])", held)}
        values = ""
        for letter, name in self.hands.items():
            white, black = held.get(letter, 0), held.get(letter.lower(), 0)
            if white or black:
                values += f" {name}={white},{black}"
        return f"{rows} {self.side(state)}{values}"


class Crazyhouse(OpenSpiel):
    """FEN: what is held follows the board, promoted pieces have their own letters. White, who begins, is player 1."""

    every = 3
    sides = "bw"
    most_moves = 300
    hands = {"P": "pawns", "N": "knights", "B": "bishops", "R": "rooks", "Q": "queens"}
    promoted = {"E": "Q", "C": "R", "A": "B", "H": "N"}

    def start(self):
        return self.game.new_initial_state(), 1

    def text(self, state):
        rows, _, rights, en_passant, *_ = str(state[0]).split()
        rows, _, held = rows.partition("[")
        side = self.side(state)
        values = {"king_side": ("K" in rights, "k" in rights), "queen_side": ("Q" in rights, "q" in rights)}
        values |= {name: (held.count(letter), held.count(letter.lower())) for letter, name in self.hands.items()}
        shown = [f"{name}={int(white)},{int(black)}" for name, (white, black) in values.items() if white or black]
        if en_passant != "-":
            column = ord(en_passant[0]) - ord("a") + 1
            shown.append(f"en_passant={column if side == 'w' else 9 - column}")
        fields = re.sub(r"\d", lambda run: "." * int(run[0]), rows).split("/")
        if any(sign.upper() in self.promoted for sign in rows):
            marks = (",".join(str(int(sign.upper() in self.promoted)) for sign in row) for row in fields)
            shown.append("promoted=" + "/".join(marks))
        for sign, piece in self.promoted.items():
            rows = rows.replace(sign, piece).replace(sign.lower(), piece.lower())
        return " ".join([rows, side, *shown])


class Awari(OpenSpiel):
    """OpenSpiel ends a game where a position comes back, which is seldom before there are few seeds."""

    finals = False
    most_moves = 60

    def text(self, state):
        lines = str(state[0]).splitlines()
        seeds = "/".join(",".join(line.split()) for line in lines[2:4])
        stores = [re.search(rf"Player {player} score = (\d+)", str(state[0]))[1] for player in (0, 1)]
        return f"6/6 {self.side(state)} seeds={seeds} store={','.join(stores)}"


class Kalah(OpenSpiel):
    finals = False

    def text(self, state):
        upper, stores, lower = ([n for n in line.split("-") if n] for line in str(state[0]).splitlines()[:3])
        seeds = "/".join([",".join([stores[0], *upper, "0"]), ",".join(["0", *lower, stores[1]])])
        return f"7_/_7 {self.side(state)} seeds={seeds}"


def size(number, swap=0):
    return {"size": number, "swap": swap}


MODELS = {
    "amazons": lambda: [Amazons("amazons", ("XO#", "WB*"))],
    "awari": lambda: [Awari("oware")],
    "breakthrough": lambda: [Breakthrough("breakthrough", ("bw", "wb"))],
    "checkers": lambda: [Checkers("checkers", ("o+8*", "bwBW"), "bw")],
    "clobber": lambda: [Clobber("clobber(rows=5,columns=6)", ("ox", "OX"))],
    "connect-4": lambda: [Picture("connect_four", ("xo", "XO"))],
    "crazyhouse": lambda: [Crazyhouse("crazyhouse")],
    "dots-and-boxes": lambda: [
        DotsAndBoxes("dots_and_boxes(num_rows=3,num_cols=3)", {"columns": 3, "rows": 3}),
        DotsAndBoxes("dots_and_boxes(num_rows=4,num_cols=2)", {"columns": 2, "rows": 4}),
    ],
    "go-moku": lambda: [Gomoku("gomoku", ("bw", "XO"), "bw")],
    "hex": lambda: [
        Hex("hex(board_size=11,swap=True)", ("xo", "XO"), parameters=size(11, swap=1)),
        Hex("hex(board_size=5)", ("xo", "XO"), parameters=size(5)),
    ],
    "kalah": lambda: [Kalah("mancala")],
    "lines-of-action": lambda: [LinesOfAction("lines_of_action", ("xo", "XO"), "bw")],
    "nine-mens-morris": lambda: [NineMensMorris("nine_mens_morris")],
    "othello": lambda: [Othello("othello", ("-xo", ".XO"), "bw")],
    "pentago": lambda: [Pentago("pentago", ("O@", "OX"))],
    "shogi": lambda: [Shogi("shogi")],
    "tic-tac-toe": lambda: [Picture("tic_tac_toe", ("xo", "XO"))],
    "ultimate-tic-tac-toe": lambda: [UltimateTicTacToe("ultimate_tic_tac_toe", ("xo", "XO"))],
    "xiangqi": lambda: [Xiangqi("xiangqi", ("hegsHEGS", "nbkpNBKP"))],
    "y": lambda: [Y("y(board_size=11)", size(11)), Y("y(board_size=5)", size(5))],
}
