#!/bin/sh
# The rest shape of a cantilever that its weight makes straight, against the elastica read backwards: where the beam is straight, the moment at
# s is w (L − s)²/2, so that the angle at rest is w (L³ − (L − s)³)/(6 E I). A body in the plane differs from it by a multiple of the square of
# its height: two heights, extrapolated to none, give the tip to 1e-6 of the length.
#   rest_shape_test.sh INVAR SPEC
set -eu
invar=$1 spec=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tip() {  # HEIGHT WEIGHT
  "$invar" run "$spec" -q --out "$work/$1" --set "mesh.rectangle.to=[1, $1]" --set "mesh.rectangle.cells=[80, 4]" --set "design.0.to=[1, $1]" \
    --set "design.0.points=[13, 2]" --set "loads.weight.y=$2" > "$work/log" || { cat "$work/log"; exit 1; }
  sed -n 's/^ *"\(upper\|lower\|outer\|inner\)": *\([-0-9.e+]*\).*/\1 \2/p' "$work/$1/results.json" | sort -u | tr '\n' ' '
}
# E = 1000, w = 0.3 E H³ = 3.6 E I, per unit of volume 0.3 E H²
{ echo "0.05 $(tip 0.05 -0.75)"; echo "0.025 $(tip 0.025 -0.1875)"; } | awk '
  { for (k = 2; k < NF; k += 2) of[$k] = $(k + 1)
    x[NR] = (of["outer"] + of["inner"]) / 2; y[NR] = (of["upper"] + of["lower"] - $1) / 2 }
  END {
    n = 20000
    for (k = 0; k < n; ++k) { s = 1 - (k + 0.5) / n; angle = 0.6 * (1 - s * s * s); ex += cos(angle) / n; ey += sin(angle) / n }
    dx = x[2] + (x[2] - x[1]) / 3 - ex; dy = y[2] + (y[2] - y[1]) / 3 - ey
    printf "tip of the elastica (%.7f, %.7f), of the bodies (%.7f, %.7f) and (%.7f, %.7f), extrapolated with errors of %.1e and %.1e\n", ex, ey, x[1], y[1], x[2], y[2], dx, dy
    if (NR != 2 || !(dx * dx + dy * dy < 1e-12)) exit 1
  }'
