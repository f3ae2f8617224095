#include "apps/invar/problem/build_numbers.hpp"

#include <algorithm>
#include <tuple>

#include "apps/invar/problem/design_entries.hpp"
#include "apps/invar/problem/entry_table.hpp"
#include "apps/invar/problem/partial_checks.hpp"
#include "apps/invar/problem/path_spec.hpp"
#include "apps/invar/problem/scalar_quantity.hpp"
#include "apps/invar/problem/trim_spec.hpp"
#include "apps/invar/spec/did_you_mean.hpp"
#include "libadjoint/maps/design_bounds.hpp"
#include "libadjoint/number_text.hpp"

namespace invar {
namespace {

using spec::Value;

/// The controls that a design path names, over all cases.
std::vector<DesignEntry::Target> targets_of(const Problem& problem, const std::string& path) {
  std::vector<DesignEntry::Target> targets;
  for (std::size_t c = 0; c < problem.cases.size(); ++c) {
    const CaseModel& model = problem.cases[c];
    if (!model.residual) continue;
    const std::optional<std::string> local = model.path_here(path);
    if (!local) continue;
    for (std::size_t k = 0; k < model.residual->controls().size(); ++k)
      if (model.residual->controls()[k].layout == ControlLayout::number && model.residual->controls()[k].name == *local) targets.push_back({static_cast<int>(c), static_cast<int>(k)});
  }
  return targets;
}

/// Two entries that would set the same control.
bool overlap(const DesignEntry& a, const DesignEntry& b) {
  return std::any_of(a.targets.begin(), a.targets.end(), [&](const DesignEntry::Target& t) {
    return std::any_of(b.targets.begin(), b.targets.end(), [&](const DesignEntry::Target& s) {
      return s.case_index == t.case_index && s.control == t.control;
    });
  });
}

/// Admissible range of the number of a control.
NumberRange admitted_of(const Problem& problem, const DesignEntry::Target& target) {
  const auto& admitted = problem.cases[target.case_index].admitted;
  const auto found = admitted.find(target.control);
  return found == admitted.end() ? NumberRange() : found->second;
}

}  // namespace

std::vector<DesignEntry> build_number_entries(Problem& problem, Diagnostics& diagnostics) {
  std::vector<DesignEntry> entries;
  const Value* design = problem.spec.find("design");
  if (!design) return entries;
  const bool complete = std::all_of(problem.cases.begin(), problem.cases.end(),
                                    [](const CaseModel& model) { return model.process != nullptr; });
  for (const Value& v : *design) {
    if (mistakes_below(v.yaml_path, diagnostics) || v["kind"].text() != "number") continue;
    const std::string path = v["variable"].text();
    const SourcePosition at = v["variable"].position;
    DesignEntry e{{path, VariableTransform(), 0, 0, 0}, targets_of(problem, path)};
    if (std::any_of(entries.begin(), entries.end(), [&](const DesignEntry& o) { return o.name == path; })) {
      diagnostics.error(at, v.yaml_path, "'" + path + "' is listed twice");
      continue;
    }
    const auto overlapping = std::find_if(entries.begin(), entries.end(), [&](const DesignEntry& o) { return overlap(e, o); });
    if (overlapping != entries.end()) {
      diagnostics.error(at, v.yaml_path, "'" + path + "' is already set by '" + overlapping->name + "'");
      continue;
    }
    if (e.targets.empty()) {
      if (!complete && !is_settled(path, problem, diagnostics)) continue;  // it may be missing because of earlier mistakes
      std::vector<std::string> names;
      for (const CaseModel& model : problem.cases)
        if (model.residual)
          for (const ControlInfo& c : model.residual->controls())
            if (const std::string name = model.path_of(c.name);
                !c.name.empty() && c.shared() && std::find(names.begin(), names.end(), name) == names.end())
              names.push_back(name);
      std::string known;
      for (const std::string& n : names) known += (known.empty() ? "" : ", ") + n;
      diagnostics.error(at, v.yaml_path, "there is no design variable at '" + path + "'" + did_you_mean(path, names),
                        known.empty() ? "" : "design variables: " + known);
      continue;
    }
    if (std::any_of(e.targets.begin(), e.targets.end(), [&](const DesignEntry::Target& t) {
          return finds_alone(problem.cases[t.case_index], t.control);
        })) {
      diagnostics.error(at, v.yaml_path, "'" + path + "' is the unknown of the path and cannot be designed",
                        "design something else, or remove 'time.control'");
      continue;
    }
    if (std::any_of(e.targets.begin(), e.targets.end(), [&](const DesignEntry::Target& t) { return is_trimmed(problem.cases[t.case_index], t.control); })) {
      diagnostics.error(at, v.yaml_path, "'" + path + "' cannot be designed: it is determined by 'trim'",
                        "design something else, or remove 'trim'");
      continue;
    }
    const auto& first = *problem.cases[e.targets[0].case_index].residual;
    e.start = v.has("start") ? v["start"].number() : first.control_values()[e.targets[0].control][0];
    try {
      const EntryValues values = entry_values(number_design_parameters(), v);
      e.transform = transform_of(values, e.start);
      EntryMistakes mistakes;
      const auto bounds = design_bounds(values, admitted_of(problem, e.targets[0]), e.start, e.transform.kind(), mistakes);
      report(mistakes, v, diagnostics);
      if (!bounds) continue;
      std::tie(e.lower, e.upper) = std::tie((*bounds)[0], (*bounds)[1]);
      if (v.has("range") && v["range"].size() == 2) {
        const auto r = v["range"].numbers();
        if (!(r[0] < r[1] && e.lower <= r[0] && r[1] <= e.upper))
          throw std::invalid_argument("the range must be ascending and within the bounds [" + number_text(e.lower) + ", " +
                                      number_text(e.upper) + "]");
        e.transform.bounds(r[0], r[1]);
      }
      e.transform.coordinate(e.start);
      e.transform.bounds(e.lower, e.upper);
    } catch (const std::invalid_argument& error) {
      diagnostics.error(v.position, v.yaml_path, error.what());
      continue;
    }
    std::array<double, 2> range{e.lower, e.upper};
    if (v.has("range")) range = {v["range"].numbers()[0], v["range"].numbers()[1]};
    problem.ranges.push_back(range);
    entries.push_back(std::move(e));
  }
  return entries;
}

std::vector<PolarNumbers> numbers_that_follow(const Problem& problem) {
  std::vector<PolarNumbers> all;
  for (std::size_t c = 0; c < problem.cases.size(); ++c)
    for (PolarNumbers p : problem.cases[c].polar) {
      p.case_index = static_cast<int>(c);
      all.push_back(p);
    }
  return all;
}

}  // namespace invar
