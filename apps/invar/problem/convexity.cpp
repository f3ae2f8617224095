#include "apps/invar/problem/convexity.hpp"

#include <algorithm>

#include "apps/invar/problem/case_model.hpp"
#include "apps/invar/problem/weight_spec.hpp"
#include "libfem/design/entry/density_convexity.hpp"

namespace invar {

using spec::Value;

std::string why_not_convex(const Problem& problem) {
  const Value& spec = problem.spec;
  if (!problem.density || problem.blocks.size() != 1) return "the design is not a single density";
  if (!problem.density->last_stage().affine()) return "the stiffness is not affine in the density: penalty and steepness";
  if (spec["combine"].text() == "worst") return "the bound is for a sum of terms, and the objective is the largest of several terms";
  const Value* cases = spec.find("cases");
  for (const CaseModel& model : problem.cases) {
    const auto designed = std::ranges::find(model.fields, true, &DesignedField::by_density);
    const int control = designed == model.fields.end() ? -1 : designed->control;
    if (const std::string why = model.physics->why_not_quadratic(model, {model.name, &spec, cases ? cases->find(model.name.c_str()) : nullptr}, control); !why.empty()) return why;
  }
  for (const Value& term : *spec.find("objective")) {
    const std::string& type = term["type"].text();
    if (in_density(type) == InDensity::unknown) return "the objective '" + type + "' is not known to be convex";
    if (term.has("target")) return "'" + type + "' has a target value";
    if (weight_at_start(term) < 0) return "'" + type + "' is maximised";
  }
  if (const Value* constraints = spec.find("constraints"))
    for (const Value& c : *constraints)
      if (in_density(c["type"].text()) != InDensity::affine) return "the constraint '" + c["type"].text() + "' is not affine in the density";
  return {};
}

}  // namespace invar
