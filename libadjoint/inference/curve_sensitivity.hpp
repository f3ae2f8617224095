#pragma once
#include <Eigen/Dense>
#include <memory>
#include <span>
#include <vector>

#include "libadjoint/case_functional.hpp"

namespace invar {

/// A scalar observable at every time of a case.
struct ObservedCurve {
  int case_index = 0;
  std::shared_ptr<Observable> observable;
  std::vector<double> values = {};   // y(θ), [times]
  Eigen::MatrixXd sensitivity = {};  // dy/dθ, [times × parameters]
};

/// Values of curves and their derivatives by the shared entries of θ, exact for the discrete equations: the Jacobian of a fit to
/// the curves with unit noise. Costs one tangent sweep per case, for any number of curves. Observables of transient cases must have
/// been registered (`Case::watch`). The cases are left unchanged. Collective.
Evaluation differentiate_curves(CaseFunctional& functional, const DesignVector& theta, std::span<ObservedCurve> curves);

}  // namespace invar
