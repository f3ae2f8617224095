#pragma once
#include <string>
#include <string_view>

#include "libadjoint/petsc.hpp"

namespace invar {

/// KSPSetUp for the present values of the operator. MUMPS gets more work space if its estimate was too small. Returns
/// an error message such as "zero pivot", empty on success. Collective.
std::string set_up_factors(KSP ksp);

/// Whether the factors of `pc` are those of this library (MATSOLVER…).
bool factored_by(PC pc, std::string_view library);
bool factored_by_mumps(PC pc);

/// " (INFOG(1) = …)" if the factors of `pc` are MUMPS's and it reports an error; else empty.
std::string mumps_code(PC pc);

}  // namespace invar
