#include "apps/invar/problem/build_signal.hpp"

#include <algorithm>
#include <stdexcept>

#include "apps/invar/problem/design_bounds.hpp"
#include "apps/invar/spec/did_you_mean.hpp"
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
  NumberRange admitted;
  std::vector<double> start;
  for (std::size_t c = 0; c < problem.cases.size(); ++c) {
    CaseModel& model = problem.cases[c];
    complete &= model.process != nullptr;
    if (!model.residual) continue;
    const std::optional<std::string> local = model.path_here(path);
    const auto& controls = model.residual->controls();
    for (std::size_t k = 0; k < controls.size(); ++k) {
      if (controls[k].name.empty() || controls[k].layout != ControlLayout::number) continue;
      names.push_back(model.path_of(controls[k].name));
      if (controls[k].name != local) continue;
      if (!model.march) {
        diagnostics.error(variable.position, variable.yaml_path, "a signal is a function of time, and case '" + model.name + "' has none",
                          "give 'time' a 'scheme'");
        return nullptr;
      }
      const int control = static_cast<int>(k);
      if (std::ranges::any_of(model.polar, [&](const PolarNumbers& p) { return p.radius == control || p.angle == control; })) {
        diagnostics.error(variable.position, variable.yaml_path, "speed and angle of a free stream are numbers, not functions of time",
                          "give u_x and u_y instead, and design these");
        return nullptr;
      }
      try {
        model.residual->make_signal(control,
                                    TimeBasis(kind_of(entry["basis"].text()), static_cast<int>(entry["functions"].integer()),
                                              entry.has("begin") ? entry["begin"].number() : model.times.front(),
                                              entry.has("end") ? entry["end"].number() : model.times.back()));
      } catch (const std::invalid_argument& e) {
        diagnostics.error(entry.position, entry.yaml_path, e.what());
        return nullptr;
      }
      targets.push_back({static_cast<int>(c), static_cast<int>(k)});
      if (const auto found = model.admitted.find(static_cast<int>(k)); found != model.admitted.end()) admitted = found->second;
      start = model.residual->control_values()[k];
    }
  }
  if (targets.empty()) {
    if (complete)
      diagnostics.error(variable.position, variable.yaml_path, "nothing in the spec can be a signal under '" + path + "'" + did_you_mean(path, names));
    return nullptr;
  }
  if (entry["basis"].text() == "fourier" && admitted.bounded()) {
    diagnostics.error(entry["basis"].position, entry["basis"].yaml_path,
                      "the model bounds '" + path + "', and bounds of coefficients do not bound a Fourier sum",
                      "use constant, linear or cubic");
    return nullptr;
  }
  if (entry.has("start") && entry["start"].is_number()) std::fill(start.begin(), start.end(), entry["start"].number());
  std::vector<DesignVariable> coefficients;
  for (std::size_t i = 0; i < start.size(); ++i) {
    const auto bounds = design_bounds(entry, admitted, start[i], VariableTransform::Kind::linear, diagnostics);
    if (!bounds) return nullptr;
    coefficients.push_back({path + "[" + std::to_string(i) + "]", VariableTransform(), start[i], (*bounds)[0], (*bounds)[1]});
  }
  return std::make_shared<SignalDesign>(std::move(coefficients), std::move(targets));
}

}  // namespace invar
