#include "libadjoint/verify/taylor_test.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "libadjoint/verify/directions.hpp"

namespace invar {
namespace {

// Judged remainders are so many times the round-off. That is estimated from eight values, and may be three times
// greater: an extrapolated order is then uncertain by 0.01.
constexpr double noise_margin = 400;
constexpr double hidden_error = 1e-6; // greatest relative error that round-off may hide

}  // namespace

double measured_noise(ReducedFunctional& functional, const DesignVector& theta,
                      const DesignVector& direction) {
  std::array<double, 8> difference{};
  for (std::size_t k = 0; k < difference.size(); ++k) {
    const Evaluation e = functional.value(moved(theta, 1e-10 * static_cast<double>(k), direction));
    if (!e.ok) return std::nan("");
    difference[k] = e.value;
  }
  double largest = 0, variance = 1;  // of the differences of unit white noise: (2n)! / (n!)²
  for (std::size_t order = 1; order <= 6; ++order) {
    double squares = 0;
    const std::size_t count = difference.size() - order;
    for (std::size_t k = 0; k < count; ++k) {
      difference[k] = difference[k + 1] - difference[k];
      squares += difference[k] * difference[k];
    }
    const auto n = static_cast<double>(order);
    variance *= (2 * n) * (2 * n - 1) / (n * n);
    if (order > 1)  // the first differences hold the slope
      largest = std::max(largest, squares / (static_cast<double>(count) * variance));
  }
  return std::sqrt(largest);
}

CertificateEntry judge_order(std::string check, std::string subject, int order, double scale,
                             const TaylorOptions& options,
                             const std::function<Remainder(double h)>& remainder) {
  CertificateEntry entry{.check = std::move(check), .subject = std::move(subject)};
  entry.expected = order;
  entry.tolerance = options.tolerance;
  std::vector<double> rates;
  double hidden = 0;  // relative error that round-off may hide at the first step within it
  std::string failure = "no step could be evaluated";
  for (int k = 0; k < options.steps; ++k) {
    const double h = options.first_step * std::pow(options.factor, -k);
    const Remainder r = remainder(h);
    if (!r.evaluation.ok) {
      failure = r.evaluation.reason;
      continue;
    }
    TaylorStep step{h, r.value, std::nan(""), r.value > noise_margin * r.noise};
    if (!entry.steps.empty()) {
      const TaylorStep& before = entry.steps.back();
      step.rate = std::log(before.remainder / r.value) / std::log(before.step / h);
    }
    if (step.above_noise && std::isfinite(step.rate)) rates.push_back(step.rate);
    entry.steps.push_back(step);
    if (!step.above_noise) {
      hidden = std::max(r.value, r.noise) / (h * scale);
      break;
    }
  }
  if (entry.steps.empty()) {
    entry.note = "every step failed: " + failure;
    return entry;
  }
  if (rates.size() < 2) {
    const bool within = !entry.steps.back().above_noise;
    entry.passed = within && hidden <= hidden_error;
    if (entry.passed)
      entry.note = rates.empty() && entry.steps.size() == 1 ? "exact"
                                                            : "exact but for a term near round-off";
    else
      entry.note = "too few steps above round-off to see an order";
    return entry;
  }
  const double last = rates.back(), before = rates[rates.size() - 2];
  entry.measured = last + (last - before) / (options.factor - 1);
  for (int accepted = order; accepted <= order + 2; ++accepted)
    if (std::abs(entry.measured - accepted) <= options.tolerance) {
      entry.passed = true;
      if (accepted > order) entry.note = "a term vanishes along this direction";
    }
  if (!entry.passed) entry.note = "the remainder does not vanish with the right order";
  return entry;
}

CertificateEntry taylor_test(ReducedFunctional& functional, const DesignVector& theta,
                             const DesignVector& direction, std::string subject,
                             const TaylorOptions& options) {
  CertificateEntry entry{.check = "taylor", .subject = subject, .expected = 2,
                         .tolerance = options.tolerance};
  const double noise = measured_noise(functional, theta, direction);
  DesignVector g = DesignVector::zeros_like(theta);
  const Evaluation at = functional.gradient(theta, g);
  if (!at.ok || std::isnan(noise)) {
    entry.note = "the gradient could not be evaluated: " + at.reason;
    return entry;
  }
  const double slope = dot(g, direction, functional.comm());
  entry = judge_order("taylor", std::move(subject), 2, std::abs(slope), options, [&](double h) {
    const Evaluation e = functional.value(moved(theta, h, direction));
    const double size = std::max({std::abs(e.value), std::abs(at.value), std::abs(h * slope)});
    return Remainder{e, std::abs(e.value - at.value - h * slope),
                     std::max(noise, options.relative_noise * size)};
  });
  entry.derivative = slope;
  return entry;
}

}  // namespace invar
