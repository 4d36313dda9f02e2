#!/usr/bin/env bash
# Measures `anser serve` on loopback: single probes by 64 connections (with wrk), and a streamed batch
# of 1,000,000 positions, from raw and from packed tables of Fox-and-Geese with up to 8 geese.
# Needs a release build, wrk, curl, and Python 3.
set -euo pipefail
cd "$(dirname "$0")/.."

anser=$PWD/target/release/anser
dir=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -r "$dir"' EXIT
game="game=fox-geese&rules=first-capture"

python3 - "$dir" "$game" <<'PYTHON'
import json, random, sys

random.seed(5)

def position(geese):
    """A fox and `geese` geese on random points, in the notation of Fox-and-Geese."""
    points = random.sample(range(33), geese + 1)
    board = ["g" if point in points[1:] else "F" if point == points[0] else "." for point in range(33)]
    rows, begin = [], 0
    for length in (3, 3, 7, 7, 7, 3, 3):
        row, empty = "", 0
        for piece in board[begin : begin + length] + [""]:
            if piece == ".":
                empty += 1
            else:
                row, empty = row + (str(empty) if empty else "") + piece, 0
        rows.append(row)
        begin += length
    return "/".join(rows) + random.choice([" f", " g"])

directory, game = sys.argv[1:]
with open(f"{directory}/paths", "w") as file:
    for _ in range(20_000):
        place = position(random.randint(4, 8)).replace(" ", "_")
        file.write(f"/api/v1/probe?{game}&position={place}\n")
with open(f"{directory}/lines", "w") as file:
    file.writelines(json.dumps(position(random.randint(4, 8))) + "\n" for _ in range(1_000_000))
PYTHON
cat >"$dir/load.lua" <<LUA
local paths, number = {}, 0
for line in io.lines("$dir/paths") do paths[#paths + 1] = line end
request = function() number = number % #paths + 1; return wrk.format("GET", paths[number]) end
LUA

"$anser" solve fox-geese --rules first-capture --layers 1-8 --tables "$dir/raw" >/dev/null 2>&1
"$anser" pack fox-geese --rules first-capture --tables "$dir/raw" --out "$dir/packed" >/dev/null 2>&1
for tables in raw packed; do
    printf '\n== %s tables\n' "$tables"
    "$anser" serve --listen 127.0.0.1:0 --tables "$dir/$tables" >"$dir/address" &
    server=$!
    until [ -s "$dir/address" ]; do sleep 0.1; done
    address=$(cat "$dir/address")
    # The second run has the blocks in the cache.
    wrk -t1 -c64 -d3s -s "$dir/load.lua" "$address" >/dev/null
    wrk -t1 -c64 -d10s --latency -s "$dir/load.lua" "$address" |
        grep -E 'Requests/sec|50%|99%|Non-2xx' || true
    curl -s -H 'content-type: application/x-ndjson' -H 'expect:' -X POST -T "$dir/lines" \
        -o "$dir/answers" -w 'streamed batch: %{time_total} s\n' "$address/api/v1/probe?$game"
    printf 'answers: %s, errors: %s\n' "$(wc -l <"$dir/answers")" \
        "$(grep -c '"error"' "$dir/answers" || true)"
    grep VmHWM "/proc/$server/status"
    kill "$server"
    wait "$server" || true
    server=
    rm "$dir/address"
done
