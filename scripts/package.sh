#!/usr/bin/env bash
# Packs every published package as `cargo publish` would, and checks the packages of the core and
# the reader from their archives, without the workspace. With --all it checks every package.
# CHECKS is the program anser-checks, if it is built already.
set -euo pipefail
cd "$(dirname "$0")/.."

checks=(cargo run --quiet --locked -p anser-checks --)
[ -z "${CHECKS:-}" ] || checks=("$CHECKS")
names=()
while read -r name; do
    names+=("$name")
done < <("${checks[@]}" packages)

# Includes uncommitted changes. Nothing is published.
cargo package --quiet --locked --allow-dirty --no-verify "${names[@]/#/--package=}"

# Cargo would build them from a registry of its own. But it unpacks an archive into its cache only
# once per version, so that it would build an older state of the packages below without a word.
[ "${1:-}" = --all ] || names=(anser-core anser-table)
unpacked=$(mktemp -d)
trap 'rm -rf "$unpacked"' EXIT
{
    printf '[workspace]\nresolver = "3"\nmembers = ["*-*"]\n[patch.crates-io]\n'
    for name in "${names[@]}"; do
        archive=(target/package/"$name"-[0-9]*.crate)
        tar --extract --touch --gzip --file "${archive[-1]}" --directory "$unpacked"
        printf '%s.path = "%s"\n' "$name" "$(basename "${archive[-1]}" .crate)"
    done
} >"$unpacked/Cargo.toml"
# The same versions of dependencies.
cp Cargo.lock "$unpacked"
CARGO_TARGET_DIR=$PWD/target cargo check --lib --manifest-path "$unpacked/Cargo.toml" --workspace
