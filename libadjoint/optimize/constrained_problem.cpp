#include "libadjoint/optimize/constrained_problem.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "libadjoint/optimize/bounds.hpp"

namespace invar {
namespace {

std::vector<ConstraintSide> sides_of(const std::vector<ConstraintInfo>& constraints) {
  std::vector<ConstraintSide> sides;
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    const ConstraintInfo& c = constraints[i];
    const auto index = static_cast<Eigen::Index>(i);
    if (c.competes) {
      sides.push_back({index, 1, 0, false, true});
      continue;
    }
    if (!(c.scale > 0 && std::isfinite(c.scale)))
      throw std::invalid_argument("the scale of the constraint '" + c.name + "' must be positive");
    if (!(c.lower <= c.upper) || (c.lower == c.upper && std::isinf(c.lower)))
      throw std::invalid_argument("the limits of the constraint '" + c.name +
                                  "' leave no value: the lower one must not exceed the upper one");
    if (c.lower == c.upper) {
      sides.push_back({index, 1 / c.scale, c.upper, true});
      continue;
    }
    if (std::isfinite(c.upper)) sides.push_back({index, 1 / c.scale, c.upper, false});
    if (std::isfinite(c.lower)) sides.push_back({index, -1 / c.scale, c.lower, false});
  }
  return sides;
}

std::vector<bool> competitors_of(const ReducedFunctional& functional) {
  std::vector<bool> all;
  for (const ConstraintInfo& c : functional.constraints()) all.push_back(c.competes);
  return all;
}

DesignVector with_entry(DesignVector x, double first) {
  x.shared.insert(x.shared.begin(), first);
  return x;
}

}  // namespace

ConstrainedProblem::ConstrainedProblem(ReducedFunctional& functional, const DesignVector& start)
    : functional_(functional), competes_(competitors_of(functional)), lifted_(std::ranges::count(competes_, true) > 0),
      layout_(functional.comm(), lifted_ ? with_entry(start, 0) : start) {
  const Bounds bounds(functional);
  bounds.require_inside(start, functional);
  lower_ = lifted(bounds.lower);
  upper_ = lifted(bounds.upper);
  if (lifted_) std::tie(lower_[0], upper_[0]) = std::pair(-INFINITY, INFINITY);
  const std::vector<ConstraintInfo> constraints = functional.constraints();
  m_ = static_cast<Eigen::Index>(constraints.size());
  sides_ = sides_of(constraints);
}

// ---- the bound of competing constraints ----------------------------------------------------------------------------------

Eigen::VectorXd ConstrainedProblem::lifted(const DesignVector& theta) const {
  return layout_.flat(lifted_ ? with_entry(theta, 0) : theta);
}

DesignVector ConstrainedProblem::design(const Eigen::VectorXd& theta) const {
  DesignVector x = layout_.design(theta);
  if (lifted_) x.shared.erase(x.shared.begin());
  return x;
}

void ConstrainedProblem::set_units(const BoundUnits& units) {
  units_ = units;
  for (ConstraintSide& side : sides_)
    if (side.competes) side.factor = 1 / units.size;
}

BoundUnits ConstrainedProblem::choose_units(ConstrainedSample& sample) {
  if (!lifted_) return units_;
  const double z = bound(sample);
  Eigen::Index largest = -1;
  BoundUnits units{0, 0};
  for (Eigen::Index k = 0; k < m_; ++k) {
    if (!competes(k)) continue;
    if (largest < 0 || sample.c[k] > sample.c[largest]) largest = k;
    units.size = std::max(units.size, std::abs(sample.c[k] + z));
  }
  Eigen::VectorXd g = sample.jacobian.col(largest);
  for (Eigen::Index j = 0; j < layout_.n(); ++j)
    if (j == 0 || fixed(j)) g[j] = 0;
  const Eigen::VectorXd ranges = typical_ranges(*this, sample.theta);
  units.size = std::max(units.size, layout_.sum(1, [&](Eigen::Index j, Eigen::VectorXd& s) { s[0] += std::abs(g[j] * ranges[j]); })[0]);
  units.slope = layout_.norm(g);
  if (!(units.slope > 0 && std::isfinite(units.slope))) units.slope = 1;
  if (!(units.size > 0 && std::isfinite(units.size))) units.size = 1;
  set_units(units);
  sample.theta[0] = z / units.slope;
  sample.gradient[0] = units.slope;
  for (Eigen::Index k = 0; k < m_; ++k)
    if (competes(k)) sample.jacobian(0, k) = -units.slope;
  tighten(sample);
  return units;
}

