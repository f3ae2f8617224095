#pragma once
#include <array>

#include "tests/unit/adjoint/time_toys.hpp"

namespace invar::toy {

/// A residual with derivatives of second order: `Law` has n unknowns and
///   residual(u [n], d [controls], t) → r [n] (t may be left out);  held(i, d) → value of unknown i where `constrained`
///   lists it.
template <class Law>
class SmoothToy : public ToyBase {
 public:
  SmoothToy(Law law, std::vector<ControlInfo> infos, Controls values)
      : ToyBase(Law::n, std::move(infos), std::move(values)), law_(law) {
    std::vector<int> rows;
    for (const int i : law_.constrained)
      if (i >= first_ && i < last_) rows.push_back(i - first_);
    rows_ = RowSet(std::move(rows));
  }
  const RowSet& constrained_rows() const override { return rows_; }
  void impose_constraints(const Setting& given, Vec u) override {
    const Column<double> d = flat(*given.controls);
    double* a = nullptr;
    check(VecGetArray(u, &a));
    for (const int row : rows_) a[row] = law_.held(first_ + row, d);
    check(VecRestoreArray(u, &a));
  }
  bool residual(const EvaluationPoint& u, Vec r) override {
    set_own(equation<double>(u.given, gathered(u), flat(u.controls())), r);
    return true;
  }
  using Residual::jacobian;
  void jacobian(const EvaluationPoint& u, const PerLevel<double>&) override {
    const Column<double> x = gathered(u), d = flat(u.controls());
    for (int j = 0; j < n_; ++j) {
      const Column<double> column = derivative(u.given, x, unit(n_, j), d, Column<double>(d.size(), 0.0));
      for (int i = first_; i < last_; ++i)
        check(MatSetValue(matrix_, i, j, is_constrained(i) || is_constrained(j) ? double(i == j) : column[i], INSERT_VALUES));
    }
    assemble();
  }
  bool symmetric() const override { return false; }
  void jvp(const EvaluationPoint& u, const State& u_dot, const Controls* d_dot, Vec r_dot) override {
    const Column<double> d = flat(u.controls());
    set_own(derivative(u.given, gathered(u), gathered(u_dot), d, d_dot ? flat(*d_dot) : Column<double>(d.size(), 0.0)), r_dot);
  }
  void vjp(const EvaluationPoint& u, Vec lambda, const State& u_bar, Controls* d_bar) override {
    const Column<double> x = gathered(u), l = gathered(lambda), d = flat(u.controls());
    Column<double> u_sum(n_), d_sum(d.size());
    for (int j = 0; j < n_; ++j) u_sum[j] = product(l, derivative(u.given, x, unit(n_, j), d, Column<double>(d.size(), 0.0)), 0, n_);
    for (std::size_t k = 0; k < d.size(); ++k)
      d_sum[k] = product(l, derivative(u.given, x, Column<double>(n_, 0.0), d, unit(static_cast<int>(d.size()), static_cast<int>(k))), first_, last_);
    add(u_sum, u_bar);
    if (d_bar) add_flat(d_sum, *d_bar);
  }
  void vjp_tangent(const EvaluationPoint& u, Vec lambda, const State& u_dot, Vec lambda_dot, const Controls* d_dot,
                   const State& u_bar_dot, Controls* d_bar_dot) override {
    using Second = Dual<Dual<double>>;
    const Column<double> x = gathered(u), l = gathered(lambda), l_dot = gathered(lambda_dot), x_dot = gathered(u_dot), d = flat(u.controls()),
                         e = d_dot ? flat(*d_dot) : Column<double>(d.size(), 0.0);
    const auto moved = [&](int unknown, int control, int from, int to) {  // of one entry of the vjp
      Column<Second> xx, dd;
      for (int i = 0; i < n_; ++i) xx.push_back({{x[i], x_dot[i]}, {double(i == unknown), 0.0}});
      for (std::size_t k = 0; k < d.size(); ++k) dd.push_back({{d[k], e[k]}, {double(int(k) == control), 0.0}});
      const Column<Second> r = equation<Second>(u.given, xx, dd);
      double sum = 0;
      for (int i = from; i < to; ++i) sum += l[i] * r[i].e.e + l_dot[i] * r[i].e.v;
      return sum;
    };
    Column<double> u_sum(n_), d_sum(d.size());
    for (int j = 0; j < n_; ++j) u_sum[j] = moved(j, -1, 0, n_);
    for (std::size_t k = 0; k < d.size(); ++k) d_sum[k] = moved(-1, static_cast<int>(k), first_, last_);
    add(u_sum, u_bar_dot);
    if (d_bar_dot) add_flat(d_sum, *d_bar_dot);
  }

