// Density-based design of a flow: gradients, ranks, and the result of an optimisation.
#include <gtest/gtest.h>

#include "libadjoint/optimize/optimizer.hpp"
#include "libadjoint/verify/directions.hpp"
#include "libadjoint/verify/dot_product_test.hpp"
#include "libadjoint/verify/hessian_test.hpp"
#include "libadjoint/verify/taylor_test.hpp"
#include "libfem/form/local_access.hpp"
#include "tests/unit/flow/topology_problem.hpp"

namespace invar {
namespace {

using test::PipeBend;

constexpr DensityStage stage{.steepness = 2, .threshold = 0.5, .convexity = 0.1, .max_resistance = 2.5e4};

/// A point inside the bounds that is the same on any number of ranks.
DesignVector uneven(const PipeBend& p) {
  DesignVector theta = p.design->start();
  for (std::size_t i = 0; i < theta.local.size(); ++i)
    theta.local[i] = 0.5 + 0.3 * std::sin(1.3 * static_cast<double>(p.mesh->original_cell[0][p.design->cells()[i]]));
  return theta;
}

TEST(Topology, GradientsAreExact) {
  const PipeBend p(10, 0.15, stage, 0.5);
  const auto f = p.functional();
  const DesignVector theta = uneven(p);
  const Directions directions(*f, theta);
  DesignVector g;
  ASSERT_TRUE(f->gradient(theta, g).ok);
  const DesignVector along[] = {directions.random(1), directions.random(2), directions.along(g)};
  for (const DesignVector& d : along) {
    const CertificateEntry product = dot_product_test(*f, theta, d, "density", 1e-10);
    EXPECT_TRUE(product.passed) << product.measured << " " << product.note;
    const CertificateEntry taylor = taylor_test(*f, theta, d, "density");
    EXPECT_TRUE(taylor.passed) << taylor.measured << " " << taylor.note;
    EXPECT_EQ(taylor.expected, 2);
  }
  for (const CertificateEntry& e : {hessian_symmetry_test(*f, theta, along[0], along[1], "density", 1e-9),
                                    hessian_taylor_test(*f, theta, along[0], "density"),
                                    hessian_gradient_test(*f, theta, along[1], "density")})
    EXPECT_TRUE(e.passed) << e.check << ": " << e.measured << " " << e.note;

  std::vector<double> c, slopes;
  std::vector<DesignVector> gradients;
  ASSERT_TRUE(f->constraint_gradients(theta, c, gradients).ok);
  ASSERT_TRUE(f->constraint_directional(theta, along[0], slopes).ok);
  EXPECT_NEAR(dot(gradients[0], along[0], f->comm()), slopes[0], 1e-12);
  EXPECT_GT(std::abs(slopes[0]), 1e-6);
}

// Creeping flow between given velocities minimises J, so that its derivative by a cell's resistance is
// ½ ∫ |u|² over the cell, without any adjoint.
TEST(Topology, DerivativeByResistanceIsThatOfAMinimum) {
  const PipeBend p(10, 0.15, stage, 0.5);
  const auto f = p.functional();
  ASSERT_TRUE(f->solve(uneven(p)).ok);
  Controls d_bar(p.residual->controls().size());
  std::size_t resistance = 0;
  while (p.residual->controls()[resistance].name != "resistance") ++resistance;
  d_bar[resistance].assign(p.mesh->cells[0].count(), 0.0);
  ASSERT_TRUE(p.flow->gradient(d_bar).converged);
  const auto energy = make_kinetic_energy(FlowKind::planar, CellBatches::on_cells(p.residual->dof_map(), "", 4));
  energy->coefficients()[0] = {Coefficient::Layout::per_cell, std::vector<double>(p.mesh->cells[0].count(), 1.0)};
  std::vector<double> expected(p.mesh->cells[0].count(), 0.0);
  FormCotangent out;
  out.coefficients = {expected.data()};
  const LocalArray u(p.flow->state(0));
  energy->value_vjp({u.data(), p.mesh->coordinates.data()}, 1.0, out);
  for (int c : p.design->cells()) EXPECT_NEAR(d_bar[resistance][c], expected[c], 1e-12);
}

TEST(Topology, IsTheSameOnAllRanks) {
  const PipeBend together(10, 0.15, stage, 0.5), alone(10, 0.15, stage, 0.5, PETSC_COMM_SELF);
  const auto f = together.functional(), g = alone.functional();
  DesignVector a, b;
  const Evaluation there = f->gradient(uneven(together), a), here = g->gradient(uneven(alone), b);
  ASSERT_TRUE(there.ok && here.ok) << there.reason << here.reason;
  EXPECT_NEAR(there.value, here.value, 1e-10 * here.value);
  std::vector<double> by_original(b.local.size());
  for (std::size_t i = 0; i < b.local.size(); ++i)
    by_original[alone.mesh->original_cell[0][alone.design->cells()[i]]] = b.local[i];
  const double size = norm(b, PETSC_COMM_SELF);
  for (std::size_t i = 0; i < a.local.size(); ++i)
    EXPECT_NEAR(a.local[i], by_original[together.mesh->original_cell[0][together.design->cells()[i]]], 1e-10 * size);
}

// The problem does not change when x and y are exchanged, and neither may the design.
TEST(Topology, OptimiserBendsThePipe) {
  constexpr int n = 20;
  constexpr DensityStage stages[] = {{.steepness = 0, .convexity = 0.01, .max_resistance = 2.5e4},
                                     {.steepness = 4, .convexity = 0.1, .max_resistance = 2.5e4}};
  const PipeBend p(n, 2.0 / n, stages[0], 0.25);
  DesignVector theta = p.design->start();
  for (const DensityStage& s : stages) {
    p.design->set_stage(s);
    const auto f = p.functional();
    const double before = f->value(theta).value;
    OptimizerOptions options;
    options.max_iterations = 12;
    const OptimizerResult result = make_optimizer("mma", options)->minimize(*f, theta);
    ASSERT_FALSE(std::isnan(result.value)) << result.reason;
    theta = result.theta;
    std::vector<double> c;
    ASSERT_TRUE(f->constraint_values(theta, c).ok);
    EXPECT_LT(c[0], PipeBend::volume_fraction * 1.0001);
    EXPECT_GT(c[0], PipeBend::volume_fraction * 0.98);  // fluid is what lowers J
    EXPECT_LT(result.value, (s.steepness == 0 ? 0.5 : 0.9) * before);
  }
  std::vector<double> all(n * n, 0.0);  // [row][column]
  for (std::size_t i = 0; i < theta.local.size(); ++i)
    all[p.mesh->original_cell[0][p.design->cells()[i]]] = theta.local[i];
  MPI_Allreduce(MPI_IN_PLACE, all.data(), n * n, MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD);
  for (int row = 0; row < n; ++row)
    for (int column = 0; column < row; ++column)
      EXPECT_NEAR(all[row * n + column], all[column * n + row], 1e-6) << row << " " << column;
}

}  // namespace
}  // namespace invar
