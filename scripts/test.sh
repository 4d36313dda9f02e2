#!/usr/bin/env bash
# Runs every check that must pass before a change lands: format, lints, documentation, tests,
# examples in the documentation, fuzz targets, licenses and sources of dependencies.
# scripts/slow-tests.sh runs the tests that take minutes.
#
# With CI=true a missing tool is an error.
set -euo pipefail
cd "$(dirname "$0")/.."

# The version that deny.toml is written for.
cargo_deny=0.20.2

step() { printf '\n== %s\n' "$*"; }

step "format"
cargo fmt --all --check
step "lints"
cargo clippy --workspace --all-targets --locked -- -D warnings
step "the reader with each of its features alone"
for features in "" mmap manifest; do
    cargo check -p anser-table --no-default-features --features "$features" --locked
done
step "documentation"
RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked
step "tests, and examples in the documentation"
cargo test --workspace --locked
step "the specification, with a reader in Python"
if command -v python3 >/dev/null; then
    python3 scripts/read_table.py data/fixtures/v1/fox-geese.first-capture.L04.wdl.anser \
        --check data/known/fox-geese.first-capture.L04.csv
else
    echo "skipped: python3 is missing"
    [ "${CI:-}" != true ] || { echo "with CI=true python3 is required" >&2; exit 1; }
fi
step "fuzz targets, five seconds each, and their build for cargo-fuzz"
ANSER_FUZZ_SECONDS=5 cargo test -p anser-table --test fuzz --locked -- --nocapture
cargo check --manifest-path fuzz/Cargo.toml --locked
step "licenses and sources of dependencies"
if [ "$(cargo deny --version 2>/dev/null)" != "cargo-deny $cargo_deny" ]; then
    cargo install cargo-deny --locked --version "=$cargo_deny"
fi
# `cargo deny check advisories` needs a database that not every machine can download.
cargo deny --log-level error check bans licenses sources
cargo deny --log-level error --manifest-path fuzz/Cargo.toml --config deny.toml check bans licenses sources

step "all checks passed"
