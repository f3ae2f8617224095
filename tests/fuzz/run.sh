#!/usr/bin/env bash
# Builds the targets of libFuzzer and runs each from its corpus, one after the other.
#
#   tests/fuzz/run.sh CLANG INVAR_BUILD BUILD_FOLDER RUNS [READER...]
#
# INVAR_BUILD is a finished build of invar. Findings of new coverage go to BUILD_FOLDER/found, what ends a target to
# BUILD_FOLDER/crash. Ends with 1 where a target ends.
set -euo pipefail
here=$(cd -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")" && pwd)
clang=$1 invar=$2 build=$3 runs=$4
shift 4
[ $# -gt 0 ] || set -- csv formula checkpoint mesh surface airfoil spec
mkdir -p "$build"
cmake -S "$here" -B "$build" -G Ninja -DCMAKE_CXX_COMPILER="$clang" -DINVAR_BUILD="$invar" >"$build/configure.log"
cmake --build "$build" --target "${@/#/fuzz_}" >"$build/build.log" || { tail -n 40 "$build/build.log"; exit 1; }
failed=0
# How often a line is passed, and how rare it is, tells little of readers and takes more time than they do.
export ASAN_OPTIONS=${ASAN_OPTIONS:-malloc_context_size=3:quarantine_size_mb=16}
for reader in "$@"; do
  mkdir -p "$build/found/$reader" "$build/crash"
  "$build/fuzz_$reader" -runs="$runs" -seed=1 -max_len=4000 -entropic=0 -use_counters=0 -timeout=60 -rss_limit_mb=3000 -print_final_stats=1 \
    -artifact_prefix="$build/crash/${reader}_" "$build/found/$reader" "$here/corpus/$reader" >"$build/$reader.log" 2>&1 || failed=1
  echo "$reader: $(grep -E '(DONE|ERROR|SUMMARY)' "$build/$reader.log" | tail -n 1)"
done
exit $failed
