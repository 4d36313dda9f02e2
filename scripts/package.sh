#!/usr/bin/env bash
# Packs every published package as `cargo publish` would, and builds the packages of the core and
# the reader from their archives, without the workspace. With --all it builds every package.
set -euo pipefail
cd "$(dirname "$0")/.."

packages=()
while read -r package; do packages+=(-p "$package"); done < <(cargo run --quiet --locked -p anser-checks -- packages)

# Includes uncommitted changes. Nothing is published.
if [ "${1:-}" = --all ]; then
    cargo package --locked --allow-dirty "${packages[@]}"
else
    cargo package --locked --allow-dirty --no-verify "${packages[@]}"
    cargo package --locked --allow-dirty -p anser-core -p anser-table
fi
