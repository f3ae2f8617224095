#include "libadjoint/time/step_residual.hpp"

#include <algorithm>
#include <cassert>
#include <stdexcept>

#include "libadjoint/solve/singularity.hpp"

namespace invar {
namespace {

bool has_no_entries(const StepRow& row) {
  return row.unknown == 0 && std::ranges::all_of(row.history, [](double h) { return h == 0; });
}

}  // namespace

StepResidual::StepResidual(Residual& inner, int history_size, bool held_apart)
    : inner_(inner), history_size_(history_size), memory_(inner.create_memory() ? inner.capabilities().history_variables : nullptr) {
  std::vector<char> kinds = inner.algebraic_unknowns();
  std::ranges::replace(kinds, static_cast<char>(UnknownKind::multiplier), static_cast<char>(UnknownKind::algebraic));
  if (held_apart) {
    const VecHandle like = inner.create_vector();  // on all ranks, because only some may have kinds
    PetscInt n = 0;
    check(VecGetLocalSize(like, &n));
    kinds.resize(n, static_cast<char>(UnknownKind::evolving));
    for (int row : inner.constrained_rows())
      if (kinds[row] == static_cast<char>(UnknownKind::evolving)) kinds[row] = static_cast<char>(UnknownKind::held);
  }
  has_kinds_ = !kinds.empty();
  of_kind_ = rows_by_mark<unknown_kinds>(kinds);
  std::vector<int> held;
  for (const int row : of_kind_[static_cast<std::size_t>(UnknownKind::potential)])
    if (std::ranges::binary_search(inner.constrained_rows(), row)) held.push_back(row);
  int any = !held.empty();
  MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_MAX, inner.comm());
  holds_potentials_ = any != 0;
  held_potentials_ = RowSet(std::move(held));
  if (!inner.matrix_hints().lumped_mass) return;
  ones_ = inner.create_vector();
  probe_ = zeros_like(ones_);
  diagonal_.emplace(ones_);
  check(VecSet(ones_, 1.0));
  scatter(probe_);
}

History StepResidual::create_history() const {
  History history;
  for (int i = 0; i < history_size_; ++i) history.push_back(i == 0 ? inner_.create_vector() : zeros_like(history[0]));
  if (memory_) history.push_back(memory_->create_memory());
  return history;
}

Vec StepResidual::memory_of(const History& history) const {
  return memory_ && !history.empty() ? history[history_size_].get() : nullptr;
}

void StepResidual::set_step(StepTable table, const History& history) {
  table_ = std::move(table);
  history_ = &history;
  prescribed_for_ = {};
  is_diagonal_ = diagonal_ && !reads_value();
}

Setting StepResidual::inner_setting(const Setting& given) const {
  Setting inner = given;
  inner.time = table_.time;
  inner.constraint_time = table_.end;
  inner.step_length = table_.length;
  inner.starts = table_.starts;
  return inner;
}

// ---- table rows: forward, then transposed ----------------------------------------------------------

bool StepResidual::KindRows::vanishes() const { return has_no_entries(evolving) && has_no_entries(algebraic) && has_no_entries(potential) && has_no_entries(held); }

void StepResidual::combine(const KindRows& rows, Vec x, const History& history, Vec out) const {
  check(VecSet(out, 0.0));
  if (!has_kinds_) {
    if (x && rows.evolving.unknown != 0) check(VecAXPY(out, rows.evolving.unknown, x));
    for (std::size_t j = 0; j < std::min(history.size(), rows.evolving.history.size()); ++j)
      if (rows.evolving.of(j) != 0) check(VecAXPY(out, rows.evolving.of(j), history[j]));
    return;
  }
  for (std::size_t k = 0; k < unknown_kinds; ++k) {
    const StepRow& row = rows.of(static_cast<UnknownKind>(k));
    if (x && row.unknown != 0) of_kind_[k].add(row.unknown, x, out);
    for (std::size_t j = 0; j < std::min(history.size(), static_cast<std::size_t>(history_size_)); ++j)
      if (row.of(j) != 0) of_kind_[k].add(row.of(j), history[j], out);
  }
}

