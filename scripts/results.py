#!/usr/bin/env python3
"""Write the pages and files of data/results from what the command line tool says of finished tables.

    results.py --tables free=DIR --tables free=DIR --tables first-capture=DIR ... --machine TEXT [--note RULES=TEXT]
               [--anser PROGRAM] [--out DIR]

A rule set may have several directories, raw and packed tables together. Any layers will do: what is not there is left
out, and the pages say so. Tables are only read. The files come out the same if the tables and the options are the same.

    fox-geese-RULES.json   what `anser stats --json` says, a layer a line
    fox-geese-RULES.md     the same for reading, with totals
    openings.json, .md     the classic openings, the balance of each layer, openings filled rank by rank
    paper.md               the counts beside Table 1 of the paper

Everything that the tool says is checked before it is written: the number of positions of each layer against the
formula, the counts against what the symmetry of the board allows, the rule sets against each other. A contradiction
ends the program with an error, and nothing is written. It needs Python 3.8 and nothing else.
"""
import argparse
import csv
import json
import math
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAPER = ROOT / "crates" / "anser-reproduce" / "data" / "fox-geese-table1.csv"
GAME = "fox-geese"
SIDES = ("fox", "geese")
OUTCOMES = ("fox", "draw", "geese")
ALL_LAYERS = range(1, 32)

# The rule sets, in the order of all pages, with what they mean.
MEANING = {
    "free": "Geese step in any direction. The fox may capture one goose a turn by jumping over it; it never has to.",
    "first-capture": "Geese step in any direction. The fox wins with its first capture.",
    "forward": "Geese step sideways or toward rank 7, along the diagonals too, never backward. The fox may capture one "
               "goose a turn by jumping over it; it never has to.",
}
# Those that leave all eight symmetries to the board.
SYMMETRIC = ("free", "first-capture")

CLASSIC = [
    (13, "3/3/7/3F3/ggggggg/ggg/ggg"),
    (15, "3/3/7/g2F2g/ggggggg/ggg/ggg"),
    (17, "3/3/g5g/g2F2g/ggggggg/ggg/ggg"),
]

# Numbers of positions that Table 1 prints otherwise than the formula has them: geese to printed number.
PRINTED_STATES = {6: 59_808_675, 7: 222_146_996, 9: 1_851_200_800, 23: 1_851_200_800, 25: 222_146_996, 26: 59_808_675}
# Rows of the won column that are out of line with their neighbours under first-capture, with a number that has one
# digit in another place and is in line. The text of the page says what that is worth.
DIGIT_MOVED = {10: 130_372_402, 13: 10_690_156_790, 19: 12_858_372_114}
OUT_OF_LINE = (10, 13, 19, 30)


class Problem(Exception):
    """What the user is told."""


def need(condition, what):
    if not condition:
        raise Problem(what)


# ---- The tool ------------------------------------------------------------------------------------------------------

class Anser:
    """The command line tool, with the directories of each rule set."""

    def __init__(self, program, directories):
        self.program, self.directories = program, directories

    def __call__(self, *arguments, rules=None, text=None):
        """What the tool prints. Its notes are passed on, its errors end the program."""
        command = [self.program, *arguments]
        if rules:
            command += ["--rules", rules]
            for directory in self.directories[rules]:
                command += ["--tables", str(directory)]
        try:
            done = subprocess.run(command, input=text, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  universal_newlines=True)
        except OSError as error:
            raise Problem("%s does not run: %s; name the program with --anser" % (self.program, error))
        need(done.returncode == 0, "`%s` failed with status %d:\n%s"
             % (" ".join(command), done.returncode, done.stderr.strip()))
        sys.stderr.write(done.stderr)
        return done.stdout

    def json(self, *arguments, rules):
        text = self(*arguments, "--json", rules=rules)
        try:
            return json.loads(text)
        except ValueError as error:
            raise Problem("%s says what is not JSON: %s" % (arguments[0], error))

    def stats(self, rules):
        """What is known of the layers of a rule set, or None if there are no tables of it."""
        names = GAME + "." + rules + ".L*.wdl.anser"
        if not any(list(directory.glob(names)) + list(directory.glob(names + "z"))
                   for directory in self.directories[rules]):
            return None
        stats = self.json("stats", GAME, rules=rules)
        check(stats, rules)
        return stats

    def probe(self, rules, position):
        return self.json("probe", position, rules=rules)

    def outcomes(self, rules, positions):
        """The outcomes of many positions, in their order."""
        text = self("probe", "--batch", "-", rules=rules, text="".join(p + "\n" for p in positions))
        answers = [json.loads(line) for line in text.splitlines()]
        need([a.get("position") for a in answers] == positions, "probe --batch does not answer what it was asked")
        return [a["outcome"] for a in answers]


def check(stats, rules):
    """Compares what a stats answer says with what must hold."""
    need(stats["game"] == GAME and stats["rules"] == rules, "stats of %s are those of another game" % rules)
    for layer in stats["layers"]:
        geese = layer["layer"]
        where = "rules %s, layer %d: " % (rules, geese)
        half = 33 * math.comb(32, geese)
        need(layer["positions"] == 2 * half, where + "the number of positions is not that of the formula")
        for side in SIDES:
            counts = layer["to_move"][side]
            need(sum(counts[o] for o in OUTCOMES) == half,
                 where + "the counts with the %s to move do not add up" % side)
            if rules in SYMMETRIC:
                for outcome in OUTCOMES:
                    need(counts[outcome] % divisor(geese) == 0,
                         where + "the %s count with the %s to move breaks the symmetry" % (outcome, side))
            if geese < 4:
                need(counts["fox"] == half, where + "not all positions are the fox's")


