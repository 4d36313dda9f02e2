#!/usr/bin/env bash
# Runs the fuzz targets under cargo-fuzz from the seeds in fuzz/seeds: scripts/fuzz.sh [TARGET...]
# SECONDS_EACH (default: 60) is the time per target. Without cargo-fuzz,
# `ANSER_FUZZ_SECONDS=60 cargo test -p anser-table --test it fuzz` runs them on random mutations.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v cargo-fuzz >/dev/null || cargo install cargo-fuzz --locked
[ $# -gt 0 ] || set -- notation description header manifest frame damaged forged
for target in "$@"; do
    mkdir -p "fuzz/corpus/$target" "fuzz/seeds/$target"
    # -s none: the address sanitizer needs a nightly compiler.
    cargo fuzz run -s none "$target" "fuzz/corpus/$target" "fuzz/seeds/$target" -- \
        -max_total_time="${SECONDS_EACH:-60}" -max_len=8192
done
