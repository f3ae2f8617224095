#pragma once
#include "tests/unit/flow/manufactured_flow.hpp"

namespace invar::test {

/// A smooth field of ν̃ on the velocities and pressures of ManufacturedFlow, at the
/// distance 0.8 + y from a wall, with the source that the strong form of the Spalart–Allmaras model needs, and the
/// force of the Reynolds-averaged momentum. Written in ν̃ from the model's publication (Allmaras, Johnson, Spalart,
/// ICCFD7-1902, 2012) and not from the program. Derivatives by dual numbers.
struct ManufacturedTurbulence {
  FlowKind kind;
  bool both_branches;  // ν̃ is negative in about half of [0.3, 1.3] × [0, 1] (× [0, 1]), else it is positive
  double density = 1.2, resistance = 0.7, viscosity = 0.4;
  // In time: the velocity's factor, what is added to χ, and their rates.
  double size = 1, size_rate = 0, added = 0, added_rate = 0;

  /// The same at a time, changing.
  ManufacturedTurbulence at(double t) const {
    ManufacturedTurbulence m = *this;
    m.size = 1 + 0.3 * std::sin(2 * t), m.size_rate = 0.6 * std::cos(2 * t);
    m.added = 0.8 * std::sin(3 * t), m.added_rate = 2.4 * std::cos(3 * t);
    return m;
  }
  ManufacturedFlow flow() const { return {kind, false, true, true, density, resistance, size}; }
  double nu() const { return viscosity / density; }
  int dim() const { return flow().dim(); }

  template <class T>
  using Point = std::array<T, 3>;

  static double distance(const double* x) { return 0.8 + x[1]; }
  template <class T>
  T chi(const Point<T>& x) const {
    using std::cos, std::sin;
    const T wave = sin(2.1 * x[0] + 0.7 * x[1] + (kind == FlowKind::spatial ? 0.5 : 0.0) * x[2] + (both_branches ? 0.9 : 0.0));
    return added + (both_branches ? T(2.5 * (wave + 0.03)) : T(2.0 * (1.5 + wave)));
  }
  template <class T>
  T eddy_viscosity(const Point<T>& x) const {
    const T tilde = nu() * chi(x), ratio = tilde / nu(), cubed = ratio * ratio * ratio;
    return value_of(tilde) < 0 ? T(0.0) : T(density * tilde * (cubed / (cubed + 7.1 * 7.1 * 7.1)));
  }
  /// 2 (μ + μ_t) ε_ij, and that of the hoop at [3][0].
  template <class T>
  std::array<Point<T>, 4> viscous_stress(const Point<T>& x) const {
    const auto g = flow().gradient(x);
    const T mu = viscosity + eddy_viscosity(x);
    std::array<Point<T>, 4> t{};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) t[i][j] = mu * (g.L[i][j] + g.L[j][i]);
    t[3][0] = 2.0 * mu * g.hoop;
    return t;
  }
  double force(int i, const double* x) const {
    using D = Dual<double, 3>;
    const Point<double> at = ManufacturedFlow::point(x, dim());
    const Point<D> xd{D::variable(at[0], 0), D::variable(at[1], 1), D::variable(at[2], 2)};
    const auto tau = viscous_stress(xd);
    const auto g = flow().gradient(at);
    double f = flow().pressure(xd).grad[i] + resistance * g.u[i] + density * size_rate * g.u[i] / size;
    for (int j = 0; j < 3; ++j) f += density * g.u[j] * g.L[i][j] - tau[i][j].grad[j];
    if (kind == FlowKind::axisymmetric) f -= (i == 0 ? tau[0][0].value - tau[3][0].value : tau[1][0].value) / at[0];
    return f;
  }
  double traction(int i, const double* x) const {
    const Point<double> at = ManufacturedFlow::point(x, dim());
    return viscous_stress(at)[i][0] - (i == 0 ? flow().pressure(at) : 0.0);
  }
  /// u, p, then χ.
  double value(int c, const double* x) const {
    return c <= dim() ? flow().value(c, x) : chi(ManufacturedFlow::point(x, dim()));
  }
  /// Diffusive flux k ∂ν̃/∂x_j / σ with k = ν + ν̃, or ν + ν̃ f_n.
  template <class T>
  Point<T> diffusive_flux(const Point<T>& x) const {
    using D = Dual<T, 3>;
    const D tilde = nu() * chi(Point<D>{D::variable(x[0], 0), D::variable(x[1], 1), D::variable(x[2], 2)});
    const T v = tilde.value, ratio = v / nu(), cubed = ratio * ratio * ratio;
    const T k = value_of(v) < 0 ? T(nu() + v * (16.0 + cubed) / (16.0 - cubed)) : T(nu() + v);
    return {k * tilde.grad[0] * 1.5, k * tilde.grad[1] * 1.5, k * tilde.grad[2] * 1.5};
  }
  /// Of the equation of χ, 1/s.
  double source(const double* x) const {
    using D = Dual<double, 3>;
    const Point<double> at = ManufacturedFlow::point(x, dim());
    const Point<D> xd{D::variable(at[0], 0), D::variable(at[1], 1), D::variable(at[2], 2)};
    const auto g = flow().gradient(at);
    const D tilde = nu() * chi(xd);
    const auto flux = diffusive_flux(xd);
    const double v = tilde.value, d = distance(x), kappa = 0.41, cb1 = 0.1355, cb2 = 0.622, sigma = 2.0 / 3.0;
    const double cw1 = cb1 / (kappa * kappa) + (1 + cb2) / sigma, X = v / nu();
    double omega = 0;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < i; ++j) omega += (g.L[i][j] - g.L[j][i]) * (g.L[i][j] - g.L[j][i]);
    omega = std::sqrt(omega);
    double production, destruction;
    if (v < 0) {
      production = cb1 * (1 - 1.2) * omega * v;
      destruction = -cw1 * v / d * v / d;
    } else {
      const double fv1 = X * X * X / (X * X * X + 7.1 * 7.1 * 7.1), fv2 = 1 - X / (1 + X * fv1), ft2 = 1.2 * std::exp(-0.5 * X * X);
      const double bar = v * fv2 / (kappa * kappa * d * d);
      const double S = bar >= -0.7 * omega ? omega + bar : omega + omega * (0.49 * omega + 0.9 * bar) / ((0.9 - 1.4) * omega - bar);
      const double r = std::min(v / (S * kappa * kappa * d * d), 10.0), h = r + 0.3 * (std::pow(r, 6) - r);
      const double fw = h * std::pow((1 + 64.0) / (std::pow(h, 6) + 64.0), 1.0 / 6);
      production = cb1 * (1 - ft2) * S * v;
      destruction = (cw1 * fw - cb1 / (kappa * kappa) * ft2) * v / d * v / d;
    }
    double s = -production + destruction;
    for (int j = 0; j < 3; ++j) s += g.u[j] * tilde.grad[j] - flux[j].grad[j] - cb2 / sigma * tilde.grad[j] * tilde.grad[j];
    if (kind == FlowKind::axisymmetric) s -= flux[0].value / at[0];
    return s / nu() + added_rate;
  }
};

}  // namespace invar::test