def divisor(geese):
    """What a count over a layer must be divisible by if the rules have all eight symmetries; see paper.md."""
    return 4 if geese % 2 else 2 if geese % 4 else 1


def compare_rule_sets(known):
    """What geese win against a fox that wins by capturing, they win under free; what they win going forward, too."""
    layers = {rules: by_layer(stats) for rules, stats in known.items()}
    free = layers.get("free", {})
    for rules in ("first-capture", "forward"):
        for geese in sorted(set(free) & set(layers.get(rules, {}))):
            for side in SIDES:
                more, less = free[geese]["to_move"][side], layers[rules][geese]["to_move"][side]
                need(less["geese"] <= more["geese"],
                     "layer %d: geese win more under %s than under free" % (geese, rules))
                need(rules == "forward" or more["fox"] <= less["fox"],
                     "layer %d: the fox wins more under free than under %s" % (geese, rules))


def by_layer(stats):
    return {layer["layer"]: layer for layer in stats["layers"]}


def total(layer, outcome):
    """Positions with an outcome, whoever is to move."""
    return sum(layer["to_move"][side][outcome] for side in SIDES)


def count(layer, side, outcome):
    """The same for one side to move, or for both where `side` is None."""
    return total(layer, outcome) if side is None else layer["to_move"][side][outcome]


# ---- Writing -------------------------------------------------------------------------------------------------------

def grouped(number):
    return "-" if number is None else format(number, ",")


def size(length):
    """As the tool prints lengths of files."""
    if length is None:
        return "-"
    value, unit = float(length), "B"
    for unit in ("B", "KiB", "MiB", "GiB"):
        if value < 1024 or unit == "GiB":
            break
        value /= 1024
    return "%d B" % length if unit == "B" else ("%.1f %s" if value < 100 else "%.0f %s") % (value, unit)


def share(part, whole):
    """A percentage that is 0 or 100 only if it is that exactly, with two digits at least that tell it from these."""
    if part in (0, whole):
        return "0" if part == 0 else "100"
    percent = 100 * part / whole
    return "%.*f" % (max(2, 1 - math.floor(math.log10(min(percent, 100 - percent)))), percent)


def difference(ours, printed):
    """How far ours is from the printed number, with two digits that count."""
    if ours == printed:
        return "equal"
    if not printed:
        return "-"
    percent = 100 * (ours / printed - 1)
    return "%+.*f %%" % (max(2, 1 - math.floor(math.log10(abs(percent)))), percent)


def seconds(number):
    return "-" if number is None else "%.2f" % number if number < 10 else "{:,.1f}".format(number)


def table(head, rows, left=1):
    """A table in Markdown; `left` columns are names, the others numbers."""
    rule = ["---" if column < left else "---:" for column in range(len(head))]
    return "".join("| " + " | ".join(map(str, row)) + " |\n" for row in [head, rule, *rows])


def ranges(numbers):
    """1-4, 6"""
    runs = []
    for number in sorted(numbers):
        if runs and runs[-1][1] == number - 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ", ".join("%d" % a if a == b else "%d to %d" % (a, b) for a, b in runs)


def listed(words):
    words = [str(word) for word in words]
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " and " + words[-1]


def filled(text, width=120):
    """A paragraph, or an item of a list, in lines."""
    indent = "  " if text.startswith("- ") else ""
    lines, line = [], ""
    for word in re.split(r"\s+(?!%)", text.strip()):  # a number and its per cent sign stay together
        if line and len(line) + 1 + len(word) > width:
            lines.append(line)
            line = indent + word
        else:
            line = line + " " + word if line else word
    return "\n".join([*lines, line]) + "\n"


def page(*parts):
    """Parts of a page: tables and headings as they are, other text in lines."""
    return "\n".join(part if part.startswith(("|", "#", "```")) else
                     "".join(filled(item) for item in part.split("\n")) if part.startswith("- ") else filled(part)
                     for part in parts if part)


def json_lines(head, key, rows):
    """JSON with one element of the list `key` a line."""
    text = "{\n" + "".join("  %s: %s,\n" % (json.dumps(k), json.dumps(v)) for k, v in head.items())
    return text + "  %s: [\n" % json.dumps(key) + ",\n".join("    " + json.dumps(row) for row in rows) + "\n  ]\n}\n"


def what_is_missing(rules, stats):
    """A sentence, or nothing."""
    if stats is None:
        return "There were no tables of `%s` when this was written." % rules
    missing = [geese for geese in ALL_LAYERS if geese not in by_layer(stats)]
    if not missing:
        return ""
    return "Of `%s` there %s left out." % (
        rules, "is no table of the layer with %d geese yet; it is" % missing[0] if len(missing) == 1
        else "are no tables of the layers with %s geese yet; they are" % ranges(missing))


# ---- A rule set ----------------------------------------------------------------------------------------------------

