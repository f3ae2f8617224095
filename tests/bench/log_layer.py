#!/usr/bin/python3
"""How well do linear elements keep the logarithmic layer of Spalart and Allmaras where rows of cells grow towards the stream?

A layer of constant shear stress in wall units, (1 + nu_t) u' = 1 and the balance of nu~, on rows that grow by a constant ratio,
apart from the program. Prints by how many percent u is off at y+ = 30, 100, 500, 1500, against rows that grow by 1.03:
  points  the sources at the two Gauss points of each cell
  middle  the sources once per cell, at its middle
  means   at the Gauss points, but with the mean of nu~/d^2 over the cell in r and in the strain: as the vorticity, constant there
  program as the program takes them: nu~/d at the Gauss points times the mean of 1/d over the cell in r and in the strain
"""
import numpy as np

CB1, SIGMA, CB2, KAPPA, CW2, CW3, CV1, CT3, CT4 = 0.1355, 2 / 3, 0.622, 0.41, 0.3, 2.0, 7.1, 1.2, 0.5
CW1 = CB1 / KAPPA**2 + (1 + CB2) / SIGMA
HEIGHT = 2000.0
GAUSS = ((-(3**-0.5), 1.0), (3**-0.5, 1.0))
MIDDLE = ((0.0, 2.0),)


def rows(ratio, first):
    y = [0.0, first]
    while y[-1] < HEIGHT:
        y.append(y[-1] + ratio * (y[-1] - y[-2]))
    return np.array(y)


def at(values, s):
    return values[:-1] * (1 - s) / 2 + values[1:] * (1 + s) / 2


def source(chi, by_area, vorticity, steep):
    """Destruction minus production; by_area: nu~/d^2 in the strain and in r; steep: (nu~/d)^2."""
    fv1 = chi**3 / (chi**3 + CV1**3)
    strain = vorticity + by_area * (1 - chi / (1 + chi * fv1)) / KAPPA**2
    ft2 = CT3 * np.exp(-CT4 * chi**2)
    r = np.minimum(by_area / (KAPPA**2 * strain), 10)
    g = r + CW2 * (r**6 - r)
    fw = g * ((1 + CW3**6) / (g**6 + CW3**6)) ** (1 / 6)
    return (CW1 * fw - CB1 / KAPPA**2 * ft2) * steep - CB1 * (1 - ft2) * strain * chi


def residual(x, y, rule):
    n, h = len(y), np.diff(y)
    vorticity = np.diff(np.r_[0, x[: n - 1]]) / h
    chi = np.r_[0, x[n - 1 :], KAPPA * y[-1]]
    slope = np.diff(chi) / h
    balance, mixing = np.zeros(n), 0.0
    mean = sum(w / 2 * at(chi, s) / at(y, s) ** 2 for s, w in GAUSS)
    proximity = sum(w / 2 / at(y, s) for s, w in GAUSS)

    def test(value, s, w):  # adds the integral of value times each of a cell's two functions
        balance[:-1] += w * h / 2 * value * (1 - s) / 2
        balance[1:] += w * h / 2 * value * (1 + s) / 2

    for s, w in GAUSS:
        c = at(chi, s)
        mixing = mixing + w / 2 * c**4 / (c**3 + CV1**3)
        flux = w / 2 * (1 + c) / SIGMA * slope
        balance[:-1] -= flux
        balance[1:] += flux
        test(-CB2 / SIGMA * slope**2, s, w)
    for s, w in MIDDLE if rule == "middle" else GAUSS:
        c, d = at(chi, s), at(y, s)
        by_area = {"means": mean, "program": c / d * proximity}.get(rule, c / d**2)
        test(source(c, by_area, vorticity, (c / d) ** 2), s, w)
    return np.r_[(1 + mixing) * vorticity - 1, balance[1:-1]]


def velocity(y, rule):
    chi = 0.98 * KAPPA * y
    slope = 1 / (1 + chi**4 / (chi**3 + CV1**3))
    x = np.r_[np.cumsum(np.diff(y) * (slope[1:] + slope[:-1]) / 2), chi[1:-1]]
    for _ in range(60):
        r, jacobian = residual(x, y, rule), np.empty((len(x), len(x)))
        for i in range(len(x)):
            e = np.zeros(len(x))
            e[i] = 1e-6 * max(1, abs(x[i]))
            jacobian[:, i] = (residual(x + e, y, rule) - residual(x - e, y, rule)) / (2 * e[i])
        change = np.linalg.solve(jacobian, -r)
        x = x + change
        if np.abs(change).max() < 1e-9 * np.abs(x).max():
            return np.r_[0, x[: len(y) - 1]]
    raise SystemExit("no convergence")


fine = rows(1.03, 0.3)
reference = velocity(fine, "points")
print("ratio  sources   y+ = 30     100     500    1500   (error of u, %)")
for ratio in (1.06, 1.12, 1.26):
    y = rows(ratio, 0.6)
    for rule in ("points", "middle", "means", "program"):
        u = velocity(y, rule)
        k = np.searchsorted(y, (30, 100, 500, 1500))
        print(f"{ratio:5.2f}  {rule:7s}", *(f"{e:7.2f}" for e in 100 * (u[k] / np.interp(y[k], fine, reference) - 1)))
