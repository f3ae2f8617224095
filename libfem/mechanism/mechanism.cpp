#include "libfem/mechanism/mechanism.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "libadjoint/time/prescribed_start.hpp"
#include "libadjoint/vector_entries.hpp"

namespace invar {
namespace {

using First = MechanismTerm::First;
using Second = MechanismTerm::Second;

/// Adds own entries to a vector unless it is null.
void add_entries(const std::vector<double>& from, Vec to) {
  if (!to || from.empty()) return;
  double* a = nullptr;
  check(VecGetArray(to, &a));
  for (std::size_t i = 0; i < from.size(); ++i) a[i] += from[i];
  check(VecRestoreArray(to, &a));
}

constexpr int kinds_of_state = 4;  // value, rate, acceleration, unknown

}  // namespace

/// Inputs of a term in one list: value, rate, acceleration and solved unknown of each of its unknowns, then its numbers at the time
/// where the scheme satisfies the equation and at the end of the step.
struct Mechanism::Inputs {
  /// All levels of a state or direction, [unknowns of the mechanism] each; empty: zero.
  struct Levels {
    std::array<std::vector<double>, kinds_of_state> of;
    explicit Levels(const State& y) : of{owned_entries(y.levels[Level::value]), owned_entries(y.levels[Level::rate]),
                                         owned_entries(y.levels[Level::acceleration]), owned_entries(y.unknown)} {}
  };

