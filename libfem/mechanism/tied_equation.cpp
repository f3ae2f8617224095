#include "libfem/mechanism/tied_equation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>

#include "libadjoint/constraint/carried_force.hpp"
#include "libadjoint/constraint/reduced_observable.hpp"
#include "libadjoint/constraint/tie_coefficients.hpp"
#include "libfem/mechanism/mechanism.hpp"
#include "libfem/mechanism/mechanism_value.hpp"
#include "libfem/mechanism/rest_numbers.hpp"
#include "libfem/mesh/all_gather.hpp"
#include "libfem/objective/function_of.hpp"
#include "libfem/space/dof_name.hpp"

namespace invar {

namespace {

constexpr std::array sampled_times{0.0, 0.618, 1.0};  // different formulas of t are assumed to differ at one of these

}  // namespace

TiedEquation::TiedEquation(std::shared_ptr<FormResidual> nodal, std::shared_ptr<Mechanism> mechanism)
    : nodal_(std::move(nodal)), mechanism_(std::move(mechanism)) {
  std::vector<long long> mine;
  for (const int row : nodal_->constrained_rows()) mine.push_back(nodal_->dofs().global_offset() + row);
  for (const long long row : all_gather(mine, MPI_LONG_LONG, nodal_->comm())) held_.push_back(static_cast<PetscInt>(row));
  std::ranges::sort(held_);
}

bool TiedEquation::is_held(PetscInt unknown) const {
  if (unknown >= global(0)) return mechanism_->is_held(static_cast<int>(unknown - global(0)));
  return std::ranges::binary_search(held_, unknown);
}

std::vector<double> TiedEquation::held_values(const Setting& given) const {
  const VecHandle u = nodal_->create_vector();
  nodal_->impose_constraints(given, u);
  std::vector<double> values(held_.size(), 0.0);
  const double* a = nullptr;
  check(VecGetArrayRead(u, &a));
  for (const int row : nodal_->constrained_rows()) values[std::ranges::lower_bound(held_, nodal_->dofs().global_offset() + row) - held_.begin()] = a[row];
  check(VecRestoreArrayRead(u, &a));
  MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_DOUBLE, MPI_SUM, nodal_->comm());
  return values;
}

const Elimination& TiedEquation::solve(const std::vector<LinearConstraint>& constraints) {
  const Controls& d = nodal_->control_values();
  fixed_.clear();
  for (const LinearConstraint& constraint : constraints)
    for (const auto& [unknown, coefficient] : constraint.terms)
      if (constraint.keeps_positions && unknown < global(0)) fixed_.push_back(unknown);
  const HeldSamples held = held_samples(d);
  solved_ = eliminate(constraints, {[this](PetscInt unknown) { return is_held(unknown); }, [&](const auto& terms) { return satisfy(terms, held); }}, global(0));
  const auto varies = [](const LinearConstraint& c) { return !c.variations.empty(); };
  if (rest_ && (std::ranges::any_of(solved_.solved, varies) || std::ranges::any_of(solved_.implied, varies)))
    coefficients_ = std::make_shared<const TieCoefficients>(nodal_->comm(), solved_.solved, rest_, rest_->values(d));
  return solved_;
}

TiedEquation::HeldSamples TiedEquation::held_samples(const Controls& d) const {
  const Setting given{.controls = std::make_shared<const Controls>(d)};
  HeldSamples samples;
  for (const double t : sampled_times) samples.push_back({given.at(t), held_values(given.at(t))});
  return samples;
}

bool TiedEquation::satisfy(const std::map<PetscInt, double>& terms, const HeldSamples& held) const {
  return std::ranges::all_of(held, [&](const auto& sample) {
    double sum = 0, size = 0;
    for (const auto& [unknown, coefficient] : terms) {
      const double term = coefficient * held_value(unknown, sample.second, sample.first);
      sum += term, size = std::max(size, std::abs(term));
    }
    return std::abs(sum) <= 1e-9 * size;
  });
}

std::vector<std::string> TiedEquation::broken(const Controls& d) const {
  if (!coefficients_) return {};
  const HeldSamples held = held_samples(d);
  const std::vector<std::map<PetscInt, double>> left = coefficients_->left_of(solved_.implied, d);
  std::set<int> sources;
  for (std::size_t k = 0; k < left.size(); ++k) {
    const bool known = std::ranges::all_of(left[k], [&](const auto& term) { return is_held(term.first); });
    if (!left[k].empty() && (!known || solved_.implied[k].of_any_values || !satisfy(left[k], held))) sources.insert(solved_.implied[k].source);
  }
  std::vector<std::string> names;
  for (const int source : sources) names.push_back(source_names_[source]);
  return names;
}

