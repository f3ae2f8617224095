#pragma once
#include "libadjoint/petsc.hpp"

namespace invar {

/// What an object offers beside its PETSc matrix, found by the matrix alone. Interface::attached_name: the name under which PETSc keeps it.
template <class Interface>
class AttachedToMatrix {
 public:
  /// That of a matrix; null: it has none, or there is no matrix.
  static Interface* of(Mat A) {
    if (!A) return nullptr;
    PetscObject found = nullptr;
    void* object = nullptr;
    check(PetscObjectQuery(PetscObject(A), Interface::attached_name, &found));
    if (found) check(PetscContainerGetPointer(PetscContainer(found), &object));
    return static_cast<Interface*>(object);
  }

 protected:
  /// Makes `of(A)` return this object.
  void attach_to(Mat A) {
    PetscContainer container = nullptr;
    check(PetscContainerCreate(PETSC_COMM_SELF, &container));
    check(PetscContainerSetPointer(container, static_cast<Interface*>(this)));
    check(PetscObjectCompose(PetscObject(A), Interface::attached_name, PetscObject(container)));
    check(PetscContainerDestroy(&container));
  }

  /// `of(A)` becomes null: for a matrix that outlives this object.
  static void detach_from(Mat A) { PetscObjectCompose(PetscObject(A), Interface::attached_name, nullptr); }
};

}  // namespace invar
