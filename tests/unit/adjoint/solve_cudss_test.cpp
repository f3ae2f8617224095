// Direct solves by cuDSS, replaced by a library on the host with the same interface (tests/support/cudss_stand_in.cpp) unless INVAR_CUDSS
// names the original. The replacement is weaker, as it does not pivot; wrong solutions must never be accepted.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "libadjoint/solve/cudss_factors.hpp"
#include "libadjoint/solve/linear_solver.hpp"
#include "libadjoint/solve/nvidia_driver.hpp"
#include "libadjoint/solve/solver_not_available.hpp"
#include "tests/support/cudss_library.hpp"
#include "tests/support/dense.hpp"
#include "tests/unit/adjoint/solve_matrices.hpp"
#include "tests/unit/adjoint/solve_methods.hpp"

namespace invar::test {
namespace {

/// An environment variable for the time of a test.
class Environment {
 public:
  Environment(const char* name, const std::string& value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    setenv(name, value.c_str(), 1);
  }
  ~Environment() { before_.empty() ? unsetenv(name_) : setenv(name_, before_.c_str(), 1); }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  const char* name_;
  std::string before_;
};

class Cudss : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(cudss_is_named, 0);
    if (processes() > 1) GTEST_SKIP() << "one process only";
  }
};

/// Flow in a unit square by finite differences on a staggered grid of m × m cells, driven by a lid: momentum with central
/// convection by a vortex at this Reynolds number, then continuity; the last pressure is held. Indefinite, without diagonal entries
/// for pressures, nonsymmetric unless re = 0.
Eigen::MatrixXd staggered_flow(int m, double re) {
  const int nu = (m - 1) * m, n = 2 * nu + m * m;
  const double h = 1.0 / m;
  const auto u = [&](int i, int j) { return i < 1 || i >= m || j < 0 || j >= m ? -1 : (i - 1) * m + j; };
  const auto v = [&](int i, int j) { return i < 0 || i >= m || j < 1 || j >= m ? -1 : nu + i * (m - 1) + j - 1; };
  const auto p = [&](int i, int j) { return 2 * nu + i * m + j; };
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(n, n);
  const auto momentum = [&](const auto& at, int i, int j, double x, double y, int before, int after) {
    const int row = at(i, j);
    const double wx = re * std::sin(std::numbers::pi * x) * std::cos(std::numbers::pi * y), wy = -re * std::cos(std::numbers::pi * x) * std::sin(std::numbers::pi * y);
    const auto couple = [&](int di, int dj, double w) {
      A(row, row) += 1 / (h * h);
      if (const int column = at(i + di, j + dj); column >= 0) A(row, column) += -1 / (h * h) + w / (2 * h);
    };
    couple(1, 0, wx), couple(-1, 0, -wx), couple(0, 1, wy), couple(0, -1, -wy);
    A(row, after) += 1 / h, A(row, before) -= 1 / h;
    A(after, row) += 1 / h, A(before, row) -= 1 / h;
  };
  for (int i = 1; i < m; ++i)
    for (int j = 0; j < m; ++j) momentum(u, i, j, i * h, (j + 0.5) * h, p(i - 1, j), p(i, j));
  for (int i = 0; i < m; ++i)
    for (int j = 1; j < m; ++j) momentum(v, i, j, (i + 0.5) * h, j * h, p(i, j - 1), p(i, j));
  A.row(n - 1).setZero(), A.col(n - 1).setZero();
  A(n - 1, n - 1) = 1;
  return A;
}

/// The rows and columns in another order, pressures first: elimination in this order meets zeros at once.
Eigen::MatrixXd reversed(const Eigen::MatrixXd& A) { return A.colwise().reverse().rowwise().reverse(); }

struct HardMatrix {
  std::string name;
  Eigen::MatrixXd A;
  bool symmetric = false, singular = false;
};

