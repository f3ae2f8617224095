#include "libadjoint/case_functional.hpp"

#include <cmath>

namespace invar {
namespace {

void append(DesignVector& x, const DesignVector& block) {
  x.shared.insert(x.shared.end(), block.shared.begin(), block.shared.end());
  x.local.insert(x.local.end(), block.local.begin(), block.local.end());
}

Evaluation failed_solve(const char* what, const Case& c, const SolveReport& report) {
  return Evaluation::failure(std::string(what) + " of case '" + c.name() + "': " + report.reason);
}

}  // namespace

CaseFunctional::CaseFunctional(std::vector<std::shared_ptr<Case>> cases,
                               std::vector<std::shared_ptr<Parameterization>> design, MPI_Comm comm,
                               std::vector<CaseConstraint> constraints)
    : cases_(std::move(cases)), design_(std::move(design)), comm_(comm), constraints_(std::move(constraints)) {
  for (const auto& c : cases_) base_.push_back(c->residual().control_values());
  Place end;
  for (const auto& block : design_) {
    layout_.push_back(DesignVector::zeros_like(block->start()));
    place_.push_back(end);
    end.shared += layout_.back().shared.size();
    end.local += layout_.back().local.size();
  }
  for (const CaseConstraint& k : constraints_) cases_[k.case_index]->watch(k.quantity);
}

DesignVector CaseFunctional::start() const {
  if (start_) return *start_;
  DesignVector x;
  for (const auto& block : design_) append(x, block->start());
  return x;
}

DesignVector CaseFunctional::lower() const {
  DesignVector x;
  for (const auto& block : design_) append(x, block->lower());
  return x;
}

DesignVector CaseFunctional::upper() const {
  DesignVector x;
  for (const auto& block : design_) append(x, block->upper());
  return x;
}

std::vector<DesignVariable> CaseFunctional::variables() const {
  std::vector<DesignVariable> all;
  for (const auto& block : design_)
    for (DesignVariable& v : block->variables()) all.push_back(std::move(v));
  return all;
}

std::vector<std::string> CaseFunctional::names() const {
  std::vector<std::string> names;
  for (const DesignVariable& v : variables()) names.push_back(v.name);
  return names;
}

std::vector<double> CaseFunctional::physical(const DesignVector& theta) const {
  const std::vector<DesignVariable> all = variables();
  std::vector<double> p;
  for (std::size_t k = 0; k < all.size(); ++k) p.push_back(all[k].transform.physical(theta.shared[k]));
  return p;
}

std::vector<double> CaseFunctional::largest_steps() const {
  std::vector<double> all;
  for (const DesignVariable& v : variables()) all.push_back(v.transform.largest_step());
  return all;
}

int CaseFunctional::residual_count() const {
  int n = 0;
  for (const auto& c : cases_) n += c->residual_count();
  return n;
}

std::vector<ConstraintInfo> CaseFunctional::constraints() const {
  std::vector<ConstraintInfo> infos;
  for (const CaseConstraint& c : constraints_) infos.push_back(c.info);
  return infos;
}

std::vector<Controls> CaseFunctional::empty_controls() const {
  std::vector<Controls> d;
  for (const Controls& base : base_) d.emplace_back(base.size());
  return d;
}

// ---- design vector to controls ------------------------------------------------------------------

DesignVector CaseFunctional::part_of(const DesignVector& x, std::size_t block) const {
  DesignVector part = layout_[block];
  std::copy_n(x.shared.begin() + place_[block].shared, part.shared.size(), part.shared.begin());
  std::copy_n(x.local.begin() + place_[block].local, part.local.size(), part.local.begin());
  return part;
}

void CaseFunctional::add_part(DesignVector& x, std::size_t block, const DesignVector& part) const {
  for (std::size_t i = 0; i < part.shared.size(); ++i) x.shared[place_[block].shared + i] += part.shared[i];
  for (std::size_t i = 0; i < part.local.size(); ++i) x.local[place_[block].local + i] += part.local[i];
}

template <class Visit>
Evaluation CaseFunctional::for_blocks(Order order, Visit&& visit) const {
  const std::size_t n = design_.size();
  for (std::size_t k = 0; k < n; ++k)
    if (const Evaluation e = visit(order == Order::forward ? k : n - 1 - k); !e.ok) return e;
  return Evaluation::success(0);
}

Evaluation CaseFunctional::controls_at(const DesignVector& theta, std::vector<Controls>& d) {
  d = base_;
  return for_blocks(Order::forward, [&](std::size_t b) { return design_[b]->apply(part_of(theta, b), d); });
}

Evaluation CaseFunctional::direction_of(const DesignVector& theta, const DesignVector& theta_dot,
                                        std::vector<Controls>& d_dot) {
  d_dot = empty_controls();
  return for_blocks(Order::forward, [&](std::size_t b) {
    return design_[b]->jvp(part_of(theta, b), part_of(theta_dot, b), d_dot);
  });
}

Evaluation CaseFunctional::directions_of(const DesignVector& theta, std::span<const DesignVector> directions,
                                         std::vector<std::vector<Controls>>& of_cases) {
  of_cases.assign(cases_.size(), {});
  for (const DesignVector& direction : directions) {
    std::vector<Controls> d_dot;
    if (const Evaluation moved = direction_of(theta, direction, d_dot); !moved.ok) return moved;
    for (std::size_t c = 0; c < cases_.size(); ++c) of_cases[c].push_back(std::move(d_dot[c]));
  }
  return Evaluation::success(0);
}

Evaluation CaseFunctional::pull_back(const DesignVector& theta, std::vector<Controls>& d_bar, DesignVector& g) {
  g = DesignVector::zeros_like(theta);
  const Evaluation e = for_blocks(Order::reverse, [&](std::size_t b) {
    DesignVector part = layout_[b];
    const Evaluation done = design_[b]->vjp(part_of(theta, b), d_bar, part);
    add_part(g, b, part);
    return done;
  });
  sum_shares(g);
  return e;
}

void CaseFunctional::sum_shares(DesignVector& g) const {
  MPI_Allreduce(MPI_IN_PLACE, g.shared.data(), static_cast<int>(g.shared.size()), MPI_DOUBLE, MPI_SUM, comm_);
}

// ---- forward ----------------------------------------------------------------------------------

bool CaseFunctional::at_hand(const DesignVector& theta) const {
  int same = has_solved_ && theta == solved_at_;
  MPI_Allreduce(MPI_IN_PLACE, &same, 1, MPI_INT, MPI_MIN, comm_);
  return same != 0;
}

Evaluation CaseFunctional::solve(const DesignVector& theta) {
  return at_hand(theta) ? last_ : run_cases(theta, CaseSeeds(cases_.size()));
}

Evaluation CaseFunctional::run_cases(const DesignVector& theta, const CaseSeeds& seeds) {
  has_solved_ = true;
  has_gradient_ = false;
  solved_at_ = theta;
  std::vector<Controls> d;
  if (const Evaluation e = controls_at(theta, d); !e.ok) return last_ = e;
  for (std::size_t c = 0; c < cases_.size(); ++c) {
    const ProcessReport report = cases_[c]->run(d[c], seeds[c]);
    if (!report.ok) return last_ = Evaluation::failure("case '" + cases_[c]->name() + "': " + report.reason);
  }
  double j = 0;
  for (const auto& c : cases_) j += c->value();
  if (std::isfinite(j)) return last_ = Evaluation::success(j);
  for (const auto& c : cases_)
    if (const std::string missing = c->missing_statistic(); !missing.empty())
      return last_ = Evaluation::failure("case '" + c->name() + "': " + missing);
  return last_ = Evaluation::failure("the objective is not finite");
}

std::vector<double> CaseFunctional::memory() const {
  StateWriter out;
  for (const auto& block : design_) block->save(out);
  for (const auto& c : cases_) c->save(out);
  return out.take();
}

void CaseFunctional::recall(const std::vector<double>& memory) {
  StateReader in(memory);
  for (const auto& block : design_) block->restore(in);
  for (const auto& c : cases_) c->restore(in);
  in.end();
  forget();
}

Evaluation CaseFunctional::value(const DesignVector& theta) { return solve(theta); }

Evaluation CaseFunctional::residuals(const DesignVector& theta, Eigen::VectorXd& rho) {
  const Evaluation e = solve(theta);
  if (!e.ok) return e;
  rho.resize(residual_count());
  int row = 0;
  for (const auto& c : cases_) {
    const Eigen::VectorXd part = c->residuals();
    rho.segment(row, part.size()) = part;
    row += static_cast<int>(part.size());
  }
  return e;
}

Evaluation CaseFunctional::constraint_values(const DesignVector& theta, std::vector<double>& c) {
  c.clear();
  const Evaluation e = solve(theta);
  if (!e.ok) return e;
  for (const CaseConstraint& k : constraints_) {
    Case& process = *cases_[k.case_index];
    if (const std::string missing = process.missing_statistic(k.quantity); !missing.empty())
      return Evaluation::failure("case '" + process.name() + "': " + missing);
    c.push_back(process.quantity(k.quantity));
  }
  return e;
}

// ---- derivatives: forward, then reverse, then second order ---------------------------------------

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
  for (const auto& c : cases_) any |= c->compare_values(on);
  forget();  // the same point may be solved by other steps, and closer
  return any;
}

