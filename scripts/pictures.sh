#!/usr/bin/env bash
# Draws the pictures of the page in the README (docs/pictures) with Chromium, as the tests see them.
set -euo pipefail
cd "$(dirname "$0")/.."

out=$(mktemp -d)
trap 'rm -r "$out"' EXIT
CI=true ANSER_PICTURES=$out cargo test -p anser-server --locked --test it -- page::explorer
mkdir -p docs/pictures
for picture in "$out"/*.base64; do
    base64 -d "$picture" >"docs/pictures/$(basename "$picture" .base64)"
done
