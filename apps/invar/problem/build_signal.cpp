#include "apps/invar/problem/build_signal.hpp"

#include <algorithm>
#include <stdexcept>

#include "apps/invar/spec/did_you_mean.hpp"
#include "apps/invar/spec/number_text.hpp"
#include "libadjoint/maps/signal_design.hpp"

namespace invar {
namespace {

TimeBasis::Kind kind_of(const std::string& word) {
  if (word == "constant") return TimeBasis::Kind::constant;
  if (word == "linear") return TimeBasis::Kind::linear;
  return word == "cubic" ? TimeBasis::Kind::cubic : TimeBasis::Kind::fourier;
}

}  // namespace

std::shared_ptr<Parameterization> build_signal(const spec::Value& entry, Problem& problem, Diagnostics& diagnostics) {
  const spec::Value& variable = entry["variable"];
  const std::string path = variable.text();
  std::vector<DesignEntry::Target> targets;
  std::vector<std::string> names;
  bool complete = true;
  const ControlInfo* info = nullptr;
  std::vector<double> start;
  for (std::size_t c = 0; c < problem.cases.size(); ++c) {
    CaseModel& model = problem.cases[c];
    complete &= model.process != nullptr;
    const std::optional<std::string> local = model.path_here(path);
    if (!model.residual || !local) continue;
    const auto& controls = model.residual->controls();
    for (std::size_t k = 0; k < controls.size(); ++k) {
      if (controls[k].name.empty() || controls[k].layout != ControlLayout::number) continue;
      names.push_back(controls[k].name);
      if (controls[k].name != *local) continue;
      if (!model.march) {
        diagnostics.error(variable.position, variable.yaml_path, "a signal is a function of time, and case '" + model.name + "' has none",
                          "give 'time' a 'scheme'");
        return nullptr;
      }
      try {
        model.residual->make_signal(static_cast<int>(k),
                                    TimeBasis(kind_of(entry["basis"].text()), static_cast<int>(entry["functions"].integer()),
                                              entry.has("begin") ? entry["begin"].number() : model.times.front(),
                                              entry.has("end") ? entry["end"].number() : model.times.back()));
      } catch (const std::invalid_argument& e) {
        diagnostics.error(entry.position, entry.yaml_path, e.what());
        return nullptr;
      }
      targets.push_back({static_cast<int>(c), static_cast<int>(k)});
      info = &model.residual->controls()[k];
      start = model.residual->control_values()[k];
    }
  }
  if (targets.empty()) {
    if (complete)
      diagnostics.error(variable.position, variable.yaml_path, "nothing in the spec can be a signal under '" + path + "'" + did_you_mean(path, names));
    return nullptr;
  }
  const double lower = entry.has("lower") ? std::max(entry["lower"].number(), info->lower) : info->lower;
  const double upper = entry.has("upper") ? std::min(entry["upper"].number(), info->upper) : info->upper;
  if (entry.has("start")) std::fill(start.begin(), start.end(), entry["start"].number());
  std::vector<DesignVariable> coefficients;
  for (std::size_t i = 0; i < start.size(); ++i) {
    if (!(lower <= start[i] && start[i] <= upper)) {
      diagnostics.error(entry.position, entry.yaml_path, "the start " + number_text(start[i]) + " is outside the bounds [" + number_text(lower) +
                                                             ", " + number_text(upper) + "]");
      return nullptr;
    }
    coefficients.push_back({path + "[" + std::to_string(i) + "]", VariableTransform(), start[i], lower, upper});
  }
  return std::make_shared<SignalDesign>(std::move(coefficients), std::move(targets));
}

}  // namespace invar
