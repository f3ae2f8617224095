#include "apps/invar/chart/curve_chart.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "apps/invar/chart/axis.hpp"

namespace invar {
namespace {

/// The curve sorted by t; data files may have any order.
RunCurve ordered(const RunCurve& curve) {
  std::vector<std::size_t> order(curve.t.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return curve.t[i]; });
  const auto taken = [&](const std::vector<double>& from) {
    std::vector<double> to;
    if (from.size() == order.size())
      for (const std::size_t i : order) to.push_back(from[i]);
    return to;
  };
  return {curve.name,          taken(curve.t),     taken(curve.value),          taken(curve.measured),
          taken(curve.lower),  taken(curve.upper), taken(curve.measured_lower), taken(curve.measured_upper),
          curve.along,         curve.label.empty() ? curve.name : curve.label, curve.widening};
}

bool any_known(const std::vector<double>& values) {
  return std::ranges::any_of(values, [](double v) { return std::isfinite(v); });
}

std::vector<double> differences(const RunCurve& curve) {
  std::vector<double> out;
  for (std::size_t i = 0; i < curve.measured.size(); ++i) out.push_back(curve.value[i] - curve.measured[i]);
  return out;
}

std::string misfit_words(const RunCurve& curve) {
  double worst = 0, squares = 0;
  int known = 0;
  for (const double d : differences(curve)) {
    if (!std::isfinite(d)) continue;
    ++known;
    worst = std::max(worst, std::abs(d));
    squares += d * d;
  }
  if (known == 0) return "There are no differences.";
  return "Root mean square of " + std::to_string(known) + " differences " + tick_text(std::sqrt(squares / known)) + ", largest " + tick_text(worst) + ".";
}

std::string band_words(const RunCurve& curve) {
  int outside = 0, known = 0;
  for (std::size_t i = 0; i < curve.measured.size(); ++i) {
    if (!std::isfinite(curve.measured_lower[i]) || !std::isfinite(curve.measured[i])) continue;
    ++known;
    outside += curve.measured[i] < curve.measured_lower[i] || curve.measured[i] > curve.measured_upper[i];
  }
  return " Dark band: 95 % confidence band of the model's curve. Light band: 95 % prediction band of new measurements. Outside of it are " + std::to_string(outside) + " of " + std::to_string(known) + " measured values; 1 of 20 is expected. " +
         (curve.widening == 1 ? std::string("Both bands assume that the model is correct.")
                              : "The fit was not shown these data, and errors of parameters and data do not explain how far they are from its prediction: for the error of the model both bands are " + tick_text(curve.widening) + " times as wide.");
}

/// Caption of a curve without data.
std::string confidence_words(const RunCurve& curve) {
  const auto known = [&](std::size_t i) { return std::isfinite(curve.lower[i]) && std::isfinite(curve.upper[i]); };
  std::size_t last = curve.lower.size();
  for (std::size_t i = 0; i < curve.lower.size(); ++i)
    if (known(i)) last = i;
  if (last == curve.lower.size()) return curve.lower.empty() ? "" : " The data determine no confidence band.";
  return " Band: 95 % confidence band of the curve from the errors of the fitted parameters, if the model is correct; at " + tick_text(curve.t[last]) +
         " from " + tick_text(curve.lower[last]) + " to " + tick_text(curve.upper[last]) + ".";
}

}  // namespace

std::string words_on(const RunCurve& curve) {
  if (curve.t.empty()) return "There are no values.";
  if (!curve.is_fit()) return (curve.label.empty() ? curve.name : curve.label) + " from " + tick_text(curve.value.front()) + " to " + tick_text(curve.value.back()) + "." + confidence_words(curve);
  return misfit_words(curve) + (any_known(curve.measured_lower) ? band_words(curve) : "");
}

Chart curve_chart(const RunCurve& of) {
  const RunCurve curve = ordered(of);
  Chart chart;
  chart.title = curve.name + (curve.is_fit() ? ": measured and computed" : " along " + curve.along);
  chart.description = words_on(curve);
  chart.x_label = curve.along;
  chart.y_label = curve.label;
  if (any_known(curve.measured_lower)) chart.bands.push_back({"95 % of new measurements", curve.t, curve.measured_lower, curve.measured_upper, 1});
  if (any_known(curve.lower)) chart.bands.push_back({curve.is_fit() ? "95 % band of the model" : "95 % band", curve.t, curve.lower, curve.upper, 0});
  chart.series.push_back({curve.is_fit() ? "model" : curve.label, curve.t, curve.value, curve.t.size() == 1});
  if (curve.is_fit()) chart.series.push_back({"measured", curve.t, curve.measured, true});
  return chart;
}

Chart residual_chart(const RunCurve& of) {
  const RunCurve curve = ordered(of);
  Chart chart;
  chart.title = curve.name + ": residuals";
  chart.description = "Model minus measured values. " + misfit_words(curve);
  chart.x_label = curve.along;
  chart.y_label = "model − measured";
  chart.zero_line = true;
  chart.height = 190;
  if (any_known(curve.measured_lower)) {
    Chart::Band band{"95 % of new measurements", curve.t, {}, {}, 1};
    for (std::size_t i = 0; i < curve.t.size(); ++i) {
      band.lower.push_back(curve.measured_lower[i] - curve.value[i]);
      band.upper.push_back(curve.measured_upper[i] - curve.value[i]);
    }
    chart.bands.push_back(std::move(band));
  }
  chart.series.push_back({"difference", curve.t, differences(curve), true});
  return chart;
}

}  // namespace invar
