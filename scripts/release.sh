#!/usr/bin/env bash
# Makes the files of a release from the commit that is checked out, and tests them.
#
#   scripts/release.sh [--out DIR] [--no-test]
#
# DIR [default: target/release-VERSION] gets
#   anser-VERSION-x86_64-unknown-linux-gnu.tar.gz   the program, manual pages, completions, licenses
#   anser-VERSION-cp311-abi3-manylinux_2_28_x86_64.whl and anser-VERSION.tar.gz    for Python
#   crates/*.crate                                  the packages of Rust, as `cargo publish` sends them
#   anser-site-VERSION.tar.gz                       a site with small games, and with Fox-and-Geese
#                                                   to seven geese
#   *.cdx.json                                      the components, with versions, as CycloneDX
#   SHA256SUMS
# The same commit gives the same bytes, in whatever directory it is built, with the same versions of
# Rust and of the tools below. Takes ten minutes on two cores, and five more the first time. Needs
# Rust, Python 3.11 or newer, npm, git, and GNU tar; fetches the tools from crates.io and PyPI into
# target/release-tools.
set -euo pipefail
cd "$(dirname "$0")/.."

tools=(maturin==1.16.0 cargo-zigbuild==0.24.1 ziglang==0.17.1)
cargo_tools=(cargo-cyclonedx@0.5.9 "cargo-about@0.9.3 --features cli")
# The oldest glibc that the program and the wheel run with: Debian 10, RHEL 8, Ubuntu 18.10.
glibc=2.28
target=x86_64-unknown-linux-gnu
features=learn,fetch

usage() { sed -n '2,/^set/s/^# \{0,1\}//p' "$0" | sed '$d'; exit 2; }
step() { printf '\n== %s (after %d s)\n' "$*" "$SECONDS" >&2; }
fail() { echo "release.sh: $*" >&2; exit 1; }

out='' test=true
while [ $# -gt 0 ]; do
    case $1 in
    --out) out=${2:?}; shift 2 ;;
    --no-test) test=false; shift ;;
    *) usage ;;
    esac
done
for tool in cargo python3 npm git tar; do
    command -v "$tool" >/dev/null || fail "$tool is missing"
