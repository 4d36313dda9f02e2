"""Chains of jumps, which are played in several actions."""

import copy
import math
import pickle
import random
from collections.abc import Iterator
from pathlib import Path

import anser
import numpy as np
import pytest

RULES = [rules for rules in anser.rule_sets("fox-geese") if "chain" in rules]
# Chains lead round the square in both directions and back to where they begin.
RING = "ggg/3/3gF2/2g1g2/3g3/3/ggg f"
# A chain along a rank that can turn to both sides.
FORK = "ggg/3/g3g2/Fg1g1g1/4g2/3/ggg f"


def plays(state: anser.State) -> Iterator[tuple[str, anser.State]]:
    """The moves that sequences of actions play, each with the last state and checks on the way."""
    before = state.partial_move
    assert state.legal_actions() == sorted(set(state.legal_actions()))
    texts = [state.move_of(action) for action in state.legal_actions()]
    assert [state.action_of(text) for text in texts] == state.legal_actions()
    assert len(set(texts)) == len(texts)
    for action, text in zip(state.legal_actions(), texts):
        after = copy.copy(state)
        after.apply(action)
        assert after.history == [*state.history, action]
        if after.plies > state.plies:
            assert after.partial_move is None
            yield text, after
            continue
        assert after.partial_move == text
        assert text.endswith("x") and text.startswith(before or "")
        # A jump without a choice is not an action.
        assert len(after.legal_actions()) > 1
        assert (after.player, after.position) == (state.player, state.position)
        assert after.plies == state.plies
        assert str(after) == f"{state.position} {text}"
        again = pickle.loads(pickle.dumps(after))
        assert (str(again), again.legal_actions()) == (str(after), after.legal_actions())
        check_board(after)
        yield from plays(after)


def check_board(state: anser.State) -> None:
    """The board inside a chain: the jumps so far are played, one by one."""
    assert state.partial_move is not None
    points = state.partial_move.removesuffix("x").split("x")
    rules = "free+orthogonal" if "orthogonal" in state.game.rules else "free"
    free = anser.Game("fox-geese", rules=rules)
    board = free.position(str(state.position))
    for start, end in zip(points, points[1:]):
        # The same side jumps again.
        board = free.position(str(board.play(f"{start}x{end}"))[:-1] + "f")
    assert state.diagram() == board.diagram()
    expected = anser.State(free, board).observation()
    assert state.observation()[:3].tolist() == expected[:3].tolist()
    assert state.observation()[4].all()


def same_moves(position: anser.Position) -> int:
    """Compares the moves of action sequences with those of a position; returns the longest."""
    state = anser.State(position.game, position)
    found = list(plays(state))
    assert sorted(move for move, _ in found) == sorted(position.moves())
    for move, after in found:
        assert state.actions_of(move) == after.history
        assert after.plies == 1 and len(after.history) <= after.max_actions
        ends = position.ends(move)
        assert after.outcome == ends
        assert after.position == position.play(move)
    return max((len(after.history) for _, after in found), default=0)


@pytest.mark.parametrize("rules", RULES)
def test_sequences_of_actions_are_the_moves(rules: str) -> None:
    game = anser.Game("fox-geese", rules=rules)
    assert same_moves(game.position(FORK)) > 1
    # Without a choice on the way, where captures are compulsory.
    assert (same_moves(game.position(RING)) > 1) != ("compulsory" in rules)
    longest = 0
    for layer in range(4, 15):
        for position in game.decode(game.sample(layer, 40, seed=layer, to_move="fox")):
            longest = max(longest, same_moves(position))
    assert longest > 1
    for position in game.decode(game.sample(8, 30, to_move="geese")):
        assert same_moves(position) <= 1


def test_chains_in_both_directions() -> None:
    """Captures in another order that lead to the same position are other actions."""
    position = anser.Game("fox-geese", rules="free+chain").position(RING)
    state, ways = anser.State(position.game, position), ["e5xe3xc3xc5xe5", "e5xc5xc3xe3xe5"]
    ends = []
    for way in ways:
        after = copy.copy(state)
        for action in state.actions_of(way):
            assert after.player == 0 and after.position == position
            after.apply(action)
        ends.append(after)
    assert ends[0].history != ends[1].history and ends[0].position == ends[1].position
    assert [len(end.history) for end in ends] == [4, 4]
    assert (ends[0].plies, ends[0].player) == (1, 1)
    assert str(ends[0]) == "ggg/3/4F2/7/7/3/ggg g"


