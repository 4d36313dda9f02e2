import os
import pickle
import shutil
import signal
import threading
import time
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import anser
import numpy as np
import pytest

FREE = anser.Game("fox-geese", rules="free")
DRAWN = "3/3/7/3F3/3gg2/1g1/1g1 f"
TRAPPED = "gFg/1g1/3g3/7/7/3/3 f"


def test_shipped_tables() -> None:
    with anser.open_tables(FREE) as tables:
        assert tables.layers == [1, 2, 3, 4, 5, 6, 7]
        assert tables.layers_with_distances == []
        assert tables.missing_layers == list(range(8, 32))
        assert tables.problems == []
        assert tables.game == FREE
        assert tables.probe(DRAWN) == anser.Value("draw")
        assert tables.probe(FREE.position(DRAWN)) == anser.Value("draw", None)
        # The game is over, so the distance is known without a table of distances.
        assert tables.probe(TRAPPED) == anser.Value("geese", 0)
    none = anser.open_tables(FREE, shipped=False)
    assert (none.layers, none.directories) == ([], [])


def test_values() -> None:
    value = anser.Value("fox", 7)
    assert (value.outcome, value.plies) == ("fox", 7)
    assert repr(value) == "Value(outcome='fox', plies=7)"
    assert repr(anser.Value("draw")) == "Value(outcome='draw', plies=None)"
    assert value != anser.Value("fox") and value != ("fox", 7)
    assert len({value, anser.Value("fox", 7)}) == 1
    assert pickle.loads(pickle.dumps(value)) == value
    match value:
        case anser.Value(outcome, plies):
            assert (outcome, plies) == ("fox", 7)


def test_a_missing_layer() -> None:
    tables = anser.open_tables(FREE)
    for ask in [tables.probe, tables.line]:
        with pytest.raises(anser.MissingLayer) as raised:
            ask(FREE.start)
        error = raised.value
        assert isinstance(error, KeyError)
        assert (error.game, error.rules, error.layer) == ("fox-geese", "free", 13)
        assert error.searched == tables.directories
        assert error.command in str(error)
    assert tables.get(FREE.start) is None
    assert tables.get(FREE.start, 7) == 7
    assert tables.get(DRAWN, 7) == anser.Value("draw")
    with pytest.raises(anser.InvalidPosition):
        tables.get("nothing", 7)
    # Moves into layers that are there have values.
    position = FREE.position("3/3/7/3F3/2ggg2/g1g/ggg f")
    assert position.layer == 8
    moves = {rated.move: rated.outcome for rated in tables.probe_moves(position)}
    assert moves["d4xd2"] == "draw"
    assert moves["d4-c4"] is None


def test_the_command_for_a_missing_layer_works(tmp_path: Path) -> None:
    with pytest.raises(anser.MissingLayer) as raised:
        anser.open_tables(FREE, shipped=False).line(DRAWN)
    assert raised.value.metric == "dtw"
    command = raised.value.command.replace("'tables'", repr(str(tmp_path)))
    assert eval(command, {"anser": anser}) == [4]
    assert anser.open_tables(FREE, [tmp_path]).line(DRAWN).value == anser.Value("draw")


@pytest.mark.parametrize("access", ["read", "map"])
def test_raw_and_packed(raw: Path, packed: Path, access: str) -> None:
    codes = FREE.sample(5, 20_000, seed=1)
    found = [
        anser.open_tables(
            FREE, [directory], access=access, shipped=False  # type: ignore[arg-type]
        ).probe_many(codes)
        for directory in [raw, packed]
    ]
    assert (found[0][0] == found[1][0]).all() and (found[0][1] == found[1][1]).all()
    outcomes, _ = anser.open_tables(FREE).probe_many(codes)
    assert (outcomes == found[0][0]).all()
    assert {-1, 0, 1} == set(outcomes)


def test_lines(raw: Path) -> None:
    tables = anser.open_tables(FREE, [raw])
    won = next(code for chunk in tables.layer(5) for code in chunk.codes[chunk.plies > 5])
    position = FREE.decode(won.reshape(1, 2))[0]
    line = tables.line(position)
    assert line.value == tables.probe(position)
    assert (line.end, line.repeats_from, len(line)) == ("over", None, line.value.plies)
    here = position
    for left, rated in zip(reversed(range(len(line))), line):
        assert (rated.side, rated.outcome, rated.plies) == (here.to_move, line.value.outcome, left)
        assert rated.move in here.moves()
        assert (rated.ending is None) == (here.ends(rated.move) is None)
        here = here.play(rated.move)
        assert (here, here.ending) == (rated.position, rated.ending)
    assert (here.is_over, here.outcome) == (True, line.value.outcome)
    drawn = tables.line(DRAWN)
    assert drawn.end == "repeats" and drawn.repeats_from is not None
    assert "repeats" in repr(drawn)


def test_moves_are_best_first(raw: Path) -> None:
    tables = anser.open_tables(FREE, [raw])
    for position in FREE.decode(FREE.sample(5, 200, seed=4)):
        moves = tables.probe_moves(position)
        assert sorted(rated.move for rated in moves) == sorted(position.moves())
        if moves:
            assert tables.probe(position).outcome == moves[0].outcome
            assert repr(moves[0]).startswith("RatedMove('")


