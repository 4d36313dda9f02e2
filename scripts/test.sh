#!/usr/bin/env bash
# Runs every check that must pass before a change lands: format, lints, documentation, tests, the
# page of the server in a browser, examples in the documentation, public API files, licenses and
# sources of dependencies, the proofs, the checker of tables in C, ranks under MPI, the Python package,
# fuzz targets, and the packing of published packages.
# scripts/slow-tests.sh runs the tests that take minutes each.
#
# With CI=true a missing tool is an error.
set -euo pipefail
cd "$(dirname "$0")/.."

# One profile for all steps, so that no dependency is built twice: that of development without debug
# information and incremental compilation, and with each crate as one unit of code. Code built without
# incremental compilation runs a third faster. One unit saves a quarter of the compiler's work on
# anser-solve, and its tests take a tenth less time. The directory and the level of optimization, that
# of Cargo.toml, are for the fuzz targets and the packages, which are workspaces of their own; the levels
# of packages are in .cargo/config.toml.
export CARGO_INCREMENTAL=0 CARGO_PROFILE_DEV_DEBUG=0 CARGO_PROFILE_DEV_CODEGEN_UNITS=1
export CARGO_PROFILE_DEV_OPT_LEVEL=2 CARGO_TARGET_DIR=$PWD/target
# Seconds per fuzz target in the tests of anser-table.
export ANSER_FUZZ_SECONDS=${ANSER_FUZZ_SECONDS:-3}

step() { printf '\n== %s (after %d s)\n' "$*" "$SECONDS"; }

