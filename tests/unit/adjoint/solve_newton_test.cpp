#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "libadjoint/solve/newton.hpp"
#include "tests/unit/adjoint/solve_matrices.hpp"

namespace invar {
namespace {

/// Every unknown on its own: r_i = f(u_i), K diagonal; n copies spread over the ranks.
class Pointwise : public NonlinearSystem {
 public:
  using Function = std::function<double(double)>;
  Pointwise(int n, Function f, Function df, Function potential = {})
      : f_(std::move(f)), df_(std::move(df)), potential_(std::move(potential)) {
    K = test::to_petsc(Eigen::MatrixXd(Eigen::MatrixXd::Identity(n, n)));
    check(MatCreateVecs(K, u.out(), nullptr));
  }
  bool residual(Vec x, Vec r) override { return map(x, r, f_); }
  bool jacobian(Vec x) override {
    VecHandle d = zeros_like(x);
    ++tangents;
    if (!map(x, d, df_)) return false;
    check(MatDiagonalSet(K, d, INSERT_VALUES));
    return true;
  }
  bool symmetric() const override { return true; }
  Mat matrix() override { return K; }
  std::optional<double> energy(Vec x) override {
    if (!potential_) return std::nullopt;
    VecHandle e = zeros_like(x);
    PetscScalar sum;
    if (!map(x, e, potential_)) return HUGE_VAL;
    check(VecSum(e, &sum));
    return sum;
  }

  MatHandle K;
  VecHandle u;
  int tangents = 0;

