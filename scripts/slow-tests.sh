#!/usr/bin/env bash
# Runs the tests of all crates that take minutes or gigabytes and are therefore ignored: wrong
# values and well-foundedness in layer 6, the oracle on layer 6 of every rule set and on layers 7
# and 8 of three (scripts/oracle.sh runs these alone), games of the catalogue with up to 700,000
# positions, every position of small boards of Hexapawn, Fox-and-Hounds on 10 x 10 squares by
# the solver and by the oracle, which takes many gigabytes, nine layers of the cross by the engine
# of sets, alone and as a rank, and by that of the cross, and every game on the page of the server.
# Then, where MPI is installed, compares more layers on 1 to 8 ranks with those of one process, and,
# where Slurm is installed, too, runs the jobs of scripts/cluster on machines that it emulates. Then
# runs cargo-deny, which takes minutes to build where it is not installed. It reads license texts;
# scripts/test.sh reads declared licenses only.
#
#   scripts/slow-tests.sh [NAME]      runs only the tests whose names contain NAME
set -euo pipefail
cd "$(dirname "$0")/.."

# The version that deny.toml is written for.
cargo_deny=0.20.2

cargo test --release --locked --features anser-solve/cluster --tests -- --ignored --nocapture --test-threads 1 "$@"
[ $# = 0 ] || exit 0
if command -v mpicc >/dev/null; then
    scripts/cluster/test.sh --all
    scripts/cluster/hosts.sh --all
fi
if [ "$(cargo deny --version 2>/dev/null)" != "cargo-deny $cargo_deny" ]; then
    cargo install cargo-deny --locked --version "=$cargo_deny"
fi
# `cargo deny check advisories` needs a database that not every machine can download.
cargo deny --log-level error check bans licenses sources
cargo deny --log-level error --manifest-path fuzz/Cargo.toml --config deny.toml \
    check bans licenses sources
