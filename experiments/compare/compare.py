#!/usr/bin/env python3
"""Compares Multigame's move generators with independent programs along random games.

    pip install pyffish chess pydraughts open_spiel
    compare.py --binary target/release/multigame shogi atomic --games 20
    compare.py --binary target/release/multigame all --games 4 --freeze 24

An oracle plays random games. In every position the successors that it finds and those that `multigame moves`
finds must be the same set. A position is compared by its board and by those properties that the oracle knows.
`--freeze` keeps some of the positions in `games/NAME/frozen.toml`, which the tests check without the oracle.
"""

import argparse
import json
import random
import re
import subprocess
import sys
from abc import ABC, abstractmethod
from pathlib import Path

from freeze import Frozen
from small_oracles import Renju, Tablut, rows_text

LIBRARY = Path(__file__).resolve().parents[2] / "games"


class Oracle(ABC):
    """An independent implementation of a game; a state is whatever it needs."""

    # Properties of our rules that take part in the comparison.
    properties = ()
    # Parameters of our rules.
    parameters = {}
    # The programs that confirm frozen positions.
    program = "an independent program of this folder"

    @abstractmethod
    def start(self, rng):
        """The first state of a game."""

    @abstractmethod
    def successors(self, state):
        """The states one move away; none if the game is over."""

    @abstractmethod
    def text(self, state):
        """The state as our position text."""

    def ours(self, text):
        """Our position text as one that can be compared with the oracle's."""
        return text

    def repeated(self, state):
        """Positions that may not come again; ours are asked for without history."""
        return ()


def expand(rows):
    """The rows of a position text with a dot for each empty field."""
    return re.sub(r"\d+", lambda run: "." * int(run[0]), rows)


def key(text, properties):
    rows, side, *values = text.split()
    values = dict(value.split("=", 1) for value in values)
    wanted = (f"{name}={values[name]}" for name in properties if name in values)
    return " ".join([expand(rows), side, *wanted])


class Fairy(Oracle):
    """Fairy-Stockfish through pyffish."""

    program = "Fairy-Stockfish (pyffish)"

    def __init__(self, variant, hand=(), promoted=(), signs=("", "")):
        import pyffish

        self.engine = pyffish
        self.variant = variant
        self.hand = dict(hand)
        self.promoted = dict(promoted)
        self.signs = str.maketrans(*signs)  # its symbols and ours
        self.properties = tuple(self.hand.values())

    def start(self, rng):
        return self.engine.start_fen(self.variant)

    def successors(self, fen):
        if self.engine.is_immediate_game_end(self.variant, fen, [])[0]:
            return []
        moves = self.engine.legal_moves(self.variant, fen, [])
        children = [(move, self.engine.get_fen(self.variant, fen, [move])) for move in moves]
        return [child for move, child in children if not self.dropped_to_mate(move, child)]

    def dropped_to_mate(self, move, child):
        """Fairy-Stockfish does not forbid to mate by a shogi pawn that is dropped: it loses."""
        if self.variant not in ("shogi", "minishogi") or not move.startswith("P@"):
            return False
        checks = self.engine.gives_check(self.variant, child, [])
        return checks and not self.engine.legal_moves(self.variant, child, [])

    def text(self, fen):
        rows, side = fen.replace("~", "").split()[:2]
        rows, _, held = rows.translate(self.signs).partition("[")
        for symbol, ours in self.promoted.items():
            rows = rows.replace("+" + symbol, ours).replace("+" + symbol.lower(), ours.lower())
        values = []
        for letter, name in self.hand.items():
            white, black = held.count(letter), held.count(letter.lower())
            if white or black:
                values.append(f"{name}={white},{black}")
        return " ".join([rows, side, *values])


class Chess(Oracle):
    """python-chess and its variants."""

    program = "python-chess"

    def __init__(self, variant="chess", properties=()):
        import chess
        import chess.variant

        self.chess = chess
        self.board = chess.variant.find_variant(variant)
        self.properties = properties

    def start(self, rng):
        return self.board()

    def successors(self, board):
        if board.is_variant_end():
            return []
        children = []
        for move in board.legal_moves:
            child = board.copy(stack=False)
            child.push(move)
            children.append(child)
        return children

    def castling(self, board, white, wing):
        return int(bool(board.clean_castling_rights() & self.corner(white, wing)))

    def corner(self, white, wing):
        rank = 0 if white else 7
        return self.chess.BB_SQUARES[self.chess.square(7 if wing == "king" else 0, rank)]

    def en_passant(self, board):
        """The column of the pawn, as the mover sees it, where taking it is legal."""
        if not board.has_legal_en_passant():
            return 0
        column = self.chess.square_file(board.ep_square) + 1
        return column if board.turn else 9 - column

    def text(self, board):
        values = {}
        for wing in ("king", "queen"):
            values[f"{wing}_side"] = tuple(self.castling(board, white, wing) for white in (True, False))
        values["en_passant"] = self.en_passant(board)
        values.update(self.more(board))
        shown = []
        for name, value in values.items():
            if isinstance(value, tuple) and any(value):
                shown.append(f"{name}={value[0]},{value[1]}")
            elif isinstance(value, (int, str)) and value:
                shown.append(f"{name}={value}")
        side = "w" if board.turn else "b"
        return " ".join([board.board_fen(promoted=False), side, *shown])

    def more(self, board):
        return {}

    def ours(self, text):
        """Rules that declare FEN write it."""
        words = text.split()
        return text if len(words) < 3 or "=" in words[2] else self.text(self.board(text))


