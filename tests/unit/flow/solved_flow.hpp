#pragma once
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "libadjoint/linearization.hpp"
#include "libfluid/solve/flow_preconditioner.hpp"
#include "tests/support/full_load.hpp"
#include "tests/unit/flow/flow_problem.hpp"

namespace invar::test {

inline constexpr double tight = 1e-11;

/// A flow and its state, with the blocks made known to solvers.
struct SolvedFlow {
  FlowProblem problem;
  VecHandle state;

  SolvedFlow(const Mesh& mesh, const FlowOptions& o, const std::function<void(FlowProblem&)>& conditions)
      : problem(mesh, o) {
    conditions(problem);
    const Vec u = problem.solve();
    state = zeros_like(u);
    check(VecCopy(u, state));
    if (o.discretisation == FlowDiscretisation::equal_order) residual().set_node_blocks(true);
    else residual().set_saddle_point(std::make_shared<FlowPreconditioner>(residual(), 0, o.kind, o.model()));
  }
  FormResidual& residual() { return *problem.residual(); }
  EvaluationPoint point() { return at_full_load(residual(), state); }
  LinearSolver solver(const std::string& method, double rtol) {
    LinearSolver s(residual().comm(), {.method = method, .rtol = rtol});
    s.set_saddle_point(residual().matrix_hints().saddle_point);
    s.set_node_blocks(residual().matrix_hints().node_blocks);
    return s;
  }
  /// A load that is the same on any number of ranks, zero where u is prescribed.
  VecHandle load(double phase) {
    return problem.interpolate([=](int c, const double* x) { return std::sin(phase + c + 7 * x[0] + 4 * x[1]); });
  }
};

inline FlowOptions newtonian(double density, double viscosity) { return {.parameters = {density, viscosity}}; }

/// Channel 3 × 1 whose inlet is the upper half of its left end: flow separates behind the step.
inline void past_a_step(FlowProblem& f) {
  f.hold({"bottom", "top", "left"}, [](int i, const double* x) {
    return i == 0 && x[0] < 1e-9 && x[1] > 0.5 ? 16 * (x[1] - 0.5) * (1 - x[1]) : 0.0;
  });
}

/// Unit square or cube with a lid that moves, u = 16 x² (1 − x)², in space times 4 z (1 − z), so that its
/// edges are at rest.
inline void in_a_cavity(FlowProblem& f) {
  std::vector<std::string> walls{"left", "right", "bottom", "top"};
  if (f.dim() == 3) walls.insert(walls.end(), {"back", "front"});
  f.hold(walls, [dim = f.dim()](int i, const double* x) {
    if (i > 0 || x[1] < 1 - 1e-9) return 0.0;
    return 16 * x[0] * x[0] * (1 - x[0]) * (1 - x[0]) * (dim == 3 ? 4 * x[2] * (1 - x[2]) : 1);
  });
  f.hold(f.dim() == 3 ? "left_bottom_back" : "left_bottom", f.dim());
}

/// Box 2 × 1 × 1 whose right end is open.
inline void through_a_duct(FlowProblem& f) {
  f.hold({"bottom", "top", "back", "front", "left"}, [](int i, const double* x) {
    return i == 0 && x[0] < 1e-9 ? 16 * x[1] * (1 - x[1]) * x[2] * (1 - x[2]) : 0.0;
  });
}

inline FlowOptions in_space(double viscosity) {
  FlowOptions o = newtonian(1, viscosity);
  o.kind = FlowKind::spatial;
  return o;
}

inline Mesh duct() { return make_box({0, 0, 0}, {2, 1, 1}, {4, 2, 2}, Shape::tetrahedron, 2); }

inline double relative_difference(Vec x, Vec reference) {
  VecHandle d = zeros_like(x);
  check(VecWAXPY(d, -1, reference, x));
  double size = 0, error = 0;
  check(VecNorm(reference, NORM_2, &size));
  check(VecNorm(d, NORM_2, &error));
  return error / size;
}

/// Answers and adjoints of the method against those of MUMPS.
inline void expect_direct_answers(SolvedFlow& flow, const std::string& method) {
  FormResidual& r = flow.residual();
  LinearSolver direct = flow.solver("mumps", tight), split = flow.solver(method, tight);
  VecHandle b = flow.load(0), c = flow.load(1), x = zeros_like(b), y = zeros_like(b), reference = zeros_like(b);
  Linearization exact(r, direct, flow.point());
  Linearization linear(r, split, flow.point());
  SolveReport report = linear.solve_tangent(b, x);
  ASSERT_TRUE(report.converged) << method << ": " << report.reason;
  ASSERT_TRUE(exact.solve_tangent(b, reference).converged);
  EXPECT_LT(relative_difference(x, reference), 1e-8) << method;
  report = linear.solve_adjoint(c, y);
  ASSERT_TRUE(report.converged) << method << ": " << report.reason;
  EXPECT_FALSE(report.factored) << "the adjoint must use what the tangent solve has set up";
  ASSERT_TRUE(exact.solve_adjoint(c, reference).converged);
  EXPECT_LT(relative_difference(y, reference), 1e-8) << method;

  // ⟨c, −K⁻¹ b⟩ = −⟨K⁻ᵀ c, b⟩
  double forward = 0, backward = 0;
  check(VecDot(c, x, &forward));
  check(VecDot(y, b, &backward));
  double size_c = 0, size_x = 0;
  check(VecNorm(c, NORM_2, &size_c));
  check(VecNorm(x, NORM_2, &size_x));
  EXPECT_LT(std::abs(forward + backward), 1e-9 * size_c * size_x) << method;
}

/// A solver for operators of a flow: what it finds for the present state, and for its transpose.
struct LinearAnswer {
  VecHandle x, y;
  int iterations = 0, transposed = 0;

  LinearAnswer(SolvedFlow& flow, LinearSolver& solver) {
    const VecHandle b = flow.load(0);
    x = zeros_like(b), y = zeros_like(b);
    Linearization linear(flow.residual(), solver, flow.point());
    const SolveReport forward = linear.solve_tangent(b, x), adjoint = linear.solve_adjoint(b, y);
    EXPECT_TRUE(forward.converged && adjoint.converged) << forward.reason << adjoint.reason;
    iterations = forward.iterations, transposed = adjoint.iterations;
  }
};

/// The same answers after the same number of iterations; on one rank the same bits, as a resumed run needs. On several, messages arrive
/// in any order, and solves end within `tight` of the solution.
inline void expect_same(const LinearAnswer& a, const LinearAnswer& b) {
  int ranks = 1;
  MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
  EXPECT_EQ(a.iterations, b.iterations);
  EXPECT_EQ(a.transposed, b.transposed);
  EXPECT_LE(relative_difference(a.x, b.x), ranks == 1 ? 0 : 1e-10);
  EXPECT_LE(relative_difference(a.y, b.y), ranks == 1 ? 0 : 1e-10);
}

/// A solver and a preconditioner that have seen another state are like new ones. make: the flow, each time with a preconditioner of its own.
template <class Make>
void expect_no_trace_of_other_states(Make&& make, const std::string& method) {
  const std::unique_ptr<SolvedFlow> used = make(), fresh = make();
  LinearSolver solver = used->solver(method, tight), unused = fresh->solver(method, tight);
  check(VecScale(used->state, 0.3));
  const LinearAnswer other(*used, solver);
  check(VecCopy(fresh->state, used->state));
  const LinearAnswer after(*used, solver), alone(*fresh, unused);
  EXPECT_GT(relative_difference(other.x, alone.x), 1e-3) << "the states are too similar";
  expect_same(after, alone);
}

}  // namespace invar::test
