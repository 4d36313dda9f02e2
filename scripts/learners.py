#!/usr/bin/env python3
"""Trains learners over many seeds, grades them, and writes data/results/learner.md.

    scripts/learners.py [--anser PROGRAM] [--out OUT] [STUDY ...]

Studies: document (Hexapawn 3x3 by the learner of the document, 30 seeds), 3x3 and 4x4 (20 seeds
each), ceiling (the same networks trained on exact values), ablations (what each part of the learner
is worth, on 3x3 with 10 seeds and on 4x4 with 3), games (the other boards and games, one seed each).
All of them by default: some hours on two cores.

Each run adds a line to OUT/learners.jsonl (data/results by default); those that are there are not
run again, so an interrupted study resumes. No run is left out. PROGRAM is target/release/anser by
default, built with the feature `learn`.
"""

import argparse
import json
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# Settings that differ from the standard ones, by name.
SHORT = {"hexapawn:3x3": {"iterations": 6}, "hexapawn:4x4": {"iterations": 40}}
ABLATION_SEEDS = {"hexapawn:3x3": 10, "hexapawn:4x4": 3}
ABLATIONS = {
    "standard": {},
    "PUCT with noise, not Gumbel": {
        "play": {
            "drawn": 6,
            "search": {"selection": {"puct": {"c": 1.5, "reduction": 0.2, "noise": 0.25}}},
        }
    },
    "no certain values": {"play": {"search": {"exact": False}}},
    "symmetric positions apart": {"play": {"symmetric": False}},
    "starts from the opening alone": {"random_starts": 0.0, "play": {"drawn": 6}},
    "targets of results alone": {"play": {"result": 1.0}},
    "targets of searches alone": {"play": {"result": 0.0}},
    "all actions in the loss": {"masked": False},
    "constant learning rate": {"rate": [1e-3, 1e-3]},
    "8 simulations": {"play": {"search": {"simulations": 8}}},
    "128 simulations": {"play": {"search": {"simulations": 128}}},
    "a match before each new network": {"arena": {"games": 20, "share": 0.5}},
    "a match with drawn moves": {"arena": {"games": 20, "share": 0.5, "drawn": 1000}},
    "the tree is kept from move to move": {"play": {"reuse": True}},
    "averages of weights play": {"average": {"hexapawn:3x3": 0.5, "hexapawn:4x4": 0.8}},
    "six moves of a game are drawn": {"play": {"drawn": 6}},
    "all samples are kept": {"window": None},
    "window of two iterations": {"window": {"hexapawn:3x3": 600, "hexapawn:4x4": 5000}},
}
# Iterations by game.
GAMES = {
    "fox-hounds:6": 60,
    "hare-hounds": 60,
    "hexapawn:4x5": 60,
    "hexapawn:5x4": 60,
    "hasenspiel": 40,
    "fox-hounds:8": 40,
    "hexapawn:5x5": 40,
}


def of_game(changes, game):
    """Returns settings; those that differ by game are given by game."""
    by_game = lambda value: value[game] if isinstance(value, dict) and game in value else value
    return {name: by_game(value) for name, value in changes.items()}


def runs(study):
    """Returns the runs of a study: (name, game, preset, seed, settings)."""
    if study == "document":
        return [("", "hexapawn:3x3", "document", seed, None) for seed in range(1, 31)]
    if study in ("3x3", "4x4"):
        game = f"hexapawn:{study}"
        return [("", game, "standard", seed, None) for seed in range(1, 21)]
    if study == "ceiling":
        boards = [(f"hexapawn:{size}", seed) for size in ("3x3", "4x4") for seed in range(1, 6)]
        return [("", game, "exact", seed, None) for game, seed in boards]
    if study == "ablations":
        return [
            (name, game, "standard", seed, SHORT[game] | of_game(changes, game))
            for game, seeds in ABLATION_SEEDS.items()
            for seed in range(1, seeds + 1)
            for name, changes in ABLATIONS.items()
        ]
    return [
        ("", game, preset, 1, {"iterations": iterations})
        for game, iterations in GAMES.items()
        for preset in ("standard", "exact")
    ]


STUDIES = ["document", "3x3", "4x4", "ceiling", "ablations", "games"]

