#!/usr/bin/env python3
"""Solves the lowest layers of Asalto with distances, verifies them, and writes what is kept of them.

    scripts/asalto.py [--anser PROGRAM] [--memory SIZE] [--layers LAST] [--out OUT] DIR

Solves layers 1 to LAST, at most those of each rule set below, into DIR and recomputes every value.
A finished layer is not solved again. Writes

    asalto.csv   by rule set, layer, and side to move: classes of the layer, positions by outcome,
                 the longest wins in plies, and the digest of the raw table of distances

to data/results, or to OUT. Layer 10 takes 39 GiB of memory, or as much in scratch files beyond
--memory; layer 9 takes 18 GiB. The tables of standard+all take 30 GiB of disk. The program asks for
more disk, because it does not know beforehand how long the wins are. Ranks of several machines can
solve layers beforehand (docs/cluster.md).
"""

import argparse
import csv
import json
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

parser = argparse.ArgumentParser(
    description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
)
parser.add_argument("--anser", default=ROOT / "target" / "release" / "anser", metavar="PROGRAM")
parser.add_argument("--memory", default="16GiB", metavar="SIZE")
parser.add_argument("--layers", type=int, default=10, metavar="LAST")
parser.add_argument("--out", type=Path, default=ROOT / "data" / "results", metavar="OUT")
parser.add_argument("dir", type=Path, metavar="DIR")
options = parser.parse_args()

# The last layer of each.
RULE_SETS = {"standard+all": 10, "standard+all+compulsory": 7, "approach+all": 9}
HEAD = (
    "rules,soldiers,classes,to_move,officers,draw,soldiers_win,longest_officers,longest_soldiers,"
    "raw_blake3"
)


def run(question, rules, *arguments):
    """Runs the program under a rule set. Returns what it prints; its errors end the script."""
    command = [options.anser, question, "asalto", "--rules", rules, "--tables", options.dir]
    command = [str(part) for part in [*command, *arguments]]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def rows(rules):
    """Returns the rows of a rule set, which it solves and verifies."""
    last = min(options.layers, RULE_SETS[rules])
    layers = f"1-{last}"
    run("solve", rules, "--layers", layers, "--metric", "dtw", "--memory", options.memory)
    run("verify", rules, "--full")
    found = json.loads(run("stats", rules, "--json"))
    for layer in found["layers"][:last]:
        for side, outcomes in layer["to_move"].items():
            longest = layer["longest"][side]
            yield [
                *(rules, layer["layer"], layer["classes"], side),
                *(outcomes[key] for key in ("officers", "draw", "soldiers")),
                *(longest[key] for key in ("officers", "soldiers")),
                layer["dtw"]["blake3"],
            ]


def main():
    options.dir.mkdir(parents=True, exist_ok=True)
    found = [row for rules in RULE_SETS for row in rows(rules)]
    with open(options.out / "asalto.csv", "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(HEAD.split(","))
        writer.writerows(found)


if __name__ == "__main__":
    main()
