// A wrapper of an equation, for tests only: the functions that a wrapper must implement.
#include <gtest/gtest.h>

#include "libadjoint/static_case.hpp"
#include "tests/unit/adjoint/path_toys.hpp"
#include "tests/unit/adjoint/time_cases.hpp"
#include "tests/unit/adjoint/time_models.hpp"

namespace invar::wrappers {
namespace {

using namespace toy;

/// r(u; d + e_k κ y(u)): a scalar control is changed in proportion to a scalar observable, as by a controller. The gain κ is the
/// last control. Dense matrices only.
class Feedback final : public Residual, public Evolution {
 public:
  Feedback(std::shared_ptr<ToyBase> inner, std::shared_ptr<Observable> sensor, int control)
      : inner_(std::move(inner)), sensor_(std::move(sensor)), control_(control) {}
  MPI_Comm comm() const override { return inner_->comm(); }
  VecHandle create_vector() const override { return inner_->create_vector(); }
  const std::vector<ControlInfo>& controls() const override { return inner_->controls(); }
  const Controls& control_values() const override { return inner_->control_values(); }
  const RowSet& constrained_rows() const override { return inner_->constrained_rows(); }
  void impose_constraints(const Setting& given, Vec u) override { inner_->impose_constraints(given, u); }
  bool residual(const EvaluationPoint& u, Vec r) override { return inner_->residual(driven(u), r); }
  using Residual::jacobian;
  void jacobian(const EvaluationPoint& u, const PerLevel<double>& weights) override {  // K + (∂r/∂d_k) κ y_uᵀ
    const EvaluationPoint at = driven(u);
    inner_->jacobian(at, weights);
    VecHandle column = create_vector(), row = create_vector();
    const Controls unit = along(u, 1.0);
    inner_->jvp(at, {}, &unit, column);
    for (const Level l : all_levels) {
      if (weights[l] == 0 || !u.levels[l]) continue;
      VecHandle part = create_vector();
      State bar;
      bar.levels[l] = part;
      const double one = 1;
      sensor_->vjp(u, &one, bar, nullptr);
      check(VecAXPY(row, weights[l] * gain(u), part));
    }
    const Column<double> c = inner_->gathered(column), r = inner_->gathered(row);
    const Mat K = inner_->matrix();
    const auto fixed = [&](int i) { return is_fixed(i); };
    for (int i = inner_->first(); i < inner_->last(); ++i)
      for (int j = 0; j < inner_->unknowns(); ++j)
        if (!fixed(i) && !fixed(j)) check(MatSetValue(K, i, j, c[i] * r[j], ADD_VALUES));
    check(MatAssemblyBegin(K, MAT_FINAL_ASSEMBLY));
    check(MatAssemblyEnd(K, MAT_FINAL_ASSEMBLY));
  }
  Mat matrix() const override { return inner_->matrix(); }
  bool symmetric() const override { return false; }
  void jvp(const EvaluationPoint& u, const State& u_dot, const Controls* d_dot, Vec r_dot) override {
    double y = 0, y_dot = 0;
    sensor_->evaluate(u, &y);
    sensor_->jvp(u, u_dot, d_dot, &y_dot);
    Controls moved = d_dot ? *d_dot : Controls(controls().size());
    if (moved[control_].empty()) moved[control_] = {0.0};
    moved[control_][0] += gain(u) * y_dot + (d_dot && !d_dot->back().empty() ? d_dot->back()[0] * y : 0.0);
    inner_->jvp(driven(u), u_dot, &moved, r_dot);
  }
  void vjp(const EvaluationPoint& u, Vec lambda, const State& u_bar, Controls* d_bar) override {
    Controls bar = d_bar ? zeros_of(*d_bar) : Controls(controls().size());
    bar[control_].assign(1, 0.0);
    inner_->vjp(driven(u), lambda, u_bar, &bar);
    double y = 0, share = bar[control_][0];
    sensor_->evaluate(u, &y);
    MPI_Allreduce(MPI_IN_PLACE, &share, 1, MPI_DOUBLE, MPI_SUM, comm());
    const double y_bar = gain(u) * share;
    if (d_bar) {
      for (std::size_t k = 0; k < bar.size(); ++k)
        for (std::size_t i = 0; i < (*d_bar)[k].size(); ++i) (*d_bar)[k][i] += bar[k][i];
      if (!d_bar->back().empty()) d_bar->back()[0] += bar[control_][0] * y;
    }
    sensor_->vjp(u, &y_bar, u_bar, d_bar);
  }
  void vjp_tangent(const EvaluationPoint&, Vec, const State&, Vec, const Controls*, const State&, Controls*) override {}
  Capabilities capabilities() override { return {.evolution = this}; }
  std::vector<char> algebraic_unknowns() const override { return inner_->algebraic_unknowns(); }
  SolveReport initial(Level l, const Setting& given, Vec u) override { return inner_->initial(l, given, u); }
  SolveReport initial_jvp(Level l, const Setting& given, const Controls& d_dot, Vec u_dot) override { return inner_->initial_jvp(l, given, d_dot, u_dot); }
  SolveReport initial_vjp(Level l, const Setting& given, Vec u_bar, Controls& d_bar) override { return inner_->initial_vjp(l, given, u_bar, d_bar); }

