#pragma once
#include <cmath>
#include <complex>
#include <cstddef>
#include <type_traits>
#include <vector>

namespace invar::toy {

/// v + e ε with ε² = 0.
template <class S>
struct Dual {
  S v{}, e{};
  Dual() = default;
  Dual(S value, S derivative = S(0)) : v(value), e(derivative) {}  // NOLINT
  template <class U>
    requires(std::is_arithmetic_v<U> && !std::is_same_v<U, S>)
  Dual(U value) : v(value) {}  // NOLINT

  friend Dual operator+(const Dual& a, const Dual& b) { return {a.v + b.v, a.e + b.e}; }
  friend Dual operator-(const Dual& a, const Dual& b) { return {a.v - b.v, a.e - b.e}; }
  friend Dual operator-(const Dual& a) { return {-a.v, -a.e}; }
  friend Dual operator*(const Dual& a, const Dual& b) { return {a.v * b.v, a.v * b.e + a.e * b.v}; }
  friend Dual operator/(const Dual& a, const Dual& b) { return {a.v / b.v, (a.e * b.v - a.v * b.e) / (b.v * b.v)}; }
  friend Dual sin(const Dual& a) { using std::sin; using std::cos; return {sin(a.v), cos(a.v) * a.e}; }
  friend Dual cos(const Dual& a) { using std::sin; using std::cos; return {cos(a.v), -sin(a.v) * a.e}; }
  friend Dual exp(const Dual& a) { using std::exp; return {exp(a.v), exp(a.v) * a.e}; }
};

template <class T>
using Column = std::vector<T>;

/// x + ẋ ε along the direction of interest, with the derivative by δ in the outer dual.
inline Column<Dual<Dual<double>>> nested(const Column<double>& x, const Column<double>& x_dot, const Column<double>& seed) {
  Column<Dual<Dual<double>>> out(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) out[i] = {Dual<double>(x[i], x_dot[i]), Dual<double>(seed[i], 0.0)};
  return out;
}

}  // namespace invar::toy
