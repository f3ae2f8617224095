// The same numbers on any number of ranks: value, gradient, Hessian and residual Jacobian of problems
// spread over all ranks against the same problems solved by each rank alone.
#include <gtest/gtest.h>

#include "tests/unit/gradient/gradient_checks.hpp"
#include "tests/unit/gradient/problem_functional.hpp"

namespace invar::gradient_test {
namespace {

struct Solved {
  SolidProblem problem;
  std::shared_ptr<StaticCase> at_start;

  Solved(const ProblemSpec& s, MPI_Comm comm) : problem(make_problem(s, comm)), at_start(problem.make_case()) {
    const ProcessReport report = at_start->run(problem.residual->control_values());
    if (!report.ok) throw std::runtime_error(name_of(s) + ": " + report.reason);
  }
};

std::vector<ProblemSpec> parallel_solids() {
  std::vector<ProblemSpec> all;
  const auto add = [&](SolidKind kind, Volume volume, const char* material, Shape shape, int order, int refinement,
                       bool pressure) {
    ProblemSpec s;
    s.kind = kind;
    s.volume = volume;
    s.material = material;
    s.cell = {shape, order};
    s.refinement = refinement;
    s.follower_pressure = pressure;
    s.times = {0.5, 1.0};
    s.index = static_cast<int>(all.size());
    all.push_back(s);
  };
  add(SolidKind::plane_strain, Volume::compressible, "neo_hookean", Shape::triangle, 2, 3, true);
  add(SolidKind::plane_stress, Volume::incompressible, "yeoh", Shape::quadrilateral, 2, 3, false);
  add(SolidKind::axisymmetric, Volume::nearly_incompressible, "mooney_rivlin", Shape::triangle, 2, 3, true);
  add(SolidKind::spatial, Volume::incompressible, "neo_hookean_isochoric", Shape::tetrahedron, 2, 1, true);
  add(SolidKind::spatial, Volume::compressible, "gent", Shape::hexahedron, 1, 3, false);
  add(SolidKind::plane_strain, Volume::nearly_incompressible, "neo_hookean", Shape::quadrilateral, 2, 4, true);
  // Fewer cells than ranks: some ranks hold nothing.
  add(SolidKind::spatial, Volume::compressible, "saint_venant_kirchhoff", Shape::hexahedron, 2, 1, true);
  return all;
}

class AcrossRanks : public testing::TestWithParam<ProblemSpec> {};

// On three ranks every other observable: those of odd numbers with the problems of odd numbers.
TEST_P(AcrossRanks, ValueGradientAndHessianAreTheSame) {
  if (rank_count() == 1) GTEST_SKIP();
  const Solved together(GetParam(), PETSC_COMM_WORLD), alone(GetParam(), PETSC_COMM_SELF);
  for (int k = 0; k < static_cast<int>(all_observables().size()); ++k) {
    if (rank_count() == 3 && (k + GetParam().index) % 2 != 0) continue;
    SCOPED_TRACE(all_observables()[k].name);
    const auto f = make_functional(together.problem, *together.at_start, k);
    const auto g = make_functional(alone.problem, *alone.at_start, k);
    const DesignVector theta = f->start(), d = Directions(*f, theta).random(5);
    ASSERT_EQ(theta, g->start());
    DesignVector a, b;
    const Evaluation there = f->gradient(theta, a), here = g->gradient(theta, b);
    ASSERT_TRUE(there.ok && here.ok) << there.reason << here.reason;
    EXPECT_NEAR(there.value, here.value, agreement * std::abs(here.value));
    expect_near(a.shared, b.shared, "gradient");
    double slope = 0;
    ASSERT_TRUE(f->directional(theta, d, slope).ok);
    EXPECT_NEAR(slope, dot(b, d, MPI_COMM_SELF), agreement * norm(b, MPI_COMM_SELF) * norm(d, MPI_COMM_SELF));
    ASSERT_TRUE(f->hessian_action(theta, d, a).ok && g->hessian_action(theta, d, b).ok);
    expect_near(a.shared, b.shared, "Hessian action");
    // Rows may be in another order on more ranks: compare what does not depend on it.
    Eigen::VectorXd rho, rho_alone;
    Eigen::MatrixXd jacobian, jacobian_alone;
    ASSERT_TRUE(f->jacobian(theta, rho, jacobian).ok && g->jacobian(theta, rho_alone, jacobian_alone).ok);
    ASSERT_EQ(jacobian.rows(), jacobian_alone.rows());
    for (int i = 0; i < jacobian.cols(); ++i) {
      double product = 0, product_alone = 0, size = 0;
      for (int row = 0; row < jacobian.rows(); ++row) {
        product += jacobian(row, i) * rho(row);
        product_alone += jacobian_alone(row, i) * rho_alone(row);
        size += std::abs(jacobian_alone(row, i) * rho_alone(row));
      }
      EXPECT_NEAR(product, product_alone, agreement * size + 1e-11) << f->names()[i];
    }
  }
}

// A modulus per cell: every rank gets the derivatives of its own cells.
TEST(AcrossRanksField, ModulusPerCellHasTheSameGradientAndAgreesWithTheTangent) {
  for (const Shape shape : {Shape::triangle, Shape::tetrahedron}) {
    ProblemSpec s;
    s.kind = shape == Shape::triangle ? SolidKind::axisymmetric : SolidKind::spatial;
    s.cell = {shape, 2};
    s.refinement = 3;
    s.young_is_field = true;
    const auto run = [&](MPI_Comm comm, std::vector<double>& by_cell, double& tangent, double& adjoint,
                         std::vector<double>& hessian_by_cell) {
      Solved solved(s, comm);
      StaticCase& c = *solved.at_start;
      for (const int k : {0, 3, 5}) {
        c.data().push_back(data_of(solved.problem, c, all_observables()[k]));
        c.terms().push_back({"", c.data().back().observable, {0}, 0.2});
      }
      const Mesh& mesh = *solved.problem.mesh;
      const auto& cells = mesh.original_cell[0];
      Controls d_bar(solved.problem.residual->controls().size()), direction = d_bar;
      d_bar[0].assign(cells.size(), 0.0);
      for (long long cell : cells) direction[0].push_back(std::cos(2.1 * static_cast<double>(cell)));
      ASSERT_TRUE(c.gradient(d_bar).converged);
      Eigen::MatrixXd rho_dot;
      Eigen::VectorXd value_dot;
      ASSERT_TRUE(c.tangent({direction}, rho_dot, value_dot).converged);
      tangent = value_dot[0];
      Controls hessian(d_bar.size());
      hessian[0].assign(cells.size(), 0.0);
      ASSERT_TRUE(c.hessian_action(direction, hessian).converged);
      long long count = mesh.cells[0].n_owned;
      MPI_Allreduce(MPI_IN_PLACE, &count, 1, MPI_LONG_LONG, MPI_SUM, comm);
      by_cell.assign(count, 0.0);
      hessian_by_cell.assign(count, 0.0);
      for (int i = 0; i < mesh.cells[0].n_owned; ++i) {
        by_cell[cells[i]] = d_bar[0][i];
        hessian_by_cell[cells[i]] = hessian[0][i];
      }
      for (auto* v : {&by_cell, &hessian_by_cell})
        MPI_Allreduce(MPI_IN_PLACE, v->data(), static_cast<int>(count), MPI_DOUBLE, MPI_SUM, comm);
      adjoint = 0;
      for (long long i = 0; i < count; ++i) adjoint += by_cell[i] * std::cos(2.1 * static_cast<double>(i));
    };
    std::vector<double> together, alone, hessian_together, hessian_alone;
    double tangent = 0, adjoint = 0, tangent_alone = 0, adjoint_alone = 0;
    run(PETSC_COMM_WORLD, together, tangent, adjoint, hessian_together);
    run(PETSC_COMM_SELF, alone, tangent_alone, adjoint_alone, hessian_alone);
    EXPECT_NEAR(adjoint, tangent, 1e-10 * std::abs(tangent));
    EXPECT_NEAR(adjoint_alone, tangent_alone, 1e-10 * std::abs(tangent_alone));
    ASSERT_EQ(together.size(), alone.size());
    const auto compare = [](const std::vector<double>& a, const std::vector<double>& b) {
      double size = 0;
      for (double v : b) size = std::max(size, std::abs(v));
      ASSERT_GT(size, 0);
      for (std::size_t i = 0; i < b.size(); ++i) EXPECT_NEAR(a[i], b[i], agreement * size) << "cell " << i;
    };
    compare(together, alone);
    compare(hessian_together, hessian_alone);
  }
}

INSTANTIATE_TEST_SUITE_P(Representative, AcrossRanks, testing::ValuesIn(parallel_solids()),
                         [](const auto& info) { return name_of(info.param) + "_" + std::to_string(info.param.refinement); });

}  // namespace
}  // namespace invar::gradient_test
