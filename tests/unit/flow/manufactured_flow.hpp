#pragma once
#include <array>
#include <cmath>

#include "libfem/math/dual.hpp"
#include "libfluid/flow/flow_kinematics.hpp"

namespace invar::test {

/// A smooth flow without divergence, with the body force and the tractions that it needs, by the strong
/// form ρ u·∇u − ∇·τ + ∇p + α u = f written out here. Derivatives by dual numbers.
struct ManufacturedFlow {
  FlowKind kind;
  bool carreau, stress_form, convection;
  double density = 1.2, resistance = 0.7;
  double size = 1;  // of the velocity
  static constexpr double viscosity = 0.4;                                        // Newtonian
  static constexpr double mu_0 = 0.5, mu_inf = 0.05, time = 0.8, exponent = 0.5;  // Carreau

  std::vector<double> parameters() const {
    if (carreau) return {density, mu_0, mu_inf, time, exponent};
    return {density, viscosity};
  }
  int dim() const { return kind == FlowKind::spatial ? 3 : 2; }

  template <class T>
  using Point = std::array<T, 3>;
  template <class T>
  struct Gradient {
    T u[3], L[3][3], hoop;  // hoop: u_r/r
  };

  template <class T>
  Point<T> velocity(const Point<T>& x) const {
    using std::cos, std::sin;
    constexpr double k = 1.7, l = 1.3;
    if (kind == FlowKind::axisymmetric) {  // u_r = −∂ψ/∂z / r, u_z = ∂ψ/∂r / r, ψ = r² (½ + r²/4) cos lz
      const T s = x[0] * x[0];
      return {size * l * x[0] * (0.5 + 0.25 * s) * sin(l * x[1]), size * (1.0 + s) * cos(l * x[1]), T(0.0)};
    }
    // u = curl (ψ₂(y, z), 0, ψ(x, y)), ψ = sin kx cos ly
    Point<T> u{-l * sin(k * x[0]) * sin(l * x[1]), -k * cos(k * x[0]) * cos(l * x[1]), T(0.0)};
    if (kind == FlowKind::spatial) {  // ψ₂ = 0.4 sin 1.9y cos z
      u[1] -= 0.4 * sin(1.9 * x[1]) * sin(x[2]);
      u[2] -= 0.76 * cos(1.9 * x[1]) * cos(x[2]);
    }
    for (T& component : u) component = size * component;
    return u;
  }
  template <class T>
  T pressure(const Point<T>& x) const {
    using std::sin;
    return 0.6 * sin(2.3 * x[0] + 1.9 * x[1] + 0.8 * x[2] + 0.3);
  }

  template <class T>
  Gradient<T> gradient(const Point<T>& x) const {
    using D = Dual<T, 3>;
    const Point<D> xd{D::variable(x[0], 0), D::variable(x[1], 1), D::variable(x[2], 2)};
    const Point<D> u = velocity(xd);
    Gradient<T> g{};
    for (int i = 0; i < 3; ++i) {
      g.u[i] = u[i].value;
      for (int j = 0; j < 3; ++j) g.L[i][j] = u[i].grad[j];
    }
    if (kind == FlowKind::axisymmetric) g.hoop = g.u[0] / x[0];
    return g;
  }
  /// τ_ij, and τ_θθ at [3][0].
  template <class T>
  std::array<Point<T>, 4> viscous_stress(const Point<T>& x) const {
    using std::pow;
    const Gradient<T> g = gradient(x);
    T mu(viscosity);
    if (carreau) {
      T rate = 2.0 * g.hoop * g.hoop;
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) rate = rate + 0.5 * (g.L[i][j] + g.L[j][i]) * (g.L[i][j] + g.L[j][i]);
      mu = mu_inf + (mu_0 - mu_inf) * pow(1.0 + time * time * rate, 0.5 * (exponent - 1));
    }
    const double transposed = stress_form ? 1 : 0;
    std::array<Point<T>, 4> t{};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) t[i][j] = mu * (g.L[i][j] + transposed * g.L[j][i]);
    t[3][0] = (1 + transposed) * mu * g.hoop;
    return t;
  }

  static Point<double> point(const double* x, int dim) { return {x[0], x[1], dim == 3 ? x[2] : 0.0}; }

  /// u, then p.
  double value(int c, const double* x) const {
    const Point<double> at = point(x, dim());
    return c == dim() ? pressure(at) : velocity(at)[c];
  }
  double force(int i, const double* x) const {
    using D = Dual<double, 3>;
    const Point<double> at = point(x, dim());
    const Point<D> xd{D::variable(at[0], 0), D::variable(at[1], 1), D::variable(at[2], 2)};
    const auto tau = viscous_stress(xd);
    const Gradient<double> g = gradient(at);
    double f = pressure(xd).grad[i] + resistance * g.u[i];
    for (int j = 0; j < 3; ++j) f += (convection ? density * g.u[j] * g.L[i][j] : 0.0) - tau[i][j].grad[j];
    if (kind == FlowKind::axisymmetric)
      f -= (i == 0 ? tau[0][0].value - tau[3][0].value : tau[1][0].value) / at[0];
    return f;
  }
  /// (τ − p I) n on a boundary of normal e_x.
  double traction(int i, const double* x) const {
    const Point<double> at = point(x, dim());
    return viscous_stress(at)[i][0] - (i == 0 ? pressure(at) : 0.0);
  }
};

}  // namespace invar::test
