#!/usr/bin/env python3
"""Solves Bagh-Chal with distances, for each number of goats that the tigers have to take, asks what
only whole tables tell, and writes what is kept of it.

    scripts/bagh-chal.py [--anser PROGRAM] [--memory SIZE] [--out OUT] DIR

Under each of the rule sets one, two, three, four, and all (twenty goats), and finally under the
default one, with five goats: solves all distances (under all only the outcomes) into DIR/raw, and
asks for the values of the first moves and, unless they draw, for a line of best play. Under the
default rule set it also asks for the values of all replies to them, and in each layer for the census
and the longest wins, and in layers without goats in hand, where both sides have to step, for the
zugzwangs.

Every answer is kept in DIR/answers. If the script is interrupted, run it again: it resumes. It
removes the tables of a rule set before it solves the next, so the disk needs 36 GiB; those of the
default rule set stay. It ends with an error if their digests are not those of bagh-chal.csv. Writes

    bagh-chal-captures.csv   who wins with best play, and how, by the number of goats to take
    bagh-chal-standard-dtw.json
                             first moves; by layer, side to move, and winner the histogram of
                             distances and the longest win with its line; zugzwangs and files

The first goes to data/results and the second to crates/anser-games/results; with --out both go to
OUT.
"""

import argparse
import csv
import json
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "data" / "results"
# The package that reads results of all layers cannot reach a directory outside itself.
OF_ALL_LAYERS = ROOT / "crates" / "anser-games" / "results"

parser = argparse.ArgumentParser(
    description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
)
parser.add_argument("--anser", default=ROOT / "target" / "release" / "anser", metavar="PROGRAM")
parser.add_argument("--memory", default="4GiB", metavar="SIZE")
parser.add_argument("--out", type=Path, metavar="OUT")
parser.add_argument("dir", type=Path, metavar="DIR")
options = parser.parse_args()
RAW, ANSWERS = options.dir / "raw", options.dir / "answers"

GOATS = 20
DEFAULT = "standard"
# By the number of goats that the tigers have to take.
RULE_SETS = {1: "one", 2: "two", 3: "three", 4: "four", GOATS: "all", 5: DEFAULT}
# Solved without distances, whose tables would take 103 GiB by their plan.
OUTCOMES = {"all"}


def run(rules, question, *arguments, text=None):
    """Runs the program under a rule set. Returns what it prints; its errors end the script."""
    command = [options.anser, question, "bagh-chal", "--rules", rules, "--tables", RAW, *arguments]
    output = subprocess.run(
        [str(part) for part in command], input=text, check=True, stdout=subprocess.PIPE, text=True
    )
    return output.stdout


def replace(path, text):
    """Writes a file at once or not at all."""
    part = path.with_name(path.name + ".part")
    part.write_text(text)
    part.rename(path)


def kept(name, ask):
    """Returns an answer, which is asked only if it has not been kept."""
    path = ANSWERS / f"{name}.json"
    if not path.exists():
        replace(path, json.dumps(ask()))
    return json.loads(path.read_text())


def solve(rules):
    """Solves a rule set, unless its tables are finished."""
    if not list(RAW.glob(f"bagh-chal.{rules}.*")):
        shutil.rmtree(RAW, ignore_errors=True)
    metric = "wdl" if rules in OUTCOMES else "dtw"
    run(rules, "solve", "--metric", metric, "--memory", options.memory)


def value(of):
    return {key: of[key] for key in ("outcome", "dtw")}


def moves(of):
    return [{"move": move["move"]} | value(move) for move in of["moves"]]


def start(goats, rules):
    """Returns what best play from the start does."""
    name = f"start.{rules}"
    if not (ANSWERS / f"{name}.json").exists():
        solve(rules)

    def ask():
        probe = json.loads(run(rules, "probe", "--json"))
        # A draw has no end to play to.
        line = json.loads(run(rules, "line", "--json")) if probe["dtw"] is not None else None
        return {"line": line, "probe": probe}

    found = kept(name, ask)
    result = {"rules": rules, "goats": goats} | value(found["probe"])
    result["line"] = spelled(found["line"]["line"]) if found["line"] else ""
    return result | {"first_moves": moves(found["probe"])}


def opening(found):
    """Returns where play starts, in the form of the kept openings of Fox-and-Geese."""
    probe = json.loads((ANSWERS / f"start.{DEFAULT}.json").read_text())["probe"]
    where = {"opening": "start", "position": probe["position"], "to_move": probe["to_move"]}
    return where | value(found) | {"line": found["line"]}


def spelled(line):
    return " ".join(ply["move"] for ply in line)


