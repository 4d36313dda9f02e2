#!/usr/bin/env bash
# Tests the Python package in virtual environments under target: makes a wheel of its module, installs
# it into an empty environment and imports it, compares stubs and module, and runs the tests with
# everything that they need.
#
#   scripts/test-python.sh [--no-build]        --no-build: the module is built already
#
# Without Python 3.11 or newer nothing is tested; with CI=true that is an error.
set -euo pipefail
cd "$(dirname "$0")/.."
export CARGO_INCREMENTAL=0 CARGO_PROFILE_DEV_DEBUG=0 CARGO_PROFILE_DEV_CODEGEN_UNITS=1
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/target}
export PIP_DISABLE_PIP_VERSION_CHECK=1

python=${PYTHON:-python3}
if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
    echo "skipped: Python 3.11 or newer is missing"
    [ "${CI:-}" != true ] || { echo "with CI=true Python is required" >&2; exit 1; }
    exit 0
fi
part() { printf -- '-- %s (after %d s)\n' "$*" "$SECONDS"; }

part "environments"
tests=$CARGO_TARGET_DIR/python/tests
# Python compiles the modules that are imported, a fraction of all, and keeps them.
unset PYTHONDONTWRITEBYTECODE
install=("$tests/bin/pip" install --quiet --no-compile)
empty=$CARGO_TARGET_DIR/python/empty
wheels=$CARGO_TARGET_DIR/python/wheels
rm -rf "$empty" "$wheels"
[ -x "$tests/bin/pip" ] || "$python" -m venv "$tests"
"$python" -m venv --without-pip "$empty"
"${install[@]}" 'maturin>=1.16,<2' 'wheel>=0.45'
# Requirements of the wheel and its extras, without the wheel.
requirements() {
    "$python" - "$@" <<'PYTHON'
import sys, tomllib
with open("crates/anser-python/pyproject.toml", "rb") as file:
    project = tomllib.load(file)["project"]
extras = project["optional-dependencies"]
needs = [need for extra in sys.argv[1:] for need in extras[extra]]
print(*project["dependencies"], *needs, sep="\n")
PYTHON
}
requirements test openspiel pettingzoo >"$CARGO_TARGET_DIR/python/all.txt"
requirements test pettingzoo >"$CARGO_TARGET_DIR/python/most.txt"
# OpenSpiel has wheels for some versions of Python only, and building it takes an hour.
install_packages() {
    "${install[@]}" --only-binary open_spiel \
        -r "$CARGO_TARGET_DIR/python/all.txt" && return
    echo "skipped: the tests with OpenSpiel, which cannot be installed"
    [ "${CI:-}" != true ] || { echo "with CI=true OpenSpiel is required" >&2; return 1; }
    "${install[@]}" -r "$CARGO_TARGET_DIR/python/most.txt"
}

part "wheel, and packages for the tests"
install_packages &
packages=$!
# `maturin build` compiles the crate alone, with other features of the packages that it shares with the
# workspace, and so most of them again.
[ "${1:-}" = --no-build ] || cargo build --locked -p anser-python
content=$CARGO_TARGET_DIR/python/content
rm -rf "$content"
mkdir -p "$content" "$wheels"
(cd crates/anser-python && "$tests/bin/maturin" pep517 write-dist-info \
    --metadata-directory "$content" --interpreter "$tests/bin/python") >/dev/null
cp -r crates/anser-python/python/anser "$content"
case $(uname) in Darwin) library=lib_anser.dylib ;; *) library=lib_anser.so ;; esac
cp "$CARGO_TARGET_DIR/debug/$library" "$content/anser/_anser.abi3.so"
"$tests/bin/python" -m wheel pack --dest-dir "$wheels" "$content" >/dev/null
wheel=("$wheels"/anser-*.whl)
wait "$packages"

part "an empty environment"
"$tests/bin/pip" --python "$empty/bin/python" install --quiet "${wheel[0]}"
(cd "$wheels" && "$empty/bin/python" -c '
import anser
game = anser.Game("fox-geese")
with anser.open_tables(game) as tables:
    assert tables.probe("3/3/7/3F3/3gg2/1g1/1g1 f").outcome == "draw"
    outcomes, plies = tables.probe_many(game.sample(5, 1000))
print("anser", anser.__version__)')

part "stubs"
"${install[@]}" --force-reinstall --no-deps "${wheel[0]}"
"$tests/bin/python" -m mypy.stubtest --mypy-config-file crates/anser-python/pyproject.toml anser._anser
(cd crates/anser-python && "$tests/bin/mypy" --cache-dir "$CARGO_TARGET_DIR/python/mypy" tests)

part "tests"
# The command line, as the tests of the workspace built it, gives the same answers.
binary=$CARGO_TARGET_DIR/debug/anser
[ -x "$binary" ] || cargo build --locked -p anser
(cd crates/anser-python && ANSER_BINARY=$binary "$tests/bin/python" -m pytest --quiet \
    -p no:cacheprovider --durations=8)
part "the Python package is tested"
