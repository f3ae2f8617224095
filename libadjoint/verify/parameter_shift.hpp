#pragma once
#include <Eigen/Dense>
#include <vector>

#include "libadjoint/inference/uncertainty.hpp"
#include "libadjoint/verify/verification.hpp"

namespace invar {

/// Weighted residuals ρ [m] of a fit and their Jacobian by θ [m × n].
struct FitLinearization {
  Eigen::VectorXd rho;
  Eigen::MatrixXd drho;
};

/// Where a fit would move in another setting, to first order: the Gauss-Newton step −(JᵀJ)⁻¹Jᵀρ there, less that in the
/// setting of the fit (zero where it has converged), both at the θ of the fit. Parameters that `fitted` holds at a
/// bound or finds unidentifiable stay and get no shift. Throws std::invalid_argument when the sizes do not fit.
std::vector<ParameterShift> parameter_shifts(const FitLinearization& there, const FitLinearization& here,
                                             const std::vector<VariableTransform>& transforms, const std::vector<double>& theta,
                                             const Uncertainty& fitted);

}  // namespace invar
