#include "libadjoint/verify/parameter_shift.hpp"

#include <cmath>
#include <stdexcept>

namespace invar {
namespace {

Eigen::VectorXd gauss_newton_step(const FitLinearization& of, const std::vector<std::size_t>& free) {
  Eigen::MatrixXd columns(of.drho.rows(), static_cast<Eigen::Index>(free.size()));
  for (std::size_t i = 0; i < free.size(); ++i) columns.col(static_cast<Eigen::Index>(i)) = of.drho.col(static_cast<Eigen::Index>(free[i]));
  return columns.colPivHouseholderQr().solve(-of.rho);
}

}  // namespace

std::vector<ParameterShift> parameter_shifts(const FitLinearization& there, const FitLinearization& here,
                                             const std::vector<VariableTransform>& transforms, const std::vector<double>& theta,
                                             const Uncertainty& fitted) {
  const std::size_t n = fitted.parameters.size();
  for (const FitLinearization* of : {&there, &here})
    if (of->rho.size() != of->drho.rows() || static_cast<std::size_t>(of->drho.cols()) != n || transforms.size() != n || theta.size() != n)
      throw std::invalid_argument("parameter_shifts: sizes do not fit");
  std::vector<std::size_t> free;
  for (std::size_t k = 0; k < n; ++k)
    if (!fitted.parameters[k].at_bound && fitted.parameters[k].identifiable) free.push_back(k);
  if (free.empty()) return {};
  const Eigen::VectorXd step = gauss_newton_step(there, free) - gauss_newton_step(here, free);
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