 private:
  static bool map(Vec x, Vec y, const Function& f) {
    PetscInt n;
    check(VecGetLocalSize(x, &n));
    const PetscScalar* a;
    PetscScalar* b;
    check(VecGetArrayRead(x, &a));
    check(VecGetArray(y, &b));
    int finite = 1, all;
    for (PetscInt i = 0; i < n; ++i) finite &= std::isfinite(b[i] = f(a[i]));
    check(VecRestoreArray(y, &b));
    check(VecRestoreArrayRead(x, &a));
    MPI_Allreduce(&finite, &all, 1, MPI_INT, MPI_LAND, PETSC_COMM_WORLD);
    return all;
  }
  Function f_, df_, potential_;
};

NewtonReport solve(Pointwise& system, double start, NewtonOptions options = {},
                   double force_scale = 0, const char* method = "mumps_cholesky") {
  LinearSolver linear(PETSC_COMM_WORLD, {.method = method});
  check(VecSet(system.u, start));
  return Newton(linear, options).solve(system, system.u, force_scale);
}

double error(Pointwise& system, double root) {
  PetscInt n;
  check(VecGetSize(system.u, &n));
  return test::difference(system.u, Eigen::VectorXd::Constant(n, root));
}

// u² = 2 from 2: the errors of the iterates square, so the residuals do; the root is √2.
TEST(Newton, ConvergesQuadraticallyToTheAnalyticRoot) {
  Pointwise system(4, [](double u) { return u * u - 2; }, [](double u) { return 2 * u; });
  const NewtonReport report = solve(system, 2.0, {.rtol = 1e-14});
  EXPECT_TRUE(report.converged) << report.reason;
  EXPECT_LT(error(system, std::sqrt(2.0)), 1e-14);
  ASSERT_GE(report.residuals.size(), 4u);
  // For u² − 2 the step gives r' = (du)² = r² / (4 u²) exactly; per entry, with n = 4 copies.
  for (std::size_t k = 0; k < 3; ++k) {
    const double r = report.residuals[k] / 2, next = report.residuals[k + 1] / 2;
    EXPECT_NEAR(next, r * r / (4 * (r + 2)), 1e-14) << k;
  }
  EXPECT_LE(report.iterations, 6);
  EXPECT_EQ(system.tangents, report.iterations);
}

// x² + y² = 4, x y = 1: roots (√(2+√3), 1/√(2+√3)); nonsymmetric tangent.
// A loose tolerance leaves an error visible in differences of neighbouring solutions; a step with the last tangent removes it.
TEST(Newton, GoesOnToTheFloorWhereAsked) {
  const auto cube = [](double u) { return u * u * u - 8; };
  const auto slope = [](double u) { return 3 * u * u; };
  Pointwise loose(3, cube, slope), tight(3, cube, slope);
  const NewtonReport first = solve(loose, 3, {.rtol = 1e-3});
  const NewtonReport more = solve(tight, 3, {.rtol = 1e-3, .to_floor = true});
  EXPECT_TRUE(first.converged && more.converged) << more.reason;
  EXPECT_GT(error(loose, 2), 1e-7);
  EXPECT_LT(error(tight, 2), 1e-14);
  // One that has converged is not failed by what comes after.
  EXPECT_TRUE(solve(tight, 2, {.rtol = 1e-3, .max_iterations = 1, .to_floor = true}).converged);
}

TEST(Newton, TwoCoupledEquations) {
  struct Circle : NonlinearSystem {
    bool residual(Vec u, Vec r) override { return put(u, r); }
    MatHandle K = test::to_petsc(Eigen::MatrixXd(Eigen::MatrixXd::Ones(2, 2)));
    Mat matrix() override { return K; }
    bool jacobian(Vec u) override {
      const Eigen::Vector2d v = all(u);
      Eigen::Matrix2d k;
      k << 2 * v[0], 2 * v[1], v[1], v[0];
      PetscInt first, last;
      check(MatGetOwnershipRange(K, &first, &last));
      for (PetscInt i = first; i < last; ++i)
        for (PetscInt j = 0; j < 2; ++j) check(MatSetValue(K, i, j, k(i, j), INSERT_VALUES));
      check(MatAssemblyBegin(K, MAT_FINAL_ASSEMBLY));
      check(MatAssemblyEnd(K, MAT_FINAL_ASSEMBLY));
      return true;
    }
    bool symmetric() const override { return false; }
    static Eigen::Vector2d all(Vec u) {
      VecHandle copy;
      ScatterHandle scatter;
      check(VecScatterCreateToAll(u, scatter.out(), copy.out()));
      check(VecScatterBegin(scatter, u, copy, INSERT_VALUES, SCATTER_FORWARD));
      check(VecScatterEnd(scatter, u, copy, INSERT_VALUES, SCATTER_FORWARD));
      const PetscScalar* v;
      check(VecGetArrayRead(copy, &v));
      const Eigen::Vector2d values(v[0], v[1]);
      check(VecRestoreArrayRead(copy, &v));
      return values;
    }
    static bool put(Vec u, Vec r) {
      const Eigen::Vector2d v = all(u);
      const double f[] = {v.squaredNorm() - 4, v[0] * v[1] - 1};
      PetscInt first, last;
      check(VecGetOwnershipRange(r, &first, &last));
      for (PetscInt i = first; i < last; ++i) check(VecSetValue(r, i, f[i], INSERT_VALUES));
      check(VecAssemblyBegin(r));
      check(VecAssemblyEnd(r));
      return true;
    }
  } system;
  VecHandle u = test::to_petsc(system.K, Eigen::Vector2d(3, 0.2));
  LinearSolver linear(PETSC_COMM_WORLD, {.umfpack_up_to = 0});
  const NewtonReport report = Newton(linear).solve(system, u);
  EXPECT_TRUE(report.converged) << report.reason;
  const double x = std::sqrt(2 + std::sqrt(3.0));
  EXPECT_LT(test::difference(u, Eigen::Vector2d(x, 1 / x)), 1e-9);  // ‖K⁻¹‖ ‖r‖ ≈ 1e-9
  EXPECT_EQ(linear.method(), "mumps");
}

// log u = −1 from 3: the full step lands at 3 − 3 (log 3 + 1) < 0, where there is no logarithm.
TEST(Newton, StepsBackFromInadmissiblePoints) {
  Pointwise system(3, [](double u) { return std::log(u) + 1; }, [](double u) { return 1 / u; });
  for (bool line_search : {true, false}) {
    const NewtonReport report = solve(system, 3.0, {.line_search = line_search});
    ASSERT_TRUE(report.converged) << report.reason;
    EXPECT_GT(report.inadmissible, 0);
    EXPECT_LT(report.steps.front(), 1);
    EXPECT_LT(error(system, std::exp(-1.0)), 1e-10);
  }
  const NewtonReport report = solve(system, -1.0);
  EXPECT_FALSE(report.converged);
  EXPECT_EQ(report.reason, "the start is not admissible");
}

// arctan u = 0 from 3: undamped Newton diverges (|u| > 1.39); the search must save it.
TEST(Newton, LineSearchGlobalises) {
  const auto f = [](double u) { return std::atan(u); };
  const auto df = [](double u) { return 1 / (1 + u * u); };
  const auto potential = [](double u) { return u * std::atan(u) - 0.5 * std::log1p(u * u); };
  Pointwise by_norm(2, f, df), by_energy(2, f, df, potential);
  for (Pointwise* system : {&by_norm, &by_energy}) {
    const NewtonReport report = solve(*system, 3.0);
    ASSERT_TRUE(report.converged) << report.reason;
    EXPECT_LT(error(*system, 0), 1e-9);
    EXPECT_LT(report.steps.front(), 1);
  }
  EXPECT_FALSE(solve(by_norm, 3.0, {.line_search = false}).converged);
}

// Double well ¼(u² − 1)², from 0.3 where it is concave: Newton on r alone goes to the maximum at 0,
// with the potential to the minimum at 1.
TEST(Newton, PotentialLeadsToAMinimum) {
  const auto f = [](double u) { return u * (u * u - 1); };
  const auto df = [](double u) { return 3 * u * u - 1; };
  Pointwise by_norm(2, f, df),
      by_energy(2, f, df, [](double u) { return 0.25 * (u * u - 1) * (u * u - 1); });
  ASSERT_TRUE(solve(by_norm, 0.3).converged);
  EXPECT_LT(error(by_norm, 0), 1e-9);
  for (const char* method : {"mumps_cholesky", "cg_jacobi"}) {
    const NewtonReport report = solve(by_energy, 0.3, {}, 0, method);
    EXPECT_TRUE(report.converged) << method << ": " << report.reason;
    EXPECT_TRUE(report.negative_curvature);
    EXPECT_LT(error(by_energy, 1), 1e-9);
  }
}

// u² + 1 has no root; its tangent vanishes at 0 and the residual cannot fall below 1.
TEST(Newton, NoSolutionIsAReport) {
  Pointwise system(3, [](double u) { return u * u + 1; }, [](double u) { return 2 * u; });
  NewtonReport report = solve(system, 0.7);
  EXPECT_FALSE(report.converged);
  EXPECT_FALSE(report.reason.empty());
  EXPECT_GE(report.residuals.back(), std::sqrt(3.0) * (1 - 1e-12));
  report = solve(system, 0.0);  // singular tangent at once
  EXPECT_FALSE(report.converged);
  EXPECT_NE(report.reason.find("singular matrix"), std::string::npos) << report.reason;
  EXPECT_EQ(error(system, 0), 0) << "u must stay at the last accepted point";
}

TEST(Newton, IterationLimitIsAReport) {
  Pointwise system(1, [](double u) { return u * u * u; }, [](double u) { return 3 * u * u; });
  const NewtonReport report = solve(system, 1.0, {.max_iterations = 5});
  EXPECT_FALSE(report.converged);  // triple root: linear convergence, (2/3)³ per step
  EXPECT_EQ(report.iterations, 5);
  EXPECT_NEAR(report.residuals[5] / report.residuals[4], 8.0 / 27, 1e-10);
}

// Start balanced to 1e-9 of the force scale: nothing to do; without the scale Newton would iterate.
TEST(Newton, ForceScaleEndsABalancedStart) {
  Pointwise system(1, [](double u) { return std::sinh(u) - 1; },
                   [](double u) { return std::cosh(u); });
  const double nearly = std::asinh(1.0) + 1e-9;
  EXPECT_EQ(solve(system, nearly, {.rtol = 1e-8}, 1.0).iterations, 0);
  EXPECT_GT(solve(system, nearly, {.rtol = 1e-6}).iterations, 0);
}

// A stiff spring about a large u: r = 1e8 (u − 1/3) + sin(u) cannot be evaluated below about
// 1e8 · ε = 2e-8, and 1e-16 of the start is asked. Accepted as round-off, with the root right.
TEST(Newton, RoundOffFloorIsAccepted) {
  Pointwise system(2, [](double u) { return 1e8 * u - 1e8 / 3 + std::sin(3 * u) - std::sin(1.0); },
                   [](double u) { return 1e8 + 3 * std::cos(3 * u); });
  const NewtonReport report = solve(system, 0.5, {.rtol = 1e-30});
  EXPECT_TRUE(report.converged) << report.reason;
  EXPECT_LT(report.iterations, 8);
  EXPECT_LT(error(system, 1.0 / 3), 1e-15);
}

// Bars of stretch 1 + u, each of its own modulus and load, hardly strained: E ((1 + u) − 1/(1 + u)) = f, written
// without the stretch, which would round u away. The root is u = a + √(1 + a²) − 1 with a = f / 2E, here the same for
// all.
class Bars : public NonlinearSystem {
 public:
  explicit Bars(double a) : a_(a), root(a + a * a / (std::sqrt(1 + a * a) + 1)) {}
  bool residual(Vec x, Vec r) override {
    return map(x, r, [this](double E, double u) { return E * (u * (2 + u) / (1 + u)) - 2 * E * a_; });
  }
  bool jacobian(Vec x) override {
    VecHandle d = zeros_like(x);
    map(x, d, [](double E, double u) { return E * (1 + 1 / ((1 + u) * (1 + u))); });
    check(MatDiagonalSet(K, d, INSERT_VALUES));
    return true;
  }
  bool symmetric() const override { return true; }
  Mat matrix() override { return K; }

