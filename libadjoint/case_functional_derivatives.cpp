// Derivatives of CaseFunctional: forward, then reverse, then second order.
#include <algorithm>
#include <cmath>

#include "libadjoint/case_functional.hpp"

namespace invar {
namespace {

Evaluation failed_solve(const char* what, const Case& c, const SolveReport& report) {
  return Evaluation::failure(std::string(what) + " of case '" + c.name() + "': " + report.reason);
}

/// While it lives, cases measure the terms of derivatives.
class MeasuredTerms {
 public:
  explicit MeasuredTerms(const std::vector<std::shared_ptr<Case>>& cases) : cases_(cases) { set_measured(true); }
  ~MeasuredTerms() { set_measured(false); }
  MeasuredTerms(const MeasuredTerms&) = delete;
  MeasuredTerms& operator=(const MeasuredTerms&) = delete;

 private:
  void set_measured(bool on) const {
    for (const auto& c : cases_) c->measure_terms(on);
  }
  const std::vector<std::shared_ptr<Case>>& cases_;
};

/// While it lives, a case has data whose residuals are a multiple of given ones, and no other terms. The multiple is chosen such that
/// target and observed values have the same size, to avoid cancellation.
class SubstitutedData {
 public:
  SubstitutedData(Case& c, const Eigen::VectorXd& rho) : case_(c), terms_(std::move(c.terms())) {
    c.terms().clear();
    double largest = 0;
    std::vector<std::vector<double>> y;
    for (const DataSet& set : c.data()) {
      targets_.push_back(set.target);
      y.push_back(c.observed(set));
      for (std::size_t i = 0; i < y.back().size(); ++i) largest = std::max(largest, std::abs(set.weight * y.back()[i] / set.noise[i]));
    }
    const double size = rho.size() > 0 ? rho.lpNorm<Eigen::Infinity>() : 0.0;
    vanish_ = size == 0;
    factor_ = vanish_ ? 1 : std::max(largest, 1e-300) / size;
    Eigen::Index row = 0;
    for (std::size_t s = 0; s < y.size(); ++s) {
      DataSet& set = c.data()[s];
      for (std::size_t i = 0; i < y[s].size(); ++i, ++row)
        set.target[i] = set.weight == 0 ? y[s][i] : y[s][i] - factor_ * rho[row] * set.noise[i] / set.weight;
    }
  }
  ~SubstitutedData() {
    for (std::size_t s = 0; s < targets_.size(); ++s) case_.data()[s].target = std::move(targets_[s]);
    case_.terms() = std::move(terms_);
  }
  SubstitutedData(const SubstitutedData&) = delete;
  SubstitutedData& operator=(const SubstitutedData&) = delete;

  bool vanish() const { return vanish_; }
  double factor() const { return factor_; }

