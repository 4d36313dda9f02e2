#!/usr/bin/env bash
# Runs the fuzz targets under cargo-fuzz, SECONDS_EACH (60) seconds each, from the kept seeds: ./scripts/fuzz.sh [TARGET...]
# Without the fuzzer, `ANSER_FUZZ_SECONDS=60 cargo test -p anser-table --test fuzz` does the same less cleverly.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v cargo-fuzz >/dev/null || cargo install cargo-fuzz --locked
[ $# -gt 0 ] || set -- notation header manifest frame damaged forged
for target in "$@"; do
    mkdir -p "fuzz/corpus/$target" "fuzz/seeds/$target"
    # -s none leaves the address sanitizer out, which needs a nightly compiler.
    cargo fuzz run -s none "$target" "fuzz/corpus/$target" "fuzz/seeds/$target" -- \
        -max_total_time="${SECONDS_EACH:-60}" -max_len=8192
done