 private:
  double gain(const EvaluationPoint& u) const { return u.controls().back()[0]; }
  EvaluationPoint driven(const EvaluationPoint& u) {
    double y = 0;
    sensor_->evaluate(u, &y);
    auto d = std::make_shared<Controls>(u.controls());
    (*d)[control_][0] += gain(u) * y;
    EvaluationPoint at = u;
    at.given.controls = std::move(d);
    return at;
  }
  Controls along(const EvaluationPoint&, double step) const {
    Controls d(controls().size());
    d[control_] = {step};
    return d;
  }
  static Controls zeros_of(const Controls& d) {
    Controls z(d.size());
    for (std::size_t k = 0; k < d.size(); ++k) z[k].assign(d[k].size(), 0.0);
    return z;
  }
  bool is_fixed(int i) const {
    return std::find(fixed_.begin(), fixed_.end(), i) != fixed_.end();
  }
  std::shared_ptr<ToyBase> inner_;
  std::shared_ptr<Observable> sensor_;
  int control_;

 public:
  std::vector<int> fixed_;  // global constrained unknowns
};

/// Two masses on springs, the first moved; the second is pushed by a force f. Controls: m, k, a, f, gain.
struct Pair : PlainModel {
  Pair() { n = 3, constrained = {0}; }
  template <class T>
  Column<T> residual(const Levels<T>& y, const Column<T>& d, double) const {
    const auto& [u, v, a, predicted] = y;
    const T e = u[1] - u[0], g = u[2] - u[1];
    return {u[0], d[0] * a[1] + d[1] * e + e * e * e - d[1] * g + 0.1 * v[1], d[0] * a[2] + d[1] * g - d[3] + 0.2 * v[2]};
  }
  template <class T>
  T constraint(int, const Column<T>& d, double t) const { return d[2] * std::sin(1.3 * t); }
};
/// The same with f + gain (u₂ + ½ u̇₂² − 0.3 u₁) in the place of f.
struct Driven : Pair {
  template <class T>
  Column<T> residual(const Levels<T>& y, const Column<T>& d, double t) const {
    Column<T> moved = d;
    moved[3] = d[3] + d[4] * (y[0][2] + 0.5 * y[1][2] * y[1][2] - 0.3 * y[0][1]);
    return Pair::residual(y, moved, t);
  }
};
struct Sensor {
  template <class T>
  Column<T> operator()(const Levels<T>& y, const Column<T>&, double) const { return {y[0][2] + 0.5 * y[1][2] * y[1][2] - 0.3 * y[0][1]}; }
};
struct Goal {
  template <class T>
  Column<T> operator()(const Levels<T>& y, const Column<T>& d, double) const { return {y[0][1] * y[0][2] + d[4] * y[1][1]}; }
};

TEST(Wrapper, FeedbackIsTheEquationWithTheLawWrittenIn) {
  const std::vector<ControlInfo> infos{control("m"), control("k"), control("a"), control("f"), control("gain")};
  const Controls values{{0.7}, {2.0}, {0.3}, {0.4}, {-0.6}};
  for (const SchemeCase& s : schemes(2)) {
    if (s.scheme().needs_start()) continue;  // the start of these is another equation, with the same wrapper
    SCOPED_TRACE(s.name);
    const auto plain = std::make_shared<Toy<Pair>>(Pair(), infos, values);
    const auto by_hand = std::make_shared<Toy<Driven>>(Driven(), infos, values);
    const auto wrapped = std::make_shared<Feedback>(plain, observe(plain, 1, Sensor{}), 3);
    wrapped->fixed_ = {0};
    const std::vector<double> times = uniform(1.5, 8);
    auto a = march(wrapped, s.scheme(), times), b = march(by_hand, s.scheme(), times);
    a->terms() = {{.name = "goal", .observable = observe(plain, 1, Goal{}), .steps = {3, 8}, .weight = 1.3}};
    b->terms() = {{.name = "goal", .observable = observe(by_hand, 1, Goal{}), .steps = {3, 8}, .weight = 1.3}};
    const ProcessReport ran = a->run(values);
    ASSERT_TRUE(ran.ok) << ran.reason;
    ASSERT_TRUE(b->run(values).ok);
    EXPECT_NEAR(a->value(), b->value(), 1e-11 * std::abs(b->value()));
    Controls g(5, {0.0}), g_by_hand = g;
    ASSERT_TRUE(a->gradient(g).converged && b->gradient(g_by_hand).converged);
    double largest = 0;
    for (std::size_t k = 0; k < 5; ++k) {
      MPI_Allreduce(MPI_IN_PLACE, &g[k][0], 1, MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD);
      MPI_Allreduce(MPI_IN_PLACE, &g_by_hand[k][0], 1, MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD);
      largest = std::max(largest, std::abs(g_by_hand[k][0]));
    }
    for (std::size_t k = 0; k < 5; ++k) EXPECT_NEAR(g[k][0], g_by_hand[k][0], 1e-10 * largest) << "control " << k;
    double slope = 0, along = 0;
    const Controls direction{{0.3}, {-0.2}, {0.5}, {0.7}, {0.4}};
    ASSERT_TRUE(a->quantity_tangent(a->terms()[0], direction, slope).converged);
    for (std::size_t k = 0; k < 5; ++k) along += g[k][0] * direction[k][0];
    EXPECT_NEAR(slope, along, 1e-11 * std::abs(along));
  }
}

}  // namespace
}  // namespace invar::wrappers