std::set<std::string> TiedEquation::violated_at_start(Level level, const Setting& start) const {
  constexpr double few_percent = 0.05;  // formulas are interpolated
  const auto with_ties = [&](Level of, const Setting& given) {
    VecHandle q = equation_->create_vector(), u = nodal_->create_vector();
    if (!equation_->initial(of, given, q).converged) return VecHandle();
    unfold({State(q), given}, [&](const EvaluationPoint& expanded) { check(VecCopy(expanded.levels[Level::value], u)); });
    return u;
  };
  const VecHandle given = nodal_->create_vector(), tied = with_ties(level, start);
  if (!tied || !nodal_->initial(level, start, given).converged) return {};
  PetscReal sizes[3] = {};
  check(VecNorm(given, NORM_INFINITY, &sizes[0]));
  check(VecNorm(tied, NORM_INFINITY, &sizes[1]));
  if (level == Level::rate)  // of motions that begin smoothly
    if (const VecHandle later = with_ties(Level::value, start.at(start.constraint_time + start.step_length))) {
      check(VecNorm(later, NORM_INFINITY, &sizes[2]));
      sizes[2] /= start.step_length;
    }
  check(VecAXPY(tied, -1, given));
  PetscInt first = 0, end = 0;
  check(VecGetOwnershipRange(tied, &first, &end));
  const std::vector<char> algebraic = nodal_->algebraic_unknowns();  // they have no initial values
  std::vector<int> wrong(solved_.solved.size(), 0);
  const double* difference = nullptr;
  check(VecGetArrayRead(tied, &difference));
  for (std::size_t k = 0; k < wrong.size(); ++k)
    if (const PetscInt row = solved_.solved[k].follower; row >= first && row < end && row < global(0) && (algebraic.empty() || !algebraic[row - first]))
      wrong[k] = std::abs(difference[row - first]) > few_percent * *std::ranges::max_element(sizes);
  check(VecRestoreArrayRead(tied, &difference));
  MPI_Allreduce(MPI_IN_PLACE, wrong.data(), static_cast<int>(wrong.size()), MPI_INT, MPI_MAX, nodal_->comm());
  std::set<std::string> names;
  for (std::size_t k = 0; k < wrong.size(); ++k)
    if (wrong[k]) names.insert(source_names_[solved_.solved[k].source]);
  return names;
}

double TiedEquation::held_value(PetscInt unknown, const std::vector<double>& at_nodes, const Setting& given) const {
  return unknown >= global(0) ? mechanism_->held_value(static_cast<int>(unknown - global(0)), given) : at_nodes[std::ranges::lower_bound(held_, unknown) - held_.begin()];
}

std::vector<std::map<int, double>> TiedEquation::prescribed() const {
  const Setting given{.controls = std::make_shared<const Controls>(nodal_->control_values())};
  std::vector<std::map<int, double>> all;
  for (const double t : sampled_times) {
    const std::vector<double> at_nodes = held_values(given.at(t));
    std::map<int, double>& values = all.emplace_back();
    for (int k = 0; k < mechanism_->size(); ++k)
      if (is_held(global(k))) values[k] = mechanism_->held_value(k, given.at(t));
    for (const Tie& tie : solved_.ties) {
      if (tie.row < global(0) || !std::ranges::all_of(tie.masters, [&](const auto& term) { return is_held(term.first); })) continue;
      double& value = values[static_cast<int>(tie.row - global(0))];
      for (const auto& [master, coefficient] : tie.masters) value += coefficient * held_value(master, at_nodes, given.at(t));
    }
  }
  return all;
}

void TiedEquation::finish() {
  mechanism_->finish();
  std::vector<std::shared_ptr<Residual>> parts{nodal_};
  std::vector<VecHandle> like;
  if (mechanism_->size() > 0) parts.push_back(mechanism_);
  for (const auto& part : parts) like.push_back(part->create_vector());
  PetscInt first = 0, end = 0;
  check(VecGetOwnershipRange(like[0], &first, &end));
  int rank = 0, ranks = 1;
  MPI_Comm_rank(nodal_->comm(), &rank);
  MPI_Comm_size(nodal_->comm(), &ranks);
  if (rank == ranks - 1) end = global(mechanism_->size());
  std::vector<Tie> mine;
  for (const Tie& tie : coefficients_ ? coefficients_->varying(solved_.ties) : solved_.ties)
    if (tie.row >= first && tie.row < end) mine.push_back(tie);
  const bool vary = coefficients_ && coefficients_->some_vary();
  map_ = std::make_shared<const ConstraintMap>(std::vector<Vec>(like.begin(), like.end()), mine, nodal_->dofs().block_size(), vary ? coefficients_ : nullptr,
                                               vary ? coefficients_->start() : std::vector<double>());
  equation_ = std::make_shared<ReducedResidual>(std::move(parts), map_);
}

