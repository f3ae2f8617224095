#!/usr/bin/env bash
# Lines and branches of the readers that inputs reach, by llvm-cov: of the corpus, and of what a fuzzer has found.
#
#   tests/fuzz/coverage.sh CLANG INVAR_BUILD BUILD_FOLDER [FOUND] [READER...]
#
# INVAR_BUILD is a finished build of invar; FOUND a folder with a folder of inputs for each reader, as run.sh leaves it in
# BUILD_FOLDER/found, or ''. Prints a row for each file: lines, those missed, share; the same of branches.
set -euo pipefail
here=$(cd -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")" && pwd)
clang=$1 invar=$2 build=$3 found=${4:-}
shift $(($# < 4 ? $# : 4))
[ $# -gt 0 ] || set -- csv formula checkpoint mesh surface airfoil spec
version=$("$clang" -dumpversion | cut -d. -f1)
tool() { command -v "$1-$version" || command -v "$1"; }
profdata=$(tool llvm-profdata) cov=$(tool llvm-cov)
mkdir -p "$build"
cmake -S "$here" -B "$build" -G Ninja -DCMAKE_CXX_COMPILER="$clang" -DINVAR_BUILD="$invar" -DINVAR_COVERAGE=ON >"$build/configure.log"
cmake --build "$build" --target "${@/#/fuzz_}" >"$build/build.log" || { tail -n 40 "$build/build.log"; exit 1; }
for reader in "$@"; do
  inputs=("$here/corpus/$reader")
  [ ! -d "$found/$reader" ] || inputs+=("$found/$reader")
  LLVM_PROFILE_FILE=$build/$reader.profraw "$build/fuzz_$reader" -runs=0 -max_len=65536 -entropic=0 "${inputs[@]}" >"$build/$reader.log" 2>&1 ||
    { tail -n 5 "$build/$reader.log"; exit 1; }
  "$profdata" merge -sparse "$build/$reader.profraw" -o "$build/$reader.profdata"
  echo "$reader: $(find "${inputs[@]}" -type f | wc -l) inputs"
  "$cov" report "$build/fuzz_$reader" -instr-profile="$build/$reader.profdata" -ignore-filename-regex='tests/fuzz|\.hpp$' 2>/dev/null |
    awk '/\.cpp|TOTAL/ { printf "  %-45s lines %5d missed %4d %8s   branches %5d missed %4d %8s\n", $1, $8, $9, $10, $11, $12, $13 }'
done
