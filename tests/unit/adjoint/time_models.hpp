#pragma once
#include "tests/unit/adjoint/time_toys.hpp"

namespace invar::toy {

inline ControlInfo control(std::string name, ControlLayout layout = ControlLayout::number) {
  ControlInfo info;
  info.name = std::move(name);
  info.layout = layout;
  return info;
}

/// What models have unless they say otherwise: nothing is constrained, known of the start or inadmissible.
struct PlainModel {
  int n = 1;
  std::vector<int> constrained = {};
  std::vector<char> algebraic = {};
  template <class T>
  T constraint(int, const Column<T>&, double) const { return T(0); }
  template <class T>
  Column<T> initial(Level, const Column<T>&) const { return Column<T>(n, T(0)); }
  bool admissible(const Levels<double>&, double) const { return true; }
};

/// Three reacting substances and a fourth that is prescribed, u₀ = 0.3 + a sin ω t, fed at s(t) = Σ c_i φ_i(t):
///   u̇₁ = −k₁ u₁ + k₂ u*₂ u₃ − 0.2 u̇₀ + s,   (1 + 0.1 u₁²) u̇₂ = u₀ − u₂³ − k₂ u₁,   u̇₃ = sin u₁ − u₃,
/// where u* is u₂, or its prediction. Controls: k₁, k₂, a, ω; c [6]; the initial state, a field.
struct Reactor : PlainModel {
  bool linearised = false;
  TimeBasis basis{TimeBasis::Kind::cubic, 6, 0, 4};
  Reactor() { n = 4, constrained = {0}; }

  template <class T>
  Column<T> residual(const Levels<T>& y, const Column<T>& d, double t) const {
    using std::sin;
    const auto& [u, v, a, predicted] = y;
    const std::vector<double> phi = basis.values(t);
    T s = 0;
    for (int i = 0; i < 6; ++i) s = s + phi[i] * d[4 + i];
    const T second = linearised ? predicted[2] : u[2];
    return {u[0], v[1] + d[0] * u[1] - d[1] * second * u[3] + 0.2 * v[0] - s,
            (1.0 + 0.1 * u[1] * u[1]) * v[2] + u[2] * u[2] * u[2] + d[1] * u[1] - u[0], v[3] + u[3] - sin(u[1])};
  }
  template <class T>
  T constraint(int, const Column<T>& d, double t) const {
    using std::sin;
    return 0.3 + d[2] * sin(d[3] * t);
  }
  template <class T>
  Column<T> initial(Level level, const Column<T>& d) const {
    if (level != Level::value) return Column<T>(n, T(0));
    return {T(0.3), d[11], d[12], d[13]};
  }
  static std::shared_ptr<Toy<Reactor>> make(bool linearised = false) {
    Reactor model;
    model.linearised = linearised;
    const std::vector<ControlInfo> infos{control("rates"), control("feed", ControlLayout::signal),
                                         control("start", ControlLayout::nodes)};
    Controls values{{0.8, 0.6, 0.2, 2.1}, {0.5, -0.2, 0.9, 0.4, -0.6, 0.3}, {}};
    const ToyBase& layout = Toy<Reactor>(model, infos, values);
    const double start[] = {0.0, 0.4, -0.3, 0.7};
    values[2].assign(start + layout.first(), start + layout.last());
    return std::make_shared<Toy<Reactor>>(model, infos, values);
  }
};

/// A chain of masses m with stiffening springs k e + k₃ e³ and dampers, its first end moved by A (1 − cos ω t), its
/// last pulled by s(t) = Σ c_i φ_i(t); the masses have a share μ in the accelerations of their neighbours.
/// Controls: m, c, k, k₃, A, ω, the initial rate of the last; c [5]; the initial state, a field.
struct Chain : PlainModel {
  double coupling = 0.2;  // μ / m
  bool linearised = false;
  TimeBasis basis{TimeBasis::Kind::fourier, 5, 0, 5};
  Chain() { n = 4, constrained = {0}; }

