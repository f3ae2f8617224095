#pragma once
#include <Eigen/Dense>
#include <memory>
#include <span>
#include <vector>

#include "libadjoint/case_functional.hpp"

namespace invar {

/// A number along a process: what an observable of size 1 gives at every time of its case.
struct ObservedCurve {
  int case_index = 0;
  std::shared_ptr<Observable> observable;
  std::vector<double> values = {};   // y(θ), [times]
  Eigen::MatrixXd sensitivity = {};  // dy/dθ, [times × parameters]
};

/// Values and derivatives of curves by the shared entries of θ, exact for the discrete equations: y would be the data of a fit with
/// unit noise, and this is its Jacobian, by one tangent sweep per case whatever the number of curves. Observables of processes in
/// time must have been watched (`Case::watch`). Collective. The cases are left as they were.
Evaluation differentiate_curves(CaseFunctional& functional, const DesignVector& theta, std::span<ObservedCurve> curves);

}  // namespace invar
