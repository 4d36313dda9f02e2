"""The examples of the README, the guide, the docstrings, and the notebook are run.

With ANSER_NOTEBOOK=update the notebook is written with the output that it has now.
"""

import doctest
import importlib
import os
import re
from pathlib import Path

import pytest
from conftest import REPOSITORY

OPTIONS = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL
NOTEBOOK = REPOSITORY / "docs/python.ipynb"


def run(text: str, name: str) -> None:
    test = doctest.DocTestParser().get_doctest(text, {}, name, name, 0)
    assert test.examples
    failed, _ = doctest.DocTestRunner(optionflags=OPTIONS).run(test)
    assert failed == 0


def test_the_readme() -> None:
    text = (REPOSITORY / "README.md").read_text()
    blocks = re.findall(r"```pycon\n(.*?)```", text, re.DOTALL)
    assert blocks
    run("\n\n".join(blocks), "README.md")


def test_the_guide() -> None:
    pytest.importorskip("pyspiel")
    pytest.importorskip("pettingzoo")
    text = (REPOSITORY / "docs/python.md").read_text()
    blocks = re.findall(r"```pycon\n(.*?)```", text, re.DOTALL)
    assert len(blocks) > 8
    run("\n\n".join(blocks), "docs/python.md")


@pytest.mark.parametrize("name", ["anser", "anser.openspiel", "anser.pettingzoo", "anser.grading"])
def test_docstrings(name: str) -> None:
    for needed in {"anser.openspiel": ["pyspiel"], "anser.pettingzoo": ["pettingzoo"]}.get(name, []):
        pytest.importorskip(needed)
    run(importlib.import_module(name).__doc__ or "", name)


def test_everything_has_a_docstring() -> None:
    anser = importlib.import_module("anser")
    for name in set(anser.__all__) - {"__version__"}:
        item = getattr(anser, name)
        if not isinstance(item, int):
            assert item.__doc__, name
        if isinstance(item, type):
            members = {key: member for key, member in vars(item).items() if not key.startswith("_")}
            assert all(member.__doc__ for member in members.values() if callable(member)), name


def test_the_notebook(tmp_path: Path) -> None:
    """It runs, and its text is the one in the file."""
    pytest.importorskip("pyspiel")
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    kept = nbformat.read(NOTEBOOK, as_version=4)
    fresh = nbformat.read(NOTEBOOK, as_version=4)
    nbclient.NotebookClient(
        fresh,
        timeout=300,
        kernel_name="python3",
        coalesce_streams=True,
        resources={"metadata": {"path": str(tmp_path)}},
    ).execute()

    def texts(notebook: object) -> list[str]:
        found = []
        for cell in notebook.cells:  # type: ignore[attr-defined]
            for output in cell.get("outputs", []):
                found.append(output.get("text") or output.get("data", {}).get("text/plain", ""))
        return found

    if os.environ.get("ANSER_NOTEBOOK") == "update":
        for cell in fresh.cells:
            cell.get("metadata", {}).pop("execution", None)
        fresh.metadata.pop("language_info", None)
        nbformat.write(fresh, NOTEBOOK)
        return
    assert texts(fresh) == texts(kept)
