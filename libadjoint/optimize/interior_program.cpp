#include "libadjoint/optimize/interior_program.hpp"

#include <algorithm>
#include <cmath>

namespace invar {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int most_iterations = 100;
constexpr double to_the_border = 0.995;  // fraction of the step to the boundary of the positive orthant

/// The programme in units of the variables' sizes.
struct Scaled {
  const EntryLayout& layout;
  LowRankMatrix matrix;
  VectorXd gradient, lower, upper;  // [n]
  MatrixXd rows;                    // [n × m] transposed
  VectorXd offsets;                 // [m]
  std::vector<bool> equation;
  std::vector<bool> fixed;          // [n]
};

/// An interior point: distances to bounds and rows and their multipliers are positive.
struct Interior {
  VectorXd x, below, above;   // [n]; multipliers of the bounds
  VectorXd slack, excess, y;  // [m] A x + b + slack − excess = 0; multipliers of rows
};

class InteriorIteration {
 public:
  InteriorIteration(const Scaled& program, double price) : p_(program), n_(program.gradient.size()), m_(program.offsets.size()), price_(price) {}

  /// False if a number becomes non-finite.
  bool solve(Interior& at) {
    begin(at);
    double best = INFINITY;
    Interior kept = at;
    for (int iteration = 0, worse = 0; iteration < most_iterations; ++iteration) {
      const double error = measure(at);
      if (!std::isfinite(error)) break;
      if (error < best) best = error, kept = at, worse = 0;
      else if (++worse > 3) break;  // round-off
      if (error <= 1e-14 * size_) break;
      if (!factorise(at)) break;
      Interior step;
      direction(at, 0, step);  // the predictor shows by how much complementarity can be reduced
      const double length = longest(at, step), left = complementarity(at, step, length) / mean_;
      direction(at, left * left * left * mean_, step);
      move(at, step, longest(at, step));
    }
    at = kept;
    return best <= 1e-8 * size_;
  }

 private:
  /// Slack of a multiplier below its penalty; price of violating an equality on its other side.
  double under(double y) const { return price_ - y; }
  double over(Index k, double y) const { return p_.equation[static_cast<std::size_t>(k)] ? price_ + y : y; }

  void begin(Interior& at) {
    size_ = std::max(p_.layout.max(p_.gradient.size() ? p_.gradient.cwiseAbs().maxCoeff() : 0.0), 1e-12);
    const double mu = 0.1 * size_;
    at.x = VectorXd::Zero(n_), at.below = at.above = VectorXd::Zero(n_);
    free_ = 0;
    for (Index j = 0; j < n_; ++j) {
      if (p_.fixed[static_cast<std::size_t>(j)]) continue;
      const double margin = std::min(0.1, 0.25 * (p_.upper[j] - p_.lower[j]));
      at.x[j] = std::clamp(0.0, p_.lower[j] + margin, p_.upper[j] - margin);
      at.below[j] = mu / (at.x[j] - p_.lower[j]), at.above[j] = mu / (p_.upper[j] - at.x[j]);
    }
    free_ = p_.layout.sum(1, [&](Index j, VectorXd& sum) { sum[0] += !p_.fixed[static_cast<std::size_t>(j)]; })[0];
    const VectorXd r = row_values(at.x);
    at.slack.resize(m_), at.excess.resize(m_), at.y.resize(m_);
    for (Index k = 0; k < m_; ++k) {
      at.excess[k] = mu / price_;
      at.slack[k] = p_.equation[static_cast<std::size_t>(k)] ? mu / price_ : std::max(-r[k], 0.1);
      at.y[k] = p_.equation[static_cast<std::size_t>(k)] ? 0.0 : std::min(mu / at.slack[k], 0.5 * price_);
    }
  }

  VectorXd row_values(const VectorXd& x) const { return p_.offsets + VectorXd(p_.layout.product(p_.rows, x)); }

