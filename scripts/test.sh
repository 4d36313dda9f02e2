#!/usr/bin/env bash
# Everything that has to hold before a change lands: format, lints, documentation, tests, examples in the documentation,
# fuzz targets, licences and sources of what is built in. The tests that take minutes are in scripts/slow-tests.sh.
#
# With CI=true nothing may be left out for want of a tool.
set -euo pipefail
cd "$(dirname "$0")/.."

# The version that deny.toml is written for.
cargo_deny=0.20.2

step() { printf '\n== %s\n' "$*"; }

step "format"
cargo fmt --all --check
step "lints"
cargo clippy --workspace --all-targets --locked -- -D warnings
step "documentation"
RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked
step "tests, and examples in the documentation"
cargo test --workspace --locked
step "the specification, by a reader in another language"
if command -v python3 >/dev/null; then
    python3 scripts/read_table.py data/fixtures/v1/fox-geese.first-capture.L04.wdl.anser \
        --check data/known/fox-geese.first-capture.L04.csv
else
    echo "left out: there is no python3"
    [ "${CI:-}" != true ] || { echo "CI=true allows nothing to be left out" >&2; exit 1; }
fi
step "fuzz targets, five seconds each, and the form that the fuzzer takes them in"
ANSER_FUZZ_SECONDS=5 cargo test -p anser-table --test fuzz --locked -- --nocapture
cargo check --manifest-path fuzz/Cargo.toml --locked
step "licences and sources of dependencies"
if [ "$(cargo deny --version 2>/dev/null)" != "cargo-deny $cargo_deny" ]; then
    cargo install cargo-deny --locked --version "=$cargo_deny"
fi
# Advisories need the database of security advisories, which not every machine can fetch: cargo deny check advisories.
cargo deny --log-level error check bans licenses sources
cargo deny --log-level error --manifest-path fuzz/Cargo.toml --config deny.toml check bans licenses sources

step "all of it passed"