def test_texts() -> None:
    game = anser.Game("fox-geese", rules="free+chain")
    state = anser.State(game, RING)
    assert state.partial_move is None
    # The jump alone is a move too, which takes a jump and a stop.
    points = round(math.sqrt(state.num_actions))
    jump, stop = state.actions_of("e5xe3")
    assert stop // points == stop % points == jump % points
    with pytest.raises(anser.InvalidMove, match="takes 2 actions"):
        state.action_of("e5xe3")
    assert (state.move_of(jump), state.action_of("e5xe3x")) == ("e5xe3x", jump)
    with pytest.raises(anser.InvalidMove, match="not complete"):
        state.position.play("e5xe3x")
    state.apply(jump)
    assert str(state) == f"{RING} e5xe3x"
    assert "e5xe3x" in repr(state)
    assert state.actions_of("e5xe3") == [stop] and state.move_of(stop) == "e5xe3"
    assert sorted(map(state.move_of, state.legal_actions())) == ["e5xe3", "e5xe3xc3x"]
    for move in ["e5xc5", "e5-e6"]:
        with pytest.raises(anser.InvalidMove, match="does not begin with e5xe3x"):
            state.actions_of(move)
    for move in ["", "e5xe3x", "e5xe1"]:
        with pytest.raises(anser.InvalidMove):
            state.actions_of(move)
    for action in [jump, 10**6]:
        with pytest.raises(anser.InvalidMove, match="e5xe3x"):
            state.apply(action)
    assert state.history == [jump]
    over = anser.State(game, "gFg/1g1/3g3/7/7/3/3 f")
    for move in ["d7-d6", "d7xd5"]:
        with pytest.raises(anser.InvalidMove):
            over.actions_of(move)


def test_jumps_without_a_choice() -> None:
    """Where captures are compulsory, the choice of the direction decides the chain."""
    game = anser.Game("fox-geese", rules="free+chain+compulsory")
    state = anser.State(game, RING)
    assert sorted(map(state.move_of, state.legal_actions())) == ["e5xc5xc3xe3xe5", "e5xe3xc3xc5xe5"]
    state = anser.State(game, FORK)
    texts = list(map(state.move_of, state.legal_actions()))
    assert texts == ["a4xc4xe4x"]
    state.apply(state.action_of("a4xc4xe4x"))
    assert len(state.legal_actions()) == 3
    check_board(state)


@pytest.mark.parametrize("rules", RULES)
def test_random_games(rules: str) -> None:
    """A random game by actions is one by moves."""
    chance, game, inner = random.Random(3), anser.Game("fox-geese", rules=rules), 0
    starts = [game.start, game.position(RING), *game.decode(game.sample(14, 12, seed=5))]
    for start in starts:
        state, position = anser.State(game, start, max_plies=60), start
        extra = 0
        while not state.is_over:
            moves = [move for move, _ in plays(state)]
            assert sorted(moves) == sorted(position.moves())
            plies, move, side = state.plies, "", state.player
            while state.plies == plies:
                assert state.player == side
                action = chance.choice(state.legal_actions())
                move = state.move_of(action)
                state.apply(action)
                extra += state.plies == plies
            assert state.plies == plies + 1
            ends = position.ends(move)
            if ends is not None:
                assert state.outcome == ends
                break
            position = position.play(move)
            assert (state.position, str(state)) == (position, str(position))
        assert state.is_over and state.legal_actions() == [] and state.partial_move is None
        assert len(state.history) == state.plies + extra <= state.max_actions
        inner += extra
    assert inner > 0


def test_the_limit_of_actions() -> None:
    game = anser.Game("fox-geese", rules="free+chain")
    assert anser.State(game).max_actions == 200 + 9  # 13 geese, and with fewer than 4 the game is over
    assert anser.State(anser.Game("fox-geese")).max_actions == 200
    state = anser.State(game, RING, max_plies=1)
    assert state.max_actions == 1 + 6
    # Two of five geese can be captured; the fox stops after one.
    state = anser.State(game, "ggg/3/7/Fg1g3/7/3/3 f", max_plies=1)
    for action in state.actions_of("a4xc4"):
        assert not state.is_over
        state.apply(action)
    assert (state.outcome, len(state.history), state.max_actions) == ("draw", 2, 2)
    # The last capture ends the game inside the chain.
    state = anser.State(game, "ggg/3/7/Fg1g3/7/3/3 f")
    for action in state.actions_of("a4xc4xe4"):
        state.apply(action)
    assert (state.outcome, state.plies, state.partial_move) == ("fox", 1, None)