def replies():
    """Returns the values of the replies to each first move, by first move."""

    def ask():
        found = json.loads((ANSWERS / f"start.{DEFAULT}.json").read_text())
        after = [move["position"] for move in found["probe"]["moves"]]
        text = run(DEFAULT, "probe", "--batch", "-", "--moves", text="\n".join([*after, ""]))
        return [json.loads(line) for line in text.splitlines()]

    return [moves(answer) for answer in kept("replies", ask)]


def layer_result(layer, table, count):
    """Returns what is kept of a layer of the default rule set."""

    def ask(question, *arguments):
        def answer():
            here = f"{layer}-{layer}"
            text = run(DEFAULT, question, "--layers", here, *arguments, "--json")
            return json.loads(text)["layers"][0]

        return kept(f"{question}.{layer:03}", answer)

    census = ask("census")
    hardest = ask("hardest", "--list", 1)

    def longest(win):
        """A longest win, with one position and its line."""
        example = win["examples"][0]
        found = {key: win[key] for key in ("outcome", "dtw", "positions", "classes")}
        found["position"] = example["position"]
        return found | {"line": spelled(example["line"])}

    def kind(found):
        result = {key: found[key] for key in ("kind", "to_move", "positions")}
        some = [example["position"] for example in found["examples"]]
        return result | {"position": some[0] if some else None}

    wins = {side: [longest(win) for win in of] for side, of in hardest["to_move"].items()}
    captured, on_board = int(count["captured"]), int(count["on_board"])
    result = {"layer": layer, "on_board": on_board, "captured": captured}
    result |= census | {"longest": wins}
    if on_board + captured == GOATS:
        result["zugzwangs"] = [kind(it) for it in ask("zugzwang", "--list", 3)["kinds"]]
    file, entry = table
    made = entry["run"]
    result["table"] = {
        "file": file,
        "bytes": entry["bytes"],
        "blake3": entry["payload_blake3"],
        "rounds": made["rounds"],
        "seconds": round(made["seconds"], 1),
        "threads": made["threads"],
    }
    return result


def tables():
    """Returns the tables of the default rule set by layer: name and entry of the manifest."""
    manifest = json.loads((RAW / f"bagh-chal.{DEFAULT}.manifest.json").read_text())

    def layer(name):
        return int(name.split(".L")[1].split(".")[0])

    found = {layer(name): (name, entry) for name, entry in manifest["tables"].items()}
    return dict(sorted(found.items()))


def counts():
    """Returns a line of the counts that are kept by layer."""
    with open(RESULTS / "bagh-chal.csv", newline="") as file:
        return {int(row["layer"]): row for row in csv.DictReader(file)}


def main():
    ANSWERS.mkdir(parents=True, exist_ok=True)
    starts = [start(goats, rules) for goats, rules in RULE_SETS.items()]
    rows = [["rules", "goats", "outcome", "plies", "line"]]
    by_goats = sorted(starts, key=lambda it: it["goats"])
    rows += [[it["rules"], it["goats"], it["outcome"], it["dtw"], it["line"]] for it in by_goats]
    lines = [",".join("" if cell is None else str(cell) for cell in row) + "\n" for row in rows]
    pages, data = (options.out, options.out) if options.out else (RESULTS, OF_ALL_LAYERS)
    pages.mkdir(parents=True, exist_ok=True)
    replace(pages / "bagh-chal-captures.csv", "".join(lines))

    for move, of in zip(starts[-1]["first_moves"], replies()):
        move["replies"] = of
    found, expected = tables(), counts()
    digests = {layer: entry["payload_blake3"] for layer, (_, entry) in found.items()}
    if digests != {layer: row["raw_blake3"] for layer, row in expected.items()}:
        sys.exit("scripts/bagh-chal.py: the digests of the tables are not those of bagh-chal.csv")
    layers = [layer_result(layer, table, expected[layer]) for layer, table in found.items()]
    answer = {"game": "bagh-chal", "rules": DEFAULT, "openings": [opening(starts[-1])]}
    answer |= {"captures": starts, "layers": layers}
    # One line for each rule set and each layer.
    text = json.dumps(answer | {"captures": ["@1"], "layers": ["@2"]}, separators=(",", ":"))
    for mark, of in (('"@1"', starts), ('"@2"', layers)):
        body = ",\n".join(json.dumps(it, separators=(",", ":")) for it in of)
        text = text.replace(mark, f"\n{body}\n")
    replace(data / f"bagh-chal-{DEFAULT}-dtw.json", text + "\n")


if __name__ == "__main__":
    main()
