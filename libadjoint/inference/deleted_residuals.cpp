#include "libadjoint/inference/deleted_residuals.hpp"

#include <boost/math/distributions/students_t.hpp>

#include <algorithm>
#include <cmath>

namespace invar {

Eigen::VectorXd deleted_residuals(const Eigen::VectorXd& rho, const Eigen::MatrixXd& J, const Eigen::MatrixXd& inverse, int freedom) {
  constexpr double round_off = 1e-10, stationary = 1e-6;
  const double squares = rho.squaredNorm();
  if (freedom < 2 || squares == 0) return {};
  const Eigen::VectorXd free_share = (1 - (J * inverse).cwiseProduct(J).rowwise().sum().array()).matrix();  // 1 − h
  Eigen::VectorXd t = Eigen::VectorXd::Zero(rho.size());
  for (Eigen::Index i = 0; i < rho.size(); ++i) {
    if (free_share[i] < round_off) continue;
    const double of_others = squares - rho[i] * rho[i] / free_share[i];
    if (of_others < -stationary * squares) continue;  // no squares: the residuals are not those of a least-squares fit
    t[i] = rho[i] / std::sqrt(free_share[i] * std::max(of_others, round_off * squares) / (freedom - 1));
  }
  return t;
}

double outlier_limit(int data, int freedom) {
  constexpr double level = 0.05;
  return boost::math::quantile(boost::math::complement(boost::math::students_t(freedom - 1), level / (2 * data)));
}

}  // namespace invar