  /// Computes residuals and mean complementarity; returns the largest.
  double measure(const Interior& at) {
    dual_ = p_.matrix.times(at.x, p_.layout) + p_.gradient + p_.rows * at.y - at.below + at.above;
    for (Index j = 0; j < n_; ++j)
      if (p_.fixed[static_cast<std::size_t>(j)]) dual_[j] = 0;
    primal_ = row_values(at.x) + at.slack - at.excess;
    mean_ = complementarity(at, at, 0);
    const double here = std::max(n_ ? dual_.cwiseAbs().maxCoeff() : 0.0, m_ ? size_ * primal_.cwiseAbs().maxCoeff() : 0.0);
    return std::isfinite(here) && std::isfinite(mean_) ? p_.layout.max(std::max(here, mean_)) : INFINITY;
  }

  /// Mean product of distance and multiplier after a fraction of a step.
  double complementarity(const Interior& at, const Interior& step, double length) const {
    const bool moves = length > 0;
    const double of_bounds = p_.layout.sum(1, [&](Index j, VectorXd& sum) {
      if (p_.fixed[static_cast<std::size_t>(j)]) return;
      const double x = at.x[j] + (moves ? length * step.x[j] : 0), below = at.below[j] + (moves ? length * step.below[j] : 0),
                   above = at.above[j] + (moves ? length * step.above[j] : 0);
      sum[0] += (x - p_.lower[j]) * below + (p_.upper[j] - x) * above;
    })[0];
    double of_rows = 0;
    for (Index k = 0; k < m_; ++k) {
      const double s = at.slack[k] + (moves ? length * step.slack[k] : 0), t = at.excess[k] + (moves ? length * step.excess[k] : 0),
                   y = at.y[k] + (moves ? length * step.y[k] : 0);
      of_rows += s * over(k, y) + t * under(y);
    }
    return (of_bounds + of_rows) / std::max(2 * free_ + 2 * double(m_), 1.0);
  }

  /// Factorises the step's linear system after elimination of x: the unknowns are C Uᵀ Δx and Δy.
  bool factorise(const Interior& at) {
    const Index r = p_.matrix.columns.cols();
    weight_.resize(n_);
    for (Index j = 0; j < n_; ++j)
      weight_[j] = p_.fixed[static_cast<std::size_t>(j)] ? 0.0 : 1 / (p_.matrix.diagonal[j] + at.below[j] / (at.x[j] - p_.lower[j]) + at.above[j] / (p_.upper[j] - at.x[j]));
    both_.resize(n_, r + m_);
    both_ << p_.matrix.columns, p_.rows;
    MatrixXd system = p_.layout.product(both_, weight_.asDiagonal() * both_);
    system.topLeftCorner(r, r) += p_.matrix.inverse;
    for (Index k = 0; k < m_; ++k) system(r + k, r + k) += at.slack[k] / over(k, at.y[k]) + at.excess[k] / under(at.y[k]);
    if (!system.allFinite()) return false;
    factors_.compute(system);
    return true;
  }

  /// Newton step towards products equal to `target`.
  void direction(const Interior& at, double target, Interior& step) const {
    const Index r = p_.matrix.columns.cols();
    VectorXd right = -dual_;
    for (Index j = 0; j < n_; ++j)
      if (!p_.fixed[static_cast<std::size_t>(j)])
        right[j] += target / (at.x[j] - p_.lower[j]) - at.below[j] - (target / (p_.upper[j] - at.x[j]) - at.above[j]);
    VectorXd small = p_.layout.product(both_, weight_.cwiseProduct(right));
    for (Index k = 0; k < m_; ++k)
      small[r + k] += primal_[k] + target / over(k, at.y[k]) - at.slack[k] - (target / under(at.y[k]) - at.excess[k]);
    const VectorXd solved = factors_.solve(small);
    step.x = weight_.cwiseProduct(right - both_ * solved);
    step.y = solved.tail(m_);
    step.below = step.above = VectorXd::Zero(n_);
    for (Index j = 0; j < n_; ++j) {
      if (p_.fixed[static_cast<std::size_t>(j)]) continue;
      const double p = at.x[j] - p_.lower[j], q = p_.upper[j] - at.x[j];
      step.below[j] = (target - at.below[j] * step.x[j]) / p - at.below[j];
      step.above[j] = (target + at.above[j] * step.x[j]) / q - at.above[j];
    }
    step.slack.resize(m_), step.excess.resize(m_);
    for (Index k = 0; k < m_; ++k) {
      const double o = over(k, at.y[k]), u = under(at.y[k]);
      step.slack[k] = (target - at.slack[k] * step.y[k]) / o - at.slack[k];
      step.excess[k] = (target + at.excess[k] * step.y[k]) / u - at.excess[k];
    }
  }

