#!/usr/bin/env bash
# Compares the engine with the oracle at every position of layers 7 and 8 of first-capture: four
# minutes, 2 GB of memory. The test suite covers lower layers and all rule sets. data/benchmarks.md
# has the output.
set -euo pipefail
cd "$(dirname "$0")/.."
exec cargo test --release --locked -p anser-solve --test it oracle:: -- --ignored --nocapture --test-threads 1
