#!/usr/bin/env bash
# Holds kernels against their budget of registers, by what the assembler reports (nvcc -Xptxas -v): a kernel that needs more runs with few
# threads at a time, one that spills waits for memory.
#
#   tests/tools/kernel_budget.sh REPORT...
#
# Prints a line for each kernel, and ends with 1 when one is beyond its budget or no kernel is there.
set -euo pipefail

# Operation, registers, bytes of spill stores; OPERATION:NAME for one law or form, or for one instance of a form, written without spaces. A processor holds four teams with 128 registers, three with 168.
# Measured is the choice for the product alone: on an H100 it was 15 % faster with four teams and 20 bytes of spills than with three and none. Spills of
# the others are what the assembler reported when their kernel was last changed, and were not compared with other numbers of teams: they hold growth.
budgets='
Residual        128   0
Product         128  40
Value           128   0
CoefficientVjp  168   0
UnknownVjp      168 136
Tangent         168  40
CoordinateVjp   168 176  flux and map from the reference cell in duals; once a gradient
Sum              80   0
Residual:MooneyRivlin       128  32  the second invariant: as many numbers again as the first one needs; in no list of the program
CoefficientVjp:MooneyRivlin 168 364  likewise
CoordinateVjp:MooneyRivlin  168 204  likewise
Product:MooneyRivlin        128 584  likewise
Tangent:MooneyRivlin        168 336  likewise
Residual:MixedForm          128  36  ten slots in place of nine, and the cofactor of F beside the stress
CoefficientVjp:MixedForm    168  76  likewise
Product:MixedForm           168 200  likewise
Tangent:MixedForm           248   0  likewise
UnknownVjp:KelvinVoigt<SpatialKinematics>    168 176  eighteen slots of two levels
CoordinateVjp:KelvinVoigt<SpatialKinematics> 168 272  likewise
Product:MixedForm<SpatialKinematics,LawMaterial<NeoHookeanIsochoric,IsochoricForm>>            168 244  the isochoric invariant beside what NeoHookean needs
CoordinateVjp:MixedForm<AxisymmetricKinematics,LawMaterial<NeoHookeanIsochoric,IsochoricForm>> 168 396  likewise, and the radius in duals
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
    instance = law = of
    gsub(/ /, "", instance)
    if (law ~ /^DisplacementForm/) sub(/.*LawMaterial</, "", law)
    sub(/[<,].*/, "", law)
    row = operation
    if ((operation ":" law) in registers) row = operation ":" law
    if ((operation ":" instance) in registers) row = operation ":" instance
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
