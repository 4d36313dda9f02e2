"""The same answers as the command line, on thousands of positions of all games."""

import json
import subprocess
from pathlib import Path

import anser
import pytest

SAMPLES = {
    "fox-geese": range(4, 6),
    "fox-hounds:6": None,
    "hasenspiel": None,
    "hare-hounds": None,
    "hexapawn:4x4": None,
}


def ask(command: Path, *arguments: str, text: str = "", directory: Path | None = None) -> str:
    run = subprocess.run(
        [command, *arguments], input=text, capture_output=True, text=True, check=True, cwd=directory
    )
    return run.stdout


@pytest.mark.parametrize("name", SAMPLES)
def test_probes(command: Path, raw: Path, name: str) -> None:
    game = anser.Game(name)
    tables = anser.open_tables(game, [raw], shipped=False)
    layers = SAMPLES[name] or tables.layers
    each = 4_000 // len(layers)
    codes = [game.sample(layer, each, seed=layer) for layer in layers]
    positions = [position for of_layer in codes for position in game.decode(of_layer)]
    text = "".join(f"{position}\n" for position in positions)
    words = ["probe", "--game", name, "--tables", str(raw), "--moves", "--batch", "-"]
    lines = ask(command, *words, text=text)
    answers = [json.loads(line) for line in lines.splitlines()]
    outcomes, plies = tables.probe_many(positions)
    assert len(answers) == len(positions)
    for position, answer, outcome, distance in zip(positions, answers, outcomes, plies):
        assert answer["position"] == str(position)
        assert answer["to_move"] == position.to_move
        assert answer["outcome"] == game.outcomes[int(outcome)]
        assert answer["dtw"] == (None if distance == anser.NO_PLIES else int(distance))
        moves = [(rated.move, rated.outcome, rated.plies) for rated in tables.probe_moves(position)]
        assert [(rated["move"], rated["outcome"], rated["dtw"]) for rated in answer["moves"]] == moves


@pytest.mark.parametrize("rules", ["free", "forward", "first-capture"])
def test_shipped_tables(command: Path, tmp_path: Path, rules: str) -> None:
    game = anser.Game("fox-geese", rules=rules)
    codes = [game.sample(layer, 500) for layer in range(1, 8)]
    positions = [position for of_layer in codes for position in game.decode(of_layer)]
    text = "".join(f"{position}\n" for position in positions)
    lines = ask(command, "probe", "--rules", rules, "--batch", "-", text=text, directory=tmp_path)
    answers = [json.loads(line) for line in lines.splitlines()]
    outcomes, plies = anser.open_tables(game).probe_many(positions)
    names = [game.outcomes[int(outcome)] for outcome in outcomes]
    assert [answer["outcome"] for answer in answers] == names
    distances = [None if number < 0 else int(number) for number in plies]
    assert [answer["dtw"] for answer in answers] == distances


@pytest.mark.parametrize("name", ["hasenspiel", "fox-hounds:8", "hexapawn:4x4"])
def test_lines(command: Path, name: str) -> None:
    game = anser.Game(name)
    answer = json.loads(ask(command, "line", name, "--json"))
    line = anser.solve(game, game.start).line(game.start)
    assert [(ply["side"], ply["move"], ply["outcome"], ply["dtw"]) for ply in answer["line"]] == [
        (rated.side, rated.move, rated.outcome, rated.plies) for rated in line
    ]
    assert (answer["outcome"], answer["dtw"]) == (line.value.outcome, line.value.plies)
    assert (answer["end"], answer["repeats_from"]) == (line.end, line.repeats_from)


def test_games(command: Path) -> None:
    for about in json.loads(ask(command, "games", "--json"))["games"]:
        game = anser.Game(about["game"])
        assert game.layers == range(about["first_layer"], about["last_layer"] + 1)
        assert (game.rules, game.layer_unit) == (about["default_rules"], about["layer_unit"])
        assert [opening["opening"] for opening in about["openings"]] == game.openings
        assert set(anser.rule_sets(about["game"])) == set(about["rule_sets"])
