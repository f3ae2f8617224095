#include "libadjoint/optimize/quadratic_program.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace invar {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The constraints in the form normal · d ≥ level: rows, then lower, then upper bounds. The sign of an equality's
/// normal is chosen when it becomes active.
class Constraints {
 public:
  explicit Constraints(const QuadraticProgram& p) : p_(p), n_(p.gradient.size()), m_(p.rows.rows()) {
    size_ = VectorXd::Ones(m_ + 2 * n_);
    for (Index i = 0; i < m_; ++i) size_[i] = p.rows.row(i).norm();
  }
  Index count() const { return m_ + 2 * n_; }
  bool equation(Index i) const { return i < m_ && p_.equation[static_cast<std::size_t>(i)]; }
  VectorXd normal(Index i) const {
    if (i < m_) return -p_.rows.row(i).transpose();
    return i < m_ + n_ ? VectorXd::Unit(n_, i - m_) : VectorXd(-VectorXd::Unit(n_, i - m_ - n_));
  }
  /// normal · d − level, negative where violated.
  double slack(Index i, const VectorXd& d) const {
    if (i < m_) return -p_.rows.row(i).dot(d) - p_.offsets[i];
    const Index j = (i - m_) % n_;
    return i < m_ + n_ ? d[j] - p_.lower[j] : p_.upper[j] - d[j];
  }
  /// Round-off of the slack.
  double noise(Index i, const VectorXd& d) const {
    const double level = i < m_        ? p_.offsets[i]
                         : i < m_ + n_ ? p_.lower[i - m_]
                                       : p_.upper[i - m_ - n_];
    return 1e-14 * (size_[i] * (d.norm() + far_) + (std::isfinite(level) ? std::abs(level) : 0.0));
  }
  double size(Index i) const { return size_[i]; }
  /// Sets the distance of the starting point from the solution, which determines part of the round-off.
  void set_origin(const VectorXd& d) { far_ = 1e-6 * d.norm(); }

 private:
  const QuadraticProgram& p_;
  Index n_, m_;
  VectorXd size_;  // norms of the normals
  double far_ = 0;
};

/// The active normals N in the factorised form Jᵀ N = [R; 0] with J Jᵀ = H⁻¹ and R upper triangular.
class ActiveSet {
 public:
  ActiveSet(const MatrixXd& lower_factor, Index n)
      : j_(lower_factor.transpose().triangularView<Eigen::Upper>().solve(MatrixXd::Identity(n, n))),
        r_(MatrixXd::Zero(n, n)), u_(VectorXd::Zero(n)) {}

  Index count() const { return static_cast<Index>(members_.size()); }
  Index member(Index k) const { return members_[static_cast<std::size_t>(k)]; }
  bool has(Index i) const { return std::find(members_.begin(), members_.end(), i) != members_.end(); }
  VectorXd& multipliers() { return u_; }  // [count] used

  VectorXd transformed(const VectorXd& normal) const { return j_.transpose() * normal; }
  /// Direction of d when the constraint with the transformed normal t is added.
  VectorXd primal_direction(const VectorXd& t) const {
    const Index free = j_.cols() - count();
    return j_.rightCols(free) * t.tail(free);
  }
  /// Decrease of the active multipliers along that direction.
  VectorXd dual_direction(const VectorXd& t) const {
    const Index q = count();
    return r_.topLeftCorner(q, q).triangularView<Eigen::Upper>().solve(t.head(q));
  }

  /// Removes accumulated round-off from d and the multipliers: the slacks of active constraints and the reduced
  /// gradient become zero.
  void refine(const VectorXd& slacks, const QuadraticProgram& p, VectorXd& d) {
    const Index q = count(), free = j_.cols() - q;
    const auto r = r_.topLeftCorner(q, q).triangularView<Eigen::Upper>();
    d -= j_.leftCols(q) * r.transpose().solve(slacks);
    const VectorXd slope = p.hessian * d + p.gradient;
    const VectorXd correction = j_.rightCols(free) * (j_.rightCols(free).transpose() * slope);
    d -= correction;
    u_.head(q) = r.solve(j_.leftCols(q).transpose() * (slope - p.hessian * correction));
  }

  void add(Index i, VectorXd t, double multiplier) {
    const Index q = count(), n = j_.cols();
    for (Index k = n - 1; k > q; --k) {
      Eigen::JacobiRotation<double> rotation;
      double length = 0;
      rotation.makeGivens(t[k - 1], t[k], &length);
      t[k - 1] = length;
      j_.applyOnTheRight(k - 1, k, rotation);
    }
    r_.col(q).setZero();
    r_.col(q).head(q + 1) = t.head(q + 1);
    u_[q] = multiplier;
    members_.push_back(i);
  }

  void drop(Index k) {
    const Index q = count();
    for (Index c = k; c + 1 < q; ++c) {
      r_.col(c) = r_.col(c + 1);
      u_[c] = u_[c + 1];
    }
    r_.col(q - 1).setZero();
    members_.erase(members_.begin() + k);
    for (Index c = k; c + 1 < q; ++c) {  // the entry below the diagonal of column c
      Eigen::JacobiRotation<double> rotation;
      rotation.makeGivens(r_(c, c), r_(c + 1, c));
      r_.applyOnTheLeft(c, c + 1, rotation.adjoint());
      r_(c + 1, c) = 0;
      j_.applyOnTheRight(c, c + 1, rotation);
    }
  }

 private:
  MatrixXd j_, r_;
  VectorXd u_;
  std::vector<Index> members_;
};

