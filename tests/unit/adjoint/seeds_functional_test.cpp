// Functionals with several cases: one sweep for the objective and all constraints, and derivatives along whole curves.
#include <gtest/gtest.h>

#include <numeric>

#include "libadjoint/inference/curve_sensitivity.hpp"
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

}  // namespace
}  // namespace invar::toy
