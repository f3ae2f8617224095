#include "libadjoint/optimize/residual_points.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace invar {

const ResidualPoint* ResidualPoints::find(const std::vector<double>& theta,
                                          bool with_jacobian) const {
  for (const ResidualPoint& p : points_)
    if (p.theta == theta && (!p.ok || p.has_jacobian || !with_jacobian)) return &p;
  return nullptr;
}

const ResidualPoint& ResidualPoints::evaluate(const std::vector<double>& theta,
                                              bool with_jacobian) {
  ResidualPoint p;
  p.theta = theta;
  p.has_jacobian = with_jacobian;
  const Evaluation e = with_jacobian ? functional_.jacobian({theta, {}}, p.rho, p.drho)
                                     : functional_.residuals({theta, {}}, p.rho);
  p.ok = agreed(e, p);
  if (p.ok && std::isfinite(e.value) &&
      std::abs(e.value - p.value()) > 1e-8 * (std::abs(e.value) + p.value()))
    throw std::invalid_argument(
        "the objective has terms that are not sums of squares, which levenberg_marquardt cannot "
        "minimise; use 'quasi_newton'");
  return keep(std::move(p));
}

const ResidualPoint& ResidualPoints::keep(ResidualPoint point) {
  std::erase_if(points_, [&](const ResidualPoint& p) { return p.theta == point.theta; });
  if (points_.size() == 4) points_.pop_back();
  points_.push_front(std::move(point));
  return points_.front();
}

bool ResidualPoints::agreed(const Evaluation& e, ResidualPoint& p) {
  int ok = e.ok;
  if (e.ok && (p.rho.size() != functional_.residual_count() ||
               (p.has_jacobian && (p.drho.rows() != p.rho.size() ||
                                   p.drho.cols() != static_cast<int>(p.theta.size())))))
    throw std::logic_error("residuals or Jacobian of the wrong size");
  MPI_Allreduce(MPI_IN_PLACE, &ok, 1, MPI_INT, MPI_MIN, functional_.comm());
  if (!ok) {
    p.failure = e.ok ? "the evaluation failed on another rank" : e.reason;
    return false;
  }
  MPI_Bcast(p.rho.data(), static_cast<int>(p.rho.size()), MPI_DOUBLE, 0, functional_.comm());
  if (p.has_jacobian)
    MPI_Bcast(p.drho.data(), static_cast<int>(p.drho.size()), MPI_DOUBLE, 0, functional_.comm());
  if (p.rho.allFinite() && (!p.has_jacobian || p.drho.allFinite())) return true;
  p.failure = "a residual or its derivative is not a finite number";
  return false;
}

}  // namespace invar
