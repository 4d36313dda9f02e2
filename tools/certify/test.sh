#!/usr/bin/env bash
# Tests the checker: certifies fresh and shipped tables, and finds each of 1,000 altered values.
#
#   ANSER=path/to/anser tools/certify/test.sh
#
# Needs a C compiler, zstd with its header, and Python 3. Takes about a minute.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
anser=${ANSER:?set ANSER to the program}
fixtures=${FIXTURES:-$here/../../data/fixtures/v1}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"${CC:-cc}" -std=c11 -O2 -Wall -Wextra -pthread "$here/certify.c" -lzstd -o "$work/certify"

# Certifies every table of a directory; each must pass.
certify_all() {
    local file out count=0
    for file in "$1"/*.dtw.anser "$1"/*.dtw.anserz; do
        [ -e "$file" ] || continue
        out=$("$work/certify" "$file" 2>&1) || { echo "$file is not certified"; echo "$out"; exit 1; }
        count=$((count + 1))
    done
    [ $count -gt 0 ] || { echo "no tables in $1"; exit 1; }
    echo "$1: $count tables certified" | sed "s|$work/||"
}
solve() {
    "$anser" solve "$@" --metric dtw > /dev/null 2>&1 || { echo "anser solve $*: failed"; exit 1; }
}

for rules in free first-capture forward free+compulsory first-capture+orthogonal; do
    most=5
    [ $rules != free ] || most=6
    solve fox-geese --rules $rules --layers 1-$most --tables "$work/$rules"
    "$anser" pack fox-geese --rules $rules --metric dtw --tables "$work/$rules" \
        --out "$work/$rules-packed" > /dev/null 2>&1
    certify_all "$work/$rules"
    certify_all "$work/$rules-packed"
done
# Hands, passes, captures, a limit of plies, ends with conditions, several of the few.
solve hare-hounds --rules budget-60 --tables "$work/hunts"
solve haretavl --tables "$work/hunts"
solve huli-mane --tables "$work/hunts"
solve bam-blang --tables "$work/hunts"
solve vendsyssel --tables "$work/hunts"
solve kaooa --rules 7-four --tables "$work/hunts"
solve hat-diviyan --rules placement-pass --tables "$work/hunts"
solve ludus-coriovalli --rules 3-2-j2 --tables "$work/hunts"
solve uxrijn-ever --tables "$work/hunts"
"$anser" pack --metric dtw --tables "$work/hunts" --out "$work/hunts-packed" > /dev/null 2>&1
certify_all "$work/hunts"
certify_all "$work/hunts-packed"

# Shipped fixtures of a supported kind: in place of the fresh tables, and by themselves.
for file in "$fixtures"/hare-hounds.*.L30.dtw.anser "$fixtures"/hare-hounds.*.L30.dtw.anserz; do
    cp "$file" "$work/hunts"
    "$work/certify" "$work/hunts/$(basename "$file")" > /dev/null || { echo "$file: fails"; exit 1; }
    echo "$(basename "$file"): certified"
done
for file in "$fixtures"/fox-geese.first-capture.*.dtw.anser*; do
    "$work/certify" "$file" > /dev/null || { echo "$file is not certified"; exit 1; }
    echo "$(basename "$file"): certified"
done
# A layer whose lower layer is absent is refused.
mkdir "$work/alone"
cp "$work/free/fox-geese.free.L05.dtw.anser" "$work/alone"
rc=0
"$work/certify" "$work/alone/fox-geese.free.L05.dtw.anser" > /dev/null 2>&1 || rc=$?
[ $rc -eq 2 ] || { echo "a layer without the one below: exit status $rc, expected 2"; exit 1; }

# Headers that lead a checker astray, and a layer under the name of another: all are refused.
cat > "$work/header.py" << 'PYTHON'
"""Writes fields of headers and expects exit status 2."""
import os, shutil, struct, subprocess, sys

certify, raw, packed = sys.argv[1:]
FIELDS = [
    (raw, 320, "<B", [1, 2, 3]), (raw, 324, "<I", [64]), (raw, 10, "<B", [1, 2]), (raw, 122, "<B", [0]),
    (raw, 123, "<B", [0, 1, 17]), (raw, 120, "<H", [4, 6]), (raw, 146, "<H", [1, 2]),
    (raw, 152, "<Q", [0, 1 << 40]), (raw, 232, "<Q", [0, 4096, (1 << 64) - 4096]),
    (raw, 240, "<Q", [(1 << 64) - 8]), (raw, 344, "<Q", [0, 1 << 63]), (raw, 352, "<Q", [0, 1 << 62]),
    (packed, 320, "<B", [0, 4]), (packed, 324, "<I", [0, 1 << 30]),
    (packed, 232, "<Q", [(1 << 64) - 4096]), (packed, 11, "<B", [0]), (packed, 144, "<H", [2]),
]
for path, offset, form, values in FIELDS:
    original = open(path, "rb").read()
    for value in values:
        data = bytearray(original)
        struct.pack_into(form, data, offset, value)
        open(path, "wb").write(data)
        ran = subprocess.run(
            [certify, path], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        open(path, "wb").write(original)
        code = ran.returncode
        if code != 2:
            sys.exit("%s: %d at byte %d: exit status %d, expected 2" % (path, value, offset, code))
other = raw.replace(".L05.", ".L09.")
shutil.copy(raw, other)
code = subprocess.run([certify, other], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
os.remove(other)
sys.exit(code != 2 and "a table under the name of another layer: exit status %d, expected 2" % code)
PYTHON
python3 "$work/header.py" "$work/certify" "$work/free/fox-geese.free.L05.dtw.anser" \
    "$work/free-packed/fox-geese.free.L05.dtw.anserz"
echo "altered headers: refused"

cat > "$work/alter.py" << 'PYTHON'
"""Alters single values of raw tables, each to another code that the header allows."""
import os, random, struct, subprocess, sys

certify, scratch, tables = sys.argv[1], sys.argv[2], sys.argv[3:]
rng, found, causes = random.Random(1), 0, {}
for path, times in (item.rsplit(":", 1) for item in tables):
    with open(path, "rb") as file:
        data = bytearray(file.read())
    bits, entries = data[123], struct.unpack_from("<2Q", data, 152)
    tops = struct.unpack_from("<4H", data, 368)
    copy = os.path.join(os.path.dirname(path), os.path.basename(path))
    original = bytes(data)
    for _ in range(int(times)):
        side = rng.randrange(2)
        entry = rng.randrange(entries[side])
        group = (0 if side == 0 else -(-entries[0] // 64)) + entry // 64
        words = [4096 + 8 * (group * bits + bit) for bit in range(bits)]
        old = sum((data[at + entry % 64 // 8] >> entry % 8 & 1) << bit for bit, at in enumerate(words))
        allowed = [0] + [c for c in range(1, 1 << bits) if c <= tops[2 * side + (c + 1) % 2]]
        allowed = [c for c in allowed if c != old]
        if not allowed:
            continue
        new = rng.choice(allowed)
        for bit, at in enumerate(words):
            byte = at + entry % 64 // 8
            data[byte] = data[byte] & ~(1 << entry % 8) | (new >> bit & 1) << entry % 8
        with open(path, "wb") as file:
            file.write(data)
        run = subprocess.run([certify, "--threads", "1", path], stdout=subprocess.PIPE, text=True)
        cause = [line for line in run.stdout.splitlines() if line.startswith("fails ")]
        if run.returncode != 1 or not cause or "_ok" not in cause[0]:
            sys.exit("not found: %s, side %d, entry %d: code %d for %d, exit status %d, %s"
                     % (path, side, entry, new, old, run.returncode, cause))
        found += 1
        causes[cause[0]] = causes.get(cause[0], 0) + 1
        data = bytearray(original)
    with open(path, "wb") as file:
        file.write(original)
print("%d altered values found: %s" % (found, ", ".join("%s %d" % c for c in sorted(causes.items()))))
sys.exit(found < 1000)
PYTHON
python3 "$work/alter.py" "$work/certify" "$work" \
    "$work/free/fox-geese.free.L04.dtw.anser:30" "$work/free/fox-geese.free.L05.dtw.anser:10" \
    "$work/forward/fox-geese.forward.L04.dtw.anser:30" \
    "$work/hunts/hare-hounds.budget-60.L40.dtw.anser:200" \
    "$work/hunts/haretavl.standard.L00.dtw.anser:200" \
    "$work/hunts/huli-mane.standard.L10.dtw.anser:200" \
    "$work/hunts/kaooa.7-four.L50.dtw.anser:200" \
    "$work/hunts/vendsyssel.standard.L03.dtw.anser:150" \
    "$work/hunts/bam-blang.standard.L03.dtw.anser:60"
echo "all tests passed"
