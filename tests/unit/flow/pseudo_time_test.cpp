// Laminar flow followed in pseudo-time to its steady state.
#include <gtest/gtest.h>

#include "libfem/objective/form_value.hpp"
#include "libfluid/flow/pseudo_mass_forms.hpp"
#include "libfluid/objective/flow_objectives.hpp"
#include "libfluid/turbulence/first_factor.hpp"
#include "tests/unit/flow/flow_problem.hpp"

namespace invar::test {
namespace {

using Continuation = LoadSteppingOptions::Continuation;

/// A cube or square with a lid that slides (13_cavity): the flow, and its kinetic energy as the objective.
struct Cavity {
  FlowProblem problem;
  std::unique_ptr<StaticCase> process;
  NewtonReport newton;
  ProcessReport report;

  Cavity(const Mesh& mesh, double reynolds, FlowDiscretisation discretisation, Continuation continuation, double rtol = 1e-12, int newton_steps = 50)
      : problem(mesh, options(mesh.dim, reynolds, discretisation)) {
    FormResidual& r = *problem.residual();
    const FlowOptions o = options(mesh.dim, reynolds, discretisation);
    const int density = 0, viscosity = 1;
    std::vector<std::string> walls{"left", "right", "bottom"};
    if (mesh.dim == 3) walls.insert(walls.end(), {"back", "front"});
    problem.hold("top", 0, [](const double*) { return 1.0; });
    for (int i = 1; i < mesh.dim; ++i) problem.hold("top", i);
    problem.hold(walls, [](int, const double*) { return 0.0; });
    problem.hold(mesh.dim == 3 ? "left_bottom_back" : "left_bottom", mesh.dim);
    for (CellBatches& part : split_by_shape(problem.cells(problem.degree())))
      r.add_pseudo_time(make_flow_pseudo_mass(o.kind, o.model(), std::move(part)), {{density, {}}, {viscosity, {}}});
    const int energy = r.add_functional(make_kinetic_energy(o.kind, problem.cells(4)), {{density, {}}});
    r.set_continuation_controls({viscosity});
    r.finish();
    LoadSteppingOptions stepping;
    stepping.newton.rtol = rtol;
    stepping.newton.max_iterations = newton_steps;
    stepping.continuation = continuation;
    process = std::make_unique<StaticCase>("cavity", problem.residual(), std::make_shared<LinearSolver>(r.comm()), std::vector{1.0}, 0.0, stepping);
    std::vector<double> factors(r.form_count(), 0.0);
    factors[energy] = 1;
    process->terms().push_back({"energy", std::make_shared<FormValue>(problem.residual(), factors), {0}});
    process->on_step = [this](int, const NewtonReport& n) { newton = n; };
    report = process->run(r.control_values());
  }
  static FlowOptions options(int dim, double reynolds, FlowDiscretisation discretisation) {
    FlowOptions o{.discretisation = discretisation, .parameters = {reynolds, 1}};
    if (dim == 3) o.kind = FlowKind::spatial;
    return o;
  }
};

Mesh square(int order, int n = 12) { return make_rectangle(0, 0, 1, 1, n, n, Shape::quadrilateral, order); }

// The same flow as by Newton's method alone, on both discretisations, in the plane and in space; the CFL number grows,
// and the end is Newton's.
TEST(PseudoTime, FindsTheFlowOfNewtonsMethod) {
  for (const auto& [mesh, discretisation] : {std::pair(square(2), FlowDiscretisation::taylor_hood), std::pair(square(1), FlowDiscretisation::equal_order),
                                             std::pair(make_box({0, 0, 0}, {1, 1, 1}, {5, 5, 5}, Shape::tetrahedron, 1), FlowDiscretisation::equal_order)}) {
    Cavity direct(mesh, 100, discretisation, Continuation::none), followed(mesh, 100, discretisation, Continuation::pseudo_time);
    ASSERT_TRUE(direct.report.ok) << direct.report.reason;
    ASSERT_TRUE(followed.report.ok) << followed.report.reason;
    EXPECT_TRUE(direct.newton.cfl.empty());
    EXPECT_GE(followed.newton.cfl.size(), 3u);
    EXPECT_GT(followed.newton.cfl.back(), 30 * followed.newton.cfl.front());
    EXPECT_LT(followed.newton.cfl.size(), followed.newton.steps.size());
    EXPECT_EQ(followed.newton.steps.size() + 1, followed.newton.residuals.size());
    EXPECT_EQ(followed.newton.steps.size(), followed.newton.refused.size());
    EXPECT_NEAR(followed.process->value(), direct.process->value(), 1e-9 * direct.process->value());
  }
}

// Where Newton's method has too few steps from rest, `automatic` gets there, `none` does not and says why.
TEST(PseudoTime, IsOneOfTheWaysWhereNewtonsMethodFails) {
  const auto solve = [](Continuation by) { return Cavity(square(2, 16), 2000, FlowDiscretisation::taylor_hood, by, 1e-12, 8); };
  const Cavity none = solve(Continuation::none), followed = solve(Continuation::pseudo_time), viscosity = solve(Continuation::easier),
               automatic = solve(Continuation::automatic);
  EXPECT_FALSE(none.report.ok);
  EXPECT_NE(none.report.reason.find("no convergence within 8 steps"), std::string::npos) << none.report.reason;
  for (const Cavity* c : {&followed, &viscosity, &automatic}) {
    ASSERT_TRUE(c->report.ok) << c->report.reason;
    EXPECT_NEAR(c->process->value(), followed.process->value(), 1e-9 * followed.process->value());
  }
}

// The tolerance of Newton's method is too loose for a derivative.
TEST(PseudoTime, NoDerivativesOfFlowsThatAreSolvedRoughly) {
  for (const double rtol : {1e-12, 1e-4}) {
    Cavity flow(square(1), 100, FlowDiscretisation::equal_order, Continuation::automatic, rtol);
    ASSERT_TRUE(flow.report.ok);
    Controls d = flow.problem.residual()->control_values();
    const bool refused = flow.newton.residuals.back() > 1e-10 * flow.newton.residuals.front();
    EXPECT_EQ(refused, rtol == 1e-4);
    const SolveReport report = flow.process->gradient(d);
    EXPECT_EQ(report.converged, !refused);
    const ProcessReport again = flow.process->run(flow.problem.residual()->control_values(), &d);
    EXPECT_EQ(again.ok, !refused);
    if (refused) {
      EXPECT_NE(again.reason.find("no derivatives"), std::string::npos) << again.reason;
    }
  }
}

// Momentum and mass beside a component of other units; of that one changes are limited, of the others not.
TEST(PseudoTime, ATransportedComponentIsASeparateEquation) {
  const auto mesh = std::make_shared<const Mesh>(distribute(square(1, 4), PETSC_COMM_WORLD));
  const auto dofs = std::make_shared<const DofMap>(mesh, std::vector<Component>{{"u_x", 1}, {"u_y", 1}, {"p", 1}, {"chi", 1}}, PETSC_COMM_WORLD);
  FormResidual r(dofs);
  r.set_transported(transported_viscosity(3, 1));
  PseudoTime& pseudo = r;
  const auto filled = [&](double others, double chi) {
    VecHandle v = r.create_vector();
    double* a = nullptr;
    check(VecGetArray(v, &a));
    for (int node = 0; node < mesh->n_owned_nodes; ++node)
      for (int c = 0; c < 4; ++c) a[dofs->dof(node, c)] = c == 3 ? chi : others;
    check(VecRestoreArray(v, &a));
    return v;
  };
  const VecHandle marks = filled(0, 0), carried = filled(0, 1);
  pseudo.mark_transported(marks);
  PetscBool marked = PETSC_FALSE;
  check(VecEqual(marks, carried, &marked));
  EXPECT_TRUE(marked);
  const double table[][3] = {{100, -1e4, 50}, {3, 1000, 103}, {-4, -500, -14}, {1000, 5000, 3000}, {1000, 900, 900}, {0, -9, -9}};
  for (const auto& [before, wanted, taken] : table) {
    const VecHandle u = filled(1, before), trial = filled(1e6, wanted), expected = filled(1e6, taken);
    const int clipped = pseudo.limit_change(u, trial);
    PetscBool same = PETSC_FALSE;
    check(VecEqual(trial, expected, &same));
    EXPECT_TRUE(same) << before << " to " << wanted;
    EXPECT_EQ(clipped, taken == wanted ? 0 : mesh->n_owned_nodes) << before << " to " << wanted;
  }
}

}  // namespace
}  // namespace invar::test