void ConstrainedProblem::tighten(ConstrainedSample& sample) const {
  if (!lifted_) return;
  const double z = bound(sample), largest = objective(sample);
  for (Eigen::Index k = 0; k < m_; ++k)
    if (competes(k)) sample.c[k] = (sample.c[k] + z) - largest;
  sample.theta[0] = largest / units_.slope;
  sample.value = largest;
}

double ConstrainedProblem::objective(const ConstrainedSample& sample) const {
  if (!lifted_) return sample.value;
  double largest = -INFINITY;
  for (Eigen::Index k = 0; k < m_; ++k)
    if (competes(k)) largest = std::max(largest, sample.c[k] + bound(sample));
  return largest;
}

std::vector<double> ConstrainedProblem::constraint_values(const ConstrainedSample& sample) const {
  std::vector<double> c(sample.c.begin(), sample.c.end());
  for (Eigen::Index k = 0; k < m_; ++k)
    if (competes(k)) c[static_cast<std::size_t>(k)] += bound(sample);
  return c;
}

// ---- evaluation --------------------------------------------------------------------------------------------------------

std::optional<std::string> ConstrainedProblem::evaluate(ConstrainedSample& sample) {
  const DesignVector theta = design(sample.theta);
  const Evaluation objective = functional_.value(theta);
  if (const auto failure = agreed(objective, objective.ok && std::isfinite(objective.value))) return failure;
  std::vector<double> c;
  return take_values(m_ > 0 ? functional_.constraint_values(theta, c) : objective, objective.value, c, sample);
}

std::optional<std::string> ConstrainedProblem::differentiate(ConstrainedSample& sample) {
  const DesignVector theta = design(sample.theta);
  DesignVector g = DesignVector::zeros_like(theta);
  std::vector<double> c;
  std::vector<DesignVector> gradients;
  const Evaluation e = m_ > 0 ? functional_.gradients(theta, g, c, gradients) : functional_.gradient(theta, g);
  if (const auto failure = take_values(e, e.value, c, sample)) return failure;
  if (static_cast<Eigen::Index>(gradients.size()) != m_)
    throw std::logic_error("constraint gradients of the wrong number");
  sample.gradient = lifted(g);
  sample.jacobian.resize(layout_.n(), m_);
  for (Eigen::Index i = 0; i < m_; ++i)
    sample.jacobian.col(i) = lifted(gradients[static_cast<std::size_t>(i)]);
  if (lifted_) {
    sample.gradient.setZero();
    sample.gradient[0] = units_.slope;
    for (Eigen::Index i = 0; i < m_; ++i)
      if (competes(i)) sample.jacobian(0, i) = -units_.slope;
  }
  if (const auto failure = agreed(e, sample.gradient.allFinite() && sample.jacobian.allFinite())) return failure;
  from_first_rank(sample.gradient.data(), layout_.n_shared());
  for (Eigen::Index i = 0; i < m_; ++i)
    from_first_rank(sample.jacobian.col(i).data(), layout_.n_shared());
  return {};
}

/// Copies J and c of an evaluation into the sample, the same on all ranks. Returns the reason of a failure.
std::optional<std::string> ConstrainedProblem::take_values(const Evaluation& e, double value, const std::vector<double>& c,
                                                           ConstrainedSample& sample) const {
  sample.value = value;
  sample.c.resize(m_);
  bool finite = e.ok && std::isfinite(value);
  if (e.ok) {
    if (static_cast<Eigen::Index>(c.size()) != m_) throw std::logic_error("constraint values of the wrong number");
    sample.c = Eigen::Map<const Eigen::VectorXd>(c.data(), m_);
    finite = finite && sample.c.allFinite();
    if (lifted_) sample.value = bound(sample);
    for (Eigen::Index k = 0; k < m_; ++k)
      if (competes(k)) sample.c[k] -= bound(sample);
  }
  if (const auto failure = agreed(e, finite)) return failure;
  from_first_rank(&sample.value, 1);
  from_first_rank(sample.c.data(), m_);
  return {};
}

