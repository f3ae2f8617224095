#pragma once
#include <string>

#include "libadjoint/petsc.hpp"

namespace invar {

/// KSPSetUp for the present values of the operator. MUMPS is given more work space where it guessed
/// too little. The reason in words when it fails, "zero pivot" among them, else empty. Collective.
std::string set_up_factors(KSP ksp);

/// " (INFOG(1) = …)" where the factors of `pc` are MUMPS's and it reports an error, else empty.
std::string mumps_code(PC pc);

}  // namespace invar
