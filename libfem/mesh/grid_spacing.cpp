#include "libfem/mesh/grid_spacing.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace invar {
namespace {

/// The zero of an increasing function between low and high.
template <class F>
double root(F&& f, double low, double high) {
  for (int k = 0; k < 200; ++k) {
    const double middle = 0.5 * (low + high);
    (f(middle) < 0 ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

/// (r^k − 1)/(r − 1), r = exp(e); for whole k 1 + r + … + r^(k−1)
double geometric_sum(double e, double k) { return std::abs(e) < 1e-12 ? k : std::expm1(k * e) / std::expm1(e); }

/// The first cell has the length h, and lengths are in geometric progression.
std::function<double(double)> geometric(int n, double h) {
  const double e = root([&](double x) { return h * geometric_sum(x, n) - 1; }, -50.0, 50.0 / n + 5);
  return [=](double t) { return geometric_sum(e, n * t) / geometric_sum(e, n); };
}

/// Vinokur's function with slopes such that the end cells have the lengths h0 and h1.
std::function<double(double)> two_sided(int n, double h0, double h1) {
  const double A = std::sqrt(h1 / h0), B = 1 / (n * std::sqrt(h0 * h1));
  const auto skew = [A](double u) { return u / (A + (1 - A) * u); };
  if (std::abs(B - 1) < 1e-6) return skew;
  if (B > 1) {
    const double d = root([&](double x) { return std::sinh(x) / x - B; }, 1e-9, 300.0);
    return [=](double t) { return skew(0.5 * (1 + std::tanh(d * (t - 0.5)) / std::tanh(0.5 * d))); };
  }
  const double d = root([&](double x) { return B - std::sin(x) / x; }, 1e-9, M_PI - 1e-9);
  return [=](double t) { return skew(0.5 * (1 + std::tan(d * (t - 0.5)) / std::tan(0.5 * d))); };
}

}  // namespace

std::function<double(double)> stretching(int cells, double first, double last) {
  if (first < 0 || last < 0 || !(first + last < (cells == 1 ? 2 : 1)))
    throw std::invalid_argument("the first and the last cell of a part of a grid are longer than the part");
  if (cells == 1 || (first == 0 && last == 0)) return [](double t) { return t; };
  if (last == 0) return geometric(cells, first);
  if (first == 0) return [from_end = geometric(cells, last)](double t) { return 1 - from_end(1 - t); };
  return two_sided(cells, first, last);
}

void GridAxis::add(double to, int cells, double first, double last) {
  const double length = to - end_;
  if (!(length > 0) || cells < 1) throw std::invalid_argument("a part of a grid needs a positive length and at least one cell");
  parts_.push_back({this->cells(), cells, end_, to, stretching(cells, first / length, last / length)});
  end_ = to;
}

double GridAxis::at(double k) const {
  std::size_t p = 0;
  while (p + 1 < parts_.size() && k >= parts_[p + 1].begin) ++p;
  const Part& part = parts_[p];
  const double t = (k - part.begin) / part.cells;
  return t <= 0 ? part.from : t >= 1 ? part.to : part.from + (part.to - part.from) * part.stretch(t);
}

}  // namespace invar
