"""Complete solutions of Fox-and-Geese and other hunt games.

>>> import anser
>>> game = anser.Game("fox-geese", rules="free")
>>> position = game.position("3/3/7/3F3/3gg2/1g1/1g1 f")
>>> with anser.open_tables(game) as tables:
...     tables.probe(position)
Value(outcome='draw', plies=None)

Exceptions are a tree below `AnserError`; each is also a built-in exception, such as ValueError.
Sides are called by their names, distances are in plies. Arrays are those of NumPy.
"""

from ._anser import (
    DRAW,
    FIRST,
    NO_PLIES,
    SECOND,
    UNKNOWN,
    Game,
    LayerChunk,
    LayerChunks,
    Line,
    Player,
    Position,
    RatedMove,
    Solution,
    State,
    Tables,
    Value,
    Values,
    __version__,
    games,
    open_tables,
    rule_sets,
    solve,
    solve_to,
)
from ._errors import (
    AnserError,
    CorruptTable,
    InvalidArgument,
    InvalidDescription,
    InvalidMove,
    InvalidPosition,
    MissingLayer,
    NotEnoughMemory,
    SolveError,
    UnreadableTable,
    UnsolvedPosition,
)

__all__ = [
    "DRAW",
    "FIRST",
    "NO_PLIES",
    "SECOND",
    "UNKNOWN",
    "AnserError",
    "CorruptTable",
    "Game",
    "InvalidArgument",
    "InvalidDescription",
    "InvalidMove",
    "InvalidPosition",
    "LayerChunk",
    "LayerChunks",
    "Line",
    "MissingLayer",
    "NotEnoughMemory",
    "Player",
    "Position",
    "RatedMove",
    "Solution",
    "SolveError",
    "State",
    "Tables",
    "UnreadableTable",
    "UnsolvedPosition",
    "Value",
    "Values",
    "__version__",
    "games",
    "open_tables",
    "rule_sets",
    "solve",
    "solve_to",
]