void StepResidual::combine_transposed(const KindRows& rows, Vec out_bar, Vec x_bar, History& history_bar) const {
  if (!has_kinds_) {
    if (x_bar && rows.evolving.unknown != 0) check(VecAXPY(x_bar, rows.evolving.unknown, out_bar));
    for (std::size_t j = 0; j < history_bar.size(); ++j)
      if (rows.evolving.of(j) != 0) check(VecAXPY(history_bar[j], rows.evolving.of(j), out_bar));
    return;
  }
  for (std::size_t k = 0; k < unknown_kinds; ++k) {
    const StepRow& row = rows.of(static_cast<UnknownKind>(k));
    if (x_bar && row.unknown != 0) of_kind_[k].add(row.unknown, out_bar, x_bar);
    for (std::size_t j = 0; j < std::min(history_bar.size(), static_cast<std::size_t>(history_size_)); ++j)
      if (row.of(j) != 0) of_kind_[k].add(row.of(j), out_bar, history_bar[j]);
  }
}

StepResidual::KindRows StepResidual::history_rows(int i) const {
  const auto of = [i](const StepRows& rows) { return i < static_cast<int>(rows.history.size()) ? rows.history[i] : StepRow(); };
  return {table_.history[i], of(table_.algebraic), of(table_.potential), of(held_rows())};
}

void StepResidual::advance_rows(Vec x, const History& history, History& next) const {
  for (int i = 0; i < history_size_; ++i) combine(history_rows(i), x, history, next[i]);
}

// The search for the initial acceleration leaves history variables as they are.
void StepResidual::advance(const EvaluationPoint& x, const History& history, History& next) {
  advance_rows(x.unknown, history, next);
  if (!memory_) return;
  if (table_.starts) check(VecCopy(memory_of(history), memory_of(next)));
  else memory_->update_memory(levels_at(x), memory_of(next));
}

void StepResidual::fill(State& state, Level l, PerLevel<VecHandle>& storage, const KindRows& rows, Vec x, const History& history) const {
  if (rows.vanishes()) return;
  if (!storage[l]) storage[l] = inner_.create_vector();
  combine(rows, x, history, storage[l]);
  state.levels[l] = storage[l];
}

State StepResidual::observe(Vec x, const History& history, PerLevel<VecHandle>& storage) const {
  State s;
  s.unknown = x;
  s.memory = memory_of(history);
  for (Level l : all_levels) fill(s, l, storage, observed_rows(l), x, history);
  return s;
}

EvaluationPoint StepResidual::observed(const EvaluationPoint& x, const History& history) {
  Setting seen = inner_setting(x.given).at(table_.end);
  seen.starts = false;
  return {observe(x.unknown, history, seen_), std::move(seen)};
}

// ---- the equation ---------------------------------------------------------------------------------

EvaluationPoint StepResidual::levels_at(const EvaluationPoint& x) {
  if (linearised_at_) return {linearised_at_->state, inner_setting(x.given).at(linearised_at_->time)};
  EvaluationPoint y{State(), inner_setting(x.given)};
  y.unknown = x.unknown;
  y.memory = memory_of(*history_);
  for (Level l : all_levels) fill(y, l, y_, equation_rows(l), x.unknown, *history_);
  return y;
}

/// Setting of the first step, from which initial accelerations of prescribed values are computed.
Setting StepResidual::beginning(const Setting& given) const {
  Setting begin = given.at(table_.end);
  begin.step_length = table_.following;
  return begin;
}

/// For the initial acceleration: that of the prescribed values. For potentials φ, with φ̇ = a φ + (history): the equation prescribes a
/// pressure P, and a φ is its change in the step, since φ is by what a step changes the pressure.
std::vector<StepResidual::Prescribed> StepResidual::prescription(const Setting& given) const {
  if (table_.starts) return {{Level::acceleration, beginning(given), 1}};
  const double a = table_.potential.equation[Level::rate].unknown;
  if (!holds_potentials_ || a == 0) return {};
  const Setting end = inner_setting(given);
  return {{Level::value, end, 1 / a}, {Level::value, end.at(table_.end - table_.length), -1 / a}};
}

