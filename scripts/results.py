#!/usr/bin/env python3
"""Writes the data files of full runs of Fox-and-Geese from the tables that `anser` finds.

    ANSER_TABLES=RAW:PACKED scripts/results.py [--anser PROGRAM] [--out DIR] [RULES...]

For each rule set (default: free, first-capture, forward), if there are tables of it:

    fox-geese-RULES.json   the answer of `anser stats --json`, one layer per line
    openings-RULES.csv     the answer of `anser probe --batch` to the positions of
                           data/results/openings.csv whose layer has a table

The first goes to crates/anser-games/results, the second to data/results; with --out both
go to DIR. Tables are only read. Equal tables give equal files.
"""

import argparse
import json
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "data" / "results"
COUNTS = ROOT / "crates" / "anser-games" / "results"

parser = argparse.ArgumentParser(
    description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
)
parser.add_argument("--anser", default=ROOT / "target" / "release" / "anser", metavar="PROGRAM")
parser.add_argument("--out", type=Path, metavar="DIR")
parser.add_argument(
    "rules", nargs="*", default=["free", "first-capture", "forward"], metavar="RULES"
)
options = parser.parse_args()


def anser(*arguments, text=None):
    """Returns what the program prints; its errors end the script."""
    command = [options.anser, *arguments]
    return subprocess.run(
        command, input=text, stdout=subprocess.PIPE, universal_newlines=True, check=True
    ).stdout


def write(directory, name, text):
    path = (options.out or directory) / name
    path.write_text(text, encoding="utf-8")
    print(path)


for rules in options.rules:
    stats = json.loads(anser("stats", "fox-geese", "--rules", rules, "--json"))
    lines = ",\n".join("    " + json.dumps(layer) for layer in stats["layers"])
    head = '{\n  "game": "%s",\n  "rules": "%s",\n  "layers": [\n' % (stats["game"], stats["rules"])
    write(COUNTS, "fox-geese-%s.json" % rules, head + lines + "\n  ]\n}\n")

    layers = {layer["layer"] for layer in stats["layers"]}
    columns, *openings = (RESULTS / "openings.csv").read_text(encoding="utf-8").splitlines()
    found = [line for line in openings if line.split(",")[1].split()[0].count("g") in layers]
    answer = anser(
        "probe",
        "--batch",
        "-",
        "--format",
        "csv",
        "--rules",
        rules,
        text="\n".join([columns, *found, ""]),
    )
    write(RESULTS, "openings-%s.csv" % rules, answer)
