// The same numbers on any number of ranks: value, gradient, Hessian and residual Jacobian of problems
// spread over all ranks against the same problems solved by one rank alone.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <span>

#include "tests/unit/gradient/first_rank.hpp"
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

/// Value and slope by the tangent; slope by the gradient, and its scale; gradient; Hessian action; and of each number Σ Jᵢ ρ and
/// Σ |Jᵢ ρ| over the rows, which may be in another order on more ranks.
Findings solid_findings(const Solved& solved, int observable) {
  const auto f = make_functional(solved.problem, *solved.at_start, observable);
  const DesignVector theta = f->start(), d = Directions(*f, theta).random(5);
  DesignVector g, hd;
  double slope = 0;
  const Evaluation at = f->gradient(theta, g);
  require(at);
  require(f->directional(theta, d, slope));
  require(f->hessian_action(theta, d, hd));
  Eigen::VectorXd rho;
  Eigen::MatrixXd jacobian;
  require(f->jacobian(theta, rho, jacobian));
  Findings all{{at.value, slope}, {dot(g, d, f->comm()), norm(g, f->comm()) * norm(d, f->comm())}, g.shared, hd.shared, {}, {}};
  for (int i = 0; i < jacobian.cols(); ++i) {
    all[4].push_back(jacobian.col(i).dot(rho));
    all[5].push_back(jacobian.col(i).cwiseAbs().dot(rho.cwiseAbs()));
  }
  return all;
}

class AcrossRanks : public testing::TestWithParam<ProblemSpec> {};

// On three ranks every other observable: those of odd numbers with the problems of odd numbers.
TEST_P(AcrossRanks, ValueGradientAndHessianAreTheSame) {
  if (rank_count() == 1) GTEST_SKIP();
  const auto of_all = [](MPI_Comm comm) {
    const Solved solved(GetParam(), comm);
    Findings all;
    for (int k = 0; k < static_cast<int>(all_observables().size()); ++k) {
      if (rank_count() == 3 && (k + GetParam().index) % 2 != 0) continue;
      std::ranges::move(solid_findings(solved, k), std::back_inserter(all));
    }
    return all;
  };
  const Findings together = of_all(PETSC_COMM_WORLD), alone = found_by_first_rank(together, [&] { return of_all(PETSC_COMM_SELF); });
  for (std::size_t k = 0; k < together.size(); k += 6) {
    const auto here = std::span(together).subspan(k, 6), there = std::span(alone).subspan(k, 6);
    SCOPED_TRACE(k / 6);
    EXPECT_NEAR(here[0][0], there[0][0], agreement * std::abs(there[0][0]));
    EXPECT_NEAR(here[0][1], there[1][0], agreement * there[1][1]);
    expect_near(here[2], there[2], "gradient");
    expect_near(here[3], there[3], "Hessian action");
    for (std::size_t i = 0; i < here[4].size(); ++i) EXPECT_NEAR(here[4][i], there[4][i], agreement * there[5][i] + 1e-11) << "number " << i;
  }
}

/// Of a modulus per cell: the gradient and the Hessian action by cell, and the slope by the gradient and by the tangent.
Findings field_findings(const ProblemSpec& s, MPI_Comm comm) {
  const Solved solved(s, comm);
  StaticCase& c = *solved.at_start;
  for (const int k : {0, 3, 5}) {
    c.data().push_back(data_of(solved.problem, c, all_observables()[k]));
    c.terms().push_back({"", c.data().back().observable, {0}, 0.2});
  }
  const Mesh& mesh = *solved.problem.mesh;
  const auto& cells = mesh.original_cell[0];
  Controls d_bar(solved.problem.residual->controls().size()), direction = d_bar, hessian = d_bar;
  d_bar[0].assign(cells.size(), 0.0);
  hessian[0].assign(cells.size(), 0.0);
  for (long long cell : cells) direction[0].push_back(std::cos(2.1 * static_cast<double>(cell)));
  EXPECT_TRUE(c.gradient(d_bar).converged);
  Eigen::MatrixXd rho_dot;
  Eigen::VectorXd value_dot;
  EXPECT_TRUE(c.tangent({direction}, rho_dot, value_dot).converged);
  EXPECT_TRUE(c.hessian_action(direction, hessian).converged);
  long long count = mesh.cells[0].n_owned;
  MPI_Allreduce(MPI_IN_PLACE, &count, 1, MPI_LONG_LONG, MPI_SUM, comm);
  Findings all{std::vector<double>(count, 0.0), std::vector<double>(count, 0.0)};
  for (int i = 0; i < mesh.cells[0].n_owned; ++i) {
    all[0][cells[i]] = d_bar[0][i];
    all[1][cells[i]] = hessian[0][i];
  }
  for (auto& v : all) MPI_Allreduce(MPI_IN_PLACE, v.data(), static_cast<int>(count), MPI_DOUBLE, MPI_SUM, comm);
  double slope = 0;
  for (long long i = 0; i < count; ++i) slope += all[0][i] * std::cos(2.1 * static_cast<double>(i));
  all.push_back({slope, value_dot[0]});
  return all;
}

// Every rank gets the derivatives of its own cells.
TEST(AcrossRanksField, ModulusPerCellHasTheSameGradientAndAgreesWithTheTangent) {
  for (const Shape shape : {Shape::triangle, Shape::tetrahedron}) {
    ProblemSpec s;
    s.kind = shape == Shape::triangle ? SolidKind::axisymmetric : SolidKind::spatial;
    s.cell = {shape, 2};
    s.refinement = 3;
    s.young_is_field = true;
    const Findings together = field_findings(s, PETSC_COMM_WORLD);
    EXPECT_NEAR(together[2][0], together[2][1], 1e-10 * std::abs(together[2][1]));
    if (rank_count() == 1) continue;
    const Findings alone = found_by_first_rank(together, [&] { return field_findings(s, PETSC_COMM_SELF); });
    expect_near(together[0], alone[0], "cell");
    expect_near(together[1], alone[1], "Hessian action of cell");
  }
}

INSTANTIATE_TEST_SUITE_P(Representative, AcrossRanks, testing::ValuesIn(parallel_solids()),
                         [](const auto& info) { return name_of(info.param) + "_" + std::to_string(info.param.refinement); });

}  // namespace
}  // namespace invar::gradient_test
