#include "apps/invar/problem/refined_setting.hpp"

#include <algorithm>
#include <functional>
#include <optional>

#include "apps/invar/physics/physics.hpp"
#include "apps/invar/problem/another_start.hpp"
#include "apps/invar/problem/convexity.hpp"
#include "apps/invar/problem/fitted_problem.hpp"
#include "apps/invar/problem/weight_spec.hpp"
#include "libadjoint/number_text.hpp"
#include "libadjoint/time/time_grid.hpp"
#include "libadjoint/time/time_scheme.hpp"
#include "libadjoint/verify/refined_tolerance.hpp"

namespace invar {
namespace {

using spec::Value;

/// Visits a section at the top and those of cases that replace it, with their paths.
void for_sections(const Value& spec, const char* name, const std::function<void(const std::string& path, const Value& section)>& visit) {
  if (const Value* top = spec.find(name)) visit(name, *top);
  if (const Value* cases = spec.find("cases"))
    for (const Value& c : *cases)
      if (const Value* own = c.find(name)) visit("cases." + c.key + "." + name, *own);
}

std::string set(const std::string& path, double value) { return path + "=" + number_text(value); }
std::string set(const std::string& path, long long value) { return path + "=" + std::to_string(value); }

RefinedSetting finer_mesh(const Value& spec, int level) {
  RefinedSetting setting{.mesh_levels = level};
  for_sections(spec, "mesh", [&](const std::string& path, const Value& mesh) {
    setting.sets.push_back(set(path + ".refine", mesh["refine"].integer() + level));
  });
  // Order of the elements: that of the gradient, a lower bound for all functionals.
  for_sections(spec, "physics", [&](const std::string&, const Value& physics) {
    const double order = physics_of(physics["type"].text()).order(physics);
    setting.formal_order = setting.formal_order == 0 ? order : std::min(setting.formal_order, order);
  });
  return setting;
}

/// The times of all cases that a section says the times of, each once, the start first.
std::vector<double> times_by(const Problem& problem, const std::string& path) {
  std::vector<double> times;
  for (const CaseModel& model : problem.cases)
    if (path == "time" ? !model.own_sections.contains("time") : path == "cases." + model.name + ".time")
      times.insert(times.end(), model.times.begin(), model.times.end());
  return merged_times(std::move(times));
}

/// A list of all times but the start.
std::string list_after_start(const std::vector<double>& times) {
  std::string list;
  for (std::size_t i = 1; i < times.size(); ++i) list += (i == 1 ? "" : ", ") + number_text(times[i]);
  return '[' + list + ']';
}

/// The existing steps are divided, including times of data; more steps in `time` alone would not divide those.
RefinedSetting shorter_steps(const Problem& problem, int level) {
  RefinedSetting setting;
  for_sections(problem.spec, "time", [&](const std::string& path, const Value& time) {
    if (time["scheme"].text() == "static") return;
    const std::vector<double> times = times_by(problem, path);
    if (times.size() < 2) return;  // no case has its times there
    const int accuracy = TimeScheme::accuracy(TimeScheme::kind_of(time["scheme"].text()));
    for (const char* key : {"steps", "step"})
      if (time.has(key)) setting.sets.push_back(path + "." + key + "=null");
    setting.sets.push_back(path + ".values=" + list_after_start(divided_times(times, 1 << level)));
    if (const double tolerance = time["tolerance"].number(); tolerance > 0)
      setting.sets.push_back(set(path + ".tolerance", tolerance_of_divided_steps(tolerance, level, accuracy)));
    setting.formal_order = setting.formal_order == 0 ? accuracy : std::min<double>(setting.formal_order, accuracy);
  });
  if (setting.sets.empty()) setting.reason = "no case is a process in time: there are no steps to shorten";
  return setting;
}

RefinedSetting higher_order(const Value& spec) {
  RefinedSetting setting;
  for_sections(spec, "physics", [&](const std::string& path, const Value& options) {
    const Physics& physics = physics_of(options["type"].text());
    if (physics.order(options) < 2 && !physics.second_order.empty()) setting.sets.push_back(path + '.' + physics.second_order);
  });
  if (setting.sets.empty()) setting.reason = "the elements have the highest available order, 2; refine the mesh";
  return setting;
}

RefinedSetting tighter(const Value& spec) {
  RefinedSetting setting;
  const Value& solver = spec["solver"];
  for (const char* key : {"rtol", "linear_rtol"})
    setting.sets.push_back(set(std::string("solver.") + key, tightened_relative_tolerance(solver[key].is_number() ? std::optional(solver[key].number()) : std::nullopt)));
  if (solver["atol"].number() > 0) setting.sets.push_back(set("solver.atol", tightened_tolerance(solver["atol"].number())));
  for_sections(spec, "time", [&](const std::string& path, const Value& time) {
    if (const double tolerance = time["tolerance"].number(); tolerance > 0) setting.sets.push_back(set(path + ".tolerance", tightened_tolerance(tolerance)));
  });
  return setting;
}

}  // namespace

RefinedSetting refined_setting(const Problem& problem, const std::string& kind, int level) {
  const Value& spec = problem.spec;
  RefinedSetting setting = kind == "mesh" ? finer_mesh(spec, level) : kind == "step" ? shorter_steps(problem, level)
                           : kind == "order" ? higher_order(spec) : tighter(spec);
  if (problem.weight) setting.sets.push_back(set(problem.weight->at->yaml_path, problem.weight->regularisation.weight()));
  if (spec["optimizer"].has("start")) setting.sets.push_back("optimizer.start=null");  // may be of this mesh alone
  if (spec.has("expect")) setting.sets.push_back("expect=null");                      // of numbers that only this run has
  if (spec["verify"].has("refine")) setting.sets.push_back("verify.refine=null");      // this problem itself is not verified
  return setting;
}

std::string why_never_conclusive(const Problem& problem, const std::string& kind) {
  if (kind == "start") {
    std::string unbounded;
    another_start(problem, 1, unbounded);
    return unbounded.empty() ? "" : "'" + unbounded + "' has no bounds for a random start";
  }
  if (kind == "fitted") return why_not_fitted(problem);
  if (kind == "black_white" || kind == "corners") return problem.density ? "" : "no density is designed";
  if (kind == "convex") return why_not_convex(problem);
  if (problem.functional->has_adaptive_parameters())
    return "the objective contains multipliers of limits, or a scale, that are specific to this mesh and its elements";
  return refined_setting(problem, kind, 1).reason;
}

int levels_of(const Value& spec, const std::string& kind) {
  return kind == "mesh" || kind == "step" ? static_cast<int>(spec["verify"]["levels"].integer()) : 1;
}

std::vector<std::string> verified_kinds(const Value& spec) {
  const Value* refine = spec["verify"].find("refine");
  if (!refine) return {};
  if (!refine->is_list()) return {refine->text()};
  std::vector<std::string> kinds;
  for (const std::string& kind : refine->texts())
    if (std::ranges::find(kinds, kind) == kinds.end()) kinds.push_back(kind);
  return kinds;
}

}  // namespace invar
