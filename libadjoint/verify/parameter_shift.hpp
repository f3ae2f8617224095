#pragma once
#include <Eigen/Dense>
#include <vector>

#include "libadjoint/inference/uncertainty.hpp"
#include "libadjoint/verify/verification.hpp"

namespace invar {

/// Weighted residuals ρ [m] of a fit and their Jacobian dρ/dθ [m × n].
struct FitLinearization {
  Eigen::VectorXd rho;
  Eigen::MatrixXd drho;
};

/// First-order shift of fitted parameters in another setting (such as a finer mesh): the Gauss–Newton step −(JᵀJ)⁻¹Jᵀρ there,
/// minus the step in the setting of the fit (zero if it has converged), both at the θ of the fit. Parameters that `fitted`
/// reports at a bound or as unidentifiable get no shift. Throws std::invalid_argument if the sizes do not fit.
std::vector<ParameterShift> parameter_shifts(const FitLinearization& there, const FitLinearization& here,
                                             const std::vector<VariableTransform>& transforms, const std::vector<double>& theta,
                                             const Uncertainty& fitted);

}  // namespace invar
