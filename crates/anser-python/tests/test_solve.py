import os
import signal
import threading
import time
from pathlib import Path

import anser
import numpy as np
import pytest


def test_solutions() -> None:
    game = anser.Game("hexapawn:3x3")
    solution = anser.solve(game)
    assert solution.probe(game.start) == anser.Value("black", 6)
    assert len(solution.line(game.start)) == 6
    assert "Solution" in repr(solution)
    reachable = anser.solve(game, game.start)
    assert len(reachable) == 135
    unreachable = next(
        position
        for chunk in solution.layer(game.start.layer - 1)
        for position in game.decode(chunk.codes)
        if reachable.get(position) is None
    )
    with pytest.raises(anser.UnsolvedPosition) as raised:
        reachable.probe(unreachable)
    assert isinstance(raised.value, KeyError)
    outcomes, _ = reachable.get_many([unreachable, game.start])
    assert outcomes.tolist() == [anser.UNKNOWN, anser.SECOND]
    assert solution.get(unreachable) is not None
    assert isinstance(solution, anser.Values) and not isinstance(solution, anser.Tables)
    with pytest.raises(anser.InvalidPosition):
        anser.solve(game, "nothing")


@pytest.mark.parametrize(
    ("name", "reachable", "value"),
    [
        ("fox-hounds:2", 1, anser.Value("hounds", 0)),
        ("fox-hounds:4", 83, anser.Value("hounds", 8)),
        ("fox-hounds:6", 8_175, anser.Value("fox", 21)),
        ("fox-hounds:8", 709_868, anser.Value("hounds", 44)),
        ("hexapawn:3x3", 135, anser.Value("black", 6)),
    ],
)
def test_known_counts(name: str, reachable: int, value: anser.Value) -> None:
    game = anser.Game(name)
    solution = anser.solve(game, game.start)
    assert len(solution) == reachable
    assert solution.probe(game.start) == value


def test_known_values() -> None:
    hasenspiel = anser.Game("hasenspiel")
    assert anser.solve(hasenspiel, hasenspiel.start).probe(hasenspiel.start).plies == 44
    hexapawn = anser.Game("hexapawn:4x4")
    assert anser.solve(hexapawn).probe(hexapawn.start).outcome == "white"
    hare = anser.Game("hare-hounds")
    assert sum(hare.count(layer) for layer in hare.layers) % 2_640 == 0


def test_won_for_the_geese() -> None:
    """The known counts of shipped tables, over all positions of a layer."""
    for rules in ["free", "first-capture"]:
        game = anser.Game("fox-geese", rules=rules)
        with anser.open_tables(game) as tables:
            for layer, won in [(1, 0), (2, 0), (3, 0), (4, 40), (5, 1_280)]:
                chunks = [
                    (chunk.orbits.astype(np.int64), chunk.outcomes)
                    for chunk in tables.layer(layer)
                ]
                assert sum(orbits.sum() for orbits, _ in chunks) == game.count(layer)
                assert sum(orbits[outcomes == anser.SECOND].sum() for orbits, outcomes in chunks) == won


def test_tables_are_solved_and_kept(tmp_path: Path) -> None:
    game = anser.Game("fox-geese")
    reports: list[tuple[str, int, int]] = []
    solved = anser.solve_to(
        tmp_path, game, layers=range(1, 5), progress=lambda *report: reports.append(report)
    )
    assert solved == [1, 2, 3, 4]
    assert anser.solve_to(tmp_path, game, layers=(1, 4)) == []
    assert anser.solve_to(tmp_path, game, layers=(1, 4), metrics=["dtw"]) == [1, 2, 3, 4]
    assert reports and reports[-1] == ("layer 4", reports[-1][2], reports[-1][2])
    tables = anser.open_tables(game, [tmp_path], shipped=False)
    assert tables.layers == tables.layers_with_distances == [1, 2, 3, 4]


def test_bad_arguments(tmp_path: Path) -> None:
    game = anser.Game("fox-geese")
    for arguments in [
        {"layers": (0, 4)},
        {"layers": range(3, 3)},
        {"layers": range(1, 9, 2)},
        {"layers": (2, 1)},
        {"metrics": []},
        {"metrics": ["plies"]},
        {"threads": 0},
    ]:
        with pytest.raises(anser.InvalidArgument):
            anser.solve_to(tmp_path, game, **arguments)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        anser.solve_to(tmp_path, game, layers="1-4")  # type: ignore[arg-type]
    with pytest.raises(anser.NotEnoughMemory) as raised:
        anser.solve(game)
    assert isinstance(raised.value, MemoryError)
    with pytest.raises(anser.NotEnoughMemory):
        anser.solve(anser.Game("fox-hounds:8"), memory=1_000)
    with pytest.raises(anser.NotEnoughMemory):
        anser.solve_to(tmp_path, game, layers=(1, 9), memory=1_000)
    file = tmp_path / "file"
    file.touch()
    with pytest.raises(anser.SolveError):
        anser.solve_to(file, game, layers=(1, 3))


class Stop(Exception):
    pass


def test_exceptions_of_progress_end_the_work(tmp_path: Path) -> None:
    def stop(*_: object) -> None:
        raise Stop

    with pytest.raises(Stop):
        anser.solve_to(tmp_path, anser.Game("fox-geese"), layers=(1, 9), progress=stop)
    with pytest.raises(Stop):
        anser.solve(anser.Game("fox-hounds:8"), progress=stop)


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_an_interrupted_run_resumes(tmp_path: Path) -> None:
    game = anser.Game("fox-geese")
    begun = time.monotonic()
    threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        anser.solve_to(tmp_path, game, layers=(1, 12))
    assert time.monotonic() - begun < 20
    anser.solve_to(tmp_path, game, layers=(1, 5))
    assert anser.open_tables(game, [tmp_path], shipped=False).layers[:5] == [1, 2, 3, 4, 5]


def test_the_lock_is_released() -> None:
    game = anser.Game("fox-hounds:8")
    ticks: list[float] = []
    done = threading.Event()

    def tick() -> None:
        while not done.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    begun = time.monotonic()
    anser.solve(game)
    took = time.monotonic() - begun
    done.set()
    thread.join()
    during = [at for at in ticks if at < begun + took]
    assert took < 0.05 or len(during) > took / 0.1
