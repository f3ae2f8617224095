#pragma once
#include <Eigen/Dense>
#include <vector>

#include "libadjoint/inference/uncertainty.hpp"
#include "libadjoint/verify/verification.hpp"

namespace invar {

/// Where a fit would move in another setting, to first order: one Gauss-Newton step −(JᵀJ)⁻¹Jᵀρ from weighted residuals ρ
/// [m] and their Jacobian by θ [m × n] there, at the θ of the fit. Parameters that `fitted` holds at a bound or finds
/// unidentifiable stay and get no shift. Throws std::invalid_argument when the sizes do not fit.
std::vector<ParameterShift> parameter_shifts(const Eigen::VectorXd& rho, const Eigen::MatrixXd& drho,
                                             const std::vector<VariableTransform>& transforms, const std::vector<double>& theta,
                                             const Uncertainty& fitted);

}  // namespace invar