 private:
  static Column<double> unit(int n, int i) {
    Column<double> e(n, 0.0);
    e[i] = 1;
    return e;
  }
  static double product(const Column<double>& a, const Column<double>& b, int from, int to) {
    return std::inner_product(a.begin() + from, a.begin() + to, b.begin() + from, 0.0);
  }
  void add(const Column<double>& sum, const State& target) const {
    if (target.levels[Level::value]) add_own(sum, target.levels[Level::value]);
    else if (target.unknown) add_own(sum, target.unknown);
  }
  bool is_constrained(int i) const {
    return std::find(law_.constrained.begin(), law_.constrained.end(), i) != law_.constrained.end();
  }
  template <class T>
  Column<T> equation(const Setting& given, const Column<T>& u, const Column<T>& d) const {
    Column<T> r;
    if constexpr (requires { law_.residual(u, d, given.time); }) r = law_.residual(u, d, given.time);
    else r = law_.residual(u, d);
    for (const int i : law_.constrained) r[i] = u[i] - law_.held(i, d);
    return r;
  }
  Column<double> derivative(const Setting& given, const Column<double>& x, const Column<double>& x_dot, const Column<double>& d,
                            const Column<double>& d_dot) const {
    Column<Dual<double>> xx, dd;
    for (std::size_t i = 0; i < x.size(); ++i) xx.push_back({x[i], x_dot[i]});
    for (std::size_t k = 0; k < d.size(); ++k) dd.push_back({d[k], d_dot[k]});
    const auto r = equation<Dual<double>>(given, xx, dd);
    Column<double> out;
    for (const auto& entry : r) out.push_back(entry.e);
    return out;
  }
  Law law_;
  RowSet rows_;
};

/// A von Mises truss, its apex held by a spring below which the load pulls: two shallow bars of half span a and rise h,
/// axial stiffness k (of bar energy ½ k e², e the Green strain times the length squared, (w² − 2 h w + v²)/2 + … of
/// each), apex moved down by w = u₀ and sideways by v = u₁; u₂ is the end of a spring s in line with the apex, where λ
/// f pulls:
///   e± = ½ ((a ± v)² + (h − w)² − a² − h²),  potential ½ k (e₊² + e₋²) + ½ s (u₂ − w)² − f u₂.
/// Controls: k, h, s, f; f is what the load factor multiplies. The spring makes the path of u₂ snap back where it is
/// soft.
struct Truss {
  static constexpr int n = 3;
  static constexpr double a = 1;
  std::vector<int> constrained{};
  template <class T>
  Column<T> residual(const Column<T>& u, const Column<T>& d) const {
    const T &k = d[0], &h = d[1], &s = d[2], &f = d[3];
    const T plus = 0.5 * ((a + u[1]) * (a + u[1]) + (h - u[0]) * (h - u[0]) - a * a - h * h),
            minus = 0.5 * ((a - u[1]) * (a - u[1]) + (h - u[0]) * (h - u[0]) - a * a - h * h);
    return {T(0.0) - k * (plus + minus) * (h - u[0]) - s * (u[2] - u[0]), k * (plus * (a + u[1]) - minus * (a - u[1])),
            s * (u[2] - u[0]) - f};
  }
  template <class T>
  // sideways; λ f in place of the end of the spring
  T held(int i, const Column<T>& d) const { return i == 1 ? 0.1 * d[1] * d[1] : d[3]; }
  /// The load that holds the apex at w in symmetry: 2 k (h − w)(h w − w²/2).
  static double load(double k, double h, double w) { return 2 * k * (h - w) * (h * w - 0.5 * w * w); }
};

/// y = Σ_i w_i u_i + ½ Σ_i q_i u_i² + Σ_k (c_k d_k + ½ u_0 d_k²·g_k): smooth in everything.
class SmoothObservable final : public Observable {
 public:
  SmoothObservable(const ToyBase& toy, Column<double> linear, Column<double> square, Column<double> mixed)
      : toy_(toy), linear_(std::move(linear)), square_(std::move(square)), mixed_(std::move(mixed)) {}
  int size() const override { return 1; }
  void evaluate(const EvaluationPoint& u, double* y) override { *y = value<double>(toy_.gathered(u), toy_.flat(u.controls())); }
  void jvp(const EvaluationPoint& u, const State& u_dot, const Controls* d_dot, double* y_dot) override {
    *y_dot = first(u, toy_.gathered(u), toy_.gathered(u_dot), d_dot ? toy_.flat(*d_dot) : Column<double>(toy_.flat(u.controls()).size(), 0.0));
  }
  void vjp(const EvaluationPoint& u, const double* y_bar, const State& u_bar, Controls* d_bar) override {
    const Column<double> x = toy_.gathered(u), d = toy_.flat(u.controls());
    Column<double> u_sum, d_sum;
    for (std::size_t j = 0; j < x.size(); ++j) u_sum.push_back(y_bar[0] * first(u, x, unit(x.size(), j), Column<double>(d.size(), 0.0)));
    for (std::size_t k = 0; k < d.size(); ++k) d_sum.push_back(y_bar[0] * first(u, x, Column<double>(x.size(), 0.0), unit(d.size(), k)));
    add(u_sum, d_sum, u_bar, d_bar);
  }
  void vjp_tangent(const EvaluationPoint& u, const double* y_bar, const double* y_bar_dot, const State& u_dot, const Controls* d_dot,
                   const State& u_bar_dot, Controls* d_bar_dot) override {
    using Second = Dual<Dual<double>>;
    const Column<double> x = toy_.gathered(u), d = toy_.flat(u.controls()), x_dot = toy_.gathered(u_dot),
                         e = d_dot ? toy_.flat(*d_dot) : Column<double>(d.size(), 0.0);
    const auto moved = [&](int unknown, int control) {
      Column<Second> xx, dd;
      for (std::size_t i = 0; i < x.size(); ++i) xx.push_back({{x[i], x_dot[i]}, {double(int(i) == unknown), 0.0}});
      for (std::size_t k = 0; k < d.size(); ++k) dd.push_back({{d[k], e[k]}, {double(int(k) == control), 0.0}});
      const Second y = value<Second>(xx, dd);
      return y_bar[0] * y.e.e + (y_bar_dot ? y_bar_dot[0] * y.e.v : 0.0);
    };
    Column<double> u_sum, d_sum;
    for (std::size_t j = 0; j < x.size(); ++j) u_sum.push_back(moved(static_cast<int>(j), -1));
    for (std::size_t k = 0; k < d.size(); ++k) d_sum.push_back(moved(-1, static_cast<int>(k)));
    add(u_sum, d_sum, u_bar_dot, d_bar_dot);
  }