std::vector<HardMatrix> hard_matrices() {
  std::vector<HardMatrix> all;
  for (const double re : {0.0, 1.0, 10.0, 100.0, 400.0, 1000.0, 5000.0}) {
    all.push_back({"flow at Re " + std::to_string(int(re)), staggered_flow(6, re), re == 0});
    all.push_back({"the same, pressures first", reversed(all.back().A), re == 0});
  }
  const Eigen::MatrixXd flow = staggered_flow(6, 0);
  for (const double bulk : {1e2, 1e6, 1e10}) {  // solids of penalised volume: stiff by this factor against changes of volume
    const int nu = 2 * 5 * 6;
    const Eigen::MatrixXd D = flow.bottomLeftCorner(36, nu);
    all.push_back({"nearly incompressible, " + std::to_string(long(bulk)), flow.topLeftCorner(nu, nu) + bulk * D.transpose() * D, true});
  }
  Eigen::MatrixXd indefinite = banded(80, true);
  for (int i = 0; i < 80; i += 3) indefinite(i, i) *= -1;
  all.push_back({"indefinite", indefinite, true});
  Eigen::MatrixXd off_diagonal = Eigen::MatrixXd::Zero(80, 80);  // no diagonal at all
  for (int i = 0; i < 80; i += 2) off_diagonal(i, i + 1) = off_diagonal(i + 1, i) = 1 + 0.1 * i;
  all.push_back({"without a diagonal", off_diagonal, true});
  Eigen::MatrixXd random(80, 80);
  for (int i = 0; i < 80; ++i)
    for (int j = 0; j < 80; ++j) random(i, j) = hash_value(i, j, 3);
  all.push_back({"random", random});
  Eigen::MatrixXd graded = banded(80, false);
  for (int i = 0; i < 80; ++i) graded.row(i) *= std::pow(10.0, i % 16 - 8);
  all.push_back({"badly scaled", graded});
  Eigen::MatrixXd chain = Eigen::MatrixXd::Zero(80, 80);  // a body that nothing holds
  for (int i = 0; i + 1 < 80; ++i) chain.block<2, 2>(i, i) += (Eigen::Matrix2d() << 1, -1, -1, 1).finished();
  all.push_back({"floating body", chain, true, true});
  Eigen::MatrixXd enclosed = flow;
  enclosed(enclosed.rows() - 1, enclosed.rows() - 1) = 0;
  all.push_back({"zero row", enclosed, true, true});
  return all;
}

/// Whatever `report` says of x is right.
void expect_honest(const HardMatrix& hard, const Eigen::VectorXd& load, Vec x, const SolveReport& report, bool transpose) {
  SCOPED_TRACE(hard.name + (transpose ? ", transposed" : "") + ": " + report.method + ", " + report.reason);
  if (hard.singular) {
    EXPECT_FALSE(report.converged);
    return;
  }
  ASSERT_TRUE(report.converged);
  const Eigen::MatrixXd A = transpose ? Eigen::MatrixXd(hard.A.transpose()) : hard.A;
  const Eigen::VectorXd exact = accurate_solve(A, load);
  const Eigen::VectorXd found = Eigen::VectorXd::NullaryExpr(load.size(), [&](Eigen::Index i) {
    const PetscInt at = PetscInt(i);
    double value;
    check(VecGetValues(x, 1, &at, &value));
    return value;
  });
  EXPECT_LE((load - A * found).norm(), 1e-9 * load.norm() + 1e-14 * A.norm() * found.norm());
  EXPECT_LE((found - exact).norm(), 1e-3 * exact.norm());  // `useful_error`: all else is refused
}

TEST_F(Cudss, NoWrongSolutionIsAccepted) {
  int by_cudss = 0, by_others = 0;
  for (const HardMatrix& hard : hard_matrices())
    for (const char* method : {"cudss", "cudss_ldlt", "cudss_cholesky"}) {
      if (find_linear_method(method).symmetric_only && !hard.symmetric) continue;
      MatHandle A = to_petsc(hard.A);
      const Eigen::VectorXd load = some_load(int(hard.A.rows()));
      VecHandle b = to_petsc(A, load), x = zeros_like(b);
      LinearSolver solver(PETSC_COMM_WORLD, {.method = method});
      solver.set_operator(A, hard.symmetric);
      for (const bool transpose : {false, true}) {
        const SolveReport report = transpose ? solver.solve_transpose(b, x) : solver.solve(b, x);
        expect_honest(hard, load, x, report, transpose);
        if (report.converged) ++(report.method == method ? by_cudss : by_others);
      }
    }
  EXPECT_GT(by_cudss, 20);
  EXPECT_GT(by_others, cudss_is_replaced() ? 4 : -1);
}

