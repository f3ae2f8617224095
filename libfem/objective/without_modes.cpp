#include "libfem/objective/without_modes.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace invar {

WithoutModes::WithoutModes(std::shared_ptr<Observable> numbers, const std::vector<std::vector<double>>& modes, std::vector<double> deviations)
    : numbers_(std::move(numbers)), deviations_(std::move(deviations)) {
  const std::size_t n = numbers_->size();
  if (deviations_.size() != n || modes.size() >= n) throw std::invalid_argument("modes need more numbers than there are modes, with a deviation each");
  for (std::vector<double> mode : modes) {
    for (std::size_t i = 0; i < n; ++i) mode[i] /= deviations_[i];
    const double whole = std::sqrt(std::inner_product(mode.begin(), mode.end(), mode.begin(), 0.0));
    for (const auto& v : reflections_) reflect(v, mode);
    const std::size_t k = reflections_.size();
    std::fill_n(mode.begin(), k, 0.0);
    const double left = std::sqrt(std::inner_product(mode.begin(), mode.end(), mode.begin(), 0.0));
    if (!(left > 1e-10 * whole)) throw std::invalid_argument("the modes depend on each other");
    mode[k] += mode[k] > 0 ? left : -left;
    const double size = std::sqrt(std::inner_product(mode.begin(), mode.end(), mode.begin(), 0.0));
    for (double& v : mode) v /= size;
    reflections_.push_back(std::move(mode));
  }
}

void WithoutModes::reflect(const std::vector<double>& v, std::vector<double>& x) const {
  const double along = 2 * std::inner_product(v.begin(), v.end(), x.begin(), 0.0);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] -= along * v[i];
}

std::vector<double> WithoutModes::reduced(const std::vector<double>& numbers) const {
  std::vector<double> x = numbers;
  for (std::size_t i = 0; i < x.size(); ++i) x[i] /= deviations_[i];
  for (const auto& v : reflections_) reflect(v, x);
  return {x.begin() + static_cast<std::ptrdiff_t>(reflections_.size()), x.end()};
}

void WithoutModes::evaluate(const EvaluationPoint& u, double* y) {
  std::vector<double> x(numbers_->size());
  numbers_->evaluate(u, x.data());
  std::ranges::copy(reduced(x), y);
}

void WithoutModes::jvp(const EvaluationPoint& u, const State& u_dot, const Controls* d_dot, double* y_dot) {
  std::vector<double> x_dot(numbers_->size());
  numbers_->jvp(u, u_dot, d_dot, x_dot.data());
  std::ranges::copy(reduced(x_dot), y_dot);
}

std::vector<double> WithoutModes::reversed(const double* y) const {
  std::vector<double> x(numbers_->size(), 0.0);
  std::copy_n(y, size(), x.end() - size());
  for (auto v = reflections_.rbegin(); v != reflections_.rend(); ++v) reflect(*v, x);
  return x;
}

std::vector<double> WithoutModes::at_numbers(const std::vector<double>& y) const { return reversed(y.data()); }

std::vector<std::vector<double>> WithoutModes::removed() const {
  std::vector<std::vector<double>> all;
  for (std::size_t k = 0; k < reflections_.size(); ++k) {
    std::vector<double>& x = all.emplace_back(static_cast<std::size_t>(numbers_->size()), 0.0);
    x[k] = 1;
    for (auto v = reflections_.rbegin(); v != reflections_.rend(); ++v) reflect(*v, x);
  }
  return all;
}

std::vector<double> WithoutModes::spread(const double* y) const {
  std::vector<double> x = reversed(y);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] /= deviations_[i];
  return x;
}

void WithoutModes::vjp(const EvaluationPoint& u, const double* y_bar, const State& u_bar, Controls* d_bar) {
  numbers_->vjp(u, spread(y_bar).data(), u_bar, d_bar);
}

void WithoutModes::vjp_tangent(const EvaluationPoint& u, const double* y_bar, const double* y_bar_dot, const State& u_dot, const Controls* d_dot,
                               const State& u_bar_dot, Controls* d_bar_dot) {
  std::vector<double> moved;
  if (y_bar_dot) moved = spread(y_bar_dot);
  numbers_->vjp_tangent(u, spread(y_bar).data(), y_bar_dot ? moved.data() : nullptr, u_dot, d_dot, u_bar_dot, d_bar_dot);
}

}  // namespace invar
