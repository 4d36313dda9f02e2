#!/usr/bin/env bash
# The whole game while you sleep: solve all layers, check them, pack them, check every value of what was packed, and write
# checksums. What is in DIR/ship in the morning can be given away.
#
#   scripts/overnight.sh [RULES [DIR]]        rules: free (the default), first-capture, forward, ...
#
# It may be interrupted at any instant and started again: it goes on from there. With KEEP_RAW=no the raw tables go once
# all that was packed is found sound. ANSER names the program, if it is not to be built here; LAYERS a part of the game,
# for example LAYERS=1-8; other variables that anser knows are passed on.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
rules=${1:-free}
dir=${2:-$rules}
layers=${LAYERS:-}
anser=${ANSER:-}

if [ -z "$anser" ]; then
    (cd "$root" && cargo build --release --locked --quiet -p anser)
    anser=$root/target/release/anser
fi

step() { printf '\n[%s] %s\n' "$(date '+%F %T')" "$*"; }
some=(--rules "$rules")
[ -z "$layers" ] || some+=(--layers "$layers")

mkdir -p "$dir/raw" "$dir/ship"
if [ -f "$dir/ship/SHA256SUMS" ]; then
    (cd "$dir/ship" && sha256sum --check --quiet SHA256SUMS)
    step "done already: $dir/ship is as its checksums say"
    exit 0
fi

step "solving"
"$anser" solve "${some[@]}" --tables "$dir/raw"

step "checking the raw tables"
"$anser" verify "${some[@]}" --tables "$dir/raw"

step "packing"
"$anser" pack "${some[@]}" --tables "$dir/raw" --out "$dir/ship"

step "checking every value of the packed tables"
"$anser" verify "${some[@]}" --tables "$dir/ship" --full

step "writing checksums"
(
    cd "$dir/ship"
    sha256sum ./*.anserz ./*.manifest.json > .SHA256SUMS.part
    mv .SHA256SUMS.part SHA256SUMS
)
if [ "${KEEP_RAW:-yes}" = no ]; then
    rm -f "$dir"/raw/*.anser
fi
"$anser" info "$dir/ship"
step "ready to ship: $dir/ship"
