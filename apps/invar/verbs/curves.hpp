#pragma once
#include <map>
#include <string>
#include <vector>

#include "apps/invar/problem/problem.hpp"
#include "apps/invar/report/run_folder.hpp"
#include "apps/invar/verbs/held_out.hpp"
#include "libadjoint/inference/prediction_band.hpp"

namespace invar {

/// Of each of the problem's curves, from the Jacobian of all weighted residuals [residuals × parameters] at the optimum; of those of weight 0
/// their own. The cases must have been solved there. Collective.
std::vector<PredictionBand> bands_of_curves(Problem& problem, const DesignVector& theta, const Eigen::MatrixXd& drho, const Uncertainty& u,
                                            const std::vector<HeldOutData>& held_out);

/// `curve_doubt` of each of the problem's curves. The cases must have been solved. Collective.
std::vector<std::string> doubts_about_curves(Problem& problem);

/// Confidence bands of the quantities that have a curve, along it.
struct QuantityBands {
  std::map<const Observable*, PredictionBand> of;
  std::string reason = {};  // why there are none
};
/// From the derivatives of all curves by the fitted parameters, with one tangent sweep per case. Collective.
QuantityBands bands_of_quantities(Problem& problem, const DesignVector& theta, const Uncertainty& u);

/// curves/NAME.csv and, as a chart, NAME.svg of every data set (t, measured, model, difference and, where `bands` has one,
/// its limits) and of every scalar quantity along steps, with its band; walls/NAME.csv with its charts. Collective; the rank with a folder writes.
void write_curves(Problem& problem, const std::vector<PredictionBand>& bands, const std::vector<HeldOutData>& held_out, const QuantityBands& of_quantities,
                  const RunFolder* folder);

}  // namespace invar
