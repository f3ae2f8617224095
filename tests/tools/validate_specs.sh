#!/usr/bin/env bash
# Validates specs without solving them; prints what is said of those that are refused, and ends with 1 when there is one.
#
#   tests/tools/validate_specs.sh INVAR SPEC...
set -uo pipefail
invar=$1
shift
[ $# -gt 0 ] || { echo "no spec given" >&2; exit 1; }
refused=0
for spec in "$@"; do
  said=$("$invar" validate "$spec" 2>&1) || { refused=1; echo "$spec"; echo "$said"; }
done
exit $refused