  template <class T>
  Column<T> residual(const Levels<T>& y, const Column<T>& d, double t) const {
    const auto& [u, v, a, predicted] = y;
    const std::vector<double> phi = basis.values(t);
    T pull = 0;
    for (int i = 0; i < 5; ++i) pull = pull + phi[i] * d[7 + i];
    Column<T> r(n, T(0));
    for (int i = 0; i < n; ++i) r[i] = d[0] * a[i];
    for (int i = 0; i + 1 < n; ++i) {
      const T e = u[i + 1] - u[i], soft = linearised ? predicted[i + 1] - predicted[i] : e;
      const T force = d[2] * e + d[3] * soft * soft * e + d[1] * (v[i + 1] - v[i]);
      r[i] = r[i] - force + coupling * d[0] * a[i + 1];
      r[i + 1] = r[i + 1] + force + coupling * d[0] * a[i];
    }
    r[n - 1] = r[n - 1] - pull;
    return r;
  }
  template <class T>
  T constraint(int, const Column<T>& d, double t) const {
    using std::cos;
    return d[4] * (1.0 - cos(d[5] * t));
  }
  template <class T>
  Column<T> initial(Level level, const Column<T>& d) const {
    if (level == Level::value) return {T(0), d[13], d[14], d[15]};
    if (level == Level::acceleration) return {d[4] * d[5] * d[5], T(0), T(0), T(0)};
    return {T(0), T(0), T(0), d[6]};
  }
  static std::shared_ptr<Toy<Chain>> make(bool linearised = false) {
    Chain model;
    model.linearised = linearised;
    const std::vector<ControlInfo> infos{control("numbers"), control("pull", ControlLayout::signal),
                                         control("start", ControlLayout::nodes)};
    Controls values{{0.7, 0.15, 3.0, 1.5, 0.3, 1.7, 0.4}, {0.2, 0.5, -0.3, 0.1, 0.25}, {}};
    const ToyBase& layout = Toy<Chain>(model, infos, values);
    const double start[] = {0.0, 0.1, 0.3, 0.2};
    values[2].assign(start + layout.first(), start + layout.last());
    return std::make_shared<Toy<Chain>>(model, infos, values);
  }
};

/// A motion in three directions with B·u = g(t) kept by a multiplier p, of index two as incompressible flow is:
///   u̇ = f(u) − B p,   f₀ = −ν u₀ + u₁ u₂, f₁ = −ν u₁ − u₀ u₂ + s sin 2t, f₂ = −ν u₂ + 0.3 cos u₀,   g = b t.
/// Second order in time: ü in the place of u̇, and −ν u̇. Controls: ν, s, b; the initial state [2].
struct Multiplier : PlainModel {
  int order = 1;
  static constexpr double B[] = {1, 2, -1};
  Multiplier() { n = 4, algebraic = {0, 0, 0, 1}; }

  template <class T>
  Column<T> residual(const Levels<T>& y, const Column<T>& d, double t) const {
    using std::cos;
    const Column<T>&u = y[0], &rate = y[order], &damped = y[order - 1];
    return {rate[0] + d[0] * damped[0] - u[1] * u[2] + B[0] * u[3],
            rate[1] + d[0] * damped[1] + u[0] * u[2] - d[1] * std::sin(2 * t) + B[1] * u[3],
            rate[2] + d[0] * damped[2] - 0.3 * cos(u[0]) + B[2] * u[3],
            B[0] * u[0] + B[1] * u[1] + B[2] * u[2] - d[2] * t};
  }
  template <class T>
  Column<T> initial(Level level, const Column<T>& d) const {
    if (level == Level::value) return {d[3], d[4], d[3] + 2.0 * d[4], T(0)};
    return {T(0), 0.5 * d[2], T(0), T(0)};
  }
  static std::shared_ptr<Toy<Multiplier>> make(int order = 1) {
    Multiplier model;
    model.order = order;
    return std::make_shared<Toy<Multiplier>>(model, std::vector{control("numbers"), control("start")},
                                             Controls{{0.4, 0.8, 0.1}, {0.5, -0.2}});
  }
};

/// A model with loads by which u_i = 0.2 i + 0.5 sin((1 + 0.3 i) t + i) solves it, at the controls d.
template <class Model>
struct Manufactured : Model {
  Column<double> d;
  Manufactured(Model model, Column<double> controls) : Model(std::move(model)), d(std::move(controls)) {}

