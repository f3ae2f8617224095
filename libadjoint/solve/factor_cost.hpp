#pragma once
#include "libadjoint/petsc.hpp"

namespace invar {

/// Floating-point operations of a Cholesky factorisation of the symmetric A, as the analysis of MUMPS estimates them;
/// HUGE_VAL where it cannot tell. Collective; costs a fraction of the factorisation.
double factor_operations(Mat A);

}  // namespace invar
