#!/usr/bin/env bash
# Builds rooms of tests with address and undefined-behaviour sanitizers, runs them on one rank, with leaks, and on several, and prints
# what ran and every report. Ends with 1 where there is a report or a test fails.
#
#   tests/tools/sanitize.sh [WHAT...] [-- CTEST ARGUMENT...]
#
#   tests/tools/sanitize.sh                                       every room, `config` (specs of configs/) and `fuzz` (mutants of readers)
#   tests/tools/sanitize.sh form solid                            two rooms (folders of tests/unit)
#   tests/tools/sanitize.sh config -- -R 'config.(02_cook|41_hertz)$'
#   JOBS=1 RANKS=1 tests/tools/sanitize.sh app                    one process at a time; tests on one rank only
#
# Errors of addresses and leaks go to build/asan/reports, one file a process; what is undefined ends a process by a signal and stands in
# the output of its test. Both hold for programs that a test starts, too: none of them may end by a signal.
set -uo pipefail
root=$(cd -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/../.." && pwd)
build=$root/build/asan
reports=$build/reports
jobs=${JOBS:-$(nproc)}

what=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do
  what+=("$1")
  shift
done
[ $# -eq 0 ] || shift
if [ ${#what[@]} -eq 0 ]; then
  for room in "$root"/tests/unit/*/; do what+=("$(basename "$room")"); done
  what+=(config fuzz)
fi
targets=(sleeping_yield)
for name in "${what[@]}"; do
  case $name in
    config) targets+=(invar) ;;
    fuzz) targets+=(fuzz_mutants) ;;
    *) targets+=("test_$name") ;;
  esac
done

rm -rf "$reports"
mkdir -p "$reports"
# Clang compiles these checks faster than gcc.
clang=$(command -v clang++-16 clang++-17 clang++-18 clang++-19 | tail -n 1)
cd "$root" && cmake --preset asan ${clang:+-DCMAKE_CXX_COMPILER="$clang" -DCMAKE_C_COMPILER="${clang/++/}"} >/dev/null && ninja -C "$build" -j "$jobs" "${targets[@]}" || exit 1

ulimit -s 262144  # without optimisation, nested dual numbers take 10 MB of stack in a test

# run NAME LEAKS CTEST_ARGUMENT...: what ran, how many tests each time, how long, and how it ended
run() {
  local name=$1 leaks=$2
  shift 2
  # Tests preload sleeping_yield, which the sanitizer's check of the order refuses. A leak does not change the exit code: the files tell whether it is one of this project.
  ASAN_OPTIONS=verify_asan_link_order=0:log_path=$reports/$name:abort_on_error=1:detect_leaks=$leaks UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1:abort_on_error=1 \
    LSAN_OPTIONS=exitcode=0:print_suppressions=0:suppressions=$root/tests/leaks.supp OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 \
    ctest --test-dir "$build" -j "$jobs" -R "^($(IFS='|' && echo "${what[*]}"))(\.|$)" "$@" --output-on-failure -Q -O "$reports/$name.txt"
  local result=$?
  awk '/^[0-9]+\/[0-9]+ Testing: / { test = $3; count = "" }
       /\[  PASSED  \]/ { count = $4 " tests" }
       /^Test time =/ { seconds = $4 }
       /^Test (Passed|Failed)|^Test timeout/ { printf "%-40s %10s %8.1f s  %s\n", test, count, seconds, $2 }' "$build/Testing/Temporary/LastTest.log"
  return $result
}

# Every report once, with how often it was made. Leaks count where this project asked for the memory: plugins that MPI has unloaded have
# no names. So do allocations that fail: without a sanitizer they are std::bad_alloc, as where VTK reads the sizes of a broken file.
all_reports() {
  find "$reports" -type f -exec awk -v RS='' '
    function counted(text) { gsub(/==[0-9]+==|0x[0-9a-f]+ ?/, "", text); ++seen[text] }
    /Direct leak|AddressSanitizer: (requested allocation size|out of memory)/ { if (/\/(libadjoint|libfem|libfluid|apps|tests)\/[^ ]*\.[chi]pp:/) counted($0); next }
    /ERROR: AddressSanitizer/ { counted($0); next }
    /: runtime error: / { counted(substr($0, match($0, /[^ \n]+: runtime error: /))) }
    END { for (text in seen) { printf "%d x %s\n\n", seen[text], text; ++all } exit all > 0 }' {} +
}

failed=0
run one 1 -LE '^(long|mpi)$' "$@" || failed=1
[ "${RANKS:-3}" = 1 ] || run several 0 -L '^mpi$' -LE '^long$' "$@" || failed=1
all_reports || failed=1
exit $failed
