#!/usr/bin/env bash
# Emulates four machines on this one, and runs solve.sbatch, array.sbatch, and mpirun there.
# Compares every table with that of one process. Kills a rank and a machine, and resumes. Takes
# three minutes. With --all, in four more: a slow network, and the end of the time limit.
#
#   scripts/cluster/hosts.sh [--all]
#
# A machine is a set of namespaces: its own host name, address, processes, and /dev/shm. So MPI uses
# TCP between machines. They share a directory over sshfs, and Slurm runs on all of them.
#
# Needs root, and on Debian the packages openmpi-bin, slurmctld, slurmd, slurm-client, munge,
# openssh-server, sshfs, and iproute2. ANSER names a program that was built with the feature
# `cluster`; otherwise it is built. Takes 1 GB of memory. Everything that the script starts or
# mounts is in namespaces, and ends with it, also after Ctrl-C.
set -euo pipefail

skip() { echo "skipped: $*"; exit 0; }

if [ -z "${ANSER_HOSTS:-}" ]; then
    cd "$(dirname "$0")/../.."
    PATH=$PATH:/usr/sbin:/sbin
    [ "$(id -u)" = 0 ] || skip "only root can emulate machines"
    for tool in mpirun slurmctld slurmd srun munged sshd sshfs ip tc; do
        command -v "$tool" >/dev/null || skip "$tool is missing; the first lines name the packages"
    done
    [ -c /dev/fuse ] || skip "sshfs needs /dev/fuse"
    apart=(unshare --net --uts --ipc --mount --pid --fork --kill-child --mount-proc)
    "${apart[@]}" ip link add bridge type bridge 2>/dev/null || skip "no namespaces or no bridges"
    if [ -z "${ANSER:-}" ]; then
        cargo build --release -p anser --no-default-features --features cluster --locked
        ANSER=${CARGO_TARGET_DIR:-target}/release/anser
    fi
    export ANSER ANSER_HOSTS=yes
    "${apart[@]}" scripts/cluster/hosts.sh "$@" &
    # With its first process, all processes, mounts, and links of the namespaces end.
    trap 'kill -9 $! 2>/dev/null || true' EXIT
    trap 'exit 130' INT TERM
    wait $!
    exit
fi

