"""Games for the algorithms of OpenSpiel (`pip install multigame[open-spiel]`).

`game` gives a `pyspiel.Game`, whose states have OpenSpiel's interface: `legal_actions`, `apply_action`,
`is_terminal`, `returns`, `current_player`, `clone`, `action_to_string`, `observation_tensor`. Actions are
numbered as `multigame.Game.action_count` says.

>>> from multigame import open_spiel
>>> state = open_spiel.game("tic-tac-toe").new_initial_state()
>>> state.current_player(), len(state.legal_actions())
(0, 9)
>>> state.apply_action(state.legal_actions()[4])
>>> state.history_str(), state.is_terminal(), state.current_player()
('5', False, 1)
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel

from ._game import Game, load
from ._position import Position

__all__ = ["SpielGame", "SpielState", "game"]

NAME = "multigame"


def game(rules: Game | str, *, max_plies: int = 1000, **parameters: Any) -> SpielGame:
    """A game of two players, by name or as a `multigame.Game`. Longer games than `max_plies` are drawn."""
    return SpielGame(load(rules, **parameters) if isinstance(rules, str) else rules, max_plies)


def _type(name: str) -> pyspiel.GameType:
    return pyspiel.GameType(
        short_name=f"{NAME}_{name}",
        long_name=f"{name} by Multigame",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={},
    )


class SpielGame(pyspiel.Game):
    """A game as OpenSpiel sees it."""

    def __init__(self, rules: Game, max_plies: int = 1000) -> None:
        if rules.players != 2:
            raise ValueError(f"{rules.name} is a puzzle; this adapter is for games of two players")
        if rules.has_chance:
            raise ValueError(f"nature moves in {rules.name}; this adapter is for games without chance")
        info = pyspiel.GameInfo(
            num_distinct_actions=rules.action_count,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=max_plies,
        )
        super().__init__(_type(rules.name), info, {})
        self.rules = rules
        self.max_plies = max_plies

    def new_initial_state(self, state: str | None = None) -> SpielState:
        """The position a game starts from, or the one of a text."""
        return SpielState(self, self.rules.initial() if state is None else self.rules.position(state))

    def observation_tensor_shape(self) -> list[int]:
        """Planes, rows and columns."""
        return list(self.rules.observation_shape)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> BoardObserver:
        """What OpenSpiel's learners look through."""
        return BoardObserver(self.rules)


class SpielState(pyspiel.State):
    """A position as OpenSpiel sees it."""

    def __init__(self, game: SpielGame, position: Position) -> None:
        super().__init__(game)
        self.rules = game.rules
        self.max_plies = game.max_plies
        self.position = position

    def current_player(self) -> int:
        """0 for White, 1 for Black, or that the game is over."""
        return pyspiel.PlayerId.TERMINAL if self.is_terminal() else self.position.turn

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self.position.legal_actions().tolist())

    def _apply_action(self, action: int) -> None:
        self.position = self.position.apply(self.position.of_action(action))

    def _action_to_string(self, player: int, action: int) -> str:
        if player == self.position.turn and action in self.position.legal_actions():
            return self.position.of_action(action).name
        return str(action)

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.position.is_over or self.position.ply >= self.max_plies

    def returns(self) -> list[float]:
        """1, 0 or -1 for White and Black."""
        outcome = self.position.outcome
        return [0.0, 0.0] if outcome is None else list(outcome.returns)

    def observation_tensor(self, player: int = 0) -> list[float]:
        """The position as planes, see `multigame.Game.planes`."""
        return self.position.observation().astype(np.float32).ravel().tolist()

    def observation_string(self, player: int = 0) -> str:
        """The position as a text."""
        return self.position.text

    def __str__(self) -> str:
        return str(self.position)


class BoardObserver:
    """The planes of a position, in OpenSpiel's form."""

    def __init__(self, rules: Game) -> None:
        self.tensor = np.zeros(int(np.prod(rules.observation_shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(rules.observation_shape)}

    def set_from(self, state: SpielState, player: int) -> None:
        """Looks at a position."""
        self.dict["observation"][:] = state.position.observation()

    def string_from(self, state: SpielState, player: int) -> str:
        """The position as a text."""
        return state.position.text