def rules_page(rules, stats, machine, note, version):
    layers = stats["layers"]
    counts_rows, file_rows = [], []
    for layer in layers:
        fox, geese = (layer["to_move"][side] for side in SIDES)
        counts_rows.append([layer["layer"], grouped(layer["positions"]), grouped(layer["classes"]),
                            *(grouped(fox[o]) for o in OUTCOMES), *(grouped(geese[o]) for o in OUTCOMES)])
        file_rows.append([layer["layer"], grouped(layer["rounds"]), seconds(layer["seconds"]),
                          grouped(layer["bytes"]["raw"]), grouped(layer["bytes"]["packed"]),
                          "`%s`" % layer["blake3"][:16]])
    add = lambda read: sum(read(layer) for layer in layers)
    known = lambda values: sum(v for v in values if v is not None) if any(v is not None for v in values) else None
    raw, packed = ([layer["bytes"][kind] for layer in layers] for kind in ("raw", "packed"))
    times = [layer["seconds"] for layer in layers]
    positions = add(lambda layer: layer["positions"])
    counts_rows.append(["all", grouped(positions), grouped(add(lambda layer: layer["classes"])),
                        *(grouped(add(lambda layer: layer["to_move"][s][o])) for s in SIDES for o in OUTCOMES)])
    file_rows.append(["all", "", seconds(known(times)), grouped(known(raw)), grouped(known(packed)), ""])

    missing = what_is_missing(rules, stats)
    whole = "All %d layers: " % len(layers) if not missing else "The %d layers that are there: " % len(layers)
    won = {o: add(lambda layer: total(layer, o)) for o in OUTCOMES}
    facts = [
        "- %s%s positions, of which the geese win %s (%s %%), the fox %s (%s %%), and %s (%s %%) are drawn." % (
            whole, grouped(positions),
            *(text(won[o]) for o in ("geese", "fox", "draw") for text in (grouped, lambda n: share(n, positions))))]
    first = next((layer for layer in layers if total(layer, "geese")), None)
    if first:
        facts.append("- The geese win something from %d geese on: %s positions there." % (
            first["layer"], grouped(total(first, "geese"))))
    steps = [(share_of(b) - share_of(a), a, b) for a, b in zip(layers, layers[1:]) if b["layer"] == a["layer"] + 1]
    if steps:
        _, a, b = max(steps, key=lambda step: step[0])
        facts.append("- The greatest step: with %d geese they win %s %% of the positions, with %d geese %s %%." % (
            a["layer"], share(total(a, "geese"), a["positions"]), b["layer"], share(total(b, "geese"), b["positions"])))
    most = max(layers, key=lambda layer: total(layer, "draw") / layer["positions"])
    facts.append("- Draws: the greatest share is %s %%, with %d geese.%s" % (
        share(total(most, "draw"), most["positions"]), most["layer"], no_draws(layers)))
    if extremes(layers):
        facts.append("- " + extremes(layers))
    longest = max(layers, key=lambda layer: layer["rounds"] or 0)
    if longest["rounds"]:
        facts.append("- The most rounds are %d, with %d geese." % (longest["rounds"], longest["layer"]))
    sums = [(r, p) for r, p in zip(raw, packed) if r and p]
    if sums:
        r, p = (sum(column) for column in zip(*sums))
        facts.append("- %s come to %s raw and %s packed, %s %% of that." % (
            "The tables" if len(sums) == len(layers) else "The %d layers that are there in both forms" % len(sums),
            size(r), size(p), share(p, r)))
    elif known(raw) and not known(packed):
        facts.append("- The raw tables come to %s. They were not packed yet when this was written." % size(known(raw)))

    return page(
        "# Fox-and-Geese, rules `%s`\n" % rules,
        MEANING[rules] + " A fox that can not move has lost, so have geese that can not, and so have fewer than four "
        "geese. If neither side can force a win the position is drawn.",
        missing,
        "\n".join(facts),
        "## Outcomes\n",
        "Every position of a layer is counted, reachable from an opening or not, with no regard to symmetry. "
        "*Classes* are what is stored: positions that are not images of each other, both sides to move.",
        table(["geese", "positions", "classes", "fox to move: fox wins", "drawn", "geese win",
               "geese to move: fox wins", "drawn", "geese win"], counts_rows, 0),
        "## The run and its tables\n",
        "*Rounds* is the number of rounds up to the last one that decided a position; a round looks at both sides to "
        "move once. *Seconds* are wall time, checksums included. *BLAKE3* is that of the values, the same for a raw "
        "and a packed table: its first 16 digits, the whole of it is in `%s-%s.json`.%s" % (
            GAME, rules, same_digests(layers)),
        table(["geese", "rounds", "seconds", "raw bytes", "packed bytes", "BLAKE3"], file_rows, 0),
        "## How it was made\n",
        "```sh\nanser solve --rules %s --tables raw\nanser pack --rules %s --tables raw --out packed\n"
        "anser stats --rules %s --tables raw --tables packed --json\n```\n" % (rules, rules, rules),
        "Program: %s. Machine: %s. %s Times to compare with are in [benchmarks.md](../benchmarks.md)." % (
            version, machine, note or ""),
        "This page and the JSON file beside it are written by `scripts/results.py`.",
    )


def share_of(layer):
    return total(layer, "geese") / layer["positions"]


def above_all(layers, outcome):
    """The layers above all that have a position with this outcome."""
    having = [layer["layer"] for layer in layers if total(layer, outcome)]
    return [layer["layer"] for layer in layers if having and layer["layer"] > max(having)]


def no_draws(layers):
    """Which layers have none, above those that do, as a sentence with a space before it."""
    none = above_all(layers, "draw")
    return " With %s geese there are none." % ranges(none) if none else ""


