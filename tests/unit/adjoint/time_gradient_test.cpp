#include <gtest/gtest.h>

#include "tests/unit/adjoint/time_objective.hpp"

namespace invar::toy {
namespace {

using Kind = TimeScheme::Kind;

/// Order of |J(d + h v) − J − h g·v|.
double taylor_order(TransientCase& test, const Controls& d, double slope, const Controls& v, double h) {
  const auto at = [&](double s) {
    EXPECT_TRUE(test.run(moved(d, s, v)).ok);
    return test.value();
  };
  const double j = at(0);
  return std::log2(std::abs(at(h) - j - h * slope) / std::abs(at(h / 2) - j - h / 2 * slope));
}

/// J and its gradient by the reference and the complex step.
template <class Model>
std::pair<double, Column<double>> reference(const Toy<Model>& toy, const SchemeCase& s, const Objective& objective,
                                            const std::vector<double>& times) {
  const Column<double> d = toy.flat(toy.control_values());
  std::vector<double> lengths;
  for (std::size_t k = 1; k < times.size(); ++k) lengths.push_back(times[k] - times[k - 1]);
  double value = 0;
  Column<double> g(d.size());
  for (std::size_t k = 0; k < d.size(); ++k) {
    Column<C> at(d.begin(), d.end());
    at[k] += C(0, 1e-30);
    const C j = objective.of(Reference<Model>(toy.model(), s.kind, s.order, s.rho, at).march(times[0], lengths), times, at);
    value = j.real();
    g[k] = j.imag() / 1e-30;
  }
  return {value, g};
}

template <class Model>
void test_gradient(const std::shared_ptr<Toy<Model>>& toy, const SchemeCase& s, int steps, double h, double tolerance = 1e-11) {
  const auto times = uneven(steps, h);
  const Objective objective(toy, steps, times);
  auto test = march(toy, s.scheme(), times);
  objective.give(*test);
  const Controls d = toy->control_values();
  const ProcessReport report = test->run(d);
  ASSERT_TRUE(report.ok) << s.name << ": " << report.reason;
  const Column<double> g = gradient_of(*test, *toy);
  const auto [value, expected] = reference(*toy, s, objective, times);
  EXPECT_NEAR(test->value(), value, 1e-10 * std::abs(value)) << s.name;
  const double size = std::sqrt(dot(expected, expected));
  ASSERT_EQ(g.size(), expected.size());
  for (std::size_t k = 0; k < g.size(); ++k) EXPECT_NEAR(g[k], expected[k], 1e-9 * size) << s.name << ", control " << k;
  expect_consistent(*test, *toy, g, s.name, tolerance);
  for (const ProcessTerm& term : {objective.largest, objective.spread}) {
    Controls of_term = zeros(d);
    double tangent = 0;
    EXPECT_TRUE(test->quantity_gradient(term, of_term).converged);
    EXPECT_TRUE(test->quantity_tangent(term, direction(*toy, 4), tangent).converged);
    EXPECT_NEAR(dot(gathered(*toy, of_term), toy->flat(direction(*toy, 4))), tangent, 10 * tolerance * std::abs(tangent)) << s.name;
  }
  if (!serial()) return;
  for (const Controls& v : {direction(*toy, 3), along(*toy, g)}) {
    const double length = std::sqrt(dot(toy->flat(v), toy->flat(v)));
    EXPECT_NEAR(taylor_order(*test, d, dot(g, toy->flat(v)), v, 5e-4 / length), 2, 0.02) << s.name;
  }
}

class TransientGradient : public testing::Test {
 protected:
  static int steps() { return serial() ? 48 : 12; }
};

TEST_F(TransientGradient, OfFirstOrderIsExact) {
  for (const SchemeCase& s : schemes(1)) test_gradient(Reactor::make(), s, steps(), 0.015);
}
TEST_F(TransientGradient, OfSecondOrderIsExact) {
  for (const SchemeCase& s : schemes(2)) test_gradient(Chain::make(), s, steps(), 0.02);
}
TEST_F(TransientGradient, OfLinearisedSchemesIsExact) {
  for (const SchemeCase& s : schemes(1)) test_gradient(Reactor::make(true), s, steps() / 4, 0.06);
  for (const SchemeCase& s : schemes(2)) test_gradient(Chain::make(true), s, steps() / 4, 0.08);
}
TEST_F(TransientGradient, WithAMultiplierIsExact) {
  for (const SchemeCase& s : schemes(1)) test_gradient(Multiplier::make(1), s, steps() / 2, 0.02);
  for (const SchemeCase& s : implicit_schemes(2))  // of index three, where the midpoint rule does not converge
    if (!s.scheme().needs_start() && s.kind != Kind::midpoint) test_gradient(Multiplier::make(2), s, steps() / 2, 0.02, 1e-10);
}

}  // namespace
}  // namespace invar::toy
