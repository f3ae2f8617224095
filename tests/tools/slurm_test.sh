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
nodes=12
host=$(hostname -s)
begin=$SECONDS
# shellcheck disable=SC2317  # by the trap
clean_up() {
  scancel --quiet --user="$(id -un)" 2>/dev/null || true
  for pid in "$here"/*.pid; do [ -e "$pid" ] && kill "$(cat "$pid")" 2>/dev/null; done
  sleep 1
  for pid in "$here"/*.pid; do [ -e "$pid" ] && kill -9 "$(cat "$pid")" 2>/dev/null; done
  if [ -n "${KEEP:-}" ]; then echo "kept: $here"; else rm -rf -- "$here"; fi
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
PluginDir=${slurm:+$plugins}
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
} | sed '/^PluginDir=$/d' > slurm.conf
# partitions name nodes that come before them
{ grep -v '^PartitionName' slurm.conf; grep '^PartitionName' slurm.conf; } > ordered && mv ordered slurm.conf
export SLURM_CONF=$here/slurm.conf
mkdir state spool
# shellcheck disable=SC2154  # set above by printf -v
"$slurmctld" -c
# shellcheck disable=SC2154
start_node() { mkdir -p "spool/$1" && "$slurmd" -N "$1" -d "$slurmstepd"; }
for k in $(seq $nodes); do start_node "n$k"; done
all_idle() { [ "$(sinfo --noheader --partition=low --format=%T%D 2>/dev/null)" = "idle$nodes" ]; }
wait_for 60 "nodes idle" all_idle
say "Slurm $("$slurmctld" -V | cut -d' ' -f2) with $nodes nodes"

# ---- twelve runs, undisturbed --------------------------------------------------------------------------
cat > spec.yaml <<'SPEC'
title: The modulus of a strip from its swing, under a pull of which two values are too much
mesh: {rectangle: {to: [4, 1], cells: [16, 4]}}
physics: {type: solid, kind: plane_strain}
materials:
  rubber: {model: neo_hookean, young: 1, poisson: 0.3, density: 1}
boundary:
  left: {u_x: 0, u_y: 0}
loads:
  pull: {type: traction, region: right, y: 0.001}
time: {scheme: newmark, end: 8, steps: 100, max_cuts: 0}
design:
  - {variable: materials.rubber.young, start: 0.3, lower: 0.1, upper: 10}
objective:
  - {type: point, point: [4, 0.5], component: u_y, at: 8, target: 0.05, noise: 0.01}
optimizer: {method: mma, max_iterations: 16, gradient_tolerance: 1e-14, function_tolerance: 1e-16, step_tolerance: 1e-16}
output: {fields: none}
sweep:
  over:
    loads.pull.y: [0.001, 0.0012, 0.0014, 0.0016, 1e9, 0.0018, 0.002, 0.0022, -1e9, 0.0024, 0.0026, 0.0028]
SPEC
