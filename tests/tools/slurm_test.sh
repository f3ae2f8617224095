#!/usr/bin/env bash
# Runs of invar under a real Slurm on this machine: a controller and a node for each task, without authentication,
# accounting or cgroups. Shown: preemption by the priority of a partition, the time limit, cancelling, a node that dies,
# runs that fail, and that what ends well is bit by bit what undisturbed runs bring.
#
#   tests/tools/slurm_test.sh INVAR
#
# Needs root and Debian's packages slurmctld, slurmd and slurm-client; or these and slurm-wlm-basic-plugins, munge and
# libmunge2 unpacked by `dpkg-deb -x` into a folder, $INVAR_SLURM. Ends with 77 where they are not there.
set -euo pipefail
invar=$(readlink -f -- "$1")
slurm=${INVAR_SLURM:-}
export PATH=$slurm/usr/sbin:$slurm/usr/bin:/usr/sbin:$PATH
plugins=$slurm/usr/lib/x86_64-linux-gnu/slurm-wlm
export LD_LIBRARY_PATH=$plugins:$slurm/usr/lib/x86_64-linux-gnu
for program in slurmctld slurmd slurmstepd; do
  found=$(command -v "$program" || command -v "$program-wlm" || true)
  if [ -z "$found" ] || [ "$(id -u)" != 0 ]; then
    echo "skipped: no $program, or not root; apt-get install slurmctld slurmd slurm-client, or unpack them and set INVAR_SLURM"
    exit 77
  fi
  printf -v "$program" %s "$found"
done

