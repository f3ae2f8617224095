#include "apps/invar/problem/march_spec.hpp"

#include <algorithm>
#include <filesystem>

#include "libadjoint/number_text.hpp"
#include "libadjoint/time/time_grid.hpp"

namespace invar {

using spec::Value;

std::optional<MarchSpec> march_of(const Value* time, int order, Diagnostics& diagnostics) {
  if (!time) return std::nullopt;
  const std::string name = (*time)["scheme"].text();
  if (name == "static") {
    for (const char* key : {"step", "data_shift", "begin_with", "inertia", "mass", "rho_infinity", "tolerance", "convection", "factor_interval", "memory", "device_memory", "disk", "single_precision", "horizon"})
      if (const Value* v = time->find(key); v && !v->defaulted)
        diagnostics.error(v->key_position, v->yaml_path, std::string("'") + key + "' is for processes in time", "give a 'scheme'");
    return std::nullopt;
  }
  try {
    MarchSpec march{TimeScheme(TimeScheme::kind_of(name), order, (*time)["rho_infinity"].number()), false, false, false, {}};
    march.from_equilibrium = (*time)["begin_with"].text() == "equilibrium";
    march.linearised = (*time)["convection"].text() == "linearised";
    march.lumped = (*time)["mass"].text() == "lumped";
    if (march.linearised && march.scheme.stages() > 1)
      diagnostics.error((*time)["convection"].position, (*time)["convection"].yaml_path,
                        "'" + name + "' has no extrapolated velocity", "use bdf2, or 'convection: implicit'");
    march.options.tolerance = (*time)["tolerance"].number();
    constexpr int longest = 32, most = 1 << 30;  // so that the multiple of the stages above it fits, too
    const Value& given = (*time)["factor_interval"];
    const int interval = given.is_number() ? static_cast<int>(std::min<long long>(given.integer(), most)) : longest, stages = march.scheme.stages();
    march.options.by_work = !given.is_number();
    march.options.factor_interval = (interval + stages - 1) / stages * stages;
    march.options.horizon = static_cast<int>((*time)["horizon"].integer());
    const auto bytes = [&](const char* key) {
      constexpr double mega = 1 << 20, all = 1e18;  // more than there is anywhere, and a number that fits
      return static_cast<std::size_t>(std::min((*time)[key].number() * mega, all));
    };
    if (time->has("device_memory")) march.options.storage.device_bytes = bytes("device_memory");
    if (time->has("memory")) march.options.storage.ram_bytes = bytes("memory");
    if (time->has("disk")) {
      march.options.storage.disk_bytes = bytes("disk");
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
      diagnostics.error(time["values"].position, time["values"].yaml_path, "times must increase from the start (" + number_text(start) + ")");
  } else {
    if (end <= start) {
      diagnostics.error(time.position, time.yaml_path, "time must end after it starts: change 'end'");
      return {start, start + 1};
    }
    if (!time.has("step") && !time.has("steps")) {
      diagnostics.error(time.position, time.yaml_path, "'step' is missing: the length of a step, or 'steps', how many", "e.g. step: " + number_text((end - start) / 100));
      return {start, end};
    }
    bool fits = true;
    const int n = time.has("steps") ? static_cast<int>(time["steps"].integer()) : step_count(start, end, time["step"].number(), fits);
    if (!fits)
      diagnostics.error(time["step"].position, time["step"].yaml_path,
                        "steps of " + number_text(time["step"].number()) + " s do not lead from " + number_text(start) + " to " + number_text(end));
    grid = fits ? uniform_times(start, end, n) : std::vector<double>{start, end};
  }
  // Times that data want are met exactly.
  std::vector<double> wanted;
  for (const double t : data_times) {
    if (t < start || t > grid.back() * (1 + 1e-12))
      diagnostics.error(time.position, time.yaml_path, "t = " + number_text(t) + " is needed, which is outside the time from " +
                                                           number_text(start) + " to " + number_text(grid.back()));
    else
      wanted.push_back(t);
  }
  return with_times(std::move(grid), wanted);
}

TimeWindow window_of(const std::vector<double>& times, bool after_start, const Value& record, Diagnostics& diagnostics) {
  const auto [least, greatest] = std::ranges::minmax(times);  // along paths times may fall
  const double begin = record.has("begin") ? record["begin"].number() : least;
  const double end = record.has("end") ? record["end"].number() : greatest;
  TimeWindow window = time_window(times, begin, end, window_shape(record["window"].text()));
  if (window.steps.empty()) {
    const Value& at = record.has("begin") ? record["begin"] : record;
    diagnostics.error(at.position, at.yaml_path, "between " + number_text(begin) + " and " + number_text(end) + " s there are fewer than two of the case's times");
  }
  if (!window.steps.empty() && window.weights.empty())
    diagnostics.error(record.position, record.yaml_path, "window '" + record["window"].text() + "' is zero at all of the case's times between " +
                                                             number_text(begin) + " and " + number_text(end) + " s");
  if (after_start && !window.weights.empty() && window.steps.front() == 0) {
    window.weights[1] += window.weights[0];
    window.steps.erase(window.steps.begin());
    window.weights.erase(window.weights.begin());
  }
  return window;
}

}  // namespace invar
