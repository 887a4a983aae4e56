"""Multigame: rules of board games become strong players.

>>> import multigame
>>> game = multigame.load("tic-tac-toe")
>>> position = game.initial().play("a1", "b2", "b1")
>>> print(position)
3  . . .
2  . O .
1  X X .
   a b c
black to move
>>> position.search(depth=6).best
Move('c1')
>>> game.initial().solve().result
'draw'
"""

from ._batch import Batch, RandomGames
from ._errors import RulesError
from ._game import Game, check, games, load, loads, options
from ._native import __version__
from ._position import Move, Outcome, Position
from ._results import Search, Solution

__all__ = [
    "Batch",
    "Game",
    "Move",
    "Outcome",
    "Position",
    "RandomGames",
    "RulesError",
    "Search",
    "Solution",
    "__version__",
    "check",
    "games",
    "load",
    "loads",
    "options",
]
