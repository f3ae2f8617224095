// Multigrid on coupled unknowns of equal order, and grad-div: answers of a direct solver, in few iterations.
#include <algorithm>
#include <string>

#include "tests/unit/flow/solved_flow.hpp"

namespace invar::test {
namespace {

FlowOptions equal_order(double viscosity) {
  FlowOptions o = in_space(viscosity);
  o.discretisation = FlowDiscretisation::equal_order;
  return o;
}

TEST(CoupledMultigrid, AnswersAreThoseOfADirectSolver) {
  for (Shape shape : {Shape::tetrahedron, Shape::hexahedron}) {
    SolvedFlow flow(make_box({0, 0, 0}, {2, 1, 1}, {12, 6, 6}, shape, 1), equal_order(0.01), through_a_duct);
    expect_direct_answers(flow, "coupled_amg");
  }
  SolvedFlow enclosed(make_box({0, 0, 0}, {1, 1, 1}, {6, 6, 6}, Shape::tetrahedron, 1), equal_order(0.02), in_a_cavity);
  expect_direct_answers(enclosed, "coupled_amg");
}

TEST(CoupledMultigrid, LeavesNoTraceOfOtherStates) {
  const Mesh box = make_box({0, 0, 0}, {2, 1, 1}, {8, 4, 4}, Shape::tetrahedron, 1);
  expect_no_trace_of_other_states([&] { return std::make_unique<SolvedFlow>(box, equal_order(0.02), through_a_duct); }, "coupled_amg");
}

// Eight times as many unknowns, five times the Reynolds number: the iterations stay few, also of the transpose.
TEST(CoupledMultigrid, HardlyDependsOnMeshAndReynoldsNumber) {
  for (const int n : {5, 10})
    for (const double viscosity : {0.05, 0.01}) {
      SolvedFlow flow(make_box({0, 0, 0}, {2, 1, 1}, {2 * n, n, n}, Shape::tetrahedron, 1), equal_order(viscosity), through_a_duct);
      LinearSolver solver = flow.solver("coupled_amg", 1e-8);
      Linearization linear(flow.residual(), solver, flow.point());
      VecHandle b = flow.load(0), x = zeros_like(b);
      const SolveReport forward = linear.solve_tangent(b, x), adjoint = linear.solve_adjoint(b, x);
      EXPECT_TRUE(forward.converged && adjoint.converged);
      EXPECT_LE(forward.iterations, 12) << n << " cells, viscosity " << viscosity;
      EXPECT_LE(adjoint.iterations, 12) << n << " cells, viscosity " << viscosity;
    }
}

TEST(CoupledMultigrid, AutoTakesItForLargeFlowInSpace) {
  const auto automatic = [](SolvedFlow& flow, PetscInt coupled_from) {
    LinearSolver solver(flow.residual().comm(), {.umfpack_up_to = 0, .coupled_from = coupled_from});
    solver.set_node_blocks(flow.residual().matrix_hints().node_blocks);
    Linearization linear(flow.residual(), solver, flow.point());
    return std::string(solver.method());
  };
  SolvedFlow space(make_box({0, 0, 0}, {2, 1, 1}, {12, 6, 6}, Shape::tetrahedron, 1), equal_order(0.05), through_a_duct);
  const PetscInt size = space.residual().dofs().n_global();
  EXPECT_EQ(automatic(space, size), "coupled_amg");
  EXPECT_EQ(automatic(space, size + 1), "mumps");
  FlowOptions plane = newtonian(1, 0.05);
  plane.discretisation = FlowDiscretisation::equal_order;
  SolvedFlow planar(make_rectangle(0, 0, 3, 1, 18, 6, Shape::triangle, 1), plane, past_a_step);
  EXPECT_EQ(automatic(planar, 1), "mumps");
}

TEST(CoupledMultigrid, TaylorHoodIsRefused) {
  SolvedFlow flow(duct(), in_space(0.05), through_a_duct);
  LinearSolver solver = flow.solver("coupled_amg", tight);
  try {
    Linearization linear(flow.residual(), solver, flow.point());
    FAIL() << "accepted";
  } catch (const std::invalid_argument& e) {
    EXPECT_NE(std::string(e.what()).find("use field_split_amg"), std::string::npos) << e.what();
  }
}

// With grad-div the iterations hardly depend on the Reynolds number; without they do (here 3 times as many).
TEST(GradDiv, KeepsIterationsFewAtHigherReynoldsNumbers) {
  const auto iterations = [](double viscosity, double grad_div) {
    FlowOptions o = in_space(viscosity);
    o.grad_div = grad_div;
    SolvedFlow flow(make_box({0, 0, 0}, {2, 1, 1}, {8, 4, 4}, Shape::tetrahedron, 2), o, through_a_duct);
    LinearSolver solver = flow.solver("field_split_amg", 1e-8);
    Linearization linear(flow.residual(), solver, flow.point());
    VecHandle b = flow.load(0), x = zeros_like(b);
    const SolveReport forward = linear.solve_tangent(b, x), adjoint = linear.solve_adjoint(b, x);
    EXPECT_TRUE(forward.converged && adjoint.converged);
    return std::pair(forward.iterations, adjoint.iterations);
  };
  const auto [slow, slow_adjoint] = iterations(0.0125, 0.025);
  const auto [fast, fast_adjoint] = iterations(0.0025, 0.025);
  EXPECT_LE(fast, 45);
  EXPECT_LE(fast_adjoint, 1.25 * fast + 3);
  EXPECT_LE(fast, 1.25 * slow + 3);
  EXPECT_LE(slow_adjoint, 1.25 * slow + 3);
}

// The term vanishes for a divergence-free quadratic velocity; in a cavity it reduces the loss of mass.
TEST(GradDiv, VanishesForExactSolutions) {
  const auto poiseuille = [](double grad_div) {
    FlowOptions o = newtonian(1.2, 0.05);
    o.grad_div = grad_div;
    FlowProblem f(make_rectangle(0, 0, 2, 1, 4, 3, Shape::triangle, 2), o);
    f.hold({"left", "bottom", "top"}, [](int i, const double* x) { return i == 0 ? 4 * x[1] * (1 - x[1]) : 0.0; });
    const Vec u = f.solve();
    return f.largest_error(u, [](int i, const double* x) { return i == 0 ? 4 * x[1] * (1 - x[1]) : 0.0; }, 0, 2);
  };
  EXPECT_LT(poiseuille(0), 1e-11);
  EXPECT_LT(poiseuille(3), 1e-11);
}

TEST(GradDiv, RefusesWhatItCannotMean) {
  FlowOptions o = newtonian(1, 0.1);
  o.grad_div = -1;
  EXPECT_THROW(FlowProblem(make_rectangle(0, 0, 1, 1, 2, 2, Shape::triangle, 2), o), std::invalid_argument);
  o.grad_div = 1;
  o.discretisation = FlowDiscretisation::equal_order;
  EXPECT_THROW(FlowProblem(make_rectangle(0, 0, 1, 1, 2, 2, Shape::triangle, 1), o), std::invalid_argument);
}

}  // namespace
}  // namespace invar::test
