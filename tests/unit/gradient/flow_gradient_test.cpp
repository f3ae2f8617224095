// Every discretisation, law and boundary term of flow × every objective × every number and field: adjoint
// against tangent, Taylor orders, the Hessian, and the tangent against differences of solved problems.

#include "libfem/design/field/cone_filter.hpp"
#include "libfem/design/field/density_design.hpp"
#include "libfem/design/field/helmholtz_filter.hpp"
#include "tests/unit/gradient/flow_functional.hpp"
#include "tests/unit/gradient/gradient_checks.hpp"

namespace invar::gradient_test {
namespace {

class FlowGradient : public testing::TestWithParam<FlowSpec> {};

// On several ranks flow_parallel_test.cpp compares with one.
TEST_P(FlowGradient, IsExact) {
  if (rank_count() > 1) GTEST_SKIP();
  const SolvedFlow flow(GetParam(), PETSC_COMM_WORLD);
  ASSERT_TRUE(flow.report.ok) << flow.report.reason;
  const auto f = flow.functional(full_design(flow.problem));
  const DesignVector theta = f->start();
  check_adjoint_against_tangent(*f, theta);
  check_constraints(*f, theta);
  check_taylor(*f, theta);
  check_hessian(*f, theta);
  check_differences(*f, theta);
}

INSTANTIATE_TEST_SUITE_P(Flows, FlowGradient, testing::ValuesIn(all_flow_specs()),
                         [](const auto& info) { return info.param.name; });

// Each objective alone, with orders of its own; those that depend on the shape alone, with it.
TEST(FlowObjectives, EachIsExactAlone) {
  if (rank_count() > 1) GTEST_SKIP();
  const SolvedFlow plain(all_flow_specs()[1], PETSC_COMM_WORLD), carrying(all_flow_specs().back(), PETSC_COMM_WORLD);
  ASSERT_TRUE(plain.report.ok && carrying.report.ok) << plain.report.reason << carrying.report.reason;
  for (int k = 0; k < static_cast<int>(all_flow_objectives().size()); ++k) {
    const std::string& name = all_flow_objectives()[k].name;
    if (all_flow_objectives()[k].of_shape_alone) continue;
    SCOPED_TRACE(name);
    const SolvedFlow& flow = all_flow_objectives()[k].of_scalar ? carrying : plain;
    const auto f = flow.functional(full_design(flow.problem), k);
    check_adjoint_against_tangent(*f, f->start());
    check_taylor(*f, f->start());
    check_hessian(*f, f->start());
  }
}

// Densities: filtered, projected, and the resistance of the porous body made of them. On several ranks with one flow,
// without Taylor tests and second derivatives.
TEST(FlowDensities, AreExactWithNumbersAndFields) {
  const int ranks = rank_count();
  for (FlowSpec s : all_flow_specs()) {
    if (!s.fields || (ranks > 1 && s.name != "fields_tri3")) continue;
    if (ranks > 1) s.refinement = 2;  // something to do for every rank
    SCOPED_TRACE(s.name);
    const SolvedFlow flow(s, PETSC_COMM_WORLD);
    ASSERT_TRUE(flow.report.ok) << flow.report.reason;
    const FlowGradientProblem& p = flow.problem;
    int resistance = -1;
    for (int c : p.fields)
      if (p.residual->controls()[c].name == "resistance") resistance = c;
    DensityStage stage;
    stage.steepness = 3;
    stage.max_resistance = 8;
    std::shared_ptr<CellFilter> filter = std::make_shared<HelmholtzFilter>(p.mesh, 0.5, s.kind == FlowKind::axisymmetric);
    if (s.kind == FlowKind::axisymmetric) filter = std::make_shared<ConeFilter>(p.mesh, 0.5, true);
    Design design{number_design(p, p.numbers), std::make_shared<FieldDesign>(p.residual, p.fields[0])};
    design.push_back(std::make_shared<DensityDesign>(filter, "", std::vector{stage}, std::vector<double>{0.6},
                                                     std::vector<DensityDesign::Target>{{.property = resistance}}));
    const auto f = flow.functional(std::move(design));
    const DesignVector theta = moved(f->start(), 0.5, Directions(*f, f->start()).random(3));
    check_adjoint_against_tangent(*f, theta);
    check_constraints(*f, theta);
    if (ranks > 1) continue;
    check_taylor(*f, theta);
    check_hessian(*f, theta);
  }
}

// Iterative solvers: at the tolerance that they reach, the derivatives are as exact. On several ranks those of the
// objective, whose systems are those of the constraints.
TEST(FlowSolvers, IterativeOnesGiveTheSameDerivatives) {
  const std::pair<int, const char*> solvers[] = {{4, "gmres_ilu"}, {1, "field_split"}, {0, "field_split_amg"}, {6, "coupled_amg"}};
  for (const auto& [spec, solver] : solvers) {
    FlowSpec s = all_flow_specs()[spec];
    SCOPED_TRACE(s.name + " " + solver);
    s.solver = solver;
    const SolvedFlow flow(s, PETSC_COMM_WORLD);
    ASSERT_TRUE(flow.report.ok) << flow.report.reason;
    const auto f = flow.functional(full_design(flow.problem));
    check_adjoint_against_tangent(*f, f->start());
    if (rank_count() > 1) continue;
    check_constraints(*f, f->start());
    check_hessian(*f, f->start());
  }
}

}  // namespace
}  // namespace invar::gradient_test
