#pragma once
#include <array>
#include <functional>
#include <memory>
#include <numeric>
#include <vector>

#include "libadjoint/maps/time_basis.hpp"
#include "libadjoint/observable.hpp"
#include "libadjoint/residual.hpp"
#include "tests/unit/adjoint/toy_duals.hpp"

namespace invar::toy {

/// Input of an equation: value, rate, acceleration, prediction, each [unknowns].
template <class T>
using Levels = std::array<Column<T>, level_count>;

/// The part of a toy that does not depend on its equation: n unknowns distributed over the ranks, which every rank gathers.
class ToyBase : public Residual, public Evolution {
 public:
  ToyBase(int n, std::vector<ControlInfo> infos, Controls values) : n_(n), infos_(std::move(infos)), values_(std::move(values)) {
    check(MatCreateAIJ(PETSC_COMM_WORLD, PETSC_DECIDE, PETSC_DECIDE, n, n, n, nullptr, n, nullptr, matrix_.out()));
    VecHandle v;
    check(MatCreateVecs(matrix_, v.out(), nullptr));
    check(VecScatterCreateToAll(v, to_all_.out(), all_.out()));
    PetscInt first, last;
    check(MatGetOwnershipRange(matrix_, &first, &last));
    first_ = static_cast<int>(first);
    last_ = static_cast<int>(last);
    for (int i = 0; i < n; ++i)
      for (int j = first_; j < last_; ++j) check(MatSetValue(matrix_, j, i, j == i, INSERT_VALUES));
    assemble();
  }
  MPI_Comm comm() const override { return PETSC_COMM_WORLD; }
  VecHandle create_vector() const override {
    VecHandle v;
    check(MatCreateVecs(matrix_, v.out(), nullptr));
    return v;
  }
  const std::vector<ControlInfo>& controls() const override { return infos_; }
  const Controls& control_values() const override { return values_; }
  Capabilities capabilities() override { return {.evolution = this}; }
  using Evolution::algebraic_unknowns;
  SolveReport initial(Level, const Setting&, Vec u) override { return check(VecSet(u, 0.0)), solved(); }
  SolveReport initial_jvp(Level, const Setting&, const Controls&, Vec u_dot) override { return check(VecSet(u_dot, 0.0)), solved(); }
  SolveReport initial_vjp(Level, const Setting&, Vec, Controls&) override { return solved(); }
  Mat matrix() const override { return matrix_; }
  void vjp_tangent(const EvaluationPoint&, Vec, const State&, Vec, const Controls*, const State&, Controls*) override {}

  int unknowns() const { return n_; }
  int first() const { return first_; }
  int last() const { return last_; }
  /// All entries of a vector on every rank; zeros for nullptr.
  Column<double> gathered(Vec v) const {
    Column<double> x(n_, 0.0);
    if (!v) return x;
    check(VecScatterBegin(to_all_, v, all_, INSERT_VALUES, SCATTER_FORWARD));
    check(VecScatterEnd(to_all_, v, all_, INSERT_VALUES, SCATTER_FORWARD));
    const double* a = nullptr;
    check(VecGetArrayRead(all_, &a));
    std::copy(a, a + n_, x.begin());
    check(VecRestoreArrayRead(all_, &a));
    return x;
  }
  Levels<double> levels(const State& u) const {
    Levels<double> y;
    for (int l = 0; l < level_count; ++l) y[l] = gathered(u.levels.entries[l]);
    return y;
  }
  /// Controls one after the other; fields have one entry per unknown, gathered from their owners.
  Column<double> flat(const Controls& d) const {
    Column<double> out;
    for (std::size_t k = 0; k < infos_.size(); ++k) {
      Column<double> part = infos_[k].shared() ? Column<double>(values_[k].size(), 0.0) : Column<double>(n_, 0.0);
      if (!d[k].empty()) std::copy(d[k].begin(), d[k].end(), part.begin() + (infos_[k].shared() ? 0 : first_));
      if (!infos_[k].shared())
        MPI_Allreduce(MPI_IN_PLACE, part.data(), n_, MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD);
      out.insert(out.end(), part.begin(), part.end());
    }
    return out;
  }
  /// d_bar += this rank's share: of shared controls what it computed, of fields its own entries.
  void add_flat(const Column<double>& flat, Controls& d_bar) const {
    std::size_t at = 0;
    for (std::size_t k = 0; k < infos_.size(); ++k) {
      const std::size_t size = infos_[k].shared() ? values_[k].size() : n_, shift = infos_[k].shared() ? 0 : first_;
      for (std::size_t i = 0; i < d_bar[k].size(); ++i) d_bar[k][i] += flat[at + shift + i];
      at += size;
    }
  }
  /// target += own part of x
  void add_own(const Column<double>& x, Vec target) const {
    double* a = nullptr;
    check(VecGetArray(target, &a));
    for (int i = first_; i < last_; ++i) a[i - first_] += x[i];
    check(VecRestoreArray(target, &a));
  }
  void set_own(const Column<double>& x, Vec target) const {
    check(VecSet(target, 0.0));
    add_own(x, target);
  }

