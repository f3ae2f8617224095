#pragma once
#include <cmath>
#include <numeric>
#include <utility>

#include "tests/unit/adjoint/solve_matrices.hpp"
#include "tests/unit/adjoint/time_cases.hpp"

namespace invar::toy {

using C = std::complex<double>;

// Quantities that read all levels, and controls.
struct AtEnd {
  template <class T>
  Column<T> operator()(const Levels<T>& y, const Column<T>& d, double t) const {
    return {y[0][1] * y[0][1] + d[0] * y[1][3] + 0.1 * y[2][2] * y[0][3] + 0.05 * t * y[0][2]};
  }
};
struct Power {
  template <class T>
  Column<T> operator()(const Levels<T>& y, const Column<T>& d, double) const {
    return {y[1][1] * y[0][2] * d[1], 0.2 * y[1][3] * y[1][3] + 0.02 * y[2][1] * y[2][1]};
  }
};
struct Excursion {
  template <class T>
  Column<T> operator()(const Levels<T>& y, const Column<T>&, double) const { return {y[0][2] + 0.1 * y[1][2]}; }
};
struct Measured {
  template <class T>
  Column<T> operator()(const Levels<T>& y, const Column<T>& d, double) const { return {y[0][1], d[2] * y[1][2]}; }
};

/// The terms and data of a case with these quantities, and the same objective of a reference's samples.
struct Objective {
  ProcessTerm end, sum, largest, smallest, spread;
  DataSet data;