/// One run of the method.
class DualActiveSet {
 public:
  explicit DualActiveSet(const QuadraticProgram& p)
      : p_(p), constraints_(p), n_(p.gradient.size()), factor_(p.hessian) {}

  QuadraticSolution solve() {
    QuadraticSolution s;
    s.multipliers = VectorXd::Zero(p_.rows.rows());
    s.d = VectorXd::Zero(n_);
    if (factor_.info() != Eigen::Success || !p_.gradient.allFinite()) return s;
    const MatrixXd lower_factor = factor_.matrixL();
    ActiveSet active(lower_factor, n_);
    s.d = factor_.solve(-p_.gradient);
    constraints_.set_origin(s.d);
    s.status = run(active, s.d);
    for (Index k = 0; k < active.count(); ++k) {
      const Index i = active.member(k);
      if (i < p_.rows.rows()) s.multipliers[i] = sign_of(i) * active.multipliers()[k];
    }
    // Exactly on active bounds, within all others.
    for (Index k = 0; k < active.count(); ++k) {
      const Index j = active.member(k) - p_.rows.rows();
      if (j >= 0 && j < n_) s.d[j] = p_.lower[j];
      if (j >= n_) s.d[j - n_] = p_.upper[j - n_];
    }
    s.d = s.d.cwiseMax(p_.lower).cwiseMin(p_.upper);
    return s;
  }

 private:
  using Status = QuadraticSolution::Status;

  Status run(ActiveSet& active, VectorXd& d) {
    turned_.assign(static_cast<std::size_t>(p_.rows.rows()), false);
    redundant_.assign(static_cast<std::size_t>(constraints_.count()), false);
    for (Index i = 0; i < p_.rows.rows(); ++i)
      if (constraints_.equation(i)) {
        const Status status = push(active, d, i);
        if (status != Status::solved) return status;
        refine(active, d);
      }
    const Index most = 20 * (n_ + constraints_.count()) + 100;
    for (Index k = 0; k < most; ++k) {
      const Index worst = most_violated(active, d);
      if (worst < 0) return Status::solved;
      const Status status = push(active, d, worst);
      if (status != Status::solved) return status;
      refine(active, d);
    }
    return Status::failed;
  }

  void refine(ActiveSet& active, VectorXd& d) const {
    VectorXd slacks(active.count());
    for (Index k = 0; k < active.count(); ++k)
      slacks[k] = sign_of(active.member(k)) * constraints_.slack(active.member(k), d);
    active.refine(slacks, p_, d);
  }

  Index most_violated(const ActiveSet& active, const VectorXd& d) const {
    Index worst = -1;
    double least = 0;
    for (Index i = 0; i < constraints_.count(); ++i) {
      const double slack = constraints_.slack(i, d), size = constraints_.size(i);
      if (slack >= -constraints_.noise(i, d) || slack >= least * size) continue;
      if (redundant_[static_cast<std::size_t>(i)] || active.has(i)) continue;
      worst = i;
      least = size > 0 ? slack / size : -infinity;
    }
    return worst;
  }

  double sign_of(Index i) const {
    return i < p_.rows.rows() && turned_[static_cast<std::size_t>(i)] ? -1.0 : 1.0;
  }

  /// Moves until constraint i is satisfied and active; drops active constraints that block the step.
  Status push(ActiveSet& active, VectorXd& d, Index i) {
    if (constraints_.equation(i)) turned_[static_cast<std::size_t>(i)] = constraints_.slack(i, d) > 0;
    const VectorXd normal = sign_of(i) * constraints_.normal(i);
    double multiplier = 0;
    for (Index k = 0; k <= n_; ++k) {
      const double slack = sign_of(i) * constraints_.slack(i, d);
      const VectorXd t = active.transformed(normal);
      const VectorXd z = active.primal_direction(t), r = active.dual_direction(t);
      const Index q = active.count();
      double dual_step = infinity;
      Index blocking = -1;
      for (Index c = 0; c < q; ++c) {
        if (constraints_.equation(active.member(c)) || !(r[c] > 0)) continue;
        const double step = std::max(active.multipliers()[c], 0.0) / r[c];
        if (step < dual_step) dual_step = step, blocking = c;
      }
      // zᵀ normal: squared norm of the part of the normal that is not spanned by the active ones, in the metric of H.
      const double free = t.tail(n_ - q).squaredNorm();
      const bool dependent = free <= 1e-24 * t.squaredNorm();
      const double primal_step = dependent ? infinity : std::max(-slack, 0.0) / free;
      const double step = std::min(primal_step, dual_step);
      if (!std::isfinite(step)) {  // the active constraints imply it, or contradict it
        if (std::abs(slack) > 1e3 * constraints_.noise(i, d)) return Status::infeasible;
        redundant_[static_cast<std::size_t>(i)] = true;
        return Status::solved;
      }
      active.multipliers().head(q) -= step * r;
      multiplier += step;
      if (!dependent) d += step * z;
      if (primal_step <= dual_step) {
        active.add(i, t, multiplier);
        return Status::solved;
      }
      active.drop(blocking);
    }
    return Status::failed;
  }

  const QuadraticProgram& p_;
  Constraints constraints_;
  Index n_;
  Eigen::LLT<MatrixXd> factor_;
  std::vector<bool> turned_;     // rows whose normal has been negated
  std::vector<bool> redundant_;  // constraints implied by the active ones
};

}  // namespace

QuadraticSolution minimum_of(const QuadraticProgram& program) { return DualActiveSet(program).solve(); }

}  // namespace invar