 private:
  template <class F>
  static bool map(Vec x, Vec y, F&& f) {
    PetscInt first, last;
    check(VecGetOwnershipRange(x, &first, &last));
    const PetscScalar* from;
    PetscScalar* to;
    check(VecGetArrayRead(x, &from));
    check(VecGetArray(y, &to));
    for (PetscInt i = first; i < last; ++i) to[i - first] = f(1e6 * (1 + std::sqrt(double(i))), from[i - first]);
    check(VecRestoreArray(y, &to));
    check(VecRestoreArrayRead(x, &from));
    return true;
  }
  double a_;

 public:
  static constexpr int count = 40;
  double root;
  MatHandle K = test::to_petsc(Eigen::MatrixXd::Identity(count, count));
  VecHandle u = test::to_petsc(K, Eigen::VectorXd::Zero(count));
  NewtonReport solve() {
    LinearSolver linear(PETSC_COMM_WORLD, {.method = "mumps_cholesky"});
    return Newton(linear, {.rtol = 1e-12}).solve(*this, u);
  }
};

TEST(Newton, SolvesForStrainsOfEverySize) {
  for (const double a : {1e-2, 1e-4, 1e-7, 1e-9, 1e-12, 1e-15, 1e-30}) {
    Bars bars(a);
    check(VecSet(bars.u, 1.37 * bars.root));  // from rest the first step is exact
    const NewtonReport report = bars.solve();
    EXPECT_TRUE(report.converged) << report.reason;
    EXPECT_LT(report.iterations, 8);
    EXPECT_LT(test::difference(bars.u, Eigen::VectorXd::Constant(bars.count, bars.root)), 2e-12 * bars.root) << a;
  }
}

// A residual that no step reduces is a failure: |u − 1| + 1e-7 has no root, although its minimum is as small as a rounding error might be.
TEST(Newton, AKinkIsNotTakenForNoise) {
  Pointwise system(2, [](double u) { return std::abs(u - 1) + 1e-7; }, [](double u) { return u < 1 ? -1 : 1; });
  EXPECT_FALSE(solve(system, 1 + 1e-8, {.rtol = 1e-12}, 1.0).converged);
}

// r_i = u_i³ + (A u)_i − b_i with an SPD A: inexact and kept-factor solves end at the same root.
class Cubic : public NonlinearSystem {
 public:
  static constexpr int n = 60;
  Cubic() : A_(test::to_petsc(test::banded(n, true))), K(test::to_petsc(test::banded(n, true))) {
    b_ = test::to_petsc(A_, 8 * test::some_load(n));
    u = zeros_like(b_);
  }
  bool residual(Vec x, Vec r) override {
    VecHandle cube = zeros_like(x);
    check(VecPointwiseMult(cube, x, x));
    check(VecPointwiseMult(cube, cube, x));
    check(MatMult(A_, x, r));
    check(VecAXPY(r, 1, cube));
    check(VecAXPY(r, -1, b_));
    return true;
  }
  bool jacobian(Vec x) override {
    VecHandle square = zeros_like(x);
    check(VecPointwiseMult(square, x, x));
    check(VecScale(square, 3));
    check(MatCopy(A_, K, SAME_NONZERO_PATTERN));
    check(MatDiagonalSet(K, square, ADD_VALUES));
    return true;
  }
  bool symmetric() const override { return true; }
  Mat matrix() override { return K; }

