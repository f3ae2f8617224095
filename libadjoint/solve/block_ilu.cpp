#include "libadjoint/solve/block_ilu.hpp"

#include "libadjoint/solve/block_factors.hpp"
#include "libadjoint/solve/factor_shell.hpp"

// Outside of the namespace, as in factor_shell.hpp.
namespace {

using invar::BlockFactors;
using BlockIluShell = invar_petsc::FactorShell<BlockFactors>;

PetscErrorCode set_up_block_ilu(PC pc) {
  Mat A, mine;
  PetscInt block_size, levels = 1;
  const char* prefix;
  PetscCall(PCGetOperators(pc, nullptr, &A));
  PetscCall(MatGetBlockSize(A, &block_size));
  PetscCall(MatGetDiagonalBlock(A, &mine));
  PetscCall(PCGetOptionsPrefix(pc, &prefix));
  PetscCall(PetscOptionsGetInt(nullptr, prefix, "-pc_factor_levels", &levels, nullptr));
  const auto analyse = [&](const invar::CompressedRows& rows) {
    std::unique_ptr<BlockFactors> factors = invar::make_block_factors(int(block_size));
    factors->analyse(rows, int(levels));
    return factors;
  };
  int regular = true;
  const auto factor = [&](BlockFactors& factors, const invar::CompressedRows& rows) { regular = factors.factor(rows); };
  PetscCall(BlockIluShell::of(pc).renew(mine, "incomplete factors of blocks", analyse, factor));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &regular, 1, MPI_INT, MPI_MIN, PetscObjectComm(PetscObject(pc))));
  PetscCall(PCSetFailedReason(pc, regular ? PC_NOERROR : PC_FACTOR_NUMERIC_ZEROPIVOT));
  return 0;
}

template <bool Transpose>
PetscErrorCode apply_block_ilu(PC pc, Vec b, Vec x) {
  return BlockIluShell::apply(pc, b, x, [](const BlockFactors& factors, const double* from, double* to) {
    if (Transpose) factors.solve_transpose(from, to);
    else factors.solve(from, to);
  });
}

PetscErrorCode create_block_ilu(PC pc) {
  return BlockIluShell::create(pc, "block ILU in single precision", set_up_block_ilu, apply_block_ilu<false>, apply_block_ilu<true>);
}

}  // namespace

void invar::register_block_ilu() { check(PCRegister("invar_block_ilu", create_block_ilu)); }
