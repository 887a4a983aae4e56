"""Positions and moves."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from . import _native
from ._batch import RandomGames
from ._names import wishes
from ._results import Search, Solution

if TYPE_CHECKING:
    from ._game import Game

SIDES = ("white", "black")

Report = Callable[[dict[str, Any]], object]


def hear(report: Report | None) -> Callable[[str], object] | None:
    """Hands over news as dictionaries."""
    if report is None:
        return None
    told = report
    return lambda news: told(json.loads(news))


@dataclass(frozen=True)
class Outcome:
    """The end of a game."""

    winner: int | None
    """0 for White, 1 for Black; nothing for a draw. A solved puzzle is won by White, a lost one by Black."""
    margin: int | None
    """By how much White has won (negative: lost), if the rules count points."""
    repeated: bool
    """Whether the game ended because a position came back."""
    text: str
    """In words."""

    @property
    def returns(self) -> tuple[float, float]:
        """1, 0 or -1 for White and Black."""
        return {None: (0.0, 0.0), 0: (1.0, -1.0), 1: (-1.0, 1.0)}[self.winner]

    def __str__(self) -> str:
        return self.text


class Move:
    """A legal move of a position.

    >>> import multigame
    >>> move = multigame.load("chess").initial().find("Nf3")
    >>> move.name, move.origin, move.target
    ('g1f3', 'g1', 'f3')
    """

    __slots__ = ("_position", "index", "key")

    def __init__(self, position: Position, index: int, key: int) -> None:
        self._position = position
        self.index = index
        """The place among the legal moves of the position."""
        self.key = key
        """A fingerprint of the change that the move makes, the same wherever it is made."""

    @property
    def name(self) -> str:
        """The name that people use."""
        return self._position.legal_names()[self.index]

    @property
    def action(self) -> int:
        """The number of the move in the game's fixed numbering, see `Game.action_count`."""
        return int(self._position.legal_actions()[self.index])

    @property
    def origin(self) -> str | None:
        """The field the move comes from, if it comes from one."""
        return self._position._field(self._position._ends()[self.index][0])

    @property
    def target(self) -> str | None:
        """The field the move goes to, if it goes to one."""
        return self._position._field(self._position._ends()[self.index][1])

    @property
    def position(self) -> Position:
        """The position in which the move is legal."""
        return self._position

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Move) and self.key == other.key and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.key)

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"Move({self.name!r})"