def test_observations() -> None:
    plain = anser.State(anser.Game("fox-geese"), RING)
    assert plain.observation_shape == [4, 7, 7]
    state = anser.State(anser.Game("fox-geese", rules="free+chain"), RING, max_plies=10)
    assert state.observation_shape == [5, 7, 7]
    assert state.observation()[:4].tolist() == plain.observation().tolist()
    assert not state.observation()[4].any()
    state.apply(state.action_of("e5xe3x"))
    observation = state.observation()
    assert observation[0].sum() == observation[0][2, 4] == 1
    assert observation[1].sum() == 9 and observation[1][3, 4] == 0
    assert not observation[2:4].any() and observation[4].all()
    state.apply(state.action_of("e5xe3"))
    observation = state.observation()
    assert observation[2].all() and np.allclose(observation[3], 0.1) and not observation[4].any()


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[anser.Tables]:
    directory: Path = tmp_path_factory.mktemp("chains")
    game = anser.Game("fox-geese", rules="free+chain")
    anser.solve_to(directory, game, layers=(1, 6), metrics=["dtw"])
    with anser.open_tables(game, [directory], access="map") as tables:
        yield tables


def with_chains(game: anser.Game, layer: int, count: int) -> list[anser.Position]:
    """Positions in which some moves are chains."""
    positions = game.decode(game.sample(layer, count, seed=layer, to_move="fox"))
    return [position for position in positions if any(move.count("x") > 1 for move in position.moves())]


def test_perfect_players(tables: anser.Tables) -> None:
    """They win in as many plies as the tables promise, against every opponent."""
    perfect, game, won, inner = anser.Player(tables), tables.game, 0, 0
    for position in with_chains(game, 6, 2000)[:60]:
        value = tables.probe(position)
        if value.outcome != "fox":
            continue
        assert value.plies is not None
        won += 1
        for error_chance in [0.0, 1.0]:
            other = anser.Player(tables, error_chance, seed=won)
            state = anser.State(game, position)
            while not state.is_over:
                action = (perfect if state.player == 0 else other).choose(state)
                assert action is not None
                state.apply(action)
                inner += state.partial_move is not None
            assert state.outcome == "fox" and state.plies <= value.plies
            assert state.plies == value.plies or error_chance
    assert won >= 20 and inner >= 20


def test_policies(tables: anser.Tables) -> None:
    """The chances of sequences of actions are those of moves, and inside a chain the best rest is
    chosen."""
    game = tables.game
    perfect, erring = anser.Player(tables), anser.Player(tables, error_chance=1.0)
    inner = 0
    for position in with_chains(game, 6, 500)[:15]:
        rated = tables.probe_moves(position)
        count = len(rated)

        def chances(player: anser.Player, state: anser.State, so_far: float = 1.0) -> dict[str, float]:
            found = {}
            policy = player.policy(state)
            assert [action for action, _ in policy] == state.legal_actions()
            assert sum(chance for _, chance in policy) == pytest.approx(1.0)
            for action, chance in policy:
                after, text = copy.copy(state), state.move_of(action)
                after.apply(action)
                if after.plies:
                    found[text] = so_far * chance
                else:
                    nonlocal inner
                    inner += 1
                    found |= chances(player, after, so_far * chance)
                    # The rest that is chosen is as good as any.
                    choice = perfect.choose(after)
                    while choice is not None and after.move_of(choice).endswith("x"):
                        after.apply(choice)
                        choice = perfect.choose(after)
                    assert choice is not None
                    rest = [one for one in rated if one.move.startswith(text[:-1])]
                    chosen = next(one for one in rated if one.move == after.move_of(choice))
                    assert (chosen.outcome, chosen.plies) == (rest[0].outcome, rest[0].plies)
            return found

        best = chances(perfect, anser.State(game, position))
        assert set(best) == set(position.moves())
        for one in rated:
            is_best = (one.outcome, one.plies) == (rated[0].outcome, rated[0].plies)
            assert is_best or best[one.move] == 0
        assert chances(erring, anser.State(game, position)) == pytest.approx(
            dict.fromkeys(position.moves(), 1 / count)
        )
    assert inner > 20


def test_missing_values_inside_a_chain() -> None:
    game = anser.Game("fox-geese", rules="free+chain")
    with anser.open_tables(game, shipped=False) as nothing:
        player, state = anser.Player(nothing), anser.State(game, RING)
        with pytest.raises(anser.MissingLayer):
            player.choose(state)
        state.apply(state.action_of("e5xe3x"))
        with pytest.raises(anser.MissingLayer):
            player.policy(state)


def test_grades(tables: anser.Tables) -> None:
    """A player of actions is graded by the moves that it plays."""
    pytest.importorskip("pyspiel")
    from anser.grading import grade
    from anser.openspiel import mcts_error_rate

    game, perfect = tables.game, anser.Player(tables)
    positions = with_chains(game, 5, 2000)[:20]

    def choose(position: anser.Position) -> str:
        state, move = anser.State(game, position), ""
        while not state.plies:
            action = perfect.choose(state)
            assert action is not None
            move = state.move_of(action)
            state.apply(action)
        return move

    graded = grade(tables, positions, choose)
    assert graded.decisions > 0 and graded.wrong == 0
    assert 0 <= mcts_error_rate(tables, positions, 5, seeds=range(1)) < 1