class Chess960(Chess):
    """Castling rights are the columns of the rooks, as their owners see them."""

    def start(self, rng):
        return self.board.from_chess960_pos(rng.randrange(960))

    def castling(self, board, white, wing):
        king = board.king(white)
        rank = self.chess.BB_RANK_1 if white else self.chess.BB_RANK_8
        for rook in self.chess.scan_forward(board.clean_castling_rights() & rank):
            if (rook > king) == (wing == "king"):
                column = self.chess.square_file(rook) + 1
                return column if white else 9 - column
        return 0


class Crazyhouse(Chess):
    def more(self, board):
        values = {}
        for piece in range(self.chess.PAWN, self.chess.KING):
            name = self.chess.piece_name(piece) + "s"
            values[name] = tuple(board.pockets[colour].count(piece) for colour in self.chess.COLORS)
        marks = [str(board.promoted >> square & 1) for square in self.chess.SQUARES]
        if "1" in marks:
            rows = [",".join(marks[8 * row : 8 * row + 8]) for row in reversed(range(8))]
            values["promoted"] = "/".join(rows)
        return values


class ThreeCheck(Chess):
    def more(self, board):
        return {"checks": tuple(3 - board.remaining_checks[colour] for colour in self.chess.COLORS)}


class RacingKings(Chess):
    def castling(self, board, white, wing):
        return 0


class FairyRights(Fairy):
    """Chess variants with other pieces or boards; where a pawn may be taken en passant shows in the next move."""

    def __init__(self, variant):
        super().__init__(variant)
        self.properties = ("king_side", "queen_side")

    def text(self, fen):
        rows, side, rights, target = fen.replace("~", "").split()[:4]
        values = [
            f"{name}={int(letter in rights)},{int(letter.lower() in rights)}"
            for name, letter in (("king_side", "K"), ("queen_side", "Q"))
            if letter in rights.upper()
        ]
        if target[0].isalpha():
            column = ord(target[0]) - ord("a") + 1
            width = len(expand(rows.split("/")[0]))
            values.append(f"en_passant={column if side == 'w' else width + 1 - column}")
        return " ".join([rows, side, *values])

    def ours(self, text):
        """Rules that declare FEN write it."""
        return self.text(text) if len(text.split()) > 3 else text


class FairyChess(Fairy):
    """A variant of chess played by Fairy-Stockfish; one of the classes above only reads its FEN."""

    def __init__(self, variant, reader):
        super().__init__(variant)
        self.reader = reader
        self.properties = reader.properties

    def text(self, fen):
        return self.reader.text(self.reader.board(fen))

    def ours(self, text):
        return self.reader.ours(text)