def extremes(layers):
    """Above which layers the fox wins nothing, and the geese everything: sentences that begin with "With"."""
    text = []
    nothing = above_all(layers, "fox")
    everything = [geese for geese in above_all(layers, "draw") if geese in nothing]
    if nothing:
        text.append("With %s geese the fox wins no position." % ranges(nothing))
    if everything:
        text.append("With %s geese the geese win every position, whoever is to move." % ranges(everything))
    return " ".join(text)


def same_digests(layers):
    """Why some layers have the same digest, if there are any, as a sentence with a space before it."""
    digests = [layer["blake3"] for layer in layers]
    twins = [layer for layer in layers if digests.count(layer["blake3"]) > 1]
    if not twins or any(total(layer, "geese") != layer["positions"] for layer in twins):
        return ""
    return (" Layers with %s geese have the digest of another layer: in both all values are the same, and there are "
            "equally many." % listed(layer["layer"] for layer in twins))


# ---- Openings ------------------------------------------------------------------------------------------------------

def filled_board(geese):
    """The opening with the fox on d4 and the geese on the first points, rank by rank from 1, each from file a on."""
    left, ranks = geese, []
    for rank in range(1, 8):
        text = ""
        for file in "abcdefg":
            if file not in "cde" and rank not in (3, 4, 5):
                continue
            if (file, rank) == ("d", 4):
                text += "F"
            else:
                text += "g" if left > 0 else "."
                left -= 1
        ranks.append(text)
    return "/".join(digits(text) for text in reversed(ranks))


def digits(rank):
    """Runs of empty points as numbers."""
    text, run = "", 0
    for point in rank + "|":
        if point == ".":
            run += 1
            continue
        text += (str(run) if run else "") + point
        run = 0
    return text[:-1]


FILLED = [(geese, filled_board(geese)) for geese in range(4, 32)]


def worth(side, outcome):
    """What an outcome is to the side to move."""
    return None if outcome is None else "drawing" if outcome == "draw" else "winning" if outcome == side else "losing"


def probe_openings(anser, known):
    classic, filled_rows = [], []
    for rules, stats in known.items():
        layers = by_layer(stats)
        for geese, board in CLASSIC:
            for letter, side in zip("fg", SIDES):
                if geese not in layers:
                    continue
                answer = anser.probe(rules, board + " " + letter)
                moves = [(move["move"], worth(side, move["outcome"])) for move in answer["moves"]]
                best = worth(side, answer["outcome"])
                number = {kind: sum(k == kind for _, k in moves) for kind in ("winning", "drawing", "losing")}
                number["unknown"] = sum(k is None for _, k in moves)
                keeping = [move for move, k in moves if k == best]
                need(keeping or number["unknown"], "%s, %s: no move keeps the result" % (rules, answer["position"]))
                classic.append({"rules": rules, "geese": geese, "position": answer["position"], "to_move": side,
                                "outcome": answer["outcome"], "moves": number, "keeping": keeping})
        wanted = [(geese, side, board + " " + letter) for geese, board in FILLED if geese in layers
                  for letter, side in zip("fg", SIDES)]
        for (geese, side, position), outcome in zip(wanted, anser.outcomes(rules, [w[2] for w in wanted])):
            filled_rows.append({"rules": rules, "geese": geese, "position": position, "to_move": side,
                                "outcome": outcome})
    return classic, filled_rows


def balance(stats):
    """For either side to move and for both: the first layers at which it tips."""
    found = {}
    for side in (*SIDES, None):
        whole = 1 if side else 2
        half = lambda layer: layer["positions"] * whole // 2
        tests = {
            "more_geese_than_fox": lambda layer: count(layer, side, "geese") > count(layer, side, "fox"),
            "geese_over_half": lambda layer: 2 * count(layer, side, "geese") > half(layer),
        }
        found[side or "both"] = {}
        for name, test in tests.items():
            held = [layer["layer"] for layer in stats["layers"] if test(layer)]
            above = [layer["layer"] for layer in stats["layers"] if held and layer["layer"] >= held[0]]
            found[side or "both"][name] = {"first_layer": held[0] if held else None, "all_above": held == above}
    return found


WON = {"fox": "fox", "draw": "draw", "geese": "geese", None: "-"}


def openings_json(known, classic, filled_rows):
    balances = ",\n".join("    %s: %s" % (json.dumps(rules), json.dumps(balance(stats)))
                          for rules, stats in known.items())
    lines = lambda rows: ",\n".join("    " + json.dumps(row) for row in rows)
    return '{\n  "game": "%s",\n  "classic": [\n%s\n  ],\n  "balance": {\n%s\n  },\n  "filled": [\n%s\n  ]\n}\n' % (
        GAME, lines(classic), balances, lines(filled_rows))


