#!/usr/bin/env bash
# Everything that has to hold before a change lands: format, lints, documentation, tests, examples in the documentation,
# fuzz targets that build, licences and sources of what is built in.
set -euo pipefail
cd "$(dirname "$0")/.."

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
    echo "left out: there is no python3 here"
fi
step "fuzz targets"
cargo check --manifest-path fuzz/Cargo.toml --locked
step "licences and sources of dependencies"
command -v cargo-deny >/dev/null || cargo install cargo-deny --locked
# Advisories need the database of security advisories, which not every machine can fetch: cargo deny check advisories.
cargo deny --log-level error check bans licenses sources

step "all of it passed"