namespace {

std::shared_ptr<Observable> sum_of_forces(std::vector<std::shared_ptr<Observable>> terms) {
  if (terms.size() == 1) return std::move(terms[0]);
  return std::make_shared<FunctionOf>(std::move(terms), [](const std::vector<double>& y) {
    return FunctionOf::Expansion{std::accumulate(y.begin(), y.end(), 0.0), std::vector<double>(y.size(), 1.0), std::vector<double>(y.size() * y.size(), 0.0)};
  });
}

}  // namespace

std::shared_ptr<Observable> TiedEquation::observed(std::shared_ptr<Observable> nodal, const std::vector<VecHandle>& supports) const {
  if (!nodal) return nullptr;
  std::vector<std::shared_ptr<Observable>> terms{std::make_shared<ReducedObservable>(std::move(nodal), map_, nodal_->create_vector())};
  const std::vector<int>& reduced = map_->reduced_rows();
  for (const VecHandle& support : supports) {
    const VecHandle motion = map_->create_reduced();
    const double* from = nullptr;
    double* to = nullptr;
    check(VecGetArrayRead(support, &from));
    check(VecGetArray(motion, &to));
    for (const int row : nodal_->constrained_rows()) to[reduced[row]] = from[row];
    check(VecRestoreArray(motion, &to));
    check(VecRestoreArrayRead(support, &from));
    add_forces_along(motion, support, terms);
  }
  return sum_of_forces(std::move(terms));
}

int TiedEquation::unknown(const std::string& name) const {
  const auto found = unknowns_.find(name);
  return found == unknowns_.end() ? -1 : found->second;
}

std::vector<std::string> TiedEquation::names() const {
  std::vector<std::string> all;
  for (const auto& [name, unknown] : unknowns_) all.push_back(name);
  return all;
}

std::vector<double> TiedEquation::numbers(const EvaluationPoint& q, Level level) const {
  std::vector<double> all(mechanism_->size(), 0.0);
  if (all.empty() || !q.levels[level]) return all;
  const VecHandle y = mechanism_->create_vector();
  map_->expand(q.levels[level], y, 1);
  PetscInt own = 0;
  const double* a = nullptr;
  check(VecGetLocalSize(y, &own));
  check(VecGetArrayRead(y, &a));
  std::copy_n(a, own, all.begin());
  check(VecRestoreArrayRead(y, &a));
  MPI_Allreduce(MPI_IN_PLACE, all.data(), static_cast<int>(all.size()), MPI_DOUBLE, MPI_SUM, nodal_->comm());
  return all;
}

std::shared_ptr<Observable> TiedEquation::value_of(int unknown, Level level) const {
  return std::make_shared<ReducedObservable>(std::make_shared<MechanismValue>(nodal_->comm(), unknown, level), map_, mechanism_->create_vector(), 1, false);
}

std::shared_ptr<Observable> TiedEquation::force_of(int unknown) const {
  const VecHandle motion = map_->create_reduced();
  const std::vector<int>& reduced = map_->reduced_rows(1);
  int moved = 0;
  if (!reduced.empty() && reduced[unknown] >= 0) {
    double* a = nullptr;
    check(VecGetArray(motion, &a));
    a[reduced[unknown]] = 1;
    check(VecRestoreArray(motion, &a));
    moved = 1;
  }
  MPI_Allreduce(MPI_IN_PLACE, &moved, 1, MPI_INT, MPI_MAX, nodal_->comm());
  if (!moved) return nullptr;
  std::vector<std::shared_ptr<Observable>> forces;
  add_forces_along(motion, nullptr, forces);
  if (forces.empty()) forces.push_back(std::make_shared<CarriedForce>(nodal_, map_, 0, map_->create_reduced()));  // zero
  return sum_of_forces(std::move(forces));
}

void TiedEquation::add_forces_along(Vec motion, Vec counted, std::vector<std::shared_ptr<Observable>>& forces) const {
  const auto add = [&](std::shared_ptr<Residual> equation, int part) {
    VecHandle along = map_->create_reduced();
    check(VecCopy(motion, along));
    auto force = std::make_shared<CarriedForce>(std::move(equation), map_, part, std::move(along), part == 0 ? counted : nullptr);
    if (!force->vanishes()) forces.push_back(std::move(force));
  };
  add(nodal_, 0);
  if (mechanism_->size() > 0) add(mechanism_, 1);
}

VecHandle TiedEquation::picked(Vec u) const {
  VecHandle q = map_->create_reduced();
  const std::vector<int>& reduced = map_->reduced_rows();
  const double* from = nullptr;
  double* to = nullptr;
  check(VecGetArrayRead(u, &from));
  check(VecGetArray(q, &to));
  for (std::size_t i = 0; i < reduced.size(); ++i)
    if (reduced[i] >= 0) to[reduced[i]] = from[i];
  check(VecRestoreArray(q, &to));
  check(VecRestoreArrayRead(u, &from));
  return q;
}