 protected:
  void assemble() {
    check(MatAssemblyBegin(matrix_, MAT_FINAL_ASSEMBLY));
    check(MatAssemblyEnd(matrix_, MAT_FINAL_ASSEMBLY));
  }
  int n_, first_ = 0, last_ = 0;
  std::vector<ControlInfo> infos_;
  Controls values_;
  MatHandle matrix_;
  VecHandle all_;
  ScatterHandle to_all_;
};

/// A residual made of a model:
///   residual(y, d, t) → r [n];  constraint(i, d, t) → g_i;  initial(level, d) → [n];
///   n, constrained (global unknowns), algebraic (global flags, or none), admissible(y, t)
/// whose functions are templates in the number type; derivatives are taken with dual numbers.
template <class Model>
class Toy final : public ToyBase {
 public:
  Toy(Model model, std::vector<ControlInfo> infos, Controls values)
      : ToyBase(model.n, std::move(infos), std::move(values)), model_(std::move(model)) {
    std::vector<int> rows;
    for (int i : model_.constrained)
      if (i >= first_ && i < last_) rows.push_back(i - first_);
    rows_ = RowSet(std::move(rows));
  }
  const Model& model() const { return model_; }
  const RowSet& constrained_rows() const override { return rows_; }
  void impose_constraints(const Setting& given, Vec u) override {
    const Column<double> d = flat(*given.controls);
    double* a = nullptr;
    check(VecGetArray(u, &a));
    for (int row : rows_) a[row] = model_.constraint(first_ + row, d, given.constraint_time);
    check(VecRestoreArray(u, &a));
  }
  bool residual(const EvaluationPoint& u, Vec r) override {
    const Levels<double> y = levels(u);
    const Column<double> x = gathered(u.unknown), d = flat(u.controls());
    if (!model_.admissible(y, u.given.time)) return false;
    set_own(equation<double>(u.given, y, x, d), r);
    return true;
  }
  using Residual::jacobian;
  void jacobian(const EvaluationPoint& u, const PerLevel<double>& weights) override {
    const Levels<double> y = levels(u), zero = levels(State());
    const Column<double> d = flat(u.controls()), still(d.size(), 0.0);
    for (int j = 0; j < n_; ++j) {
      Levels<double> dy = zero;
      for (int l = 0; l < level_count; ++l) dy[l][j] = weights.entries[l];
      const Column<double> column = derivative(u.given, y, dy, Column<double>(n_, 0.0), Column<double>(n_, 0.0), d, still);
      for (int i = first_; i < last_; ++i)
        check(MatSetValue(matrix_, i, j, is_constrained(i) || is_constrained(j) ? double(i == j) : column[i], INSERT_VALUES));
    }
    assemble();
  }
  bool symmetric() const override { return false; }
  std::vector<char> algebraic_unknowns() const override {
    if (model_.algebraic.empty()) return {};
    return {model_.algebraic.begin() + first_, model_.algebraic.begin() + last_};
  }
  SolveReport initial(Level level, const Setting& given, Vec u) override {
    set_own(model_.template initial<double>(level, flat(*given.controls)), u);
    return solved();
  }
  SolveReport initial_jvp(Level level, const Setting& given, const Controls& d_dot, Vec u_dot) override {
    Column<double> out(n_);
    const auto u = model_.template initial<Dual<double>>(level, dual(flat(*given.controls), flat(d_dot)));
    for (int i = 0; i < n_; ++i) out[i] = u[i].e;
    set_own(out, u_dot);
    return solved();
  }
  SolveReport initial_vjp(Level level, const Setting& given, Vec u_bar, Controls& d_bar) override {
    const Column<double> d = flat(*given.controls), bar = gathered(u_bar);
    Column<double> out(d.size(), 0.0);
    for (std::size_t k = 0; k < d.size(); ++k) {
      Column<double> seed(d.size(), 0.0);
      seed[k] = 1;
      const auto u = model_.template initial<Dual<double>>(level, dual(d, seed));
      for (int i = first_; i < last_; ++i) out[k] += bar[i] * u[i].e;
    }
    add_flat(out, d_bar);
    return solved();
  }
  void jvp(const EvaluationPoint& u, const State& u_dot, const Controls* d_dot, Vec r_dot) override {
    const Column<double> d = flat(u.controls());
    set_own(derivative(u.given, levels(u), levels(u_dot), gathered(u.unknown), gathered(u_dot.unknown), d,
                       d_dot ? flat(*d_dot) : Column<double>(d.size(), 0.0)), r_dot);
  }
  void vjp(const EvaluationPoint& u, Vec lambda, const State& u_bar, Controls* d_bar) override {
    const Levels<double> y = levels(u), zero = levels(State());
    const Column<double> x = gathered(u.unknown), l = gathered(lambda), d = flat(u.controls()), none(n_, 0.0), still(d.size(), 0.0);
    const auto dot = [&](const Column<double>& r, int from, int to) {
      return std::inner_product(r.begin() + from, r.begin() + to, l.begin() + from, 0.0);
    };
    for (int k = 0; k <= level_count; ++k) {
      const Vec target = k < level_count ? u_bar.levels.entries[k] : u_bar.unknown;
      int wanted = target != nullptr;
      if (!wanted) continue;
      Column<double> bar(n_);
      for (int j = 0; j < n_; ++j) {
        Levels<double> dy = zero;
        Column<double> dx = none;
        (k < level_count ? dy[k] : dx)[j] = 1;
        bar[j] = dot(derivative(u.given, y, dy, x, dx, d, still), 0, n_);
      }
      add_own(bar, target);
    }
    if (!d_bar) return;
    Column<double> bar(d.size());
    for (std::size_t k = 0; k < d.size(); ++k) {
      Column<double> seed = still;
      seed[k] = 1;
      bar[k] = dot(derivative(u.given, y, zero, x, none, d, seed), first_, last_);
    }
    add_flat(bar, *d_bar);
  }
  /// By duals of duals.
  void vjp_tangent(const EvaluationPoint& u, Vec lambda, const State& u_dot, Vec lambda_dot, const Controls* d_dot, const State& u_bar_dot,
                   Controls* d_bar_dot) override {
    const Levels<double> y = levels(u), y_dot = levels(u_dot), zero = levels(State());
    const Column<double> x = gathered(u.unknown), x_dot = gathered(u_dot.unknown), l = gathered(lambda), l_dot = gathered(lambda_dot),
                         d = flat(u.controls()), still(d.size(), 0.0), moving = d_dot ? flat(*d_dot) : still, none(n_, 0.0);
    const auto rate = [&](const Levels<double>& dy, const Column<double>& dx, const Column<double>& dd, int from, int to) {
      Levels<Dual<Dual<double>>> both;
      for (int k = 0; k < level_count; ++k) both[k] = nested(y[k], y_dot[k], dy[k]);
      const auto r = equation<Dual<Dual<double>>>(u.given, both, nested(x, x_dot, dx), nested(d, moving, dd));
      double sum = 0;
      for (int i = from; i < to; ++i) sum += l[i] * r[i].e.e + l_dot[i] * r[i].e.v;
      return sum;
    };
    for (int k = 0; k <= level_count; ++k) {
      const Vec target = k < level_count ? u_bar_dot.levels.entries[k] : u_bar_dot.unknown;
      if (!target) continue;
      Column<double> bar(n_);
      for (int j = 0; j < n_; ++j) {
        Levels<double> dy = zero;
        Column<double> dx = none;
        (k < level_count ? dy[k] : dx)[j] = 1;
        bar[j] = rate(dy, dx, still, 0, n_);
      }
      add_own(bar, target);
    }
    if (!d_bar_dot) return;
    Column<double> bar(d.size());
    for (std::size_t k = 0; k < d.size(); ++k) {
      Column<double> seed = still;
      seed[k] = 1;
      bar[k] = rate(zero, none, seed, first_, last_);
    }
    add_flat(bar, *d_bar_dot);
  }
  SolveReport initial_vjp_tangent(Level level, const Setting& given, Vec u_bar, const Controls& d_dot, Vec u_bar_dot, Controls& d_bar_dot) override {
    const Column<double> d = flat(*given.controls), moving = flat(d_dot), bar = gathered(u_bar), bar_dot = gathered(u_bar_dot);
    Column<double> out(d.size(), 0.0);
    for (std::size_t k = 0; k < d.size(); ++k) {
      Column<double> seed(d.size(), 0.0);
      seed[k] = 1;
      const auto u = model_.template initial<Dual<Dual<double>>>(level, nested(d, moving, seed));
      for (int i = first_; i < last_; ++i) out[k] += bar[i] * u[i].e.e + bar_dot[i] * u[i].e.v;
    }
    add_flat(out, d_bar_dot);
    return solved();
  }

