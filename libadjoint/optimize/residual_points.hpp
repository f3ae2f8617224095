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
  std::string failure;        // why not ok
  Eigen::VectorXd rho;        // [m]
  Eigen::MatrixXd drho;       // [m × n_shared]
  double value() const { return 0.5 * rho.squaredNorm(); }
};

/// ρ and dρ/dθ with rank 0's numbers everywhere; the last few points are kept. Calls are collective.
class ResidualPoints {
 public:
  explicit ResidualPoints(LeastSquaresFunctional& functional) : functional_(functional) {}

  /// A kept point, nullptr where there is none (or none with a Jacobian where one is wanted).
  const ResidualPoint* find(const std::vector<double>& theta, bool with_jacobian) const;
  /// Evaluates and keeps. Throws std::invalid_argument when the functional has other terms than squares.
  const ResidualPoint& evaluate(const std::vector<double>& theta, bool with_jacobian);
  const ResidualPoint& keep(ResidualPoint point);
  /// Keeps this point and no other.
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