  /// d null: the numbers are zero. rest: `rest_values`, or along a direction `rest_rates`.
  static std::vector<double> gather(const Mechanism& m, const MechanismTerm& term, const Levels& y, const Controls* d, const std::vector<double>& rest, const Setting& given) {
    std::vector<double> z;
    for (const std::vector<double>& level : y.of)
      for (const int k : term.unknowns()) z.push_back(level.empty() ? 0.0 : level[k]);
    for (const double t : {given.time, given.constraint_time})
      for (const MechanismNumber& n : term.numbers()) z.push_back(n.rest >= 0 ? (rest.empty() ? 0.0 : rest[n.rest]) : d ? m.number(n, *d, t) : 0.0);
    return z;
  }
  template <class T>
  static MechanismPoint<T> point(const MechanismTerm& term, const std::vector<T>& z, bool starts) {
    const std::size_t n = term.unknowns().size(), p = term.numbers().size();
    const std::span<const T> all(z);
    return {all.subspan(0, n), all.subspan(n, n), all.subspan(2 * n, n), all.subspan(3 * n, n), all.subspan(4 * n, p), all.subspan(4 * n + p, p), starts};
  }
  template <class T>
  static std::vector<T> rows(const MechanismTerm& term, const std::vector<T>& z, bool starts) {
    std::vector<T> r(term.unknowns().size(), T(0.0));
    term.add_rows(point(term, z, starts), r.data());
    return r;
  }
  static std::vector<First> along(const std::vector<double>& z, const std::vector<double>& z_dot) {
    std::vector<First> out(z.size());
    for (std::size_t i = 0; i < z.size(); ++i) {
      out[i] = First(z[i]);
      out[i].grad[0] = z_dot[i];
    }
    return out;
  }
};

int Mechanism::add_unknown(std::string name, bool multiplier) {
  names_.push_back(std::move(name));
  multipliers_.push_back(multiplier ? 3 : 0);  // UnknownKind
  held_.emplace_back();
  row_of_.push_back(size() - 1);
  return size() - 1;
}

std::vector<int> Mechanism::rows_of(const MechanismTerm& term) const {
  std::vector<int> rows;
  for (const int k : term.unknowns()) rows.push_back(term.in_own_rows() ? k : row_of_[k]);
  return rows;
}

void Mechanism::hold(int unknown, MechanismNumber value) { held_[unknown] = std::move(value); }

void Mechanism::finish() {
  int rank = 0, ranks = 1;
  MPI_Comm_rank(comm(), &rank);
  MPI_Comm_size(comm(), &ranks);
  here_ = rank == ranks - 1;
  std::vector<int> held;
  for (int i = 0; i < own(); ++i)
    if (is_held(i)) held.push_back(i);
  rows_ = RowSet(std::move(held));
  check(MatCreate(comm(), matrix_.out()));
  check(MatSetSizes(matrix_, own(), own(), PETSC_DETERMINE, PETSC_DETERMINE));
  check(MatSetType(matrix_, MATAIJ));
  std::vector<PetscInt> most(own(), 1);
  for (const auto& term : terms_)
    for (const int k : rows_of(*term))
      if (here_) most[k] = std::min<PetscInt>(size(), most[k] + static_cast<PetscInt>(term->unknowns().size()));
  check(MatSeqAIJSetPreallocation(matrix_, 0, most.data()));
  check(MatMPIAIJSetPreallocation(matrix_, 0, most.data(), 0, nullptr));
  if (here_) {
    for (int i = 0; i < size(); ++i) check(MatSetValue(matrix_, i, i, 0.0, INSERT_VALUES));
    for (const auto& term : terms_) {
      const auto n = static_cast<PetscInt>(term->unknowns().size());
      const std::vector<PetscInt> at(term->unknowns().begin(), term->unknowns().end());
      const std::vector<int> of_term = rows_of(*term);
      const std::vector<PetscInt> rows(of_term.begin(), of_term.end());
      check(MatSetValues(matrix_, n, rows.data(), n, at.data(), std::vector<double>(std::size_t(n) * n, 0.0).data(), INSERT_VALUES));
    }
  }
  check(MatAssemblyBegin(matrix_, MAT_FINAL_ASSEMBLY));
  check(MatAssemblyEnd(matrix_, MAT_FINAL_ASSEMBLY));
}

VecHandle Mechanism::create_vector() const {
  VecHandle v;
  check(VecCreateMPI(comm(), own(), PETSC_DETERMINE, v.out()));
  check(VecSet(v, 0.0));
  return v;
}

double Mechanism::number(const MechanismNumber& n, const Controls& d, double t) const {
  return n.control < 0 || d[n.control].empty() ? 0.0 : n.factor(t) * numbers_->number_at(n.control, d[n.control], t);
}

void Mechanism::add_to_number(const MechanismNumber& n, double bar, Controls& d_bar, double t) const {
  if (n.control >= 0 && !d_bar[n.control].empty()) numbers_->add_to_number_at(n.control, bar * n.factor(t), d_bar[n.control], t);
}

void Mechanism::impose_constraints(const Setting& given, Vec y) {
  double* a = nullptr;
  check(VecGetArray(y, &a));
  for (const int i : rows_) a[i] = number(held_[i], *given.controls, given.constraint_time);
  check(VecRestoreArray(y, &a));
}

bool Mechanism::residual(const EvaluationPoint& y, Vec r) {
  check(VecSet(r, 0.0));
  const std::vector<double> rest = rest_values(y.controls());
  int finite = 1;
  if (here_) {
    const Inputs::Levels levels(y);
    std::vector<double> sum(size(), 0.0);
    for (const auto& term : terms_) {
      const std::vector<double> r_of_term = Inputs::rows(*term, Inputs::gather(*this, *term, levels, &y.controls(), rest, y.given), y.given.starts);
      const std::vector<int> rows = rows_of(*term);
      for (std::size_t i = 0; i < rows.size(); ++i) sum[rows[i]] += r_of_term[i];
    }
    const std::vector<double> x = owned_entries(y.unknown);
    for (const int i : rows_) sum[i] = x[i] - number(held_[i], y.controls(), y.given.constraint_time);
    add_entries(sum, r);
    finite = std::ranges::all_of(sum, [](double v) { return std::isfinite(v); });
  }
  MPI_Allreduce(MPI_IN_PLACE, &finite, 1, MPI_INT, MPI_MIN, comm());
  return finite;
}

void Mechanism::jacobian(const EvaluationPoint& y, const PerLevel<double>& weights) {
  check(MatZeroEntries(matrix_));
  const std::vector<double> rest = rest_values(y.controls());
  if (here_) {
    const Inputs::Levels levels(y);
    for (const auto& term : terms_) {
      const std::vector<double> z = Inputs::gather(*this, *term, levels, &y.controls(), rest, y.given);
      const std::size_t n = term->unknowns().size();
      const std::vector<int> rows = rows_of(*term);
      for (std::size_t j = 0; j < n; ++j) {
        if (is_held(term->unknowns()[j])) continue;
        std::vector<double> z_dot(z.size(), 0.0);
        z_dot[j] = weights[Level::value];
        z_dot[n + j] = weights[Level::rate];
        z_dot[2 * n + j] = weights[Level::acceleration];
        z_dot[3 * n + j] = 1;
        const std::vector<First> r = Inputs::rows(*term, Inputs::along(z, z_dot), y.given.starts);
        for (std::size_t i = 0; i < n; ++i)
          if (!is_held(rows[i])) check(MatSetValue(matrix_, rows[i], term->unknowns()[j], r[i].grad[0], ADD_VALUES));
      }
    }
    for (const int i : rows_) check(MatSetValue(matrix_, i, i, 1.0, ADD_VALUES));
  }
  check(MatAssemblyBegin(matrix_, MAT_FINAL_ASSEMBLY));
  check(MatAssemblyEnd(matrix_, MAT_FINAL_ASSEMBLY));
}

Capabilities Mechanism::capabilities() { return {.evolution = this, .potential = terms_.empty() ? this : nullptr}; }

// ---- derivatives: forward, reverse, second order ----------------------------------------------------

void Mechanism::jvp(const EvaluationPoint& y, const State& y_dot, const Controls* d_dot, Vec r_dot) {
  check(VecSet(r_dot, 0.0));
  const std::vector<double> rest = rest_values(y.controls()), rest_dot = rest_rates(y.controls(), d_dot);
  if (!here_) return;
  const Inputs::Levels levels(y), along(y_dot);
  std::vector<double> sum(size(), 0.0);
  for (const auto& term : terms_) {
    const std::vector<double> z = Inputs::gather(*this, *term, levels, &y.controls(), rest, y.given);
    const std::vector<double> z_dot = Inputs::gather(*this, *term, along, d_dot, rest_dot, y.given);
    const std::vector<First> r = Inputs::rows(*term, Inputs::along(z, z_dot), y.given.starts);
    const std::vector<int> rows = rows_of(*term);
    for (std::size_t i = 0; i < rows.size(); ++i) sum[rows[i]] += r[i].grad[0];
  }
  const std::vector<double> x_dot = owned_entries(y_dot.unknown);
  for (const int i : rows_)
    sum[i] = (x_dot.empty() ? 0.0 : x_dot[i]) - (d_dot ? number(held_[i], *d_dot, y.given.constraint_time) : 0.0);
  add_entries(sum, r_dot);
}

void Mechanism::vjp(const EvaluationPoint& y, Vec lambda, const State& y_bar, Controls* d_bar) {
  vjp_tangent(y, nullptr, State(), lambda, nullptr, y_bar, d_bar);
}

// Derivative of ∂(λᵀ r)/∂z along ż and λ̇, for every input z: (∂²(λᵀ r)/∂z²) ż + (∂r/∂z)ᵀ λ̇. The first derivatives are the special
// case with λ̇ instead of λ and without ż. Rest numbers are functions of the controls, whose second derivatives have the first ones by them as factors.
void Mechanism::vjp_tangent(const EvaluationPoint& y, Vec lambda, const State& y_dot, Vec lambda_dot, const Controls* d_dot,
                            const State& y_bar_dot, Controls* d_bar_dot) {
  const std::vector<double> rest = rest_values(y.controls()), rest_dot = rest_rates(y.controls(), d_dot);
  std::vector<double> rest_bar(rest.size(), 0.0), rest_bar_dot(rest.size(), 0.0);
  const Inputs::Levels levels(y), along(y_dot);
  std::vector<double> l = owned_entries(lambda), l_dot = owned_entries(lambda_dot);
  l.resize(size(), 0.0);
  l_dot.resize(size(), 0.0);
  std::array<std::vector<double>, kinds_of_state> bar;
  for (auto& b : bar) b.assign(own(), 0.0);
  for (const int i : rows_) {
    bar.back()[i] += l_dot[i];
    if (d_bar_dot) add_to_number(held_[i], -l_dot[i], *d_bar_dot, y.given.constraint_time);
    l[i] = l_dot[i] = 0;
  }
  for (std::size_t of = 0; here_ && of < terms_.size(); ++of) {
    const MechanismTerm& term = *terms_[of];
    const std::vector<int>& at = term.unknowns();
    const std::vector<int> rows = rows_of(term);
    const std::vector<double> z = Inputs::gather(*this, term, levels, &y.controls(), rest, y.given);
    const std::vector<double> z_dot = Inputs::gather(*this, term, along, d_dot, rest_dot, y.given);
    const std::vector<First> moved = Inputs::along(z, z_dot);
    const std::size_t states = bar.size() * at.size(), numbers = term.numbers().size();
    for (std::size_t k = 0; k < z.size(); ++k) {
      std::vector<Second> seeded(z.size());
      for (std::size_t i = 0; i < z.size(); ++i) seeded[i] = Second(moved[i]);
      seeded[k].grad[0] = First(1.0);
      const std::vector<Second> r = Inputs::rows(term, seeded, y.given.starts);
      double sum = 0, first = 0;
      for (std::size_t i = 0; i < rows.size(); ++i) {
        sum += l[rows[i]] * r[i].grad[0].grad[0] + l_dot[rows[i]] * r[i].grad[0].value;
        first += l[rows[i]] * r[i].grad[0].value;
      }
      if (k < states) {
        bar[k / at.size()][at[k % at.size()]] += sum;
      } else if (const MechanismNumber& n = term.numbers()[(k - states) % numbers]; n.rest >= 0) {
        rest_bar[n.rest] += first;
        rest_bar_dot[n.rest] += sum;
      } else if (d_bar_dot) {
        add_to_number(n, sum, *d_bar_dot, k < states + numbers ? y.given.time : y.given.constraint_time);
      }
    }
  }
  add_entries(bar[0], y_bar_dot.levels[Level::value]);
  add_entries(bar[1], y_bar_dot.levels[Level::rate]);
  add_entries(bar[2], y_bar_dot.levels[Level::acceleration]);
  add_entries(bar[3], y_bar_dot.unknown);
  if (!rest_ || !d_bar_dot) return;
  const auto add_up = [&](std::vector<double>& shares) { MPI_Allreduce(MPI_IN_PLACE, shares.data(), static_cast<int>(shares.size()), MPI_DOUBLE, MPI_SUM, comm()); };
  add_up(rest_bar_dot);
  rest_->add_gradient(y.controls(), rest_bar_dot, *d_bar_dot);
  if (!d_dot) return;
  add_up(rest_bar);
  rest_->add_gradient_rate(y.controls(), *d_dot, rest_bar, *d_bar_dot);
}

// ---- initial state ----------------------------------------------------------------------------

std::vector<char> Mechanism::algebraic_unknowns() const {
  if (std::ranges::all_of(multipliers_, [](char kind) { return kind == 0; })) return {};
  return here_ ? multipliers_ : std::vector<char>();
}

/// ∂(prescribed initial value, rate or acceleration)/∂(each entry of its control).
std::vector<double> Mechanism::held_start(const MechanismNumber& held, Level level, const Setting& given) const {
  std::vector<double> slopes(control_values()[held.control].size());
  for (std::size_t j = 0; j < slopes.size(); ++j) {
    std::vector<double> entry(slopes.size(), 0.0);
    entry[j] = 1;
    const auto at = [&](double t) { return held.factor(t) * numbers_->number_at(held.control, entry, t); };
    std::array<double, PrescribedStart::points> f;
    for (int k = 0; k < PrescribedStart::points; ++k) f[k] = at(PrescribedStart::time(given, k));
    slopes[j] = level == Level::value ? at(given.constraint_time) : PrescribedStart::derivative(level, given, f);
  }
  return slopes;
}

SolveReport Mechanism::initial(Level level, const Setting& given, Vec y) { return initial_jvp(level, given, *given.controls, y); }

SolveReport Mechanism::initial_jvp(Level level, const Setting& given, const Controls& d_dot, Vec y_dot) {
  double* a = nullptr;
  check(VecGetArray(y_dot, &a));
  std::fill_n(a, own(), 0.0);
  for (const Initial& v : initial_)
    if (here_ && v.level == level && !is_held(v.unknown)) a[v.unknown] = number(v.value, d_dot, given.time);
  for (const int i : rows_)
    if (const std::vector<double>& d = d_dot[held_[i].control]; !d.empty()) {
      const std::vector<double> slopes = held_start(held_[i], level, given);
      a[i] = std::inner_product(slopes.begin(), slopes.end(), d.begin(), 0.0);
    }
  check(VecRestoreArray(y_dot, &a));
  return solved();
}

SolveReport Mechanism::initial_vjp(Level level, const Setting& given, Vec y_bar, Controls& d_bar) {
  const std::vector<double> bar = owned_entries(y_bar);
  for (const Initial& v : initial_)
    if (here_ && v.level == level && !is_held(v.unknown)) add_to_number(v.value, bar[v.unknown], d_bar, given.time);
  for (const int i : rows_)
    if (std::vector<double>& d = d_bar[held_[i].control]; !d.empty()) {
      const std::vector<double> slopes = held_start(held_[i], level, given);
      for (std::size_t j = 0; j < slopes.size(); ++j) d[j] += bar[i] * slopes[j];
    }
  return solved();
}

}  // namespace invar
