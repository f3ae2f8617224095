#pragma once
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "libfem/design/boundary/boundary_map.hpp"

namespace invar::test {

inline std::vector<double> random_values(std::size_t n, unsigned seed, double low = -1, double high = 1) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(low, high);
  std::vector<double> values(n);
  for (double& v : values) v = uniform(random);
  return values;
}
inline std::vector<double> displacements(const BoundaryMap& map, int dim, const std::vector<double>& theta) {
  std::vector<double> w(std::size_t(map.point_count()) * dim);
  map.displace(theta.data(), w.data());
  return w;
}
inline double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}
inline std::vector<double> moved(std::vector<double> a, double step, const std::vector<double>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] += step * b[i];
  return a;
}
inline double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}
inline int number_of(const BoundaryMap& map, const std::string& name) {
  const auto names = map.names();
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == name) return static_cast<int>(i);
  return -1;
}
inline double largest(const std::vector<double>& a) { return distance(a, std::vector<double>(a.size(), 0.0)); }

/// The derivative at 0 of f(step) → vector: central differences of fourth order, h⁴/30 ≈ 3e-14 times
/// fifth derivatives and round-off 1e-13 of the values.
template <class F>
std::vector<double> difference(F f) {
  constexpr double h = 1e-3;
  const auto near = moved(f(h), -1, f(-h)), far = moved(f(2 * h), -1, f(-2 * h));
  std::vector<double> derivative(near.size());
  for (std::size_t i = 0; i < near.size(); ++i) derivative[i] = (8 * near[i] - far[i]) / (12 * h);
  return derivative;
}

/// jvp against differences of the displacements, vjp against jvp, vjp_tangent against differences of
/// vjp. θ, w and x are of order one.
inline void check_derivatives(const BoundaryMap& map, int dim, const std::vector<double>& theta) {
  const std::size_t n = theta.size(), m = std::size_t(map.point_count()) * dim;
  ASSERT_EQ(static_cast<int>(n), map.size());
  const auto theta_dot = random_values(n, 1), w_bar = random_values(m, 2);
  const auto along = [&](double step) { return moved(theta, step, theta_dot); };

  std::vector<double> w_dot(m, 7.0);  // jvp overwrites
  map.jvp(theta.data(), theta_dot.data(), w_dot.data());
  EXPECT_LT(distance(w_dot, difference([&](double step) { return displacements(map, dim, along(step)); })), 1e-11);

  std::vector<double> theta_bar(n, 0.25);  // vjp adds
  map.vjp(theta.data(), w_bar.data(), theta_bar.data());
  for (double& v : theta_bar) v -= 0.25;
  EXPECT_NEAR(dot(theta_bar, theta_dot), dot(w_bar, w_dot), 1e-14 * m);

  std::vector<double> theta_bar_dot(n, 0.5);  // vjp_tangent adds
  map.vjp_tangent(theta.data(), theta_dot.data(), w_bar.data(), theta_bar_dot.data());
  for (double& v : theta_bar_dot) v -= 0.5;
  const auto expected = difference([&](double step) {
    std::vector<double> bar(n, 0.0);
    map.vjp(along(step).data(), w_bar.data(), bar.data());
    return bar;
  });
  EXPECT_LT(distance(theta_bar_dot, expected), 1e-11 * std::sqrt(m));
}

}  // namespace invar::test
