#include "libadjoint/case_functional.hpp"

#include <cmath>
#include <stdexcept>

namespace invar {

CaseFunctional::CaseFunctional(std::vector<std::shared_ptr<StaticCase>> cases, std::vector<DesignEntry> entries,
                               MPI_Comm comm)
    : cases_(std::move(cases)), entries_(std::move(entries)), comm_(comm) {
  for (const auto& c : cases_) base_.push_back(c->residual().control_values());
  for (const DesignEntry& e : entries_)
    for (const DesignEntry::Target& t : e.targets)
      if (!cases_[t.case_index]->residual().controls()[t.control].shared)
        throw std::invalid_argument("design entry '" + e.name + "' is a field; entries are single numbers");
}

DesignVector CaseFunctional::start() const {
  DesignVector x;
  for (const DesignEntry& e : entries_) x.shared.push_back(e.transform.coordinate(e.start));
  return x;
}

DesignVector CaseFunctional::lower() const {
  DesignVector x;
  for (const DesignEntry& e : entries_) x.shared.push_back(e.transform.bounds(e.lower, e.upper)[0]);
  return x;
}

DesignVector CaseFunctional::upper() const {
  DesignVector x;
  for (const DesignEntry& e : entries_) x.shared.push_back(e.transform.bounds(e.lower, e.upper)[1]);
  return x;
}

std::vector<std::string> CaseFunctional::names() const {
  std::vector<std::string> names;
  for (const DesignEntry& e : entries_) names.push_back(e.name);
  return names;
}

int CaseFunctional::residual_count() const {
  int n = 0;
  for (const auto& c : cases_) n += c->residual_count();
  return n;
}

std::vector<double> CaseFunctional::physical(const DesignVector& theta) const {
  std::vector<double> p;
  for (std::size_t k = 0; k < entries_.size(); ++k) p.push_back(entries_[k].transform.physical(theta.shared[k]));
  return p;
}

Controls CaseFunctional::controls_of(int case_index, const DesignVector& theta) const {
  Controls d = base_[case_index];
  for (std::size_t k = 0; k < entries_.size(); ++k)
    for (const DesignEntry::Target& t : entries_[k].targets)
      if (t.case_index == case_index)
        d[t.control].assign(d[t.control].size(), entries_[k].transform.physical(theta.shared[k]));
  return d;
}

Controls CaseFunctional::direction_of(int case_index, const std::vector<double>& physical_dot) const {
  Controls d(base_[case_index].size());
  for (std::size_t k = 0; k < entries_.size(); ++k)
    for (const DesignEntry::Target& t : entries_[k].targets)
      if (t.case_index == case_index) d[t.control].assign(base_[case_index][t.control].size(), physical_dot[k]);
  return d;
}

// ---- forward ----------------------------------------------------------------------------------

Evaluation CaseFunctional::solve(const DesignVector& theta, std::vector<Controls>* d_bars) {
  if (!d_bars && has_solved_ && theta == solved_at_) return last_;
  has_solved_ = true;
  solved_at_ = theta;
  for (std::size_t c = 0; c < cases_.size(); ++c) {
    const ProcessReport report = cases_[c]->run(controls_of(static_cast<int>(c), theta), d_bars ? &(*d_bars)[c] : nullptr);
    if (!report.ok) return last_ = Evaluation::failure("case '" + cases_[c]->name() + "': " + report.reason);
  }
  double j = 0;
  for (const auto& c : cases_) j += c->value();
  return last_ = std::isfinite(j) ? Evaluation::success(j) : Evaluation::failure("the objective is not finite");
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

// ---- derivatives: forward, then reverse, then second order ---------------------------------------

Evaluation CaseFunctional::jacobian(const DesignVector& theta, Eigen::VectorXd& rho, Eigen::MatrixXd& drho) {
  const Evaluation e = residuals(theta, rho);
  if (!e.ok) return e;
  const int n = static_cast<int>(entries_.size());
  drho.resize(residual_count(), n);
  int row = 0;
  for (std::size_t c = 0; c < cases_.size(); ++c) {
    std::vector<Controls> directions;
    for (int k = 0; k < n; ++k) {
      std::vector<double> dot(n, 0.0);
      dot[k] = entries_[k].transform.derivative(theta.shared[k]);
      directions.push_back(direction_of(static_cast<int>(c), dot));
    }
    Eigen::MatrixXd part;
    Eigen::VectorXd value_dot;
    const SolveReport report = cases_[c]->tangent(directions, part, value_dot);
    if (!report.converged) return Evaluation::failure("tangent of case '" + cases_[c]->name() + "': " + report.reason);
    drho.middleRows(row, part.rows()) = part;
    row += static_cast<int>(part.rows());
  }
  return e;
}

Evaluation CaseFunctional::directional(const DesignVector& theta, const DesignVector& direction, double& derivative) {
  const Evaluation e = solve(theta);
  if (!e.ok) return e;
  std::vector<double> dot(entries_.size());
  for (std::size_t k = 0; k < dot.size(); ++k)
    dot[k] = entries_[k].transform.derivative(theta.shared[k]) * direction.shared[k];
  derivative = 0;
  for (std::size_t c = 0; c < cases_.size(); ++c) {
    Eigen::MatrixXd rho_dot;
    Eigen::VectorXd value_dot;
    const SolveReport report = cases_[c]->tangent({direction_of(static_cast<int>(c), dot)}, rho_dot, value_dot);
    if (!report.converged) return Evaluation::failure("tangent of case '" + cases_[c]->name() + "': " + report.reason);
    derivative += value_dot[0];
  }
  return e;
}

Evaluation CaseFunctional::gradient(const DesignVector& theta, DesignVector& g) {
  std::vector<Controls> d_bars;
  for (std::size_t c = 0; c < cases_.size(); ++c)
    d_bars.push_back(direction_of(static_cast<int>(c), std::vector<double>(entries_.size(), 0.0)));
  const bool at_hand = has_solved_ && theta == solved_at_;
  const Evaluation e = at_hand ? last_ : solve(theta, &d_bars);
  if (!e.ok) return e;
  for (std::size_t c = 0; c < cases_.size() && at_hand; ++c) {
    const SolveReport report = cases_[c]->gradient(d_bars[c]);
    if (!report.converged) return Evaluation::failure("adjoint of case '" + cases_[c]->name() + "': " + report.reason);
  }
  g = DesignVector::zeros_like(theta);
  for (std::size_t k = 0; k < entries_.size(); ++k)
    for (const DesignEntry::Target& t : entries_[k].targets)
      g.shared[k] += entries_[k].transform.derivative(theta.shared[k]) * d_bars[t.case_index][t.control][0];
  MPI_Allreduce(MPI_IN_PLACE, g.shared.data(), static_cast<int>(g.shared.size()), MPI_DOUBLE, MPI_SUM, comm_);
  return e;
}

Evaluation CaseFunctional::hessian_action(const DesignVector& theta, const DesignVector& direction, DesignVector& out) {
  DesignVector g;
  const Evaluation e = gradient(theta, g);
  if (!e.ok) return e;
  std::vector<double> dot(entries_.size());
  for (std::size_t k = 0; k < dot.size(); ++k)
    dot[k] = entries_[k].transform.derivative(theta.shared[k]) * direction.shared[k];
  out = DesignVector::zeros_like(theta);
  for (std::size_t c = 0; c < cases_.size(); ++c) {
    const int index = static_cast<int>(c);
    Controls d_bar_dot = direction_of(index, std::vector<double>(entries_.size(), 0.0));
    const SolveReport report = cases_[c]->hessian_action(direction_of(index, dot), d_bar_dot);
    if (!report.converged)
      return Evaluation::failure("second-order adjoint of case '" + cases_[c]->name() + "': " + report.reason);
    for (std::size_t k = 0; k < entries_.size(); ++k)
      for (const DesignEntry::Target& t : entries_[k].targets)
        if (t.case_index == index)
          out.shared[k] += entries_[k].transform.derivative(theta.shared[k]) * d_bar_dot[t.control][0];
  }
  MPI_Allreduce(MPI_IN_PLACE, out.shared.data(), static_cast<int>(out.shared.size()), MPI_DOUBLE, MPI_SUM, comm_);
  // The transform is curved: p'' · dJ/dp, with dJ/dp = g / p'.
  for (std::size_t k = 0; k < entries_.size(); ++k) {
    const VariableTransform& t = entries_[k].transform;
    out.shared[k] += t.second_derivative(theta.shared[k]) / t.derivative(theta.shared[k]) * g.shared[k] * direction.shared[k];
  }
  return e;
}

}  // namespace invar