  double longest(const Interior& at, const Interior& step) const {
    double most = 1 / to_the_border;
    const auto keep = [&](double value, double change) {
      if (value + most * change < 0) most = -value / change;
    };
    for (Index j = 0; j < n_; ++j) {
      if (p_.fixed[static_cast<std::size_t>(j)]) continue;
      keep(at.x[j] - p_.lower[j], step.x[j]), keep(p_.upper[j] - at.x[j], -step.x[j]);
      keep(at.below[j], step.below[j]), keep(at.above[j], step.above[j]);
    }
    for (Index k = 0; k < m_; ++k) {
      keep(at.slack[k], step.slack[k]), keep(at.excess[k], step.excess[k]);
      keep(over(k, at.y[k]), step.y[k]), keep(under(at.y[k]), -step.y[k]);
    }
    return p_.layout.min(to_the_border * most);
  }

  static void move(Interior& at, const Interior& step, double length) {
    at.x += length * step.x, at.below += length * step.below, at.above += length * step.above;
    at.slack += length * step.slack, at.excess += length * step.excess, at.y += length * step.y;
  }

  const Scaled& p_;
  Index n_, m_;
  double price_, size_ = 1, free_ = 0, mean_ = 0;
  VectorXd dual_, primal_;  // residuals
  VectorXd weight_;         // [n] inverse of the diagonal
  MatrixXd both_;           // [n × r+m] U and the rows
  Eigen::PartialPivLU<MatrixXd> factors_;
};

}  // namespace

VectorXd LowRankMatrix::times(const VectorXd& v, const EntryLayout& layout) const {
  VectorXd product = diagonal.cwiseProduct(v);
  if (columns.cols() > 0) product += columns * inverse.partialPivLu().solve(VectorXd(layout.product(columns, v)));
  return product;
}

QuadraticSolution interior_minimum_of(const QuadraticProgram& program, const LowRankMatrix& matrix, const VectorXd& scale, const EntryLayout& layout) {
  const Index n = program.gradient.size();
  Scaled p{.layout = layout,
           .matrix = {matrix.diagonal.cwiseProduct(scale.cwiseAbs2()), scale.asDiagonal() * matrix.columns, matrix.inverse},
           .gradient = program.gradient.cwiseProduct(scale),
           .lower = program.lower.cwiseQuotient(scale),
           .upper = program.upper.cwiseQuotient(scale),
           .rows = scale.asDiagonal() * program.rows.transpose(),
           .offsets = program.offsets,
           .equation = program.equation,
           .fixed = {}};
  for (Index j = 0; j < n; ++j) p.fixed.push_back(program.lower[j] == program.upper[j]);

  QuadraticSolution found;
  const double dearest = 1e12;
  double violated = INFINITY;
  for (double price = 1e3; price <= dearest; price *= 10) {
    Interior at;
    if (!InteriorIteration(p, price).solve(at)) break;
    const bool presses = p.offsets.size() > 0 && at.y.cwiseAbs().maxCoeff() > 0.5 * price;
    const double now = p.offsets.size() > 0 ? at.excess.maxCoeff() : 0.0;
    if (presses && now > 0.9 * violated) break;
    violated = now;
    found.status = QuadraticSolution::Status::solved;
    found.multipliers = at.y;
    found.d.resize(n);
    for (Index j = 0; j < n; ++j) {
      const double below = at.x[j] - p.lower[j], above = p.upper[j] - at.x[j];
      if (p.fixed[static_cast<std::size_t>(j)]) found.d[j] = 0;
      else if (at.below[j] > below && below <= above) found.d[j] = program.lower[j];
      else if (at.above[j] > above && above < below) found.d[j] = program.upper[j];
      else found.d[j] = scale[j] * at.x[j];
    }
    if (!presses) break;
  }
  return found;
}

}  // namespace invar
