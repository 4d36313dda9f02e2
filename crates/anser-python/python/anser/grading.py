"""Grades of players against exact values: how often a choice gives the outcome away.

>>> import anser
>>> from anser.grading import grade, reachable
>>> game = anser.Game("hexapawn:3x3")
>>> solution = anser.solve(game)
>>> positions = reachable(game)
>>> grade(solution, positions, lambda position: position.moves()[0])
Grade(decisions=27, wrong=11)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from . import Game, Position, Values


@dataclass(frozen=True)
class Grade:
    """The choices of a player, on positions where the choice matters."""

    decisions: int
    """Number of positions in which some moves keep the outcome and some give it away."""
    wrong: int
    """Number of those in which the chosen move gives it away."""

    @property
    def error_rate(self) -> float:
        """Share of decisions that were wrong; 0 if there are none."""
        return self.wrong / self.decisions if self.decisions else 0.0


def reachable(game: Game) -> list[Position]:
    """Returns the positions that play from the start can reach, the start included, in the order of a
    breadth-first search, without those after a move that itself ends the game. For small games."""
    found, queue = {game.start}, [game.start]
    for position in queue:
        for move in position.moves():
            after = position.play(move)
            # A position that differs when it is read alone is over because of the move.
            if after == game.position(str(after)) and after not in found:
                found.add(after)
                queue.append(after)
    return queue


def grade(
    values: Values,
    positions: Iterable[Position],
    choose: Callable[[Position], str],
) -> Grade:
    """Grades the moves that `choose` returns. It is called for positions where the choice matters.

    Raises as `Values.probe`, anser.MissingLayer also if a move has no value, and anser.InvalidMove if
    `choose` returns an illegal move.
    """
    decisions = wrong = 0
    for position in positions:
        moves = values.probe_moves(position)
        for rated in moves:
            if rated.outcome is None:
                values.probe(rated.position)
        # The best moves come first.
        if not moves or all(rated.outcome == moves[0].outcome for rated in moves):
            continue
        chosen = choose(position)
        position.ends(chosen)
        decisions += 1
        wrong += next(rated.outcome for rated in moves if rated.move == chosen) != moves[0].outcome
    return Grade(decisions, wrong)
