#!/usr/bin/env bash
# Holds kernels against their budget of registers, by what the assembler reports (nvcc -Xptxas -v): a kernel that needs more runs with few
# threads at a time, one that spills waits for memory.
#
#   tests/tools/kernel_budget.sh REPORT...
#
# Prints a line for each kernel, and ends with 1 when one is beyond its budget or no kernel is there.
set -euo pipefail

# Operation, registers, bytes of spill stores; OPERATION:NAME for one law or form. More than 168 registers, and why:
budgets='
Residual        128  0
Product         168  0
Value           128  0
CoefficientVjp  168  0
UnknownVjp      168  0
Tangent         168  0
CoordinateVjp   240  0  flux and map from the reference cell in duals; once a gradient
CoordinateVjp:NeoHookean 168 0  the flux only, by the tensor of Eshelby
Sum              64  0
CoefficientVjp:MooneyRivlin 208   0  the second invariant: as many numbers again as the first one needs
CoordinateVjp:MooneyRivlin  208   0  likewise
Product:MooneyRivlin        224   0  likewise
Tangent:MooneyRivlin        224   0  likewise
CoefficientVjp:MixedForm    208   0  ten slots in place of nine, and the cofactor of F beside the stress
CoordinateVjp:MixedForm     232   0  likewise
Product:MixedForm           224   0  likewise
Tangent:MixedForm           232   0  likewise
'
cat "${@:?REPORT}" | c++filt | awk -v budgets="$budgets" '
  BEGIN {
    n = split(budgets, line, "\n")
    for (i = 1; i <= n; ++i)
      if (split(line[i], word, " ") >= 3) {
        registers[word[1]] = word[2]
        spills[word[1]] = word[3]
      }
  }
  /Compiling entry function/ {
    operation = "Sum"
    if (match($0, /device::[A-Za-z]+/)) operation = substr($0, RSTART + 8, RLENGTH - 8)
    of = $0
    sub(/.*ElementKernel</, "", of)
    sub(/.*run_phases</, "", of)
    sub(/, invar::device::.*/, "", of)
    sub(/>? *\(.*/, "", of)
    gsub(/invar::/, "", of)
    law = of
    if (law ~ /^DisplacementForm/) sub(/.*LawMaterial</, "", law)
    sub(/[<,].*/, "", law)
    row = (operation ":" law) in registers ? operation ":" law : operation
  }
  /bytes spill stores/ { spilled = $5 }
  /Used [0-9]+ registers/ {
    for (i = 1; i < NF; ++i) if ($i == "Used") used = $(i + 1)
    beyond = !(row in registers) || used > registers[row] || spilled > spills[row]
    printf "%s%s of %s: %d registers, %d bytes spilled (budget %s, %s)\n", beyond ? "BEYOND " : "", operation, of, used, spilled,
           registers[row], spills[row]
    ++kernels
    failed += beyond
  }
  END {
    if (kernels == 0) print "no kernel in the report"
    exit failed > 0 || kernels == 0
  }'
