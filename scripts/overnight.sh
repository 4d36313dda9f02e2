#!/usr/bin/env bash
# Solves a whole game: all layers, their checksums, packed tables, a full check of every packed
# value, and SHA256SUMS. The packed tables are in DIR/ship.
#
#   scripts/overnight.sh [RULES [DIR]]        rules: free (the default), first-capture, forward, ...
#
# If it is interrupted at any time, run it again: it resumes. With KEEP_RAW=no each layer is packed
# once it is solved, and its raw table is removed, which takes a fraction of the disk space. ANSER
# names the program, which is built otherwise; LAYERS names some of the layers, for example
# LAYERS=1-8; METRIC=wdl,dtw adds distances to the outcomes. Other variables of anser apply.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
rules=${1:-free}
dir=${2:-$rules}
layers=${LAYERS:-}
metric=${METRIC:-wdl}
anser=${ANSER:-}

if [ -z "$anser" ]; then
    (cd "$root" && cargo build --release --locked --quiet -p anser)
    anser=$root/target/release/anser
fi

step() { printf '\n[%s] %s\n' "$(date '+%F %T')" "$*"; }
some=(--rules "$rules")
[ -z "$layers" ] || some+=(--layers "$layers")

mkdir -p "$dir/ship"
if [ -f "$dir/ship/SHA256SUMS" ]; then
    (cd "$dir/ship" && sha256sum --check --quiet SHA256SUMS)
    step "already done: $dir/ship has the checksums of SHA256SUMS"
    exit 0
fi

if [ "${KEEP_RAW:-yes}" = no ]; then
    step "solving and packing"
    "$anser" solve "${some[@]}" --metric "$metric" --tables "$dir/ship" --packed
else
    step "solving"
    "$anser" solve "${some[@]}" --metric "$metric" --tables "$dir/raw"

    step "checking the raw tables"
    "$anser" verify "${some[@]}" --tables "$dir/raw"

    step "packing"
    "$anser" pack "${some[@]}" --tables "$dir/raw" --out "$dir/ship"
fi

step "checking every value of the packed tables"
"$anser" verify "${some[@]}" --tables "$dir/ship" --full

step "writing checksums"
(
    cd "$dir/ship"
    sha256sum ./*.anserz ./*.manifest.json > .SHA256SUMS.part
    mv .SHA256SUMS.part SHA256SUMS
)
"$anser" info "$dir/ship"
step "ready to ship: $dir/ship"
