// Motions of rigid parts that nothing resists.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <span>

#include "libfem/mechanism/mechanism.hpp"
#include "libfem/mechanism/tied_equation.hpp"

namespace invar {
namespace {

/// A change of the solved unknown of a step as one of the levels that the equation reads.
class LevelsOfChange {
 public:
  LevelsOfChange(Vec x_dot, const StepTable& step) : x_dot_(x_dot) {
    for (const Level l : all_levels) {
      const double factor = step.equation[l].unknown;
      if (factor == 0) continue;
      levels_[l] = zeros_like(x_dot_);
      check(VecAXPY(levels_[l], factor, x_dot_));
    }
  }
  State state() const {
    State y_dot;
    y_dot.unknown = x_dot_;
    for (const Level l : all_levels) y_dot.levels[l] = levels_[l];
    return y_dot;
  }

 private:
  Vec x_dot_;
  PerLevel<VecHandle> levels_;
};

}  // namespace

std::vector<double> TiedEquation::force_terms(const EvaluationPoint& at, const StepTable& step) const {
  const VecHandle to_and_fro = nodal_->create_vector(), force = nodal_->create_vector();
  const PetscInt first = static_cast<PetscInt>(nodal_->dofs().global_offset()), end = first + nodal_->dofs().n_owned();
  const auto mine = [&](const Tie& tie) { return tie.row >= first && tie.row < end; };
  double* a = nullptr;
  check(VecGetArray(to_and_fro, &a));
  for (const Tie& tie : solved_.ties)
    if (mine(tie)) a[tie.row - first] = std::sin(double(tie.row)) > 0 ? 1 : -1;
  check(VecRestoreArray(to_and_fro, &a));
  const LevelsOfChange change(to_and_fro, step);
  unfold(at, [&](const EvaluationPoint& u) { nodal_->raw_jvp(u, change.state(), nullptr, force); });
  std::vector<double> sums(mechanism_->size(), 0.0), reach(mechanism_->size(), 0.0);
  const double* f = nullptr;
  check(VecGetArrayRead(force, &f));
  for (const Tie& tie : solved_.ties)
    for (const auto& [master, coefficient] : tie.masters)
      if (mine(tie) && master >= global(0)) {
        sums[master - global(0)] += std::abs(coefficient * f[tie.row - first]);
        reach[master - global(0)] = std::max(reach[master - global(0)], std::abs(coefficient));
      }
  check(VecRestoreArrayRead(force, &f));
  MPI_Allreduce(MPI_IN_PLACE, sums.data(), mechanism_->size(), MPI_DOUBLE, MPI_SUM, nodal_->comm());
  MPI_Allreduce(MPI_IN_PLACE, reach.data(), mechanism_->size(), MPI_DOUBLE, MPI_MAX, nodal_->comm());
  for (std::size_t k = 0; k < sums.size(); ++k) sums[k] *= reach[k];
  return sums;
}

std::vector<std::vector<double>> TiedEquation::free_motions(const StepTable& step) const {
  Setting given = equation_->given().at(step.time);
  given.constraint_time = step.end, given.step_length = step.length, given.starts = step.starts;
  const VecHandle start = map_->create_reduced(), still = map_->create_reduced(), memory = equation_->Residual::create_memory();
  equation_->impose_constraints(given, start);
  State rest(start);
  rest.levels[Level::rate] = rest.levels[Level::acceleration] = rest.levels[Level::predicted] = still;
  rest.memory = memory;
  const EvaluationPoint at(rest, given);
  // Columns of the step's tangent, without the rows that are zero in all of them: those far from every body.
  std::vector<int> loose;
  std::map<int, std::vector<double>> rows;
  constexpr double round_off = 1e-13;  // of a sum of forces that cancel, relative to them
  const std::vector<double> terms = force_terms(at, step);
  const std::vector<int>& own = map_->reduced_rows(1);  // of the mechanism, where it is
  for (int k = 0; k < mechanism_->size(); ++k) {
    const auto tie = std::ranges::lower_bound(solved_.ties, global(k), {}, &Tie::row);
    if (mechanism_->is_multiplier(k) || mechanism_->is_held(k) || (tie != solved_.ties.end() && tie->row == global(k))) continue;
    const VecHandle change = unit_change(k), force = force_of_change(at, LevelsOfChange(change, step).state());
    PetscInt n = 0;
    double* a = nullptr;
    check(VecGetLocalSize(force, &n));
    check(VecGetArray(force, &a));
    for (std::size_t j = 0; j < own.size(); ++j)
      if (own[j] >= 0 && std::abs(a[own[j]]) <= round_off * std::sqrt(terms[j] * terms[k])) a[own[j]] = 0;
    for (int row = 0; row < n; ++row)
      if (a[row] != 0) rows[row].resize(loose.size() + 1, 0.0), rows[row].back() = a[row];
    check(VecRestoreArray(force, &a));
    loose.push_back(k);
  }
  const std::size_t columns = loose.size();
  std::vector<std::vector<double>> force(columns), share(columns);  // of motions: their forces, and what of each unknown they are
  for (auto& [row, entries] : rows) {
    entries.resize(columns, 0.0);
    for (std::size_t k = 0; k < columns; ++k) force[k].push_back(entries[k]);
  }
  const auto products = [&](std::span<const std::size_t> with, const std::vector<double>& f) {
    std::vector<double> sums;
    for (const std::size_t j : with) sums.push_back(std::inner_product(f.begin(), f.end(), force[j].begin(), 0.0));
    MPI_Allreduce(MPI_IN_PLACE, sums.data(), static_cast<int>(sums.size()), MPI_DOUBLE, MPI_SUM, nodal_->comm());
    return sums;
  };
  std::vector<double> sizes;  // of the columns
  for (std::size_t k = 0; k < columns; ++k) sizes.push_back(std::sqrt(products(std::array{k}, force[k])[0]));
  std::vector<std::size_t> resisted;  // motions whose forces are orthonormal
  std::vector<std::vector<double>> free;
  for (std::size_t k = 0; k < columns; ++k) {
    share[k].assign(mechanism_->size(), 0.0);
    share[k][loose[k]] = 1;
    for (int repeat = 0; repeat < 2; ++repeat) {
      const std::vector<double> along = products(resisted, force[k]);
      for (std::size_t i = 0; i < resisted.size(); ++i) {
        for (std::size_t row = 0; row < force[k].size(); ++row) force[k][row] -= along[i] * force[resisted[i]][row];
        for (std::size_t j = 0; j < share[k].size(); ++j) share[k][j] -= along[i] * share[resisted[i]][j];
      }
    }
    const double left = std::sqrt(products(std::array{k}, force[k])[0]);
    double cancelled = 0;
    for (std::size_t j = 0; j <= k; ++j) cancelled += std::abs(share[k][loose[j]]) * sizes[j];
    if (left <= round_off * cancelled) {
      free.push_back(share[k]);
      continue;
    }
    for (double& f : force[k]) f /= left;
    for (double& s : share[k]) s /= left;
    resisted.push_back(k);
  }
  return free;
}

}  // namespace invar
