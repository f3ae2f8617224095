#!/usr/bin/env bash
# Compiles the kernels of all forms that the program sends to devices (INVAR_CUDA_PROGRAM) for sm_90, for their report of registers alone, and holds
# them against their budget. Ends with 77 where nvcc is missing.
#
#   tests/tools/program_kernels.sh NVCC FOLDER
set -euo pipefail
nvcc=$1 folder=$2
root=$(cd "$(dirname "$0")/../.." && pwd)
command -v "$nvcc" > /dev/null || { echo "skipped: there is no nvcc" >&2; exit 77; }
mkdir -p "$folder"
reports=()
for source in libfem/solid/solid_kernels.cu libfluid/flow/flow_kernels.cu; do
  made=$folder/$(basename "$source" .cu)
  "$nvcc" -std=c++20 -O3 -arch=sm_90 --expt-relaxed-constexpr -Xptxas -v -I"$root" -cubin -o "$made.cubin" "$root/$source" > "$made.report" 2>&1 ||
    { cat "$made.report"; exit 1; }
  reports+=("$made.report")
done
exec "$root/tests/tools/kernel_budget.sh" "${reports[@]}"