VecHandle TiedEquation::force_of_change(const EvaluationPoint& at, const State& q_dot) const {
  VecHandle r_dot = map_->create_reduced();
  equation_->jvp(at, q_dot, nullptr, r_dot);
  equation_->constrained_rows().clear(r_dot);
  return r_dot;
}

VecHandle TiedEquation::unit_change(int unknown) const {
  VecHandle q_dot = map_->create_reduced();
  if (const std::vector<int>& reduced = map_->reduced_rows(1); !reduced.empty() && reduced[unknown] >= 0) {
    double* a = nullptr;
    check(VecGetArray(q_dot, &a));
    a[reduced[unknown]] = 1;
    check(VecRestoreArray(q_dot, &a));
  }
  return q_dot;
}

double TiedEquation::unbalanced_force(Vec u, Vec u_dot, const std::vector<int>* still) const {
  const VecHandle start = picked(u);
  const EvaluationPoint at(State(start), equation_->given());
  std::vector<VecHandle> directions;  // orthonormal basis of forces that multipliers balance
  const auto take_balanced = [&](Vec force) {
    for (int repeat = 0; repeat < 2; ++repeat)
      for (const VecHandle& direction : directions) {
        PetscScalar along = 0;
        check(VecDot(force, direction, &along));
        check(VecAXPY(force, -along, direction));
      }
  };
  for (int k = 0; k < mechanism_->size(); ++k) {
    if (!mechanism_->is_multiplier(k) || still) continue;
    VecHandle force = force_of_change(at, State(unit_change(k)));
    double size = 0, left = 0;
    check(VecNorm(force, NORM_2, &size));
    take_balanced(force);
    check(VecNormalize(force, &left));
    if (left > 1e-10 * size) directions.push_back(std::move(force));
  }
  const VecHandle force = force_of_change(at, State(picked(u_dot)));
  if (still) {
    double* a = nullptr;
    check(VecGetArray(force, &a));
    for (const int dof : *still)
      if (const int row = map_->reduced_rows()[dof]; row >= 0) a[row] = 0;
    if (map_->part_count() > 1)
      for (const int row : map_->reduced_rows(1))
        if (row >= 0) a[row] = 0;
    check(VecRestoreArray(force, &a));
  } else {
    take_balanced(force);
  }
  double norm = 0;
  check(VecNorm(force, NORM_2, &norm));
  return norm;
}

void TiedEquation::unfold(const EvaluationPoint& q, const std::function<void(const EvaluationPoint& u)>& use) const {
  const VecHandle like = nodal_->create_vector();
  ExpandedState states(*map_, like);
  use(states.point(q));
}

std::vector<int> TiedEquation::fixed_nodes() const {
  const DofMap& dofs = nodal_->dofs();
  const std::set<long long> rows(fixed_.begin(), fixed_.end());
  std::vector<int> nodes;
  for (int node = 0; node < dofs.mesh().n_owned_nodes; ++node) {
    const auto at = rows.lower_bound(dofs.global_dof(node));
    if (at != rows.end() && *at < dofs.global_dof(node) + dofs.dof_count(node)) nodes.push_back(node);
  }
  return nodes;
}

std::string TiedEquation::why_not(const Controls& d) const {
  std::string said = rest_ ? rest_->why_not(d) : "";
  if (said.empty() && coefficients_ && !coefficients_->admissible(d)) said = "ties no longer determine the unknowns that follow them: the places of their nodes became singular";
  return said;
}

std::string TiedEquation::name_of(PetscInt row) const {
  const VecHandle q = map_->create_reduced();
  PetscInt first = 0, end = 0;
  check(VecGetOwnershipRange(q, &first, &end));
  long long found = -1;  // global number of a nodal unknown; unknowns of the mechanism are numbered after these
  for (int p = 0; p < map_->part_count() && row >= first && row < end; ++p) {
    const std::vector<int>& reduced = map_->reduced_rows(p);
    const auto at = std::ranges::find(reduced, static_cast<int>(row - first));
    if (at != reduced.end()) found = at - reduced.begin() + (p == 0 ? nodal_->dofs().global_offset() : global(0));
  }
  MPI_Allreduce(MPI_IN_PLACE, &found, 1, MPI_LONG_LONG, MPI_MAX, nodal_->comm());
  if (found < global(0)) return dof_name(nodal_->dofs(), found);
  return "'" + mechanism_->name(static_cast<int>(found - global(0))) + "'";
}

}  // namespace invar
