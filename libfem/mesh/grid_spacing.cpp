#include "libfem/mesh/grid_spacing.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace invar {
namespace {

/// Where an increasing function is 0 between low and high.
template <class F>
double root(F&& f, double low, double high) {
  for (int k = 0; k < 200; ++k) {
    const double middle = 0.5 * (low + high);
    (f(middle) < 0 ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

/// (r^n − 1)/(r − 1) = 1 + r + … + r^(n−1)
double geometric_sum(double r, int n) {
  const double e = std::log(r);
  return std::abs(e) < 1e-12 ? n : std::expm1(n * e) / std::expm1(e);
}

/// Points in [0, 1] whose first cell has the length h and whose lengths are in geometric progression.
std::vector<double> geometric(int n, double h) {
  const double log_r = root([&](double e) { return h * geometric_sum(std::exp(e), n) - 1; }, -50.0, 50.0 / n + 5);
  const double r = std::exp(log_r);
  std::vector<double> s(n + 1);
  for (int k = 0; k <= n; ++k) s[k] = geometric_sum(r, k) / geometric_sum(r, n);
  return s;
}

/// Vinokur's stretching of [0, 1] with slopes such that the end cells have the lengths h0 and h1.
std::vector<double> two_sided(int n, double h0, double h1) {
  const double A = std::sqrt(h1 / h0), B = 1 / (n * std::sqrt(h0 * h1));
  std::vector<double> s(n + 1);
  const auto skew = [&](double u) { return u / (A + (1 - A) * u); };
  if (std::abs(B - 1) < 1e-6) {
    for (int k = 0; k <= n; ++k) s[k] = skew(double(k) / n);
  } else if (B > 1) {
    const double d = root([&](double x) { return std::sinh(x) / x - B; }, 1e-9, 300.0);
    for (int k = 0; k <= n; ++k) s[k] = skew(0.5 * (1 + std::tanh(d * (double(k) / n - 0.5)) / std::tanh(0.5 * d)));
  } else {
    const double d = root([&](double x) { return B - std::sin(x) / x; }, 1e-9, M_PI - 1e-9);
    for (int k = 0; k <= n; ++k) s[k] = skew(0.5 * (1 + std::tan(d * (double(k) / n - 0.5)) / std::tan(0.5 * d)));
  }
  return s;
}

}  // namespace

std::vector<double> grid_points(double from, double to, int cells, double first, double last) {
  const double length = to - from;
  if (!(length > 0) || cells < 1) throw std::invalid_argument("a part of a grid needs a positive length and at least one cell");
  if (first < 0 || last < 0 || !(first + last < length * (cells == 1 ? 2 : 1)))
    throw std::invalid_argument("the first and the last cell of a part of a grid are longer than the part");
  std::vector<double> s(cells + 1);
  if (cells == 1 || (first == 0 && last == 0)) {
    for (int k = 0; k <= cells; ++k) s[k] = double(k) / cells;
  } else if (last == 0) {
    s = geometric(cells, first / length);
  } else if (first == 0) {
    s = geometric(cells, last / length);
    std::ranges::reverse(s);
    for (double& v : s) v = 1 - v;
  } else {
    s = two_sided(cells, first / length, last / length);
  }
  for (double& v : s) v = from + length * v;
  s.front() = from, s.back() = to;
  return s;
}

}  // namespace invar
