// Functionals with several cases: one sweep for the objective and all constraints, derivatives along whole curves and of held-out data.
#include <gtest/gtest.h>

#include <numeric>

#include "libadjoint/inference/curve_sensitivity.hpp"
#include "libadjoint/inference/held_out.hpp"
#include "libadjoint/inference/other_data.hpp"
#include "tests/unit/adjoint/seed_processes.hpp"

namespace invar::toy {
namespace {

TEST(Seeds, FunctionalsSweepOnceForObjectiveAndConstraints) {
  for (const Keeping& keeping : {Keeping{"all"}, Keeping{"checkpoints", 3}}) {
    SCOPED_TRACE(keeping.name);
    SwingAndRow p(keeping), q(keeping);
    const DesignVector theta{{0.9, 1.2}, {}}, along{{0.3, -0.7}, {}};
    DesignVector g, expected;
    std::vector<double> c, c_expected, slopes;
    std::vector<DesignVector> dc, dc_expected;
    const Evaluation e = p.functional->gradients(theta, g, c, dc);
    ASSERT_TRUE(e.ok) << e.reason;
    ASSERT_TRUE(q.functional->gradient(theta, expected).ok);
    ASSERT_TRUE(q.functional->constraint_gradients(theta, c_expected, dc_expected).ok);
    EXPECT_EQ(e.value, q.functional->value(theta).value);
    EXPECT_EQ(c, c_expected);
    EXPECT_LT(distance(g, expected), 1e-11);
    ASSERT_EQ(dc.size(), 10u);
    ASSERT_EQ(dc_expected.size(), 10u);
    double slope = 0;
    ASSERT_TRUE(p.functional->directional(theta, along, slope).ok);
    EXPECT_NEAR(dot(g.shared, along.shared), slope, 1e-10 * std::abs(slope));
    ASSERT_TRUE(p.functional->constraint_directional(theta, along, slopes).ok);
    for (std::size_t k = 0; k < dc.size(); ++k) {
      EXPECT_LT(distance(dc[k], dc_expected[k]), 1e-11) << k;
      EXPECT_NEAR(dot(dc[k].shared, along.shared), slopes[k], 1e-10 * std::max(1e-2, std::abs(slopes[k]))) << k;
    }
    const int before = p.swing.solver->factorisations(), pulled_before = p.pulled.solver->factorisations();
    ASSERT_TRUE(p.functional->gradient(theta, expected).ok);  // at hand
    EXPECT_EQ(p.swing.solver->factorisations(), before);
    EXPECT_EQ(p.pulled.solver->factorisations(), pulled_before);
    EXPECT_EQ(expected, g);
    ASSERT_TRUE(p.functional->constraint_gradients(theta, c, dc).ok);
    const MarchReport& march = p.swing.process->march_report();
    EXPECT_EQ(p.swing.solver->factorisations() - before, march.steps + march.repeated_steps);
    EXPECT_LE(p.pulled.solver->factorisations() - pulled_before, PulledRow::steps);
  }
}

/// dy/dθ along whole curves: each row is the adjoint's gradient of the value at that time, and what differences say; and the
/// functional is as it was.
TEST(CurveSensitivity, IsTheGradientOfTheValueAtEveryTime) {
  for (const Keeping& keeping : {Keeping{"all"}, Keeping{"checkpoints", 3}}) {
    SCOPED_TRACE(keeping.name);
    SwingAndRow p(keeping);
    const DesignVector theta{{0.9, 1.2}, {}};
    const double value = p.functional->value(theta).value;
    std::vector<ObservedCurve> curves = {{1, p.pulled.quantities[0].observable}, {0, p.swing.quantities[0].observable},
                                         {1, p.pulled.quantities[1].observable}, {0, p.swing.quantities[2].observable}};
    const Evaluation e = differentiate_curves(*p.functional, theta, curves);
    ASSERT_TRUE(e.ok) << e.reason;
    EXPECT_EQ(p.swing.process->data().size(), 2u);
    EXPECT_EQ(p.functional->value(theta).value, value);
    for (ObservedCurve& curve : curves) {
      Case& process = *p.functional->cases()[curve.case_index];
      const int n = static_cast<int>(process.times().size());
      ASSERT_EQ(curve.sensitivity.rows(), n);
      ASSERT_EQ(curve.sensitivity.cols(), 2);
      ASSERT_TRUE(p.functional->solve(theta).ok);
      std::vector<int> steps(n);
      std::iota(steps.begin(), steps.end(), 0);
      EXPECT_EQ(curve.values, process.series(*curve.observable, steps));
      for (const int step : {0, n / 2, n - 1}) {
        const ProcessTerm term{.name = "y", .observable = curve.observable, .steps = {step}};
        const CaseQuantity quantity{curve.case_index, &term};
        std::vector<DesignVector> g;
        ASSERT_TRUE(p.functional->quantity_gradients(theta, {&quantity, 1}, g).ok);
        for (int k = 0; k < 2; ++k) EXPECT_NEAR(curve.sensitivity(step, k), g[0].shared[k], 1e-10 * std::max(1e-2, std::abs(g[0].shared[k]))) << step;
      }
      for (int k = 0; k < 2; ++k) {
        constexpr double h = 1e-4;
        std::vector<double> at[2];
        for (const int side : {0, 1}) {
          DesignVector moved = theta;
          moved.shared[k] += side ? h : -h;
          ASSERT_TRUE(p.functional->solve(moved).ok);
          at[side] = process.series(*curve.observable, steps);
        }
        for (int step = 0; step < n; ++step)
          EXPECT_NEAR((at[1][step] - at[0][step]) / (2 * h), curve.sensitivity(step, k), 1e-6 * std::max(0.1, std::abs(curve.sensitivity(step, k)))) << step;
      }
    }
  }
}

/// Sets of weight 0 of two cases: (y − target)/σ of the values that the cases give, the derivative that differences give; and the functional is
/// as it was.
TEST(HeldOutSets, AreDifferentiatedWithoutBecomingPartOfTheFit) {
  SwingAndRow p({"all"});
  DataSet& curve = p.pulled.process->data()[0];
  curve.weight = 0;
  p.swing.process->data()[1].weight = 0;
  const DesignVector theta{{0.9, 1.2}, {}};
  const double value = p.functional->value(theta).value;
  std::vector<HeldOutSet> sets;
  const Evaluation e = find_held_out(*p.functional, theta, sets);
  ASSERT_TRUE(e.ok) << e.reason;
  ASSERT_EQ(sets.size(), 2u);
  EXPECT_EQ(sets[0].case_index, 0);
  EXPECT_EQ(sets[0].data_set, 1);
  EXPECT_EQ(sets[1].case_index, 1);
  EXPECT_EQ(p.pulled.process->data()[0].weight, 0);
  EXPECT_EQ(p.swing.process->data().size(), 2u);
  EXPECT_EQ(p.pulled.process->terms().size(), 1u);
  EXPECT_EQ(p.functional->value(theta).value, value);
  const auto residuals = [&](const DesignVector& at) {
    EXPECT_TRUE(p.functional->solve(at).ok);
    std::vector<double> rho = p.pulled.process->series(*curve.observable, curve.steps);
    for (std::size_t i = 0; i < rho.size(); ++i) rho[i] = (rho[i] - curve.target[i]) / curve.noise[i];
    return rho;
  };
  const std::vector<double> rho = residuals(theta);
  ASSERT_EQ(sets[1].rho.size(), 3);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(sets[1].rho[i], rho[i], 1e-12);
  for (int k = 0; k < 2; ++k) {
    constexpr double h = 1e-4;
    DesignVector above = theta, below = theta;
    above.shared[k] += h;
    below.shared[k] -= h;
    std::vector<HeldOutSet> of_above, of_below;
    const std::vector<double> r_above = residuals(above), r_below = residuals(below);
    for (int i = 0; i < 3; ++i) EXPECT_NEAR((r_above[i] - r_below[i]) / (2 * h), sets[1].drho(i, k), 1e-6 * std::max(0.1, std::abs(sets[1].drho(i, k))));
    ASSERT_TRUE(find_held_out(*p.functional, above, of_above).ok);
    ASSERT_TRUE(find_held_out(*p.functional, below, of_below).ok);
    EXPECT_NEAR((of_above[0].rho[0] - of_below[0].rho[0]) / (2 * h), sets[0].drho(0, k), 1e-6 * std::max(0.1, std::abs(sets[0].drho(0, k))));
  }
}

TEST(OtherData, AreExchangedBackAlsoAfterAnException) {
  SwingAndRow p({"all"});
  const auto& cases = p.functional->cases();
  const std::vector<double> target = cases[0]->data()[0].target;
  const std::size_t terms = cases[0]->terms().size();
  DataSet other = cases[0]->data()[0];
  other.name = "other";
  try {
    const OtherData guard(cases, {{other}});
    EXPECT_EQ(cases[0]->data().size(), 1u);
    EXPECT_EQ(cases[0]->data()[0].name, "other");
    EXPECT_TRUE(cases[0]->terms().empty());
    EXPECT_TRUE(cases[1]->data().empty());
    EXPECT_TRUE(cases[1]->terms().empty());
    throw std::runtime_error("a failed solve");
  } catch (const std::runtime_error&) {
  }
  EXPECT_EQ(cases[0]->data().size(), 2u);
  EXPECT_EQ(cases[0]->data()[0].target, target);
  EXPECT_EQ(cases[0]->terms().size(), terms);
  EXPECT_EQ(cases[1]->data().size(), 1u);
  EXPECT_EQ(cases[1]->terms().size(), 1u);
}

}  // namespace
}  // namespace invar::toy
