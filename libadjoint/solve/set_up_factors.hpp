#pragma once
#include <string>

#include "libadjoint/petsc.hpp"

namespace invar {

/// KSPSetUp for the present values of the operator. MUMPS gets more work space where its estimate was too small.
/// Returns an error message such as "zero pivot", empty on success. Collective.
std::string set_up_factors(KSP ksp);

/// Whether the factors of `pc` are of MUMPS.
bool factored_by_mumps(PC pc);

/// " (INFOG(1) = …)" where the factors of `pc` are of MUMPS and it reports an error; empty otherwise.
std::string mumps_code(PC pc);

}  // namespace invar