 private:
  static Column<Dual<double>> dual(const Column<double>& x, const Column<double>& x_dot) {
    Column<Dual<double>> out(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) out[i] = {x[i], x_dot[i]};
    return out;
  }
  bool is_constrained(int i) const {
    return std::find(model_.constrained.begin(), model_.constrained.end(), i) != model_.constrained.end();
  }
  template <class T>
  Column<T> equation(const Setting& given, const Levels<T>& y, const Column<T>& x, const Column<T>& d) const {
    Column<T> r = model_.residual(y, d, given.time);
    for (int i : model_.constrained) r[i] = x[i] - model_.constraint(i, d, given.constraint_time);
    return r;
  }
  Column<double> derivative(const Setting& given, const Levels<double>& y, const Levels<double>& y_dot, const Column<double>& x,
                            const Column<double>& x_dot, const Column<double>& d, const Column<double>& d_dot) const {
    Levels<Dual<double>> both;
    for (int l = 0; l < level_count; ++l) both[l] = dual(y[l], y_dot[l]);
    const auto r = equation<Dual<double>>(given, both, dual(x, x_dot), dual(d, d_dot));
    Column<double> out(n_);
    for (int i = 0; i < n_; ++i) out[i] = r[i].e;
    return out;
  }

  Model model_;
  RowSet rows_;
};

/// y = q(levels, d, t), [size], of a function that is a template in the number type.
template <class Quantity>
class ToyObservable final : public Observable {
 public:
  ToyObservable(std::shared_ptr<ToyBase> toy, Quantity q, int size) : toy_(std::move(toy)), q_(std::move(q)), size_(size) {}
  int size() const override { return size_; }
  void evaluate(const EvaluationPoint& u, double* y) override {
    const auto values = q_(toy_->levels(u), toy_->flat(u.controls()), u.given.time);
    std::copy(values.begin(), values.end(), y);
  }
  void jvp(const EvaluationPoint& u, const State& u_dot, const Controls* d_dot, double* y_dot) override {
    const Column<double> d = toy_->flat(u.controls());
    const auto y = derivative(u.given.time, toy_->levels(u), toy_->levels(u_dot), d, d_dot ? toy_->flat(*d_dot) : Column<double>(d.size(), 0.0));
    std::copy(y.begin(), y.end(), y_dot);
  }
  void vjp(const EvaluationPoint& u, const double* y_bar, const State& u_bar, Controls* d_bar) override {
    const Levels<double> y = toy_->levels(u), zero = toy_->levels(State());
    const Column<double> d = toy_->flat(u.controls()), still(d.size(), 0.0);
    for (int l = 0; l < level_count; ++l) {
      if (!u_bar.levels.entries[l]) continue;
      Column<double> bar(toy_->unknowns());
      for (int j = 0; j < toy_->unknowns(); ++j) {
        Levels<double> dy = zero;
        dy[l][j] = 1;
        bar[j] = weighted(derivative(u.given.time, y, dy, d, still), y_bar);
      }
      toy_->add_own(bar, u_bar.levels.entries[l]);
    }
    if (!d_bar || toy_->first() > 0) return;  // the first rank has the whole share
    Column<double> bar(d.size());
    for (std::size_t k = 0; k < d.size(); ++k) {
      Column<double> seed = still;
      seed[k] = 1;
      bar[k] = weighted(derivative(u.given.time, y, zero, d, seed), y_bar);
    }
    toy_->add_flat(bar, *d_bar);
  }
  void vjp_tangent(const EvaluationPoint& u, const double* y_bar, const double* y_bar_dot, const State& u_dot, const Controls* d_dot, const State& u_bar_dot,
                   Controls* d_bar_dot) override {
    const Levels<double> y = toy_->levels(u), y_dot = toy_->levels(u_dot), zero = toy_->levels(State());
    const Column<double> d = toy_->flat(u.controls()), still(d.size(), 0.0), moving = d_dot ? toy_->flat(*d_dot) : still;
    const auto rate = [&](const Levels<double>& dy, const Column<double>& dd) {
      Levels<Dual<Dual<double>>> both;
      for (int l = 0; l < level_count; ++l) both[l] = nested(y[l], y_dot[l], dy[l]);
      const auto values = q_(both, nested(d, moving, dd), u.given.time);
      double sum = 0;
      for (int i = 0; i < size_; ++i) sum += y_bar[i] * values[i].e.e + y_bar_dot[i] * values[i].e.v;
      return sum;
    };
    for (int l = 0; l < level_count; ++l) {
      if (!u_bar_dot.levels.entries[l]) continue;
      Column<double> bar(toy_->unknowns());
      for (int j = 0; j < toy_->unknowns(); ++j) {
        Levels<double> dy = zero;
        dy[l][j] = 1;
        bar[j] = rate(dy, still);
      }
      toy_->add_own(bar, u_bar_dot.levels.entries[l]);
    }
    if (!d_bar_dot || toy_->first() > 0) return;
    Column<double> bar(d.size());
    for (std::size_t k = 0; k < d.size(); ++k) {
      Column<double> seed = still;
      seed[k] = 1;
      bar[k] = rate(zero, seed);
    }
    toy_->add_flat(bar, *d_bar_dot);
  }

 private:
  double weighted(const Column<double>& y, const double* y_bar) const { return std::inner_product(y.begin(), y.end(), y_bar, 0.0); }
  Column<double> derivative(double t, const Levels<double>& y, const Levels<double>& dy, const Column<double>& d, const Column<double>& dd) const {
    Levels<Dual<double>> both;
    Column<Dual<double>> controls(d.size());
    for (int l = 0; l < level_count; ++l) {
      both[l].resize(y[l].size());
      for (std::size_t i = 0; i < y[l].size(); ++i) both[l][i] = {y[l][i], dy[l][i]};
    }
    for (std::size_t k = 0; k < d.size(); ++k) controls[k] = {d[k], dd[k]};
    const auto values = q_(both, controls, t);
    Column<double> out(size_);
    for (int i = 0; i < size_; ++i) out[i] = values[i].e;
    return out;
  }
  std::shared_ptr<ToyBase> toy_;
  Quantity q_;
  int size_;
};

template <class Quantity>
std::shared_ptr<Observable> observe(std::shared_ptr<ToyBase> toy, int size, Quantity q) {
  return std::make_shared<ToyObservable<Quantity>>(std::move(toy), std::move(q), size);
}

}  // namespace invar::toy
