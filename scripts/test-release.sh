#!/usr/bin/env bash
# Installs each file of a release (scripts/release.sh) into an empty environment, and uses it: the
# program with an empty home, the wheel without a compiler, a package of Rust in a new project, and
# the site behind a static web server. With OTHER, another release of the same commit, both must have
# the same bytes.
#
#   scripts/test-release.sh DIR [OTHER]
#
# Needs Python 3.11 or newer with access to PyPI (for numpy), Rust for the package, and binutils.
set -euo pipefail

[ $# -ge 1 ] && [ $# -le 2 ] || { sed -n '2,/^set/s/^# \{0,1\}//p' "$0" | sed '$d'; exit 2; }
glibc=2.28
dir=$(cd "$1" && pwd)
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$work"' EXIT
fail() { echo "test-release.sh: $*" >&2; exit 1; }
same() { [ "$2" = "$3" ] || fail "$1: \"$2\" instead of \"$3\""; }
# Fails unless a text has another. No pipe, which would end the program that writes.
has() { grep -qF -e "$3" <<<"$2" || fail "$1"; }
step() { printf -- '-- %s (after %d s)\n' "$*" "$SECONDS"; }
one() {
    # shellcheck disable=SC2206  # a pattern
    local found=("$dir"/$1)
    [ ${#found[@]} = 1 ] && [ -e "${found[0]}" ] || fail "no single $1"
    echo "${found[0]}"
}

step "digests"
(cd "$dir" && sha256sum --check --strict --quiet SHA256SUMS)
same "number of files" "$(find "$dir" -type f ! -name SHA256SUMS | wc -l)" "$(wc -l <"$dir/SHA256SUMS")"
[ $# = 1 ] || cmp "$dir/SHA256SUMS" "$2/SHA256SUMS"

# Fails if a program needs a newer glibc, or has paths of the machine that built it.
check_binary() {
    local newest
    newest=$(objdump -T "$1" | grep -o 'GLIBC_[0-9.]*' | sort -uV | tail -n 1)
    newest=$(printf '%s\n' "$newest" "GLIBC_$glibc" | sort -V | tail -n 1)
    same "newest glibc of $(basename "$1")" "$newest" "GLIBC_$glibc"
    ! grep -qaF -e "${CARGO_HOME:-$HOME/.cargo}/" -e "$root/" "$1" ||
        fail "$(basename "$1") has paths of this machine"
}

step "the program, with an empty home"
archive=$(one 'anser-*-x86_64-unknown-linux-gnu.tar.gz')
tar --extract --file "$archive" --directory "$work"
cd "$work/$(basename "$archive" .tar.gz)"
check_binary anser
mkdir "$work/home"
anser() { env -i HOME="$work/home" "$PWD/anser" "$@"; }
[[ "$(anser --version)" =~ ^anser\ [0-9.]+\ \([0-9a-f]{10}\)$ ]] ||
    fail "the version is $(anser --version)"
has "probe" "$(anser probe --rules first-capture '2F/gg1/7/gg1ggg1/7/3/3 g')" 'won for the geese  b4-c5'
anser solve --rules first-capture --layers 1-5 --metric wdl,dtw --tables "$work/tables" \
    2>/dev/null >/dev/null
anser verify --full --rules first-capture --tables "$work/tables" >/dev/null
for file in LICENSE-{MIT,APACHE,THIRD-PARTY} README.md completions/anser.{bash,fish,zsh}; do
    [ -s "$file" ] || fail "$file is missing"
done
bash -n completions/anser.bash
for command in solve probe serve; do
    [ -s "man/man1/anser-$command.1" ] || fail "no page of $command"
done
for library in zstd-sys memmap2 clap; do
    grep -q "^  $library " LICENSE-THIRD-PARTY || fail "no license of $library"
done
anser serve --listen 127.0.0.1:0 >"$work/address" 2>/dev/null &
server=$!
ask() {
    python3 -c 'import sys, urllib.request as u
print(u.urlopen(sys.argv[1], timeout=10).read().decode())' "$1"
}
for _ in $(seq 50); do [ ! -s "$work/address" ] || break; sleep 0.1; done
start="$(cat "$work/address")/api/v1/probe?game=hexapawn:3x3&position=ppp/3/PPP_w"
has "serve" "$(ask "$start")" '"outcome":"black","dtw":6'
kill "$server"; server=

step "the wheel, without a compiler"
wheel=$(one 'anser-*.whl')
python3 -m venv "$work/python"
python() { env -i HOME="$work/home" PATH="$work/python/bin" "$work/python/bin/python" "$@"; }
# Where a mirror is configured, pip reads it from its configuration.
"$work/python/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: numpy
python -m pip install --quiet --disable-pip-version-check --no-index "$wheel"
same "Python" "$(python -c '
import anser
game = anser.Game("hexapawn:3x3")
print(anser.solve(game).probe(game.start))
with anser.open_tables(anser.Game("fox-geese")) as tables:
    print(tables.probe("3/3/7/3F3/3gg2/1g1/1g1 f").outcome)
' | xargs)" "Value(outcome=black, plies=6) draw"
for library in pyo3 zstd-sys; do
    grep -q "^  $library " \
        "$work"/python/lib/python3*/site-packages/anser-*.dist-info/licenses/LICENSE-THIRD-PARTY ||
        fail "the wheel has no license of $library"
done
check_binary "$(echo "$work"/python/lib/python3*/site-packages/anser/_anser*.so)"
sources=$(tar --list --file "$(one 'anser-[0-9].[0-9].[0-9].tar.gz')")
has "the source package has no Cargo.lock" "$sources" /Cargo.lock

step "a package of Rust, in a new project"
mkdir -p "$work/project/src" "$work/packages"
patches=
for package in "$dir"/crates/*.crate; do
    tar --extract --file "$package" --directory "$work/packages"
    name=$(basename "$package" .crate)
    patches+="${name%-*} = { path = \"$work/packages/$name\" }"$'\n'
done
cat >"$work/project/Cargo.toml" <<TOML
[package]
name = "new-project"
version = "1.0.0"
edition = "2024"

[dependencies]
anser-core = "0.1"
anser-table = "0.1"

[patch.crates-io]
$(grep -E '^anser-(core|table) ' <<<"$patches")
TOML
cat >"$work/project/src/main.rs" <<'RUST'
use anser_core::Hunt;
use anser_table::Tablebase;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let game = Hunt::fox_geese("first-capture")?;
    let dir = std::env::args().nth(1).ok_or("no directory")?;
    let tables = Tablebase::open(game.clone(), [dir])?;
    let position = game.parse_position("gFg/1g1/7/3g3/7/3/3 g")?;
    println!("{:?}", tables.probe_outcome(&position)?);
    Ok(())
}
RUST
same "the package" "$(cd "$work/project" && cargo run --quiet -- "$work/tables")" "Win(Second)"

step "the site, behind a static web server"
site=$(one 'anser-site-*.tar.gz')
tar --extract --file "$site" --directory "$work"
python3 -u -m http.server --bind 127.0.0.1 --directory "$work/$(basename "$site" .tar.gz)" 0 \
    >"$work/served" 2>/dev/null &
server=$!
for _ in $(seq 50); do grep -q 'port' "$work/served" && break; sleep 0.1; done
port=$(sed -n 's/.*port \([0-9]*\).*/\1/p' "$work/served")
has "the page of the site" "$(ask "http://127.0.0.1:$port/")" anser-site
anser fetch "http://127.0.0.1:$port/" --game fox-geese --rules free --out "$work/fetched" \
    >/dev/null 2>&1
same "tables of the site" "$(cd "$work/fetched" && echo *.L07.*)" \
    "fox-geese.free.L07.dtw.anserz fox-geese.free.L07.wdl.anserz"
anser verify --full --rules free --tables "$work/fetched" >/dev/null
kill "$server"; server=

step "the release is sound"
