#!/usr/bin/env bash
# The plain oracle against the engine on every position of layers 7 and 8 of first-capture: four minutes,
# and 2 GB of memory. What it printed is kept in data/benchmarks.md. The other layers and rule sets are in the test suite.
set -euo pipefail
cd "$(dirname "$0")/.."
exec cargo test --release --locked -p anser-solve --test it oracle:: -- --ignored --nocapture --test-threads 1
