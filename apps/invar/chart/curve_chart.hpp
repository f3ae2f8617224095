#pragma once
#include <string>
#include <vector>

#include "apps/invar/chart/chart.hpp"

namespace invar {

/// A curve of a run: a quantity along load steps or time, or a fitted curve with its data. Missing columns are empty, missing values NaN.
struct RunCurve {
  std::string name;
  std::vector<double> t, value;                        // of the model
  std::vector<double> measured;                        // data
  std::vector<double> lower, upper;                    // confidence band of `value`
  std::vector<double> measured_lower, measured_upper;  // prediction band of new measurements
  std::string along = "t", label = {};                 // axis labels of t and the values; empty: the name
  double widening = 1;                                 // of both bands, for an error of the model (HeldOutFit)

  bool is_fit() const { return !measured.empty(); }
};

/// The curve in the order of t, with its data and bands.
Chart curve_chart(const RunCurve& curve);
/// Model minus measured values.
Chart residual_chart(const RunCurve& curve);
/// Description of the chart in sentences, with numbers.
std::string words_on(const RunCurve& curve);

}  // namespace invar
