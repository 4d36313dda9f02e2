#!/usr/bin/env bash
# The tests that take minutes or gigabytes, and so are marked `ignored`: every one of them, in every crate. Wrong values and
# foundations in layer 6, the oracle on layers 7 and 8 of first-capture (scripts/oracle.sh runs these alone), and
# Fox-and-Hounds on 10 x 10 squares, once by the solver and once by the plain program, which takes many gigabytes.
#
#   scripts/slow-tests.sh [NAME]      only the tests whose name contains NAME
set -euo pipefail
cd "$(dirname "$0")/.."
exec cargo test --release --locked --workspace --tests -- --ignored --nocapture --test-threads 1 "$@"
