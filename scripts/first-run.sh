#!/usr/bin/env bash
# From a fresh checkout to an answer: builds, solves seven layers, prints their table, and probes a
# position.
set -euo pipefail
cd "$(dirname "$0")/.."

say() { printf '\n$ %s\n' "$*" >&2; "$@"; }

say cargo build --release --locked -p anser
say ./target/release/anser solve --rules first-capture --layers 1-7
say ./target/release/anser probe --rules first-capture '2F/gg1/7/gg1ggg1/7/3/3 g'
