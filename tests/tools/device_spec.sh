#!/usr/bin/env bash
# Runs a spec with its forms on an emulated device: its own `expect`; with a design also adjoint against tangent to 1e-10, in the run and in a whole
# certificate.
#
#   tests/tools/device_spec.sh INVAR SPEC FOLDER
set -euo pipefail
invar=$1 spec=$2 folder=$3
options=(--set solver.device=emulation --set verify.tolerance=1e-10)
"$invar" run "$spec" --expect -q --out "$folder" "${options[@]}"
grep -q '"device": "emulation on the host"' "$folder/run.json" || { echo "no device evaluated it" >&2; exit 1; }
[ -e "$folder/certificate.json" ] || exit 0
awk '/"check"/ { check = $0 }
     /"measured"/ && check ~ /dot product/ { sub(/,/, "", $2); ++compared; if (!($2 + 0 <= 1e-10)) { print "adjoint against tangent: " $2; failed = 1 } }
     END { if (compared < 2) { print compared + 0 " directions were compared"; failed = 1 } exit failed }' "$folder/certificate.json"
"$invar" check "$spec" "${options[@]}"