/// The prescribed values in the own rows, which are computed once per step.
Vec StepResidual::prescribed(const Setting& given) {
  if (prescribed_ && given == prescribed_for_) return prescribed_;
  if (!prescribed_) prescribed_ = inner_.create_vector();
  own_rows().clear(prescribed_);
  if (Evolution* evolution = inner_.capabilities().evolution) {
    VecHandle value = zeros_like(prescribed_);
    for (const Prescribed& p : prescription(given)) {
      evolution->initial(p.level, p.at, value);
      own_rows().add(p.factor, value, prescribed_);
    }
  }
  prescribed_for_ = given;
  return prescribed_;
}

void StepResidual::impose_constraints(const Setting& given, Vec x) {
  if (!table_.starts) inner_.impose_constraints(inner_setting(given), x);
  if (has_own_rows()) own_rows().copy(prescribed(given), x);
}

bool StepResidual::residual(const EvaluationPoint& x, Vec r) {
  if (!inner_.residual(levels_at(x), r)) return false;
  if (!has_own_rows()) return true;
  own_rows().copy(x.unknown, r);
  own_rows().add(-1, prescribed(x.given), r);
  return true;
}

void StepResidual::jacobian(const EvaluationPoint& x, const PerLevel<double>&) {
  PerLevel<double> weights;
  for (Level l : all_levels) weights[l] = table_.equation[l].unknown;
  is_diagonal_ = diagonal_ && !reads_value() && find_diagonal(x);
  if (!is_diagonal_) inner_.jacobian(levels_at(x), weights);
}

bool StepResidual::reads_value() const {
  return table_.equation[Level::value].unknown != 0 || table_.equation[Level::predicted].unknown != 0;
}

/// Writes K 1 to the diagonal. K is diagonal if also K z = (K 1) z for a vector z with components in all directions. It may not be, e.g.
/// where viscous forces couple nodes.
bool StepResidual::find_diagonal(const EvaluationPoint& x) {
  constexpr double round_off = 1e-12;  // of a row: some hundred products, each exact to 1e-16; a coupling is of the size of the mass itself
  const Vec diagonal = diagonal_->diagonal();
  VecHandle product = zeros_like(diagonal), expected = zeros_like(diagonal);
  jvp(x, State(ones_), nullptr, diagonal);
  jvp(x, State(probe_), nullptr, product);
  check(VecPointwiseMult(expected, diagonal, probe_));
  check(VecAXPY(product, -1.0, expected));
  // |K z − (K 1) z| beyond round-off of |K 1|, by row: no quotient, since a row may be zero
  check(VecAbs(product));
  check(VecCopy(diagonal, expected));
  check(VecAbs(expected));
  check(VecAXPY(product, -round_off, expected));
  PetscReal worst = 0;
  check(VecMax(product, nullptr, &worst));
  return worst <= 0;
}

Capabilities StepResidual::capabilities() {
  const Capabilities inner = inner_.capabilities();
  return {.step_limit = inner.step_limit ? this : nullptr, .pattern = inner.pattern ? this : nullptr};
}

/// Limits both the state where the equation holds and the one at the end of the step, if they differ: neither may lie beyond the limit.
double StepResidual::longest_step(const EvaluationPoint& x, Vec step) {
  StepLimit& inner = *inner_.capabilities().step_limit;
  const VecHandle change = zeros_like(step);
  const auto along = [&](const KindRows& rows, const EvaluationPoint& at) {
    combine(rows.of_unknown(), step, no_history_, change);
    return inner.longest_step(at, change);
  };
  const double solved = along(equation_rows(Level::value), levels_at(x));
  if (table_.observed[Level::value] == table_.equation[Level::value]) return solved;
  return std::min(solved, along(observed_rows(Level::value), observed(x, *history_)));
}

bool StepResidual::update_pattern(const EvaluationPoint& x) { return inner_.capabilities().pattern->update_pattern(levels_at(x)); }

}  // namespace invar
