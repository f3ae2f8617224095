#include "libadjoint/case.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "libadjoint/solve/describe_matrix.hpp"

namespace invar {
namespace {

double step_weight(const ProcessTerm& term, std::size_t k) { return term.step_weights.empty() ? 1.0 : term.step_weights[k]; }

/// Σ_s w_s exp(κ (y_s − y*)), and y* (`end`): the largest value for κ > 0, the smallest for κ < 0.
double exponential_sum(const ProcessTerm& term, const std::vector<double>& y, double& end) {
  end = term.sharpness > 0 ? *std::max_element(y.begin(), y.end()) : *std::min_element(y.begin(), y.end());
  double sum = 0;
  for (std::size_t k = 0; k < y.size(); ++k) sum += step_weight(term, k) * std::exp(term.sharpness * (y[k] - end));
  return sum;
}

/// Weighted mean, standard deviation (with weights) and sum of the weights.
struct Spread {
  double mean = 0, rms = 0, weights = 0;
};
Spread spread_of(const ProcessTerm& term, const std::vector<double>& y) {
  Spread s;
  for (std::size_t k = 0; k < y.size(); ++k) {
    s.weights += step_weight(term, k);
    s.mean += step_weight(term, k) * y[k];
  }
  s.mean /= s.weights;
  double squares = 0;
  for (std::size_t k = 0; k < y.size(); ++k) squares += step_weight(term, k) * (y[k] - s.mean) * (y[k] - s.mean);
  s.rms = std::sqrt(squares / s.weights);
  return s;
}

}  // namespace

Case::Case(std::string name, std::shared_ptr<Residual> residual, std::vector<double> times)
    : name_(std::move(name)), residual_(std::move(residual)), times_(std::move(times)), given_(residual_->given()) {}

double Case::derivative_error() const { return derivative_solver_ ? derivative_solver_->largest_error() : 0.0; }

void Case::forget_errors() {
  if (derivative_solver_) derivative_solver_->forget_errors();
}

void Case::describe_matrix_to(LinearSolver& solver) {
  use_errors_of(solver);
  describe_matrix(residual_->matrix_hints(), solver);
}

int Case::residual_count() const {
  int n = 0;
  for (const DataSet& set : data_) n += static_cast<int>(set.target.size());
  return n;
}

std::vector<double> Case::observed(const DataSet& set) {
  if (set.statistic) return {set.statistic->value(series(*set.observable, set.steps))};
  const int m = set.observable->size();
  if (set.sums_steps) {
    std::vector<double> sum(m, 0.0), part(m);
    for (const int step : set.steps) {
      observe(step, *set.observable, part.data());
      for (int k = 0; k < m; ++k) sum[k] += part[k];
    }
    return sum;
  }
  std::vector<double> y(set.steps.size() * m);
  for (std::size_t i = 0; i < set.steps.size(); ++i) observe(set.steps[i], *set.observable, &y[i * m]);
  return y;
}

Eigen::VectorXd Case::residuals() { return residuals(0, static_cast<int>(times_.size())); }

/// For data that do not couple steps, only residuals at steps first ≤ s < end are computed; the others are zero.
Eigen::VectorXd Case::residuals(int first, int end) {
  Eigen::VectorXd rho = Eigen::VectorXd::Zero(residual_count());
  int row = 0;
  const auto compare = [&](const DataSet& set, const double* y, std::size_t from, std::size_t count) {
    for (std::size_t i = from; i < from + count; ++i) rho[row++] = set.weight * (*y++ - set.target[i]) / set.noise[i];
  };
  for (const DataSet& set : data_) {
    if (set.couples_steps()) {
      const std::vector<double> y = observed(set);
      compare(set, y.data(), 0, y.size());
      continue;
    }
    const std::size_t m = set.observable->size();
    std::vector<double> y(m);
    for (std::size_t i = 0; i < set.steps.size(); ++i) {
      if (set.steps[i] < first || set.steps[i] >= end) {
        row += static_cast<int>(m);
        continue;
      }
      observe(set.steps[i], *set.observable, y.data());
      compare(set, y.data(), i * m, m);
    }
  }
  return rho;
}

std::vector<double> Case::series(Observable& observable, const std::vector<int>& steps) {
  std::vector<double> sums, y(observable.size());
  for (int step : steps) {
    observe(step, observable, y.data());
    sums.push_back(std::accumulate(y.begin(), y.end(), 0.0));
  }
  return sums;
}

double Case::quantity(const ProcessTerm& term) {
  if (term.steps.empty()) return 0;
  const std::vector<double> y = series(*term.observable, term.steps);
  if (term.statistic) return term.weight * term.statistic->value(y);
  if (term.rms) return term.weight * spread_of(term, y).rms;
  if (term.sharpness != 0) {
    double end = 0;
    const double sum = exponential_sum(term, y, end);
    return term.weight * (end + std::log(sum) / term.sharpness);
  }
  double sum = 0;
  for (std::size_t k = 0; k < y.size(); ++k) sum += step_weight(term, k) * y[k];
  return term.weight * sum;
}

std::string Case::missing_statistic(const ProcessTerm& term) {
  if (!term.statistic || std::isfinite(quantity(term))) return {};
  return "'" + term.name + "': " + term.statistic->missing();
}

std::string Case::missing_statistic() {
  for (const DataSet& set : data_)
    if (set.statistic && !std::isfinite(observed(set)[0])) return "'" + set.name + "': " + set.statistic->missing();
  for (const DataSet& set : data_)
    if (set.sums_steps)
      for (const double y : observed(set))
        if (!std::isfinite(y)) return "'" + set.name + "': its data, shifted, leave the time of the process";
  for (const ProcessTerm& term : terms_)
    if (std::string missing = missing_statistic(term); !missing.empty()) return missing;
  return {};
}

std::string Case::missing_statistic(std::span<const Seed> seeds) {
  for (const Seed& seed : seeds)
    if (std::string missing = seed.term ? missing_statistic(*seed.term) : missing_statistic(); !missing.empty()) return missing;
  return {};
}

std::string Case::begin_from(const EvaluationPoint& start) {
  const Capabilities able = residual_->capabilities();
  if (able.step_limit && !able.step_limit->admits(start)) return "bodies overlap where the process begins" + (explain ? explain(start) : std::string());
  if (able.pattern) able.pattern->update_pattern(start);
  if (on_start) on_start();
  return {};
}

void Case::finish_run(ProcessReport& report, std::span<const Seed> seeds) {
  if (report.reason = missing_statistic(); report.reason.empty()) report.reason = missing_statistic(seeds);
  if (report.reason.empty() && !seeds.empty())
    if (const SolveReport adjoint = gradients(seeds); !adjoint.converged) report.reason = "adjoint: " + adjoint.reason;
  report.ok = report.reason.empty();
}

double Case::value() {
  double j = 0.5 * residuals().squaredNorm();
  for (const ProcessTerm& term : terms_) j += quantity(term);
  return j;
}

std::vector<double> Case::term_seeds(const ProcessTerm& term) {
  std::vector<double> seeds(term.steps.size());
  for (std::size_t k = 0; k < seeds.size(); ++k) seeds[k] = term.weight * step_weight(term, k);
  if (!term.couples_steps()) return seeds;
  const std::vector<double> y = series(*term.observable, term.steps);
  if (term.statistic) {
    seeds = term.statistic->gradient(y);
    for (double& seed : seeds) seed *= term.weight;
    return seeds;
  }
  if (term.rms) {  // the mean varies too, but does not contribute to the derivative
    const Spread s = spread_of(term, y);
    const bool constant = s.rms <= 1e-14 * std::abs(s.mean);  // to round-off
    for (std::size_t k = 0; k < seeds.size(); ++k) seeds[k] *= constant ? 0.0 : (y[k] - s.mean) / (s.rms * s.weights);
  } else {
    double end = 0;
    const double sum = exponential_sum(term, y, end);
    for (std::size_t k = 0; k < seeds.size(); ++k) seeds[k] *= std::exp(term.sharpness * (y[k] - end)) / sum;
  }
  return seeds;
}

std::vector<int> Case::first_steps(std::size_t count) {
  std::vector<int> steps(count);
  std::iota(steps.begin(), steps.end(), 0);
  return steps;
}

}  // namespace invar