 private:
  static Column<double> unit(std::size_t n, std::size_t i) {
    Column<double> e(n, 0.0);
    e[i] = 1;
    return e;
  }
  template <class T>
  T value(const Column<T>& u, const Column<T>& d) const {
    T y(0.0);
    for (std::size_t i = 0; i < u.size(); ++i) y = y + linear_[i] * u[i] + 0.5 * square_[i] * u[i] * u[i];
    for (std::size_t k = 0; k < d.size(); ++k) y = y + mixed_[k] * (d[k] + 0.5 * u[0] * d[k] * d[k]);
    return y;
  }
  double first(const EvaluationPoint& u, const Column<double>& x, const Column<double>& x_dot, const Column<double>& d_dot) const {
    const Column<double> d = toy_.flat(u.controls());
    Column<Dual<double>> xx, dd;
    for (std::size_t i = 0; i < x.size(); ++i) xx.push_back({x[i], x_dot[i]});
    for (std::size_t k = 0; k < d.size(); ++k) dd.push_back({d[k], d_dot[k]});
    return value<Dual<double>>(xx, dd).e;
  }
  void add(const Column<double>& u_sum, const Column<double>& d_sum, const State& u_bar, Controls* d_bar) const {
    if (u_bar.levels[Level::value]) toy_.add_own(u_sum, u_bar.levels[Level::value]);
    int rank = 0;
    MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
    if (d_bar && rank == 0) toy_.add_flat(d_sum, *d_bar);  // a share of a sum
  }
  const ToyBase& toy_;
  Column<double> linear_, square_, mixed_;
};

}  // namespace invar::toy
