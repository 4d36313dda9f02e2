"""Tables and programs that several tests need."""

import os
import shutil
from pathlib import Path
from typing import Literal

import anser
import pytest

REPOSITORY = Path(__file__).parents[3]
DISTANCES: list[Literal["wdl", "dtw"]] = ["wdl", "dtw"]


@pytest.fixture(scope="session")
def raw(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Raw tables of outcomes and distances: Fox-and-Geese up to 5 geese, and all small games."""
    directory = tmp_path_factory.mktemp("raw")
    anser.solve_to(directory, anser.Game("fox-geese"), layers=(1, 5), metrics=DISTANCES)
    for name in ["fox-hounds:6", "hasenspiel", "hare-hounds", "hexapawn:4x4"]:
        anser.solve_to(directory, anser.Game(name), metrics=DISTANCES)
    return directory


@pytest.fixture(scope="session")
def packed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Packed tables of Fox-and-Geese up to 5 geese."""
    directory = tmp_path_factory.mktemp("packed")
    game = anser.Game("fox-geese")
    anser.solve_to(directory, game, layers=(1, 5), metrics=DISTANCES, packed=True)
    return directory


@pytest.fixture(scope="session")
def command() -> Path:
    """The command line, which answers the same questions."""
    found = os.environ.get("ANSER_BINARY") or shutil.which("anser")
    if found is None:
        pytest.skip("ANSER_BINARY names the command line")
    return Path(found)