  static double exact(int level, int i, double t) {
    const double w = 1 + 0.3 * i, phase = w * t + i;
    if (level == 1) return 0.5 * w * std::cos(phase);
    if (level == 2) return -0.5 * w * w * std::sin(phase);
    return 0.2 * i + 0.5 * std::sin(phase);
  }
  template <class T>
  Column<T> residual(const Levels<T>& y, const Column<T>& controls, double t) const {
    Levels<double> at;
    for (int l = 0; l < level_count; ++l)
      for (int i = 0; i < this->n; ++i) at[l].push_back(exact(l, i, t));
    const Column<double> load = Model::residual(at, d, t);
    Column<T> r = Model::residual(y, controls, t);
    for (int i = 0; i < this->n; ++i) r[i] = r[i] - load[i];
    return r;
  }
  template <class T>
  T constraint(int i, const Column<T>&, double t) const { return T(exact(0, i, t)); }
  template <class T>
  Column<T> initial(Level level, const Column<T>&) const {
    Column<T> u(this->n);
    for (int i = 0; i < this->n; ++i) u[i] = T(exact(static_cast<int>(level), i, 0));
    return u;
  }
};

/// ü + 2 ζ ω u̇ + ω² u = 0 with ω = 1, 2, 3, from u = 1 and u̇ = 0.5 (order 2), or u̇ + λ u = 0 with λ = ω (order 1).
/// Controls: ζ and a factor on ω.
struct Linear : PlainModel {
  int order = 2;
  explicit Linear(int of_order = 2) : order(of_order) { n = 3; }

  template <class T>
  Column<T> residual(const Levels<T>& y, const Column<T>& d, double) const {
    Column<T> r(n);
    for (int i = 0; i < n; ++i) {
      const T w = (i + 1.0) * d[1];
      r[i] = order == 2 ? y[2][i] + 2.0 * d[0] * w * y[1][i] + w * w * y[0][i] : y[1][i] + w * y[0][i];
    }
    return r;
  }
  template <class T>
  Column<T> initial(Level level, const Column<T>&) const { return Column<T>(n, T(level == Level::value ? 1.0 : 0.5)); }
  static std::shared_ptr<Toy<Linear>> make(int order, double damping, double factor) {
    return std::make_shared<Toy<Linear>>(Linear(order), std::vector{control("numbers")}, Controls{{damping, factor}});
  }
};

/// Lorenz 1963 with σ = 10, ρ = 28, β = 8/3. Control: the initial state.
struct Lorenz : PlainModel {
  Lorenz() { n = 3; }
  template <class T>
  Column<T> residual(const Levels<T>& y, const Column<T>&, double) const {
    const auto& u = y[0];
    return {y[1][0] - 10.0 * (u[1] - u[0]), y[1][1] - u[0] * (28.0 - u[2]) + u[1], y[1][2] - u[0] * u[1] + 8.0 / 3.0 * u[2]};
  }
  template <class T>
  Column<T> initial(Level, const Column<T>& d) const { return d; }
  static std::shared_ptr<Toy<Lorenz>> make() {
    return std::make_shared<Toy<Lorenz>>(Lorenz(), std::vector{control("start")}, Controls{{-8.0, -7.0, 27.0}});
  }
};

}  // namespace invar::toy
