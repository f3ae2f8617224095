#include "apps/invar/problem/march_spec.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numbers>

#include "libadjoint/number_text.hpp"

namespace invar {

using spec::Value;

std::optional<MarchSpec> march_of(const Value* time, int order, Diagnostics& diagnostics) {
  if (!time) return std::nullopt;
  const std::string name = (*time)["scheme"].text();
  if (name == "static") {
    for (const char* key : {"step", "data_shift", "begin_with", "inertia", "rho_infinity", "tolerance", "convection", "factor_interval", "memory", "disk", "single_precision", "horizon"})
      if (const Value* v = time->find(key); v && !v->defaulted)
        diagnostics.error(v->key_position, v->yaml_path, std::string("'") + key + "' is for processes in time", "give a 'scheme'");
    return std::nullopt;
  }
  try {
    MarchSpec march{TimeScheme(TimeScheme::kind_of(name), order, (*time)["rho_infinity"].number()), false, false, {}};
    march.from_equilibrium = (*time)["begin_with"].text() == "equilibrium";
    march.linearised = (*time)["convection"].text() == "linearised";
    if (march.linearised && march.scheme.stages() > 1)
      diagnostics.error((*time)["convection"].position, (*time)["convection"].yaml_path,
                        "'" + name + "' has no extrapolated velocity", "use bdf2, or 'convection: implicit'");
    march.options.tolerance = (*time)["tolerance"].number();
    const int interval = static_cast<int>((*time)["factor_interval"].integer()), stages = march.scheme.stages();
    march.options.factor_interval = (interval + stages - 1) / stages * stages;
    march.options.horizon = static_cast<int>((*time)["horizon"].integer());
    constexpr double mega = 1 << 20;
    if (time->has("memory")) march.options.storage.ram_bytes = static_cast<std::size_t>((*time)["memory"].number() * mega);
    if (time->has("disk")) {
      march.options.storage.disk_bytes = static_cast<std::size_t>((*time)["disk"].number() * mega);
      march.options.storage.folder = std::filesystem::temp_directory_path();
    }
    march.options.storage.single_precision = (*time)["single_precision"].boolean();
    return march;
  } catch (const std::invalid_argument& e) {
    diagnostics.error((*time)["scheme"].position, (*time)["scheme"].yaml_path, e.what());
    return std::nullopt;
  }
}

std::vector<double> march_times(const Value& time, const std::vector<double>& data_times, Diagnostics& diagnostics) {
  const double start = time["start"].number(), end = time["end"].number();
  std::vector<double> grid{start};
  if (time.has("values")) {
    for (const double t : time["values"].numbers()) grid.push_back(t);
    if (grid[1] == start) grid.erase(grid.begin());
    if (!std::is_sorted(grid.begin(), grid.end(), std::less_equal<>()))
      diagnostics.error(time["values"].position, time["values"].yaml_path, "times must rise from the start (" + number_text(start) + ")");
  } else {
    if (end <= start) {
      diagnostics.error(time.position, time.yaml_path, "time must end after it starts: change 'end'");
      return {start, start + 1};
    }
    if (!time.has("step") && !time.has("steps")) {
      diagnostics.error(time.position, time.yaml_path, "'step' is missing: the length of a step, or 'steps', how many", "e.g. step: " + number_text((end - start) / 100));
      return {start, end};
    }
    const int n = time.has("steps") ? static_cast<int>(time["steps"].integer())
                                    : std::max(1, static_cast<int>(std::lround((end - start) / time["step"].number())));
    if (time.has("step") && std::abs(n * time["step"].number() - (end - start)) > 1e-6 * (end - start))
      diagnostics.error(time["step"].position, time["step"].yaml_path,
                        "steps of " + number_text(time["step"].number()) + " s do not lead from " + number_text(start) + " to " + number_text(end));
    for (int k = 1; k <= n; ++k) grid.push_back(k == n ? end : start + (end - start) * k / n);
  }
  // Times that data want are met exactly; one within round-off of the grid's takes its place.
  const double spacing = (grid.back() - start) / (grid.size() - 1);
  for (const double t : data_times) {
    if (t < start || t > grid.back() * (1 + 1e-12)) {
      diagnostics.error(time.position, time.yaml_path, "t = " + number_text(t) + " is wanted, which lies outside the time from " +
                                                           number_text(start) + " to " + number_text(grid.back()));
      continue;
    }
    const auto near = std::find_if(grid.begin(), grid.end(), [&](double g) { return std::abs(g - t) < 1e-9 * spacing; });
    if (near != grid.end()) *near = t;
    else grid.insert(std::upper_bound(grid.begin(), grid.end(), t), t);
  }
  return grid;
}

// Trapezoidal weights times the window's shape (Hann 1 − cos, squared; the bump exp(−1/(s (1 − s)))).
TimeWindow window_of(const std::vector<double>& times, const Value& record, Diagnostics& diagnostics) {
  const auto [least, greatest] = std::minmax_element(times.begin(), times.end());  // along paths times may fall
  const double begin = record.has("begin") ? record["begin"].number() : *least;
  const double end = record.has("end") ? record["end"].number() : *greatest;
  const std::string shape = record["window"].text();
  TimeWindow window;
  const double slack = 1e-9 * (*greatest - *least);
  for (std::size_t k = 0; k < times.size(); ++k)
    if (times[k] >= begin - slack && times[k] <= end + slack) window.steps.push_back(static_cast<int>(k));
  if (window.steps.size() < 2 || end <= begin) {
    const Value& at = record.has("begin") ? record["begin"] : record;
    diagnostics.error(at.position, at.yaml_path, "between " + number_text(begin) + " and " + number_text(end) + " s there are fewer than two of the case's times");
    return window;
  }
  double sum = 0;
  for (std::size_t i = 0; i < window.steps.size(); ++i) {
    const double t = times[window.steps[i]];
    const double left = i > 0 ? std::abs(t - times[window.steps[i - 1]]) : 0,
                 right = i + 1 < window.steps.size() ? std::abs(times[window.steps[i + 1]] - t) : 0;
    const double s = (t - begin) / (end - begin), hann = 0.5 * (1 - std::cos(2 * std::numbers::pi * s));
    double w = 0.5 * (left + right);
    if (shape == "hann") w *= hann;
    else if (shape == "hann_squared") w *= hann * hann;
    else if (shape == "bump") w *= s > 1e-9 && s < 1 - 1e-9 ? std::exp(-1 / (s * (1 - s))) : 0.0;
    window.weights.push_back(w);
    sum += w;
  }
  if (!(sum > 0)) {
    diagnostics.error(record.position, record.yaml_path, "window '" + shape + "' is zero at all of the case's times between " + number_text(begin) +
                                                             " and " + number_text(end) + " s");
    window.weights.clear();
  }
  for (double& w : window.weights) w /= sum;
  return window;
}

}  // namespace invar
