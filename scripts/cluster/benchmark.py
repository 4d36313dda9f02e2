#!/usr/bin/env python3
"""Solves one layer by one process and by ranks of this machine, and compares them with the plan.

    scripts/cluster/benchmark.py [--ranks 1,2,4] [--threads N] [--out DIR] ANSER GAME RULES FIRST LAST

ANSER is a program that was built with the feature `cluster`. Distances of layer LAST, in which positions
have to repeat; the layers from FIRST on below it are solved before, by one process. Prints a table in
Markdown, a line for each number of ranks, 1 being one process without MPI:

    time        of the whole command: layer, files, and digests
    processor   processor time of all ranks
    sent        bytes that ranks sent each other, per class and round; and what the plan says, per class
                and the rounds that it assumes
    waited      share of its time in which a rank waited for others
    memory      most memory of a rank, and of rank 0, which maps the finished file; and by the plan
    share       the largest memory of a rank other than 0, times ranks, by that of one process

All tables must be the same. Linux; needs mpirun, which binds no rank to a core here.
"""

import argparse, filecmp, json, os, pathlib, re, shutil, subprocess, sys, tempfile, time

UNITS = {"B": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "TiB": 2**40}
# Passes that the plan assumes for a layer in which positions repeat.
PASSES = 6
# Runs a command, and writes the most memory and the processor time that it took to a file.
MEASURE = """
import os, resource, subprocess, sys
code = subprocess.call(sys.argv[2:])
used = resource.getrusage(resource.RUSAGE_CHILDREN)
rank = os.environ.get("OMPI_COMM_WORLD_RANK", "0")
with open(os.path.join(sys.argv[1], rank), "w") as file:
    print(1024 * used.ru_maxrss, used.ru_utime + used.ru_stime, file=file)
sys.exit(code)
"""


def run(command, environment=None):
    ran = subprocess.run(command, capture_output=True, text=True, env=environment)
    if ran.returncode:
        sys.exit(f"{' '.join(map(str, command))}: exit status {ran.returncode}\n{ran.stderr[-2000:]}")
    return ran.stdout, ran.stderr


def size(text):
    number, unit = text.split()
    return float(number) * UNITS[unit]


def gib(bytes):
    return f"{bytes / 2**30:.2f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--ranks", default="1,2,4")
    parser.add_argument("--threads", type=int, default=1, help="of each rank")
    parser.add_argument("--out", help="a directory for the tables, which are removed at the end")
    parser.add_argument("anser"), parser.add_argument("game"), parser.add_argument("rules")
    parser.add_argument("first", type=int), parser.add_argument("layer", type=int, metavar="last")
    of = parser.parse_args()
    work = pathlib.Path(tempfile.mkdtemp(dir=of.out))
    environment = os.environ | {
        "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        "OMPI_MCA_plm": "isolated",
    }
    solve = [of.anser, "solve", of.game, "--rules", of.rules, "--metric", "dtw"]
    try:
        compare(of, solve, work, environment)
    finally:
        shutil.rmtree(work)


def compare(of, solve, work, environment):
    below = work / "below"
    if of.first < of.layer:
        run(solve + ["--layers", f"{of.first}-{of.layer - 1}", "--tables", below])
    below.mkdir(exist_ok=True)
    reference = alone = None
    for ranks in map(int, of.ranks.split(",")):
        dir, measured = work / str(ranks), work / f"measured-{ranks}"
        dir.mkdir(), measured.mkdir()
        for table in below.glob("*.anser"):
            os.link(table, dir / table.name)
        layer = ["--layers", str(of.layer), "--tables", dir, "--threads", str(of.threads)]
        plan = run(solve + layer + ["--dry-run", "--json"] + (["--ranks", str(ranks)] * (ranks > 1)))
        plan = json.loads(plan[0])
        command = [sys.executable, "-c", MEASURE, measured] + solve + layer
        if ranks > 1:
            command = ["mpirun", "--oversubscribe", "--bind-to", "none", "-n", str(ranks)] + command
        begun = time.monotonic()
        _, log = run(command, environment)
        took = time.monotonic() - begun
        used = [tuple(map(float, (measured / str(rank)).read_text().split())) for rank in range(ranks)]
        memory = [most for most, _ in used]
        table = next(dir.glob(f"*.L{of.layer:02}.dtw.anser"))
        reference = reference or table
        if not filecmp.cmp(reference, table, shallow=False):
            sys.exit(f"the table of {ranks} ranks is another one")
        rounds = int(re.search(r" (\d+) rounds?, ", log)[1])
        sent = waited = of_plan = "-"
        if ranks > 1:
            exchanged = re.search(r"sent each other ([^,]+), and waited (\d+) %", log)
            sent = f"{size(exchanged[1]) / plan['classes'] / rounds:.2f}"
            waited = f"{exchanged[2]} %"
            of_plan = f"{plan['traffic']['bytes'] / plan['classes'] / PASSES:.2f}"
        else:
            alone = memory[0]
        if dir.name == of.ranks.split(",")[0]:
            classes = f"{plan['classes']:,} classes, {rounds} rounds"
            print(f"{of.game} {of.rules}, layer {of.layer}: {classes}\n")
            print("| ranks | time | processor | sent | plan | waited | memory | rank 0 | plan | share |")
            print("|---|---|---|---|---|---|---|---|---|---|")
        others = max(memory[1:], default=memory[0])
        share = f"{others * ranks / alone:.2f}" if alone else "-"
        processor = sum(seconds for _, seconds in used)
        print(
            f"| {ranks} | {took:.1f} s | {processor:.0f} s | {sent} | {of_plan} | {waited} | {gib(others)} "
            f"| {gib(memory[0])} GiB | {gib(plan['memory']['needed'])} GiB | {share} |",
            flush=True,
        )


main()
