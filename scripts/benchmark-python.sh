#!/usr/bin/env bash
# Measures batches of the Python package beside those of the Rust library, in one run, and the
# answers to a million strings. Needs Python 3.11 or newer. Tables are made in target/python.
#
#     scripts/benchmark-python.sh [POSITIONS] [ROUNDS]
set -euo pipefail
cd "$(dirname "$0")/.."
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/target}
layer=9
place=$CARGO_TARGET_DIR/python/benchmark

[ -x "$place/bin/pip" ] || "${PYTHON:-python3}" -m venv "$place"
"$place/bin/pip" install --quiet ./crates/anser-python
cargo build --release --locked -p anser-games --example probe_batch
"$place/bin/python" - "$place" "$layer" <<'PYTHON'
import sys
import anser
place, layer = sys.argv[1], int(sys.argv[2])
game = anser.Game("fox-geese", rules="free")
anser.solve_to(f"{place}/raw", game, layers=(1, layer))
anser.solve_to(f"{place}/packed", game, layers=(1, layer), packed=True)
PYTHON
"$place/bin/python" scripts/benchmark-python.py "$CARGO_TARGET_DIR/release/examples/probe_batch" \
    "$place/raw" "$place/packed" "$layer" "$@"
