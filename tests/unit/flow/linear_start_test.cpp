// The initial guess from linear elements of the same mesh.
#include <gtest/gtest.h>

#include "libfem/space/prolongation.hpp"
#include "libfluid/solve/linear_start.hpp"
#include "tests/unit/flow/flow_problem.hpp"

namespace invar {
namespace {

double affine(int component, const double* x) { return 1.5 * component - 2 * x[0] + 0.5 * (component + 1) * x[1]; }

/// Local values of a field at all nodes that carry the component.
VecHandle nodal_values(const DofMap& dofs) {
  VecHandle u = dofs.create_vector();
  double* a = nullptr;
  check(VecGetArray(u, &a));
  for (int n = 0; n < dofs.mesh().n_owned_nodes; ++n)
    for (int c = 0; c < dofs.dof_count(n); ++c) a[dofs.dof(n, c)] = affine(c, &dofs.mesh().coordinates[std::size_t(n) * 2]);
  check(VecRestoreArray(u, &a));
  return u;
}

TEST(Prolongation, KeepsAffineFieldsOnStraightCells) {
  for (const Shape shape : {Shape::triangle, Shape::quadrilateral}) {
    const auto mesh =
        std::make_shared<const Mesh>(distribute(make_rectangle(0, 0, 2, 1, 5, 4, shape, 2), PETSC_COMM_WORLD));
    const auto space = [&](int order) {
      return DofMap(mesh, {{"u_x", order}, {"u_y", order}, {"p", 1}}, PETSC_COMM_WORLD);
    };
    const DofMap linear = space(1), quadratic = space(2);
    const VecHandle coarse = nodal_values(linear), exact = nodal_values(quadratic);
    VecHandle u = quadratic.create_vector();
    check(MatMult(prolongation_from_linear(linear, quadratic), coarse, u));
    check(VecAXPY(u, -1, exact));
    PetscReal error;
    check(VecNorm(u, NORM_INFINITY, &error));
    EXPECT_LT(error, 1e-14);
    EXPECT_THROW(prolongation_from_linear(quadratic, linear), std::invalid_argument);
  }
}

/// A cavity at Re 200 whose lid moves with the control `lid`.
struct Cavity {
  std::shared_ptr<const DofMap> dofs;
  std::shared_ptr<FormResidual> residual;
};
Cavity cavity(std::shared_ptr<const Mesh> mesh, int order) {
  Cavity f;
  f.dofs = std::make_shared<const DofMap>(mesh, std::vector<Component>{{"u_x", order}, {"u_y", order}, {"p", 1}},
                                          PETSC_COMM_WORLD);
  f.residual = std::make_shared<FormResidual>(f.dofs);
  FormResidual& r = *f.residual;
  const auto number = [&](double v) { return ControlledValue{r.add_control({"", ""}, {v}), {}}; };
  const ControlledValue zero = number(0), lid = number(1);
  const auto discretisation = order == 2 ? FlowDiscretisation::taylor_hood : FlowDiscretisation::equal_order;
  r.add_form(make_navier_stokes(FlowKind::planar, discretisation, FlowModel(), CellBatches::on_cells(f.dofs, "", 5)),
             {number(1), number(1.0 / 200), zero, zero, zero});
  for (const char* wall : {"left", "right", "bottom"})
    for (int i = 0; i < 2; ++i) r.add_dirichlet({wall, i, zero});
  r.add_dirichlet({"top", 0, {lid.control, [](const double* x, double) { return 16 * std::pow(x[0] * (1 - x[0]), 2); }, true}});
  r.add_dirichlet({"top", 1, zero});
  r.add_dirichlet({"left_bottom", 2, zero});
  r.finish();
  return f;
}

TEST(LinearStart, GivesTheSameFlowInFewerSteps) {
  const auto mesh = std::make_shared<const Mesh>(
      distribute(make_rectangle(0, 0, 1, 1, 16, 16, Shape::triangle, 2), PETSC_COMM_WORLD));
  const Cavity flow = cavity(mesh, 2);
  const auto solve = [&](bool guided, Vec u) {
    LoadSteppingOptions options;
    options.newton.rtol = 1e-13;
    StaticCase process("cavity", flow.residual, std::make_shared<LinearSolver>(flow.dofs->comm()), {1.0}, 0.0, options);
    if (guided) process.guess = LinearStart(cavity(mesh, 1).residual, flow.dofs, 0.0);
    const ProcessReport report = process.run(flow.residual->control_values());
    EXPECT_TRUE(report.ok) << report.reason;
    if (report.ok) check(VecCopy(process.state(0), u));
    return report.newton_iterations;
  };
  VecHandle from_rest = flow.dofs->create_vector(), guided = flow.dofs->create_vector();
  const int steps = solve(false, from_rest), fewer = solve(true, guided);
  EXPECT_LT(fewer, steps);
  PetscReal size, difference;
  check(VecNorm(from_rest, NORM_INFINITY, &size));
  check(VecAXPY(guided, -1, from_rest));
  check(VecNorm(guided, NORM_INFINITY, &difference));
  EXPECT_LT(difference, 1e-10 * size);
}

TEST(LinearStart, AGuessThatIsNoneIsNoHarm) {
  const auto mesh = std::make_shared<const Mesh>(
      distribute(make_rectangle(0, 0, 1, 1, 6, 6, Shape::triangle, 2), PETSC_COMM_WORLD));
  const Cavity flow = cavity(mesh, 2);
  StaticCase process("cavity", flow.residual, std::make_shared<LinearSolver>(flow.dofs->comm()), {1.0}, 0.0, {});
  int asked = 0;
  process.guess = [&](const Controls&, double, Vec, const std::shared_ptr<SolveMonitor>&) { return ++asked, false; };
  EXPECT_TRUE(process.run(flow.residual->control_values()).ok);
  EXPECT_EQ(asked, 1);
}

}  // namespace
}  // namespace invar
