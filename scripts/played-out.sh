#!/usr/bin/env bash
# Plays out won positions of Fox-and-Geese from tables of distances: both sides choose at random
# among their best moves, so that every game is another defence. Each must last exactly as many
# plies as the table promises.
#
#   scripts/played-out.sh [RULES [POSITION ...]]
#
# RULES: free (the default), first-capture, ... A POSITION is the name of an opening, or a position;
# the openings with 13, 15, and 17 geese if there is none. The tables are those of ANSER_TABLES; the
# layer of a position and all below it need distances (`anser solve --metric dtw`). GAMES is the
# number of games of each position, 20 otherwise, and SEED the seed of the first. Prints one line of
# JSON per position. ANSER names the program, which is built otherwise.
#
# Exit status: 0 if all games lasted as promised, 1 if one did not or distances are missing.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
rules=${1:-free}
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- 13 15 17
anser=${ANSER:-}

if [ -z "$anser" ]; then
    (cd "$root" && cargo build --release --locked --quiet -p anser)
    anser=$root/target/release/anser
fi

failed=0
for position in "$@"; do
    case $position in
        */*) of=("$position") ;;
        *) of=(--opening "$position") ;;
    esac
    # Fails with the command that makes them if distances are missing.
    if ! "$anser" line --game fox-geese --rules "$rules" "${of[@]}" --json > /dev/null; then
        failed=1
        continue
    fi
    # Small fuzz would be errors; without it, equal moves alone are chosen at random.
    "$anser" play --game fox-geese --rules "$rules" "${of[@]}" --as none --style quick \
        --games "${GAMES:-20}" --random-plies 0 --seed "${SEED:-1}" --plies 30000 --json 2> /dev/null \
        | python3 -c '
import json, sys

match = json.load(sys.stdin)
games = match["played"]
promised, outcome = games[0]["dtw"], games[0]["outcome"]
if outcome == "draw":
    wrong = [game["seed"] for game in games if game["result"]["by"] == "end"]
else:
    def as_promised(game):
        plies = [ply["dtw"] for ply in game["line"]]
        return (game["result"] == {"outcome": outcome, "by": "end"}
                and plies == list(range(promised - 1, -1, -1)))
    wrong = [game["seed"] for game in games if not as_promised(game)]
lines = {tuple(ply["move"] for ply in game["line"]) for game in games}
print(json.dumps({
    "rules": match["rules"], "position": match["position"], "outcome": outcome, "dtw": promised,
    "games": len(games), "different": len(lines), "wrong": wrong,
}))
sys.exit(1 if wrong else 0)
' || failed=1
done
exit "$failed"