  Objective(const std::shared_ptr<ToyBase>& toy, int steps, const std::vector<double>& times) {
    end = {.name = "end", .observable = observe(toy, 1, AtEnd{}), .steps = {steps}, .weight = 1.3};
    sum = {.name = "power", .observable = observe(toy, 2, Power{}), .steps = {}, .weight = 0.7};
    largest = {.name = "excursion", .observable = observe(toy, 1, Excursion{}), .steps = {}, .weight = 0.4, .sharpness = 5};
    for (int k = 0; k <= steps; ++k) {  // the rule of trapezia, marks of varying distance
      const double before = k > 0 ? times[k] - times[k - 1] : 0, after = k < steps ? times[k + 1] - times[k] : 0;
      sum.steps.push_back(k);
      sum.step_weights.push_back(0.5 * (before + after));
      largest.steps.push_back(k);
    }
    largest.step_weights = sum.step_weights;
    smallest = spread = largest;
    smallest.name = "least excursion", smallest.weight = -0.3, smallest.sharpness = -4;
    spread.name = "spread", spread.weight = 0.9, spread.sharpness = 0, spread.rms = true;
    data = {.name = "points", .observable = observe(toy, 2, Measured{}), .steps = {0, steps / 3, steps - 1},
            .target = {0.1, 0.2, -0.3, 0.4, 0.5, -0.1}, .noise = {0.5, 1, 0.7, 2, 1, 0.6}, .weight = 0.8};
  }
  void give(TransientCase& to) const {
    to.terms() = {end, sum, largest, smallest, spread};
    to.data() = {data};
  }
  template <class Q>
  static Column<C> evaluate(const Q& q, const Levels<C>& y, const Column<C>& d, double t) {
    Levels<Dual<C>> yd;
    for (int l = 0; l < level_count; ++l) yd[l].assign(y[l].begin(), y[l].end());
    Column<C> out;
    for (const auto& v : q(yd, Column<Dual<C>>(d.begin(), d.end()), t)) out.push_back(v.v);
    return out;
  }
  C of(const std::vector<Levels<C>>& y, const std::vector<double>& times, const Column<C>& d) const {
    C j = end.weight * evaluate(AtEnd{}, y.back(), d, times.back())[0], power = 0, top = 0, low = 0, mean = 0, squares = 0;
    double length = 0;
    std::vector<C> excursions;
    for (std::size_t k = 0; k < y.size(); ++k) {
      const auto p = evaluate(Power{}, y[k], d, times[k]);
      power += sum.step_weights[k] * (p[0] + p[1]);
      const double w = largest.step_weights[k];
      excursions.push_back(evaluate(Excursion{}, y[k], d, times[k])[0]);
      top += w * std::exp(largest.sharpness * excursions[k]);
      low += w * std::exp(smallest.sharpness * excursions[k]);
      mean += w * excursions[k];
      length += w;
    }
    for (std::size_t k = 0; k < y.size(); ++k) squares += spread.step_weights[k] * (excursions[k] - mean / length) * (excursions[k] - mean / length);
    j += sum.weight * power + largest.weight * std::log(top) / largest.sharpness + smallest.weight * std::log(low) / smallest.sharpness +
         spread.weight * std::sqrt(squares / length);
    for (int i = 0; i < 6; ++i) {
      const int k = data.steps[i / 2];
      const C rho = data.weight * (evaluate(Measured{}, y[k], d, times[k])[i % 2] - data.target[i]) / data.noise[i];
      j += 0.5 * rho * rho;
    }
    return j;
  }
};

inline std::vector<double> uneven(int steps, double h) {
  std::vector<double> t{0};
  for (int i = 0; i < steps; ++i) t.push_back(t.back() + h * (1 + 0.3 * std::sin(i)));
  return t;
}

/// The whole gradient on every rank: shares summed, fields gathered.
inline Column<double> gathered(const ToyBase& toy, const Controls& d_bar) {
  Column<double> g;
  for (std::size_t k = 0; k < d_bar.size(); ++k) {
    const bool shared = toy.controls()[k].shared();
    Column<double> part(shared ? d_bar[k].size() : toy.unknowns(), 0.0);
    std::copy(d_bar[k].begin(), d_bar[k].end(), part.begin() + (shared ? 0 : toy.first()));
    MPI_Allreduce(MPI_IN_PLACE, part.data(), int(part.size()), MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD);
    g.insert(g.end(), part.begin(), part.end());
  }
  return g;
}

/// A direction in all controls, the same whatever the number of ranks.
inline Controls direction(const ToyBase& toy, int seed) {
  Controls v = zeros(toy.control_values());
  for (std::size_t k = 0; k < v.size(); ++k)
    for (std::size_t i = 0; i < v[k].size(); ++i)
      v[k][i] = test::hash_value(int(i) + (toy.controls()[k].shared() ? 0 : toy.first()), 10 * seed + int(k));
  return v;
}
/// The direction that is the gradient.
inline Controls along(const ToyBase& toy, const Column<double>& g) {
  Controls v = zeros(toy.control_values());
  std::size_t at = 0;
  for (std::size_t k = 0; k < v.size(); ++k) {
    const bool shared = toy.controls()[k].shared();
    for (std::size_t i = 0; i < v[k].size(); ++i) v[k][i] = g[at + i + (shared ? 0 : toy.first())];
    at += shared ? v[k].size() : toy.unknowns();
  }
  return v;
}
inline Controls moved(Controls d, double h, const Controls& v) {
  for (std::size_t k = 0; k < d.size(); ++k)
    for (std::size_t i = 0; i < d[k].size(); ++i) d[k][i] += h * v[k][i];
  return d;
}
inline double dot(const Column<double>& a, const Column<double>& b) { return std::inner_product(a.begin(), a.end(), b.begin(), 0.0); }

inline Column<double> gradient_of(Case& test, const ToyBase& toy) {
  Controls d_bar = zeros(toy.control_values());
  const SolveReport report = test.gradient(d_bar);
  EXPECT_TRUE(report.converged) << report.reason;
  return gathered(toy, d_bar);
}
inline double tangent_of(TransientCase& test, const Controls& v) {
  Eigen::MatrixXd rho_dot;
  Eigen::VectorXd value_dot;
  const SolveReport report = test.tangent({v}, rho_dot, value_dot);
  EXPECT_TRUE(report.converged) << report.reason;
  return value_dot[0];
}

/// Adjoint against tangent, along a random direction and the gradient.
inline void expect_consistent(TransientCase& test, const ToyBase& toy, const Column<double>& g, const std::string& name, double tolerance = 1e-11) {
  const double size = std::sqrt(dot(g, g));
  for (const Controls& v : {direction(toy, 1), direction(toy, 2), along(toy, g)}) {
    const double adjoint = dot(g, toy.flat(v)), tangent = tangent_of(test, v);
    const double scale = std::max(std::abs(tangent), 1e-3 * size * std::sqrt(dot(toy.flat(v), toy.flat(v))));
    EXPECT_NEAR(adjoint, tangent, tolerance * scale) << name;
  }
}

}  // namespace invar::toy
