#!/usr/bin/env bash
# Solves and packs layers of Fox-and-Geese under the three main rule sets, outcomes and distances,
# and compares the digests of the values, the BLAKE3 of the raw payloads, with
# data/known/fox-geese-payloads.blake3. They do not depend on the version of anser. All nine layers
# take four minutes on two cores and 2 GB of disk.
#
#   scripts/table-digests.sh [LAST_LAYER]      1 to 9, default 9
set -euo pipefail
cd "$(dirname "$0")/.."
last=${1:-9}
known=$PWD/data/known/fox-geese-payloads.blake3
cargo build --release --locked -p anser
anser=$PWD/target/release/anser
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
# Prints digest and name of each table in a directory, under the name of the raw table.
payloads() {
    for table in "$1"/*.anser*; do
        name=$(basename "$table")
        echo "$("$anser" info "$table" | sed -n 's/.*BLAKE3 (as raw) //p')  ${name%.anser*}.anser"
    done
}
for rules in first-capture free forward; do
    for metric in wdl dtw; do
        "$anser" solve fox-geese --rules "$rules" --layers "1-$last" --metric "$metric" \
            --tables "$dir" >/dev/null
        "$anser" pack fox-geese --rules "$rules" --metric "$metric" --tables "$dir" \
            --out "$dir/packed" >/dev/null
        # Of raw tables, this compares the values with the digest.
        "$anser" verify fox-geese --rules "$rules" --metric "$metric" --tables "$dir" >/dev/null
        for tables in "$dir" "$dir/packed"; do
            diff <(grep -E "fox-geese\.$rules\.L0[1-$last]\.$metric\." "$known") <(payloads "$tables")
        done
        rm "$dir"/*.anser "$dir"/packed/*.anserz
    done
done
echo "layers 1 to $last: every table has its known values"
