// Block preconditioners of flow: the answers are those of a direct solver, in few iterations.
#include <algorithm>
#include <string>

#include "libfem/objective/form_value.hpp"
#include "libfluid/flow/unsteady_forms.hpp"
#include "libfluid/objective/flow_objectives.hpp"
#include "tests/unit/flow/solved_flow.hpp"
#include "tests/unit/gradient/flow_mesh.hpp"

namespace invar::test {
namespace {

/// A solve by substitution without iterations: factors with good pivots are exact. On this ring UMFPACK's default pivoting has a
/// growth factor of 10¹⁰.
TEST(FlowSolver, FactorsAreExact) {
  const Mesh ring = gradient_test::make_ring(gradient_test::ellipse(0, 0, 0.3, 0.3, 0),
                                             gradient_test::rectangle(-1, -0.8, 1.6, 0.8),
                                             gradient_test::channel_region, 12, 48, Shape::quadrilateral, 2);
  SolvedFlow flow(ring, newtonian(1, 1), [](FlowProblem& f) {
    f.hold({"inlet", "floor", "lid", "body"},
           [](int i, const double* x) { return i == 0 && x[0] < -1 + 1e-9 ? 1 - x[1] * x[1] / 0.64 : 0.0; });
  });
  for (const PetscInt umfpack_up_to : {0, 100000}) {
    LinearSolver solver(flow.residual().comm(), {.rtol = tight, .umfpack_up_to = umfpack_up_to});
    Linearization linear(flow.residual(), solver, flow.point());
    VecHandle b = flow.load(0), x = zeros_like(b);
    for (const SolveReport& report : {linear.solve_tangent(b, x), linear.solve_adjoint(b, x)}) {
      EXPECT_TRUE(report.converged) << report.method << ": " << report.reason;
      EXPECT_EQ(report.iterations, 0) << report.method;
    }
  }
}

class BlockSolver : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Flow, BlockSolver, testing::Values("field_split", "field_split_amg"),
                         [](const auto& info) { return info.param; });

TEST_P(BlockSolver, AnswersAreThoseOfADirectSolver) {
  for (Shape shape : {Shape::triangle, Shape::quadrilateral}) {
    SolvedFlow flow(make_rectangle(0, 0, 3, 1, 18, 6, shape, 2), newtonian(1, 0.02), past_a_step);
    expect_direct_answers(flow, GetParam());
  }
}

TEST_P(BlockSolver, EnclosedFlowWithAPinnedPressure) {
  SolvedFlow flow(make_rectangle(0, 0, 1, 1, 8, 8, Shape::triangle, 2), newtonian(1, 0.02), in_a_cavity);
  expect_direct_answers(flow, GetParam());
}

TEST_P(BlockSolver, InSpace) {
  SolvedFlow flow(duct(), in_space(0.05), through_a_duct);
  expect_direct_answers(flow, GetParam());
}

// If the whole boundary is prescribed, ∫ v·n over free nodes is a rounding error, and no boundary is open. On several ranks one mesh.
TEST_P(BlockSolver, EnclosedFlowInSpace) {
  int ranks = 1;
  MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
  for (int n : ranks == 1 ? std::vector{3, 5} : std::vector{4}) {
    SolvedFlow flow(make_box({0, 0, 0}, {1, 1, 1}, {n, n, n}, Shape::tetrahedron, 2), in_space(0.02), in_a_cavity);
    expect_direct_answers(flow, GetParam());
  }
}

TEST_P(BlockSolver, LeavesNoTraceOfOtherStates) {
  expect_no_trace_of_other_states([] { return std::make_unique<SolvedFlow>(duct(), in_space(0.02), through_a_duct); }, GetParam());
}

/// The method that `auto` chooses for the flow, with this threshold for block preconditioners.
std::string automatic(SolvedFlow& flow, PetscInt blocks_from) {
  LinearSolver solver(flow.residual().comm(), {.umfpack_up_to = 0, .blocks_from = blocks_from});
  solver.set_saddle_point(flow.residual().matrix_hints().saddle_point);
  Linearization linear(flow.residual(), solver, flow.point());
  return std::string(solver.method());
}

TEST(FlowSolver, AutoTakesBlocksForLargeFlowInSpace) {
  SolvedFlow open(duct(), in_space(0.05), through_a_duct);
  const PetscInt size = open.residual().dofs().n_global();
  EXPECT_EQ(automatic(open, size), "field_split_amg");
  EXPECT_EQ(automatic(open, size + 1), "mumps");
  SolvedFlow enclosed(make_box({0, 0, 0}, {1, 1, 1}, {3, 3, 3}, Shape::tetrahedron, 2), in_space(0.05), in_a_cavity);
  EXPECT_EQ(automatic(enclosed, 1), "field_split_amg");
  SolvedFlow planar(make_rectangle(0, 0, 3, 1, 6, 2, Shape::triangle, 2), newtonian(1, 0.05), past_a_step);
  EXPECT_EQ(automatic(planar, 1), "mumps");
  FlowOptions porous = in_space(0.05);
  porous.resistance = 10;
  SolvedFlow resisted(duct(), porous, through_a_duct);
  EXPECT_EQ(automatic(resisted, 1), "mumps");
}

// An undetermined pressure is left to the direct method, which detects it.
TEST(FlowSolver, AutoLeavesAnUndeterminedPressureToADirectMethod) {
  FlowOptions o = in_space(0.05);
  FlowProblem f(make_box({0, 0, 0}, {1, 1, 1}, {2, 2, 2}, Shape::tetrahedron, 2), o);
  f.hold({"left", "right", "bottom", "top", "back", "front"}, [](int, const double*) { return 0.0; });
  f.residual()->finish();
  f.residual()->set_saddle_point(std::make_shared<FlowPreconditioner>(*f.residual(), 0, o.kind, o.model()));
  VecHandle u = f.residual()->create_vector(), b = zeros_like(u), x = zeros_like(u);
  check(VecSet(b, 1.0));
  for (const PetscInt umfpack_up_to : {0, 10000}) {
    LinearSolver solver(f.residual()->comm(), {.umfpack_up_to = umfpack_up_to, .blocks_from = 1});
    solver.set_saddle_point(f.residual()->matrix_hints().saddle_point);
    Linearization linear(*f.residual(), solver, test::at_full_load(*f.residual(), u));
    EXPECT_TRUE(find_linear_method(solver.method()).direct);
    const SolveReport report = linear.solve_tangent(b, x);
    EXPECT_FALSE(report.converged);
    EXPECT_TRUE(report.singular) << report.reason;
  }
}

// On stagnation `auto` replaces the method chosen by size by the direct method.
TEST(FlowSolver, AutoGoesOnWithADirectMethodWhereBlocksFail) {
  SolvedFlow flow(duct(), in_space(0.05), through_a_duct);
  LinearSolver direct = flow.solver("mumps", tight);
  LinearSolver hasty(flow.residual().comm(), {.rtol = tight, .max_iterations = 3, .umfpack_up_to = 0, .blocks_from = 1});
  hasty.set_saddle_point(flow.residual().matrix_hints().saddle_point);
  VecHandle b = flow.load(0), x = zeros_like(b), reference = zeros_like(b);
  Linearization exact(flow.residual(), direct, flow.point()), linear(flow.residual(), hasty, flow.point());
  EXPECT_EQ(hasty.method(), "field_split_amg");
  const SolveReport report = linear.solve_tangent(b, x);
  EXPECT_TRUE(report.converged);
  EXPECT_EQ(report.method, "mumps");
  EXPECT_NE(report.reason.find("field_split_amg"), std::string::npos) << report.reason;
  ASSERT_TRUE(exact.solve_tangent(b, reference).converged);
  EXPECT_LT(relative_difference(x, reference), 1e-8);
  EXPECT_TRUE(linear.solve_adjoint(b, x).converged);
}

// Kinetic energy and its gradient to density and viscosity: by blocks, by `auto`, which begins with them and leaves
// them where so few unknowns are factored with less work, and by MUMPS.
TEST(FlowSolver, GradientsByBlocksAreThoseOfADirectMethod) {
  const auto derivatives = [](LinearSolverOptions o) {
    const int density = 0, viscosity = 1;
    int energy = 0;
    SolvedFlow flow(duct(), in_space(0.05), [&](FlowProblem& f) {
      through_a_duct(f);
      energy = f.residual()->add_functional(make_kinetic_energy(FlowKind::spatial, f.cells(4)), {{density, {}}});
    });
    const std::shared_ptr<FormResidual> residual = flow.problem.residual();
    LoadSteppingOptions stepping;
    stepping.newton.rtol = 1e-12;
    const auto solver = std::make_shared<LinearSolver>(PETSC_COMM_WORLD, std::move(o));
    StaticCase run("flow", residual, solver, {1.0}, 0.0, stepping);
    std::vector<double> factors(residual->form_count(), 0.0);
    factors[energy] = 1;
    run.terms().push_back({"energy", std::make_shared<FormValue>(residual, factors), {0}});
    const Controls start = residual->control_values();
    const ProcessReport report = run.run(start);
    EXPECT_TRUE(report.ok) << report.reason;
    Controls d_bar = start;
    for (std::vector<double>& control : d_bar) std::fill(control.begin(), control.end(), 0.0);
    EXPECT_TRUE(run.gradient(d_bar).converged);
    std::vector<double> gradient{d_bar[density][0], d_bar[viscosity][0]};
    MPI_Allreduce(MPI_IN_PLACE, gradient.data(), 2, MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD);
    gradient.push_back(run.value());
    return std::pair(std::string(solver->method()), gradient);
  };
  const auto [blocks, found] = derivatives({.method = "field_split_amg", .rtol = 1e-12});
  const auto [changed, left] = derivatives({.rtol = 1e-12, .blocks_from = 1});
  const auto [factors, expected] = derivatives({.method = "mumps"});
  EXPECT_EQ(blocks, "field_split_amg");
  EXPECT_NE(changed, "field_split_amg");
  for (int k : {0, 1, 2}) {
    EXPECT_NEAR(found[k], expected[k], 1e-8 * std::abs(expected[k])) << k;
    EXPECT_NEAR(left[k], expected[k], 1e-8 * std::abs(expected[k])) << k;
  }
}

TEST_P(BlockSolver, ShearThinningFluidInAPipe) {
  FlowOptions o{.kind = FlowKind::axisymmetric, .law = "carreau", .parameters = {1, 0.1, 0.01, 1, 0.5}};
  SolvedFlow flow(make_rectangle(0, 0, 1, 2, 6, 12, Shape::triangle, 2), o, [](FlowProblem& f) {
    f.hold({"bottom", "right"}, [](int i, const double* x) { return i == 1 && x[1] < 1e-9 ? 1 - x[0] * x[0] : 0.0; });
    f.hold("left", 0);
  });
  expect_direct_answers(flow, GetParam());
}

// The bound of the augmented Lagrangian for every mesh and Reynolds number.
TEST(FlowSolver, IterationsDoNotDependOnMeshOrReynoldsNumber) {
  for (int n : {4, 8, 16})
    for (double reynolds : {20.0, 100.0, 200.0}) {
      SolvedFlow flow(make_rectangle(0, 0, 3, 1, 3 * n, n, Shape::triangle, 2), newtonian(1, 0.5 / reynolds),
                      past_a_step);
      LinearSolver solver = flow.solver("field_split", 1e-8);
      Linearization linear(flow.residual(), solver, flow.point());
      VecHandle b = flow.load(0), x = zeros_like(b);
      const SolveReport forward = linear.solve_tangent(b, x), adjoint = linear.solve_adjoint(b, x);
      EXPECT_TRUE(forward.converged && adjoint.converged);
      EXPECT_LE(std::max(forward.iterations, adjoint.iterations), 10) << n << " cells, Re " << reynolds;
    }
}

// Multigrid: slow growth with the number of unknowns at a moderate Reynolds number (here 16 times as many).
TEST(FlowSolver, MultigridHardlyDependsOnTheMesh) {
  int iterations[2] = {0, 0};
  for (int k : {0, 1}) {
    const int n = k == 0 ? 6 : 24;
    SolvedFlow flow(make_rectangle(0, 0, 3, 1, 3 * n, n, Shape::triangle, 2), newtonian(1, 0.025), past_a_step);
    LinearSolver solver = flow.solver("field_split_amg", 1e-6);
    Linearization linear(flow.residual(), solver, flow.point());
    VecHandle b = flow.load(0), x = zeros_like(b);
    const SolveReport report = linear.solve_tangent(b, x);
    EXPECT_TRUE(report.converged) << report.reason;
    iterations[k] = report.iterations;
  }
  EXPECT_LE(iterations[1], 1.5 * iterations[0]);
}

// The Schur complement includes the time step: with the density over a small step in the velocity block the iterations are
// as few as without.
TEST(FlowSolver, SmallTimeStepsCostNoIterations) {
  FlowOptions o = newtonian(1, 0.02);
  SolvedFlow flow(make_rectangle(0, 0, 3, 1, 36, 12, Shape::triangle, 2), o, [&](FlowProblem& f) {
    f.residual()->add_form(make_flow_inertia(o.kind, f.cells(4)), {{0, {}}});  // control 0: the density
    past_a_step(f);
  });
  VecHandle b = flow.load(0), x = zeros_like(b);
  const auto iterations = [&](double rate) {
    PerLevel<double> weights(1.0);
    weights[Level::rate] = rate;
    flow.residual().jacobian(flow.point(), weights);
    LinearSolver solver = flow.solver("field_split_amg", 1e-8);
    solver.set_operator(flow.residual().matrix(), false);
    const SolveReport forward = solver.solve(b, x), adjoint = solver.solve_transpose(b, x);
    EXPECT_TRUE(forward.converged && adjoint.converged) << forward.reason << adjoint.reason;
    return std::max(forward.iterations, adjoint.iterations);
  };
  const int steady = iterations(0);
  for (const double rate : {10.0, 1000.0}) EXPECT_LE(iterations(rate), steady) << rate;
}

// Creeping flow in SI units of a stiff fluid: the pressures are large, the velocities small. A preconditioner
// transposed as a whole takes nine times as many iterations as the forward one. With a source of 1 at every pressure
// and its sink where the pressure is held, the solution is so large (1e9, the load 50) that rounding leaves a relative
// residual of about 1e-8, and iterations near there depend on the order of sums, which varies on three ranks; without
// sources counts are the same every time.
TEST(FlowSolver, EnclosedCreepingFlowHasAnAdjoint) {
  SolvedFlow flow(make_box({0, 0, 0}, {1, 1, 1}, {4, 4, 4}, Shape::tetrahedron, 2), in_space(1000), in_a_cavity);
  LinearSolver solver = flow.solver("field_split_amg", 1e-8);
  Linearization linear(flow.residual(), solver, flow.point());
  for (const double source : {0.0, 1.0}) {
    VecHandle b = flow.problem.interpolate([=](int c, const double*) { return c < 3 ? 1.0 : source; }), x = zeros_like(b);
    const SolveReport forward = linear.solve_tangent(b, x), adjoint = linear.solve_adjoint(b, x);
    EXPECT_TRUE(forward.converged) << forward.reason;
    EXPECT_TRUE(adjoint.converged) << adjoint.reason;
    if (source == 0) {
      EXPECT_LE(forward.iterations, 30);
      EXPECT_LE(adjoint.iterations, 1.6 * forward.iterations);
    }
  }
}

TEST(FlowSolver, EqualOrderIsRefused) {
  FlowOptions o = newtonian(1, 0.1);
  o.discretisation = FlowDiscretisation::equal_order;
  FlowProblem problem(make_rectangle(0, 0, 1, 1, 2, 2, Shape::triangle, 1), o);
  problem.residual()->finish();
  EXPECT_THROW(FlowPreconditioner(*problem.residual(), 0, o.kind, o.model()), std::invalid_argument);
}

}  // namespace
}  // namespace invar::test
