// Sensitivities of the objective and other scalars of a case at each step. They are computed once per sweep; otherwise the
// cost of a sweep would be quadratic in the number of steps.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "libadjoint/case.hpp"

namespace invar {

bool Case::couples_steps(const Seed& seed) const {
  const auto coupled = [](const auto& part) { return part.couples_steps(); };
  return seed.term ? seed.term->couples_steps() : std::ranges::any_of(data_, coupled) || std::ranges::any_of(terms_, coupled);
}

SolveReport Case::quantity_tangent(const ProcessTerm& term, const Controls& direction, double& derivative) {
  const ProcessTerm* const terms[] = {&term};
  std::vector<double> derivatives;
  const SolveReport report = quantity_tangents(terms, direction, derivatives);
  derivative = derivatives.front();
  return report;
}

std::vector<Case::Sensitivities> Case::sensitivities(std::span<const ProcessTerm* const> terms) {
  std::vector<Sensitivities> of_terms;
  for (const ProcessTerm* term : terms) of_terms.push_back(sensitivities(term));
  return of_terms;
}

std::vector<char> Case::steps_read(std::span<const Sensitivities> scalars) const {
  std::vector<char> read(times_.size(), 0);
  for (const Sensitivities& scalar : scalars)
    for (std::size_t step = 0; step < read.size(); ++step)
      if (!scalar[step].empty()) read[step] = 1;
  return read;
}

std::vector<std::vector<Observable*>> Case::observables() const {
  std::vector<std::vector<Observable*>> at(times_.size());
  const auto add = [&](const std::vector<int>& steps, Observable* observable) {
    for (const int step : steps)
      if (std::ranges::find(at[step], observable) == at[step].end()) at[step].push_back(observable);
  };
  for (const DataSet& set : data_) add(set.steps, set.observable.get());
  for (const ProcessTerm& term : terms_) add(term.steps, term.observable.get());
  return at;
}

std::vector<std::vector<Case::Measurement>> Case::measurements(int first, int end) {
  std::vector<std::vector<Measurement>> at(times_.size());
  int row = 0;
  for (const DataSet& set : data_) {
    const int m = set.observable->size();
    std::vector<double> statistic;  // derivative of the statistic by the sum of the observable at each step
    if (set.statistic) statistic = set.statistic->gradient(series(*set.observable, set.steps));
    for (std::size_t i = 0; i < set.steps.size(); ++i) {
      if (set.steps[i] < first || set.steps[i] >= end) continue;
      Measurement read{set.observable.get(), row, false, set.couples_steps(), std::vector<double>(m)};
      read.summed = set.statistic != nullptr;
      if (!set.couples_steps()) read.row += static_cast<int>(i) * m;
      for (int k = 0; k < m; ++k) {
        if (set.statistic) read.factor[k] = set.weight / set.noise[0] * statistic[i];
        else read.factor[k] = set.weight / set.noise[set.sums_steps ? k : i * m + k];
      }
      at[set.steps[i]].push_back(std::move(read));
    }
    row += static_cast<int>(set.target.size());
  }
  return at;
}

Case::Sensitivities Case::sensitivities(const ProcessTerm* term, int first, int end) {
  Sensitivities at(times_.size());
  const auto add_term = [&](const ProcessTerm& t) {
    if (std::ranges::none_of(t.steps, [&](int step) { return step >= first && step < end; })) return;
    const std::vector<double> seeds = term_seeds(t);
    const std::size_t m = t.observable->size();
    for (std::size_t k = 0; k < seeds.size(); ++k)
      if (t.steps[k] >= first && t.steps[k] < end)
        at[t.steps[k]].push_back({t.observable.get(), std::vector<double>(m, seeds[k]), std::vector<double>(m, 0.0)});
  };
  if (term) {
    add_term(*term);
    return at;
  }
  if (!data_.empty()) {
    const Eigen::VectorXd rho = residuals(first, end);
    const auto measured = measurements(first, end);
    for (int step = first; step < end; ++step)
      for (const Measurement& read : measured[step]) {
        Sensitivity s{read.observable, read.factor, std::vector<double>(read.factor.size(), 0.0)};
        for (std::size_t k = 0; k < read.factor.size(); ++k) {
          s.y_bar[k] *= rho[read.row + (read.summed ? 0 : static_cast<int>(k))];
          if (!read.coupled) s.curvature[k] = read.factor[k] * read.factor[k];
        }
        at[step].push_back(std::move(s));
      }
  }
  for (const ProcessTerm& t : terms_) add_term(t);
  return at;
}

/// For an extremum with p = seeds/weight: κ seed (Ẏ − pᵀẎ). For an rms value R with relative weights σ: weight² σ (Ẏ − σᵀẎ)/R − seed Ṙ/R,
/// where R contains the weight.
std::vector<double> Case::seed_rates(const ProcessTerm& term, const std::vector<double>& y_dot) {
  const double value = quantity(term);
  const std::vector<double> seeds = term_seeds(term);
  std::vector<double> rates(seeds.size(), 0.0);
  if (term.weight == 0 || (term.rms && value == 0)) return rates;
  double mean = 0, weights = 0, value_dot = 0;
  const auto share = [&](std::size_t k) { return term.step_weights.empty() ? 1.0 : term.step_weights[k]; };
  for (std::size_t k = 0; k < seeds.size(); ++k) {
    weights += share(k);
    mean += share(k) * y_dot[k];
    value_dot += seeds[k] * y_dot[k];
  }
  for (std::size_t k = 0; k < seeds.size(); ++k)
    rates[k] = term.rms ? term.weight * term.weight * share(k) / weights * (y_dot[k] - mean / weights) / value - seeds[k] * value_dot / value
                        : term.sharpness * seeds[k] * (y_dot[k] - value_dot / term.weight);
  return rates;
}

void Case::add_seeds_and_rates(const std::vector<Sensitivity>& at_step, const std::vector<std::vector<double>>& seeds_dot, int step,
                               const EvaluationPoint& u, const State& u_dot, const Controls& direction, const State& u_bar, Controls* d_bar,
                               const State& u_bar_dot, Controls& d_bar_dot) {
  for (const auto& [observable, y_bar, curvature] : at_step) {
    std::vector<double> y_bar_dot(y_bar.size());
    observable->jvp(u, u_dot, &direction, y_bar_dot.data());
    for (std::size_t k = 0; k < y_bar_dot.size(); ++k) y_bar_dot[k] *= curvature[k];
    observable->vjp(u, y_bar.data(), u_bar, d_bar);
    observable->vjp_tangent(u, y_bar.data(), y_bar_dot.data(), u_dot, &direction, u_bar_dot, &d_bar_dot);
  }
  for (std::size_t i = 0; i < terms_.size(); ++i)
    for (std::size_t k = 0; k < seeds_dot[i].size(); ++k) {
      if (terms_[i].steps[k] != step) continue;
      const std::vector<double> y_bar_dot(terms_[i].observable->size(), seeds_dot[i][k]);
      terms_[i].observable->vjp(u, y_bar_dot.data(), u_bar_dot, &d_bar_dot);
    }
}

void Case::add_residual_rates(const std::vector<Measurement>& at_step, const EvaluationPoint& u, const State& u_dot,
                              const Controls& direction, int column, Eigen::MatrixXd& rho_dot) {
  for (const Measurement& read : at_step) {
    std::vector<double> y_dot(read.factor.size());
    read.observable->jvp(u, u_dot, &direction, y_dot.data());
    for (std::size_t k = 0; k < y_dot.size(); ++k)
      rho_dot(read.row + (read.summed ? 0 : static_cast<int>(k)), column) += read.factor[k] * y_dot[k];
  }
}

double Case::rate(const std::vector<Sensitivity>& at_step, const EvaluationPoint& u, const State& u_dot,
                  const Controls& direction, std::size_t which) {
  if (measures_terms_) add_term_sizes(at_step, u, u_dot, direction, which);
  double sum = 0;
  for (const Sensitivity& s : at_step) {
    std::vector<double> y_dot(s.y_bar.size());
    s.observable->jvp(u, u_dot, &direction, y_dot.data());
    sum += std::inner_product(y_dot.begin(), y_dot.end(), s.y_bar.begin(), 0.0);
  }
  return sum;
}

std::vector<double> Case::term_sizes() const {
  std::vector<double> sizes = term_sizes_;
  MPI_Allreduce(MPI_IN_PLACE, sizes.data(), static_cast<int>(sizes.size()), MPI_DOUBLE, MPI_SUM, residual_->comm());
  return sizes;
}

namespace {

/// Σ |a_i b_i| over this rank's entries.
double size_of_product(Vec a, Vec b) {
  const double *x = nullptr, *y = nullptr;
  PetscInt n = 0;
  check(VecGetLocalSize(a, &n));
  check(VecGetArrayRead(a, &x));
  check(VecGetArrayRead(b, &y));
  double sum = 0;
  for (PetscInt i = 0; i < n; ++i) sum += std::abs(x[i] * y[i]);
  check(VecRestoreArrayRead(b, &y));
  check(VecRestoreArrayRead(a, &x));
  return sum;
}

}  // namespace

void Case::add_term_sizes(const std::vector<Sensitivity>& at_step, const EvaluationPoint& u, const State& u_dot,
                          const Controls& direction, std::size_t which) {
  std::vector<std::pair<Vec, VecHandle>> pairs;  // u̇, ū
  const auto bar_of = [&](Vec dot) -> Vec {
    if (!dot) return nullptr;
    for (const auto& [known, bar] : pairs)
      if (known == dot) return bar;
    pairs.emplace_back(dot, zeros_like(dot));
    return pairs.back().second;
  };
  State u_bar;
  u_bar.unknown = bar_of(u_dot.unknown);
  for (const Level l : all_levels) u_bar.levels[l] = bar_of(u_dot.levels[l]);
  u_bar.memory = bar_of(u_dot.memory);
  Controls d_bar = direction;
  double& size = term_sizes_[which];
  for (const Sensitivity& s : at_step) {
    for (const auto& [dot, bar] : pairs) check(VecSet(bar, 0.0));
    for (auto& entries : d_bar) std::ranges::fill(entries, 0.0);
    s.observable->vjp(u, s.y_bar.data(), u_bar, &d_bar);
    for (const auto& [dot, bar] : pairs) size += size_of_product(dot, bar);
    for (std::size_t k = 0; k < d_bar.size(); ++k)
      for (std::size_t i = 0; i < d_bar[k].size(); ++i) size += std::abs(d_bar[k][i] * direction[k][i]);
  }
}

void Case::pull_back(const std::vector<Sensitivity>& at_step, const EvaluationPoint& u, const State& u_bar, Controls* d_bar) {
  for (const Sensitivity& s : at_step) s.observable->vjp(u, s.y_bar.data(), u_bar, d_bar);
}

}  // namespace invar
