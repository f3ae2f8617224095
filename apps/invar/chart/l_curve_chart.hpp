#pragma once
#include <string>
#include <vector>

#include "apps/invar/chart/chart.hpp"

namespace invar {

/// The L-curve of a regularisation: misfit and penalty of the weights that were tried.
struct LCurve {
  std::vector<double> weight, misfit, penalty;  // χ² and R without its weight; the chosen weight and others are among them, or NaN
  double chosen, corner;
  std::string of;  // what is regularised
};

Chart l_curve_chart(const LCurve& curve);

}  // namespace invar
