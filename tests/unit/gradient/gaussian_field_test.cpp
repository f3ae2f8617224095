// Constants of materials as fields with a normal distribution known before: gradients, Hessians and products with the residuals' Jacobian.
#include "libfem/design/field/gaussian_field.hpp"

#include "libfem/objective/cell_value.hpp"
#include "tests/unit/gradient/flow_functional.hpp"
#include "tests/unit/gradient/gradient_checks.hpp"
#include "tests/unit/gradient/problem_functional.hpp"
#include "tests/unit/gradient/problem_table.hpp"

namespace invar::gradient_test {
namespace {

using Scale = VariableTransform::Kind;

std::shared_ptr<GaussianField> gaussian_field_of(const FormResidual& residual, int control, Scale scale, double first) {
  const auto mesh = residual.dofs().mesh_pointer();
  std::size_t cells = 0;
  for (const CellBlock& block : mesh->cells) cells += static_cast<std::size_t>(block.count());
  return std::make_shared<GaussianField>(mesh, std::make_shared<BilaplacianPrior>(mesh, "", 0.2, 0.6), "", VariableTransform(scale, first),
                                         FieldRange{.outside = first}, std::vector<double>(cells, scale == Scale::log ? 0.1 : 1.1),
                                         std::vector<FieldTarget>{{0, control}});
}

TEST(GaussianFields, AreExactInSolids) {
  const int ranks = rank_count();
  std::vector<ProblemSpec> specs = solids_of_fields();
  for (ProblemSpec& s : specs) {
    const auto turn = &s - specs.data();
    for (const Scale scale : {Scale::log, Scale::linear}) {
      if (ranks > 1 && (scale == Scale::log) != (turn % 2 == 0)) continue;
      SCOPED_TRACE(name_of(s));
      const SolidProblem p = make_problem(s, PETSC_COMM_WORLD);
      const auto solved = p.make_case();
      ASSERT_TRUE(solved->run(p.residual->control_values()).ok);
      const double first = typical_constant(std::string(p.material->parameters()[0].key));
      auto c = p.make_case();
      for (const ObservableCase& o : all_observables()) c->data().push_back(data_of(p, *solved, o));
      DataSet cell{"cell", std::make_shared<CellValue>(p.residual, 0, 0, 0), {0}, {0.8 * first}, {0.1 * first}};
      c->terms().push_back({cell.name, cell.observable, {0}, 0.2 / first});
      c->data().push_back(std::move(cell));
      CaseFunctional f({c}, {std::make_shared<NumberDesign>(design_of(p)), gaussian_field_of(*p.residual, 0, scale, first)}, p.dofs->comm());
      const DesignVector theta = moved(f.start(), 0.3, Directions(f, f.start()).random(5));
      check_adjoint_against_tangent(f, theta);
      check_taylor(f, theta);
      check_hessian(f, theta);
      check_residual_products(f, theta);
    }
  }
}

TEST(GaussianFields, AreExactInFlow) {
  for (FlowSpec s : all_flow_specs()) {
    if (!s.fields || s.name != "fields_tri3") continue;
    if (rank_count() > 1) s.refinement = 2;
    const SolvedFlow flow(s, PETSC_COMM_WORLD);
    ASSERT_TRUE(flow.report.ok) << flow.report.reason;
    const FlowGradientProblem& p = flow.problem;
    const int control = p.fields[1];
    double first = flow.start[control][0];
    MPI_Bcast(&first, 1, MPI_DOUBLE, 0, p.dofs->comm());
    auto c = p.make_case();
    for (const FlowObjective& o : all_flow_objectives())
      if (!o.of_shape_alone && o.applies(s)) c->data().push_back(data_of(p, *flow.at_start, o));
    CaseFunctional f({c}, {number_design(p, p.numbers), gaussian_field_of(*p.residual, control, Scale::log, first)}, p.dofs->comm());
    const DesignVector theta = moved(f.start(), 0.3, Directions(f, f.start()).random(5));
    check_adjoint_against_tangent(f, theta);
    check_residual_products(f, theta);
  }
}

}  // namespace
}  // namespace invar::gradient_test
