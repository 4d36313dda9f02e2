#!/usr/bin/env python3
"""Solves the games of printed sources, and writes who wins where play starts.

    scripts/catalogue.py [--anser PROGRAM] [--memory SIZE] [--packed] [--seconds MOST] [--out OUT]
                         [GAME...] DIR

Solves every rule set of the games (default: all with a source), those first that take least by the
estimate of `anser solve --dry-run`, up to MOST seconds each (default: 60). Tables of distances go to
DIR/GAME.RULES, which is removed once the value is known. With --packed, layers are packed as they are
solved: that takes less disk and more time. Writes

    games.csv   by game and rule set: positions of all layers, the position where play starts, the
                side to move, who wins with best play, and after how many plies; no plies if nobody
                does, and if no end can be forced

to crates/anser-games/results, or to OUT. Rows that are there are kept, so the same command resumes.
"""

import argparse
import csv
import json
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HEAD = ["game", "rules", "positions", "position", "to_move", "outcome", "plies"]

parser = argparse.ArgumentParser(
    description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
)
parser.add_argument("--anser", default=ROOT / "target" / "release" / "anser", metavar="PROGRAM")
parser.add_argument("--memory", metavar="SIZE")
parser.add_argument("--packed", action="store_true")
parser.add_argument("--seconds", type=float, default=60, metavar="MOST")
parser.add_argument("--out", type=Path, default=ROOT / "crates" / "anser-games" / "results", metavar="OUT")
parser.add_argument("games", nargs="*", metavar="GAME")
parser.add_argument("dir", type=Path, metavar="DIR")
options = parser.parse_args()


def run(*arguments):
    """Runs the program. Returns what it prints; its errors end the script."""
    command = [str(part) for part in [options.anser, *arguments]]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def tables_of(game, rules):
    """Returns the directory of the tables of a rule set."""
    return options.dir / f"{game}.{rules}"


def solve(game, rules, *arguments):
    """Solves a rule set with distances, or estimates that."""
    how = ["--memory", options.memory] if options.memory else []
    how += ["--packed"] if options.packed else []
    tables = ["--metric", "dtw", "--tables", tables_of(game, rules)]
    return run("solve", game, "--rules", rules, *tables, *how, *arguments)


def estimate(game, rules):
    """Returns the seconds that a rule set is estimated to take; endless if it does not fit."""
    try:
        return json.loads(solve(game, rules, "--dry-run", "--json"))["seconds"]
    except subprocess.CalledProcessError:
        return float("inf")


def row(game, rules):
    """Returns the row of a rule set, which is solved for it."""
    solve(game, rules)
    tables = tables_of(game, rules)
    questions = ["--rules", rules, "--tables", tables, "--json"]
    found = json.loads(run("probe", game, *questions))
    layers = json.loads(run("stats", game, *questions))["layers"]
    shutil.rmtree(tables)
    values = (found[key] for key in ("position", "to_move", "outcome", "dtw"))
    return [game, rules, sum(layer["positions"] for layer in layers), *values]


def main():
    """Adds the rows that are not there."""
    listed = json.loads(run("games", "--json"))["games"]
    order = [
        (game["game"], rules)
        for game in listed
        if game["source"]
        for rules in game["rule_sets"]
    ]
    path = options.out / "games.csv"
    rows = {}
    if path.exists():
        with open(path, newline="") as file:
            found = {(row[0], row[1]): row for row in list(csv.reader(file))[1:]}
        rows = {of: found[of] for of in order if of in found}
    wanted = options.games or {game for game, _ in order}
    open_sets = [of for of in order if of not in rows and of[0] in wanted]
    plans = sorted((estimate(*of), of) for of in open_sets)
    for seconds, of in plans:
        if seconds > options.seconds:
            print(f"left out: {' '.join(of)}, about {seconds:.0f} s", file=sys.stderr)
            continue
        print(*of, file=sys.stderr, flush=True)
        rows[of] = row(*of)
        # At every moment there is a complete file.
        new = path.with_suffix(".new")
        with open(new, "w", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(HEAD)
            writer.writerows(rows[of] for of in order if of in rows)
        new.replace(path)


if __name__ == "__main__":
    main()
