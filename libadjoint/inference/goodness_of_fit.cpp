#include "libadjoint/inference/goodness_of_fit.hpp"

#include <boost/math/distributions/chi_squared.hpp>
#include <cmath>

#include "libadjoint/solve/scientific.hpp"

namespace invar {

double GoodnessOfFit::inflation() const { return too_large ? std::sqrt(per_degree()) : 1; }

GoodnessOfFit goodness_of_fit(double chi_squared, int data, double fitted) {
  constexpr double chance = 1e-3;
  GoodnessOfFit fit{chi_squared, data - fitted};
  if (!(fit.degrees_of_freedom > 0)) return fit;
  namespace math = boost::math;
  const math::chi_squared_distribution<double> expected(fit.degrees_of_freedom);
  const std::string figures = "χ² = " + short_number(chi_squared) + " at " + short_number(fit.degrees_of_freedom) +
                              " degrees of freedom, " + short_number(fit.per_degree()) + " for each";
  if (math::cdf(math::complement(expected, chi_squared)) < chance) {
    fit.too_large = true;
    fit.finding = "the misfit is larger than the stated noise allows (" + figures +
                  "): the model does not describe the data or the noise is larger. Intervals are corrected as if its deviation were " +
                  short_number(fit.inflation()) + " times as large; they do not include an error of the model";
  } else if (math::cdf(expected, chi_squared) < chance) {
    fit.finding = "the misfit is smaller than the stated noise makes likely (" + figures + "): the noise is smaller than stated, or correlated, and "
                  "the intervals are too wide";
  }
  return fit;
}

std::string curve_doubt(const std::string& name, std::span<const double> model, std::span<const double> measured) {
  constexpr double far = 0.25, close = 0.0625;  // squares of root-mean-square differences: half of the data, a quarter of the misfit
  double mm = 0, md = 0, dd = 0;
  for (std::size_t i = 0; i < model.size(); ++i) {
    mm += model[i] * model[i];
    md += model[i] * measured[i];
    dd += measured[i] * measured[i];
  }
  const double misfit = mm - 2 * md + dd;
  if (model.size() < 3 || !(mm > 0) || misfit < far * dd || dd - md * md / mm > close * misfit) return {};
  const double factor = md / mm;
  if (factor < 0) return "the data of '" + name + "' have the opposite sign to the model: check their sign and the direction in which they count";
  return "the data of '" + name + "' are " + short_number(factor) + " times the model: check their unit, and factors such as a thickness, an area or a part of the body that symmetry leaves out";
}

}  // namespace invar
