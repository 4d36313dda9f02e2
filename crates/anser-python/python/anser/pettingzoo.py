"""The games for PettingZoo: `pip install 'anser[pettingzoo]'`.

>>> from anser.pettingzoo import env
>>> fox_hounds = env("fox-hounds:4")
>>> fox_hounds.reset(seed=1)
>>> fox_hounds.agent_selection
'fox'
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from . import Game, InvalidArgument, State


def env(
    name: str,
    rules: str | None = None,
    position: str | None = None,
    max_plies: int | None = None,
    render_mode: str | None = None,
) -> Any:
    """Returns the environment of a game, wrapped as PettingZoo recommends: illegal actions end the
    game, and calls out of order are errors."""
    raw = AnserEnv(name, rules, position, max_plies, render_mode)
    wrapped: Any = wrappers.TerminateIllegalWrapper(raw, illegal_reward=-1)
    wrapped = wrappers.AssertOutOfBoundsWrapper(wrapped)
    return wrappers.OrderEnforcingWrapper(wrapped)


class AnserEnv(AECEnv):  # type: ignore[misc]
    """A game of Anser as an AEC environment.

    The agents are the sides of the game. An observation has `observation`, as
    `anser.State.observation`, and `action_mask`, int8 with 1 for each legal action. The reward is 1
    for a win, -1 for a loss, and 0 otherwise. After `max_plies` plies the agents are truncated, and
    the game is drawn, or won for the side that endless play is won for. A chain of jumps is several
    actions of the same agent; see `anser.State`.

    Raises anser.InvalidArgument and anser.InvalidPosition.
    """

    metadata = {"render_modes": ["ansi"], "name": "anser", "is_parallelizable": False}

    def __init__(
        self,
        name: str,
        rules: str | None = None,
        position: str | None = None,
        max_plies: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        if render_mode not in (None, "ansi"):
            raise InvalidArgument(f'render_mode is None or "ansi", not {render_mode!r}')
        self.game = Game(name, rules=rules)
        self.root = State(self.game, position, max_plies)
        self.state_of_play = self.root.__copy__()
        self.render_mode = render_mode
        self.possible_agents = list(self.game.sides)
        self.agents = list(self.possible_agents)
        actions, shape = self.root.num_actions, tuple(self.root.observation_shape)
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.agents}
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0.0, 1.0, shape, np.float32),
                    "action_mask": spaces.Box(0, 1, (actions,), np.int8),
                }
            )
            for agent in self.agents
        }

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Returns the space of observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Returns the space of actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a game. Nothing is random, so the seed changes nothing."""
        self.state_of_play = self.root.__copy__()
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._select(0)
        self._settle()

    def observe(self, agent: str) -> dict[str, np.ndarray[Any, Any]]:
        """Returns the observation of an agent; only the agent to move has legal actions."""
        state = self.state_of_play
        mask = np.zeros(state.num_actions, np.int8)
        if agent == self.agent_selection:
            mask[state.legal_actions()] = 1
        return {"observation": state.observation(), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Plays an action of the agent to move.

        Raises anser.InvalidMove if it is not legal.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self.state_of_play.apply(int(action))  # type: ignore[arg-type]
        self._cumulative_rewards[agent] = 0.0
        self._select(1 - self.possible_agents.index(agent))
        self._settle()
        self._accumulate_rewards()

    def _select(self, last: int) -> None:
        """Selects the agent to move, which can be the same again; number `last` if the game is over."""
        player = self.state_of_play.player
        self.agent_selection = self.possible_agents[last if player is None else player]

    def _settle(self) -> None:
        """Ends the game if it is over."""
        state = self.state_of_play
        if not state.is_over:
            return
        self.rewards = dict(zip(self.possible_agents, state.returns))
        is_cut = not state.position.is_over
        for agent in self.agents:
            self.terminations[agent], self.truncations[agent] = not is_cut, is_cut

    def render(self) -> str | None:
        """Returns the board as text."""
        return self.state_of_play.diagram() if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Does nothing."""
