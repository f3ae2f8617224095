#!/usr/bin/env python3
"""Makes tests/unit/contact/ipctk_pairs.hpp: energies of random contact pairs with their derivatives, from distances and
mollifiers of the IPC toolkit (pip install ipctk==1.6.1 numpy) and the barrier's derivatives on paper.

    python3 tests/tools/ipctk_pairs.py > tests/unit/contact/ipctk_pairs.hpp
"""
import ipctk
import numpy as np

random = np.random.default_rng(22)
D_HAT = 0.8


def barrier(d):
    """b(d) = -h (z - 1)^2 ln z with z = d/h, and two derivatives."""
    z = d / D_HAT
    log = np.log(z)
    return (-D_HAT * (z - 1) ** 2 * log, -(2 * (z - 1) * log + (z - 1) ** 2 / z),
            -(2 * log + 4 * (z - 1) / z - (z - 1) ** 2 / z**2) / D_HAT)


def energy(square, mollifier):
    """m b(sqrt(D)), its gradient, and its Hessian times v_i = sin(i + 1)."""
    D, gD, HD = square
    m, gm, Hm = mollifier
    d = np.sqrt(D)
    b, b1, b2 = barrier(d)
    f, f1, f2 = b, b1 / (2 * d), (b2 - b1 / d) / (4 * D)
    gradient = m * f1 * gD + f * gm
    hessian = m * (f2 * np.outer(gD, gD) + f1 * HD) + f1 * (np.outer(gm, gD) + np.outer(gD, gm)) + f * Hm
    return d, m * b, gradient, hessian @ np.sin(np.arange(len(gD)) + 1)


def of(name, points):
    return [getattr(ipctk, name + suffix)(*points) for suffix in ("", "_gradient", "_hessian")]


def no_mollifier(n):
    return 1.0, np.zeros(n), np.zeros((n, n))


def mollifier(points, rest):
    threshold = ipctk.edge_edge_mollifier_threshold(*rest)
    return [getattr(ipctk, "edge_edge_mollifier" + suffix)(*points, threshold) for suffix in ("", "_gradient", "_hessian")]


def acceptable(kind, points, d):
    if not 0.1 * D_HAT < d < 0.9 * D_HAT:
        return False
    if kind == "line_line":  # in the middle of both edges, where nothing fades
        a0, a1, b0, b1 = points
        e, f, r = a1 - a0, b1 - b0, a0 - b0
        st = np.linalg.lstsq(np.array([e, -f]).T, -r, rcond=None)[0]
        return bool(np.all((st > 0.1) & (st < 0.9)))
    return True


def pairs():
    for kind, dim, count in (("point_point", 2, 2), ("point_line", 2, 3), ("point_point", 3, 2), ("point_line", 3, 3),
                             ("point_plane", 3, 4), ("line_line", 3, 4)):
        for case in range(3):
            while True:
                points = [random.uniform(-1, 1, dim) for _ in range(count)]
                rest = [random.uniform(-1, 1, dim) for _ in range(4)]
                if kind == "line_line" and case == 2:  # nearly parallel
                    points[3] = points[2] + 1.1 * (points[1] - points[0]) + random.uniform(-0.01, 0.01, 3)
                square = of(kind + "_distance", points)
                n = dim * len(points)
                d, E, g, Hv = energy(square, mollifier(points, rest) if kind == "line_line" else no_mollifier(n))
                if acceptable(kind, points, d):
                    yield kind, dim, points, rest if kind == "line_line" else [], d, E, g, Hv
                    break


def numbers(values):
    return "{" + ", ".join(f"{float(x)!r}" for x in values) + "}"


def main():
    print("#pragma once\n#include <string>\n#include <vector>\n")
    print("// Made by tests/tools/ipctk_pairs.py from the IPC toolkit 1.6.1.\n")
    print("namespace invar::test {\n")
    print("/// A pair of contact: distance, E = m b(d) with d̂ = 0.8, ∂E/∂x and ∂²E/∂x² v with v_i = sin(i + 1).")
    print("struct IpctkPair {\n  std::string kind;\n  int dim;\n  std::vector<double> points, rest;  // rest: of two edges")
    print("  double distance, energy;\n  std::vector<double> gradient, hessian_times_v;\n};\n")
    print("// clang-format off\ninline const std::vector<IpctkPair> ipctk_pairs{")
    for kind, dim, points, rest, d, E, g, Hv in pairs():
        flat = lambda xs: numbers(np.concatenate(xs)) if xs else "{}"
        print(f'  {{"{kind}", {dim}, {flat(points)},\n   {flat(rest)}, {float(d)!r}, {float(E)!r},\n   {numbers(g)},\n   {numbers(Hv)}}},')
    print("};\n// clang-format on\n\n}  // namespace invar::test")


if __name__ == "__main__":
    main()
