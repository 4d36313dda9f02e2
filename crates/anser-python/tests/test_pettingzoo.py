import warnings
from pathlib import Path

import anser
import pytest

pytest.importorskip("pettingzoo")

from pettingzoo.test import api_test, seed_test  # noqa: E402

from anser.pettingzoo import AnserEnv, env  # noqa: E402

HUNTS = Path(__file__).parents[3] / "data" / "hunts"
GAMES = ["fox-geese", "fox-hounds:6", "hasenspiel", "hare-hounds", "hexapawn:3x3"]
# The fox jumps round a square, in either direction.
RING = "ggg/3/3gF2/2g1g2/3g3/3/ggg f"
CASES: list[tuple[str, str | None, str | None]] = [
    *((name, None, None) for name in GAMES),
    ("fox-geese", "free+chain", None),
    ("fox-geese", "free+chain", RING),
    ("fox-geese", "forward+chain+compulsory", None),
]


@pytest.mark.parametrize(("name", "rules", "position"), CASES)
def test_the_tests_of_the_library(name: str, rules: str | None, position: str | None) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(env(name, rules, position, max_plies=40), num_cycles=200)
        seed_test(lambda: env(name, rules, position, max_plies=40), num_cycles=50)


def test_chains_of_jumps() -> None:
    """The agent inside a chain is the same, and sees the board as it is then."""
    game = AnserEnv("fox-geese", "free+chain", RING, render_mode="ansi")
    game.reset()
    for number, action in enumerate(game.state_of_play.actions_of("e5xe3xc3")):
        assert game.agent_selection == "fox"
        observation = game.observe("fox")
        assert game.observation_space("fox").contains(observation)
        assert observation["observation"][1].sum() == 10 - min(number, 2)
        assert observation["action_mask"][action] == 1
        assert not game.observe("geese")["action_mask"].any()
        assert (game.render() or "").count("F") == 1
        game.step(action)
    assert number == 2 and game.agent_selection == "geese"
    assert game.observe("geese")["action_mask"].any() and not game.observe("fox")["action_mask"].any()
    assert game.rewards == {"fox": 0.0, "geese": 0.0}


def test_a_game() -> None:
    game = AnserEnv("hexapawn:3x3", render_mode="ansi")
    game.reset(seed=1)
    assert game.possible_agents == ["white", "black"]
    assert "P" in (game.render() or "")
    for move in ["b1-b2", "a3xb2", "c1xb2", "c3-c2", "a1-a2", "c2-c1"]:
        observation, reward, is_over, is_cut, _ = game.last()
        assert (reward, is_over, is_cut) == (0, False, False)
        action = game.state_of_play.action_of(move)
        assert observation["action_mask"][action] == 1
        assert observation["action_mask"].sum() == len(game.state_of_play.legal_actions())
        assert game.observe(game.possible_agents[1 - game.possible_agents.index(game.agent_selection)])[
            "action_mask"
        ].sum() == 0
        game.step(action)
    assert game.rewards == {"white": -1.0, "black": 1.0}
    assert all(game.terminations.values()) and not any(game.truncations.values())


def test_the_limit_of_plies() -> None:
    game = AnserEnv("fox-geese", max_plies=2)
    game.reset()
    for _ in range(2):
        game.step(int(game.observe(game.agent_selection)["action_mask"].argmax()))
    assert all(game.truncations.values()) and not any(game.terminations.values())
    assert game.rewards == {"fox": 0.0, "geese": 0.0}


def test_the_limit_of_plies_where_endless_play_is_won() -> None:
    game = AnserEnv("haretavl", rules="hare-wins", max_plies=4)
    game.reset()
    for _ in range(4):
        game.step(int(game.observe(game.agent_selection)["action_mask"].argmax()))
    assert all(game.truncations.values()) and not any(game.terminations.values())
    assert game.rewards == {"hare": 1.0, "hounds": -1.0}


def test_a_game_from_a_file() -> None:
    game = AnserEnv(str(HUNTS / "triangle.toml"))
    game.reset()
    assert game.agent_selection in game.possible_agents


def test_bad_input() -> None:
    with pytest.raises(anser.InvalidArgument):
        env("chess")
    with pytest.raises(anser.InvalidArgument):
        env("hexapawn:3x3", render_mode="human")
    with pytest.raises(anser.InvalidPosition):
        env("hexapawn:3x3", position="x")
    game = AnserEnv("hexapawn:3x3")
    game.reset()
    with pytest.raises(anser.InvalidMove):
        game.step(0)
