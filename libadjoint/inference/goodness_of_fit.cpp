#include "libadjoint/inference/goodness_of_fit.hpp"

#include <boost/math/distributions/chi_squared.hpp>
#include <cmath>

#include "libadjoint/solve/scientific.hpp"

namespace invar {

double GoodnessOfFit::inflation() const { return too_large ? std::sqrt(per_degree()) : 1; }

GoodnessOfFit goodness_of_fit(double chi_squared, int data, double fitted) { return goodness_of_fit(chi_squared, data - fitted, data - fitted); }

GoodnessOfFit goodness_of_fit(double chi_squared, double expected, double degrees) {
  constexpr double chance = 1e-3;
  GoodnessOfFit fit{chi_squared, degrees, expected};
  if (!(degrees > 0) || !(expected > 0)) return fit;
  namespace math = boost::math;
  const math::chi_squared_distribution<double> distribution(degrees);
  const double scaled = chi_squared * degrees / expected;
  const bool independent = expected == degrees;
  const std::string figures = "χ² = " + short_number(chi_squared) +
                              (independent ? " at " + short_number(degrees) + " degrees of freedom, " + short_number(fit.per_degree()) + " for each"
                                           : " where correlated noise makes " + short_number(expected) + " ± " + short_number(expected * std::sqrt(2 / degrees), 2) + ", the ratio is " + short_number(fit.per_degree()));
  if (math::cdf(math::complement(distribution, scaled)) < chance) {
    fit.too_large = true;
    fit.finding = "the misfit is larger than the stated noise allows (" + figures +
                  "): the model does not describe the data or the noise is larger. Intervals are corrected as if its deviation were " +
                  short_number(fit.inflation()) + " times as large; they do not include an error of the model";
  } else if (math::cdf(distribution, scaled) < chance) {
    fit.finding = "the misfit is smaller than the stated noise makes likely (" + figures + "): the noise is smaller than stated" + (independent ? ", or correlated" : "") +
                  ", and the intervals are too wide";
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
