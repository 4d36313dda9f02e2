#!/usr/bin/env bash
# Runs the tests of all crates that take minutes or gigabytes and are therefore ignored: wrong
# values and well-foundedness in layer 6, the oracle on layers 7 and 8 of first-capture
# (scripts/oracle.sh runs these alone), and Fox-and-Hounds on 10 x 10 squares by the solver and by
# the oracle, which takes many gigabytes.
#
#   scripts/slow-tests.sh [NAME]      runs only the tests whose names contain NAME
set -euo pipefail
cd "$(dirname "$0")/.."
exec cargo test --release --locked --workspace --tests -- --ignored --nocapture --test-threads 1 "$@"
