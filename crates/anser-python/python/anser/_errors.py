"""Exceptions. Each has attributes for programs, and a message that says what to do next."""

from __future__ import annotations

from collections.abc import Sequence


class AnserError(Exception):
    """Base of all exceptions of this package."""

    def __str__(self) -> str:
        # KeyError would show the message in quotes.
        return str(self.args[0]) if self.args else ""


class InvalidArgument(AnserError, ValueError):
    """A name, layer, or setting that does not exist."""


class InvalidDescription(AnserError, ValueError):
    """A file or text that does not describe a game, or cannot be read."""

    line: int | None
    """Line of the mistake, from 1; None if it has no place."""
    column: int | None
    """Column of the mistake, from 1."""

    def __init__(self, message: str, *, line: int | None = None, column: int | None = None) -> None:
        super().__init__(message)
        self.line = line
        self.column = column


class _Malformed(AnserError, ValueError):
    """A text that is not in the notation of the game."""

    column: int | None
    """Column of the mistake, from 1; None if the input was not a text."""
    example: str | None
    """A valid text."""
    index: int | None
    """Index of the position in a batch, from 0; None outside a batch."""

    def __init__(
        self,
        message: str,
        *,
        column: int | None = None,
        example: str | None = None,
        index: int | None = None,
    ) -> None:
        super().__init__(message)
        self.column = column
        self.example = example
        self.index = index


class InvalidPosition(_Malformed):
    """A text or code that is not a position of the game."""


class InvalidMove(_Malformed):
    """A text that is not a legal move of the position, or a move that no position follows."""


class MissingLayer(AnserError, KeyError):
    """A layer that the answer needs has no table."""

    game: str
    """Name of the game."""
    rules: str
    """Id of the rule set."""
    layer: int
    """The layer."""
    metric: str
    """`wdl`, or `dtw` if distances were needed."""
    searched: list[str]
    """The places that were searched, in order."""
    command: str
    """The call that solves the layer and what it depends on."""

    def __init__(
        self,
        message: str,
        *,
        game: str = "",
        rules: str = "",
        layer: int = 0,
        metric: str = "wdl",
        searched: Sequence[str] = (),
        command: str = "",
    ) -> None:
        super().__init__(message)
        self.game = game
        self.rules = rules
        self.layer = layer
        self.metric = metric
        self.searched = list(searched)
        self.command = command


class UnsolvedPosition(AnserError, KeyError):
    """The position is not part of the solution."""


class _TableProblem(AnserError, OSError):
    """A file or directory of tables that cannot be used."""

    path: str
    """The file or directory."""

    def __init__(self, message: str, *, path: str = "") -> None:
        super().__init__(message)
        self.path = path


class CorruptTable(_TableProblem):
    """A table is damaged, unfinished, of another game, or of an unknown version."""


class UnreadableTable(_TableProblem):
    """A file or directory cannot be read, or was changed while it was open."""


class SolveError(AnserError, RuntimeError):
    """Solving failed."""


class NotEnoughMemory(SolveError, MemoryError):
    """The work needs more memory than is allowed or available."""