# Findings of the ablations, for the page.
FINDINGS = """\
- Starts from random positions are worth most: from the opening alone the network does not see
  the lines that it refutes early, and plays them wrong, on 4x4 ten times as many.
- A match before each new network costs evaluations and holds the network back, with drawn moves
  in the match as well: four to five times as many wrong moves on 4x4.
- Of symmetric positions, one evaluation for all halves the wrong moves on 4x4, and so does a loss
  over legal moves alone.
- With 8 simulations the search after the training has wrong moves left on 4x4; 128 are not
  better than 32.
- Without certain values there are fewer wrong moves on both boards. The standard settings keep
  them: their trainings have no wrong move after the search, and were not repeated without.
- Gumbel or PUCT, drawn moves, targets of results, of searches, or of both, the learning rate, the
  window, trees that are kept from move to move, and averages of weights differ by no more than
  seeds do. On 3x3 the search proves every position that it meets, so some of these train the same
  networks, bit for bit; and trainings as short as these of 4x4 do not fill the standard window.
"""


def processor_seconds():
    """Returns the processor time of all programs that were run and have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def learn(anser, game, preset, seed, settings):
    """Trains, and returns the answer with the processor time that it took, grades included."""
    before = processor_seconds()
    with tempfile.TemporaryDirectory() as out:
        command = [anser, "learn", game, "--preset", preset, "--seed", str(seed), "--out", out]
        if settings is not None:
            command += ["--settings", json.dumps(settings)]
        ran = subprocess.run([*map(str, command), "--json"], check=True, stdout=subprocess.PIPE)
    return json.loads(ran.stdout), processor_seconds() - before


def line_of(study, run, answer, seconds):
    """Returns what is kept of a run."""
    name, game, preset, seed, settings = run
    players = answer["players"]
    iterations = answer["iterations"]
    clean = [it for it in iterations if it["graded"]]
    last_wrong = max((it["iteration"] for it in clean if it["graded"]["wrong"]), default=0)
    clean = [it["iteration"] for it in clean if it["iteration"] > last_wrong]
    return {
        "study": study,
        "name": name,
        "game": game,
        "preset": preset,
        "seed": seed,
        "settings": settings,
        "parameters": answer["model"]["parameters"],
        "iterations": len(iterations),
        "processor_seconds": round(seconds, 1),
        "games": sum(it["games_played"] for it in iterations),
        "evaluated": sum(it["evaluated"] for it in iterations),
        "decisions": players[0]["all"]["decisions"],
        "wrong": [player["all"]["wrong"] for player in players],
        "near_perfect": [player["near_perfect"]["wrong"] for player in players],
        "imperfect": [player["all"]["imperfect"] for player in players],
        "value_error": [round(player["value_error"], 4) for player in players],
        "solved": [player["solved"] for player in players],
        # The first graded iteration from which on the network alone made no wrong move.
        "clean_from": clean[0] if clean else None,
        "matches": [
            [it["arena"]["won_first"], it["arena"]["won_second"], it["arena"]["accepted"]]
            for it in iterations
            if it["arena"]
        ]
        if preset == "document"
        else [],
        "untrained": answer["untrained"]
        and [answer["untrained"]["won_first"], answer["untrained"]["won_second"]],
        "curve": [
            [
                sum(it["evaluated"] for it in iterations[: at + 1]),
                it["graded"]["wrong"],
                round(it["seconds"], 1),
            ]
            for at, it in enumerate(iterations)
            if it["graded"]
        ]
        if study == "games"
        else [],
    }


def key(line):
    return (line["study"], line["name"], line["game"], line["preset"], line["seed"])


def kept(path):
    """Returns the lines of a file; a last line that was cut is left out."""
    lines = {}
    if path.exists():
        for text in path.read_text().splitlines():
            try:
                line = json.loads(text)
            except json.JSONDecodeError:
                continue
            lines[key(line)] = line
    return lines


def quartiles(numbers):
    """Formats numbers: least, quartiles, greatest."""
    numbers = sorted(numbers)
    middle = (
        statistics.quantiles(numbers, n=4, method="inclusive") if len(numbers) > 1 else numbers * 3
    )
    return " / ".join(f"{number:g}" for number in [numbers[0], *middle, numbers[-1]])


def page(lines):
    """Returns the page for readers."""
    of = {study: [it for it in lines if it["study"] == study] for study in STUDIES}
    text = [
        "# Learners, graded against the truth",
        "",
        "`anser learn` trains a network by self-play, without exact values. The grade compares its",
        "moves with the exact values of all reachable positions. A decision is a reachable position",
        "with more than one legal move; a move is *wrong* if it worsens the outcome for the mover.",
        "*Bare* is the network alone, *searched* the network with the search of its training.",
        "`scripts/learners.py` writes this page; `learners.jsonl` has every run. Processor seconds",
        "include the grades. Five numbers are the least, the quartiles, and the greatest.",
    ]
    for size in ("3x3", "4x4"):
        if not of[size]:
            continue
        found = of[size]
        text += [
            "",
            f"## Hexapawn {size}",
            "",
            f"{found[0]['decisions']:,} decisions, {found[0]['parameters']:,} parameters,"
            f" {found[0]['iterations']} iterations, {len(found)} seeds"
            " (those from 1 on).",
            "",
            "| | |",
            "| --- | --- |",
            f"| wrong, bare | {quartiles([it['wrong'][0] for it in found])} |",
            f"| wrong, searched | {quartiles([it['wrong'][1] for it in found])} |",
            f"| imperfect, bare | {quartiles([it['imperfect'][0] for it in found])} |",
            f"| strongly solved, bare | {sum(it['solved'][0] == 'strongly' for it in found)}"
            f" of {len(found)} |",
            f"| strongly solved, searched | {sum(it['solved'][1] == 'strongly' for it in found)}"
            f" of {len(found)} |",
            f"| processor seconds | {quartiles([it['processor_seconds'] for it in found])} |",
            f"| positions evaluated | {quartiles([it['evaluated'] for it in found])} |",
        ]
    if of["ceiling"]:
        text += [
            "",
            "## Ceiling",
            "",
            "The same networks, trained on the exact values and best moves of all positions for as",
            "many steps (`--preset exact`): what is left is the network's, not the learning's.",
            "",
            "| game | seeds | wrong, bare | imperfect, bare |",
            "| --- | ---: | --- | --- |",
        ]
        for game in dict.fromkeys(it["game"] for it in of["ceiling"]):
            found = [it for it in of["ceiling"] if it["game"] == game]
            text += [
                f"| {game} | {len(found)} | {quartiles([it['wrong'][0] for it in found])}"
                f" | {quartiles([it['imperfect'][0] for it in found])} |"
            ]
    if of["document"]:
        found = of["document"]
        accepted = [sum(match[2] for match in it["matches"]) for it in found]
        text += [
            "",
            "## The learner of the document",
            "",
            '"Mastering Hexapawn AlphaZero-style" prints one run: matches of 20 games won 14, 11, 10,',
            "10, 10 times, then 25 of 25 as black and 15 of 25 as white against an untrained network.",
            f"The same system (`--preset document`) with {len(found)} seeds, five iterations each:",
            "",
            "| | document | this program |",
            "| --- | ---: | --- |",
        ]
        printed = [14, 11, 10, 10, 10]
        for number, won in enumerate(printed):
            here = [sum(it["matches"][number][:2]) for it in found]
            text.append(f"| match {number + 1}, won of 20 | {won} | {quartiles(here)} |")
        text += [
            f"| matches accepted of 5 | 2 | {quartiles(accepted)} |",
            "| against an untrained network, won of 25 as black | 25"
            f" | {quartiles([it['untrained'][1] for it in found])} |",
            "| won of 25 as white | 15"
            f" | {quartiles([it['untrained'][0] for it in found])} |",
            f"| wrong of {found[0]['decisions']} decisions, bare | not printed"
            f" | {quartiles([it['wrong'][0] for it in found])} |",
            "| wrong, after its search | not printed"
            f" | {quartiles([it['wrong'][1] for it in found])} |",
            f"| weakly solved at least, bare | not printed |"
            f" {sum(it['solved'][0] != 'no' for it in found)} of {len(found)} |",
            "",
            "Black wins 3x3 with best play, so 25 of 25 as black says little. Matches are sampled by",
            "visit shares, so a network that is no better is accepted at times; after that the pool of",
            "samples is emptied.",
        ]
    if of["ablations"]:
        text += [
            "",
            "## Ablations",
            "",
            "One thing differs from the standard settings; trainings are cut short, so that they "
            "do not",
            "all end without a wrong move. *Evaluated* and *seconds* (of the processor) are medians.",
        ]
    for game, short in SHORT.items():
        here = [it for it in of["ablations"] if it["game"] == game]
        if not here:
            continue
        text += [
            "",
            f"{game}, {short['iterations']} iterations, {here[0]['decisions']:,} decisions:",
            "",
            "| | seeds | wrong, bare | wrong, searched | evaluated | seconds |",
            "| --- | ---: | --- | --- | ---: | ---: |",
        ]
        for name in ABLATIONS:
            found = [it for it in here if it["name"] == name]
            if found:
                text.append(
                    f"| {name} | {len(found)} | {quartiles([it['wrong'][0] for it in found])}"
                    f" | {quartiles([it['wrong'][-1] for it in found])}"
                    f" | {statistics.median(it['evaluated'] for it in found):,.0f}"
                    f" | {statistics.median(it['processor_seconds'] for it in found):.1f} |"
                )
    if of["ablations"]:
        text += [
            "",
            "What these runs decide, and what they leave open:",
            "",
            *FINDINGS.splitlines(),
        ]
    if of["games"]:
        share = lambda wrong, it: f"{wrong:,} ({100 * wrong / it['decisions']:.2f} %)"
        text += [
            "",
            "## Other boards and games",
            "",
            "One seed each, with fewer iterations than usual (200); beside it the same network, "
            "trained",
            "on exact values for as many steps (its ceiling).",
            "",
            "| game | decisions | parameters | iterations | evaluated | seconds | wrong, bare"
            " | wrong, searched | ceiling, bare |",
            "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
        ]
        standard = [it for it in of["games"] if it["preset"] == "standard"]
        for it in standard:
            exact = [x for x in of["games"] if x["game"] == it["game"] and x["preset"] == "exact"]
            text.append(
                f"| {it['game']} | {it['decisions']:,} | {it['parameters']:,} | {it['iterations']}"
                f" | {it['evaluated']:,} | {it['processor_seconds']:,.0f}"
                f" | {share(it['wrong'][0], it)} | {share(it['wrong'][1], it)}"
                f" | {share(exact[0]['wrong'][0], it) if exact else '-'} |"
            )
        text += [
            "",
            "Wrong moves of the network alone as it learns, in percent of the decisions; seconds of "
            "wall time",
            "on two cores, without grades, at times beside other work:",
            "",
            "| game | seconds | positions evaluated | wrong, % |",
            "| --- | ---: | ---: | ---: |",
        ]
        for it in standard:
            for evaluated, wrong, seconds in it["curve"]:
                share_wrong = 100 * wrong / it["decisions"]
                text.append(f"| {it['game']} | {seconds:,.1f} | {evaluated:,} | {share_wrong:.2f} |")
    return "\n".join(text) + "\n"


def keep_document(lines):
    """Writes the runs of the learner of the document for `anser reproduce hexapawn`."""
    found = sorted((it for it in lines if it["study"] == "document"), key=lambda it: it["seed"])
    if len(found) < len(runs("document")):
        return
    kept_runs = [
        {
            "seed": it["seed"],
            "matches": [match[0] + match[1] for match in it["matches"]],
            "accepted": sum(match[2] for match in it["matches"]),
            "untrained": it["untrained"],
            "decisions": it["decisions"],
            "wrong": it["wrong"][0],
            "wrong_searched": it["wrong"][1],
        }
        for it in found
    ]
    path = ROOT / "crates" / "anser-reproduce" / "data" / "results" / "hexapawn-learner.jsonl"
    path.write_text("".join(json.dumps(run) + "\n" for run in kept_runs))


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    default = ROOT / "target" / "release" / "anser"
    parser.add_argument("--anser", type=Path, default=default, metavar="PROGRAM")
    parser.add_argument("--out", type=Path, default=ROOT / "data" / "results", metavar="OUT")
    parser.add_argument("studies", nargs="*", metavar="STUDY")
    options = parser.parse_args()
    unknown = set(options.studies) - set(STUDIES)
    if unknown:
        sys.exit(f"scripts/learners.py: no study is called {', '.join(sorted(unknown))}")
    path = options.out / "learners.jsonl"
    lines = kept(path)
    for study in options.studies or STUDIES:
        for run in runs(study):
            name, game, preset, seed, settings = run
            if (study, name, game, preset, seed) in lines:
                continue
            line = line_of(study, run, *learn(options.anser, *run[1:]))
            lines[key(line)] = line
            with path.open("a") as file:
                file.write(json.dumps(line) + "\n")
            (options.out / "learner.md").write_text(page(lines.values()))
            print(study, name, game, preset, seed, line["processor_seconds"], line["wrong"], flush=True)
    keep_document(lines.values())
    (options.out / "learner.md").write_text(page(lines.values()))


if __name__ == "__main__":
    main()
