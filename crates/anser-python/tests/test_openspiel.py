import copy
import pickle

import anser
import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel")

from open_spiel.python.algorithms import mcts, minimax  # noqa: E402
from open_spiel.python.observation import make_observation  # noqa: E402

from anser.openspiel import AnserBot, AnserGame  # noqa: E402

GAMES = [
    "anser_hexapawn",
    "anser_hexapawn(size=4x4)",
    "anser_fox_hounds(size=4)",
    "anser_fox_hounds",
    "anser_hasenspiel",
    "anser_hare_hounds",
    "anser_fox_geese(max_plies=60)",
    "anser_fox_geese(rules=first-capture,max_plies=60)",
    "anser_hexapawn(position=p2/1P1/3_b)",
    "anser_fox_geese(rules=free+chain,max_plies=60)",
    "anser_fox_geese(rules=forward+chain+compulsory,max_plies=60)",
    # The fox jumps round a square, in either direction.
    "anser_fox_geese(rules=free+chain,position=ggg/3/3gF2/2g1g2/3g3/3/ggg_f,max_plies=30)",
    "anser_fox_geese(rules=free+orthogonal+chain,position=ggg/3/7/Fg1g3/7/3/3_f,max_plies=1)",
]


@pytest.mark.parametrize("name", GAMES)
def test_the_tests_of_the_library(name: str) -> None:
    game = pyspiel.load_game(name)
    pyspiel.random_sim_test(game, num_sims=5, serialize=True, verbose=False)
    state = game.new_initial_state()
    assert state.observation_tensor(0) == state.state.observation().reshape(-1).tolist()
    assert pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))
    observation = make_observation(game)
    observation.set_from(state, 0)
    assert observation.tensor.shape == (np.prod(state.state.observation_shape),)
    assert str(pickle.loads(pickle.dumps(game))) == str(game)


def test_states_are_copied() -> None:
    state = pyspiel.load_game("anser_hexapawn").new_initial_state()
    for duplicate in [state.clone(), copy.deepcopy(state)]:
        duplicate.apply_action(duplicate.legal_actions()[0])
        assert state.history() == [] and state.state.plies == 0
        assert duplicate.state.plies == 1
    assert state.action_to_string(state.legal_actions()[0]) == "a1-a2"


def test_chains_of_jumps() -> None:
    """The player inside a chain is the same, and the limit counts its actions."""
    name = "anser_fox_geese(rules=free+chain,position=ggg/3/7/Fg1g3/7/3/3_f,max_plies=1)"
    game = pyspiel.load_game(name)
    assert game.max_game_length() == 2
    state = game.new_initial_state()
    for action, text in zip(state.state.actions_of("a4xc4"), ["a4xc4x", "a4xc4"], strict=True):
        assert state.current_player() == 0 and not state.is_terminal()
        assert state.action_to_string(action) == text
        child = state.child(action)
        assert child.history() == [*state.history(), action]
        state.apply_action(action)
    assert state.is_terminal() and state.returns() == [0.0, 0.0]
    # A search finds the capture that ends the game, two jumps away.
    state = game.new_initial_state()
    value, action = minimax.alpha_beta_search(game, state, maximum_depth=3, maximizing_player_id=0)
    assert (value, state.action_to_string(action)) == (1.0, "a4xc4x")


def test_rule_sets_of_digits() -> None:
    for rules in ["6", "6-four", "6+chain"]:
        game = AnserGame("kaooa", {"rules": rules})
        text = pyspiel.serialize_game_and_state(game, game.new_initial_state())
        named = "_" + rules if rules == "6" else rules
        for again in [
            pyspiel.load_game(f"anser_kaooa(rules={named})"),
            pyspiel.load_game(str(game)),
            pyspiel.deserialize_game_and_state(text)[0],
        ]:
            assert again.game.rules == rules
    with pytest.raises(anser.InvalidArgument, match="those from files are not"):
        AnserGame("my.toml")


def test_bad_parameters() -> None:
    for name in [
        "anser_hexapawn(size=9x99)",
        "anser_fox_geese(rules=none)",
        "anser_hexapawn(position=x)",
    ]:
        with pytest.raises(Exception, match="hexapawn|rule|column|size"):
            pyspiel.load_game(name)


@pytest.mark.parametrize(
    ("name", "root"),
    [("anser_hexapawn", -1.0), ("anser_fox_hounds(size=4)", -1.0), ("anser_fox_hounds(size=2)", -1.0)],
)
def test_alpha_beta_finds_the_value(name: str, root: float) -> None:
    game = pyspiel.load_game(name)
    first = game.new_initial_state().current_player()
    if first < 0:
        return
    value, _ = minimax.alpha_beta_search(game, maximum_depth=40, maximizing_player_id=0)
    assert value == root


def test_the_bot_wins_what_is_won() -> None:
    game = pyspiel.load_game("anser_hexapawn")
    perfect = AnserBot(anser.solve(anser.Game("hexapawn:3x3")))
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    search = mcts.MCTSBot(game, 1.5, 20, evaluator, random_state=np.random.RandomState(1))
    for _ in range(5):
        state = game.new_initial_state()
        while not state.is_terminal():
            bot = search if state.current_player() == 0 else perfect
            state.apply_action(bot.step(state))
        assert state.returns() == [-1.0, 1.0]
    assert perfect.step(state) == pyspiel.INVALID_ACTION


def test_the_bot_errs() -> None:
    game = pyspiel.load_game("anser_hexapawn(size=4x4)")
    bot = AnserBot(anser.solve(anser.Game("hexapawn:4x4")), error_chance=0.5, seed=1)
    state = game.new_initial_state()
    policy, action = bot.step_with_policy(state)
    assert bot.provides_policy() and bot.get_policy(state) == policy
    assert [legal for legal, _ in policy] == state.legal_actions()
    assert sum(chance for _, chance in policy) == pytest.approx(1.0)
    assert action in state.legal_actions()
    assert len({bot.step(state) for _ in range(100)}) == len(policy)
    with pytest.raises(anser.MissingLayer):
        AnserBot(anser.open_tables(anser.Game("fox-geese"))).step(
            pyspiel.load_game("anser_fox_geese").new_initial_state()
        )
