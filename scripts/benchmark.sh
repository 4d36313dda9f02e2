#!/usr/bin/env bash
# Measures the figures of data/benchmarks.md: engines side by side, probes, and the whole game.
#
#   scripts/benchmark.sh [DIR]      half an hour on two cores, 20 GB in DIR (default: benchmark)
#   scripts/benchmark.sh --quick    ten minutes, engines and probes only
#
# Run it on an idle machine. Its output is entered into the page by hand, with a description of the
# machine.
set -euo pipefail
cd "$(dirname "$0")/.."

dir=benchmark quick=no
case "${1:-}" in
    --quick) quick=yes ;;
    '') ;;
    *) dir=$1 ;;
esac

section() { printf '\n== %s\n' "$*"; }
timed() {
    local start end
    start=$(date +%s.%N)
    "$@"
    end=$(date +%s.%N)
    printf '%s: %.1f s\n' "$*" "$(echo "$end - $start" | bc)"
}

cargo build --release --locked --quiet -p anser
anser=$PWD/target/release/anser

section "machine"
uname -sr
if command -v lscpu > /dev/null; then lscpu | grep -E '^(Model name|CPU\(s\)|L2|L3)'; fi
if command -v free > /dev/null; then free -h | head -2; fi
rustc --version

section "engines"
cargo bench --locked --quiet -p anser-solve --bench engine

section "probes, layers 4 to 7"
cargo bench --locked --quiet -p anser-solve --bench probes
[ "$quick" = no ] || exit 0

mkdir -p "$dir"
dir=$(cd "$dir" && pwd)
for rules in first-capture free; do
    section "$rules, the whole game"
    timed "$anser" solve --rules "$rules" --tables "$dir/$rules"
    timed "$anser" pack --rules "$rules" --tables "$dir/$rules" --out "$dir/$rules-packed"
    timed "$anser" verify --rules "$rules" --tables "$dir/$rules-packed" --full
    du -sb "$dir/$rules" "$dir/$rules-packed"
    section "$rules, probes of the whole game"
    cargo bench --locked --quiet -p anser-solve --bench probes -- \
        "$rules" 31 "$dir/$rules" "$dir/$rules-packed"
done
