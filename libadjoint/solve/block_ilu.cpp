#include "libadjoint/solve/block_ilu.hpp"

#include <memory>
#include <stdexcept>

#include "libadjoint/solve/block_factors.hpp"

// Outside of the namespace, where a class has the name of the function that PETSc's macros call.
namespace {

using invar::BlockFactors;

/// What a preconditioner of this type holds.
struct BlockIlu {
  std::unique_ptr<BlockFactors> factors;
  PetscObjectId matrix = 0;  // that was analysed, and which of its patterns
  PetscObjectState nonzeros = 0;
};

// Called by PETSc: no exception may pass.

BlockIlu& context(PC pc) {
  void* self = nullptr;
  PCShellGetContext(pc, &self);
  return *static_cast<BlockIlu*>(self);
}

PetscErrorCode factor(BlockIlu& ilu, Mat A, int block_size, int levels, bool& regular) {
  PetscInt n;
  PetscBool done;
  invar::CompressedRows rows;
  PetscObjectId matrix;
  PetscObjectState nonzeros;
  PetscCall(PetscObjectGetId(PetscObject(A), &matrix));
  PetscCall(MatGetNonzeroState(A, &nonzeros));
  PetscCall(MatGetRowIJ(A, 0, PETSC_FALSE, PETSC_FALSE, &n, &rows.start, &rows.column, &done));
  PetscCheck(done, PETSC_COMM_SELF, PETSC_ERR_SUP, "incomplete factors of blocks need an AIJ matrix");
  PetscCall(MatSeqAIJGetArrayRead(A, &rows.value));
  rows.n = n;
  try {
    if (!ilu.factors || matrix != ilu.matrix || nonzeros != ilu.nonzeros) {
      ilu.factors = invar::make_block_factors(block_size);
      ilu.factors->analyse(rows, levels);
      ilu.matrix = matrix;
      ilu.nonzeros = nonzeros;
    }
    regular = ilu.factors->factor(rows);
  } catch (const std::bad_alloc&) {
    SETERRQ(PETSC_COMM_SELF, PETSC_ERR_MEM, "incomplete factors of blocks");
  } catch (const std::exception& e) {
    SETERRQ(PETSC_COMM_SELF, PETSC_ERR_LIB, "%s", e.what());
  }
  PetscCall(MatSeqAIJRestoreArrayRead(A, &rows.value));
  PetscCall(MatRestoreRowIJ(A, 0, PETSC_FALSE, PETSC_FALSE, &n, &rows.start, &rows.column, &done));
  return 0;
}

PetscErrorCode set_up(PC pc) {
  Mat A, mine;
  PetscInt block_size, levels = 1;
  const char* prefix;
  PetscCall(PCGetOperators(pc, nullptr, &A));
  PetscCall(MatGetBlockSize(A, &block_size));
  PetscCall(MatGetDiagonalBlock(A, &mine));
  PetscCall(PCGetOptionsPrefix(pc, &prefix));
  PetscCall(PetscOptionsGetInt(nullptr, prefix, "-pc_factor_levels", &levels, nullptr));
  int regular = true;
  bool here = true;
  PetscCall(factor(context(pc), mine, int(block_size), int(levels), here));
  regular = here;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &regular, 1, MPI_INT, MPI_MIN, PetscObjectComm(PetscObject(pc))));
  PetscCall(PCSetFailedReason(pc, regular ? PC_NOERROR : PC_FACTOR_NUMERIC_ZEROPIVOT));
  return 0;
}

template <bool Transpose>
PetscErrorCode apply(PC pc, Vec x, Vec y) {
  const double* b;
  double* a;
  PetscCall(VecGetArrayRead(x, &b));
  PetscCall(VecGetArray(y, &a));
  const BlockFactors& factors = *context(pc).factors;
  if (Transpose) factors.solve_transpose(b, a);
  else factors.solve(b, a);
  PetscCall(VecRestoreArray(y, &a));
  PetscCall(VecRestoreArrayRead(x, &b));
  return 0;
}

PetscErrorCode destroy(PC pc) {
  delete &context(pc);
  return 0;
}

PetscErrorCode create(PC pc) {
  PetscCall(PCSetType(pc, PCSHELL));
  PetscCall(PCShellSetContext(pc, new BlockIlu));
  PetscCall(PCShellSetName(pc, "block ILU in single precision"));
  PetscCall(PCShellSetSetUp(pc, set_up));
  PetscCall(PCShellSetApply(pc, apply<false>));
  PetscCall(PCShellSetApplyTranspose(pc, apply<true>));
  PetscCall(PCShellSetDestroy(pc, destroy));
  return 0;
}

}  // namespace

void invar::register_block_ilu() { check(PCRegister("invar_block_ilu", create)); }