class Position:
    """A position with the game that led to it. It never changes: `play` gives another one.

    >>> import multigame
    >>> start = multigame.load("chess").initial()
    >>> after = start.play("e4", "e5")
    >>> len(start.moves()), after.played
    (20, ['e2e4', 'e7e5'])
    >>> after.find("Ke3")
    Traceback (most recent call last):
    ValueError: `Ke3` is not a legal move here; `legal_names()` lists them
    """

    __slots__ = ("_cache", "_native", "game")

    game: Game

    def __init__(self, game: Game, native: _native.NativePosition) -> None:
        self.game = game
        self._native = native
        self._cache: dict[str, Any] = {}

    def _once(self, name: str, make: Callable[[], Any]) -> Any:
        if name not in self._cache:
            self._cache[name] = make()
        return self._cache[name]

    # What it looks like.

    @property
    def turn(self) -> int:
        """Who is to move: 0 for White, 1 for Black."""
        return self._native.side

    @property
    def side(self) -> str:
        """Who is to move: `white` or `black`."""
        return SIDES[self._native.side]

    @property
    def ply(self) -> int:
        """Number of moves played."""
        return self._native.ply

    @property
    def signature(self) -> int:
        """A fingerprint of the position, whatever the way to it."""
        return self._native.signature

    @property
    def text(self) -> str:
        """The position as a text that `Game.position` reads."""
        return self._native.text()

    @property
    def played(self) -> list[str]:
        """The names of the moves that led here."""
        return list(self._once("played", self._native.played))

    @property
    def before(self) -> Position | None:
        """The position before the last move."""
        native = self._native.before()
        return None if native is None else Position(self.game, native)

    def board(self) -> NDArray[np.uint8]:
        """The numbers of the pieces (`Game.pieces`), rows from White's first on.

        >>> import multigame
        >>> multigame.load("tic-tac-toe").initial().play("b1").board()
        array([[0, 1, 0],
               [0, 0, 0],
               [0, 0, 0]], dtype=uint8)
        """
        return self._native.cells().reshape(self.game.rows, self.game.columns)

    def properties(self) -> dict[str, Any]:
        """The values of the properties: a number, one for each player, or an array of the fields."""
        values = self._native.values()
        found: dict[str, Any] = {}
        for info in self.game.properties:
            part = values[info["offset"] : info["offset"] + info["length"]]
            if info["scope"] == "board":
                found[info["name"]] = int(part[0])
            elif info["scope"] == "player":
                found[info["name"]] = (int(part[0]), int(part[1]))
            else:
                found[info["name"]] = part.reshape(self.game.rows, self.game.columns)
        return found

    def observation(self) -> NDArray[np.uint8]:
        """The position as planes, see `Game.planes`: an array of planes, rows and columns."""
        return self._native.planes().reshape(self.game.observation_shape)

    def svg(self, size: int = 360) -> str:
        """A picture, so many pixels wide; what the last move changed is marked."""
        return self._native.svg(size)

    def _repr_svg_(self) -> str:
        return self.svg()

    def __str__(self) -> str:
        return self._native.drawing().rstrip()

    def __repr__(self) -> str:
        return f"<multigame.Position of {self.game.name}: {self.text}>"

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Position)
            and self.game is other.game
            and self.signature == other.signature
            and self.text == other.text
        )

    def __hash__(self) -> int:
        return hash(self.signature)

    def __copy__(self) -> Position:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Position:
        return self

    def __reduce__(self) -> tuple[Any, tuple[Game, str, list[str]]]:
        start = self
        while (before := start.before) is not None:
            start = before
        return _restore, (self.game, start.text, self.played)

    # What may be played.

    @property
    def outcome(self) -> Outcome | None:
        """The end of the game; nothing while it goes on.

        >>> import multigame
        >>> position = multigame.load("tic-tac-toe").initial()
        >>> print(position.outcome, position.play("a1", "a2", "b1", "b2", "c1").outcome)
        None white wins
        """

        def find() -> Outcome | None:
            found = self._native.outcome()
            return None if found is None else Outcome(*found)

        found: Outcome | None = self._once("outcome", find)
        return found

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return self.outcome is not None

    def moves(self) -> list[Move]:
        """The legal moves. A game that is over by repetition still has some."""
        return [Move(self, index, key) for index, key in enumerate(self._keys())]

    def legal_names(self) -> list[str]:
        """The names of the legal moves, in their order."""
        return list(self._once("names", self._native.names))

    def legal_actions(self) -> NDArray[np.int64]:
        """The numbers of the legal moves, in their order, see `Game.action_count`."""
        return np.asarray(self._once("numbers", self._native.numbers), dtype=np.int64)

    def action_mask(self) -> NDArray[np.int8]:
        """1 for each legal action, else 0."""
        mask = np.zeros(self.game.action_count, dtype=np.int8)
        mask[self.legal_actions()] = 1
        return mask

    def find(self, move: str) -> Move:
        """The legal move that a text names, in any notation of the game."""
        index = self._native.find(move)
        return Move(self, index, self._keys()[index])

    def of_action(self, action: int) -> Move:
        """The legal move that has this number."""
        found = np.flatnonzero(self.legal_actions() == int(action))
        if len(found) == 0:
            raise ValueError(f"action {action} is not legal here; `legal_actions()` tells which are")
        return Move(self, int(found[0]), self._keys()[int(found[0])])

    def apply(self, move: Move | str | SupportsIndex) -> Position:
        """The position after a move: a move of this position, its name, or its index."""
        if isinstance(move, Move):
            keys, index = self._keys(), move.index
            if not (index < len(keys) and keys[index] == move.key):
                raise ValueError(f"{move!r} belongs to another position; `find(name)` looks for it here")
        elif isinstance(move, str):
            index = self._native.find(move)
        else:
            index = move.__index__()
            if not 0 <= index < len(self._keys()):
                count = len(self._keys())
                raise ValueError(f"there is no move {index} here; there are {count}, counted from 0")
        return Position(self.game, self._native.apply(index))

    def play(self, *moves: Move | str | SupportsIndex) -> Position:
        """The position after several moves."""
        position = self
        for move in moves:
            position = position.apply(move)
        return position

    def _keys(self) -> list[int]:
        keys: list[int] = self._once("keys", self._native.keys)
        return keys

    def _ends(self) -> list[tuple[int, int]]:
        ends: list[tuple[int, int]] = self._once("ends", self._native.ends)
        return ends

    def _field(self, number: int) -> str | None:
        return self.game._field_names.get(number - 1)

    # What the computer says about it.

    def search(self, options: str | None = None, /, *, report: Report | None = None, **wanted: Any) -> Search:
        """Searches the best move.

        Keywords are the options and limits of the command line: `depth`, `time` (seconds, or a text such as
        `500ms`), `nodes`, `clock`, `engine`, `threads`, `policy`, `table` (MiB), `evaluation`, `mobility`,
        `patterns`, `network`, `tables`, and every switch that `multigame.options()` lists, with `_` for `-`.
        `options` is a text such as `lmr=off,tt-size=64`. Without a limit a search takes one second.

        `report` is called with each finished iteration. Ctrl-C ends the search.

        >>> import multigame
        >>> position = multigame.load("chess").position("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1")
        >>> found = position.search(depth=3, threads=1)
        >>> found.best, found.value
        (Move('a1a8'), 'won in 1')
        """
        told = json.loads(self._native.search(wishes({"options": options, **wanted}), hear(report)))
        told["best"] = self._move(told["best"])
        return Search(**_only(Search, told))

    def solve(self, options: str | None = None, /, *, report: Report | None = None, **wanted: Any) -> Solution:
        """Finds out who wins with best play, or the shortest solution of a puzzle.

        Keywords: `engine`, `table` (MiB), `threads`, `policy`, `depth`, `time`, `nodes`, `verdict`, `tables`,
        `perimeter`, `checkpoint`, `checkpoint_every`, as on the command line.

        >>> import multigame
        >>> multigame.load("hanoi", discs=3).initial().solve().result
        'solved in 7 moves'
        """
        told = json.loads(self._native.solve(wishes({"options": options, **wanted}), hear(report)))
        told["best"] = self._move(told["best"])
        told["moves"] = told.pop("pv")
        return Solution(**_only(Solution, told))

    def evaluate(self, evaluation: str | None = None) -> dict[str, Any]:
        """What the position is worth to the player to move, term by term.

        >>> import multigame
        >>> multigame.load("chess").initial().evaluate("material")["value"]
        0
        """
        told: dict[str, Any] = json.loads(self._native.explain(evaluation))
        return told

    def perft(self, depth: int, threads: int = 1) -> int:
        """Number of sequences of so many moves.

        >>> import multigame
        >>> multigame.load("chess").initial().perft(3)
        8902
        """
        return self._native.perft(depth, threads)

    def divide(self, depth: int, threads: int = 1) -> dict[str, int]:
        """The same for each first move."""
        return dict(self._native.divide(depth, threads))

    def random_games(
        self, games: int, *, seed: int = 1, max_plies: int = 1000, threads: int = 1
    ) -> RandomGames:
        """Plays random games from here; the same seed gives the same games, on however many threads."""
        return RandomGames(*self._native.random_games(games, seed, max_plies, threads))

    def simulate(
        self,
        processors: list[int] | tuple[int, ...] = (1, 4, 16, 64),
        *,
        policy: str = "ybwc-1-2*",
        network: str = "cluster",
        depth: int | None = None,
        memory: str | None = None,
        entries: int = 16_384,
        balance: str | None = None,
        without: list[str] | tuple[str, ...] = (),
        line_last: bool = False,
        grain: int | None = None,
        faults: str = "none",
        seed: int = 1,
        options: str = "",
    ) -> list[dict[str, Any]]:
        """Searches on simulated parallel machines: a row for each number of processors.

        Arguments are those of `multigame simulate`; `pandas.DataFrame(position.simulate())` is a table.

        >>> import multigame
        >>> rows = multigame.load("tic-tac-toe").initial().simulate([1, 4], depth=5)
        >>> [row["processors"] for row in rows], rows[0]["speedup"]
        ([1, 4], 1.0)
        """
        if faults not in ("none", "storm"):
            raise ValueError(f"there are no faults `{faults}`; there are none, storm")
        plan = {
            "processors": list(processors),
            "policy": policy,
            "network": network,
            "depth": depth,
            "memory": memory,
            "entries": entries,
            "balance": balance,
            "without": list(without),
            "line_last": line_last,
            "grain": grain,
            "storm": faults == "storm",
            "seed": seed,
            "options": options,
        }
        rows: list[dict[str, Any]] = json.loads(self._native.simulate(json.dumps(plan)))
        return rows

    def _move(self, index: int | None) -> Move | None:
        return None if index is None else Move(self, index, self._keys()[index])

    def __iter__(self) -> Iterator[Move]:
        return iter(self.moves())


def _only(kind: Any, told: dict[str, Any]) -> dict[str, Any]:
    return {name: told[name] for name in kind.__dataclass_fields__}


def _restore(game: Game, text: str, played: list[str]) -> Position:
    return game.position(text).play(*played)


__all__ = ["Move", "Outcome", "Position"]