 private:
  Case& case_;
  std::vector<ProcessTerm> terms_;
  std::vector<std::vector<double>> targets_;
  double factor_ = 1;
  bool vanish_ = false;
};

}  // namespace

Evaluation CaseFunctional::jacobian(const DesignVector& theta, Eigen::VectorXd& rho, Eigen::MatrixXd& drho) {
  const Evaluation e = residuals(theta, rho);
  if (!e.ok) return e;
  const std::size_t n = theta.shared.size();
  std::vector<DesignVector> units(n, DesignVector::zeros_like(theta));
  for (std::size_t k = 0; k < n; ++k) units[k].shared[k] = 1;
  std::vector<std::vector<Controls>> directions;  // [case][variable]
  if (const Evaluation moved = directions_of(theta, units, directions); !moved.ok) return moved;
  drho.resize(residual_count(), n);
  int row = 0;
  for (std::size_t c = 0; c < cases_.size(); ++c) {
    Eigen::MatrixXd part;
    Eigen::VectorXd value_dot;
    const SolveReport report = cases_[c]->tangent(directions[c], part, value_dot);
    if (!report.converged) return failed_solve("tangent", *cases_[c], report);
    drho.middleRows(row, part.rows()) = part;
    row += static_cast<int>(part.rows());
  }
  return e;
}

Evaluation CaseFunctional::residual_jvp(const DesignVector& theta, const DesignVector& direction, Eigen::VectorXd& rho_dot) {
  const Evaluation e = solve(theta);
  if (!e.ok) return e;
  std::vector<Controls> d_dot;
  if (const Evaluation moved = direction_of(theta, direction, d_dot); !moved.ok) return moved;
  rho_dot.resize(residual_count());
  int row = 0;
  for (std::size_t c = 0; c < cases_.size(); ++c) {
    Eigen::MatrixXd part;
    Eigen::VectorXd value_dot;
    const SolveReport report = cases_[c]->tangent({d_dot[c]}, part, value_dot);
    if (!report.converged) return failed_solve("tangent", *cases_[c], report);
    rho_dot.segment(row, part.rows()) = part.col(0);
    row += static_cast<int>(part.rows());
  }
  return e;
}

/// Gradient of ½‖ρ‖² with data for which ρ = `rho_bar`.
Evaluation CaseFunctional::residual_vjp(const DesignVector& theta, const Eigen::VectorXd& rho_bar, DesignVector& g) {
  const Evaluation e = solve(theta);
  if (!e.ok) return e;
  std::vector<Controls> d_bars = empty_controls();
  for (const auto& block : design_) block->want(d_bars);
  int row = 0;
  for (std::size_t c = 0; c < cases_.size(); ++c) {
    const int count = cases_[c]->residual_count();
    const SubstitutedData substituted(*cases_[c], rho_bar.segment(row, count));
    row += count;
    if (substituted.vanish()) continue;
    Controls of_case = d_bars[c];
    const SolveReport report = cases_[c]->gradient(of_case);
    if (!report.converged) return failed_solve("adjoint", *cases_[c], report);
    for (std::size_t k = 0; k < of_case.size(); ++k)
      for (std::size_t i = 0; i < of_case[k].size(); ++i) d_bars[c][k][i] += of_case[k][i] / substituted.factor();
  }
  const Evaluation pulled = pull_back(theta, d_bars, g);
  return pulled.ok ? e : pulled;
}

Evaluation CaseFunctional::directional(const DesignVector& theta, const DesignVector& direction, double& derivative) {
  std::vector<double> derivatives;
  const Evaluation e = directionals(theta, {&direction, 1}, derivatives);
  derivative = derivatives.front();
  return e;
}

template <class Derive>
Evaluation CaseFunctional::with_error(Derive&& derive) {
  for (const auto& c : cases_) c->forget_errors();
  Evaluation e = derive();
  for (const auto& c : cases_) e.error = std::max(e.error, c->derivative_error());
  return e;
}

bool CaseFunctional::compare_values(bool on) {
  bool any = false;
  holds_largest_ = on;
  for (const auto& c : cases_) any |= c->compare_values(on);
  forget();  // another evaluation at this point may use other time steps and a tighter tolerance
  return any;
}

Evaluation CaseFunctional::directionals(const DesignVector& theta, std::span<const DesignVector> directions,
                                        std::vector<double>& derivatives) {
  derivatives.assign(directions.size(), 0.0);
  magnitudes_.assign(directions.size(), 0.0);
  term_sizes_.assign(directions.size(), 0.0);
  const Evaluation e = solve(theta);
  if (!e.ok) return e;
  const MeasuredTerms measured(cases_);
  return with_error([&] { return add_directionals(theta, directions, derivatives); });
}

/// derivatives += dJ/dθ · directions, magnitudes_ and term_sizes_ += the magnitudes of their terms, at the last states.
Evaluation CaseFunctional::add_directionals(const DesignVector& theta, std::span<const DesignVector> directions,
                                            std::vector<double>& derivatives) {
  std::vector<std::vector<Controls>> of_cases;  // [case][direction]
  if (const Evaluation moved = directions_of(theta, directions, of_cases); !moved.ok) return moved;
  for (std::size_t c = 0; c < cases_.size(); ++c) {
    Eigen::MatrixXd rho_dot;
    Eigen::VectorXd value_dot;
    const SolveReport report = cases_[c]->tangent(of_cases[c], rho_dot, value_dot);
    if (!report.converged) return failed_solve("tangent", *cases_[c], report);
    const Eigen::VectorXd rho = cases_[c]->residuals();
    const std::vector<double> sizes = cases_[c]->term_sizes();
    for (std::size_t k = 0; k < derivatives.size(); ++k) {
      term_sizes_[k] += sizes[k];
      derivatives[k] += value_dot[k];
      const Eigen::VectorXd parts = rho_dot.col(k).cwiseProduct(rho);
      magnitudes_[k] += parts.lpNorm<1>() + std::abs(value_dot[k] - parts.sum());
    }
  }
  DesignVector of_prior = DesignVector::zeros_like(theta);
  add_prior(theta, of_prior);
  for (std::size_t k = 0; k < derivatives.size(); ++k) {
    const double rate = dot(of_prior, directions[k], comm_);
    derivatives[k] += rate;
    magnitudes_[k] += std::abs(rate);
  }
  return last_;
}

Evaluation CaseFunctional::constraint_directional(const DesignVector& theta, const DesignVector& direction,
                                                  std::vector<double>& derivatives) {
  derivatives.assign(constraints_.size(), 0.0);
  term_sizes_.assign(constraints_.size(), 0.0);
  const Evaluation e = solve(theta);
  const MeasuredTerms measured(cases_);
  return e.ok ? with_error([&] { return find_constraint_rates(theta, direction, derivatives); }) : e;
}

/// At the last states, by one tangent sweep per case.
Evaluation CaseFunctional::find_constraint_rates(const DesignVector& theta, const DesignVector& direction,
                                                 std::vector<double>& derivatives) {
  std::vector<Controls> d_dot;
  if (const Evaluation moved = direction_of(theta, direction, d_dot); !moved.ok) return moved;
  for (std::size_t c = 0; c < cases_.size(); ++c) {
    std::vector<const ProcessTerm*> terms;
    std::vector<std::size_t> positions;
    for (std::size_t k = 0; k < constraints_.size(); ++k) {
      if (constraints_[k].case_index != static_cast<int>(c)) continue;
      terms.push_back(&constraints_[k].quantity);
      positions.push_back(k);
    }
    if (terms.empty()) continue;
    std::vector<double> of_case;
    const SolveReport report = cases_[c]->quantity_tangents(terms, d_dot[c], of_case);
    if (!report.converged) return failed_solve("tangent", *cases_[c], report);
    const std::vector<double> sizes = cases_[c]->term_sizes();
    for (std::size_t k = 0; k < positions.size(); ++k) {
      derivatives[positions[k]] = of_case[k];
      term_sizes_[positions[k]] = sizes[k];
    }
  }
  return last_;
}

/// At the last states.
Evaluation CaseFunctional::sweep_cases(const CaseSeeds& seeds) {
  for (std::size_t c = 0; c < cases_.size(); ++c) {
    if (seeds[c].empty()) continue;
    if (const std::string missing = cases_[c]->missing_statistic(seeds[c]); !missing.empty())
      return Evaluation::failure("case '" + cases_[c]->name() + "': " + missing);
    const SolveReport report = cases_[c]->gradients(seeds[c]);
    if (!report.converged) return failed_solve("adjoint", *cases_[c], report);
  }
  return last_;
}

/// Computes gradient_ and d_bars_ at theta if `objective`, unless they are available, and the gradients of the quantities. Cases that
/// are not solved yet are solved and differentiated in one pass.
Evaluation CaseFunctional::differentiate(const DesignVector& theta, bool objective, std::span<const CaseQuantity> quantities,
                                         std::vector<DesignVector>& gradients) {
  gradients.clear();
  if (objective && !competitors_.empty()) solve(theta);  // to know which competitor is the largest
  const bool solved = at_hand(theta);
  if (solved && !last_.ok) return last_;
  const bool cached = objective && solved && has_gradient_;
  CaseSeeds seeds(cases_.size());
  std::vector<std::vector<Controls>> d_bars(quantities.size(), empty_controls());  // [quantity][case]
  for (auto& of_quantity : d_bars)
    for (const auto& block : design_) block->want(of_quantity);
  if (objective && !cached) {
    d_bars_ = empty_controls();
    for (const auto& block : design_) block->want(d_bars_);
    for (std::size_t c = 0; c < cases_.size(); ++c) seeds[c].push_back({nullptr, &d_bars_[c]});
  }
  for (std::size_t k = 0; k < quantities.size(); ++k) {
    const auto [c, term] = quantities[k];
    seeds[c].push_back({term, &d_bars[k][c]});
  }
  Evaluation e = with_error([&] { return solved ? sweep_cases(seeds) : run_cases(theta, seeds); });
  if (!e.ok) return e;
  if (objective && !cached) {
    if (const Evaluation pulled = pull_back(theta, d_bars_, gradient_); !pulled.ok) return pulled;
    add_prior(theta, gradient_);
    has_gradient_ = true;
    gradient_error_ = e.error;
  }
  if (cached) e.error = std::max(e.error, gradient_error_);
  for (auto& of_quantity : d_bars) {
    gradients.emplace_back();
    if (const Evaluation pulled = pull_back(theta, of_quantity, gradients.back()); !pulled.ok) return pulled;
  }
  return e;
}

Evaluation CaseFunctional::gradient(const DesignVector& theta, DesignVector& g) {
  std::vector<DesignVector> none;
  const Evaluation e = differentiate(theta, true, {}, none);
  if (e.ok) g = gradient_;
  return e;
}

Evaluation CaseFunctional::quantity_gradients(const DesignVector& theta, std::span<const CaseQuantity> quantities,
                                              std::vector<DesignVector>& gradients) {
  return differentiate(theta, false, quantities, gradients);
}

std::vector<CaseQuantity> CaseFunctional::constrained_quantities() const {
  std::vector<CaseQuantity> quantities;
  for (const CaseConstraint& k : constraints_) quantities.push_back({k.case_index, &k.quantity});
  return quantities;
}

Evaluation CaseFunctional::constraint_gradients(const DesignVector& theta, std::vector<double>& c,
                                                std::vector<DesignVector>& gradients) {
  const Evaluation e = differentiate(theta, false, constrained_quantities(), gradients);
  const Evaluation values = e.ok ? constraint_values(theta, c) : e;
  return values.ok ? e : values;
}

Evaluation CaseFunctional::gradients(const DesignVector& theta, DesignVector& g, std::vector<double>& c,
                                     std::vector<DesignVector>& constraint_gradients) {
  const Evaluation e = differentiate(theta, true, constrained_quantities(), constraint_gradients);
  const Evaluation values = e.ok ? constraint_values(theta, c) : e;
  if (values.ok) g = gradient_;
  return values.ok ? e : values;
}

Evaluation CaseFunctional::hessian_action(const DesignVector& theta, const DesignVector& direction, DesignVector& out) {
  DesignVector g;
  const Evaluation e = gradient(theta, g);
  return e.ok ? with_error([&] { return second_order(theta, direction, out); }) : e;
}

Evaluation CaseFunctional::second_order(const DesignVector& theta, const DesignVector& direction, DesignVector& out) {
  std::vector<Controls> d_dot, d_bars_dot = empty_controls();
  if (const Evaluation moved = direction_of(theta, direction, d_dot); !moved.ok) return moved;
  for (const auto& block : design_) block->want(d_bars_dot);
  for (std::size_t c = 0; c < cases_.size(); ++c) {
    const SolveReport report = cases_[c]->hessian_action(d_dot[c], d_bars_dot[c]);
    if (!report.converged) return failed_solve("second-order adjoint", *cases_[c], report);
  }
  out = DesignVector::zeros_like(theta);
  const Evaluation pulled = for_blocks(Order::reverse, [&](std::size_t b) {
    DesignVector part = layout_[b];
    const Evaluation done =
        design_[b]->vjp_tangent(part_of(theta, b), part_of(direction, b), d_bars_, d_bars_dot, part);
    add_part(out, b, part);
    return done;
  });
  sum_shares(out);
  add_prior(direction, out);
  return pulled.ok ? last_ : pulled;
}

}  // namespace invar
