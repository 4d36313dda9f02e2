"""Games from files."""

import pickle
from pathlib import Path

import anser
import pytest

HUNTS = Path(__file__).parents[3] / "data" / "hunts"


def test_a_game_from_a_file_is_solved_and_asked(tmp_path: Path) -> None:
    game = anser.Game.from_file(HUNTS / "triangle.toml")
    assert (game.name, game.rules) == ("triangle", "standard")
    assert game.rules in anser.rule_sets(str(HUNTS / "triangle.toml"))
    assert anser.Game(str(HUNTS / "triangle.toml")) == game
    assert game.openings[0] == "start"
    assert len(game.openings) > 1
    assert game.opening(game.openings[1]).game == game
    assert pickle.loads(pickle.dumps(game)) == game == anser.Game.from_description(game.description)
    assert len({game, anser.Game.from_description(game.description)}) == 1
    assert pickle.loads(pickle.dumps(game.start)) == game.start

    solution = anser.solve(game, game.start)
    written = tmp_path / "tables"
    anser.solve_to(written, game, metrics=["wdl", "dtw"])
    tables = anser.open_tables(game, [written], shipped=False)
    assert tables.probe(game.start) == solution.probe(game.start)
    with pytest.raises(anser.MissingLayer, match="Game.from_file"):
        anser.open_tables(game, [], shipped=False).probe(game.start)
    # A table describes the game without the file.
    table = next(written.glob("*.wdl.anser"))
    assert anser.Game.from_file(table) == game
    # Every class once, and no entry that is none.
    for layer in game.layers:
        chunks = list(tables.layer(layer))
        assert sum(int(chunk.orbits.sum()) for chunk in chunks) == game.count(layer)
        assert all((chunk.orbits > 0).all() for chunk in chunks)
        for chunk in chunks:
            assert len(chunk.codes) == len(chunk.orbits) == len(chunk.outcomes) == len(chunk.plies)
    for code in game.decode(game.sample(game.layers[-1], 20)):
        assert code.layer == game.layers[-1]


def test_what_is_wrong_in_a_description_has_its_place(tmp_path: Path) -> None:
    text = (HUNTS / "triangle.toml").read_text()
    path = tmp_path / "wrong.toml"
    path.write_text(text.replace('name = "triangle"', 'name = "fox-geese"'))
    with pytest.raises(anser.InvalidDescription, match="belongs to a game of this program") as raised:
        anser.Game.from_file(path)
    assert raised.value.line is not None
    assert raised.value.column is not None
    with pytest.raises(anser.InvalidDescription) as missing:
        anser.Game.from_file(tmp_path / "none.toml")
    assert missing.value.line is None
    with pytest.raises(anser.InvalidDescription, match="line 1"):
        anser.Game.from_description("hunt 2\n")
    with pytest.raises(anser.InvalidArgument, match="standard"):
        anser.Game.from_file(HUNTS / "triangle.toml", rules="none")
    with pytest.raises(anser.UnreadableTable):
        anser.Game.from_file(tmp_path / "none.anser")
