#pragma once
#include <exception>
#include <new>

#include "libadjoint/petsc.hpp"

// Outside namespace `invar`, which has a class with the name of a function that PETSc's macros call.
namespace invar_petsc {

/// Does the work of a function that PETSc calls, which no exception may leave: 0, or an error code. what: whose memory may end.
template <class Work>
PetscErrorCode callback(const char* what, const Work& work) {
  try {
    work();
  } catch (const std::bad_alloc&) {
    SETERRQ(PETSC_COMM_SELF, PETSC_ERR_MEM, "%s", what);
  } catch (const std::exception& e) {
    SETERRQ(PETSC_COMM_SELF, PETSC_ERR_LIB, "%s", e.what());
  }
  return 0;
}

}  // namespace invar_petsc
