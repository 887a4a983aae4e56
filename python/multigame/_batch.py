"""Many games at once, in arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _native

if TYPE_CHECKING:
    from ._game import Game


@dataclass(frozen=True)
class RandomGames:
    """What came of random games: arrays with an entry for each game."""

    winners: NDArray[np.int8]
    """1 for White, -1 for Black, 0 for a draw or a game that was given up."""
    endings: NDArray[np.uint8]
    """0: given up after too many moves; 1: over by the rules; 2: over by repetition."""
    plies: NDArray[np.uint32]
    """Moves played."""
    choices: NDArray[np.uint64]
    """Legal moves at all turns together."""

    def summary(self) -> dict[str, float]:
        """The games in numbers."""
        games = max(len(self.winners), 1)
        over = self.endings > 0
        return {
            "games": len(self.winners),
            "white": int((self.winners > 0).sum()),
            "black": int((self.winners < 0).sum()),
            "draws": int(((self.winners == 0) & over).sum()),
            "given_up": int((~over).sum()),
            "plies": float(self.plies.sum()) / games,
            "branching": float(self.choices.sum()) / max(float(self.plies.sum()), 1.0),
        }

    def columns(self) -> dict[str, NDArray[Any]]:
        """The arrays by name: `pandas.DataFrame(games.columns())` is a table."""
        return {
            "winner": self.winners,
            "ending": self.endings,
            "plies": self.plies,
            "choices": self.choices,
        }

    def __len__(self) -> int:
        return len(self.winners)

    def __repr__(self) -> str:
        return f"RandomGames({self.summary()})"


class Batch:
    """Many games of the same rules that are played at once.

    All methods work on every game by one call, without Python's lock, on `threads` threads. Games that are
    over stay as they are until `reset`.

    >>> import multigame, numpy as np
    >>> batch = multigame.load("connect-4").batch(4)
    >>> batch.observations().shape, batch.action_mask().shape[0]
    ((4, 3, 6, 7), 4)
    >>> offsets, actions = batch.legal_actions()
    >>> batch.step(actions[offsets[:-1]])  # the first legal action of each game
    >>> batch.plies
    array([1, 1, 1, 1], dtype=uint32)
    >>> seed = 0
    >>> while not batch.over.all():
    ...     batch.step_random(seed := seed + 1)
    >>> bool((batch.returns.sum(axis=1) == 0).all())
    True
    """

    __slots__ = ("_native", "game")

    def __init__(self, game: Game, size: int, *, start: str | None = None, threads: int = 1) -> None:
        if size < 0:
            raise ValueError(f"a batch has at least 0 games, not {size}")
        self.game = game
        self._native: _native.NativeBatch = game._native.batch(size, start, max(1, threads))

    def __len__(self) -> int:
        return self._native.size()

    def reset(self, which: ArrayLike | None = None) -> None:
        """Begins again: all games, or those where `which` is true, such as `batch.over`."""
        self._native.reset(None if which is None else np.ascontiguousarray(which, dtype=np.bool_))

    @property
    def over(self) -> NDArray[np.bool_]:
        """Which games are over."""
        return self._native.over()

    @property
    def returns(self) -> NDArray[np.float32]:
        """1, 0 or -1 for White and Black in each game; zeros while it goes on."""
        return self._native.returns().reshape(-1, 2)

    @property
    def players(self) -> NDArray[np.int8]:
        """Who is to move: 0 for White, 1 for Black, -1 where the game is over."""
        return self._native.players()

    @property
    def plies(self) -> NDArray[np.uint32]:
        """Moves played since the start."""
        return self._native.plies()

    def counts(self) -> NDArray[np.uint32]:
        """Number of legal moves; 0 where the game is over."""
        return self._native.counts()

    def legal_actions(self) -> tuple[NDArray[np.int64], NDArray[np.uint32]]:
        """The numbers of all legal moves: those of game `i` are `actions[offsets[i]:offsets[i + 1]]`."""
        return self._native.actions()

    def action_mask(self) -> NDArray[np.uint8]:
        """1 for each legal action of each game: an array of games and actions."""
        count, mask = self._native.mask()
        return mask.reshape(-1, count)

    def observations(self) -> NDArray[np.uint8]:
        """The positions as planes, see `Game.planes`: an array of games, planes, rows and columns."""
        return self._native.observations().reshape(-1, *self.game.observation_shape)

    def step(self, actions: ArrayLike) -> None:
        """Plays the action of each game. If one of them is not legal, nothing is played."""
        self._native.step(np.ascontiguousarray(actions, dtype=np.int64))

    def step_indices(self, indices: ArrayLike) -> None:
        """Plays, in each game, the move with this index among the legal ones: faster than actions."""
        self._native.step_places(np.ascontiguousarray(indices, dtype=np.int64))

    def step_random(self, seed: int) -> None:
        """Plays a random move in each game; the same seed gives the same moves."""
        self._native.step_random(seed)

    def random_games(self, *, seed: int = 1, max_plies: int = 1000) -> RandomGames:
        """Plays each game to its end at random, without changing the batch."""
        return RandomGames(*self._native.random_games(seed, max_plies))

    def text(self, index: int) -> str:
        """The position of a game as a text that `Game.position` reads."""
        return self._native.text(index)
