#include "libfem/objective/weighted_sum.hpp"

#include <numeric>
#include <stdexcept>

namespace invar {

WeightedSum::WeightedSum(std::shared_ptr<Observable> parts, std::vector<double> weights)
    : parts_(std::move(parts)), weights_(std::move(weights)) {
  if (static_cast<int>(weights_.size()) != parts_->size())
    throw std::invalid_argument("a weighted sum needs a weight for each of its parts");
}

double WeightedSum::sum(const std::vector<double>& parts) const {
  return std::inner_product(parts.begin(), parts.end(), weights_.begin(), 0.0);
}

std::vector<double> WeightedSum::times(double factor) const {
  std::vector<double> w = weights_;
  for (double& v : w) v *= factor;
  return w;
}

void WeightedSum::evaluate(const EvaluationPoint& u, double* y) {
  std::vector<double> parts(weights_.size());
  parts_->evaluate(u, parts.data());
  *y = sum(parts);
}

void WeightedSum::jvp(const EvaluationPoint& u, const State& u_dot, const Controls* d_dot, double* y_dot) {
  std::vector<double> parts(weights_.size());
  parts_->jvp(u, u_dot, d_dot, parts.data());
  *y_dot = sum(parts);
}

void WeightedSum::vjp(const EvaluationPoint& u, const double* y_bar, const State& u_bar, Controls* d_bar) {
  parts_->vjp(u, times(y_bar[0]).data(), u_bar, d_bar);
}

void WeightedSum::vjp_tangent(const EvaluationPoint& u, const double* y_bar, const double* y_bar_dot, const State& u_dot, const Controls* d_dot,
                              const State& u_bar_dot, Controls* d_bar_dot) {
  const std::vector<double> moved = times(y_bar_dot ? y_bar_dot[0] : 0.0);
  parts_->vjp_tangent(u, times(y_bar[0]).data(), moved.data(), u_dot, d_dot, u_bar_dot, d_bar_dot);
}

}  // namespace invar
