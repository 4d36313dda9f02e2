#!/usr/bin/env bash
# Compares the engines with each other and with the oracle at every position of layers 7 and 8 of
# free, first-capture, and forward, outcomes and distances, and writes data/results/oracle.csv: ten
# minutes on two cores, 8 GB of memory. The test suite covers layers 1 to 4 of all rule sets,
# layer 5 but for switches of forward, and layer 6 of free; scripts/slow-tests.sh covers the others.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo test --release --locked -p anser-solve --test it in_layers_7_and_8 -- \
    --ignored --nocapture --test-threads 1 | tee /dev/stderr | {
    echo "rules,layer,positions,fox,draw,geese,longest_fox,longest_geese,oracle_seconds"
    grep -oE '(free|first-capture|forward),[78],[0-9,]+$'
} >data/results/oracle.csv.new
mv data/results/oracle.csv.new data/results/oracle.csv
