#include "libfem/solid/stress_norm.hpp"

#include <cmath>

namespace invar {
namespace {

/// unit (a_0/a_1)^(1/p)
FunctionOf::Expansion mean_power(const std::vector<double>& a, int p, double unit) {
  FunctionOf::Expansion f{0, {0, 0}, {0, 0, 0, 0}};
  if (!(a[0] > 0)) return f;
  const double q = 1.0 / p;
  f.value = unit * std::pow(a[0] / a[1], q);
  f.gradient = {q * f.value / a[0], -q * f.value / a[1]};
  const double mixed = -q * q * f.value / (a[0] * a[1]);
  f.hessian = {q * (q - 1) * f.value / (a[0] * a[0]), mixed, mixed, q * (q + 1) * f.value / (a[1] * a[1])};
  return f;
}

/// scale (ln(a_0/a_1) + shift)/κ
FunctionOf::Expansion mean_exponential(const std::vector<double>& a, double sharpness, double shift, double scale) {
  const double c = scale / sharpness;
  return {c * (std::log(a[0] / a[1]) + shift), {c / a[0], -c / a[1]}, {-c / (a[0] * a[0]), 0, 0, c / (a[1] * a[1])}};
}

}  // namespace

StressNorm::StressNorm(const std::shared_ptr<FormResidual>& residual, std::vector<StressPart> parts, bool scaled) : residual_(residual), parts_(std::move(parts)) {
  if (scaled) scale_control_ = residual->add_control({"", ""}, {1.0});
  measure_ = integral_of_powers(residual, parts_, 0, std::make_shared<const double>(1.0));
}

StressNorm::StressNorm(const std::shared_ptr<FormResidual>& residual, std::vector<StressPart> parts, int exponent, bool scaled)
    : StressNorm(residual, std::move(parts), scaled) {
  squares_ = integral_of_powers(residual, parts_, 2, std::make_shared<const double>(1.0));
  norm_ = std::make_shared<FunctionOf>(std::vector{integral_of_powers(residual, parts_, exponent, unit_), measure_},
                                       [exponent, unit = unit_, scale = scale_](const std::vector<double>& a) { return mean_power(a, exponent, *scale * *unit); });
}

std::unique_ptr<StressNorm> StressNorm::with_exponentials(const std::shared_ptr<FormResidual>& residual, std::vector<StressPart> parts, double sharpness, bool scaled) {
  std::unique_ptr<StressNorm> made(new StressNorm(residual, std::move(parts), scaled));
  made->sharpness_ = sharpness;
  made->norm_ = std::make_shared<FunctionOf>(
      std::vector{integral_of_exponentials(residual, made->parts_, sharpness, made->unit_), made->measure_},
      [sharpness, shift = made->unit_, scale = made->scale_](const std::vector<double>& a) { return mean_exponential(a, sharpness, *shift, *scale); });
  return made;
}

FunctionOf& StressNorm::at(const EvaluationPoint& u) {
  if (scale_control_ >= 0) *scale_ = (*u.given.controls)[scale_control_][0];
  if (sharpness_ > 0) {
    *unit_ = sharpness_ * greatest_stress(*residual_, parts_, u).stress;
    return *norm_;
  }
  double squares = 0, size = 0;
  squares_->evaluate(u, &squares);
  measure_->evaluate(u, &size);
  *unit_ = squares > 0 ? std::sqrt(squares / size) : 1.0;
  return *norm_;
}

std::vector<std::vector<double>> StressNorm::adapted(const EvaluationPoint& u) {
  if (scale_control_ < 0) return {};
  double norm = 0;
  evaluate(u, &norm);
  return {{norm > 0 ? *scale_ * greatest_stress(*residual_, parts_, u).stress / norm : 1.0}};
}

void StressNorm::evaluate(const EvaluationPoint& u, double* y) { at(u).evaluate(u, y); }

void StressNorm::jvp(const EvaluationPoint& u, const State& u_dot, const Controls* d_dot, double* y_dot) { at(u).jvp(u, u_dot, d_dot, y_dot); }

void StressNorm::vjp(const EvaluationPoint& u, const double* y_bar, const State& u_bar, Controls* d_bar) { at(u).vjp(u, y_bar, u_bar, d_bar); }

void StressNorm::vjp_tangent(const EvaluationPoint& u, const double* y_bar, const double* y_bar_dot, const State& u_dot, const Controls* d_dot,
                             const State& u_bar_dot, Controls* d_bar_dot) {
  at(u).vjp_tangent(u, y_bar, y_bar_dot, u_dot, d_dot, u_bar_dot, d_bar_dot);
}

}  // namespace invar
