#!/usr/bin/env bash
# Solves layers on several ranks under MPI, and compares every table with that of one process; kills
# rank 0 after a checkpoint, and resumes with another number of ranks. With --all in minutes: larger
# layers, more games, and 1, 2, 3, 4 and 8 ranks; kills of another rank and of mpirun; a rank that is
# slowed down; a full disk.
#
#   scripts/cluster/test.sh [--all]
#
# ANSER names a program that was built with the feature `cluster`; otherwise it is built. Needs mpirun.
set -euo pipefail
cd "$(dirname "$0")/../.."

all=
[ "${1:-}" != --all ] || all=yes
if [ -z "${ANSER:-}" ]; then
    # As docs/cluster.md says.
    $(grep -m 1 "^cargo build" docs/cluster.md) --locked
    ANSER=${CARGO_TARGET_DIR:-target}/release/anser
fi
anser=$(realpath "$ANSER")
# Containers often have one user, and no ssh, which one machine does not need.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_plm=isolated
work=$(mktemp -d)
trap 'pkill -9 -f -- "--tables $work" || true; umount "$work/small" 2>/dev/null || true
      rm -rf "$work"' EXIT

fail() { echo "$*" >&2; for log in "$work"/*.log; do tail -n 20 "$log" >&2; done; exit 1; }

# together RANKS DIR GAME ...: solves on ranks, with one thread each, or two if their number is odd.
together() {
    local ranks=$1 dir=$2; shift 2
    mpirun --oversubscribe -n "$ranks" "$anser" solve "$@" --threads $((1 + ranks % 2)) --tables "$dir" \
        >"$work/$ranks.log" 2>&1 </dev/null
}

# same DIR OTHER: the tables are the same.
same() {
    local compared=0 table
    for table in "$1"/*.anser; do
        cmp "$table" "$2/$(basename "$table")" || fail "$2 differs"
        compared=$((compared + 1))
    done
    [ "$compared" -gt 0 ] || fail "$1 has no tables"
}

# The command that docs/cluster.md begins with.
mkdir -p "$work/page/target/release"
ln -s "$anser" "$work/page/target/release/anser"
page=$(grep -m 1 "^mpirun -n 2" docs/cluster.md)
(cd "$work/page" && ${page/mpirun/mpirun --oversubscribe} >"$work/page.log" 2>&1 </dev/null) ||
    fail "the command of docs/cluster.md"
"$anser" verify --rules first-capture --full --tables "$work/page/tables" >"$work/verify.log" 2>&1 ||
    fail "the tables of docs/cluster.md"
echo "docs/cluster.md: its command"

# By line: a name, the number of ranks, none with --all only, and the layers; then those with --all.
while read -r name ranks layers most game; do
    [ -n "$all" ] || [ "$ranks" != - ] || continue
    [ -z "$all" ] || { ranks=1,2,3,4,8 layers=$most; }
    read -ra what <<<"$game --layers $layers --metric wdl,dtw"
    "$anser" solve "${what[@]}" --tables "$work/$name" >"$work/alone.log" 2>&1 || fail "$name"
    for n in ${ranks//,/ }; do
        together "$n" "$work/$name-$n" "${what[@]}" || fail "$name with $n ranks"
        same "$work/$name" "$work/$name-$n"
        rm -r "$work/$name-$n"
    done
    echo "$name: the same tables"
done <<GAMES
free 3 1-5 1-8 fox-geese --rules free
first-capture - - 1-8 fox-geese --rules first-capture
forward - - 1-8 fox-geese --rules forward
placed 3 1-14 1-35 pulijudamu --rules 3-7
two-officers 2 1-3 1-5 asalto --rules standard+all
GAMES

# Kills. The layer takes seconds, so that there is something to kill.
layers=${all:+7} what=(fox-geese --rules free --metric dtw)
layers=${layers:-6}
reference=$work/free
[ -e "$reference/fox-geese.free.L0$layers.dtw.anser" ] ||
    "$anser" solve "${what[@]}" --layers "1-$layers" --tables "$reference" >"$work/alone.log" 2>&1
below=$((layers - 1))

# begin RANKS DIR: starts ranks on the layer in the background, as a group of processes of its own.
begin() {
    mkdir -p "$2"
    [ -e "$2/fox-geese.free.L0$below.dtw.anser" ] ||
        cp "$reference"/fox-geese.free.L0"$below".dtw.anser "$2"
    : >"$work/killed.log"
    setsid mpirun --oversubscribe -n "$1" "$anser" solve "${what[@]}" --layers "$layers" \
        --threads 1 --tables "$2" >"$work/killed.log" 2>&1 </dev/null &
    job=$!
    # Before that, a signal would end mpirun.
    for _ in $(seq 300); do grep -q "^disk" "$work/killed.log" && return; sleep 0.1; done
    fail "the run does not begin"
}
# rank N: the process of a rank of the job.
rank() {
    local process
    for process in $(pgrep -P "$job"); do
        if { tr '\0' '\n' <"/proc/$process/environ"; } 2>/dev/null |
            grep -qx "OMPI_COMM_WORLD_RANK=$1"; then
            echo "$process"
            return
        fi
    done
}
# checkpoint DIR: asks for a checkpoint, and waits for it. Fails if the run ends before.
checkpoint() {
    while kill -USR1 "$job" 2>/dev/null; do
        ! compgen -G "$1/*.dtw.anser.part" >/dev/null || return 0
        sleep 0.02
    done
    return 1
}
# finish RANKS DIR: resumes, with a number of ranks, and compares.
finish() {
    together "$1" "$2" "${what[@]}" --layers "$layers" || fail "the run does not resume"
    cmp "$reference/fox-geese.free.L0$layers.dtw.anser" "$2/fox-geese.free.L0$layers.dtw.anser"
    ! compgen -G "$2/.anser-*" >/dev/null || fail "leftovers"
    rm -r "$2"
}

for victim in rank-0 ${all:+rank-1 mpirun}; do
    # A run may end before it is killed.
    for _ in $(seq 20); do
        begin 3 "$work/killed"
        process=$job
        [ "$victim" = mpirun ] || process=$(rank "${victim#rank-}")
        if checkpoint "$work/killed"; then kill -9 "${process:-$job}" 2>/dev/null || true; fi
        ! wait "$job" 2>/dev/null || { rm -r "$work/killed"; continue; }
        break
    done
    # What a killed mpirun leaves ends by itself.
    for _ in $(seq 100); do pgrep -f -- "--tables $work" >/dev/null || break; sleep 0.1; done
    ! pgrep -f -- "--tables $work" >/dev/null || fail "ranks outlive $victim"
    [ "$victim" = mpirun ] || grep -q "signal 9" "$work/killed.log" ||
        fail "nobody says that $victim was killed"
    finish 2 "$work/killed"
    grep -q "resuming after" "$work/2.log" || fail "$victim: nothing is resumed"
    echo "killed $victim: resumed with another number of ranks"
done

[ -n "$all" ] || exit 0
begin 3 "$work/slow"
slow=$(rank 2)
for _ in $(seq 10); do kill -STOP "$slow" && sleep 0.2 && kill -CONT "$slow" && sleep 0.1; done || true
wait "$job" || fail "a slow rank"
cmp "$reference/fox-geese.free.L0$layers.dtw.anser" "$work/slow/fox-geese.free.L0$layers.dtw.anser"
echo "a rank that is slowed down: the same table"

# A disk that another program fills once the run has begun.
mkdir "$work/small"
if mount -t tmpfs -o size=192m tmpfs "$work/small" 2>/dev/null; then
    mkdir "$work/small/tables"
    begin 2 "$work/small/tables"
    head -c 192m /dev/zero >"$work/small/other" 2>/dev/null || true
    ! wait "$job" || fail "a run on a full disk succeeds"
    grep -q "No space left" "$work/killed.log" || fail "a full disk is not named"
    rm "$work/small/other"
    finish 3 "$work/small/tables"
    echo "a full disk: an error, and the run resumes"
else
    echo "skipped: a full disk, because nothing may be mounted"
fi
