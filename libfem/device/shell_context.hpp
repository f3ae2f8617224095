#pragma once
#include "libadjoint/petsc.hpp"
#include "libadjoint/solve/library_failure.hpp"

namespace invar {

/// Calls work(shell) for what a PETSc shell matrix belongs to; an exception becomes an error code.
template <class Shell, class Work>
PetscErrorCode on_shell(Mat A, const Work& work) {
  return library_error(PetscObjectComm(PetscObject(A)), [&] {
    Shell* shell = nullptr;
    check(MatShellGetContext(A, &shell));
    work(*shell);
  });
}
/// Sets an operation of a shell matrix.
template <class Function>
void set_operation(Mat shell, MatOperation operation, Function function) {
  check(MatShellSetOperation(shell, operation, reinterpret_cast<void (*)()>(+function)));
}

}  // namespace invar