# From here on, in namespaces. The machine that controls Slurm and keeps the files is `head`.
export work=/run/cluster
shared=$work/shared
mount -t tmpfs -o size=512m tmpfs /run
mkdir -p $shared $work/state /run/sshd
cp "$ANSER" $shared/anser
cp scripts/cluster/*.sbatch $shared
mount -t tmpfs tmpfs /tmp
cd $shared

fail() { echo "$*" >&2; tail -n 12 $work/*.log $shared/*.log >&2 || true; exit 1; }

hostname head
printf '%s\n' "127.0.0.1 localhost" "10.0.0.100 head" 10.0.0.{1\ node1,2\ node2,3\ node3,4\ node4} \
    >$work/hosts
mount --bind $work/hosts /etc/hosts
ip link set lo up
ip link add bridge type bridge
ip address add 10.0.0.100/24 dev bridge
ip link set bridge up

ssh-keygen -q -t ed25519 -N '' -f $work/key
cat >$work/sshd.conf <<END
HostKey $work/key
AuthorizedKeysFile $work/key.pub
StrictModes no
PidFile none
Subsystem sftp internal-sftp
END
cat >$work/ssh.conf <<END
IdentityFile $work/key
StrictHostKeyChecking no
UserKnownHostsFile /dev/null
LogLevel ERROR
END
"$(command -v sshd)" -f $work/sshd.conf

head -c 1024 /dev/urandom >$work/munge.key
chmod 400 $work/munge.key
munged --force --key-file=$work/munge.key --socket=$work/munge.socket --pid-file=$work/munged.pid \
    --log-file=$work/munged.log --seed-file=$work/munged.seed
cat >$work/slurm.conf <<END
ClusterName=emulated
SlurmctldHost=head
AuthInfo=socket=$work/munge.socket
SlurmUser=root
StateSaveLocation=$work/state
SlurmctldPidFile=$work/slurmctld.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdSpoolDir=/tmp/slurmd
SlurmdPidFile=/tmp/slurmd.pid
SlurmdLogFile=$work/%n.log
SlurmdParameters=config_overrides
SlurmdTimeout=10
KillWait=10
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
ReturnToService=2
SchedulerParameters=sched_interval=2
NodeName=node[1-4] CPUs=8 RealMemory=8192
PartitionName=all Nodes=ALL Default=YES
END
export SLURM_CONF=$work/slurm.conf SLURM_MPI_TYPE=pmix ANSER=$shared/anser
slurmctld

# machine NAME: what a machine does from its start.
machine() {
    hostname "$1"
    mount -t tmpfs tmpfs /tmp
    mount -t tmpfs tmpfs /dev/shm
    sshfs -F $work/ssh.conf "head:$work/shared" $work/shared
    "$(command -v sshd)" -f $work/sshd.conf
    slurmd
    sleep infinity
}
export -f machine

# on N: starts a machine, which then has the process machines[N].
machines=()
on() {
    ip link set "node$1" up
    nsenter --net="/run/netns/node$1" \
        unshare --uts --ipc --mount --pid --fork --kill-child --mount-proc \
        bash -c "machine node$1" >>"$work/node$1.out.log" 2>&1 </dev/null &
    machines[$1]=$!
    disown
}
# ready: waits for all machines.
ready() {
    for _ in $(seq 300); do
        [ "$(sinfo -h -t idle -o %D 2>/dev/null)" != 4 ] || return 0
        sleep 0.2
    done
    fail "a machine does not start"
}
for n in 1 2 3 4; do
    ip netns add "node$n"
    ip link add "node$n" type veth peer name eth0 netns "node$n"
    ip link set "node$n" master bridge
    ip -n "node$n" address add "10.0.0.$n/24" dev eth0
    ip -n "node$n" link set lo up
    ip -n "node$n" link set eth0 up
    on "$n"
done
ready

# submit OPTION ...: submits a job; prints its number.
submit() { sbatch --parsable --cpus-per-task=1 --mem=1G "$@"; }
# await JOB STATE: waits for the state, which is that of the end or PENDING.
await() {
    local state
    for _ in $(seq 1500); do
        state=$(scontrol show job "$1" | sed -n 's/.*JobState=\([A-Z_]*\).*/\1/p' | sort -u)
        [ "$state" != "$2" ] || return 0
        sleep 0.2
        [[ $state =~ PENDING|RUNNING|COMPLETING ]] || break
    done
    fail "job $1: $state instead of $2"
}
# same DIR TABLE ...: the directory has these tables of one process, and no files in progress.
same() {
    local dir=$1 table; shift
    for table in "$@"; do cmp "$table" "$dir/$(basename "$table")" || fail "$dir differs"; done
    [ -z "$(compgen -G "$dir/*.part"; compgen -G "$dir/.anser-*")" ] || fail "leftovers in $dir"
}

one=$work/one
alone() { "$ANSER" solve "$@" --tables $one >$work/one.log 2>&1 || fail "one process"; }
fox=(--rules free --layers 1-5 --metric "wdl,dtw")
asalto=(asalto --rules standard+all --layers 1-3 --metric "wdl,dtw")
alone "${fox[@]}"
alone "${asalto[@]}"
alone --rules first-capture --layers 1-6

for n in 4 3 2 1; do
    await "$(submit --nodes=$n solve.sbatch "fox-$n" "${fox[@]}")" COMPLETED
    same "fox-$n" $one/fox-geese.free.*.anser
done
await "$(submit --nodes=4 solve.sbatch asalto "${asalto[@]}")" COMPLETED
same asalto $one/asalto.*.anser
echo "solve.sbatch: the same tables"

await "$(submit --array=1-6 array.sbatch)" COMPLETED
for n in 1 2 3 4 5 6; do same shards/$n $one/fox-geese.first-capture.L0$n.wdl.anser; done
echo "array.sbatch: the same tables"

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
mpirun --mca plm_rsh_agent "ssh -F $work/ssh.conf" --host node1,node2,node3,node4 \
    --map-by ppr:1:node --bind-to none "$ANSER" solve "${fox[@]}" --threads 1 \
    --tables $shared/mpirun >mpirun.log 2>&1 </dev/null || fail "mpirun"
same mpirun $one/fox-geese.free.*.anser
echo "mpirun over ssh: the same tables"

# A layer that takes long enough to be stopped.
what=(--rules free --layers 7 --metric dtw)
alone --rules free --layers 6-7 --metric dtw
below=$one/fox-geese.free.L06.dtw.anser table=$one/fox-geese.free.L07.dtw.anser

# begin NAME OPTION ...: submits the layer as `job`, and a second job, `next`, which resumes.
begin() {
    local name=$1; shift
    mkdir "$name"
    cp $below "$name"
    job=$(submit --job-name="$name" --nodes=4 "$@" solve.sbatch "$name" "${what[@]}")
    next=$(submit --job-name="$name" --nodes=3 --dependency=singleton \
        solve.sbatch "$name" "${what[@]}")
}
# checkpoint NAME: requests a checkpoint of the job, and waits for it.
checkpoint() {
    local log=$1-$job.log
    # Before that, a signal would end the ranks.
    for _ in $(seq 1200); do ! grep -qs "^disk" "$log" || break; sleep 0.1; done
    scancel --signal=USR1 "$job" || fail "$1: the job does not run"
    for _ in $(seq 300); do ! compgen -G "$1/*.part" >/dev/null || return 0; sleep 0.1; done
    fail "$1: no checkpoint"
}
# resumed NAME JOB: the job ended, began with the checkpoint, and has the right table.
resumed() {
    await "$2" COMPLETED
    grep -q "resuming after" "$1-$2.log" || fail "$1: nothing is resumed"
    same "$1" $table
}

begin rank
checkpoint rank
victim=$(pgrep -x anser | sed 's|.*|/proc/&/environ|' | xargs grep -lzx SLURM_PROCID=2)
kill -9 "$(basename "$(dirname "$victim")")"
await "$job" FAILED
resumed rank "$next"
echo "a killed rank: the job fails, and the next one resumes with three machines"

begin machine
checkpoint machine
ip link set node3 down
kill -9 "${machines[3]}"
await "$job" PENDING
on 3
scontrol update "JobId=$next" Dependency=afterany:"$job"
ready
# Slurm would wait two minutes.
scontrol update "JobId=$job" StartTime=now
resumed machine "$job"
await "$next" COMPLETED
echo "a machine that fails: Slurm starts the job again, and it resumes"

[ "${1:-}" = --all ] || exit 0
for n in 1 2 3 4; do
    tc qdisc add dev "node$n" root tbf rate 10mbit burst 64kb latency 100ms 2>/dev/null ||
        skip "the system cannot slow a network down"
done
begin limit --time=3 --signal=USR1@120
await "$job" TIMEOUT
for n in 1 2 3 4; do tc qdisc del dev "node$n" root; done
resumed limit "$next"
echo "the end of the time limit, with 10 Mbit/s: a checkpoint, and the next job resumes"
