#include "libadjoint/inference/curve_sensitivity.hpp"

#include <algorithm>
#include <numeric>

#include "libadjoint/inference/other_data.hpp"

namespace invar {
namespace {

/// The curves of each case as measurements of 0 with unit noise, whose residuals are the values. [case]
std::vector<std::vector<DataSet>> as_data(const CaseFunctional& functional, std::span<const ObservedCurve> curves) {
  std::vector<std::vector<DataSet>> data(functional.cases().size());
  for (const ObservedCurve& curve : curves) {
    DataSet& set = data[curve.case_index].emplace_back();
    set.observable = curve.observable;
    set.steps.resize(functional.cases()[curve.case_index]->times().size());
    std::iota(set.steps.begin(), set.steps.end(), 0);
    set.target.assign(set.steps.size(), 0.0);
    set.noise.assign(set.steps.size(), 1.0);
  }
  return data;
}

}  // namespace

Evaluation differentiate_curves(CaseFunctional& functional, const DesignVector& theta, std::span<ObservedCurve> curves) {
  if (const Evaluation e = functional.solve(theta); !e.ok || curves.empty()) return e;
  // Rows of the Jacobian are ordered by case.
  std::ranges::stable_sort(curves, {}, &ObservedCurve::case_index);
  const OtherData values(functional.cases(), as_data(functional, curves));
  Eigen::VectorXd y;
  Eigen::MatrixXd dy;
  const Evaluation e = functional.jacobian(theta, y, dy);
  if (!e.ok) return e;
  Eigen::Index row = 0;
  for (ObservedCurve& curve : curves) {
    const auto n = static_cast<Eigen::Index>(functional.cases()[curve.case_index]->times().size());
    curve.values.assign(y.data() + row, y.data() + row + n);
    curve.sensitivity = dy.middleRows(row, n);
    row += n;
  }
  return e;
}

}  // namespace invar
