#include "libadjoint/case_functional.hpp"

#include <algorithm>
#include <cmath>

#include "libadjoint/maps/prior_field.hpp"

namespace invar {
namespace {

void append(DesignVector& x, const DesignVector& block) {
  x.shared.insert(x.shared.end(), block.shared.begin(), block.shared.end());
  x.local.insert(x.local.end(), block.local.begin(), block.local.end());
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
    DesignVector known = layout_.back();
    if (dynamic_cast<const PriorField*>(block.get())) std::ranges::fill(known.local, 1.0);
    append(precision_, known);
  }
  for (const CaseConstraint& k : constraints_) cases_[k.case_index]->watch(k.quantity);
  for (std::size_t k = 0; k < constraints_.size(); ++k) {
    if (!constraints_[k].info.competes) continue;
    std::vector<ProcessTerm>& terms = cases_[constraints_[k].case_index]->terms();
    competitors_.push_back({k, terms.size()});
    terms.push_back(constraints_[k].quantity);
  }
  const auto note = [&](std::size_t of_case, const ProcessTerm& term) {
    const auto parameters = dynamic_cast<AdaptiveParameters*>(term.observable.get());
    if (!parameters || parameters->adaptive_controls().empty()) return;
    if (std::ranges::find(adaptive_, parameters, &Adaptive::parameters) == adaptive_.end()) adaptive_.push_back({of_case, term.steps.back(), parameters});
  };
  for (std::size_t c = 0; c < cases_.size(); ++c)
    for (const ProcessTerm& term : cases_[c]->terms()) note(c, term);
  for (const CaseConstraint& k : constraints_) note(static_cast<std::size_t>(k.case_index), k.quantity);
}

Evaluation CaseFunctional::update_adaptive_parameters(const DesignVector& theta) {
  if (adaptive_.empty()) return Evaluation::success(0);
  const Evaluation e = solve(theta);
  if (!e.ok) return e;
  for (const Adaptive& a : adaptive_) {
    std::vector<std::vector<double>> values;
    cases_[a.case_index]->with_state(a.step, [&](const EvaluationPoint& u) { values = a.parameters->adapted(u); });
    const std::vector<int> controls = a.parameters->adaptive_controls();
    for (std::size_t k = 0; k < controls.size(); ++k) base_[a.case_index][controls[k]] = std::move(values[k]);
  }
  forget();
  return e;
}

void CaseFunctional::reset_adaptive_parameters() {
  for (const Adaptive& a : adaptive_)
    for (const int k : a.parameters->adaptive_controls()) base_[a.case_index][k] = cases_[a.case_index]->residual().control_values()[k];
  forget();
}

bool CaseFunctional::has_kinks() const {
  return std::ranges::any_of(cases_, [](const auto& c) { return c->residual().capabilities().kinks; });
}

std::vector<char> CaseFunctional::branches() {
  std::vector<char> all;
  for (const auto& c : cases_)
    if (Branches* of_equation = c->residual().capabilities().branches)
      c->visit_states([&](int, const EvaluationPoint& u) {
        const std::vector<char> of_state = of_equation->branches(u);
        all.insert(all.end(), of_state.begin(), of_state.end());
      });
  return all;
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

DesignVector CaseFunctional::prior_precision() const { return precision_; }

void CaseFunctional::add_prior(const DesignVector& x, DesignVector& g) const {
  for (std::size_t i = 0; i < x.shared.size(); ++i) g.shared[i] += precision_.shared[i] * x.shared[i];
  for (std::size_t i = 0; i < x.local.size(); ++i) g.local[i] += precision_.local[i] * x.local[i];
}

double CaseFunctional::prior_energy(const DesignVector& theta) const {
  DesignVector g = DesignVector::zeros_like(theta);
  add_prior(theta, g);
  return 0.5 * dot(theta, g, comm_);
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

bool CaseFunctional::stop_asked() const {
  int stop = monitor_ && monitor_->stop();
  MPI_Allreduce(MPI_IN_PLACE, &stop, 1, MPI_INT, MPI_MAX, comm_);
  return stop != 0;
}

Evaluation CaseFunctional::run_cases(const DesignVector& theta, const CaseSeeds& seeds) {
  has_solved_ = true;
  has_gradient_ = false;
  solved_at_ = theta;
  if (stop_asked()) return last_ = Evaluation::failure("interrupted");
  std::vector<Controls> d;
  if (const Evaluation e = controls_at(theta, d); !e.ok) return last_ = e;
  for (std::size_t c = 0; c < cases_.size(); ++c) {
    const ProcessReport report = cases_[c]->run(d[c], seeds[c]);
    if (!report.ok) return last_ = Evaluation::failure("case '" + cases_[c]->name() + "': " + report.reason);
  }
  choose_largest();
  double j = 0;
  for (const auto& c : cases_) j += c->value();
  j += prior_energy(theta);
  if (std::isfinite(j)) return last_ = Evaluation::success(j);
  for (const auto& c : cases_)
    if (const std::string missing = c->missing_statistic(); !missing.empty())
      return last_ = Evaluation::failure("case '" + c->name() + "': " + missing);
  for (const auto& c : cases_)
    for (const ProcessTerm& term : c->terms())
      if (!std::isfinite(c->quantity(term))) return last_ = Evaluation::failure("case '" + c->name() + "': '" + term.name + "' is not a number");
  return last_ = Evaluation::failure("the objective is not finite");
}

/// Sets the weights of all competing terms to zero, except that of the largest.
void CaseFunctional::choose_largest() {
  if (competitors_.empty() || (holds_largest_ && knows_largest_)) return;
  const auto value = [&](const Competitor& c) {
    const CaseConstraint& k = constraints_[c.constraint];
    return cases_[k.case_index]->quantity(k.quantity);
  };
  std::vector<double> values;
  for (const Competitor& c : competitors_) values.push_back(value(c));
  MPI_Bcast(values.data(), static_cast<int>(values.size()), MPI_DOUBLE, 0, comm_);
  const auto largest = std::ranges::max_element(values) - values.begin();
  for (std::size_t i = 0; i < competitors_.size(); ++i) {
    const CaseConstraint& k = constraints_[competitors_[i].constraint];
    cases_[k.case_index]->terms()[competitors_[i].term].weight = static_cast<std::ptrdiff_t>(i) == largest ? k.quantity.weight : 0;
  }
  knows_largest_ = true;
}

std::vector<double> CaseFunctional::memory() const {
  StateWriter out;
  for (const auto& block : design_) block->save(out);
  for (const auto& c : cases_) c->save(out);
  for (const Adaptive& a : adaptive_)
    for (const int k : a.parameters->adaptive_controls())
      out(Eigen::VectorXd(Eigen::Map<const Eigen::VectorXd>(base_[a.case_index][k].data(), static_cast<Eigen::Index>(base_[a.case_index][k].size()))));
  return out.take();
}

void CaseFunctional::recall(const std::vector<double>& memory) {
  StateReader in(memory);
  for (const auto& block : design_) block->restore(in);
  for (const auto& c : cases_) c->restore(in);
  for (const Adaptive& a : adaptive_)
    for (const int k : a.parameters->adaptive_controls()) {
      std::vector<double>& values = base_[a.case_index][k];
      Eigen::VectorXd kept;
      in(kept);
      if (kept.size() != static_cast<Eigen::Index>(values.size())) throw std::invalid_argument("the saved numbers belong to another problem");
      values.assign(kept.begin(), kept.end());
    }
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

}  // namespace invar