TEST_F(Cudss, AnotherMethodTakesOverAndSaysSo) {
  if (!cudss_is_replaced()) GTEST_SKIP() << "the original is not that weak";
  struct Listener : SolveMonitor {
    std::vector<std::string> said;
    void stage(const std::string&) override {}
    void newton(int, double, double) override {}
    void krylov(std::string_view, int, double) override {}
    void changed(const std::string& why) override { said.push_back(why); }
    bool stop() const override { return false; }
  };
  const auto listener = std::make_shared<Listener>();
  const Eigen::MatrixXd dense = hard_matrices()[19].A;  // random
  MatHandle A = to_petsc(dense);
  VecHandle b = to_petsc(A, some_load(80)), x = zeros_like(b);
  LinearSolver solver = make_solver("cudss");
  solver.set_monitor(listener);
  const Environment careless("STAND_IN_PIVOT", "0.3");  // perturbs nearly all pivots
  solver.set_operator(A, false);
  const SolveReport report = solver.solve(b, x);
  ASSERT_TRUE(report.converged) << report.reason;
  EXPECT_EQ(report.method, "mumps");
  EXPECT_EQ(report.given_up, "cudss");
  ASSERT_EQ(listener->said.size(), 1u);
  EXPECT_TRUE(listener->said[0].starts_with("linear solver mumps from here on: cudss: ")) << listener->said[0];
  EXPECT_EQ(solver.method(), "mumps") << "the next solves, too";
}

TEST_F(Cudss, ASingularMatrixDoesNotChangeTheMethod) {
  MatHandle A = to_petsc(hard_matrices()[21].A);  // floating body
  VecHandle b = to_petsc(A, some_load(80)), x = zeros_like(b);
  LinearSolver solver = make_solver("cudss_ldlt");
  solver.set_operator(A, true);
  const SolveReport report = solver.solve(b, x);
  EXPECT_FALSE(report.converged);
  EXPECT_TRUE(report.singular) << report.reason;
  EXPECT_EQ(solver.method(), "cudss_ldlt");
  MatHandle sound = to_petsc(banded(80, true));
  solver.set_operator(sound, true);
  EXPECT_TRUE(solver.solve(b, x).converged);
}

TEST_F(Cudss, IndefinitenessIsSeen) {
  Eigen::MatrixXd dense = banded(60, true);
  MatHandle A = to_petsc(dense);
  VecHandle b = to_petsc(A, some_load(60)), x = zeros_like(b);
  LinearSolver solver = make_solver("cudss_ldlt");
  solver.set_operator(A, true);
  EXPECT_FALSE(solver.solve(b, x).negative_curvature);
  dense(7, 7) = -9;
  MatHandle B = to_petsc(dense);
  solver.set_operator(B, true);
  EXPECT_TRUE(solver.solve(b, x).negative_curvature);
}

/// A matrix that is not positive definite goes to LDLᵀ by cuDSS, not at once to another library.
TEST_F(Cudss, IndefiniteMatricesStayWithCudss) {
  Eigen::MatrixXd dense = banded(60, true);
  dense(7, 7) = -9;
  MatHandle A = to_petsc(dense);
  VecHandle b = to_petsc(A, some_load(60)), x = zeros_like(b);
  LinearSolver solver = make_solver("cudss_cholesky");
  solver.set_operator(A, true);
  const SolveReport report = solver.solve(b, x);
  ASSERT_TRUE(report.converged) << report.reason;
  EXPECT_EQ(report.method, "cudss_ldlt");
  EXPECT_EQ(report.given_up, "cudss_cholesky");
  EXPECT_TRUE(report.negative_curvature);
}