done
[ -z "$(git status --porcelain)" ] || fail "the checkout has changes; commit or stash them"
version=$(cargo metadata --no-deps --format-version 1 --locked |
    python3 -c 'import json, sys
packages = json.load(sys.stdin)["packages"]
print(next(package["version"] for package in packages if package["name"] == "anser"))')
root=$PWD
out=${out:-target/release-$version}
mkdir -p "$out"
out=$(cd "$out" && pwd)
[ -z "$(ls -A "$out")" ] || fail "$out has files; name an empty directory with --out"

step "tools"
installed=$root/target/release-tools
[ -x "$installed/python/bin/pip" ] || python3 -m venv "$installed/python"
"$installed/python/bin/pip" install --quiet --disable-pip-version-check "${tools[@]}"
for tool in "${cargo_tools[@]}"; do
    # shellcheck disable=SC2086
    cargo install --quiet --locked --root "$installed" $tool
done
export PATH=$installed/bin:$installed/python/bin:$PATH

step "a clone of the commit"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
git clone --quiet --no-hardlinks "$root" "$work/anser"
cd "$work/anser"
commit=$(git rev-parse HEAD)
[ "$commit" = "$(git -C "$root" rev-parse HEAD)" ] || fail "the clone has another commit"

# Nothing of this machine or of the time gets into the files.
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH TZ=UTC LC_ALL=C
umask 022
export CARGO_INCREMENTAL=0 CARGO_PROFILE_RELEASE_STRIP=symbols CARGO_TARGET_DIR=$work/target
cargo fetch --quiet --locked
flags=() cflags=()
remap() {
    flags+=("--remap-path-prefix=$1=$2")
    cflags+=("-ffile-prefix-map=$1=$2")
}
remap "$work/target" target
remap "$work/anser" anser
for sources in "${CARGO_HOME:-$HOME/.cargo}"/registry/src/*; do
    remap "$sources" crates
done
CARGO_ENCODED_RUSTFLAGS=$(IFS=$'\x1f'; echo "${flags[*]}")
export CARGO_ENCODED_RUSTFLAGS CFLAGS="${cflags[*]}"
pack() {  # archive, directory in $work: the same files give the same archive
    tar --create --sort=name --format=gnu --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 \
        --numeric-owner --directory "$work" "$2" | gzip --no-name --best >"$1"
}

step "the program"
cargo zigbuild --quiet --release --locked -p anser --features "$features" --target "$target.$glibc"
program=$work/target/$target/release/anser

step "licenses and components"
python3 - deny.toml >"$work/about.toml" <<'PYTHON'
import sys, tomllib
with open(sys.argv[1], "rb") as file:
    licenses = tomllib.load(file)["licenses"]
with open("Cargo.lock", "rb") as file:
    packages = {package["name"] for package in tomllib.load(file)["package"]}
print(f"accepted = {licenses['allow']}")
for exception in licenses.get("exceptions", []):
    if exception["crate"] in packages:
        print(f"[{exception['crate']}]\naccepted = {exception['allow']}")
PYTHON
cat >"$work/about.hbs" <<'TEMPLATE'
This program contains these libraries of others, each under the license below.
{{#each licenses}}

----------------------------------------------------------------------
{{{name}}}
{{#each used_by}}
  {{crate.name}} {{crate.version}}
{{/each}}

{{{text}}}
{{/each}}
TEMPLATE
licenses() {  # package, features
    cargo about generate --config "$work/about.toml" --manifest-path "$1/Cargo.toml" --features "$2" \
        --target "$target" --locked --offline --fail "$work/about.hbs"
}
licenses tools/anser "$features" >"$work/LICENSE-THIRD-PARTY"
cargo cyclonedx --quiet --manifest-path tools/anser/Cargo.toml --format json --describe binaries \
    --no-build-deps --spec-version 1.5 --target "$target" --features "$features"
for file in tools/anser/anser_bin:anser crates/anser-python/_anser_cdylib:anser-python; do
    sed "s|$work/||g" "${file%:*}.cdx.json" >"$out/${file#*:}-$version.cdx.json"
done
git clean --quiet --force -- '*.cdx.json'

step "the archive"
name=anser-$version-$target
mkdir -p "$work/$name/completions"
cp "$program" README.md CHANGELOG.md LICENSE-APACHE LICENSE-MIT "$work/LICENSE-THIRD-PARTY" \
    "$work/$name"
cp -r docs "$work/$name"
"$program" man --out "$work/$name/man/man1"
for shell in bash fish zsh; do
    "$program" completions "$shell" >"$work/$name/completions/anser.$shell"
done
pack "$out/$name.tar.gz" "$name"

step "the Python package"
(cd crates/anser-python && maturin sdist --out "$out")
# The wheel has the licenses of the libraries in it.
licenses crates/anser-python '' >crates/anser-python/LICENSE-THIRD-PARTY
(cd crates/anser-python && maturin build --quiet --release --locked --zig --target "$target" \
    --compatibility "manylinux_${glibc/./_}" \
    --sbom-include "$out/anser-python-$version.cdx.json" --out "$out")
rm crates/anser-python/LICENSE-THIRD-PARTY

step "the packages of Rust"
names=()
while read -r package; do names+=("$package"); done < <(
    CARGO_ENCODED_RUSTFLAGS='' cargo run --quiet --locked -p anser-checks -- packages)
cargo package --quiet --locked --no-verify "${names[@]/#/--package=}"
mkdir "$out/crates"
cp "$work"/target/package/*.crate "$out/crates"

step "the site"
tables=$work/tables
solve() { "$program" solve "$@" --metric wdl,dtw --packed --tables "$tables" >/dev/null 2>&1; }
for rules in free first-capture forward; do solve fox-geese --rules "$rules" --layers 1-7; done
for game in fox-hounds:8 hasenspiel hare-hounds hexapawn:3x3 hexapawn:4x4; do solve "$game"; done
# The rule sets of all hunts that have at most a million positions, but for the 128 of one game.
python3 - data/games/readings.csv >"$work/hunts" <<'PYTHON'
import csv, sys
rows = csv.DictReader(open(sys.argv[1]))
small = {(row["game"], row["rules"]) for row in rows if int(row["positions"]) <= 1_000_000}
print(*(f"{game} {rules}" for game, rules in sorted(small) if game != "ludus-coriovalli"), sep="\n")
PYTHON
while read -r game rules; do solve "$game" --rules "$rules"; done <"$work/hunts"
"$program" site --tables "$tables" --out "$work/anser-site-$version" >/dev/null
pack "$out/anser-site-$version.tar.gz" "anser-site-$version"

step "digests"
(cd "$out" && find . -type f -printf '%P\n' | sort | xargs sha256sum >"$work/SHA256SUMS" &&
    cp "$work/SHA256SUMS" .)
cat "$out/SHA256SUMS"

if $test; then
    step "tests"
    "$root/scripts/test-release.sh" "$out"
fi
step "the release is in $out"
