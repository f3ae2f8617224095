#pragma once
#include <array>
#include <cmath>
#include <numbers>

#include "libfem/math/dual.hpp"
#include "libfem/math/dual_functions.hpp"

namespace invar::test {

/// A fluid above an elastic body, both in motion, with an interface that moves and bends: an exact solution of fluid–structure
/// interaction in the plane with its sources, by the strong forms written out here. Derivatives by dual numbers.
/// At rest the body is Y < 1/2 and the fluid 1/2 < Y < 1. Displacements in terms of the place X, Y at rest:
///     body: (0, a g) + b (Y − 1/2)² (r_1, r_2),   mesh of the fluid: any that meets this at Y = 1/2 and leaves the top level.
/// The fluid at the place x, y is moved like the body by a' g along y, and by the stream function ½ s² q(x) with s = y − 1/2 − a g, which
/// vanishes at the interface with its gradient. With m = a g' the body's traction there is μ (m, 0) per area at rest. That of the fluid is
/// the same if η q = (μ m − η a' g' (1 − m²))/(1 + m²)² and p = m η (q (1 + m²) − a' g').
struct ManufacturedInteraction {
  static constexpr double density = 1.2, viscosity = 0.7, resistance = 0.3;        // of the fluid
  static constexpr double mass = 1.7, young = 5.2, poisson = 0.3;                  // of the body
  static constexpr double mesh_stiffness = 3, mesh_bulk = 2;

  /// Position at rest, or place, and time.
  template <class T>
  struct At {
    T x, y, t;
  };
  using First = Dual<double, 3>;
  using Second = Dual<First, 3>;
  template <class T>
  using Pair = std::array<T, 2>;

  /// The value with derivatives along x, y, t.
  template <class T>
  static At<Dual<T, 3>> seeded(const At<T>& at) {
    using D = Dual<T, 3>;
    return {D::variable(at.x, 0), D::variable(at.y, 1), D::variable(at.t, 2)};
  }
  static At<double> at(const double* x, double t) { return {x[0], x[1], t}; }

  /// All begins at rest and gently: else the elements, which do not hold the exact state, would begin with waves of their own.
  template <class T>
  static T beginning(double rate, const T& t) {
    using std::cos;
    const T c = 1.0 - cos(rate * t);
    return c * c;
  }

  // Displacements.
  template <class T>
  static T height(const T& t) {
    return 0.12 * beginning(3, t);
  }
  template <class T>
  static T wave(const T& x) {
    using std::sin;
    return sin(2.2 * x + 0.3);
  }
  template <class T>
  static Pair<T> of_body(const At<T>& X) {
    using std::cos, std::sin;
    const T s = X.y - 0.5, b = 0.5 * beginning(2.5, X.t) * s * s;
    return {T(b * sin(1.5 * X.x + X.y)), T(height(X.t) * wave(X.x) + b * cos(1.9 * X.x - X.y))};
  }
  template <class T>
  static Pair<T> of_mesh(const At<T>& X) {
    using std::sin;
    const T z = 2.0 * (X.y - 0.5);
    return {T(0.05 * beginning(4, X.t) * sin(2.0 * X.x) * z), T(height(X.t) * wave(X.x) * (1.0 - z * z) + 0.06 * beginning(3.5, X.t) * z)};
  }
  static bool in_body(double y) { return y < 0.5; }

