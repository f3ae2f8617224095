// Direct solves by cuDSS with matrices of finite elements that are hard to factorise with pivots in blocks: no wrong solution may be
// accepted. With cuDSS itself (INVAR_CUDSS names it) they are large; its replacement on the host gets small ones.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numbers>

#include "libadjoint/solve/linear_solver.hpp"
#include "tests/support/cudss_library.hpp"
#include "tests/support/full_load.hpp"
#include "tests/unit/flow/flow_problem.hpp"
#include "tests/unit/form/solid_problem.hpp"

namespace invar::test {
namespace {

/// The tangent of a problem at some state.
struct TangentMatrix {
  std::string name;
  std::shared_ptr<FormResidual> residual;
  VecHandle state;
  bool singular = false;
};

/// Taylor–Hood elements in a unit square or cube at a vortex, by the vortex' Reynolds number.
TangentMatrix flow_tangent(int dim, int n, double reynolds, bool level = true) {
  FlowOptions options{.kind = dim == 2 ? FlowKind::planar : FlowKind::spatial, .parameters = {1, 1 / reynolds}};
  FlowProblem flow(dim == 2 ? make_rectangle(0, 0, 1, 1, n, n, Shape::triangle, 2) : make_box({0, 0, 0}, {1, 1, 1}, {n, n, n}, Shape::tetrahedron, 2),
                   options);
  std::vector<std::string> walls{"left", "right", "bottom", "top"};
  if (dim == 3) walls.insert(walls.end(), {"back", "front"});
  flow.hold(walls, [](int, const double*) { return 0.0; });
  if (level) flow.hold(dim == 3 ? "left_bottom_back" : "left_bottom", dim);
  flow.residual()->finish();
  VecHandle state = flow.interpolate([dim](int i, const double* x) {
    const auto bump = [&](int k) { return std::pow(std::sin(std::numbers::pi * x[k]), 2); };
    const auto wave = [&](int k) { return std::sin(2 * std::numbers::pi * x[k]); };
    const double depth = dim == 3 ? bump(2) : 1;
    return depth * (i == 0 ? bump(0) * wave(1) : i == 1 ? -bump(1) * wave(0) : 0.0);
  });
  return {std::to_string(dim) + "-D flow at Re " + std::to_string(int(reynolds)) + (level ? "" : " without a level of pressure"), flow.residual(),
          std::move(state), !level};
}

/// A block of neo-Hookean rubber of this slenderness, its left end held, its right end too if it is compressed by this share.
TangentMatrix solid_tangent(int n, double poisson, bool mixed, double slenderness = 1, double compressed = 0, bool held = true) {
  const Mesh mesh = make_box({0, 0, 0}, {slenderness, 1, 1}, {int(slenderness) * n, n, n}, Shape::tetrahedron, 2);
  SolidProblem solid(mesh, SolidKind::spatial, {.mixed = mixed});
  const double young = 1, mu = young / (2 * (1 + poisson)), kappa = young / (3 * (1 - 2 * poisson));
  solid.material("neo_hookean", mixed ? std::vector{3 * mu, kappa} : std::vector{young, poisson});
  if (held) solid.hold({"left"}, [](int, const double*) { return 0.0; });
  if (compressed > 0) solid.hold({"right"}, [=](int i, const double* x) { return i == 0 ? -compressed * x[0] : 0.0; });
  solid.finish();
  VecHandle state = solid.interpolate([=](int i, const double* x) { return i == 0 ? -compressed * x[0] : 0.0; });
  std::string name = mixed ? "mixed solid" : "solid";
  name += ", Poisson's ratio " + std::to_string(poisson) + (compressed > 0 ? ", compressed" : held ? "" : ", nothing holds it");
  return {std::move(name), solid.residual(), std::move(state), !held};
}

/// Matrices of one kind.
std::vector<TangentMatrix> hard_tangents(const std::string& kind) {
  const bool small = cudss_is_replaced();
  const int plane = small ? 6 : 48, space = small ? 2 : 8;
  std::vector<TangentMatrix> all;
  if (kind == "PlaneFlow")
    for (const double reynolds : {1.0, 20.0, 100.0, 400.0, 1000.0, 2000.0, 5000.0}) all.push_back(flow_tangent(2, plane, reynolds));
  if (kind == "FlowInSpace")
    for (const double reynolds : {1.0, 100.0, 400.0, 1000.0, 5000.0}) all.push_back(flow_tangent(3, space, reynolds));
  if (kind == "NearlyIncompressible")
    for (const double poisson : {0.3, 0.49, 0.4999, 0.499999})
      for (const bool mixed : {false, true}) all.push_back(solid_tangent(space, poisson, mixed));
  if (kind == "Buckled")
    for (const double compressed : {0.1, 0.2, 0.3}) all.push_back(solid_tangent(small ? 1 : 3, 0.3, false, 12, compressed));
  if (kind == "Singular") {
    all.push_back(flow_tangent(2, plane, 100, false));
    all.push_back(flow_tangent(3, space, 100, false));
    all.push_back(solid_tangent(space, 0.3, false, 1, 0, false));
    all.push_back(solid_tangent(space, 0.49, true, 1, 0, false));
  }
  return all;
}

double norm_of(Vec x) {
  double value = 0;
  check(VecNorm(x, NORM_2, &value));
  return value;
}

/// ‖b − A x‖, or of the transposed system, relative to ‖b‖ and rounding errors of A x.
double residual_of(Mat A, Vec b, Vec x, bool transpose) {
  VecHandle r = zeros_like(b);
  double size = 0;
  check(transpose ? MatMultTranspose(A, x, r) : MatMult(A, x, r));
  check(VecAYPX(r, -1, b));
  check(MatNorm(A, NORM_INFINITY, &size));
  return norm_of(r) / (norm_of(b) + 1e-5 * size * norm_of(x));
}

class HardMatrices : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(All, HardMatrices, testing::Values("PlaneFlow", "FlowInSpace", "NearlyIncompressible", "Buckled", "Singular"),
                         [](const auto& info) { return info.param; });

TEST_P(HardMatrices, NoWrongSolutionByCudssIsAccepted) {
  int ranks = 1, by_cudss = 0, by_others = 0;
  MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
  if (ranks > 1) GTEST_SKIP() << "one process only";
  for (const TangentMatrix& hard : hard_tangents(GetParam())) {
    FormResidual& r = *hard.residual;
    r.jacobian(at_full_load(r, hard.state));
    const bool symmetric = r.symmetric();
    LinearSolver exact(r.comm(), {.method = symmetric ? "mumps_cholesky" : "mumps"});
    exact.set_operator(r.matrix(), symmetric);
    VecHandle b = r.create_vector(), x = zeros_like(b), reference = zeros_like(b);
    check(VecSetRandom(b, nullptr));
    for (const char* method : {"cudss", "cudss_ldlt", "cudss_cholesky"}) {
      if (find_linear_method(method).symmetric_only && !symmetric) continue;
      LinearSolver solver(r.comm(), {.method = method});
      solver.set_operator(r.matrix(), symmetric);
      for (const bool transpose : {false, true}) {
        SCOPED_TRACE(hard.name + ", " + method + (transpose ? ", transposed" : ""));
        const SolveReport report = transpose ? solver.solve_transpose(b, x) : solver.solve(b, x);
        if (std::getenv("INVAR_PRINT"))
          std::printf("%-44s %6lld %-14s %-10s by %-14s %.1e, %d iterations, %.3f s: %s\n", hard.name.c_str(), (long long)r.dofs().n_global(), method,
                      transpose ? "transposed" : "", report.method.c_str(), report.residual, report.iterations, report.seconds, report.reason.c_str());
        if (hard.singular) {
          EXPECT_FALSE(report.converged) << report.reason;
          continue;
        }
        ASSERT_TRUE(report.converged) << report.reason;
        const SolveReport other = transpose ? exact.solve_transpose(b, reference) : exact.solve(b, reference);
        ASSERT_TRUE(other.converged) << other.reason;
        EXPECT_LE(residual_of(r.matrix(), b, x, transpose), 1e-9);
        if (find_linear_method(method).symmetric_only) {
          EXPECT_EQ(report.negative_curvature, other.negative_curvature);
        }
        check(VecAXPY(x, -1, reference));
        EXPECT_LE(norm_of(x), 1e-3 * norm_of(reference));  // `useful_error`: all else is refused
        ++(find_linear_method(report.method).by_cudss ? by_cudss : by_others);
      }
    }
  }
  if (std::getenv("INVAR_PRINT")) std::printf("%d solutions by cuDSS, %d by methods that replaced it\n", by_cudss, by_others);
  EXPECT_TRUE(GetParam() == "Singular" || by_cudss >= 6) << by_cudss;
}

}  // namespace
}  // namespace invar::test
