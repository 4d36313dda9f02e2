import gc
import os
import signal
import threading
import time
from pathlib import Path

import anser
import numpy as np
import pytest

FREE = anser.Game("fox-geese", rules="free")
DRAWN = "3/3/7/3F3/3gg2/1g1/1g1 f"
GAMES = ["fox-geese", "fox-hounds:12", "hasenspiel", "hare-hounds", "hexapawn:6x6"]


@pytest.mark.parametrize("name", GAMES)
def test_codes(name: str) -> None:
    game = anser.Game(name)
    layer = game.start.layer
    codes = game.sample(layer, 1_000, seed=7)
    assert codes.shape == (1_000, 2) and codes.dtype == np.uint64
    positions = game.decode(codes)
    assert all(position.layer == layer for position in positions)
    assert (game.encode(positions) == codes).all()
    assert (game.encode([str(position) for position in positions]) == codes).all()
    assert (game.encode(codes) == codes).all()
    row = codes[0]
    assert positions[0].code == int(row[0]) | int(row[1]) << 64


def test_wide_codes() -> None:
    """Some games have codes of more than 64 bits."""
    game = anser.Game("fox-hounds:12")
    codes = game.sample(game.layers[len(game.layers) // 2], 100)
    assert (codes[:, 1] != 0).any()


def test_wins_by_endless_play_have_the_number_of_the_winner() -> None:
    game = anser.Game("thy", rules="hare-wins")
    assert game.outcomes == {1: "hare", -1: "hounds"}
    solution = anser.solve(game)
    endless = 0
    for layer in game.layers:
        for chunk in solution.layer(layer, chunk=2**64 - 1):
            assert set(chunk.outcomes.tolist()) <= {1, -1}
            outcomes, plies = solution.get_many(chunk.codes)
            assert (outcomes == chunk.outcomes).all() and (plies == chunk.plies).all()
            endless += int((plies == anser.NO_PLIES).sum())
            some = slice(None, None, 50)
            names = [game.outcomes[int(outcome)] for outcome in outcomes[some]]
            probed = [solution.probe(position) for position in game.decode(chunk.codes[some].copy())]
            assert [value.outcome for value in probed] == names
    assert endless > 100_000


def test_drawing_positions_is_interrupted() -> None:
    # A shell that runs the tests in the background lets them ignore the signal.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        FREE.sample(13, 10**8)
    assert time.monotonic() - started < 10


def test_bad_codes() -> None:
    codes = FREE.sample(5, 10)
    codes[3] = 2**64 - 1
    for ask in [FREE.decode, FREE.encode, anser.open_tables(FREE).probe_many]:
        with pytest.raises(anser.InvalidPosition, match="row 3") as raised:
            ask(codes)
        assert (raised.value.index, raised.value.column) == (3, None)
    with pytest.raises(TypeError, match="shape"):
        FREE.decode(codes[:, 0])
    with pytest.raises(TypeError, match="shape"):
        FREE.decode(codes.reshape(-1))
    with pytest.raises(TypeError):
        FREE.decode(codes.astype(np.int32))
    with pytest.raises(TypeError, match="one position"):
        FREE.encode(DRAWN)
    with pytest.raises(TypeError, match="one position"):
        FREE.encode(FREE.start)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        FREE.encode(7)  # type: ignore[arg-type]
    with pytest.raises(anser.InvalidPosition, match="column 1") as raised:
        FREE.encode([DRAWN, DRAWN, "x"])
    assert raised.value.index == 2


def test_codes_of_another_type() -> None:
    codes = FREE.sample(5, 10)
    for other in [codes.byteswap().view(codes.dtype.newbyteorder()), codes.astype(np.int64)]:
        for ask in [FREE.decode, FREE.encode, anser.open_tables(FREE).probe_many]:
            with pytest.raises(TypeError, match=r"array of uint64 of shape \(n, 2\)"):
                ask(other)  # type: ignore[arg-type]
    texts = np.array([str(position) for position in FREE.decode(codes)])
    assert (FREE.encode(list(texts)) == codes).all()


def test_arrays_that_are_not_contiguous() -> None:
    codes = FREE.sample(5, 1_000)
    tables = anser.open_tables(FREE)
    whole, _ = tables.probe_many(codes)
    assert (tables.probe_many(codes[::3])[0] == whole[::3]).all()
    assert (tables.probe_many(np.asfortranarray(codes))[0] == whole).all()
    assert (tables.probe_many(np.array([str(at) for at in FREE.decode(codes)]))[0] == whole).all()


def test_empty_batches() -> None:
    tables = anser.open_tables(FREE)
    for outcomes, plies in [tables.probe_many([]), tables.probe_many(FREE.sample(5, 0))]:
        assert len(outcomes) == len(plies) == 0
        assert outcomes.dtype == np.int8 and plies.dtype == np.int16
    assert FREE.encode([]).shape == (0, 2)


def test_results_are_new_arrays() -> None:
    tables = anser.open_tables(FREE)
    codes = FREE.sample(5, 100)
    first, _ = tables.probe_many(codes)
    second, _ = tables.probe_many(codes)
    first += 1
    assert (first == second + 1).all()
    codes[:] = 0
    assert first.flags.owndata or first.base is not None


def test_samples() -> None:
    assert (FREE.sample(6, 100, seed=3) == FREE.sample(6, 100, seed=3)).all()
    assert (FREE.sample(6, 100, seed=3) != FREE.sample(6, 100, seed=4)).any()
    assert {at.to_move for at in FREE.decode(FREE.sample(6, 100, to_move="geese"))} == {"geese"}
    with pytest.raises(anser.InvalidArgument):
        FREE.sample(0, 1)
    with pytest.raises(anser.InvalidArgument):
        FREE.sample(6, 1, to_move="hounds")
    with pytest.raises(OverflowError):
        FREE.sample(6, -1)
    with pytest.raises(anser.NotEnoughMemory, match="do not fit"):
        FREE.sample(6, 10**17)


def test_samples_are_uniform() -> None:
    """Every position has the same chance: on 3 x 3 squares each is drawn about equally often."""
    game = anser.Game("hexapawn:3x3")
    layer = game.start.layer - 2
    positions = game.count(layer)
    codes, counts = np.unique(game.sample(layer, 400 * positions, seed=1), axis=0, return_counts=True)
    assert len(codes) == positions
    # Chi-squared with positions - 1 degrees of freedom, six standard deviations.
    statistic = ((counts - 400) ** 2 / 400).sum()
    assert abs(statistic - (positions - 1)) < 6 * (2 * positions) ** 0.5


def test_missing_and_unknown() -> None:
    tables = anser.open_tables(FREE)
    mixed: list[str | anser.Position] = [DRAWN, FREE.start, str(FREE.start), FREE.position(DRAWN)]
    with pytest.raises(anser.MissingLayer):
        tables.probe_many(mixed)
    outcomes, plies = tables.get_many(mixed)
    assert outcomes.tolist() == [0, anser.UNKNOWN, anser.UNKNOWN, 0]
    assert plies.tolist() == [anser.NO_PLIES] * 4


def test_batches_are_probes(raw: Path) -> None:
    for name in ["fox-geese", "fox-hounds:6", "hare-hounds", "hexapawn:4x4"]:
        game = anser.Game(name)
        tables = anser.open_tables(game, [raw], access="map", shipped=False)
        for layer in tables.layers:
            positions = game.decode(game.sample(layer, 100, seed=layer))
            outcomes, plies = tables.probe_many(positions)
            for position, outcome, distance in zip(positions, outcomes, plies):
                value = tables.probe(position)
                assert game.outcomes[int(outcome)] == value.outcome
                assert (None if distance == anser.NO_PLIES else int(distance)) == value.plies


@pytest.mark.parametrize("chunk", [1, 1_000, 65_536])
def test_layers(raw: Path, chunk: int) -> None:
    """Chunks have every class once, with the values of probes."""
    game = anser.Game("hexapawn:4x4")
    layer = game.start.layer - 5
    tables = anser.open_tables(game, [raw])
    positions, sides, classes = 0, [], 0
    for part in tables.layer(layer, chunk):
        assert len(part) == len(part.codes) == len(part.outcomes) == len(part.orbits) > 0
        assert len(part) <= (chunk + 63) // 64 * 64
        outcomes, plies = tables.probe_many(part.codes)
        assert (outcomes == part.outcomes).all() and (plies == part.plies).all()
        positions += int(part.orbits.sum())
        classes += len(np.unique(part.codes, axis=0))
        sides.append(part.to_move)
    assert positions == game.count(layer)
    assert sides == sorted(sides, key=game.sides.index)
    solution = anser.solve(game)
    assert sum(len(part) for part in solution.layer(layer)) == classes


def test_bad_layers() -> None:
    tables = anser.open_tables(FREE)
    with pytest.raises(anser.InvalidArgument, match="layers 1 to 31"):
        tables.layer(0)
    with pytest.raises(anser.InvalidArgument):
        tables.layer(4, chunk=0)
    with pytest.raises(anser.MissingLayer):
        next(tables.layer(9))


def test_memory_does_not_grow() -> None:
    """3 million probes in batches, and single ones with their exceptions."""
    tables = anser.open_tables(FREE)
    codes = FREE.sample(6, 300_000)

    def probes(batches: int) -> None:
        for _ in range(batches):
            tables.probe_many(codes)
        for _ in range(20_000):
            tables.probe(DRAWN)
            tables.get(FREE.start)
        for _ in range(1_000):
            tables.probe_moves(DRAWN)

    def resident() -> int:
        gc.collect()
        status = Path("/proc/self/statm")
        return int(status.read_text().split()[1]) * 4_096 if status.exists() else 0

    probes(5)
    before = resident()
    probes(10)
    assert resident() - before < 16 << 20
