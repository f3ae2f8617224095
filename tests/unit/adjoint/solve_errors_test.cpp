#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "libadjoint/solve/library_failure.hpp"
#include "libadjoint/solve/linear_solver.hpp"
#include "libadjoint/solve/newton.hpp"
#include "tests/support/dense.hpp"
#include "tests/unit/adjoint/solve_faulty_factors.hpp"
#include "tests/unit/adjoint/solve_matrices.hpp"

namespace invar {
namespace {

using test::Faults;
using In = Faults::In;

constexpr int size = 60;

struct FaultySolve {
  explicit FaultySolve(const std::string& method, bool symmetric)
      : A(test::to_petsc(test::banded(size, symmetric))), b(test::to_petsc(A, test::some_load(size))),
        x(zeros_like(b)), solver(PETSC_COMM_WORLD, {.method = method, .prefix = "faulty_"}), symmetric(symmetric) {
    solver.set_operator(A, symmetric);
  }
  SolveReport solve(bool transpose) { return transpose ? solver.solve_transpose(b, x) : solver.solve(b, x); }

  MatHandle A;
  VecHandle b, x;
  test::FaultyFactors faulty;
  LinearSolver solver;
  bool symmetric;
};

/// Every call of a direct solver that returns an error makes the solve fail with a reason, alike on all ranks, also
/// where one rank alone sees it; the next solve is right.
TEST(SolverErrors, AnErrorOfADirectSolverIsAFailedSolve) {
  struct Place {
    In in;
    int spared;
    bool transpose;
  };
  // The first solve of a factorisation is the probe for null vectors.
  const Place places[] = {{In::analysis, 0, false},        {In::factor, 0, false},  {In::solve, 0, false},
                          {In::solve, 1, false},           {In::inertia, 0, false}, {In::transposed_solve, 0, true}};
  for (const bool symmetric : {false, true})
    for (const auto& [in, spared, transpose] : places)
      for (const bool one_rank : {false, true}) {
        if (symmetric ? in == In::transposed_solve : in == In::inertia) continue;
        if (one_rank && in == In::analysis) continue;  // the others would wait for it: MUMPS tells all
        FaultySolve toy(symmetric ? "mumps_cholesky" : "mumps", symmetric);
        Faults::now() = {.in = in, .spared = spared, .one_rank = one_rank};
        const std::string where = "fault " + std::to_string(int(in)) + (symmetric ? ", symmetric" : "");
        const SolveReport report = toy.solve(transpose);
        EXPECT_FALSE(report.converged) << where;
        EXPECT_FALSE(report.singular) << where << ": " << report.reason;
        EXPECT_NE(report.reason.find("Error in external library"), std::string::npos) << where << ": " << report.reason;
        EXPECT_FALSE(report.residual <= 1) << where << ": a residual of an earlier attempt";

        Faults::now() = {};
        const SolveReport after = toy.solve(transpose);
        EXPECT_TRUE(after.converged) << where << ": " << after.reason;
        const Eigen::MatrixXd dense = test::banded(size, symmetric);
        const Eigen::MatrixXd op = transpose ? Eigen::MatrixXd(dense.transpose()) : dense;
        EXPECT_LT(test::difference(toy.x, test::dense_solve(op, test::some_load(size))), 1e-10) << where;
      }
}

// Reused factors: the error occurs within a Krylov method, and a new factorisation corrects it.
TEST(SolverErrors, AnErrorOfKeptFactorsIsMendedByNewOnes) {
  for (const bool transpose : {false, true}) {
    FaultySolve toy("mumps", false);
    toy.solver.set_keep_factors(true);
    ASSERT_TRUE(toy.solve(transpose).converged);
    toy.A = test::to_petsc(test::banded(size, false, 0.01), std::move(toy.A));
    toy.solver.set_operator(toy.A, false);
    struct Once {  // the fault passes with the factors that it struck
      ~Once() { Faults::now() = {}; }
    } once;
    Faults::now() = {.in = transpose ? In::transposed_solve : In::solve};
    SolveReport report = toy.solve(transpose);
    EXPECT_FALSE(report.converged);
    Faults::now() = {};
    report = toy.solve(transpose);
    EXPECT_TRUE(report.converged) << report.reason;
    EXPECT_TRUE(report.factored);
  }
}

// Numbers that overflow in the factors give no error code.
TEST(SolverErrors, FactorsThatAreNotFiniteAreAFailedSolve) {
  for (const bool symmetric : {false, true}) {
    FaultySolve toy(symmetric ? "mumps_cholesky" : "mumps", symmetric);
    Faults::now() = {.in = In::solve, .not_finite = true};
    const SolveReport report = toy.solve(false);
    EXPECT_FALSE(report.converged);
    EXPECT_NE(report.reason.find("not finite"), std::string::npos) << report.reason;
    Faults::now() = {};
    EXPECT_TRUE(toy.solve(false).converged);
  }
}

// Entries so large that elimination overflows.
TEST(SolverErrors, OverflowInTheEliminationIsAFailedSolve) {
  for (const LinearMethod& method : linear_methods()) {
    int ranks;
    MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
    if (!method.direct || (method.one_process && ranks > 1)) continue;
    Eigen::MatrixXd dense = test::banded(size, method.symmetric_only);
    for (int i = 0; i + 1 < size; ++i) dense(i, i + 1) *= 1e200, dense(i + 1, i) *= 1e200;
    MatHandle A = test::to_petsc(dense);
    VecHandle b = test::to_petsc(A, test::some_load(size)), x = zeros_like(b);
    LinearSolver solver(PETSC_COMM_WORLD, {.method = std::string(method.name)});
    solver.set_operator(A, method.symmetric_only);
    for (const bool transpose : {false, true}) {
      const SolveReport report = transpose ? solver.solve_transpose(b, x) : solver.solve(b, x);
      if (report.converged) {
        EXPECT_LE(report.residual, 1e-7) << method.name;
      }
      else EXPECT_FALSE(report.reason.empty()) << method.name;
    }
  }
}

// MUMPS estimates its work space before pivoting; if it is too small the factorisation is repeated with more.
TEST(SolverErrors, MumpsIsGivenTheWorkSpaceThatItAsksFor) {
  constexpr int many = 400;
  Eigen::MatrixXd dense = test::banded(many, false);
  for (int i = 0; i < many; ++i) dense(i, i) *= 1e-9;  // no diagonal pivot will do
  for (int i = 0; i < many; ++i)
    for (int j = 0; j < many; ++j)
      if (i != j && std::abs(test::hash_value(i, j, 9)) > 0.97) dense(i, j) = test::hash_value(i, j, 10);
  MatHandle A = test::to_petsc(dense);
  VecHandle b = test::to_petsc(A, test::some_load(many)), x = zeros_like(b);
  check(PetscOptionsSetValue(nullptr, "-tight_mat_mumps_icntl_14", "1"));
  check(PetscOptionsSetValue(nullptr, "-tight_mat_mumps_icntl_6", "0"));  // no permutation to large diagonals
  LinearSolver solver(PETSC_COMM_WORLD, {.method = "mumps", .prefix = "tight_"});
  solver.set_operator(A, false);
  const SolveReport report = solver.solve(b, x);
  EXPECT_TRUE(report.converged) << report.reason;
  check(PetscOptionsClearValue(nullptr, "-tight_mat_mumps_icntl_14"));
  check(PetscOptionsClearValue(nullptr, "-tight_mat_mumps_icntl_6"));
}

TEST(SolverErrors, WordsAreThoseOfTheLowestRankThatFailed) {
  int rank, ranks;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
  EXPECT_EQ(library_failure(PETSC_COMM_WORLD, [] {}), "");
  const std::string words = library_failure(PETSC_COMM_WORLD, [&] {
    if (rank == ranks - 1) check(PETSC_ERR_MEM);
  });
  EXPECT_NE(words, "");
  EXPECT_EQ(words.find("libadjoint"), std::string::npos) << words;
  EXPECT_EQ(library_failure(PETSC_COMM_WORLD, [&] {
              if (rank == 0) throw std::bad_alloc();
            }), "not enough memory");
}

// On kept factors one error is measured, and others follow from it by their residuals: they are close to errors against dense
// solves, even if right-hand sides and tolerances differ by orders of magnitude.
TEST(SolverErrors, ErrorsOnKeptFactorsFollowTheirResiduals) {
  LinearSolver solver(PETSC_COMM_WORLD, {.method = "mumps", .keep_factors = true});
  MatHandle A;
  VecHandle b, x;
  for (int k = 0; k < 6; ++k) {
    Eigen::MatrixXd dense = test::banded(size, false, 0.02 * k);
    A = test::to_petsc(dense, std::move(A));
    if (!b) check(MatCreateVecs(A, x.out(), b.out()));
    solver.set_operator(A, false);
    for (const bool transpose : {false, true}) {
      const Eigen::VectorXd load = std::pow(10.0, k) * test::some_load(size);
      check(VecCopy(test::to_petsc(A, load), b));
      const double rtol = k % 2 == 0 ? 1e-4 : 1e-7;
      SolveReport report = transpose ? solver.solve_transpose(b, x, rtol) : solver.solve(b, x, rtol);
      ASSERT_TRUE(report.converged) << report.reason;
      solver.note_error(report, x, transpose);
      if (k == 0) continue;  // exact factors
      EXPECT_FALSE(report.factored);
      const Eigen::VectorXd exact = test::dense_solve(transpose ? Eigen::MatrixXd(dense.transpose()) : dense, load);
      const double error = test::difference(x, exact) / exact.lpNorm<Eigen::Infinity>();
      EXPECT_GT(report.error, error / 5) << k;
      EXPECT_LT(report.error, error * 5) << k;
    }
  }
}

}  // namespace
}  // namespace invar
