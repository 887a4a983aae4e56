"""Games."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cached_property
from os import PathLike, fspath
from typing import Any

from . import _native
from ._batch import Batch, RandomGames
from ._names import wish, wishes
from ._position import Position, Report, hear


def games() -> list[str]:
    """The names of the bundled games.

    >>> import multigame
    >>> "chess" in multigame.games()
    True
    """
    return _native.names()


def options() -> list[dict[str, Any]]:
    """All switches of searches with values, defaults and what they do: rows for a table."""
    told: list[dict[str, Any]] = json.loads(_native.options())
    return told


def load(
    name: str | PathLike[str],
    *,
    backend: str = "auto",
    weights: str | PathLike[str] | None = None,
    **parameters: int,
) -> Game:
    """A bundled game by its name, or the game of a file of rules. Keywords set parameters of the rules.

    `backend` is `auto` (machine code where it can be made), `jit` or `interp`. `weights` is a file of weights
    of evaluations, or `rules` for those in the rules.

    >>> import multigame
    >>> multigame.load("connect-4", columns=5, rows=4)
    <multigame.Game connect-4: 5 x 4, 2 players>
    """
    chosen = None if weights is None else str(fspath(weights))
    native = _native.load(str(fspath(name)), _parameters(parameters), backend, chosen)
    return Game(native, {"name": str(fspath(name)), "backend": backend, "weights": chosen, **parameters})


def loads(text: str, *, name: str = "game", backend: str = "auto", **parameters: int) -> Game:
    """The game of rules that are a text."""
    native = _native.load_text(name, text, _parameters(parameters), backend)
    return Game(native, {"text": text, "name": name, "backend": backend, **parameters})


def check(text: str, **parameters: int) -> list[dict[str, Any]]:
    """What is wrong with rules: a list of diagnostics, empty if nothing is.

    >>> import multigame
    >>> [found["severity"] for found in multigame.check("players 3")][:1]
    ['error']
    """
    told: list[dict[str, Any]] = json.loads(_native.check(text, _parameters(parameters))[0])
    return told


def _parameters(parameters: dict[str, int]) -> list[tuple[str, int]]:
    for name, value in parameters.items():
        if isinstance(value, bool) or not isinstance(value, int):
            raise ValueError(f"the parameter `{name}` is a whole number, not {value!r}")
    return [(name.replace("_", "-"), value) for name, value in parameters.items()]


class Game:
    """The rules of a game, ready to be played.

    >>> import multigame
    >>> game = multigame.load("othello")
    >>> game.players, game.rows, game.planes
    (2, 8, ['white disc', 'black disc', 'black to move'])
    """

    def __init__(self, native: _native.NativeGame, made: dict[str, Any]) -> None:
        self._native = native
        self._made = made

    @cached_property
    def _described(self) -> dict[str, Any]:
        told: dict[str, Any] = json.loads(self._native.description())
        return told

    @cached_property
    def _field_names(self) -> dict[int, str]:
        return {field["number"]: field["name"] for field in self.fields}

    @property
    def name(self) -> str:
        """The game's name."""
        return str(self._described["name"])

    @property
    def players(self) -> int:
        """1 for a puzzle, else 2."""
        return int(self._described["players"])

    @property
    def has_chance(self) -> bool:
        """Whether nature moves: what it may do are legal moves of positions in which the dice are thrown.

        >>> import multigame
        >>> multigame.load("pig").has_chance, multigame.load("chess").has_chance
        (True, False)
        """
        return bool(self._described["chance"])

    @property
    def rows(self) -> int:
        """Rows of the board."""
        return int(self._described["rows"])

    @property
    def columns(self) -> int:
        """Columns of the board."""
        return int(self._described["columns"])

    @property
    def topology(self) -> str:
        """`square`, `hex` or `graph`."""
        return str(self._described["topology"])

    @property
    def fields(self) -> list[dict[str, Any]]:
        """The fields with name, number, column and row; holes are left out."""
        return list(self._described["fields"])

    @property
    def pieces(self) -> list[dict[str, Any]]:
        """The pieces with name, side and symbol; number 0 is the empty field."""
        return list(self._described["pieces"])

    @property
    def properties(self) -> list[dict[str, Any]]:
        """The properties of positions, with their ranges."""
        return list(self._described["properties"])

    @property
    def evaluations(self) -> list[dict[str, Any]]:
        """The evaluations of the rules, with their weights."""
        return list(self._described["evaluations"])

    @property
    def planes(self) -> list[str]:
        """What the planes of observations mean: pieces, who is to move, properties."""
        return list(self._described["planes"])

    @property
    def observation_shape(self) -> tuple[int, int, int]:
        """Planes, rows and columns of an observation."""
        return len(self._described["planes"]), self.rows, self.columns

    @property
    def rules(self) -> str:
        """The text of the rules."""
        return self._native.rules

    @property
    def warnings(self) -> list[dict[str, Any]]:
        """What the compiler warns of."""
        told: list[dict[str, Any]] = json.loads(self._native.warnings)
        return told

    @property
    def is_native(self) -> bool:
        """Whether machine code plays the game, and not the interpreter."""
        return self._native.native

    @property
    def refusal(self) -> str | None:
        """Why there is no machine code, if there is none."""
        return self._native.refusal

    @cached_property
    def _actions(self) -> tuple[int, int, str]:
        return self._native.action_space()

    @property
    def action_count(self) -> int:
        """How many numbers moves have: `legal_actions` are below it.

        A number means the same in every position: from which field to which a move goes and, where a game
        needs it, the kind of piece that arrives or another field that changes; or its name, see
        `action_scheme`. Moves which that does not tell apart have numbers from `regular_action_count` on,
        whose meaning may change from position to position.
        """
        return self._actions[0]

    @property
    def regular_action_count(self) -> int:
        """How many numbers mean the same in every position."""
        return self._actions[1]

    @property
    def action_scheme(self) -> str:
        """What numbers are made of: `fields`, `fields and kind`, `names`, ...

        >>> import multigame
        >>> game = multigame.load("connect-4")
        >>> game.action_scheme, game.initial().find("d").action
        ('fields', 4)
        """
        return self._actions[2]

    def initial(self) -> Position:
        """The position a game starts from."""
        return Position(self, self._native.initial())

    def position(self, text: str) -> Position:
        """The position that a text describes."""
        return Position(self, self._native.position(text))

    def batch(self, size: int, *, start: str | None = None, threads: int = 1) -> Batch:
        """Many games that are played at once."""
        return Batch(self, size, start=start, threads=threads)

    def random_games(
        self, games: int, *, seed: int = 1, max_plies: int = 1000, threads: int = 1
    ) -> RandomGames:
        """Plays random games.

        >>> import multigame
        >>> games = multigame.load("tic-tac-toe").random_games(1000)
        >>> len(games), 0.5 < games.summary()["white"] / 1000 < 0.65
        (1000, True)
        """
        start = self.initial()
        return start.random_games(games, seed=seed, max_plies=max_plies, threads=threads)

    def match(
        self,
        player: str | dict[str, Any] = "default",
        opponent: str | dict[str, Any] = "default",
        *,
        games: int = 100,
        plies: int = 4,
        seed: int = 1,
        concurrency: int = 1,
        openings: str | Iterable[str] | None = None,
        sprt: tuple[float, float] | tuple[float, float, float, float] | None = None,
        max_plies: int = 600,
        margin: Any = "200ms",
        patience: Any = 60,
        report: Report | None = None,
        **limits: Any,
    ) -> dict[str, Any]:
        """Plays a match; what came of it is told for `player`.

        Players are texts as on the command line (`random`, `lmr=off,time=0.2`, `uci:PROGRAM`) or dictionaries of
        options. `openings` are lines such as `startpos | e2e4 e7e5`; without them games begin with `plies` random
        moves. Limits are `depth`, `nodes`, `time` and `clock`. The answer has the result, Elo with error bars and,
        under `played`, a row for each game. `report` is called with each game.

        >>> import multigame
        >>> told = multigame.load("tic-tac-toe").match({"depth": 9}, "random", games=20, plies=0, depth=9)
        >>> told["games"], told["losses"], len(told["played"])
        (20, 0, 20)
        """
        if openings is not None and not isinstance(openings, str):
            openings = "\n".join(openings)
        if sprt is not None and len(sprt) not in (2, 4):
            raise ValueError("`sprt` is (elo0, elo1) or (elo0, elo1, alpha, beta)")
        plan = {
            "first": wish(player),
            "second": wish(opponent),
            "games": games,
            "plies": plies,
            "seed": seed,
            "concurrency": concurrency,
            "openings": openings,
            "sprt": None if sprt is None else (*sprt, 0.05, 0.05)[:4],
            "max_plies": max_plies,
            "margin": wish(margin),
            "patience": wish(patience),
            "limits": wishes(limits),
        }
        told: dict[str, Any] = json.loads(self._native.play_match(json.dumps(plan), hear(report)))
        return told

    def analyze(
        self,
        *,
        games: int = 200,
        depth: int = 3,
        selfplay: int = 20,
        plies: int = 2,
        nodes: int = 500,
        doublings: int = 3,
        match_games: int = 20,
        concurrency: int = 1,
        max_plies: int = 400,
        seed: int = 1,
    ) -> dict[str, Any]:
        """Measures what the game is like: advantage, length, drama, worth of thinking. Arguments are those of
        `multigame analyze`."""
        told: dict[str, Any] = json.loads(
            self._native.analyze(
                random_games=games,
                levels=depth,
                games=selfplay,
                plies=plies,
                nodes=nodes,
                doublings=doublings,
                match_games=match_games,
                concurrency=concurrency,
                max_plies=max_plies,
                seed=seed,
            )
        )
        return told

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        return self

    def __reduce__(self) -> tuple[Any, tuple[dict[str, Any]]]:
        return _remake, (self._made,)

    def __repr__(self) -> str:
        players = "1 player" if self.players == 1 else "2 players"
        return f"<multigame.Game {self.name}: {self.columns} x {self.rows}, {players}>"


def _remake(made: dict[str, Any]) -> Game:
    made = dict(made)
    if "text" in made:
        return loads(made.pop("text"), **made)
    return load(made.pop("name"), **made)
