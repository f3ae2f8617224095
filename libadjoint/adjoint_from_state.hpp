#pragma once
#include <optional>

#include "libadjoint/residual.hpp"
#include "libadjoint/solve/solve_report.hpp"

namespace invar {

/// The adjoint without a solve, where it is a multiple of the state: Kᵀλ = ū with λ_f = α u_f on what is not prescribed. So it
/// is for the work of dead loads and the elastic energy of a linear body with homogeneous supports, K u = f and ū ∥ f, and for
/// the reaction of a support whose displacement is prescribed, K_ff u_f = −K_fc u_c and ū_f ∥ K_fc u_c. No flag is needed:
/// z = K_ffᵀ u_f costs one product without the assembled matrix, α is the best factor, and λ is taken only where the true
/// residual ‖ū_f − α z‖/‖ū_f‖ is at most `rtol`, what a solve would be asked for (or
/// 1e-13, which is round-off). lambda: complete, as
/// `Linearization::solve_adjoint` leaves it; overwritten in any case. Nothing: it has to be solved for. Its relative error is
/// that of the state, which is not estimated here. Collective.
std::optional<SolveReport> adjoint_from_state(Residual& residual, const EvaluationPoint& u, Vec u_bar, double rtol, Vec lambda);

}  // namespace invar
