#!/usr/bin/env python3
"""Solves outcomes and distances of Fox-and-Geese layer by layer, asks what only whole layers tell,
and keeps the packed tables.

    scripts/distances.py [--rules RULES] [--layers A-B] [--anser PROGRAM] [--out OUT] DIR

For each layer, from the lowest: solves it into DIR/raw, asks for the census, the longest wins, and
the zugzwangs (DIR/answers), packs it into DIR/packed, and removes the raw tables of the layer below.
So at most two layers are on the disk unpacked. If it is interrupted, run it again: it resumes.
Finally verifies every packed value, again layer by layer, and writes

    fox-geese-RULES-dtw.json   histograms of distances by layer, side to move, and winner, the
                               longest wins, zugzwangs, files, and openings
    distances-RULES.md         the same for readers
    distances-RULES.svg        the longest wins by the number of geese

The first goes to crates/anser-games/results if it has all layers, everything else to
data/results; with --out all go to OUT.

RULES is first-capture by default. Chains of captures lead to lower layers than the next, whose raw
tables are gone, so rule sets with `chain` are refused. All layers of first-capture took 12 minutes
of processor time on each of two cores to solve, and 7 GiB of memory.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

parser = argparse.ArgumentParser(
    description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
)
parser.add_argument("--rules", default="first-capture")
parser.add_argument("--layers", default="1-31", metavar="A-B")
parser.add_argument("--anser", default=ROOT / "target" / "release" / "anser", metavar="PROGRAM")
parser.add_argument("--out", type=Path, metavar="OUT")
parser.add_argument("dir", type=Path, metavar="DIR")
options = parser.parse_args()
PAGES = options.out or ROOT / "data" / "results"
# The package that reads results of all layers cannot reach a directory outside itself.
OF_ALL_LAYERS = Path("crates", "anser-games", "results")
DATA = ROOT / OF_ALL_LAYERS if not options.out and options.layers == "1-31" else PAGES
RAW, PACKED, ANSWERS = (options.dir / name for name in ("raw", "packed", "answers"))
FIRST, LAST = (int(number) for number in options.layers.split("-"))
if "chain" in options.rules:
    sys.exit("scripts/distances.py: rule sets with chains need all lower layers unpacked")


def anser(*arguments, keep=True):
    """Runs the program. Returns its JSON answer; its errors end the script."""
    command = [str(options.anser), *map(str, arguments), "--rules", options.rules]
    if not keep:
        subprocess.run(command, check=True)
        return None
    text = subprocess.run([*command, "--json"], check=True, stdout=subprocess.PIPE).stdout
    return json.loads(text)


def replace(path, text):
    """Writes a file at once or not at all."""
    part = path.with_name(path.name + ".part")
    part.write_text(text)
    part.rename(path)


def answer_path(question, layer):
    return ANSWERS / f"{question}.{layer:02}.json"


QUESTIONS = ["census", "hardest", "zugzwang"]


def climb(layer):
    """Solves, asks, and packs one layer."""
    here = f"{layer}-{layer}"
    packed = list(PACKED.glob(f"*.L{layer:02}.*.anserz"))
    missing = [it for it in QUESTIONS if not answer_path(it, layer).exists()]
    if len(packed) == 2 and not missing:
        return
    anser("solve", "--tables", RAW, "--layers", here, "--metric", "wdl,dtw", keep=False)
    for raw in RAW.glob(f"*.L{layer - 1:02}.*"):
        raw.unlink()
    for question in missing:
        answer = anser(
            question, "fox-geese", "--tables", RAW, "--tables", PACKED, "--layers", here
        )
        replace(answer_path(question, layer), json.dumps(answer))
    anser("pack", "--tables", RAW, "--layers", here, "--out", PACKED, keep=False)


def verify(layer):
    """Recomputes the packed values of a layer, unless that is done."""
    path = answer_path("verify", layer)
    if not path.exists():
        layers = f"{layer}-{layer}"
        answer = anser("verify", "fox-geese", "--full", "--tables", PACKED, "--layers", layers)
        replace(path, json.dumps(answer))


def tables_of(directory):
    """Returns the tables that a manifest lists, by name; it lists removed ones as well."""
    path = directory / f"fox-geese.{options.rules}.manifest.json"
    return json.loads(path.read_text())["tables"]


def layer_result(layer, raw, packed):
    """Returns what is kept of a layer."""
    census, hardest, zugzwang = (
        json.loads(answer_path(it, layer).read_text())["layers"][0] for it in QUESTIONS
    )

    def longest(win):
        """A longest win, with one position and without its line."""
        kept = {key: win[key] for key in ("outcome", "dtw", "positions", "classes")}
        return kept | {"position": win["examples"][0]["position"]}

    def kind(found):
        position = found["examples"][0]["position"] if found["examples"] else None
        return {
            "kind": found["kind"],
            "to_move": found["to_move"],
            "positions": found["positions"],
            "position": position,
        }

    files = {}
    for metric in ("wdl", "dtw"):
        name = f"fox-geese.{options.rules}.L{layer:02}.{metric}.anserz"
        table, run = packed[name], raw[name.removesuffix("z")]["run"]
        files[metric] = {
            "file": name,
            "bytes": table["bytes"],
            "blake3": table["payload_blake3"],
            "rounds": run["rounds"],
            "seconds": round(run["seconds"], 1),
            "threads": run["threads"],
        }
    return census | {
        "longest": {side: [longest(it) for it in wins] for side, wins in hardest["to_move"].items()},
        "zugzwangs": [kind(it) for it in zugzwang["kinds"]],
        "tables": files,
    }


def openings():
    """Returns the openings with their best lines."""
    found = []
    for name in ("13", "15", "17"):
        if FIRST <= int(name) <= LAST:
            line = anser("line", "fox-geese", "--opening", name, "--tables", PACKED)
            kept = {key: line[key] for key in ("position", "to_move", "outcome", "dtw")}
            moves = " ".join(ply["move"] for ply in line["line"])
            found.append({"opening": name} | kept | {"line": moves})
    return found


def main():
    for directory in (RAW, PACKED, ANSWERS):
        directory.mkdir(parents=True, exist_ok=True)
    for layer in range(FIRST, LAST + 1):
        climb(layer)
    for raw in RAW.glob(f"*.L{LAST:02}.*"):
        raw.unlink()
    for layer in range(FIRST, LAST + 1):
        verify(layer)
    raw, packed = tables_of(RAW), tables_of(PACKED)
    layers = [layer_result(layer, raw, packed) for layer in range(FIRST, LAST + 1)]
    answer = {"game": "fox-geese", "rules": options.rules, "openings": openings(), "layers": layers}
    # One layer per line.
    head, tail = json.dumps(answer | {"layers": ["@"]}).split('"@"')
    body = ",\n".join(json.dumps(layer) for layer in layers)
    replace(DATA / f"fox-geese-{options.rules}-dtw.json", f"{head}\n{body}\n{tail}\n")
    replace(PAGES / f"distances-{options.rules}.md", page(answer))
    replace(PAGES / f"distances-{options.rules}.svg", plot(answer))


# The rule sets in the words of their pages.
RULE_SETS = {
    "first-capture": "Geese step in any direction, and the fox wins with its first capture.",
    "free": "Geese step in any direction, and the fox wins once fewer than four geese are left.",
    "forward": "Geese step forward and sideways only, and the fox wins once fewer than four geese "
    "are left.",
}


def longest_of(layer, winner):
    """Returns the longest win of a side in a layer, with the side to move, or None."""
    wins = [
        (win["dtw"], side, win)
        for side, wins in layer["longest"].items()
        for win in wins
        if win["outcome"] == winner
    ]
    return max(wins, key=lambda it: it[0], default=None)


def page(answer):
    """Returns the page for readers."""
    rules = answer["rules"]
    layers = answer["layers"]
    link = f"fox-geese-{rules}-dtw.json"
    if options.layers == "1-31":
        link = f"../../{OF_ALL_LAYERS.as_posix()}/{link}"
        title = f"# Distances of Fox-and-Geese, rules `{rules}`"
    else:
        title = f"# Distances of Fox-and-Geese, rules `{rules}`, {FIRST} to {LAST} geese"
    tables = [layer["tables"] for layer in layers]
    total = sum(it["dtw"]["bytes"] for it in tables)
    seconds = sum(it["dtw"]["seconds"] for it in tables)
    lines = [
        title,
        "",
        RULE_SETS.get(rules.split("+")[0], ""),
        "A distance is the number of plies to the win if the winner hurries and the loser delays.",
        f"Everything on this page is in [`fox-geese-{rules}-dtw.json`]({link}),",
        "and `scripts/distances.py` computes it with the command line. `anser verify --full`",
        "recomputed every value of the packed tables.",
        "",
        f"The packed distances have {total:,} bytes, and solving both metrics took "
        f"{seconds:,.0f} seconds",
        f"of wall time with {tables[0]['dtw']['threads']} threads.",
        "",
    ]
    if answer["openings"]:
        lines += ["## Openings", ""]
        for it in answer["openings"]:
            won = f"won for the {it['outcome']} in {it['dtw']} plies"
            verdict = "drawn" if it["dtw"] is None else won
            lines += [f"{it['opening']} geese, {it['to_move']} to move: {verdict}."]
            if it["line"]:
                lines += ["One line of best play:", "", "```text", *wrapped(it["line"]), "```"]
            lines += [""]
    lines += [
        "## Longest wins",
        "",
        f"![Longest wins by the number of geese](distances-{rules}.svg)",
        "",
        "*Positions* counts the positions with this longest win and this side to move, symmetric ones",
        "separately.",
        "",
        "| geese | winner | plies | to move | positions | one of them |",
        "| ---: | :--- | ---: | :--- | ---: | :--- |",
    ]
    for layer in layers:
        for winner in ("fox", "geese"):
            longest = longest_of(layer, winner)
            if longest:
                plies, side, win = longest
                lines.append(
                    f"| {layer['layer']} | {winner} | {plies} | {side} | {win['positions']:,} "
                    f"| `{win['position']}` |"
                )
    lines += [
        "",
        "## Zugzwangs and stalemates",
        "",
        "In a full zugzwang the side to move loses, whichever it is. In a one-sided one the side "
        "to move",
        "would do better if it could pass. In a stalemate it has no move.",
        "",
        "| geese | kind | positions | one of them |",
        "| ---: | :--- | ---: | :--- |",
    ]
    for layer in layers:
        for found in layer["zugzwangs"]:
            if found["positions"]:
                side = f", {found['to_move']} to move" if found["to_move"] else ""
                lines.append(
                    f"| {layer['layer']} | {found['kind']}{side} | {found['positions']:,} "
                    f"| `{found['position']}` |"
                )
    lines += [
        "",
        "## Tables",
        "",
        "Packed tables of distances, made by `anser solve --metric wdl,dtw` and `anser pack`.",
        "",
        "| geese | rounds | seconds | bytes | BLAKE3 as raw |",
        "| ---: | ---: | ---: | ---: | :--- |",
    ]
    for layer in layers:
        table = layer["tables"]["dtw"]
        lines.append(
            f"| {layer['layer']} | {table['rounds']} | {table['seconds']} | {table['bytes']:,} "
            f"| `{table['blake3']}` |"
        )
    return "\n".join(lines) + "\n"


def wrapped(text, width=96):
    """Returns the words of a text in lines."""
    lines = [""]
    for word in text.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


# Copper and blue: told apart by color-blind people, as in the plots of the command line.
COLORS = {"fox": "#D55E00", "geese": "#0072B2"}


def plot(answer):
    """Returns a plot of the longest wins by the number of geese."""
    points = {
        winner: [
            (layer["layer"], longest[0])
            for layer in answer["layers"]
            if (longest := longest_of(layer, winner))
        ]
        for winner in COLORS
    }
    highest = max(plies for series in points.values() for _, plies in series)
    top = (highest // 50 + 1) * 50
    first, last = answer["layers"][0]["layer"], answer["layers"][-1]["layer"]
    width, height, left, bottom = 720, 400, 60, 40

    def place(geese, plies):
        x = left + (geese - first) / max(last - first, 1) * (width - left - 20)
        y = height - bottom - plies / top * (height - bottom - 30)
        return f"{x:.1f},{y:.1f}"

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
        f'<text x="{left}" y="18">Longest win in plies by the number of geese, rules '
        f'{answer["rules"]}</text>',
    ]
    for plies in range(0, top + 1, 50):
        x, y = place(first, plies).split(",")
        parts.append(
            f'<line x1="{x}" x2="{width - 20}" y1="{y}" y2="{y}" stroke="#ddd"/>'
            f'<text x="{left - 8}" y="{float(y) + 4:.1f}" text-anchor="end">{plies}</text>'
        )
    for geese in range(first, last + 1, 2):
        x, y = place(geese, 0).split(",")
        parts.append(f'<text x="{x}" y="{float(y) + 18:.1f}" text-anchor="middle">{geese}</text>')
    for number, (winner, series) in enumerate(points.items()):
        line = " ".join(place(*point) for point in series)
        color = COLORS[winner]
        dash = ' stroke-dasharray="6 3"' if winner == "fox" else ""
        parts.append(f'<polyline points="{line}" fill="none" stroke="{color}" stroke-width="2"{dash}/>')
        for point in series:
            x, y = place(*point).split(",")
            parts.append(f'<circle cx="{x}" cy="{y}" r="3" fill="{color}"/>')
        x = width - 170 + 80 * number
        parts.append(f'<text x="{x}" y="18" fill="{color}">won by {winner}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


if __name__ == "__main__":
    main()