  // The fluid, in terms of the place.
  template <class T>
  struct Interface {
    T m, rise, shear, depth;  // m, a' g', η q, s
  };
  /// f' of a function of one number.
  template <class T, class F>
  static T slope(F f, const T& at) {
    return f(Dual<T, 1>::variable(at, 0)).grad[0];
  }
  template <class T>
  static Interface<T> interface(const At<T>& x) {
    const auto at_time = [](const auto& t) { return height(t); };
    const auto along = [](const auto& place) { return wave(place); };
    const T g = slope(along, x.x), m = height(x.t) * g, rise = slope(at_time, x.t) * g, one = 1.0 + m * m;
    const double mu = young / (2 * (1 + poisson));
    return {m, rise, T((mu * m - viscosity * rise * (1.0 - m * m)) / (one * one)), T(x.y - 0.5 - height(x.t) * wave(x.x))};
  }
  template <class T>
  static T pressure(const At<T>& x) {
    using std::cos;
    const Interface<T> i = interface(x);
    return i.m * (i.shear * (1.0 + i.m * i.m) - viscosity * i.rise) + 2.0 * beginning(3, x.t) * i.depth * cos(2.0 * x.x + x.y);
  }
  template <class T>
  static Pair<T> fluid_velocity(const At<T>& x) {
    const At<Dual<T, 3>> X = seeded(x);
    const Interface<Dual<T, 3>> i = interface(X);
    const Dual<T, 3> stream = (0.5 / viscosity) * i.shear * i.depth * i.depth;
    return {stream.grad[1], T((height(X.t) * wave(X.x)).grad[2] - stream.grad[0])};
  }
  /// σ_ij of the fluid.
  template <class T>
  static std::array<Pair<T>, 2> stress(const At<T>& x) {
    const Pair<Dual<T, 3>> v = fluid_velocity(seeded(x));
    const T p = pressure(x), shear = viscosity * (v[0].grad[1] + v[1].grad[0]);
    return {Pair<T>{T(2.0 * viscosity * v[0].grad[0] - p), shear}, Pair<T>{shear, T(2.0 * viscosity * v[1].grad[1] - p)}};
  }
  static double fluid_force(int i, const At<double>& x) {
    const Pair<First> v = fluid_velocity(seeded(x));
    const auto s = stress(seeded(x));
    return density * (v[i].grad[2] + v[0].value * v[i].grad[0] + v[1].value * v[i].grad[1]) + resistance * v[i].value - s[i][0].grad[0] - s[i][1].grad[1];
  }

  /// P = μ (F − F⁻ᵀ) + λ ln J F⁻ᵀ of a displacement.
  template <class T>
  static std::array<Pair<T>, 2> piola(const Pair<Dual<T, 3>>& d, double mu, double lambda) {
    using std::log;
    const T F[2][2] = {{T(1.0 + d[0].grad[0]), d[0].grad[1]}, {d[1].grad[0], T(1.0 + d[1].grad[1])}};
    const T J = F[0][0] * F[1][1] - F[0][1] * F[1][0], c = (lambda * log(J) - mu) / J;
    return {Pair<T>{T(mu * F[0][0] + c * F[1][1]), T(mu * F[0][1] - c * F[1][0])}, Pair<T>{T(mu * F[1][0] - c * F[0][1]), T(mu * F[1][1] + c * F[0][0])}};
  }
  static double body_force(int i, const At<double>& X) {
    const Pair<Second> d = of_body(seeded(seeded(X)));
    const auto P = piola(d, young / (2 * (1 + poisson)), young * poisson / ((1 + poisson) * (1 - 2 * poisson)));
    return mass * d[i].grad[2].grad[2] - P[i][0].grad[0] - P[i][1].grad[1];
  }
  static double mesh_force(int i, const At<double>& X) {
    const auto P = piola(of_mesh(seeded(seeded(X))), mesh_stiffness, mesh_stiffness * mesh_bulk);
    return -P[i][0].grad[0] - P[i][1].grad[1];
  }

  // All in terms of the place at rest.
  static Pair<double> displacement(const At<double>& X) { return in_body(X.y) ? of_body(X) : of_mesh(X); }
  static At<double> place(const At<double>& X) {
    const Pair<double> d = of_mesh(X);
    return {X.x + d[0], X.y + d[1], X.t};
  }
  /// Velocity, displacement, pressure.
  static double value(int c, const At<double>& X) {
    if (c == 4) return in_body(X.y) ? 0 : pressure(place(X));
    if (c >= 2) return displacement(X)[c - 2];
    return in_body(X.y) ? of_body(seeded(X))[c].grad[2] : fluid_velocity(place(X))[c];
  }
};

}  // namespace invar::test