def openings_page(everything, known, classic, filled_rows, version):
    missing = [what_is_missing(rules, stats) for rules, stats in everything.items()]
    parts = [
        "# Openings, and where the balance tips\n",
        "What the tables say, with best play of both sides. The counts are those of the pages of the rule sets: %s." %
        listed("[`%s`](%s-%s.md)" % (rules, GAME, rules) for rules in known),
        " ".join(filter(None, missing)),
        "## The classic openings\n",
        "Who wins, and how many first moves win, draw and lose for the side to move. The fox stands on d4; by custom "
        "it moves first. `openings.json` names the moves that keep the result.",
        classic_table(known, classic),
        "\n".join("- %d geese: `%s`" % opening for opening in CLASSIC),
        few_moves(known, classic),
        "## Where the balance tips\n",
        "The first number of geese at which more positions of the layer are won for the geese than for the fox, and "
        "the first at which the geese win more than half of all. %s" % holds_above(known),
        tip_table(known),
        "\n".join("- `%s`: w%s" % (rules, extremes(stats["layers"])[1:]) for rules, stats in known.items()
                  if extremes(stats["layers"])),
    ]
    for rules, stats in known.items():
        parts += ["### Shares under `%s`, in per cent of the positions of the layer with that side to move\n" % rules,
                  share_table(stats)]
    parts += [
        "## Openings filled rank by rank\n",
        "A family with one opening for each number of geese: the fox on d4, *n* geese on the first *n* of the other "
        "points, where points are taken by ranks from 1 to 7 and in a rank from file a to file g. With 3, 6, 13, 19, "
        "26 and 29 geese the ranks up to 1, 2, 3, 4, 5 and 6 are full. With 13 geese it is the classic opening; with "
        "15 and 17 it is not, the classic ones put the last geese on both edges.",
        "A table entry says who wins; *f* and *g* stand for the fox and for the geese to move.",
        filled_table(known, filled_rows),
        runs_of(known, filled_rows),
        "## How it was made\n",
        "`anser probe` and `anser stats` over the tables, by `scripts/results.py`. Program: %s." % version,
    ]
    return page(*parts)


def classic_table(known, classic):
    found = {(a["rules"], a["geese"], a["to_move"]): a for a in classic}
    head = ["geese", "to move"]
    for rules in known:
        head += ["`%s`" % rules, "moves: win / draw / lose"]
    rows = []
    for geese, _ in CLASSIC:
        for side in SIDES:
            row = [geese, side]
            for rules in known:
                answer = found.get((rules, geese, side))
                if answer is None:
                    row += ["-", "-"]
                    continue
                number = answer["moves"]
                text = "%d / %d / %d" % (number["winning"], number["drawing"], number["losing"])
                if number["unknown"]:
                    text += ", %d unknown" % number["unknown"]
                row += [verdict(answer["outcome"]), text]
            rows.append(row)
    return table(head, rows, 99)


def verdict(outcome):
    return "draw" if outcome == "draw" else "fox wins" if outcome == "fox" else "geese win"


def few_moves(known, classic):
    """Openings in which few of the moves keep the result."""
    items = []
    for a in classic:
        number = a["moves"]
        if len(a["keeping"]) <= 4 and len(a["keeping"]) < sum(number.values()) and not number["unknown"]:
            items.append("- `%s`, %d geese, %s to move: only %s %s." % (
                a["rules"], a["geese"], a["to_move"], listed(a["keeping"]),
                {"draw": "draws" if len(a["keeping"]) == 1 else "draw"}.get(
                    a["outcome"], "wins" if len(a["keeping"]) == 1 else "win")))
    return "\n".join(items)


TIPS = ("more_geese_than_fox", "geese_over_half")


def holds_above(known):
    """Whether what holds first at a layer holds at all higher ones."""
    if all(tip["all_above"] for stats in known.values() for tips in balance(stats).values() for tip in tips.values()):
        return "Each holds for every greater number of geese as well."
    return "A star: not for every greater number of geese."


def tip_table(known):
    def cell(tip):
        return "-" if tip["first_layer"] is None else str(tip["first_layer"]) + ("" if tip["all_above"] else " *")
    rows = []
    for rules, stats in known.items():
        found = balance(stats)
        rows.append(["`%s`" % rules] + [cell(found[side][tip]) for tip in TIPS for side in (*SIDES, "both")])
    head = [" "] + [text + side for text in ("more for the geese, ", "over half, ")
                    for side in ("fox to move", "geese to move", "both")]
    return table(head, rows)


def share_table(stats):
    rows = []
    for layer in stats["layers"]:
        half = layer["positions"] // 2
        rows.append([layer["layer"]] + [share(layer["to_move"][side][o], half) for side in SIDES
                                        for o in ("geese", "draw", "fox")])
    return table(["geese", "fox to move: geese win", "drawn", "fox wins",
                  "geese to move: geese win", "drawn", "fox wins"], rows, 0)


def filled_table(known, filled_rows):
    found = {(a["rules"], a["geese"], a["to_move"]): a["outcome"] for a in filled_rows}
    head = ["geese", "opening"] + ["`%s` %s" % (rules, side[0]) for rules in known for side in SIDES]
    rows = [[geese, "`%s`" % board] + [WON[found.get((rules, geese, side))] for rules in known for side in SIDES]
            for geese, board in FILLED]
    return table(head, rows, 99)


def runs_of(known, filled_rows):
    """The family in words: for each rule set and side, which numbers of geese have which outcome."""
    items = []
    for rules in known:
        for side in SIDES:
            mine = [a for a in filled_rows if a["rules"] == rules and a["to_move"] == side]
            said = ["%s with %s" % (verdict(o), ranges(a["geese"] for a in mine if a["outcome"] == o))
                    for o in OUTCOMES if any(a["outcome"] == o for a in mine)]
            if said:
                items.append("- `%s`, %s to move: %s." % (rules, side, "; ".join(said)))
    return "\n".join(items)


# ---- The paper -----------------------------------------------------------------------------------------------------

def read_paper():
    try:
        with open(PAPER, encoding="utf-8") as lines:
            rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    except OSError as error:
        raise Problem("the printed table can not be read: %s" % error)
    return {int(row["geese"]): {"won": int(row["won"]), "iterations": int(row["iterations"]),
                                "seconds": float(row["seconds"]) if row["seconds"] else None} for row in rows}


