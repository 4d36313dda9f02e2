"""The games for OpenSpiel: `pip install 'anser[openspiel]'`.

Importing this module registers every game of `anser.games()`, as `anser_fox_geese`,
`anser_bagh_chal`, and so on. A process that loads a game imports it first, also each worker
process.

>>> import pyspiel
>>> import anser.openspiel
>>> game = pyspiel.load_game("anser_hexapawn(size=4x4)")
>>> game.new_initial_state().legal_actions()
[4, 21, 38, 55]

Parameters are `size` (in games whose names have one), `rules` (with `_` before an id of digits and
hyphens: `anser_kaooa(rules=_7)`), `position` (where a game begins, with `_` for the space), and
`max_plies`. After `max_plies` plies a game is drawn, or won for the side that endless play is won
for: by default after 200 in games that can return to a position, and never in others. Player 0 is
the first side of `Game.sides`. A chain of jumps is several actions of the same player; see
`anser.State`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts
from open_spiel.python.observation import IIGObserverForPublicInfoGame

from . import Game, InvalidArgument, Player, Position, State, Values, games
from .grading import grade


def _parameters(name: str) -> dict[str, Any]:
    """Returns the parameters of a game with their defaults."""
    full = next((full for full in games() if full.split(":")[0] == name), None)
    if full is None:
        raise InvalidArgument(f"no game is registered as {name}: those from files are not")
    size = full.partition(":")[2]
    sized: dict[str, Any] = {"size": int(size) if size.isdecimal() else size} if size else {}
    return sized | {"rules": "", "position": "", "max_plies": 0}


def _game_type(name: str) -> pyspiel.GameType:
    return pyspiel.GameType(
        short_name="anser_" + name.replace("-", "_"),
        long_name=f"Anser {name}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_parameters(name),
    )


class AnserGame(pyspiel.Game):  # type: ignore[misc]
    """A game of Anser. `game` is the `anser.Game`, `root` the `anser.State` that play begins from."""

    def __init__(self, name: str, params: dict[str, Any] | None = None) -> None:
        params = dict(params or {})
        # OpenSpiel reads a text of digits and hyphens as a number.
        if re.fullmatch(r"[\d-]+", rules := params.get("rules", "")):
            params["rules"] = "_" + rules
        given = _parameters(name) | params
        size = f":{given['size']}" if "size" in given else ""
        self.game = Game(name + size, rules=given["rules"].removeprefix("_") or None)
        self.root = State(self.game, given["position"] or None, given["max_plies"] or None)
        info = pyspiel.GameInfo(
            num_distinct_actions=self.root.num_actions,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.root.max_actions,
        )
        super().__init__(_TYPES[name], info, params)
        self._made_from = (name, params)

    def __reduce__(self) -> tuple[type[AnserGame], tuple[str, dict[str, Any]]]:
        return AnserGame, self._made_from

    def new_initial_state(self, state: object = None) -> AnserState:
        """Returns the state that play begins from."""
        if state is not None:
            raise InvalidArgument("a state begins at the parameter position of its game")
        return AnserState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        """Returns an observer of states."""
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return _Observer(self.root, params)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class AnserState(pyspiel.State):  # type: ignore[misc]
    """A state of a game. `state` is the `anser.State`, `state.position` the `anser.Position`."""

    def __init__(self, game: AnserGame) -> None:
        super().__init__(game)
        self.state = game.root.__copy__()

    def current_player(self) -> int:
        """Returns the player to move, or the terminal player id."""
        player = self.state.player
        return int(pyspiel.PlayerId.TERMINAL) if player is None else player

    def _legal_actions(self, player: int) -> list[int]:
        return self.state.legal_actions()

    def _apply_action(self, action: int) -> None:
        self.state.apply(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.state.move_of(action)

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.state.is_over

    def returns(self) -> list[float]:
        """Returns the rewards of both players: 1 for a win, -1 for a loss, 0 otherwise."""
        return self.state.returns

    def __str__(self) -> str:
        return str(self.state)


class _Observer:
    """The observation of `anser.State`, in the form of `open_spiel.python.observation`."""

    def __init__(self, root: State, params: Any) -> None:
        if params:
            raise InvalidArgument(f"observations have no parameters, and these are {params}")
        shape = root.observation_shape
        self.tensor = np.zeros(np.prod(shape), np.float32)
        self.dict = {"observation": self.tensor.reshape(shape)}

    def set_from(self, state: AnserState, player: int) -> None:
        """Writes the observation of a state."""
        self.dict["observation"][:] = state.state.observation()

    def string_from(self, state: AnserState, player: int) -> str:
        """Returns the position and the number of plies, in which states of a game differ."""
        return f"{state.state} {state.state.plies}"


class AnserBot(pyspiel.Bot):  # type: ignore[misc]
    """A bot that plays perfectly from tables or a solution, or errs.

    With `error_chance` it plays a random legal move instead, which may happen to be a best one. With
    the `style` 'beginner', 'casual', 'skilled', or 'expert' it errs as people of this strength do;
    the other styles are those of `anser.Player`.
    `step` raises `anser.MissingLayer` if the best move depends on a table that does not exist.
    """

    def __init__(
        self, values: Values, error_chance: float = 0.0, seed: int = 0, style: str = "quick"
    ) -> None:
        super().__init__()
        self._player = Player(values, error_chance, seed, style)

    def step(self, state: AnserState) -> int:
        """Returns an action; the invalid action if the game is over."""
        action = self._player.choose(state.state)
        return int(pyspiel.INVALID_ACTION) if action is None else action

    def provides_policy(self) -> bool:
        """Whether `get_policy` works: it does."""
        return True

    def get_policy(self, state: AnserState) -> list[tuple[int, float]]:
        """Returns the chance of each legal action."""
        return self._player.policy(state.state)

    def step_with_policy(self, state: AnserState) -> tuple[list[tuple[int, float]], int]:
        """Returns the chances and an action."""
        return self.get_policy(state), self.step(state)

    def restart(self) -> None:
        """Does nothing: the bot looks at the state alone."""

    def restart_at(self, state: AnserState) -> None:
        """Does nothing: the bot looks at the state alone."""


def _registered(name: str) -> type[AnserGame]:
    # The registry keeps classes until the interpreter has ended, which other objects do not survive.
    class Registered(AnserGame):
        def __init__(self, params: dict[str, Any] | None = None) -> None:
            super().__init__(name, params)

    return Registered


_TYPES = {name: _game_type(name) for name in (full.split(":")[0] for full in games())}
for _name, _type in _TYPES.items():
    pyspiel.register_game(_type, _registered(_name))


def mcts_error_rate(
    values: Values,
    positions: Iterable[Position],
    simulations: int,
    seeds: Iterable[int] = range(10),
    uct_c: float = 1.5,
) -> float:
    """Returns the error rate of OpenSpiel's MCTS with random rollouts, the mean over seeds.

    The rate is the share of positions whose choice matters in which the chosen move gives the outcome
    away; see `anser.grading`. Each action is a new search with this number of simulations.

    Raises as `anser.grading.grade`.
    """
    name = values.game.name.partition(":")
    games: dict[Position, AnserGame] = {}
    rates = []
    for seed in seeds:
        random = np.random.RandomState(seed)

        def choose(position: Position) -> str:
            if position not in games:
                params = {"rules": values.game.rules, "position": str(position)}
                size = {"size": int(name[2]) if name[2].isdecimal() else name[2]} if name[1] else {}
                games[position] = AnserGame(name[0], params | size)
            game = games[position]
            evaluator = mcts.RandomRolloutEvaluator(1, random)
            bot = mcts.MCTSBot(game, uct_c, simulations, evaluator, random_state=random)
            state = game.new_initial_state()
            while True:
                action = bot.step(state)
                move = state.state.move_of(action)
                state.apply_action(action)
                if state.state.partial_move is None:
                    return move

        rates.append(grade(values, positions, choose).error_rate)
    return float(np.mean(rates))
