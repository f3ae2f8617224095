// Second derivatives of processes: symmetry, and differences of gradients.
#include <gtest/gtest.h>

#include "libadjoint/static_case.hpp"
#include "libadjoint/time/equilibrium_start.hpp"
#include "tests/unit/adjoint/time_models.hpp"
#include "tests/unit/adjoint/time_objective.hpp"
#include "tests/unit/adjoint/time_storage.hpp"

namespace invar::toy {
namespace {

using Kind = TimeScheme::Kind;

Column<double> hessian_of(Case& test, const ToyBase& toy, const Controls& v) {
  Controls d_bar_dot = zeros(toy.control_values());
  const SolveReport report = test.hessian_action(v, d_bar_dot);
  EXPECT_TRUE(report.converged) << report.reason;
  return gathered(toy, d_bar_dot);
}

/// By differences with steps h and h/2, extrapolated to order four.
Column<double> difference_of_gradients(Case& test, const ToyBase& toy, const Controls& v, double h) {
  const Controls d = toy.control_values();
  Column<double> sum(toy.flat(d).size(), 0.0);
  for (const auto& [step, factor] : {std::pair{h, -1.0 / 3}, std::pair{h / 2, 4.0 / 3}})
    for (const double side : {1.0, -1.0}) {
      EXPECT_TRUE(test.run(moved(d, side * step, v)).ok);
      const Column<double> g = gradient_of(test, toy);
      for (std::size_t k = 0; k < g.size(); ++k) sum[k] += side * factor / (2 * step) * g[k];
    }
  return sum;
}

void expect_second_derivatives(Case& test, const ToyBase& toy, const std::string& name, double tolerance = 1e-11) {
  ASSERT_EQ(test.why_no_second_derivatives(), "");
  ASSERT_TRUE(test.run(toy.control_values()).ok) << name;
  const Controls v = direction(toy, 3), w = along(toy, gradient_of(test, toy));
  const Column<double> hv = hessian_of(test, toy, v), hw = hessian_of(test, toy, w);
  const auto size = [](const Column<double>& x) { return std::sqrt(dot(x, x)); };
  EXPECT_NEAR(dot(hv, toy.flat(w)), dot(hw, toy.flat(v)), tolerance * size(hv) * size(toy.flat(w))) << name;
  EXPECT_EQ(hessian_of(test, toy, v), hv) << name;
  if (!serial()) return;
  const Column<double> expected = difference_of_gradients(test, toy, v, 2e-3);
  for (std::size_t k = 0; k < hv.size(); ++k) EXPECT_NEAR(hv[k], expected[k], 2e-7 * size(expected)) << name << ", control " << k;
}

template <class Model>
void test_hessian(const std::shared_ptr<Toy<Model>>& toy, const SchemeCase& s, int steps, double h, MarchOptions options = tight(), double tolerance = 1e-11) {
  const auto times = uneven(steps, h);
  const Objective objective(toy, steps, times);
  auto test = march(toy, s.scheme(), times, std::move(options));
  objective.give(*test);
  expect_second_derivatives(*test, *toy, s.name, tolerance);
}

TEST(TransientHessian, OfFirstOrderIsExact) {
  for (const SchemeCase& s : schemes(1)) test_hessian(Reactor::make(), s, 12, 0.06);
}
TEST(TransientHessian, OfSecondOrderIsExact) {
  for (const SchemeCase& s : schemes(2)) test_hessian(Chain::make(), s, 12, 0.08);
}
TEST(TransientHessian, OfLinearisedSchemesIsExact) {
  for (const SchemeCase& s : schemes(1)) test_hessian(Reactor::make(true), s, 8, 0.06);
  for (const SchemeCase& s : schemes(2)) test_hessian(Chain::make(true), s, 8, 0.08);
}
TEST(TransientHessian, WithAMultiplierIsExact) {
  for (const SchemeCase& s : schemes(1)) test_hessian(Multiplier::make(1), s, 9, 0.05, tight(), 1e-10);
  for (const SchemeCase& s : implicit_schemes(2))
    if (!s.scheme().needs_start() && s.kind != Kind::midpoint) test_hessian(Multiplier::make(2), s, 9, 0.05, tight(), 1e-9);
}

// Whatever is kept: all states and rates, three of both, or all states and few rates; with blocks of steps that share a factorisation.
TEST(TransientHessian, DoesNotDependOnWhatIsKept) {
  for (const Kind kind : {Kind::newmark, Kind::bdf2, Kind::sdirk2}) {
    const auto toy = Chain::make();
    const auto times = uneven(14, 0.07);
    const Objective objective(toy, 14, times);
    const Controls v = direction(*toy, 3);
    Column<double> first;
    for (const int interval : {1, 4})
      for (const int slots : {0, 6, 14 * SchemeCase{"", kind, 2}.scheme().stages() + 6}) {
        SCOPED_TRACE(testing::Message() << TimeScheme::names()[static_cast<int>(kind)] << ", " << interval << " steps a factorisation, " << slots << " slots");
        MarchOptions options = tight();
        options.factor_interval = interval;
        const TimeScheme scheme = SchemeCase{"", kind, 2}.scheme();
        if (slots > 0) options.storage = room(*toy, scheme, slots);
        auto test = march(toy, scheme, times, options);
        objective.give(*test);
        ASSERT_TRUE(test->run(toy->control_values()).ok);
        EXPECT_EQ(test->march_report().keeps_all, slots != 6);
        const Column<double> g = gradient_of(*test, *toy), hv = hessian_of(*test, *toy, v);
        const Column<double> again = gradient_of(*test, *toy);
        for (std::size_t k = 0; k < g.size(); ++k) EXPECT_NEAR(again[k], g[k], 1e-12 * std::sqrt(dot(g, g)));
        if (first.empty()) first = hv;
        for (std::size_t k = 0; k < hv.size(); ++k) EXPECT_NEAR(hv[k], first[k], 1e-10 * std::sqrt(dot(first, first))) << k;
      }
  }
}

/// A mass on a stiffening spring that begins in equilibrium with a force which then ends. Controls: m, k, f.
struct Released : PlainModel {
  Released() { n = 2, constrained = {0}; }
  template <class T>
  Column<T> residual(const Levels<T>& y, const Column<T>& d, double t) const {
    const T e = y[0][1] - y[0][0], pull = t <= 1e-9 ? d[2] : T(0);
    return {y[0][0], d[0] * y[2][1] + d[1] * e + 2.0 * e * e * e - pull};
  }
  template <class T>
  T constraint(int, const Column<T>& d, double) const { return 0.1 * d[2] * d[2]; }
};
struct Place {
  template <class T>
  Column<T> operator()(const Levels<T>& y, const Column<T>& d, double) const { return {y[0][1] * y[0][1] + d[1] * y[1][1]}; }
};

TEST(TransientHessian, FromAnEquilibriumIsExact) {
  for (const Kind kind : {Kind::newmark, Kind::midpoint, Kind::backward_euler}) {
    const auto toy = std::make_shared<Toy<Released>>(Released(), std::vector<ControlInfo>{control("m"), control("k"), control("f")}, Controls{{0.7}, {2.0}, {0.9}});
    const auto solver = tight_solver();
    MarchOptions options = tight();
    options.start = std::make_shared<EquilibriumStart>(toy, solver, 0.0, options.newton);
    TransientCase test("release", toy, solver, SchemeCase{"", kind, 2}.scheme(), uniform(1, 10), options);
    test.terms() = {{.name = "place", .observable = observe(toy, 1, Place{}), .steps = {0, 6, 10}, .weight = 1.3}};
    expect_second_derivatives(test, *toy, TimeScheme::names()[static_cast<int>(kind)]);
  }
}

/// Two stiffening springs behind each other, pulled by f t; a wall moves by 0.1 f² t. Controls: k, f.
struct Hung : PlainModel {
  Hung() { n = 3, constrained = {0}; }
  template <class T>
  Column<T> residual(const Levels<T>& y, const Column<T>& d, double t) const {
    const T e = y[0][1] - y[0][0], g = y[0][2] - y[0][1], first = d[0] * e + 2.0 * e * e * e, second = 0.5 * d[0] * g + g * g * g;
    return {y[0][0], first - second, second - t * d[1]};
  }
  template <class T>
  T constraint(int, const Column<T>& d, double t) const { return 0.1 * d[1] * d[1] * t; }
};
struct Stretch {
  template <class T>
  Column<T> operator()(const Levels<T>& y, const Column<T>& d, double) const { return {y[0][2] * y[0][1] + 0.1 * d[0] * y[0][2]}; }
};

// Extrema and r.m.s. values over load steps, in which all steps of a process at rest have a part.
TEST(StaticHessian, OfTermsThatCoupleStepsIsExact) {
  const auto toy = std::make_shared<Toy<Hung>>(Hung(), std::vector<ControlInfo>{control("k"), control("f")}, Controls{{2.0}, {0.9}});
  LoadSteppingOptions options;
  options.newton = tight().newton;
  StaticCase test("hung", toy, tight_solver(), {0.3, 0.7, 1.0, 0.5}, 0, options);
  const auto stretch = observe(toy, 1, Stretch{});
  test.terms() = {{.name = "largest", .observable = stretch, .steps = {0, 1, 2, 3}, .weight = 0.8, .step_weights = {1, 2, 1, 0.5}, .sharpness = 6},
                  {.name = "spread", .observable = stretch, .steps = {0, 2, 3}, .weight = 1.7, .rms = true},
                  {.name = "last", .observable = stretch, .steps = {3}, .weight = 0.3}};
  expect_second_derivatives(test, *toy, "hung");
}

TEST(TransientHessian, OfAShortenedSweepDoesNotExist) {
  const auto toy = Reactor::make();
  const auto times = uneven(5, 0.05);
  auto test = march(toy, SchemeCase{"", Kind::bdf2, 1}.scheme(), times);
  Objective(toy, 5, times).give(*test);
  test->set_horizon(3);
  EXPECT_NE(test->why_no_second_derivatives().find("last part"), std::string::npos);
  Controls out = zeros(toy->control_values());
  ASSERT_TRUE(test->run(toy->control_values()).ok);
  EXPECT_FALSE(test->hessian_action(direction(*toy, 1), out).converged);
}

}  // namespace
}  // namespace invar::toy
