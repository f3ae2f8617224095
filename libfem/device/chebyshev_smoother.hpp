#pragma once

namespace invar {

/// Registers the PETSc preconditioner type `invar_device_chebyshev` for matrices of DeviceTangent: a fixed symmetric polynomial in B⁻¹A of
/// degree 2 (three steps of Chebyshev's iteration from zero), B the diagonal blocks of the nodes. It damps eigenvalues in the upper nine
/// tenths of the spectrum, whose largest value is found by conjugate gradients on noise (M. Adams et al., Parallel multigrid smoothing:
/// polynomial versus Gauss–Seidel, J. Comput. Phys. 188, 2003). Reads and writes device memory only.
void register_device_chebyshev();

}  // namespace invar