def test_directories(raw: Path, tmp_path: Path) -> None:
    tables = anser.open_tables(FREE, [tmp_path], shipped=False)
    assert tables.get(DRAWN) is None
    tables.add_directory(raw)
    assert tables.directories == [str(tmp_path), str(raw)]
    assert tables.probe(DRAWN) == anser.Value("draw")
    with pytest.raises(anser.UnreadableTable) as raised:
        tables.add_directory(tmp_path / "missing")
    assert isinstance(raised.value, OSError)
    assert raised.value.path == str(tmp_path / "missing")
    assert tables.directories == [str(tmp_path), str(raw)]
    with pytest.raises(anser.UnreadableTable):
        anser.open_tables(FREE, ["no/such/directory"])
    alone = anser.open_tables(FREE, str(raw), shipped=False)
    assert alone.directories == anser.open_tables(FREE, raw, shipped=False).directories == [str(raw)]
    for wrong in [7, [7]]:
        with pytest.raises(TypeError, match="directories are a path or a sequence of paths, not"):
            anser.open_tables(FREE, wrong)  # type: ignore[arg-type]
    with pytest.raises(anser.InvalidArgument, match="read"):
        anser.open_tables(FREE, access="write")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        anser.open_tables("fox-geese")  # type: ignore[arg-type]


def test_closed_tables() -> None:
    with anser.open_tables(FREE) as tables:
        assert "7 of 31 layers" in repr(tables)
    assert "closed" in repr(tables)
    asks: list[Callable[[], object]] = [
        lambda: tables.probe(DRAWN),
        lambda: tables.get(DRAWN),
        lambda: tables.probe_many([DRAWN]),
        lambda: tables.layer(4),
        lambda: tables.layers,
        lambda: tables.add_directory("."),
    ]
    for ask in asks:
        with pytest.raises(anser.InvalidArgument, match="closed"):
            ask()
    tables.close()


@pytest.mark.parametrize("access", ["read", "map"])
def test_damaged_tables(packed: Path, tmp_path: Path, access: str) -> None:
    name = "fox-geese.free.L05.dtw.anserz"
    whole = (packed / name).read_bytes()
    damaged = tmp_path / name
    codes = FREE.sample(5, 2_000)
    # A damaged block fails probes of it, a damaged header fails the layer: never a wrong answer.
    expected = anser.open_tables(FREE, [packed], shipped=False).probe_many(codes)
    for at in [100, len(whole) // 2, len(whole) - 1]:
        damaged.write_bytes(whole[:at] + bytes([whole[at] ^ 0x10]) + whole[at + 1 :])
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            tables = anser.open_tables(
                FREE, [tmp_path], access=access, shipped=False  # type: ignore[arg-type]
            )
        # Of what is seen when the file is opened, the program is warned.
        assert [str(warning.message) for warning in warned] == tables.problems
        try:
            found = tables.probe_many(codes)
        except anser.CorruptTable as error:
            assert isinstance(error, OSError)
            assert error.path == str(damaged)
        else:
            assert np.array_equal(found, expected)
    damaged.write_bytes(whole[:-10])
    with pytest.warns(RuntimeWarning, match="truncated.*copy the file again"):
        tables = anser.open_tables(FREE, [tmp_path], shipped=False)
    assert len(tables.problems) == 1 and "truncated" in tables.problems[0]
    with pytest.raises(anser.CorruptTable, match="truncated"):
        tables.probe(FREE.decode(codes[:1])[0])
    with pytest.raises(anser.CorruptTable):
        tables.get_many(codes)


def test_threads(raw: Path, packed: Path) -> None:
    """Threads hammer one tablebase, while another adds directories to it."""
    tables = anser.open_tables(FREE, [packed], shipped=False)
    codes = FREE.sample(5, 30_000, seed=5)
    expected, _ = tables.probe_many(codes)
    positions = FREE.decode(codes[:300])
    names = [FREE.outcomes[int(number)] for number in expected[:300]]
    done = threading.Event()

    def hammer(seed: int) -> int:
        order = np.random.default_rng(seed).permutation(len(codes))
        for _ in range(5):
            outcomes, _ = tables.probe_many(codes[order])
            assert (outcomes == expected[order]).all()
            for position, name in zip(positions, names):
                assert tables.probe(position).outcome == name
                assert tables.probe_moves(position) is not None
        return seed

    def change() -> None:
        while not done.is_set() and len(tables.directories) < 200:
            tables.add_directory(raw)

    with ThreadPoolExecutor(9) as pool:
        changes = pool.submit(change)
        assert list(pool.map(hammer, range(8))) == list(range(8))
        done.set()
        changes.result()


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_batches_are_interrupted(raw: Path) -> None:
    """Ctrl-C ends a batch long before its last position."""
    tables, codes = anser.open_tables(FREE, [raw], access="map"), FREE.sample(5, 2_000_000)

    def seconds(until: float | None = None) -> float:
        timer = threading.Timer(until or 0.0, os.kill, (os.getpid(), signal.SIGINT))
        begun = time.monotonic()
        if until is None:
            tables.probe_many(codes)
        else:
            with pytest.raises(KeyboardInterrupt):
                timer.start()
                tables.probe_many(codes)
                timer.join()
        return time.monotonic() - begun

    whole = seconds()
    # Other work on the machine can delay one of them.
    assert any(seconds(whole / 8) < 0.7 * whole for _ in range(4))


def test_other_games_are_refused() -> None:
    tables = anser.open_tables(FREE)
    other = anser.Game("fox-geese", rules="forward").start
    with pytest.raises(anser.InvalidArgument, match="forward"):
        tables.probe(other)
    with pytest.raises(TypeError, match="int"):
        tables.probe(7)  # type: ignore[arg-type]


def test_files_that_are_moved_away(raw: Path, tmp_path: Path) -> None:
    directory = tmp_path / "tables"
    shutil.copytree(raw, directory)
    tables = anser.open_tables(FREE, [directory], access="map", shipped=False)
    assert tables.probe(DRAWN) == anser.Value("draw")
    path = directory / "fox-geese.free.L04.wdl.anser"
    path.write_bytes(path.read_bytes())
    with pytest.raises(anser.UnreadableTable, match="changed"):
        tables.probe(DRAWN)
