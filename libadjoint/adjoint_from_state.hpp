#pragma once
#include <optional>

#include "libadjoint/residual.hpp"
#include "libadjoint/solve/solve_report.hpp"

namespace invar {

/// Computes an adjoint without a linear solve where it is a multiple of the state: Kᵀλ = ū with λ_f = α u_f on the
/// unconstrained rows f. Examples: the work of dead loads and the elastic energy of a linear body with homogeneous supports (K
/// u = f and ū ∥ f); the reaction of a support with a prescribed displacement (K_ff u_f = −K_fc u_c and ū_f ∥ K_fc u_c).
/// The test costs one matrix-free product z = K_ffᵀ u_f; α is the least-squares factor. λ is accepted if the relative residual
/// ‖ū_f − α z‖/‖ū_f‖ is at most the larger of `rtol`, the tolerance of a solve, and 1e-13 (round-off).
/// lambda: the complete adjoint as from `Linearization::solve_adjoint`; overwritten in any case. Returns nothing where a solve
/// is needed. The relative error of λ is that of the state; it is not estimated here. Collective.
std::optional<SolveReport> adjoint_from_state(Residual& residual, const EvaluationPoint& u, Vec u_bar, double rtol, Vec lambda);

}  // namespace invar
