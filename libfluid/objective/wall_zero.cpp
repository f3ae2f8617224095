#include "libfluid/objective/wall_zero.hpp"

#include <cmath>

#include "libfem/math/dual.hpp"

namespace invar {
namespace {

template <class T>
T zero_between(const std::array<T, 4>& a) {
  return a[0] + a[1] / (a[1] - a[3]) * (a[2] - a[0]);
}

/// Gradient by the four numbers, and its derivative along a direction.
std::array<Dual<double, 1>, 4> gradient_of_zero(const std::vector<double>& y, const std::array<int, 4>& at, const double* y_dot) {
  using Along = Dual<double, 1>;
  std::array<Dual<Along, 4>, 4> a;
  for (int k = 0; k < 4; ++k) {
    Along value(y[at[k]]);
    if (y_dot) value.grad[0] = y_dot[at[k]];
    a[k] = Dual<Along, 4>::variable(value, k);
  }
  const Dual<Along, 4> zero = zero_between(a);
  return {zero.grad[0], zero.grad[1], zero.grad[2], zero.grad[3]};
}

}  // namespace

std::optional<std::array<int, 4>> WallZero::find(const EvaluationPoint& u, std::vector<double>& y) const {
  y.resize(points_->size());
  points_->evaluate(u, y.data());
  std::optional<std::array<int, 4>> found;
  int zeros = 0;
  for (int k = 1; k < points_->count(); ++k) {
    const int a = 3 * (k - 1), b = 3 * k;
    if (points_->piece(k - 1) != points_->piece(k) || (y[a + 2] < 0) == (y[b + 2] < 0)) continue;
    if (!number_ || zeros == *number_) found = {a + component_, a + 2, b + component_, b + 2};
    ++zeros;
  }
  return found;
}

void WallZero::evaluate(const EvaluationPoint& u, double* y) {
  std::vector<double> all;
  const auto at = find(u, all);
  *y = at ? zero_between(std::array{all[(*at)[0]], all[(*at)[1]], all[(*at)[2]], all[(*at)[3]]}) : std::nan("");
}

void WallZero::jvp(const EvaluationPoint& u, const State& u_dot, const Controls* d_dot, double* y_dot) {
  std::vector<double> all;
  const auto at = find(u, all);
  std::vector<double> all_dot(all.size());
  points_->jvp(u, u_dot, d_dot, all_dot.data());
  *y_dot = at ? 0.0 : std::nan("");
  if (!at) return;
  const auto slope = gradient_of_zero(all, *at, nullptr);
  for (int k = 0; k < 4; ++k) *y_dot += slope[k].value * all_dot[(*at)[k]];
}

void WallZero::vjp(const EvaluationPoint& u, const double* y_bar, const State& u_bar, Controls* d_bar) {
  std::vector<double> all;
  const auto at = find(u, all);
  if (!at) return;
  std::vector<double> all_bar(all.size(), 0.0);
  const auto slope = gradient_of_zero(all, *at, nullptr);
  for (int k = 0; k < 4; ++k) all_bar[(*at)[k]] += *y_bar * slope[k].value;
  points_->vjp(u, all_bar.data(), u_bar, d_bar);
}

void WallZero::vjp_tangent(const EvaluationPoint& u, const double* y_bar, const double* y_bar_dot, const State& u_dot, const Controls* d_dot,
                           const State& u_bar_dot, Controls* d_bar_dot) {
  std::vector<double> all;
  const auto at = find(u, all);
  if (!at) return;
  std::vector<double> all_dot(all.size()), all_bar(all.size(), 0.0), all_bar_dot(all.size(), 0.0);
  points_->jvp(u, u_dot, d_dot, all_dot.data());
  const auto slope = gradient_of_zero(all, *at, all_dot.data());
  for (int k = 0; k < 4; ++k) {
    all_bar[(*at)[k]] += *y_bar * slope[k].value;
    all_bar_dot[(*at)[k]] += *y_bar * slope[k].grad[0] + (y_bar_dot ? *y_bar_dot * slope[k].value : 0.0);
  }
  points_->vjp_tangent(u, all_bar.data(), all_bar_dot.data(), u_dot, d_dot, u_bar_dot, d_bar_dot);
}

}  // namespace invar
