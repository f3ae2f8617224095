#include "libadjoint/solve/triangular_blocks.hpp"

#include "libadjoint/solve/library_failure.hpp"

namespace invar {
namespace {

template <bool Transpose>
PetscErrorCode apply_blocks(PC pc, Vec b, Vec x) {
  void* self = nullptr;
  if (const PetscErrorCode code = PCShellGetContext(pc, &self); code != 0) return code;
  return library_error(PetscObjectComm(PetscObject(b)), [&] { static_cast<TriangularBlocks*>(self)->apply(b, x, Transpose); });
}

}  // namespace

void TriangularBlocks::attach(PC pc) {
  check(PCSetType(pc, PCSHELL));
  check(PCShellSetContext(pc, this));
  check(PCShellSetApply(pc, apply_blocks<false>));
  check(PCShellSetApplyTranspose(pc, apply_blocks<true>));
  check(PCShellSetName(pc, "triangular blocks"));
}

}  // namespace invar