def paper_page(everything, known, classic, machine):
    printed = read_paper()
    layers = {rules: by_layer(stats) for rules, stats in known.items()}
    won = {rules: {geese: total(layer, "geese") for geese, layer in found.items()} for rules, found in layers.items()}
    missing = [what_is_missing(rules, stats) for rules, stats in everything.items()]

    wrong = [geese for geese in ALL_LAYERS if printed[geese]["won"] % divisor(geese)]
    odd = [geese for geese in wrong if printed[geese]["won"] % 2]
    also = [geese for geese in wrong if geese not in odd]
    upto = {rules: equal_up_to(won[rules], printed) for rules in known}

    rows = []
    for geese in ALL_LAYERS:
        row = [geese, grouped(printed[geese]["won"]),
               "odd" if geese in odd else "not a multiple of 4" if geese in also else ""]
        for rules in known:
            ours = won[rules].get(geese)
            row += [grouped(ours), "-" if ours is None else difference(ours, printed[geese]["won"])]
        rows.append(row)
    head = ["geese", "printed", "can not be: it is"]
    head += [text for rules in known for text in ("`%s`" % rules, "from the printed")]

    parts = [
        "# Beside the paper's Table 1\n",
        "S. Edelkamp and H. Messerschmidt, *Strongly Solving Fox-and-Geese on Multi-core CPU*, KI 2010, LNAI 6359, "
        "pages 291 to 298, print for each number of geese how many positions the geese win (Table 1, column *Won*; "
        "here [`fox-geese-table1.csv`](../../crates/anser-reproduce/data/fox-geese-table1.csv)). Draws count as the fox's there. Below are our "
        "counts of the same: both sides to move, all positions of the layer.",
        " ".join(filter(None, missing)),
        "## Counts\n",
        table(head, rows, 0),
        "## What agrees\n",
        agreement_text(upto),
        "## What can not be\n",
        "Let the rules have all eight symmetries of the board, as `free` and `first-capture` do. Then an image of a "
        "won position is won, and a count is a sum over sets of images of one position. Such a set has 8, 4, 2 or 1 "
        "members, according to how many of the symmetries leave the position as it is: 1, 2, 4 or 8. Four of them or "
        "all eight always contain the half turn, which leaves only d4 in its place: the fox is there, the geese lie "
        "in pairs, and their number is even. All eight: the geese lie in fours and eights, and their number is "
        "divisible by four. So",
        "- with an odd number of geese every count is divisible by 4;\n- with 2, 6, 10, ... geese it is even;\n"
        "- with 4, 8, 12, ... geese it may be anything.",
        "The printed counts with %s geese are odd where they must be even. With %s they are even, but not divisible "
        "by 4. Under no rules with these symmetries can they be right. Our counts were checked: for either side to "
        "move and each outcome they are divisible as they have to be. The argument does not touch `forward`, which "
        "keeps only the left-right mirror: a position that this mirror leaves alone may have any number of geese." % (
            listed(odd), listed(also)),
        "The column of states has misprints of its own: %s geese. The formula 2 x 33 x C(32, p) gives %s." % (
            listed("%s with %s" % (grouped(value), listed(g for g in PRINTED_STATES if PRINTED_STATES[g] == value))
                   for value in sorted(set(PRINTED_STATES.values()))),
            listed(grouped(66 * math.comb(32, g)) for g in (6, 7, 9))),
    ]
    if known:
        parts += ["## Which rules come nearest\n", nearest_table(won, printed), *nearest_text(won, printed)]
    if len(won.get("first-capture", ())) == len(ALL_LAYERS):
        parts += ["## What the counts suggest\n", *suggestions(won, printed, layers, classic)]
    parts += ["## Iterations and times\n", *times(layers, printed, machine)]
    parts += ["This page is written by `scripts/results.py`."]
    return page(*parts)


def equal_up_to(won, printed):
    """The greatest n with equality in all layers up to n."""
    equal = 0
    for geese in ALL_LAYERS:
        if won.get(geese) != printed[geese]["won"]:
            break
        equal = geese
    return equal


def agreement_text(upto):
    text = []
    for number in sorted(set(upto.values()), reverse=True):
        names = listed("`%s`" % rules for rules in upto if upto[rules] == number)
        text.append("Under %s the counts are equal with 1 to %d geese." % (names, number))
    return " ".join(text) + (
        " So these six rows do not tell `free` from `first-capture`."
        if upto.get("free") == upto.get("first-capture") == 6 else "")


def off(won, printed, geese):
    """The relative difference of ours, from the printed number."""
    return abs(won[geese] / printed[geese]["won"] - 1)


