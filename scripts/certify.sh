#!/usr/bin/env bash
# Certifies tables of distances with tools/certify, a checker that shares nothing with anser, and
# keeps a record with a line for each layer: `description` is the SHA-256 of the rules in the table,
# which the checker prints. Resumes: layers that the record has as certified, with the same digests of
# the table, of the tables it presupposes, and of the checker, are skipped.
#
#   scripts/certify.sh [--out RECORD.csv] [--threads N] [--memory GIB] DIR [GAME [RULES]]
#
# Exit status: 0 if every table is certified and every table that one presupposes is certified, too;
# 1 if a position fails; 2 if a table cannot be checked or a presupposed one is not certified.
# Needs a C compiler, zstd with its header, and sha256sum.
set -euo pipefail

usage() { sed -n '2,/^set/s/^# \{0,1\}//p' "$0" | sed '$d'; exit 2; }
root=$(cd "$(dirname "$0")/.." && pwd)
record=certify.csv
options=()
while [ $# -gt 0 ]; do
    case $1 in
    --out) record=${2:?}; shift 2 ;;
    --threads | --memory) options+=("$1" "${2:?}"); shift 2 ;;
    -*) usage ;;
    *) break ;;
    esac
done
[ $# -ge 1 ] && [ $# -le 3 ] || usage
dir=$1 game=${2:-*} rules=${3:-*}
game=${game//:/-}

source=${CERTIFY_SOURCE:-$root/tools/certify/certify.c}
build=${CERTIFY_BUILD:-$root/target/certify}
digest() { sha256sum "$1" | cut -d ' ' -f 1; }
# The program of a source is named by its digest, which the record has.
checker=$(digest "$source")
program=$build/certify-${checker:0:16}
if [ ! -x "$program" ]; then
    mkdir -p "$build"
    "${CC:-cc}" -std=c11 -O2 -pthread "$source" -lzstd -o "$program.$$"
    mv "$program.$$" "$program"
fi

columns=file,sha256,game,rules,description,layer,kind,positions,classes
columns+=,few_to_move_few,few_to_move_draw,few_to_move_many,few_to_move_longest_few
columns+=,few_to_move_longest_many,many_to_move_few,many_to_move_draw,many_to_move_many
columns+=,many_to_move_longest_few,many_to_move_longest_many,verdict,presupposes,seconds,checker
[ -s "$record" ] || echo "$columns" > "$record"
if [ "$(head -n 1 "$record")" != "$columns" ]; then
    echo "$record: not a record of this script; name another file with --out" >&2
    exit 2
fi

declare -A digests
digest_of() {  # sets $sum; each file is read once
    [ -n "${digests[$1]:-}" ] || digests[$1]=$(digest "$1")
    sum=${digests[$1]}
}
# The table of another layer that the checker uses: raw if there is one.
neighbor() {
    other=${1%.L*}.L$(printf %02d "$2").dtw.anser
    [ -e "$other" ] || other+=z
}
# Sets $needs: the presupposed layers, each with the digest of its table.
needs_of() {
    local layer
    needs=
    for layer in $2; do
        neighbor "$1" "$layer"
        sum=absent
        [ ! -e "$other" ] || digest_of "$other"
        needs+="${needs:+ }$layer:$sum"
    done
}
done_before() {  # file
    local line layers
    line=$(awk -F, -v f="$(basename "$1")" -v s="$sum" -v c="$checker" \
        '$1 == f && $2 == s && $20 == "certified" && $23 == c { row = $0 } END { print row }' "$record")
    [ -n "$line" ] || return 1
    layers=$(cut -d , -f 21 <<< "$line" | tr ' ' '\n' | cut -d : -f 1 | tr '\n' ' ')
    needs_of "$1" "$layers"
    [ "$needs" = "$(cut -d , -f 21 <<< "$line")" ]
}

status=0
shopt -s nullglob
files=("$dir"/$game.$rules.L*.dtw.anser "$dir"/$game.$rules.L*.dtw.anserz)
[ ${#files[@]} -gt 0 ] || { echo "no tables of distances in $dir" >&2; exit 2; }
mapfile -t files < <(printf '%s\n' "${files[@]}" | sort -V)
for file in "${files[@]}"; do
    digest_of "$file"
    if done_before "$file"; then echo "$file: certified before"; continue; fi
    digest_of "$file"
    own=$sum rc=0
    out=$("$program" "${options[@]}" "$file" 2>&1) || rc=$?
    if [ $rc -gt 1 ]; then
        echo "$file: $(grep -o 'certify: .*' <<< "$out" || echo "exit status $rc")" >&2
        status=$((status == 1 ? 1 : 2))
        continue
    fi
    value() { sed -n "s/^$1 *//p" <<< "$out" | head -n 1; }
    needs_of "$file" "$(value presupposes)"
    numbers=$(for side in few many; do value "$side-to-move" | sed 's/ longest//'; done | tr '\n ' ',,')
    [ -n "${numbers//,/}" ] || numbers=,,,,,,,,,,  # none after a failure
    # Names with other characters are none of a game, and would not fit into the record.
    if [[ "$(value game)$(value rules)" =~ [^a-z0-9.:+-] ]] ||
        [[ $(basename "$file") != "$(value game | tr : -).$(value rules).L"* ]]; then
        echo "$file: the name of the file is not that of the game and rules in it" >&2
        status=$((status == 1 ? 1 : 2))
        continue
    fi
    line="$(basename "$file"),$own,$(value game),$(value rules)"
    line+=",$(sed -n 's/^rule //p' <<< "$out" | sha256sum | cut -d ' ' -f 1)"
    line+=",$(value layer),$(value kind)"
    line+=",$(value positions),$(value classes),${numbers%,},$(value verdict),$needs"
    echo "$line,$(value seconds),$checker" >> "$record"
    if [ $rc -eq 0 ]; then
        echo "$file: certified, $(value positions) positions, $(value seconds) s"
    else
        echo "$file: fails" >&2
        sed -n '/^fails/,$p' <<< "$out" >&2
        status=1
    fi
done

# A certificate presupposes those of the layers below.
for file in "${files[@]}"; do
    digest_of "$file"
    row=$(awk -F, -v s="$sum" '$2 == s && $20 == "certified" { row = $21 } END { print row }' "$record")
    for need in $row; do
        if ! awk -F, -v s="${need#*:}" '$2 == s && $20 == "certified" { found = 1 }
                                        END { exit !found }' "$record"; then
            echo "$file: presupposes layer ${need%:*}, which is not certified" >&2
            [ $status -ne 0 ] || status=2
        fi
    done
done
exit $status
