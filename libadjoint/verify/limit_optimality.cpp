#include "libadjoint/verify/limit_optimality.hpp"

#include <algorithm>
#include <cmath>

#include "libadjoint/optimize/entry_layout.hpp"

namespace invar {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double at_bound = 1e-6;      // of the range between two bounds
constexpr double near_limit = 1e-4;    // of the scale of a constraint: it is active

/// Signs that a multiplier may have at value c: +1 at the upper limit, −1 at the lower one, 0 either; nothing if inactive.
std::vector<std::pair<Index, int>> active_constraints(const std::vector<ConstraintInfo>& infos, const std::vector<double>& c) {
  std::vector<std::pair<Index, int>> active;
  for (std::size_t k = 0; k < infos.size(); ++k) {
    if (infos[k].competes) continue;
    const double near = near_limit * infos[k].scale;
    const bool above = c[k] > infos[k].upper - near, below = c[k] < infos[k].lower + near;
    if (above || below) active.emplace_back(static_cast<Index>(k), above && below ? 0 : above ? 1 : -1);
  }
  return active;
}

/// ∇J + Σ μ ∇c of the active constraints, with least-squares multipliers over the free variables.
VectorXd lagrangian_gradient(const EntryLayout& layout, VectorXd g, const std::vector<DesignVector>& of_c,
                             const std::vector<std::pair<Index, int>>& active, const VectorXd& free) {
  if (active.empty()) return g;
  MatrixXd A(layout.n(), static_cast<Index>(active.size()));
  for (std::size_t k = 0; k < active.size(); ++k) A.col(static_cast<Index>(k)) = layout.flat(of_c[static_cast<std::size_t>(active[k].first)]);
  const MatrixXd inside = free.asDiagonal() * A;
  VectorXd mu = layout.product(inside, inside).completeOrthogonalDecomposition().solve(-layout.product(inside, g));
  for (std::size_t k = 0; k < active.size(); ++k)
    if (double& m = mu[static_cast<Index>(k)]; active[k].second * m < 0) m = 0;
  return g + A * mu;
}

}  // namespace

std::vector<LimitedTerm> limited_terms(const std::vector<std::shared_ptr<Case>>& cases) {
  std::vector<LimitedTerm> all;
  for (std::size_t c = 0; c < cases.size(); ++c)
    for (const ProcessTerm& term : cases[c]->terms()) {
      auto* limits = dynamic_cast<LocalLimits*>(term.observable.get());
      if (!limits) continue;
      const auto alike = std::ranges::count_if(all, [&](const LimitedTerm& t) { return t.quantity.term->name == term.name; });
      all.push_back({alike ? term.name + "_" + std::to_string(alike + 1) : term.name, {static_cast<int>(c), &term}, limits});
    }
  return all;
}

LimitOptimality limit_optimality(CaseFunctional& functional, const DesignVector& theta, const std::vector<LimitedTerm>& terms) {
  LimitOptimality result;
  for (const LimitedTerm& t : terms)
    functional.cases()[static_cast<std::size_t>(t.quantity.case_index)]->with_state(t.quantity.term->steps.back(), [&](const EvaluationPoint& u) { result.limits.push_back(t.limits->status(u)); });
  DesignVector g;
  std::vector<double> c;
  std::vector<DesignVector> of_c, of_limits;
  std::vector<CaseQuantity> quantities;
  for (const LimitedTerm& t : terms) quantities.push_back(t.quantity);
  if (!functional.gradients(theta, g, c, of_c).ok || !functional.quantity_gradients(theta, quantities, of_limits).ok) return result;
  const EntryLayout layout(functional.comm(), theta);
  const VectorXd x = layout.flat(theta), lower = layout.flat(functional.lower()), upper = layout.flat(functional.upper());
  VectorXd free(layout.n()), at(layout.n());  // at: −1 and 1 at a bound
  for (Index j = 0; j < layout.n(); ++j) {
    const double range = upper[j] - lower[j], near = at_bound * (std::isfinite(range) ? range : 1.0);
    at[j] = x[j] <= lower[j] + near ? -1 : x[j] >= upper[j] - near ? 1 : 0;
    free[j] = at[j] == 0;
  }
  VectorXd without = layout.flat(g);
  for (const DesignVector& of : of_limits) without -= layout.flat(of);
  VectorXd of_lagrangian = lagrangian_gradient(layout, layout.flat(g), of_c, active_constraints(functional.constraints(), c), free);
  const double all = layout.norm(of_lagrangian), objective = layout.norm(without);
  for (Index j = 0; j < layout.n(); ++j)
    if (at[j] * of_lagrangian[j] < 0) of_lagrangian[j] = 0;  // only a step beyond the bound would gain
  const double size = objective > 0 ? objective : all;
  result.gradient = size > 0 ? layout.norm(of_lagrangian) / size : 0;
  return result;
}

}  // namespace invar
