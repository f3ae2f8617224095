#include "libadjoint/verify/parameter_shift.hpp"

#include <cmath>
#include <stdexcept>

namespace invar {

std::vector<ParameterShift> parameter_shifts(const Eigen::VectorXd& rho, const Eigen::MatrixXd& drho,
                                             const std::vector<VariableTransform>& transforms, const std::vector<double>& theta,
                                             const Uncertainty& fitted) {
  const std::size_t n = fitted.parameters.size();
  if (rho.size() != drho.rows() || static_cast<std::size_t>(drho.cols()) != n || transforms.size() != n || theta.size() != n)
    throw std::invalid_argument("parameter_shifts: sizes do not fit");
  std::vector<std::size_t> free;
  for (std::size_t k = 0; k < n; ++k)
    if (!fitted.parameters[k].at_bound && fitted.parameters[k].identifiable) free.push_back(k);
  if (free.empty()) return {};
  Eigen::MatrixXd columns(drho.rows(), static_cast<Eigen::Index>(free.size()));
  for (std::size_t i = 0; i < free.size(); ++i) columns.col(static_cast<Eigen::Index>(i)) = drho.col(static_cast<Eigen::Index>(free[i]));
  const Eigen::VectorXd step = columns.colPivHouseholderQr().solve(-rho);
  std::vector<ParameterShift> shifts;
  for (std::size_t i = 0; i < free.size(); ++i) {
    const std::size_t k = free[i];
    const ParameterEstimate& p = fitted.parameters[k];
    ParameterShift s{p.name, transforms[k].physical(theta[k]), transforms[k].physical(theta[k] + step[static_cast<Eigen::Index>(i)])};
    const double reach = s.shifted > s.value ? p.upper - s.value : s.value - p.lower;
    s.of_interval = std::abs(s.shifted - s.value) / reach;
    shifts.push_back(s);
  }
  return shifts;
}

}  // namespace invar
