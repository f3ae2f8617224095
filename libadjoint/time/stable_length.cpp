// The longest stable step of explicit schemes.
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "libadjoint/solve/scientific.hpp"
#include "libadjoint/solve/singularity.hpp"
#include "libadjoint/time/transient_case.hpp"

namespace invar {
namespace {

/// Largest eigenvalue of the symmetric tridiagonal matrix with these entries.
double largest_eigenvalue(const std::vector<double>& diagonal, const std::vector<double>& beside) {
  const auto vector = [](const std::vector<double>& x, std::size_t n) { return Eigen::VectorXd(Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(n))); };
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
  solver.computeFromTridiagonal(vector(diagonal, diagonal.size()), vector(beside, diagonal.size() - 1), Eigen::EigenvaluesOnly);
  return solver.eigenvalues().maxCoeff();
}

/// Bound for any spectrum of the mean relative error of the largest of n ≥ 8 eigenvalues after k ≥ 4 steps of Lanczos's method from a random
/// vector, 0.103 (ln(n (k − 1)⁴)/(k − 1))²: J. Kuczyński, H. Woźniakowski, SIAM J. Matrix Anal. Appl. 13 (1992), theorem 3.2.
double expected_error(double n, int k) {
  const double x = (std::log(n) + 4 * std::log(k - 1.0)) / (k - 1);
  return k < 4 ? 1.0 : std::min(1.0, 0.103 * x * x);
}

}  // namespace

/// 2/ω with the highest angular frequency ω of the equation linearised at this state, the longest stable step of central differences.
/// Lanczos's method for K z = ω² M z with symmetric K: its values are below ω², so that any longer step is unstable. It ends as soon as steps
/// of the given length are likely to be stable, by twice the bound of the mean error. A bound from element matrices would cost several products, and memory for
/// a matrix that explicit steps do not have. Infinite: no bound is known.
double TransientCase::stable_length(double t, double length, const MarchState& state) {
  if (!step_.symmetric()) return std::numeric_limits<double>::infinity();
  constexpr int most = 40;
  constexpr double settled = 1e-3;  // change of ω² in an iteration, relative
  step_.set_step(scheme_.start(t, first_length()), state.fields);
  History along = step_.create_history();
  const Vec q = along[0];  // qᵀ M q = 1
  VecHandle x = zeros_like(q), force = zeros_like(q), next = zeros_like(q);
  VecHandle p = zeros_like(q), q_before = zeros_like(q), p_before = zeros_like(q);  // p = M q
  step_.jacobian(point(x));  // M
  solver_->set_operator(step_.matrix(), step_.symmetric());
  scatter(force);
  residual_->constrained_rows().clear(force);
  if (!solver_->solve(force, next).converged) return std::numeric_limits<double>::infinity();
  PetscInt n = 0;
  check(VecGetSize(q, &n));
  double squared = 0;
  std::vector<double> diagonal, beside;
  for (int k = 1; k <= most; ++k) {
    PetscReal size = 0, stiffness = 0;
    check(VecDot(next, force, &size));
    if (!(size > 0)) break;  // an invariant space
    beside.push_back(std::sqrt(size));
    check(VecCopy(q, q_before));
    check(VecCopy(p, p_before));
    check(VecAXPBY(q, 1 / beside.back(), 0, next));
    check(VecAXPBY(p, 1 / beside.back(), 0, force));
    step_.history_jvp(point(x), along, nullptr, force);  // K q
    check(VecDot(q, force, &stiffness));
    if (!std::isfinite(stiffness)) break;
    diagonal.push_back(stiffness);
    const double before = std::exchange(squared, largest_eigenvalue(diagonal, {beside.begin() + 1, beside.end()}));
    if (k > 1 && squared <= (1 + settled) * before) break;
    if (squared * length * length < 4 * (1 - 2 * expected_error(static_cast<double>(n), k))) break;
    if (!solver_->solve(force, next).converged) break;  // M⁻¹ K q
    const double back = k > 1 ? beside.back() : 0.0;
    check(VecAXPBYPCZ(next, -stiffness, -back, 1, q, q_before));
    check(VecAXPBYPCZ(force, -stiffness, -back, 1, p, p_before));
  }
  return squared > 0 ? 2 / std::sqrt(squared) : std::numeric_limits<double>::infinity();
}

/// Message if a step of this length is unstable; empty: it is not known to be.
std::string TransientCase::unstable_at(double t, double length, const MarchState& state) {
  constexpr double below = 0.95;  // since the estimate is from above
  const double stable = stable_length(t, length, state);
  if (!(length > stable)) return {};
  return "steps of " + plain_number(length) + " s are unstable at t = " + plain_number(t) + " s: an explicit scheme needs steps below " +
         short_number(below * stable) + " s here, about 2 divided by the highest angular frequency of the mesh";
}

}  // namespace invar