# Fetches tools that the machine lacks: a browser for the page, Coq for the proofs, zstd's header for
# the checker in C, MPI and libclang for runs on many ranks, axe-core for the accessibility of the
# page, fzstd for the blocks of tables in browsers, TypeScript for the types in the scripts of the
# page, and zstandard for the reader in Python. The steps that need one say that it is missing.
reader=$PWD/target/python/reader
tools() {
    local packages=() others=()
    # The browser without windows takes half the processor time. Not every system has it.
    command -v chromedriver >/dev/null ||
        { packages+=(chromium chromium-driver) others=(chromium-headless-shell); }
    command -v coqc >/dev/null || packages+=(coq)
    [ -e /usr/include/zstd.h ] || packages+=(libzstd-dev)
    command -v mpicc >/dev/null || packages+=(libopenmpi-dev openmpi-bin libclang-dev)
    if [ ${#packages[@]} -gt 0 ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        apt-get update -qq
        export DEBIAN_FRONTEND=noninteractive
        local install=(apt-get install -y -qq --no-install-recommends)
        "${install[@]}" "${packages[@]}" >/dev/null
        [ ${#others[@]} = 0 ] || "${install[@]}" "${others[@]}" >/dev/null || true
    fi
    if command -v npm >/dev/null; then
        for package in axe-core@4.10.3 fzstd@0.1.1 typescript@5.9.3; do
            mkdir -p "target/${package%%[-@]*}"
            (cd "target/${package%%[-@]*}" && npm pack --silent "$package" >/dev/null 2>&1 &&
                tar -xzf "${package/@/-}.tgz") || true
        done
    fi
    if command -v python3 >/dev/null && ! python3 -c 'import zstandard' 2>/dev/null; then
        { [ -x "$reader/bin/pip" ] || python3 -m venv "$reader"; } &&
            "$reader/bin/pip" install --quiet zstandard
    fi
}
# Files of the tests are in memory where there is room: they are few MiB, and forced to disk often.
scratch=
if [ -z "${TMPDIR:-}" ] && [ "$(df --output=avail -k /dev/shm 2>/dev/null | tail -n 1)" -gt 4000000 ] \
    2>/dev/null; then
    scratch=$(mktemp -d /dev/shm/anser.XXXXXX)
    # Some systems run no programs from there, as some tests do.
    printf '#!/bin/sh\n' >"$scratch/program" && chmod +x "$scratch/program"
    ! "$scratch/program" 2>/dev/null || export TMPDIR=$scratch
fi
tools_output=$(mktemp) unbuilt_output=$(mktemp) others_output=$(mktemp)
trap 'rm -rf "$tools_output" "$unbuilt_output" "$others_output" ${scratch:+"$scratch"}' EXIT
tools >"$tools_output" 2>&1 &
tools=$!

step "format"
cargo fmt --all --check
step "tools"
wait "$tools" || true
cat "$tools_output"
if ! command -v chromedriver >/dev/null; then
    echo "skipped: install chromium and chromium-driver"
    [ "${CI:-}" != true ] || { echo "with CI=true a browser is required" >&2; exit 1; }
fi
[ ! -e target/axe/package/axe.min.js ] || export ANSER_AXE=$PWD/target/axe/package/axe.min.js
[ ! -e target/fzstd/package ] || export ANSER_FZSTD=$PWD/target/fzstd/package
selected=(--features anser/learn,anser/fetch,anser-solve/cluster --locked)
if command -v mpicc >/dev/null; then
    selected=(--workspace --features anser/learn,anser/fetch,anser/cluster --locked)
else
    echo "skipped: lints and tests of ranks; install libopenmpi-dev, openmpi-bin, and libclang-dev"
    [ "${CI:-}" != true ] || { echo "with CI=true MPI is required" >&2; exit 1; }
fi
# Runs checks beside others, which leave a core idle at times, and gives way to them, because some tests
# wait for answers.
beside() { (renice -n 10 "$BASHPID" >/dev/null || true; "$1") >"$2" 2>&1 & }

unbuilt() {
    step "the types in the scripts of the page"
    if [ -e target/typescript/package/lib/tsc.js ] && command -v node >/dev/null; then
        node target/typescript/package/lib/tsc.js -p crates/anser-server/jsconfig.json
    else
        echo "skipped: install Node with npm"
        [ "${CI:-}" != true ] || { echo "with CI=true Node with npm is required" >&2; exit 1; }
    fi
    step "the specification, with a reader in Python"
    if command -v python3 >/dev/null; then
        python3 scripts/read_table.py data/fixtures/v1/fox-geese.first-capture.L04.wdl.anser \
            --check data/known/fox-geese.first-capture.L04.csv
    else
        echo "skipped: python3 is missing"
        [ "${CI:-}" != true ] || { echo "with CI=true python3 is required" >&2; exit 1; }
    fi
    step "the proofs"
    if command -v coqc >/dev/null; then
        proofs/check.sh
    else
        echo "skipped: install coq"
        [ "${CI:-}" != true ] || { echo "with CI=true coq is required" >&2; exit 1; }
    fi
}
beside unbuilt "$unbuilt_output"
unbuilt=$!
step "lints, of examples and benchmarks as well"
cargo clippy --all-targets "${selected[@]}" -- -D warnings
# The module of the Python package is a library that no test needs.
step "building the tests, and the module of the Python package"
cargo build --lib --tests "${selected[@]}"

others() {
    step "documentation"
    RUSTDOCFLAGS="-D warnings" cargo doc --no-deps "${selected[@]}"
    step "the reader with each of its features alone"
    for of_reader in "" mmap manifest; do
        cargo clippy -p anser-table --no-default-features --features "$of_reader" --locked -- -D warnings
    done
    step "the command line without the server and learners, and the Python package, each alone"
    cargo clippy -p anser --no-default-features --locked -- -D warnings
    cargo clippy -p anser-python --locked -- -D warnings
    step "the checker of tables in C"
    if [ -e /usr/include/zstd.h ] && command -v python3 >/dev/null; then
        ANSER=target/debug/anser tools/certify/test.sh
    else
        echo "skipped: install libzstd-dev and python3"
        [ "${CI:-}" != true ] || { echo "with CI=true both are required" >&2; exit 1; }
    fi
    if command -v mpicc >/dev/null; then
        step "ranks under MPI"
        ANSER=target/debug/anser scripts/cluster/test.sh
    fi
    step "the Python package"
    scripts/test-python.sh --no-build
    step "fuzz targets, as cargo-fuzz builds them but without the fuzzer"
    cargo check --manifest-path fuzz/Cargo.toml --no-default-features --locked
    step "packages"
    CHECKS=target/debug/anser-checks scripts/package.sh
}
beside others "$others_output"
others=$!
# The tests of anser-checks compare docs/api with the libraries and apply deny.toml.
step "tests, and examples in the documentation"
failed=
PATH=$reader/bin:$PATH cargo test --tests "${selected[@]}" &&
    cargo test --doc "${selected[@]}" || failed="tests failed"
for check in "$unbuilt" "$others"; do
    wait "$check" || failed="${failed:+$failed, and }a check beside the tests failed"
done
cat "$unbuilt_output" "$others_output"
[ -z "$failed" ] || { echo "$failed" >&2; exit 1; }

step "all checks passed"
