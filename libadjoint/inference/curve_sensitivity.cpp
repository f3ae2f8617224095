#include "libadjoint/inference/curve_sensitivity.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace invar {
namespace {

/// While it lives, the curves are the data of the cases, which have no other terms.
class CurvesAsData {
 public:
  CurvesAsData(CaseFunctional& functional, std::span<const ObservedCurve> curves) : cases_(functional.cases()) {
    for (const auto& c : cases_) {
      data_.push_back(std::exchange(c->data(), {}));
      terms_.push_back(std::exchange(c->terms(), {}));
    }
    for (const ObservedCurve& curve : curves) {
      Case& c = *cases_[curve.case_index];
      DataSet set;
      set.observable = curve.observable;
      set.steps.resize(c.times().size());
      std::iota(set.steps.begin(), set.steps.end(), 0);
      set.target.assign(set.steps.size(), 0.0);
      set.noise.assign(set.steps.size(), 1.0);
      c.data().push_back(std::move(set));
    }
  }
  ~CurvesAsData() {
    for (std::size_t c = 0; c < cases_.size(); ++c) {
      cases_[c]->data() = std::move(data_[c]);
      cases_[c]->terms() = std::move(terms_[c]);
    }
  }
  CurvesAsData(const CurvesAsData&) = delete;
  CurvesAsData& operator=(const CurvesAsData&) = delete;

 private:
  const std::vector<std::shared_ptr<Case>>& cases_;
  std::vector<std::vector<DataSet>> data_;
  std::vector<std::vector<ProcessTerm>> terms_;
};

}  // namespace

Evaluation differentiate_curves(CaseFunctional& functional, const DesignVector& theta, std::span<ObservedCurve> curves) {
  if (const Evaluation e = functional.solve(theta); !e.ok || curves.empty()) return e;
  // Rows of the Jacobian are ordered by case.
  std::ranges::stable_sort(curves, {}, &ObservedCurve::case_index);
  const CurvesAsData as_data(functional, curves);
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