class Draughts(Oracle):
    """pydraughts; every state is a fresh board without history."""

    program = "pydraughts"

    def __init__(self, variant, size=8, first_dark=1):
        from draughts import Board

        self.board = Board
        self.variant = variant
        self.size = size
        self.first_dark = first_dark  # column of the first dark field of the top row
        self.crown_wins = variant == "breakthrough"

    def start(self, rng):
        return self.board(variant=self.variant).fen

    def successors(self, fen):
        children = []
        if self.crown_wins and "K" in fen:
            return children
        for move in self.board(variant=self.variant, fen=fen).legal_moves():
            child = self.board(variant=self.variant, fen=fen)
            child.push(move)
            children.append(child.fen)
        return children

    def place(self, name):
        """Row from the top and column of a field given as `17` or `a1`."""
        if name[0].isalpha():
            return self.size - int(name[1:]), ord(name[0]) - ord("a")
        row, number = divmod(int(name) - 1, self.size // 2)
        return row, 2 * number + (row + self.first_dark) % 2

    def text(self, fen):
        side, *armies = fen.rstrip(".").split(":")
        rows = [["."] * self.size for _ in range(self.size)]
        for army in armies:
            for name in filter(None, army[1:].split(",")):
                row, column = self.place(name.lstrip("K"))
                symbol = army[0].lower()
                rows[row][column] = symbol.upper() if name[0] == "K" else symbol
        return "/".join("".join(row) for row in rows) + " " + side.lower()


class Small(Oracle):
    """One of our own plain implementations."""

    def __init__(self, game):
        self.game = game

    def start(self, rng):
        return self.game.start(rng)

    def successors(self, state):
        return self.game.successors(state)

    def text(self, state):
        cells, side = state
        return f"{rows_text(cells, self.game.size)} {side}"


class OpenSpiel(Oracle):
    """OpenSpiel; a state is its state, the board, and the positions so far."""

    program = "OpenSpiel"

    def __init__(self, game, size):
        import pyspiel

        self.game = pyspiel.load_game(game)
        self.size = size

    def start(self, rng):
        return self.game.new_initial_state(), ()

    def successors(self, state):
        now, past = state
        past = past + (key(self.text(state), self.properties),)
        return [] if now.is_terminal() else [(now.child(action), past) for action in now.legal_actions()]


class Go(OpenSpiel):
    properties = ("passes",)

    def successors(self, state):
        """OpenSpiel ends the game when a board comes again; ours forbids it."""
        children = super().successors(state)
        return [child for child in children if not child[0].is_terminal() or self.passes(child[0]) == 2]

    def repeated(self, state):
        _, past = state
        boards = {position.split()[0] for position in past}
        other = "w" if self.text(state).split()[1] == "b" else "b"
        return {f"{board} {other}" for board in boards}

    def passes(self, now):
        actions = now.history()
        count = 0
        while count < len(actions) and actions[-1 - count] == self.size**2:
            count += 1
        return count

    def text(self, state):
        now, _ = state
        rows = [line.split()[1] for line in str(now).splitlines() if line[:2].strip().isdigit()]
        side = "bw"[len(now.history()) % 2]
        passes = self.passes(now)
        return "/".join(rows).replace("+", ".") + f" {side}" + (f" passes={passes}" if passes else "")


class Havannah(OpenSpiel):
    def text(self, state):
        now, _ = state
        cells = {}
        for number, action in enumerate(now.history()):
            cells[action] = "OX"[number % 2]
        width, base = self.size, (self.size + 1) // 2
        rows = (
            "".join(cells.get(y * width + x, ".") if abs(x - y) < base else "_" for x in range(width))
            for y in range(width)
        )
        return "/".join(rows) + " " + "wb"[len(cells) % 2]


def shogi(variant):
    hand = {"P": "pawns", "L": "lances", "N": "knights", "S": "silvers", "G": "golds", "B": "bishops", "R": "rooks"}
    promoted = {"P": "T", "L": "E", "N": "C", "S": "A", "B": "H", "R": "D"}
    if variant == "minishogi":
        del hand["L"], hand["N"]
        promoted["S"] = "N"
    return Fairy(variant, hand, promoted)


RIGHTS = ("king_side", "queen_side", "en_passant")
POCKETS = ("pawns", "knights", "bishops", "rooks", "queens", "promoted")

ORACLES = {
    "xiangqi": lambda: Fairy("xiangqi"),
    "minishogi": lambda: shogi("minishogi"),
    "shogi": lambda: shogi("shogi"),
    "chess": lambda: Chess("chess", RIGHTS),
    "chess960": lambda: Chess960("chess", RIGHTS),
    "crazyhouse": lambda: Crazyhouse("crazyhouse", RIGHTS + POCKETS),
    "king-of-the-hill": lambda: Chess("kingOfTheHill", RIGHTS),
    "three-check": lambda: ThreeCheck("threeCheck", RIGHTS + ("checks",)),
    "atomic": lambda: Chess("atomic", RIGHTS),
    "racing-kings": lambda: RacingKings("racingKings"),
    "international-draughts": lambda: Draughts("standard", 10),
    "frisian-draughts": lambda: Draughts("frisian", 10),
    "russian-draughts": lambda: Draughts("russian"),
    "italian-draughts": lambda: Draughts("italian", 8, 0),
    "brazilian-draughts": lambda: Draughts("brazilian"),
    "antidraughts": lambda: Draughts("antidraughts", 10),
    "frysk": lambda: Draughts("frysk!", 10),
    "breakthrough-draughts": lambda: Draughts("breakthrough", 10),
    "go-9x9": lambda: Go("go(board_size=9,komi=7.0,max_game_length=1000)", 9),
    "havannah": lambda: Havannah("havannah(board_size=5)", 9),
    "antichess": lambda: Chess("antichess", ("en_passant",)),
    "horde": lambda: Chess("horde", RIGHTS),
    "makruk": lambda: Fairy("makruk"),
    "shatranj": lambda: Fairy("shatranj"),
    "los-alamos": lambda: Fairy("losalamos"),
    "gardner": lambda: Fairy("gardner"),
    "knightmate": lambda: FairyRights("knightmate"),
    "hoppel-poppel": lambda: FairyRights("hoppelpoppel"),
    "extinction": lambda: FairyRights("extinction"),
    "capablanca": lambda: FairyRights("capablanca"),
    "grand": lambda: FairyRights("grand"),
    "dobutsu": lambda: Fairy("dobutsu", {"E": "elephants", "G": "giraffes", "C": "chicks"}, {"C": "H"}),
    "kyoto-shogi": lambda: Fairy(
        "kyotoshogi",
        {"P": "pawns", "S": "silvers", "L": "lances", "N": "knights"},
        {"P": "R", "S": "B", "L": "T", "N": "G"},
    ),
    "isolation": lambda: Fairy("isolation"),
    "snailtrail": lambda: Fairy("snailtrail"),
    "joust": lambda: Fairy("joust"),
    "ataxx": lambda: Fairy("ataxx"),
    "fox-and-hounds": lambda: Fairy("fox-and-hounds"),
    "minixiangqi": lambda: Fairy("minixiangqi"),
    "tablut": lambda: Small(Tablut()),
    "renju": lambda: Small(Renju()),
}

# A second opinion.
FAIRY = {
    "chess": "chess",
    "crazyhouse": "crazyhouse",
    "king-of-the-hill": "kingofthehill",
    "three-check": "3check",
    "atomic": "atomic",
    "racing-kings": "racingkings",
}


def oracles(game):
    """Who can be asked about a game; what the first one confirms is frozen."""
    first = ORACLES[game]()
    return [first, FairyChess(FAIRY[game], first)] if game in FAIRY else [first]


def our_successors(arguments, game, oracle, text):
    command = [arguments.binary, "moves", str(LIBRARY / game / "rules.mg"), "--json", "--position", text]
    run = subprocess.run(command, check=False, capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"{game}: {text}: {run.stderr}")
    moves = json.loads(run.stdout)
    return moves, {key(oracle.ours(move["position"]), oracle.properties): move["outcome"] for move in moves}


def compare(arguments, game, oracle, freeze):
    frozen = Frozen(game, oracle.program, freeze)
    rng = random.Random(arguments.seed)
    positions = 0
    for _ in range(arguments.games):
        state = oracle.start(rng)
        outcome = None
        for ply in range(arguments.plies):
            text = oracle.text(state)
            children = {key(oracle.text(child), oracle.properties): child for child in oracle.successors(state)}
            if ply % arguments.every and children and not outcome:
                child = children[rng.choice(sorted(children))]
                # The move to a final position is compared in any case: only there our outcome is seen.
                if oracle.successors(child):
                    state = child
                    continue
            moves, found = ([], {}) if outcome else our_successors(arguments, game, oracle, text)
            repeated = oracle.repeated(state)
            ours = {child: found[child] for child in found if child not in repeated}
            if set(ours) != set(children):
                print(f"{game}: {oracle.program} differs at {text} (our outcome: {outcome})", file=sys.stderr)
                for only, extras in (("ours", set(ours) - set(children)), ("theirs", set(children) - set(ours))):
                    print("\n".join(f"  only {only}: {extra}" for extra in sorted(extras)[:5]), file=sys.stderr)
                return False
            positions += 1
            if ours == found:
                frozen.offer(text, [move["position"] for move in moves], oracle.parameters)
            if not children:
                break
            chosen = rng.choice(sorted(children))
            state, outcome = children[chosen], ours[chosen]
    frozen.write()
    print(f"| {game} | {oracle.program} | {positions} |", flush=True)
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="+", help=f"games: {', '.join(ORACLES)}, or all")
    parser.add_argument("--binary", default="multigame")
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--plies", type=int, default=200)
    parser.add_argument("--every", type=int, default=1, metavar="PLIES", help="compare every so many plies")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--freeze", type=int, default=0, metavar="POSITIONS", help="keep this many of the positions")
    arguments = parser.parse_args()
    names = list(ORACLES) if arguments.names == ["all"] else arguments.names
    same = True
    for name in names:
        for number, oracle in enumerate(oracles(name)):
            same &= compare(arguments, name, oracle, 0 if number else arguments.freeze)
    sys.exit(0 if same else 1)


if __name__ == "__main__":
    main()