Evaluation CaseFunctional::directionals(const DesignVector& theta, std::span<const DesignVector> directions,
                                        std::vector<double>& derivatives) {
  derivatives.assign(directions.size(), 0.0);
  magnitudes_.assign(directions.size(), 0.0);
  const Evaluation e = solve(theta);
  if (!e.ok) return e;
  return with_error([&] { return add_directionals(theta, directions, derivatives); });
}

/// derivatives += dJ/dθ · directions and magnitudes_ += the size of their terms, at the states solved last.
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
    for (std::size_t k = 0; k < derivatives.size(); ++k) {
      derivatives[k] += value_dot[k];
      const Eigen::VectorXd parts = rho_dot.col(k).cwiseProduct(rho);
      magnitudes_[k] += parts.lpNorm<1>() + std::abs(value_dot[k] - parts.sum());
    }
  }
  return last_;
}

Evaluation CaseFunctional::quantity_directional(const DesignVector& theta, int case_index, const ProcessTerm& quantity,
                                                const DesignVector& direction, double& derivative) {
  const Evaluation e = solve(theta);
  if (!e.ok) return e;
  std::vector<Controls> d_dot;
  if (const Evaluation moved = direction_of(theta, direction, d_dot); !moved.ok) return moved;
  const SolveReport report = cases_[case_index]->quantity_tangent(quantity, d_dot[case_index], derivative);
  return report.converged ? e : failed_solve("tangent", *cases_[case_index], report);
}

Evaluation CaseFunctional::constraint_directional(const DesignVector& theta, const DesignVector& direction,
                                                  std::vector<double>& derivatives) {
  return with_error([&] {
    Evaluation e = solve(theta);
    derivatives.assign(constraints_.size(), 0.0);
    for (std::size_t k = 0; k < constraints_.size() && e.ok; ++k)
      e = quantity_directional(theta, constraints_[k].case_index, constraints_[k].quantity, direction, derivatives[k]);
    return e;
  });
}

/// At the states solved last.
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

/// gradient_ and d_bars_ at theta where `objective`, unless they are at hand; and the gradients of the quantities. What
/// is not solved yet is solved with the adjoints on the way.
Evaluation CaseFunctional::differentiate(const DesignVector& theta, bool objective, std::span<const CaseQuantity> quantities,
                                         std::vector<DesignVector>& gradients) {
  gradients.clear();
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
  return pulled.ok ? last_ : pulled;
}

}  // namespace invar