std::optional<std::string> ConstrainedProblem::agreed(const Evaluation& e, bool finite) const {
  if (layout_.all(finite)) return {};
  if (!e.ok) return e.reason.empty() ? "the evaluation failed" : e.reason;
  return finite ? "the evaluation failed on another rank"
                : "the objective, a constraint or a derivative is not a finite number";
}

void ConstrainedProblem::from_first_rank(double* numbers, Eigen::Index count) const {
  MPI_Bcast(numbers, static_cast<int>(count), MPI_DOUBLE, 0, layout_.comm());
}

Eigen::VectorXd ConstrainedProblem::side_values(const Eigen::VectorXd& c) const {
  Eigen::VectorXd g(side_count());
  for (Eigen::Index k = 0; k < side_count(); ++k) {
    const ConstraintSide& side = sides_[static_cast<std::size_t>(k)];
    g[k] = side.factor * (c[side.constraint] - side.bound);
  }
  return g;
}

Eigen::VectorXd ConstrainedProblem::violations(const Eigen::VectorXd& side_values) const {
  Eigen::VectorXd v = side_values;
  for (Eigen::Index k = 0; k < side_count(); ++k)
    v[k] = sides_[static_cast<std::size_t>(k)].equation ? std::abs(v[k]) : std::max(v[k], 0.0);
  return v;
}

double ConstrainedProblem::worst_violation(const Eigen::VectorXd& c) const {
  const Eigen::VectorXd v = violations(side_values(c));
  double most = 0;
  for (Eigen::Index k = 0; k < side_count(); ++k)
    if (!sides_[static_cast<std::size_t>(k)].competes) most = std::max(most, v[k]);
  return most;
}

Eigen::VectorXd ConstrainedProblem::pull_back(const ConstrainedSample& sample,
                                              const Eigen::VectorXd& y) const {
  Eigen::VectorXd weights = Eigen::VectorXd::Zero(m_);  // of the constraints themselves
  for (Eigen::Index k = 0; k < side_count(); ++k) {
    const ConstraintSide& side = sides_[static_cast<std::size_t>(k)];
    weights[side.constraint] += side.factor * y[k];
  }
  return sample.jacobian * weights;
}

Eigen::VectorXd ConstrainedProblem::projected(const Eigen::VectorXd& theta,
                                              Eigen::VectorXd v) const {
  for (Eigen::Index j = 0; j < v.size(); ++j)
    if ((theta[j] <= lower_[j] && v[j] > 0) || (theta[j] >= upper_[j] && v[j] < 0)) v[j] = 0;
  return v;
}

Eigen::VectorXd typical_ranges(const ConstrainedProblem& problem, const Eigen::VectorXd& theta) {
  const EntryLayout& layout = problem.layout();
  const Eigen::Index shared = layout.n_shared();
  // For the field entries only: their number and the sum of their squares.
  const Eigen::VectorXd field = layout.sum(2, [&](Eigen::Index j, Eigen::VectorXd& s) {
    if (j >= shared) s += Eigen::Vector2d(1, theta[j] * theta[j]);
  });
  const double mean = field[0] > 0 ? std::sqrt(field[1] / field[0]) : 0.0;
  Eigen::VectorXd ranges(layout.n());
  for (Eigen::Index j = 0; j < layout.n(); ++j) {
    const double size = std::max(std::abs(theta[j]), j < shared ? 0.0 : mean);
    ranges[j] = problem.boxed(j) ? problem.upper()[j] - problem.lower()[j] : size > 0 ? size : 1.0;
  }
  problem.widen_bound(ranges);
  return ranges;
}

}  // namespace invar
