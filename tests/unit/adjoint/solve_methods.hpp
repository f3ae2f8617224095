#pragma once
#include <gtest/gtest.h>

#include <string>

#include "libadjoint/solve/linear_solver.hpp"
#include "tests/unit/adjoint/solve_matrices.hpp"

namespace invar::test {

inline int processes() {
  int count;
  MPI_Comm_size(PETSC_COMM_WORLD, &count);
  return count;
}

inline LinearSolver make_solver(std::string_view method, double rtol = 1e-12) {
  return LinearSolver(PETSC_COMM_WORLD, {.method = std::string(method), .rtol = rtol});
}

/// Every back end that can run here, with the symmetry it is used for. `solve_linear_test.cpp` says which there are.
class EveryMethod : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    method_ = &find_linear_method(GetParam());
    if (method_->one_process && processes() > 1) GTEST_SKIP() << "one process only";
  }
  const LinearMethod* method_ = nullptr;
};

}  // namespace invar::test