here=$(mktemp -d)
# STEPS=n: steps in time of each evaluation, which make runs long enough to be disturbed. KEEP=yes: what is left is kept.
# REQUEUE_EXIT= : a site without RequeueExit, where the script puts jobs back.
nodes=15  # twelve for the array, three for single runs
host=$(hostname -s)
begin=$SECONDS
# shellcheck disable=SC2317  # by the trap
clean_up() {
  local status=$?
  set +e
  scancel --quiet --user="$(id -un)" 2>/dev/null
  for pid in "$here"/*.pid; do [ -e "$pid" ] && kill "$(cat "$pid")" 2>/dev/null; done
  sleep 1
  for pid in "$here"/*.pid; do [ -e "$pid" ] && kill -9 "$(cat "$pid")" 2>/dev/null; done
  if [ -n "${KEEP:-}" ]; then echo "kept: $here"; else rm -rf -- "$here"; fi
  exit $status
}
trap clean_up EXIT
cd -- "$here"
say() { printf '%4d s  %s\n' $((SECONDS - begin)) "$*"; }
fail() {
  say "FAILED: $*"
  squeue || true
  for f in s/slurm/*.txt ./*.slurm.txt; do [ -e "$f" ] && { echo "--- $f"; tail -n 8 "$f"; }; done
  exit 1
}
# wait_for SECONDS WHAT COMMAND...
wait_for() {
  local limit=$((SECONDS + $1)) what=$2
  shift 2
  until "$@"; do
    [ $SECONDS -lt $limit ] || fail "$what: not within the time"
    sleep 0.3
  done
}

# ---- Slurm -------------------------------------------------------------------------------------------
port=$((20000 + RANDOM % 20000))
{
  cat <<CONF
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
AuthType=auth/none
AuthInfo=cred_expire=8
CredType=cred/none
SlurmUser=root
SlurmdUser=root
StateSaveLocation=$here/state
SlurmdSpoolDir=$here/spool/%n
SlurmctldPidFile=$here/slurmctld.pid
SlurmdPidFile=$here/slurmd.%n.pid
SlurmctldLogFile=$here/slurmctld.log
SlurmdLogFile=$here/slurmd.%n.log
PluginDir=$plugins
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
SwitchType=switch/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=1,sched_interval=1,batch_sched_delay=1,sched_min_interval=0
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
SlurmctldParameters=preempt_send_user_signal
SlurmdParameters=config_overrides
${REQUEUE_EXIT-RequeueExit=75}
JobRequeue=1
KillWait=30
SlurmdTimeout=15
ReturnToService=2
NodeName=DEFAULT CPUs=1 Boards=1 SocketsPerBoard=1 CoresPerSocket=1 ThreadsPerCore=1 RealMemory=1000 State=UNKNOWN
PartitionName=DEFAULT Nodes=ALL MaxTime=INFINITE State=UP
PartitionName=low Default=YES PriorityTier=1 GraceTime=30 PreemptMode=REQUEUE
PartitionName=high PriorityTier=10 PreemptMode=OFF
CONF
  for k in $(seq $nodes); do echo "NodeName=n$k NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + k))"; done
} > slurm.conf
# partitions name nodes that come before them
{ grep -v '^PartitionName' slurm.conf; grep '^PartitionName' slurm.conf; } > ordered && mv ordered slurm.conf
export SLURM_CONF=$here/slurm.conf
mkdir state spool
# shellcheck disable=SC2154  # set above, by printf -v
"$slurmctld" -c
# shellcheck disable=SC2154
start_node() { mkdir -p "spool/$1" && "$slurmd" -N "$1" -d "$slurmstepd"; }
for k in $(seq $nodes); do start_node "n$k"; done
all_idle() { [ "$(sinfo --noheader --partition=low --format=%T%D 2>/dev/null)" = "idle$nodes" ]; }
wait_for 60 "nodes idle" all_idle
say "Slurm $("$slurmctld" -V | cut -d' ' -f2) with $nodes nodes"

# ---- twelve runs, undisturbed --------------------------------------------------------------------------
cat > spec.yaml <<SPEC
title: The modulus of a strip from its swing, under a pull of which two values are too much
mesh: {rectangle: {to: [4, 1], cells: [16, 4]}}
physics: {type: solid, kind: plane_strain}
materials:
  rubber: {model: neo_hookean, young: 1, poisson: 0.3, density: 1}
boundary:
  left: {u_x: 0, u_y: 0}
loads:
  pull: {type: traction, region: right, y: 0.001}
time: {scheme: newmark, end: 8, steps: ${STEPS:-120}}
design:
  - {variable: materials.rubber.young, start: 0.3, lower: 0.1, upper: 10}
objective:
  - {type: point, point: [4, 0.5], component: u_y, at: 8, target: 0.05, noise: 0.01}
optimizer: {method: mma}
output: {fields: none}
sweep:
  over:
    loads.pull.y: [0.001, 0.0012, 0.0014, 0.0016, 1e9, 0.0018, 0.002, 0.0022, -1e9, 0.0024, 0.0026, 0.0028]
SPEC
good='1 2 3 4 6 7 8 10 11 12'
code=0
"$invar" sweep spec.yaml --out undisturbed --jobs 2 -q > undisturbed.txt || code=$?
[ $code = 5 ] || fail "the undisturbed sweep ends with $code: $(tail -n 3 undisturbed.txt)"
say "undisturbed: $(tail -n 1 undisturbed.txt)"

name_of() { printf %04d "$1"; }
rows_of() { if [ -e "$1/history.csv" ]; then wc -l < "$1/history.csv"; else echo 0; fi; }  # with the header
has_rows() { [ "$(rows_of "$1")" -ge "$2" ]; }
state_of() { squeue --noheader --array --jobs="$1" --format=%T 2>/dev/null || true; }
is() { [ "$(state_of "$1")" = "$2" ]; }
gone() { [ -z "$(state_of "$1")" ] || [ "$(state_of "$1" | grep -cvE 'COMPLETED|FAILED|CANCELLED')" = 0 ]; }
node_of() { squeue --noheader --array --jobs="$1" --format=%N; }
# shellcheck disable=SC2053  # a pattern
status_is() { [[ "$("$invar" status "$1")" == $2 ]]; }
# All that a run finds, but for the seconds in column 8 of its history.
findings() { cat "$1/results.json" "$1/design.json" "$1"/curves/*.csv; cut -d, -f1-7,9- "$1/history.csv"; }
same() { cmp <(findings "$1") <(findings "$2") || fail "$1 is not what undisturbed $2 is"; }

# ---- the array, and three single runs beside it ----------------------------------------------------------
"$invar" slurm spec.yaml --out s -q
array=$(sbatch --parsable s/slurm.sh)
declare -A single
for run in cancelled dead deaf; do
  sed '/^sweep:/,$d' spec.yaml > $run.yaml
  "$invar" slurm $run.yaml --out $run -q
  single[$run]=$(sbatch --parsable $run.slurm.sh)
done
preempt() { sbatch --quiet --partition=high --nodelist="$(node_of "$1")" --output=/dev/null --wrap 'sleep 1'; }
# The time limit first, because Slurm looks at it every half a minute only. USR1 comes two minutes before.
wait_for 300 "run 7" has_rows s/runs/0007 2
elapsed=$(squeue --noheader --array --jobs="${array}_7" --format=%M | awk -F: '{ print $(NF - 1) }')
scontrol update JobId="${array}_7" TimeLimit=$((10#$elapsed + 2))
# It gets its time back before it starts again, however long the others take.
raise_limit() {
  wait_for 300 "run 7 out of time" is "${array}_7" PENDING
  scontrol update JobId="${array}_7" TimeLimit=60
}
raise_limit &
raised=$!
for k in 1 2 3 4 6; do
  wait_for 300 "run $k" has_rows "s/runs/$(name_of "$k")" 3
  preempt "${array}_$k"
done
for k in 1 2 3 4 6; do wait_for 60 "run $k preempted" is "${array}_$k" PENDING; done
say "preempted: 1 2 3 4 6"
wait "$raised" || fail "run 7 was not out of time"
say "out of time: 7"

wait_for 200 "run to be cancelled" has_rows cancelled 3
scancel "${single[cancelled]}"
wait_for 60 "cancelled" gone "${single[cancelled]}"
scontrol show job "${single[cancelled]}" | grep -q 'JobState=CANCELLED' || fail "cancelled, but $(scontrol show job "${single[cancelled]}" | grep JobState)"
status_is cancelled 'waiting, preempted 1 time' || fail "a cancelled run is: $("$invar" status cancelled)"
sbatch --quiet cancelled.slurm.sh
say "cancelled, not put back, submitted again"

# The node dies with all that is on it; of the other one Slurm's daemon alone, and its run goes on.
wait_for 200 "run on a node that dies" has_rows dead 3
wait_for 200 "run on a node that turns deaf" has_rows deaf 3
node=$(node_of "${single[dead]}")
processes=$(scontrol listpids "${single[dead]}" "$node" | awk 'NR > 1 && $1 > 0 { print $1 }')
# shellcheck disable=SC2086  # a word for each process
parents=$(ps -o ppid= -p "$(echo $processes | tr ' ' ,)" | sort -u)
daemon=$(cat "slurmd.$node.pid")
for pid in $daemon $parents $processes; do
  case $(ps -o comm= -p "$pid") in slurm* | srun | bash | invar) kill -9 "$pid" 2>/dev/null || true ;; esac
done
# It stands still until its second starter was there, however soon it would end and however late Slurm comes.
sed -n 's/.*"pid": *\([0-9]*\).*/\1/p' deaf/lock.*.json > deaf.pid
kill -STOP "$(cat deaf.pid)"
kill -9 "$(cat "slurmd.$(node_of "${single[deaf]}").pid")"
say "killed: node $node with its run, and the daemon of node $(node_of "${single[deaf]}") without"

wait_for 300 "run 6 again" has_rows s/runs/0006 6
wait_for 300 "run 6 again" is "${array}_6" RUNNING
preempt "${array}_6"
wait_for 60 "run 6 preempted again" is "${array}_6" PENDING
say "preempted again: 6"

wait_for 900 "the array" gone "$array"
say "$("$invar" status s | tail -n 1)"
"$invar" status s -v > status.txt
grep -q '^10 done, 2 failed of 12 runs$' status.txt || fail "$(cat status.txt)"
[ "$(grep -c 'failed: the start cannot be evaluated' status.txt)" = 2 ] || fail "not two reasons: $(cat status.txt)"
[ "$(grep -c 'done, preempted 1 time ' status.txt)" = 5 ] || fail "not five that were stopped once: $(cat status.txt)"
[ "$(grep -c 'done, preempted 2 times ' status.txt)" = 1 ] || fail "not one that was stopped twice: $(cat status.txt)"
for k in $good; do same "s/runs/$(name_of "$k")" "undisturbed/runs/$(name_of "$k")"; done
say "10 results are bit by bit those of undisturbed runs"

# ---- only what failed, again ------------------------------------------------------------------------------
"$invar" slurm s --rerun failed -q
grep -q '^#SBATCH --array=5,9$' s/slurm.sh || fail "not the two that failed: $(grep array= s/slurm.sh)"
touch before
again=$(sbatch --parsable s/slurm.sh)
wait_for 300 "those that failed" gone "$again"
[ "$(find s/runs -name run.json -newer before | sort | tr '\n' ' ')" = 's/runs/0005/run.json s/runs/0009/run.json ' ] || fail "others ran, too"
"$invar" status s | grep -q '^10 done, 2 failed of 12 runs$' || fail "$("$invar" status s)"
say "--rerun failed ran exactly 2"

second_starter_refused() { grep -q "deaf' is in use by pid" deaf.slurm.txt; }
wait_for 300 "second starter of the run on the deaf node" second_starter_refused
kill -CONT "$(cat deaf.pid)"
rm deaf.pid
for run in cancelled dead deaf; do
  wait_for 600 "$run" status_is $run 'done*'
  same $run undisturbed/runs/0001
done
status_is dead 'done, preempted 1 time' || fail "$("$invar" status dead)"
status_is deaf 'done' || fail "the run on the deaf node was touched: $("$invar" status deaf)"
say "cancelled, of a dead node, of a deaf one (whose second starter was refused): the same bits"
say "done"
