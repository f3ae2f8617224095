#pragma once
#include <exception>
#include <memory>
#include <new>
#include <string>

#include "libadjoint/petsc.hpp"
#include "libadjoint/solve/compressed_rows.hpp"
#include "libadjoint/solve/device_rows.hpp"

// Outside namespace `invar`, which has a class with the name of a function that PETSc's macros call.
namespace invar_petsc {

/// Context of a PETSc shell preconditioner (PCSHELL) that solves with factors: the factors, and the matrix and pattern for
/// which they were analysed. Its functions are PETSc callbacks: they return error codes, and no exception leaves them.
template <class Factors>
struct FactorShell {
  std::unique_ptr<Factors> factors;
  std::string failure;  // error message of the last set-up
  PetscObjectId matrix = 0;
  PetscObjectState pattern = 0;

  static FactorShell& of(PC pc) {
    void* self = nullptr;
    PCShellGetContext(pc, &self);
    return *static_cast<FactorShell*>(self);
  }

  /// Computes the factors of an AIJ matrix of one process, or of one in a device's memory (DeviceRows). analyse(rows) -> std::unique_ptr<Factors> is called for a new
  /// pattern and may return null; then factor(factors, rows). what: name of the factors in messages.
  template <class Analyse, class Factor>
  PetscErrorCode renew(Mat A, const char* what, const Analyse& analyse, const Factor& factor) {
    PetscInt n;
    PetscBool done;
    invar::CompressedRows rows;
    PetscObjectId id;
    PetscObjectState state;
    invar::DeviceRows* const there = invar::DeviceRows::of(A);
    PetscCall(PetscObjectGetId(PetscObject(A), &id));
    PetscCall(MatGetNonzeroState(A, &state));
    if (there) {
      rows = there->rows();
    } else {
      PetscCall(MatGetRowIJ(A, 0, PETSC_FALSE, PETSC_FALSE, &n, &rows.start, &rows.column, &done));
      PetscCheck(done, PETSC_COMM_SELF, PETSC_ERR_SUP, "%s need an AIJ matrix", what);
      PetscCall(MatSeqAIJGetArrayRead(A, &rows.value));
      rows.n = n;
    }
    try {
      if (!factors || id != matrix || state != pattern) {
        factors = analyse(rows);
        matrix = id;
        pattern = state;
      }
      if (factors) factor(*factors, rows);
    } catch (const std::bad_alloc&) {
      SETERRQ(PETSC_COMM_SELF, PETSC_ERR_MEM, "%s", what);
    } catch (const std::exception& e) {
      SETERRQ(PETSC_COMM_SELF, PETSC_ERR_LIB, "%s", e.what());
    }
    if (there) return 0;
    PetscCall(MatSeqAIJRestoreArrayRead(A, &rows.value));
    PetscCall(MatRestoreRowIJ(A, 0, PETSC_FALSE, PETSC_FALSE, &n, &rows.start, &rows.column, &done));
    return 0;
  }

  /// Calls solve(factors, b, x) with the entries of this process; AnyMemory: where they are, on the host or a device.
  template <bool AnyMemory = false, class Solve>
  static PetscErrorCode apply(PC pc, Vec b, Vec x, const Solve& solve) {
    const double* from;
    double* to;
    PetscCheck(of(pc).factors, PETSC_COMM_SELF, PETSC_ERR_ORDER, "there are no factors");
    PetscCall(AnyMemory ? VecGetArrayReadAndMemType(b, &from, nullptr) : VecGetArrayRead(b, &from));
    PetscCall(AnyMemory ? VecGetArrayWriteAndMemType(x, &to, nullptr) : VecGetArray(x, &to));
    try {
      solve(*of(pc).factors, from, to);
    } catch (const std::exception& e) {
      SETERRQ(PETSC_COMM_SELF, PETSC_ERR_LIB, "%s", e.what());
    }
    PetscCall(AnyMemory ? VecRestoreArrayWriteAndMemType(x, &to) : VecRestoreArray(x, &to));
    PetscCall(AnyMemory ? VecRestoreArrayReadAndMemType(b, &from) : VecRestoreArrayRead(b, &from));
    return 0;
  }

  /// Turns a new preconditioner into one of this kind with the given name.
  static PetscErrorCode create(PC pc, const char* name, PetscErrorCode (*set_up)(PC), PetscErrorCode (*forward)(PC, Vec, Vec),
                               PetscErrorCode (*transposed)(PC, Vec, Vec)) {
    PetscCall(PCSetType(pc, PCSHELL));
    PetscCall(PCShellSetContext(pc, new FactorShell));
    PetscCall(PCShellSetName(pc, name));
    PetscCall(PCShellSetSetUp(pc, set_up));
    PetscCall(PCShellSetApply(pc, forward));
    PetscCall(PCShellSetApplyTranspose(pc, transposed));
    PetscCall(PCShellSetDestroy(pc, [](PC self) -> PetscErrorCode {
      delete &of(self);
      return 0;
    }));
    return 0;
  }
};

}  // namespace invar_petsc
