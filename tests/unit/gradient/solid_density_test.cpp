// Derivatives by the density of a distributed material, on any number of ranks.
#include <gtest/gtest.h>

#include "libfem/design/field/cone_filter.hpp"
#include "libfem/mesh/all_gather.hpp"
#include "tests/unit/gradient/density_sheet.hpp"

namespace invar::gradient_test {
namespace {

TEST(SolidDensities, AreExact) {
  struct Variant {
    DensityStage stage;
    double radius, shift;
    bool pulled;
  };
  for (const Variant& v : {Variant{simp, 0.5, 0, false}, Variant{simp, 0.5, 0.2, true}, Variant{ramp, 0.7, 0, true}, Variant{thick, 0, 0, false}}) {
    SCOPED_TRACE(v.stage.penalty);
    const Sheet s(v.pulled);
    s.process->terms().push_back(s.compliance());
    if (v.pulled) s.process->terms().push_back(s.reaction());
    const auto f = s.functional(v.radius, v.stage, v.shift);
    const DesignVector theta = moved(f->start(), 0.2, Directions(*f, f->start()).random(5));
    check_all(*f, theta);
  }
}

// The filter of large meshes and that by cones, of an eroded body, mirrored and extruded.
TEST(SolidDensities, OfOtherFiltersAreExact) {
  const Sheet s(true, 0.3, false);
  s.process->terms().push_back(s.compliance());
  LinearSolverOptions large{.rtol = 1e-12};
  large.multigrid_from = 0;
  for (const std::shared_ptr<CellFilter>& filter :
       std::initializer_list<std::shared_ptr<CellFilter>>{std::make_shared<HelmholtzFilter>(s.mesh, 0.9, false, HelmholtzFilter::Mass::lumped, large),
                                                          std::make_shared<ConeFilter>(s.mesh, 0.9, false)}) {
    for (const int along : {-1, 0}) {
      const auto f = s.functional(filter, simp, 0.1, {}, {{1, 0.5}}, along);
      const DesignVector theta = moved(f->start(), 0.2, Directions(*f, f->start()).random(5));
      check_all(*f, theta);
    }
  }
}

// At finite strain, with intermediate densities above and below the transition to the linear law.
TEST(SolidDensities, AtFiniteStrainAreExact) {
  DensityStage stage = simp;
  stage.linear_below = 0.2;
  stage.linear_steepness = 12;
  for (const auto& [law, pulled] : {std::pair{"neo_hookean", true}, std::pair{"saint_venant_kirchhoff", false}}) {
    SCOPED_TRACE(law);
    const Sheet s(pulled, 0.1, true, law, 0.5);
    s.process->terms().push_back(s.compliance());
    if (pulled) s.process->terms().push_back(s.reaction());
    const auto f = s.functional(0.5, stage, 0.1);
    const DesignVector theta = moved(f->start(), 0.3, Directions(*f, f->start()).random(5));
    check_adjoint_against_tangent(*f, theta);
    check_constraints(*f, theta);
    const std::vector<double>& gamma = (*s.process->controls())[s.finite];
    std::vector<double> all = all_gather(gamma, MPI_DOUBLE, PETSC_COMM_WORLD);
    const auto [least, most] = std::ranges::minmax(all);
    EXPECT_LT(least, 0.7);  // random numbers, others on more ranks
    EXPECT_GT(most, 0.9);
    if (rank_count() > 1) continue;
    check_taylor(*f, theta);
    check_hessian(*f, theta);
  }
}

// Mirror images in one and in two planes, and what is extruded, under loads that are not symmetric.
TEST(SolidDensities, ThatAreSymmetricAreExact) {
  struct Variant {
    std::vector<CellOrbits::MirrorPlane> planes;
    int along, orbits;
  };
  for (const Variant& v : {Variant{{{1, 0.5}}, -1, 12}, Variant{{{0, 1}, {1, 0.5}}, -1, 6}, Variant{{}, 0, 3}, Variant{{{0, 1}}, 1, 3}}) {
    SCOPED_TRACE(v.orbits);
    const Sheet s(false, 0.3, false);
    s.process->terms().push_back(s.compliance());
    const auto f = s.functional(0.5, simp, 0, {}, v.planes, v.along);
    const DesignVector theta = moved(f->start(), 0.2, Directions(*f, f->start()).random(5));
    check_adjoint_against_tangent(*f, theta);
    check_constraints(*f, theta);
    DesignVector g;
    ASSERT_TRUE(f->gradient(theta, g).ok);
    std::vector<double> here = g.local;  // as many different ones as there are orbits
    for (double& x : here) x = std::round(1e9 * x);
    std::vector<double> all = all_gather(here, MPI_DOUBLE, PETSC_COMM_WORLD);
    std::ranges::sort(all);
    EXPECT_EQ(std::unique(all.begin(), all.end()) - all.begin(), v.orbits);
    if (rank_count() > 1) continue;
    check_taylor(*f, theta);
    check_hessian(*f, theta);
  }
  const Sheet bent(false);
  EXPECT_THROW(bent.functional(0.5, simp, 0, {}, {{1, 0.5}}), std::invalid_argument);
  EXPECT_THROW(bent.functional(0.5, simp, 0, {}, {}, 1), std::invalid_argument);
}

// The larger of two and its derivatives, for either order; each of the two is also checked as a constraint.
TEST(SolidDensities, OfTheWorstOfTwoAreExact) {
  std::vector<double> worst;
  for (const double weight : {100.0, -100.0}) {
    SCOPED_TRACE(weight);
    const Sheet s(true);
    ProcessTerm work = s.compliance(), pull = s.reaction();
    work.weight = weight;
    const auto f = s.functional(0.5, simp, 0, {work, pull});
    const DesignVector theta = moved(f->start(), 0.2, Directions(*f, f->start()).random(5));
    std::vector<double> c;
    const double j = f->value(theta).value;
    ASSERT_TRUE(f->constraint_values(theta, c).ok);
    EXPECT_EQ(j, std::max(c[1], c[2]));
    worst.push_back(c[1] - c[2]);
    DesignVector g;
    std::vector<DesignVector> of_c;
    ASSERT_TRUE(f->gradients(theta, g, c, of_c).ok);
    const std::size_t largest = c[1] > c[2] ? 1 : 2;
    for (std::size_t i = 0; i < g.local.size(); ++i) EXPECT_NEAR(g.local[i], of_c[largest].local[i], 1e-10 * (1e-3 + std::abs(g.local[i])));
    check_adjoint_against_tangent(*f, theta);
    check_constraints(*f, theta);
    // What was largest counts while values are compared, wherever another is.
    f->compare_values(true);
    const DesignVector apart = moved(theta, 1e-3, Directions(*f, theta).random(8));
    const double near = f->value(apart).value;
    ASSERT_TRUE(f->constraint_values(apart, c).ok);
    EXPECT_EQ(near, c[largest]);
    f->compare_values(false);
    if (rank_count() > 1) continue;
    check_taylor(*f, theta);
    check_hessian(*f, theta);
  }
  EXPECT_LT(worst[0] * worst[1], 0);  // each was the largest once
}

}  // namespace
}  // namespace invar::gradient_test
