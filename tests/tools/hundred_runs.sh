#!/usr/bin/env bash
# A sweep of 100 runs, two at a time, of which 7 cannot be solved: 93 and 7 must be counted, each of the 7 with a reason in
# one line. Prints what the driver took for each run.
#
#   tests/tools/hundred_runs.sh INVAR
set -euo pipefail
invar=$(readlink -f -- "$1")
here=$(mktemp -d)
trap 'rm -rf -- "$here"' EXIT
cd -- "$here"
cat > spec.yaml <<'SPEC'
title: A beam under loads of which some are too much
mesh:
  rectangle: {to: [0.1, 0.02], cells: [4, 2]}
physics: {type: solid, kind: plane_strain}
materials:
  silicone: {model: neo_hookean, young: 5e5, poisson: 0.45}
boundary:
  left: {u_x: 0, u_y: 0}
loads:
  tip: {type: traction, region: right, y: -100}
solver: {max_cuts: 0}
output: {fields: none}
SPEC
loads=$(for i in $(seq 1 100); do if [ $((i % 14)) = 0 ]; then printf '%s-1e9' "${sep-}"; else printf '%s%d' "${sep-}" -$i; fi; sep=,; done)
code=0
"$invar" sweep spec.yaml --out s --jobs 2 --over "loads.tip.y=$loads" > out.txt || code=$?
tail -2 out.txt
[ "$code" = 5 ] || { echo "exit code $code instead of 5"; exit 1; }
grep -q '^93 done, 7 failed of 100 runs' out.txt || { echo 'not 93 done and 7 failed'; exit 1; }
[ "$("$invar" status s | grep -c '^  [0-9]*  failed: not solved')" = 7 ] || { echo 'not 7 reasons in status'; exit 1; }
took=$(sed -n 's/.*driver took \([^ ]*\) s.*/\1/p' out.txt)
awk -v t="$took" 'BEGIN { exit !(t <= 0.1) }' || { echo "the driver took $took s a run, more than 0.1"; exit 1; }
