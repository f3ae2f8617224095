#pragma once
#include <deque>
#include <string>
#include <utility>

#include "libadjoint/reduced_functional.hpp"

namespace invar {

/// Weighted residuals at one point of shared variables.
struct ResidualPoint {
  std::vector<double> theta;  // [n_shared]
  bool ok = false, has_jacobian = false;
  std::string failure;        // reason of a failure
  Eigen::VectorXd rho;        // [m]
  Eigen::MatrixXd drho;       // [m × n_shared]
  double value() const { return 0.5 * rho.squaredNorm(); }
};

/// Cache of ρ and dρ/dθ at the last few points, with rank 0's numbers on all ranks. Calls are collective.
class ResidualPoints {
 public:
  explicit ResidualPoints(LeastSquaresFunctional& functional) : functional_(functional) {}

  /// A cached point; nullptr if there is none (or none with a Jacobian if one is wanted).
  const ResidualPoint* find(const std::vector<double>& theta, bool with_jacobian) const;
  /// Evaluates and caches. Throws std::invalid_argument if the functional has terms that are no squares.
  const ResidualPoint& evaluate(const std::vector<double>& theta, bool with_jacobian);
  const ResidualPoint& keep(ResidualPoint point);
  /// Caches this point and no other.
  const ResidualPoint& keep_alone(ResidualPoint point) {
    points_.clear();
    return keep(std::move(point));
  }

 private:
  bool agreed(const Evaluation& e, ResidualPoint& p);

  LeastSquaresFunctional& functional_;
  std::deque<ResidualPoint> points_;  // newest first
};

}  // namespace invar
