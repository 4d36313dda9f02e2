import copy
import pickle
import random

import anser
import numpy as np
import pytest

NAMES = ["fox-geese", "fox-hounds:4", "fox-hounds:12", "hasenspiel", "hare-hounds", "hexapawn:4x4"]
# Passes, pieces in hand of either side and of both, captures that end the game.
DESCRIBED = [
    "wolf-and-sheep",
    "thy",
    "bam-blang",
    "neg-tugal",
    "jeu-militaire",
    "bagh-chal",
    "aadu-puli",
    "orissa-four-tigers",
    "hat-diviyan",
]


@pytest.mark.parametrize("name", NAMES + DESCRIBED)
def test_random_games(name: str) -> None:
    """States agree with positions along random games."""
    chance, game = random.Random(1), anser.Game(name)
    for _ in range(20 if name in NAMES else 4):
        state, position = anser.State(game), game.start
        while not state.is_over:
            actions = state.legal_actions()
            assert actions == sorted(set(actions)) and actions[-1] < state.num_actions
            assert sorted(map(state.move_of, actions)) == sorted(position.moves())
            assert [state.action_of(state.move_of(action)) for action in actions] == actions
            of_moves = [state.actions_of(state.move_of(action)) for action in actions]
            assert of_moves == [[action] for action in actions]
            assert state.partial_move is None and state.diagram() == position.diagram()
            assert (state.position, str(state)) == (position, str(position))
            assert game.sides[state.player or 0] == position.to_move
            assert (state.outcome, state.returns) == (None, [0.0, 0.0])
            action = chance.choice(actions)
            move = state.move_of(action)
            ends = position.ends(move)
            state.apply(action)
            position = position.play(move)
            assert (position.outcome, position.ending is None) == (ends, ends is None)
            if ends is not None:
                assert (state.outcome, state.ending) == (ends, position.ending)
        assert state.is_over and state.legal_actions() == [] and state.player is None
        assert state.position == position or state.ending == "limit of plies"
        assert state.plies == len(state.history) <= state.max_plies == state.max_actions
        wins = [1.0 if side == state.outcome else -1.0 for side in game.sides]
        assert state.returns == ([0.0, 0.0] if state.outcome == "draw" else wins)


def test_copies() -> None:
    state = anser.State(anser.Game("hexapawn:3x3"))
    for duplicate in [copy.copy(state), copy.deepcopy(state), pickle.loads(pickle.dumps(state))]:
        duplicate.apply(duplicate.legal_actions()[0])
        assert (state.plies, duplicate.plies) == (0, 1)
        again = pickle.loads(pickle.dumps(duplicate))
        assert (again.history, again.position) == (duplicate.history, duplicate.position)
        assert "plies=1" in repr(again)


def test_the_limit_of_plies() -> None:
    game = anser.Game("fox-geese")
    assert anser.State(game).max_plies == 200
    state = anser.State(game, max_plies=3)
    for _ in range(3):
        assert not state.is_over
        state.apply(state.legal_actions()[0])
    assert (state.outcome, state.returns, state.position.is_over) == ("draw", [0.0, 0.0], False)
    assert (state.ending, state.position.ending) == ("limit of plies", None)
    # Play cannot return, so no game reaches the limit.
    assert anser.State(anser.Game("hexapawn:3x3")).max_plies >= 8


def test_bad_input() -> None:
    game = anser.Game("hexapawn:3x3")
    state = anser.State(game, game.start)
    for action in [0, 80, 10**6]:
        with pytest.raises(anser.InvalidMove, match=str(action)):
            state.apply(action)
        with pytest.raises(anser.InvalidMove):
            state.move_of(action)
    with pytest.raises(anser.InvalidMove):
        state.action_of("a1-a3")
    assert state.plies == 0
    with pytest.raises(anser.InvalidPosition):
        anser.State(game, "nothing")
    over = anser.State(game, "P2/3/3 b")
    assert over.is_over and over.outcome == "white"


