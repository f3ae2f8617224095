#include "libadjoint/solve/factor_cost.hpp"

#include <cmath>

#include "libadjoint/solve/options_scope.hpp"

namespace invar {

double factor_operations(Mat A) {
  const QuietErrors quiet;
  MatHandle factors;
  MatFactorInfo info;
  PetscReal operations = 0;
  if (MatGetFactor(A, MATSOLVERMUMPS, MAT_FACTOR_CHOLESKY, factors.out()) != 0) return HUGE_VAL;
  check(MatFactorInfoInitialize(&info));
  if (MatCholeskyFactorSymbolic(factors, A, nullptr, &info) != 0) return HUGE_VAL;
  if (MatMumpsGetRinfog(factors, 1, &operations) != 0 || !(operations > 0)) return HUGE_VAL;
  return operations;
}

}  // namespace invar
