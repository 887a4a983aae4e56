"""What searches and solutions say."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._position import Move


@dataclass(frozen=True)
class Search:
    """What a search found out about a position."""

    best: Move | None
    """The move to play; nothing for a puzzle that was not solved."""
    pv: list[str]
    """The best line."""
    value: str
    """The value for the player to move, as people read it: `+35`, `won in 5`."""
    number: int
    """The value as a number."""
    proved: bool
    """Whether it is proved who wins."""
    depth: int
    """Depth of the last finished iteration."""
    finished: bool
    """Whether the search came to its end instead of being stopped."""
    engine: str
    nodes: int
    seconds: float
    statistics: dict[str, int] = field(repr=False)
    iterations: list[dict[str, Any]] = field(repr=False)
    """A row for each iteration: `pandas.DataFrame(search.iterations)` is a table."""
    threads: dict[str, Any] | None = field(repr=False)
    """What the threads did, if there were several."""


@dataclass(frozen=True)
class Solution:
    """What is proved about a position."""

    result: str | None
    """The result with best play, such as `white wins in 5 plies`; nothing if that is not proved."""
    known: str | None
    """What is proved otherwise, such as `white does not win`."""
    best: Move | None
    moves: list[str]
    """A line of best play, or the solution of a puzzle."""
    engine: str
    finished: bool
    nodes: int
    seconds: float
    statistics: dict[str, int] = field(repr=False)
