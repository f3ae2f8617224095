#pragma once
#include <petscmat.h>

#include <map>
#include <string>

#include "libadjoint/petsc.hpp"

// MUMPS under another name, whose calls can be told to fail: what a direct solver does that runs out of memory or
// work space, or meets numbers that overflow.
namespace invar::test {

struct Faults {
  enum class In { nothing, analysis, factor, inertia, solve, transposed_solve } in = In::nothing;
  int spared = 0;         // calls of that kind that still succeed
  bool one_rank = false;  // the error is seen by the last rank only
  bool not_finite = false;  // no error, but NaN in the solution

  static Faults& now() {
    static Faults faults;
    return faults;
  }
};

namespace faulty {

using Call = void (*)();
inline std::map<MatOperation, Call>& originals() {
  static std::map<MatOperation, Call> calls;
  return calls;
}

inline PetscErrorCode fault(Faults::In in, Mat A) {
  Faults& faults = Faults::now();
  if (faults.in != in || faults.not_finite || faults.spared-- > 0) return 0;
  int rank, size;
  MPI_Comm_rank(PetscObjectComm(PetscObject(A)), &rank);
  MPI_Comm_size(PetscObjectComm(PetscObject(A)), &size);
  return faults.one_rank && rank != size - 1 ? 0 : PETSC_ERR_LIB;
}

template <class Function>
Function original(MatOperation operation) {
  return reinterpret_cast<Function>(originals().at(operation));
}

/// The factor's `operation` becomes `call`; what it was before is kept.
template <class Function>
void replace(Mat factor, MatOperation operation, Function call) {
  Call before = nullptr;
  check(MatGetOperation(factor, operation, &before));
  if (before != reinterpret_cast<Call>(call)) originals()[operation] = before;
  check(MatSetOperation(factor, operation, reinterpret_cast<Call>(call)));
}

template <MatOperation Operation, Faults::In In>
PetscErrorCode solve(Mat F, Vec b, Vec x) {
  const PetscErrorCode code = original<PetscErrorCode (*)(Mat, Vec, Vec)>(Operation)(F, b, x);
  if (code != 0) return code;
  if (Faults::now().in == In && Faults::now().not_finite) return VecSet(x, PETSC_INFINITY);
  return fault(In, F);
}

inline PetscErrorCode inertia(Mat F, PetscInt* negative, PetscInt* zero, PetscInt* positive) {
  const PetscErrorCode code =
      original<PetscErrorCode (*)(Mat, PetscInt*, PetscInt*, PetscInt*)>(MATOP_GET_INERTIA)(F, negative, zero, positive);
  return code != 0 ? code : fault(Faults::In::inertia, F);
}

template <MatOperation Operation>
PetscErrorCode factor(Mat F, Mat A, const MatFactorInfo* info) {
  const PetscErrorCode code = original<PetscErrorCode (*)(Mat, Mat, const MatFactorInfo*)>(Operation)(F, A, info);
  return code != 0 ? code : fault(Faults::In::factor, F);
}

inline void replace_solves(Mat F) {
  replace(F, MATOP_SOLVE, &solve<MATOP_SOLVE, Faults::In::solve>);
  replace(F, MATOP_SOLVE_TRANSPOSE, &solve<MATOP_SOLVE_TRANSPOSE, Faults::In::transposed_solve>);
}

inline PetscErrorCode analyse_lu(Mat F, Mat A, IS rows, IS columns, const MatFactorInfo* info) {
  using Function = PetscErrorCode (*)(Mat, Mat, IS, IS, const MatFactorInfo*);
  if (const PetscErrorCode code = original<Function>(MATOP_LUFACTOR_SYMBOLIC)(F, A, rows, columns, info)) return code;
  replace(F, MATOP_LUFACTOR_NUMERIC, &factor<MATOP_LUFACTOR_NUMERIC>);
  replace_solves(F);
  return fault(Faults::In::analysis, F);
}

inline PetscErrorCode analyse_cholesky(Mat F, Mat A, IS rows, const MatFactorInfo* info) {
  using Function = PetscErrorCode (*)(Mat, Mat, IS, const MatFactorInfo*);
  if (const PetscErrorCode code = original<Function>(MATOP_CHOLESKY_FACTOR_SYMBOLIC)(F, A, rows, info)) return code;
  replace(F, MATOP_CHOLESKY_FACTOR_NUMERIC, &factor<MATOP_CHOLESKY_FACTOR_NUMERIC>);
  replace(F, MATOP_GET_INERTIA, &inertia);
  replace_solves(F);
  return fault(Faults::In::analysis, F);
}

inline PetscErrorCode create(Mat A, MatFactorType type, Mat* F) {
  if (const PetscErrorCode code = MatGetFactor(A, MATSOLVERMUMPS, type, F)) return code;
  if (type == MAT_FACTOR_LU) replace(*F, MATOP_LUFACTOR_SYMBOLIC, &analyse_lu);
  else replace(*F, MATOP_CHOLESKY_FACTOR_SYMBOLIC, &analyse_cholesky);
  return 0;
}

}  // namespace faulty

/// While alive, solvers with the prefix "faulty_" factor by it.
class FaultyFactors {
 public:
  FaultyFactors() {
    Faults::now() = {};
    static const bool registered = [] {
      for (const MatType layout : {MATSEQAIJ, MATMPIAIJ})
        for (const MatFactorType type : {MAT_FACTOR_LU, MAT_FACTOR_CHOLESKY})
          check(MatSolverTypeRegister("faulty", layout, type, faulty::create));
      return true;
    }();
    static_cast<void>(registered);
    check(PetscOptionsSetValue(nullptr, option, "faulty"));
  }
  ~FaultyFactors() {
    PetscOptionsClearValue(nullptr, option);
    Faults::now() = {};
  }
  FaultyFactors(const FaultyFactors&) = delete;
  FaultyFactors& operator=(const FaultyFactors&) = delete;

 private:
  static constexpr const char* option = "-faulty_pc_factor_mat_solver_type";
};

}  // namespace invar::test
