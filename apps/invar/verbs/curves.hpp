#pragma once
#include <vector>

#include "apps/invar/problem/problem.hpp"
#include "apps/invar/report/run_folder.hpp"
#include "libadjoint/inference/prediction_band.hpp"

namespace invar {

/// Of each of the problem's curves, from the Jacobian of all weighted residuals [residuals × parameters] at the optimum.
/// The cases must have been solved there. Collective.
std::vector<PredictionBand> bands_of_curves(Problem& problem, const DesignVector& theta, const Eigen::MatrixXd& drho, const Uncertainty& u);

/// curves/NAME.csv and, as a chart, NAME.svg of every data set (t, measured, model, difference and, where `bands` has one,
/// its limits) and of every scalar quantity along steps; walls/NAME.csv. Collective; the rank with a folder writes.
void write_curves(Problem& problem, const std::vector<PredictionBand>& bands, const RunFolder* folder);

}  // namespace invar