def nearest_table(won, printed):
    rows = []
    for rules, mine in won.items():
        there = [geese for geese in ALL_LAYERS if geese > 6 and geese in mine]
        distances = sorted(off(mine, printed, geese) for geese in there)
        if not there:
            continue
        within = lambda bound: sum(d < bound for d in distances)
        rows.append(["`%s`" % rules, len(there), within(1e-4), within(1e-3), within(1e-2), within(1e-1),
                     "%.2g %%" % (100 * distances[len(distances) // 2])])
    return table(["", "rows from 7 geese on", "within 0.01 %", "0.1 %", "1 %", "10 %", "median difference"], rows)


def nearest_text(won, printed):
    compared = {geese: {rules: off(mine, printed, geese) for rules, mine in won.items() if geese in mine}
                for geese in ALL_LAYERS if geese > 6}
    compared = {geese: found for geese, found in compared.items() if len(found) > 1}
    if not compared:
        return []
    best = {geese: min(found, key=found.get) for geese, found in compared.items()}
    text = []
    for rules in won:
        mine = [geese for geese in best if best[geese] == rules]
        if mine:
            text.append("`%s` with %s" % (rules, ranges(mine)))
    return ["In the rows that more than one rule set has, the nearest is %s geese." % "; ".join(text)]


def suggestions(won, printed, layers, classic):
    """What the differences from a complete `first-capture` look like."""
    mine = won["first-capture"]
    distance = {geese: 100 * (printed[geese]["won"] / mine[geese] - 1) for geese in ALL_LAYERS if mine[geese]}
    items = [*the_jump(won, printed, layers)]

    close = [geese for geese in distance if 0 < abs(distance[geese]) < 0.01 and geese not in OUT_OF_LINE]
    items.append("- With %s geese the difference is less than 0.01 %%: %s of %s." % (
        listed(close), listed(format(printed[g]["won"] - mine[g], "+,d") for g in close),
        listed(grouped(mine[g]) for g in close)))

    lower = [geese for geese in distance if distance[geese] < 0]
    higher = [geese for geese in distance if distance[geese] > 0]
    items.append(
        "- Of the %d rows that differ the printed number is the smaller one in %d%s. A program that misses some of "
        "the geese's wins, and not the same ones in all images of a position, would print such numbers, odd ones "
        "among them. What was missed the counts do not say, and other reasons are possible." % (
            len(lower) + len(higher), len(lower), ", in all but row " + listed(higher) if higher else ""))

    items.append("- Rows %s are out of line with their neighbours: %s." % (listed(OUT_OF_LINE), listed(
        "%s with %d (beside it %s)" % (
            percent(distance[g]), g, listed(percent(distance[n]) for n in (g - 1, g + 1) if n in distance))
        for g in OUT_OF_LINE)))
    for geese, number in DIGIT_MOVED.items():
        need(one_digit_moved(printed[geese]["won"], number), "row %d: not one digit moved" % geese)
    items.append(
        "- In three of these, moving one digit of the printed number brings it into line: %s. There are sixty to a "
        "hundred ways to move a digit of such a number, sometimes more than one fits, and we looked for them, so none "
        "of these proves anything. They still would not be equal to our counts, and the one with 19 geese still not "
        "divisible by 4." % listed(
            "%s as %s (%s)" % (grouped(printed[g]["won"]), grouped(number), percent(100 * (number / mine[g] - 1)))
            for g, number in DIGIT_MOVED.items()))
    items.append("- The last row, %s printed and %s here, has %s positions and so can be checked with a few lines of "
                 "code in any language." % tuple(map(grouped, (
                     printed[31]["won"], mine[31], layers["first-capture"][31]["positions"]))))
    items.append(the_half(layers, classic))
    return ["What follows is read off the numbers. It is not shown, and the program of the paper was not there to be "
            "looked at. Differences are those of the printed number from ours under `first-capture`.",
            "\n".join(items)]


def the_jump(won, printed, layers):
    """Items on where the shares jump, if both rule sets are there."""
    if not all(geese in won.get(rules, {}) for rules in SYMMETRIC for geese in range(10, 14)):
        return []
    states = lambda geese: 66 * math.comb(32, geese)
    of = lambda rules, geese: share(won[rules][geese], states(geese))
    items = [
        "- The printed share jumps between 11 and 12 geese, from %s %% to %s %%. Under `first-capture` it does too, "
        "from %s %% to %s %%. Under `free` the jump comes one goose earlier, from %s %% with 10 to %s %% with 11." % (
            *(share(printed[geese]["won"], states(geese)) for geese in (11, 12)),
            *(of("first-capture", geese) for geese in (11, 12)), *(of("free", geese) for geese in (10, 11)))]
    rounds = {rules: [layers[rules][geese]["rounds"] for geese in range(10, 14)] for rules in SYMMETRIC}
    if None not in rounds["free"] + rounds["first-capture"]:
        items.append("- The numbers of iterations go the same way. With 10, 11, 12 and 13 geese the paper has %s, we "
                     "have rounds %s under `first-capture` and %s under `free`." % (
                         listed(printed[geese]["iterations"] for geese in range(10, 14)),
                         listed(rounds["first-capture"]), listed(rounds["free"])))
    return items + ["- So what was tabulated looks like a game in which the first capture wins for the fox, though the "
                    "text of the paper describes the one that is played on."]


def the_half(layers, classic):
    """The item on 15 to 16 geese and on 13."""
    said = []
    for rules, found in layers.items():
        half = [geese for geese in sorted(found) if 2 * total(found[geese], "geese") > found[geese]["positions"]]
        if half:
            said.append("under `%s` %d" % (rules, half[0]))
    text = ("- The paper puts the number of geese at which the fox loses more than half of the positions at about 15 "
            "to 16. Here it is %s. The paper takes this to confirm that 13 geese are not enough to win. Shares of all "
            "positions do not say that of an opening." % listed(said))
    thirteen = {a["rules"]: a["outcome"] for a in classic if a["geese"] == 13 and a["to_move"] == "fox"}
    if thirteen:
        names = {"fox": "won for the fox", "draw": "drawn", "geese": "won for the geese"}
        text += " The classic one with 13 geese, fox to move, is %s; see [openings.md](openings.md)." % listed(
            names[outcome] + " under " + listed("`%s`" % rules for rules in thirteen if thirteen[rules] == outcome)
            for outcome in OUTCOMES if outcome in thirteen.values())
    return text


def percent(value):
    return "%+.*f %%" % (max(2, 1 - math.floor(math.log10(abs(value)))), value)


def one_digit_moved(a, b):
    """Whether b is a with one digit taken out and put in elsewhere."""
    a, b = str(a), str(b)
    return any(b[:j] + b[j + 1:] == a[:i] + a[i + 1:] and a[i] == b[j] for i in range(len(a)) for j in range(len(b)))


def times(layers, printed, machine):
    head = ["geese", "printed: iterations", "seconds"]
    for rules in layers:
        head += ["`%s`: rounds" % rules, "seconds"]
    rows = []
    for geese in ALL_LAYERS:
        row = [geese, printed[geese]["iterations"], seconds(printed[geese]["seconds"])]
        for found in layers.values():
            layer = found.get(geese)
            row += [grouped(layer["rounds"]), seconds(layer["seconds"])] if layer else ["-", "-"]
        rows.append(row)
    sums = ["all", "", seconds(sum(row["seconds"] for row in printed.values() if row["seconds"]))]
    for found in layers.values():
        mine = [layer["seconds"] for layer in found.values() if layer["seconds"] is not None]
        sums += ["", seconds(sum(mine)) if mine else "-"]
    rows.append(sums)
    most = max(printed, key=lambda geese: printed[geese]["iterations"])
    ours = ["%s with %d geese under `%s`" % (top["rounds"], top["layer"], rules) for rules, found in layers.items()
            for top in [max(found.values(), key=lambda layer: layer["rounds"] or 0)] if top["rounds"]]
    return [
        "The paper's seconds are its column *Time Real*, on eight cores of a machine of 2010 or before; row 18 has "
        "none, so the sum of about a month lacks it. Ours are wall time on a machine with %s; what else is to be said "
        "of them is on the pages of the rule sets. The two do not measure the programs against each other: machines "
        "and methods differ too much." % machine,
        "An iteration of the paper is a pass over all undecided positions of a layer, in place, and the last pass "
        "changes nothing. A round of ours looks at each side to move once, from the values before it, and only rounds "
        "up to the last useful one count. So the numbers need not be equal even for equal rules; where there are many "
        "and where there are few may be compared. The paper has most with %d geese, %d; ours: %s. With 1 to 3 geese "
        "we need none, since fewer than four geese have lost by the rules; the paper iterated there." % (
            most, printed[most]["iterations"], listed(ours) if ours else "not known"),
        table(head, rows, 0),
    ]


# ---- The program ---------------------------------------------------------------------------------------------------

def pairs(values, what):
    """RULES=TEXT options as pairs."""
    for value in values:
        rules, equals, text = value.partition("=")
        need(equals and text and rules in MEANING,
             "%s %r: write RULES=%s, with RULES one of %s" % (what, value, what[2:].upper(), ", ".join(MEANING)))
        yield rules, text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--anser", default=str(ROOT / "target" / "release" / "anser"), metavar="PROGRAM",
                        help="the command line tool (default: target/release/anser)")
    parser.add_argument("--tables", action="append", default=[], metavar="RULES=DIR",
                        help="a directory with tables of a rule set; may be given several times")
    parser.add_argument("--machine", required=True, metavar="TEXT", help="the machine the tables were made on")
    parser.add_argument("--note", action="append", default=[], metavar="RULES=TEXT",
                        help="a sentence about the run of a rule set, for its page")
    parser.add_argument("--out", type=Path, default=ROOT / "data" / "results", metavar="DIR",
                        help="where the files go (default: data/results)")
    options = parser.parse_args()

    directories = {rules: [] for rules in MEANING}
    for rules, directory in pairs(options.tables, "--tables"):
        if Path(directory).is_dir():
            directories[rules].append(Path(directory))
        else:
            print("results.py: %s: no such directory; left out" % directory, file=sys.stderr)
    notes = dict(pairs(options.note, "--note"))
    anser = Anser(options.anser, directories)
    version = anser("--version").strip()

    everything = {rules: anser.stats(rules) for rules in MEANING}
    known = {rules: stats for rules, stats in everything.items() if stats is not None}
    need(known, "no tables anywhere; give their directories with --tables RULES=DIR")
    compare_rule_sets(known)
    classic, filled_rows = probe_openings(anser, known)

    files = {}
    for rules, stats in known.items():
        head = {"game": stats["game"], "rules": stats["rules"]}
        files["%s-%s.json" % (GAME, rules)] = json_lines(head, "layers", stats["layers"])
        files["%s-%s.md" % (GAME, rules)] = rules_page(rules, stats, options.machine, notes.get(rules), version)
    files["openings.json"] = openings_json(known, classic, filled_rows)
    files["openings.md"] = openings_page(everything, known, classic, filled_rows, version)
    files["paper.md"] = paper_page(everything, known, classic, options.machine)

    options.out.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        if name.endswith(".json"):
            json.loads(text)
        (options.out / name).write_text(text, encoding="utf-8")
        print(options.out / name)
    for rules in everything:
        old = options.out / ("%s-%s.md" % (GAME, rules))
        if rules not in known and old.exists():
            print("results.py: %s is of an earlier run: there are no tables of %s now" % (old, rules), file=sys.stderr)


if __name__ == "__main__":
    try:
        main()
    except Problem as problem:
        sys.exit("results.py: error: %s" % problem)
    except OSError as error:
        sys.exit("results.py: error: %s" % error)
