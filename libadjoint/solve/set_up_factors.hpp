#pragma once
#include <string>

#include "libadjoint/petsc.hpp"

namespace invar {

/// KSPSetUp for the present values of the operator. MUMPS is given more work space where it guessed
/// too little. The reason in words when it fails, else empty. Collective.
std::string set_up_factors(KSP ksp);

/// PETSc's own words for an error code.
std::string error_text(PetscErrorCode code);

}  // namespace invar
