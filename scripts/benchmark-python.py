"""Measures batches of the Python package beside those of the Rust library.

    benchmark-python.py PROBE_BATCH RAW PACKED LAYER [POSITIONS] [ROUNDS]

PROBE_BATCH is the example `probe_batch` of anser-games, RAW and PACKED are directories with tables of
Fox-and-Geese (rules free). In each round both answer the same positions one after the other, so that
other work on the machine slows down both. The fastest round counts. Strings are timed alone.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import anser
import numpy as np

example, raw, packed, layer = sys.argv[1:5]
positions = int(sys.argv[5]) if len(sys.argv) > 5 else 1_000_000
rounds = int(sys.argv[6]) if len(sys.argv) > 6 else 7

game = anser.Game("fox-geese", rules="free")
codes = game.sample(int(layer), positions, seed=1)


def rust(directory: str, access: str, file: Path) -> float:
    command = [example, "fox-geese", "free", directory, access, str(file), "2"]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def python(directory: str, access: str) -> float:
    with anser.open_tables(game, [directory], access=access, shipped=False) as tables:
        seconds = []
        for _ in range(2):
            begun = time.perf_counter()
            tables.probe_many(codes)
            seconds.append(time.perf_counter() - begun)
        return min(seconds)


with tempfile.TemporaryDirectory() as directory:
    file = Path(directory) / "codes"
    file.write_bytes(np.ascontiguousarray(codes, "<u8").tobytes())
    for name, tables, access in [("raw, mapped", raw, "map"), ("packed, mapped", packed, "map")]:
        found: dict[str, list[float]] = {"rust": [], "python": []}
        for _ in range(rounds):
            found["rust"].append(rust(tables, access, file))
            found["python"].append(python(tables, access))
        library, package = (min(found[kind]) for kind in ["rust", "python"])
        ratios = [a / b for a, b in zip(found["rust"], found["python"])]
        print(
            f"{name}: {positions:,} positions of layer {layer}: "
            f"Rust {positions / library / 1e6:.2f} M/s, Python {positions / package / 1e6:.2f} M/s; "
            f"of the fastest rounds {library / package:.0%}, "
            f"median of the rounds {np.median(ratios):.0%}"
        )

texts = [str(position) for position in game.decode(codes)]
with anser.open_tables(game, [raw], access="map", shipped=False) as tables:
    seconds = []
    for _ in range(rounds):
        begun = time.perf_counter()
        tables.probe_many(texts)
        seconds.append(time.perf_counter() - begun)
print(f"{positions:,} strings: {min(seconds):.2f} s, median {np.median(seconds):.2f} s")
