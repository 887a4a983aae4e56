"""Games as environments of PettingZoo (`pip install multigame[pettingzoo]`).

>>> from multigame import pettingzoo
>>> env = pettingzoo.env("tic-tac-toe")
>>> env.reset()
>>> env.agent_selection, int(env.observe("white")["action_mask"].sum())
('white', 9)
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from ._game import Game, load
from ._position import SIDES, Position

__all__ = ["BoardGame", "env"]

RENDER_MODES = ["ansi", "svg"]


def env(game: Game | str, *, render_mode: str | None = None, max_plies: int = 1000, **parameters: Any) -> Any:
    """The environment of a game of two players, by name or as a `Game`, that insists on `reset` before use."""
    made = BoardGame(game, render_mode=render_mode, max_plies=max_plies, **parameters)
    return OrderEnforcingWrapper(made)


class BoardGame(AECEnv):
    """A game of two players, `white` and `black`, whose actions are numbered as `Game.action_count` says.

    An observation is a dictionary: `observation` has a plane for each piece and so on (`Game.planes`) as rows,
    columns and planes, `action_mask` is 1 for each legal action. Rewards are 1, 0 or -1, at the end. Games
    of more than `max_plies` moves are truncated.
    """

    metadata = {
        "name": "multigame",
        "render_modes": RENDER_MODES,
        "is_parallelizable": False,
        "render_fps": 1,
    }

    def __init__(
        self,
        game: Game | str,
        *,
        render_mode: str | None = None,
        max_plies: int = 1000,
        **parameters: Any,
    ) -> None:
        super().__init__()
        if render_mode not in (None, *RENDER_MODES):
            raise ValueError(f"there is no render mode `{render_mode}`; there are ansi, svg")
        self.game = load(game, **parameters) if isinstance(game, str) else game
        if self.game.players != 2:
            raise ValueError(f"{self.game.name} is a puzzle; PettingZoo is for games of two players")
        if self.game.has_chance:
            raise ValueError(f"nature moves in {self.game.name}; this environment is for games without chance")
        self.metadata = {**type(self).metadata, "name": self.game.name}
        self.render_mode = render_mode
        self.max_plies = max_plies
        self.possible_agents = list(SIDES)
        planes, rows, columns = self.game.observation_shape
        count = self.game.action_count
        board = gymnasium.spaces.Box(0, 255, (rows, columns, planes), np.uint8)
        mask = gymnasium.spaces.Box(0, 1, (count,), np.int8)
        space = gymnasium.spaces.Dict({"observation": board, "action_mask": mask})
        self.observation_spaces = dict.fromkeys(SIDES, space)
        self.action_spaces = {side: gymnasium.spaces.Discrete(count) for side in SIDES}
        self.position: Position = self.game.initial()

    def observation_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """The space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """The space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins again; `options={"position": TEXT}` from another position. Nothing is left to chance."""
        text = (options or {}).get("position")
        self.position = self.game.initial() if text is None else self.game.position(text)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(SIDES, 0.0)
        self._cumulative_rewards = dict.fromkeys(SIDES, 0.0)
        self.terminations = dict.fromkeys(SIDES, False)
        self.truncations = dict.fromkeys(SIDES, False)
        self.infos: dict[str, dict[str, Any]] = {side: {} for side in SIDES}
        self.agent_selection = self.position.side
        self._finish()

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees: the board, and the legal actions if it is the agent's turn."""
        planes = np.ascontiguousarray(np.moveaxis(self.position.observation(), 0, -1))
        mine = agent == self.position.side and not self.position.is_over
        mask = self.position.action_mask() if mine else np.zeros(self.game.action_count, np.int8)
        return {"observation": planes, "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Plays the action of the agent whose turn it is."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError("the game goes on: `action` is the number of a move, not None")
        self.position = self.position.apply(self.position.of_action(action))
        self._clear_rewards()
        self._cumulative_rewards[agent] = 0.0
        # Who has to pass follows themselves: the rules of the game know whose turn it is.
        self.agent_selection = self.position.side
        self._finish()
        if self.terminations[agent] or self.truncations[agent]:
            # PettingZoo asks the one who did not move first.
            self.agent_selection = SIDES[1 - SIDES.index(agent)]
        self._accumulate_rewards()
        if self.render_mode is not None:
            self.infos[agent]["rendered"] = self.render()

    def _finish(self) -> None:
        outcome = self.position.outcome
        if outcome is not None:
            self.rewards = dict(zip(SIDES, outcome.returns, strict=True))
            self.terminations = dict.fromkeys(SIDES, True)
        elif self.position.ply >= self.max_plies:
            self.truncations = dict.fromkeys(SIDES, True)

    def render(self) -> str | None:
        """The board as text (`ansi`) or picture (`svg`)."""
        if self.render_mode is None:
            gymnasium.logger.warn("`render` needs a `render_mode`: ansi or svg")
            return None
        return self.position.svg() if self.render_mode == "svg" else str(self.position)

    def close(self) -> None:
        """Nothing is open."""