 private:
  MatHandle A_;
  VecHandle b_;

 public:
  MatHandle K;
  VecHandle u;
};

TEST(Newton, InexactAndKeptFactorsReachTheSameRoot) {
  Cubic system;
  VecHandle exact;
  LinearSolver direct(PETSC_COMM_WORLD, {.method = "mumps_cholesky"});
  const NewtonReport reference = Newton(direct, {.rtol = 1e-13}).solve(system, system.u);
  ASSERT_TRUE(reference.converged) << reference.reason;
  EXPECT_EQ(direct.factorisations(), reference.iterations);
  check(VecDuplicate(system.u, exact.out()));
  check(VecCopy(system.u, exact));

  const auto distance = [&] {
    PetscReal d;
    check(VecAXPY(system.u, -1, exact));
    check(VecNorm(system.u, NORM_INFINITY, &d));
    return d;
  };
  LinearSolver krylov(PETSC_COMM_WORLD, {.method = "cg_jacobi"});
  check(VecSet(system.u, 0));
  const NewtonReport inexact = Newton(krylov, {.rtol = 1e-12}).solve(system, system.u);
  EXPECT_TRUE(inexact.converged) << inexact.reason;
  EXPECT_LT(distance(), 1e-11);
  LinearSolver tight(PETSC_COMM_WORLD, {.method = "cg_jacobi", .rtol = 1e-13});
  check(VecSet(system.u, 0));
  const NewtonReport exactly =
      Newton(tight, {.rtol = 1e-12, .max_forcing = 1e-13}).solve(system, system.u);
  EXPECT_LT(distance(), 1e-11);
  EXPECT_LT(inexact.linear_iterations, exactly.linear_iterations) << "forcing must save work";
  EXPECT_LT(krylov.factorisations(), inexact.iterations) << "near the root a preconditioner serves on";

  // Linear solves that fall short of what they should are steps all the same, unless they get nowhere.
  LinearSolver stalling(PETSC_COMM_WORLD, {.method = "cg_jacobi", .rtol = 1e-13, .max_iterations = 1});
  check(VecSet(system.u, 0));
  const NewtonReport stalled = Newton(stalling, {.rtol = 1e-12, .max_forcing = 0.5}).solve(system, system.u);
  EXPECT_TRUE(stalled.converged) << stalled.reason;
  EXPECT_LT(distance(), 1e-11);
  check(VecSet(system.u, 0));
  const NewtonReport cut =
      Newton(stalling, {.rtol = 1e-12, .max_iterations = 1, .max_forcing = 0.5}).solve(system, system.u);
  EXPECT_FALSE(cut.converged);
  EXPECT_NE(cut.reason.find("linear solves stall"), std::string::npos) << cut.reason;
  check(VecSet(system.u, 0));
  const NewtonReport lost = Newton(stalling, {.rtol = 1e-12, .max_forcing = 1e-4}).solve(system, system.u);
  EXPECT_FALSE(lost.converged);
  EXPECT_TRUE(lost.reason.starts_with("linear solve: ")) << lost.reason;

  LinearSolver kept(PETSC_COMM_WORLD, {.method = "mumps_cholesky", .keep_factors = true});
  check(VecSet(system.u, 0));
  const NewtonReport lagged = Newton(kept, {.rtol = 1e-12}).solve(system, system.u);
  EXPECT_TRUE(lagged.converged) << lagged.reason;
  EXPECT_LT(distance(), 1e-11);
  EXPECT_LT(kept.factorisations(), lagged.iterations);
}

}  // namespace
}  // namespace invar