def test_observations() -> None:
    state = anser.State(anser.Game("hexapawn:3x3"), max_plies=10)
    observation = state.observation()
    assert observation.shape == (4, 3, 3) and observation.dtype == np.float32
    assert list(observation.shape) == state.observation_shape
    assert observation[0].tolist() == [[1, 1, 1], [0, 0, 0], [0, 0, 0]]
    assert observation[1].tolist() == [[0, 0, 0], [0, 0, 0], [1, 1, 1]]
    assert not observation[2:].any()
    state.apply(state.action_of("a1-a2"))
    observation = state.observation()
    assert observation[0].tolist() == [[0, 1, 1], [1, 0, 0], [0, 0, 0]]
    assert observation[2].all() and np.allclose(observation[3], 0.1)


def test_pieces_in_hand_are_observed() -> None:
    state = anser.State(anser.Game("bagh-chal"))
    assert state.observation_shape == [6, 5, 5]
    for left in (20, 19, 18):
        tigers, goats = state.observation()[-2:]
        assert (tigers == 0).all() and np.allclose(goats, left / 20)
        while state.player == 1:
            point = state.legal_actions()[0]
            assert point == state.action_of(state.move_of(point))
            state.apply(point)
        state.apply(state.legal_actions()[0])


def test_a_pass_is_an_action() -> None:
    game = anser.Game("wolf-and-sheep")
    chance = random.Random(2)
    for _ in range(100):
        state = anser.State(game)
        while not state.is_over:
            actions = state.legal_actions()
            if state.move_of(actions[0]) == "pass":
                assert actions == [0]
                side = state.player
                state.apply(0)
                assert state.player != side
                return
            state.apply(chance.choice(actions))
    raise AssertionError("no game had a pass")


def test_perfect_players() -> None:
    game = anser.Game("hexapawn:3x3")
    solution = anser.solve(game)
    perfect = anser.Player(solution)
    for seed in range(50):
        other, state = anser.Player(solution, error_chance=1.0, seed=seed), anser.State(game)
        while not state.is_over:
            action = (other if state.player == 0 else perfect).choose(state)
            assert action is not None
            state.apply(action)
        assert state.outcome == "black"
    assert perfect.choose(state) is None and perfect.policy(state) == []


def test_players_err() -> None:
    game = anser.Game("hexapawn:4x4")
    solution, state = anser.solve(game), anser.State(game)
    best = dict(anser.Player(solution).policy(state))
    erring = dict(anser.Player(solution, error_chance=0.25).policy(state))
    assert list(best) == list(erring) == state.legal_actions()
    for action, chance in best.items():
        assert erring[action] == pytest.approx(0.25 / len(best) + 0.75 * chance)
    one, other = (anser.Player(solution, 0.5, seed=9) for _ in range(2))
    assert [one.choose(state) for _ in range(50)] == [other.choose(state) for _ in range(50)]
    for chance in [-0.1, 1.1, float("nan")]:
        with pytest.raises(anser.InvalidArgument):
            anser.Player(solution, error_chance=chance)
    with pytest.raises(anser.InvalidArgument, match="another game"):
        anser.Player(solution).choose(anser.State(anser.Game("hexapawn:3x3")))


def test_players_err_as_people_do() -> None:
    game = anser.Game("hexapawn:4x4")
    solution, state = anser.solve(game), anser.State(game)
    best = dict(anser.Player(solution).policy(state))
    shares = []
    for style in ["beginner", "casual", "skilled", "expert", "quick"]:
        policy = anser.Player(solution, style=style).policy(state)
        assert sum(chance for _, chance in policy) == pytest.approx(1)
        shares.append(sum(chance for action, chance in policy if best[action] > 0))
    assert shares == sorted(shares) and shares[0] < 0.7 and shares[-1] == 1
    for style in ["search-2", "search-12"]:
        policy = anser.Player(solution, style=style).policy(state)
        assert sum(chance for _, chance in policy) == pytest.approx(1)
    with pytest.raises(anser.InvalidArgument, match="err by themselves"):
        anser.Player(solution, error_chance=0.1, style="casual")
    with pytest.raises(anser.InvalidArgument, match="beginner, casual"):
        anser.Player(solution, style="nice")


def test_players_need_values() -> None:
    game = anser.Game("fox-geese")
    with anser.open_tables(game) as tables:
        with pytest.raises(anser.MissingLayer):
            anser.Player(tables).choose(anser.State(game))
        assert anser.Player(tables).choose(anser.State(game, "3/3/7/3F3/3gg2/1g1/1g1 f")) is not None