/// The pattern is analysed once, values are then factorised again: the library refuses any other order.
TEST_F(Cudss, FactorsOfTheSamePatternAreMadeAgain) {
  const int start[] = {0, 2, 4}, column[] = {0, 1, 0, 1};
  const double first[] = {4, 1, 2, 3}, second[] = {0.5, -1, 1, 2}, load[] = {1, 2};
  CudssFactors factors(CudssLibrary::load(), {.kind = CudssFactors::Kind::lu});
  ASSERT_EQ(factors.analyse({2, start, column, first}), "");
  for (const double* a : {first, second}) {
    ASSERT_EQ(factors.factor({2, start, column, a}), "");
    double x[2];
    ASSERT_EQ(factors.solve(load, x, false), "");
    EXPECT_NEAR(a[0] * x[0] + a[1] * x[1], load[0], 1e-14);
    EXPECT_NEAR(a[2] * x[0] + a[3] * x[1], load[1], 1e-14);
    ASSERT_EQ(factors.solve(load, x, true), "");
    EXPECT_NEAR(a[0] * x[0] + a[2] * x[1], load[0], 1e-14);
    EXPECT_NEAR(a[1] * x[0] + a[3] * x[1], load[1], 1e-14);
  }
}

/// Factors that exceed the device's memory stay on the host; if that memory is not enough either, another method takes over.
TEST_F(Cudss, LargeFactorsStayOnTheHost) {
  if (!cudss_is_replaced()) GTEST_SKIP() << "the device's memory is not enough for a test";
  const Eigen::MatrixXd dense = banded(60, true);
  MatHandle A = to_petsc(dense);
  VecHandle b = to_petsc(A, some_load(60)), x = zeros_like(b);
  for (const bool enough : {true, false}) {
    const Environment memory("STAND_IN_MEMORY", "20000"), least("STAND_IN_LEAST_MEMORY", enough ? "10000" : "30000");
    LinearSolver solver = make_solver("cudss_ldlt");
    solver.set_operator(A, true);
    const SolveReport report = solver.solve(b, x);
    ASSERT_TRUE(report.converged) << report.reason;
    EXPECT_EQ(report.method, enough ? "cudss_ldlt" : "mumps_cholesky");
    EXPECT_EQ(report.reason.find("not enough memory") != std::string::npos, !enough) << report.reason;
  }
}

/// What is said, in one line, where `cudss` is asked for and cannot be.
std::string complaint() {
  MatHandle A = to_petsc(banded(20, false));
  LinearSolver solver = make_solver("cudss");
  try {
    solver.set_operator(A, false);
  } catch (const SolverNotAvailable& e) {
    const std::string words = e.what();
    EXPECT_EQ(words.find('\n'), std::string::npos) << words;
    EXPECT_TRUE(words.starts_with("linear solver 'cudss' cannot be used: ")) << words;
    return words;
  }
  return {};
}

TEST_F(Cudss, WhatIsMissingIsSaid) {
  if (!cudss_is_replaced()) GTEST_SKIP() << "nothing is missing";
  EXPECT_EQ(complaint(), "");
  {
    const Environment file("INVAR_CUDSS", "/nowhere/libcudss.so");
    EXPECT_NE(complaint().find("/nowhere/libcudss.so"), std::string::npos);
  }
  {
    const Environment devices("STAND_IN_DEVICES", "0");
    EXPECT_NE(complaint().find("no CUDA device (no CUDA-capable device is detected)"), std::string::npos);
  }
  {
    const Environment version("STAND_IN_VERSION", "0");
    EXPECT_NE(complaint().find("version 1 is needed"), std::string::npos);
  }
}

TEST_F(Cudss, ItsVersionAndThatOfTheDriverAreKnown) {
  if (!cudss_is_replaced()) GTEST_SKIP() << "the versions are those of the replacement";
  EXPECT_EQ(complaint(), "");
  EXPECT_EQ(CudssLibrary::version_used(), "1.0.0");
  EXPECT_EQ(nvidia_driver(INVAR_CUDSS_STAND_IN), "580.95.05");
  const Environment devices("STAND_IN_DEVICES", "0");
  EXPECT_EQ(nvidia_driver(INVAR_CUDSS_STAND_IN), "") << "no driver is loaded";
  EXPECT_EQ(nvidia_driver("/nowhere/libnvidia-ml.so"), "");
}

}  // namespace
}  // namespace invar::test
