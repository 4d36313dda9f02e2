import copy
import pickle
from xml.etree import ElementTree

import anser
import pytest

OPENING = "3/3/7/3F3/ggggggg/ggg/ggg f"


def test_names() -> None:
    known = ["fox-geese", "fox-hounds:8", "hasenspiel", "hare-hounds", "hexapawn:3x3"]
    assert anser.games()[:5] == known
    assert {"bagh-chal", "adugo", "ludus-coriovalli"} < set(anser.games())
    assert "free" in anser.rule_sets("fox-geese")
    assert all(anser.rule_sets("fox-geese").values())
    for name in anser.games():
        game = anser.Game(name)
        assert game.name == name
        assert game.rules in anser.rule_sets(name)
        assert game.start.game == game
        assert game.openings[0] == "start"
        assert game.opening("start") == game.start


@pytest.mark.parametrize(
    ("name", "rules"),
    [("chess", None), ("fox-hounds:7", None), ("fox-geese:4", None), ("fox-geese", "strict")],
)
def test_unknown_names(name: str, rules: str | None) -> None:
    with pytest.raises(anser.InvalidArgument) as raised:
        anser.Game(name, rules=rules)
    assert isinstance(raised.value, ValueError)
    assert str(raised.value)


def test_unknown_openings_and_rule_sets() -> None:
    with pytest.raises(anser.InvalidArgument, match="start, 13, 15, 17"):
        anser.Game("fox-geese").opening("18")
    for name, problem in [("chess", "chess"), ("fox-hounds:7", "7 x 7")]:
        with pytest.raises(anser.InvalidArgument, match=problem):
            anser.rule_sets(name)


def test_the_parts_of_a_game() -> None:
    game = anser.Game("fox-geese", rules="free")
    assert game == anser.Game("fox-geese", rules="free")
    assert game != anser.Game("fox-geese", rules="forward")
    assert game != "fox-geese"
    assert len({game, anser.Game("fox-geese")}) == 1
    assert repr(game) == "Game('fox-geese', rules='free')"
    assert game.sides == ["fox", "geese"]
    assert game.outcomes == {1: "fox", 0: "draw", -1: "geese"}
    assert game.layers == range(1, 32)
    assert game.layer_unit == "geese"
    assert game.symmetries == 8
    assert pickle.loads(pickle.dumps(game)) == game


def test_positions_are_read_and_written() -> None:
    game = anser.Game("fox-geese")
    position = game.position(OPENING)
    assert str(position) == OPENING
    assert repr(position) == f"Position('{OPENING}')"
    assert position == game.opening("13") == game.start
    assert position != game.opening("15")
    assert position != OPENING
    assert len({position, game.start, game.opening("15")}) == 2
    assert (position.to_move, position.layer, position.is_over) == ("fox", 13, False)
    assert (position.outcome, position.ending) == (None, None)
    assert pickle.loads(pickle.dumps(position)) == position
    assert position.diagram().count("g") == 14  # 13 geese, and the name of a column


def test_malformed_positions_have_their_column() -> None:
    game = anser.Game("fox-geese")
    with pytest.raises(anser.InvalidPosition, match="column 14") as raised:
        game.position("3/3/7/3F3/gggxggg/ggg/ggg f")
    assert isinstance(raised.value, ValueError)
    assert (raised.value.column, raised.value.index) == (14, None)
    assert raised.value.example == OPENING
    again = pickle.loads(pickle.dumps(raised.value))
    assert (str(again), again.column) == (str(raised.value), 14)
    for text in ["", "é", "\0", " " * 1000, OPENING + "x"]:
        with pytest.raises(anser.InvalidPosition):
            game.position(text)
    with pytest.raises(TypeError):
        game.position(7)  # type: ignore[arg-type]


def test_moves() -> None:
    position = anser.Game("fox-geese").start
    assert position.moves() == ["d4-c4", "d4-e4", "d4-c5", "d4-d5", "d4-e5"]
    after = position.play("d4-d5")
    assert (after.to_move, str(after)) == ("geese", "3/3/3F3/7/ggggggg/ggg/ggg g")
    assert position.ends("d4-d5") is None
    for move in ["d4-d6", "", "d5-d6"]:
        with pytest.raises(anser.InvalidMove) as raised:
            position.play(move)
        assert raised.value.column is not None
        with pytest.raises(anser.InvalidMove):
            position.ends(move)


def test_moves_that_end_the_game() -> None:
    game = anser.Game("fox-geese", rules="first-capture")
    position = game.position("3/3/3g3/3F3/3gg2/1g1/1g1 f")
    assert position.ends("d4xd6") == "fox"
    after = position.play("d4xd6")
    assert str(after) == "3/1F1/7/7/3gg2/1g1/1g1 g"
    assert (after.is_over, after.outcome, after.ending) == (True, "fox", "first capture")
    assert after.moves() == []
    with pytest.raises(anser.InvalidMove, match="over"):
        after.play("d3-d4")
    # Read alone, the same arrangement is still in play.
    alone = game.position(str(after))
    assert (alone.is_over, alone == after, alone.moves() == []) == (False, False, False)
    assert copy.deepcopy(after) == pickle.loads(pickle.dumps(after)) == after
    with anser.open_tables(game) as tables:
        assert tables.probe(after) == tables.get(after) == anser.Value("fox", 0)
        assert tables.probe_moves(after) == []
        with pytest.raises(anser.InvalidArgument, match="the game is over"):
            tables.probe_many([after])
    trapped = game.position("gFg/1g1/3g3/7/7/3/3 f")
    assert (trapped.is_over, trapped.outcome, trapped.moves()) == (True, "geese", [])
    assert trapped.ending
    hexapawn = anser.Game("hexapawn:3x3")
    assert hexapawn.position("p2/1P1/3 w").ends("b2-b3") == "white"


@pytest.mark.parametrize("name", anser.games())
def test_pictures(name: str) -> None:
    position = anser.Game(name).start
    picture = ElementTree.fromstring(position.svg())
    assert picture.tag.endswith("svg")
    assert position._repr_svg_() == position.svg()
    pieces = [text.text for text in picture.iter() if text.tag.endswith("text")]
    letters = [letter for letter in str(position).split()[0] if letter.isalpha()]
    if name == "hare-hounds":
        letters = ["h", "h", "h", "R"]
    assert all(pieces.count(letter) >= letters.count(letter) for letter in letters)


def test_counts() -> None:
    game = anser.Game("fox-geese")
    assert game.count(6) == 59_808_672
    assert game.count(6, "fox") + game.count(6, "geese") == game.count(6)
    assert sum(game.count(layer) for layer in game.layers) == 283_467_841_404
    hare = anser.Game("hare-hounds")
    assert hare.count(hare.start.layer) % 2_640 == 0
    with pytest.raises(anser.InvalidArgument, match="layers 1 to 31"):
        game.count(32)
    with pytest.raises(anser.InvalidArgument, match="geese"):
        game.count(6, "hounds")
    with pytest.raises(OverflowError):
        game.count(-1)
