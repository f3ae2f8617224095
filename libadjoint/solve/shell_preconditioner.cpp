#include "libadjoint/solve/shell_preconditioner.hpp"

#include "libadjoint/solve/library_failure.hpp"

namespace invar {
namespace {

template <bool Transpose>
PetscErrorCode apply_shell(PC pc, Vec b, Vec x) {
  void* self = nullptr;
  if (const PetscErrorCode code = PCShellGetContext(pc, &self); code != 0) return code;
  return library_error(PetscObjectComm(PetscObject(b)), [&] { static_cast<ShellPreconditioner*>(self)->apply(b, x, Transpose); });
}

}  // namespace

void ShellPreconditioner::attach(PC pc) {
  check(PCSetType(pc, PCSHELL));
  check(PCShellSetContext(pc, this));
  check(PCShellSetApply(pc, apply_shell<false>));
  check(PCShellSetApplyTranspose(pc, apply_shell<true>));
}

}  // namespace invar
