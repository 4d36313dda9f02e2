import anser
import pytest
from anser.grading import Grade, grade, reachable


def test_grades() -> None:
    game = anser.Game("hexapawn:3x3")
    solution, positions = anser.solve(game), reachable(game)
    assert len(positions) == 135 == len(anser.solve(game, game.start))
    assert positions[0] == game.start
    best = grade(solution, positions, lambda position: solution.probe_moves(position)[0].move)
    worst = grade(solution, positions, lambda position: solution.probe_moves(position)[-1].move)
    assert best.decisions == worst.decisions > 0
    assert (best.wrong, best.error_rate) == (0, 0.0)
    assert (worst.wrong, worst.error_rate) == (worst.decisions, 1.0)
    assert Grade(0, 0).error_rate == 0.0


def test_bad_choices() -> None:
    game = anser.Game("hexapawn:3x3")
    solution = anser.solve(game)
    with pytest.raises(anser.InvalidMove):
        grade(solution, reachable(game), lambda _: "a1-a3")
    fox_geese = anser.Game("fox-geese")
    with pytest.raises(anser.MissingLayer):
        grade(anser.open_tables(fox_geese), [fox_geese.start], lambda position: position.moves()[0])


def test_search_errs_less_with_more_simulations() -> None:
    pytest.importorskip("pyspiel")
    from anser.openspiel import mcts_error_rate

    game = anser.Game("hexapawn:3x3")
    solution, positions = anser.solve(game), reachable(game)
    few, many = (mcts_error_rate(solution, positions, count, seeds=range(3)) for count in (2, 60))
    assert 0 <= many < few < 1
