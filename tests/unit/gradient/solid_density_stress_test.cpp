// Bodies of a distributed material: derivatives of stress norms and limits, and the adjoint that is a multiple of the state.
#include <gtest/gtest.h>

#include "libadjoint/verify/limit_optimality.hpp"
#include "libfem/solid/stress_limit.hpp"
#include "libfem/solid/stress_norm.hpp"
#include "tests/unit/gradient/density_sheet.hpp"

namespace invar::gradient_test {
namespace {

// Norms of the stress, scaled or not, and limits in every cell, before and after an update of scales and multipliers.
TEST(SolidDensities, WithStressAreExact) {
  const Sheet s(true);
  const auto norm = std::make_shared<StressNorm>(s.residual, s.stress(0.5, 6), 8, true);
  const auto limit = std::make_shared<StressLimit>(s.residual, s.stress(3, 1), StressLimit::Options{.limit = 0.35, .penalty = 3, .growth = 2, .largest_penalty = 5});
  s.process->terms().push_back({"norm", norm, {0}, 0.3});
  s.process->terms().push_back({"limit", limit, {0}});
  const std::shared_ptr<Observable> aggregate = StressNorm::with_exponentials(s.residual, s.stress(0.5, 4), 12, true);
  s.process->terms().push_back({"aggregate", aggregate, {0}, 0.2});
  s.process->terms().push_back({"at four points", std::make_shared<StressLimit>(s.residual, s.stress(2, 2), StressLimit::Options{.limit = 0.4}), {0}, 0.1});
  std::vector<StressPart> sides = s.stress(2, 3);
  sides.front().domains = side_domains(sides.front().domains.front(), all_sides(*s.mesh));
  s.process->terms().push_back({"at the boundary", std::make_shared<StressLimit>(s.residual, sides, StressLimit::Options{.limit = 0.4}), {0}, 0.1});
  const auto f = s.functional(0.5, simp);
  ASSERT_TRUE(f->has_adaptive_parameters());
  const DesignVector theta = moved(f->start(), 0.2, Directions(*f, f->start()).random(5));
  std::vector<double> values;
  for (int round = 0; round < 3; ++round) {
    SCOPED_TRACE(round);
    values.push_back(f->value(theta).value);
    if (round != 1) {
      check_adjoint_against_tangent(*f, theta);
      check_constraints(*f, theta);
    }
    if (round == 2 && rank_count() == 1) {
      check_taylor(*f, theta);
      check_hessian(*f, theta);
    }
    ASSERT_TRUE(f->update_adaptive_parameters(theta).ok);
  }
  EXPECT_GT(values[1], values[0] * 1.01);
  const std::vector<double> memory = f->memory();
  const double last = f->value(theta).value;
  f->reset_adaptive_parameters();
  EXPECT_NEAR(f->value(theta).value, values[0], 1e-12 * values[0]);
  f->recall(memory);
  EXPECT_NEAR(f->value(theta).value, last, 1e-12 * last);
}

// After an update the norm equals the greatest stress, and the limits equal the sum of their formula over all points.
TEST(SolidDensities, AdaptiveParametersAreThoseOfTheStress) {
  for (const int degree : {1, 2}) {
    SCOPED_TRACE(degree);
    constexpr int cells = 18;
    const int points = degree * degree;                // of a cell
    const Sheet s(true, 0.3, false);  // of equal cells
    std::vector<StressPart> relaxed = s.stress(0.5, 4), at = s.stress(2, degree);
    const auto norm = std::make_shared<StressNorm>(s.residual, relaxed, 6, true);
    const StressLimit::Options options{.limit = 0.4, .penalty = 3, .growth = 1.5, .largest_penalty = 4};
    const auto limit = std::make_shared<StressLimit>(s.residual, at, options);
    const std::shared_ptr<Observable> aggregate = StressNorm::with_exponentials(s.residual, relaxed, 9, true);
    integral_of_powers(s.residual, relaxed, 2, std::make_shared<const double>(1.0));
    integral_of_powers(s.residual, at, 2, std::make_shared<const double>(1.0));
    s.process->terms() = {{"norm", norm, {0}}, {"limit", limit, {0}}, {"aggregate", aggregate, {0}}};
    const auto f = s.functional(0.5, simp);
    const DesignVector theta = moved(f->start(), 0.2, Directions(*f, f->start()).random(5));
    LimitStatus status;
    std::vector<double> lambda(cells * points, 0.0);  // by the serial mesh
    double mu = options.penalty;
    for (int round = 0; round < 3; ++round) {
      ASSERT_TRUE(f->value(theta).ok);
      double peak = 0, scaled = 0, exponential = 0, value = 0;
      std::vector<double> g(cells * points, 0.0);
      std::vector<int> seen(cells, 0);
      s.process->with_state(0, [&](const EvaluationPoint& u) {
        peak = greatest_stress(*s.residual, relaxed, u).stress;
        norm->evaluate(u, &scaled);
        aggregate->evaluate(u, &exponential);
        limit->evaluate(u, &value);
        status = limit->status(u);
        for (const StressPoint& p : stress_points(*s.residual, at, u)) {
          const auto cell = s.mesh->original_cell[0][p.cell];
          g[cell * points + seen[cell]++] = 0.5 * p.density_power * (p.stress * p.stress / 0.16 - 1);
        }
      });
      MPI_Allreduce(MPI_IN_PLACE, g.data(), cells * points, MPI_DOUBLE, MPI_SUM, s.mesh->comm);
      double expected = 0;
      int active = 0;
      for (int k = 0; k < cells * points; ++k) {
        const double h = std::max(g[k], -lambda[k] / mu);
        active += g[k] > 0;
        expected += (lambda[k] * h + 0.5 * mu * h * h) / (cells * points);
        lambda[k] = std::max(0.0, lambda[k] + mu * g[k]);
      }
      EXPECT_TRUE(0 < active && active < cells * points) << active;
      const int with_multiplier = static_cast<int>(std::ranges::count_if(lambda, [](double l) { return l > 0; }));
      double slack = 0;
      for (int k = 0; k < cells * points; ++k)
        if (lambda[k] > 0) slack = std::max(slack, -g[k]);
      EXPECT_NEAR(status.violation, *std::ranges::max_element(g), 1e-12);
      EXPECT_NEAR(status.share * (status.ratio * status.ratio - 1), 2 * status.violation, 1e-12);
      EXPECT_NEAR(status.slack, slack, 1e-12);
      EXPECT_NEAR(status.multiplier, *std::ranges::max_element(lambda), 1e-12 * status.multiplier);
      EXPECT_EQ(status.points, cells * points);
      EXPECT_EQ(status.active_points, with_multiplier);
      EXPECT_EQ(status.cells, cells);
      EXPECT_LE(status.active_cells, with_multiplier);
      EXPECT_GE(status.active_cells * points, with_multiplier);
      EXPECT_NEAR(value, expected, 1e-12 * expected);
      if (round > 0) {
        EXPECT_NEAR(scaled, peak, 1e-12 * peak);
        EXPECT_NEAR(exponential, peak, 1e-12 * peak);
      } else {
        EXPECT_LT(scaled, peak);
        EXPECT_LT(exponential, peak);
      }
      mu = std::min(4.0, 1.5 * mu);
      ASSERT_TRUE(f->update_adaptive_parameters(theta).ok);
    }
  }
}

// Relative to the gradient without the limits; and without the part along the gradient of an active constraint.
TEST(SolidDensities, LimitOptimalityIsTheGradientOfTheLagrangian) {
  DesignVector theta;
  const auto gradient_of = [&](bool limited, double upper, double* relative) {
    const Sheet s(true);
    const auto norm = std::make_shared<StressNorm>(s.residual, s.stress(0.5, 4), 6);
    const auto limit = std::make_shared<StressLimit>(s.residual, s.stress(2, 1), StressLimit::Options{.limit = 0.3});
    const auto volume = std::make_shared<FormValue>(s.residual, s.volume);
    s.process->terms() = {{"norm", norm, {0}}};
    if (limited) s.process->terms().push_back({"limit", limit, {0}, 0.7});
    const auto design = std::make_shared<DensityDesign>(std::make_shared<NoFilter>(s.mesh, false), "", std::vector{simp}, std::vector{0.6},
                                                        std::vector<DensityDesign::Target>{{.density = s.density, .property = s.stiffness, .scale = full_stiffness}});
    CaseFunctional f({s.process}, {design}, s.mesh->comm, {{{.name = "volume", .upper = upper}, 0, {"volume", volume, {0}, 1.0}}});
    theta = moved(f.start(), 0.2, Directions(f, f.start()).random(5));
    EXPECT_TRUE(f.solve(theta).ok);
    const std::vector<LimitedTerm> terms = limited_terms(f.cases());
    EXPECT_EQ(terms.size(), limited ? 1u : 0u);
    if (relative) *relative = limit_optimality(f, theta, terms).gradient;
    DesignVector g;
    std::vector<double> c;
    std::vector<DesignVector> of_c;
    EXPECT_TRUE(f.gradients(theta, g, c, of_c).ok);
    return std::tuple{g, of_c[0], c[0]};
  };
  double relative = 0, constrained = 0;
  const auto [g, a, volume] = gradient_of(true, std::numeric_limits<double>::infinity(), &relative);
  const auto [without, unused, same] = gradient_of(false, std::numeric_limits<double>::infinity(), nullptr);
  const MPI_Comm comm = PETSC_COMM_WORLD;
  EXPECT_NEAR(relative, norm(g, comm) / norm(without, comm), 1e-9 * relative);
  gradient_of(true, volume, &constrained);
  const double along = dot(g, a, comm) / dot(a, a, comm);
  DesignVector rest = g;
  if (along < 0) rest.axpy(-along, a);  // a multiplier of the upper limit is not negative
  EXPECT_NEAR(constrained, norm(rest, comm) / norm(without, comm), 1e-9 * constrained);
}

// Work of the loads with homogeneous supports; a reaction with the only load the motion of its support: no solve. Work with moving
// supports, or reactions with loads: with a solve.
TEST(SelfAdjoint, IsFoundWhereItIsAndOnlyThere) {
  const auto derivatives = [](bool pulled, double force, bool of_reaction) {
    const Sheet s(pulled, force);
    s.process->terms().push_back(of_reaction ? s.reaction() : s.compliance());
    const Sheet::Derivatives d = s.derivatives();
    EXPECT_GT(std::abs(d.tangent), 1e-6);
    EXPECT_NEAR(d.adjoint, d.tangent, 1e-10 * std::abs(d.tangent));
    return d;
  };
  EXPECT_FALSE(derivatives(false, 0.3, false).solved);
  EXPECT_FALSE(derivatives(true, 0, true).solved);
  EXPECT_TRUE(derivatives(true, 0.3, false).solved);
  EXPECT_TRUE(derivatives(true, 0.3, true).solved);
}

// A weighted sum of two multiples of the state is one, and so is the square of the work; the work of one of two loads is not.
TEST(SelfAdjoint, SeesFactorsAndParts) {
  const Sheet s(false);
  s.process->terms().push_back(s.compliance());
  s.process->terms().push_back({"twice", s.process->terms()[0].observable, {0}, 2.0});
  DataSet measured{"work", s.process->terms()[0].observable, {0}, {0.1}, {0.02}};
  s.process->data().push_back(measured);
  const Sheet::Derivatives all = s.derivatives();
  EXPECT_FALSE(all.solved);
  EXPECT_NEAR(all.adjoint, all.tangent, 1e-10 * std::abs(all.tangent));

  const Sheet other(false);
  std::vector<double> one_load = other.loads;
  one_load[1] = 0;
  other.process->terms().push_back({"work of one", std::make_shared<FormValue>(other.residual, one_load), {0}, 1.0});
  const Sheet::Derivatives part = other.derivatives();
  EXPECT_TRUE(part.solved);
  EXPECT_NEAR(part.adjoint, part.tangent, 1e-10 * std::abs(part.tangent));
}

// Nothing else acts on the lower side, however many facets a rank holds.
TEST(SolidPointLoads, ActOnTheSurfaceThatHasTheirNode) {
  const Sheet s(false);
  ASSERT_TRUE(s.process->run(s.residual->control_values()).ok);
  for (int i = 0; i < 2; ++i) {
    std::vector<double> axis(2, 0.0);
    axis[i] = 1;
    const ProcessTerm force{"force", std::shared_ptr<Observable>(Reaction::force(s.residual, "bottom", axis, Reaction::Of::surface)), {0}};
    EXPECT_NEAR(s.process->quantity(force), i == 0 ? 0.3 : -0.6, 1e-12);
  }
}

}  // namespace
}  // namespace invar::gradient_test
