#include "apps/invar/problem/convexity.hpp"

#include <algorithm>

#include "apps/invar/problem/case_model.hpp"
#include "apps/invar/problem/weight_spec.hpp"
#include "libfem/design/entry/quantity_library.hpp"

namespace invar {

using spec::Value;

namespace {

/// Of a term of any case, all of which have convex quadratic energies; unknown unless all cases agree.
InDensity in_density(const Problem& problem, const std::string& type) {
  const InDensity common = dependence_on_density(common_quantities(), type);
  if (common != InDensity::unknown || problem.cases.empty()) return common;
  const InDensity first = problem.cases.front().physics->in_density(type);
  const bool agree = std::ranges::all_of(problem.cases, [&](const CaseModel& model) { return model.physics->in_density(type) == first; });
  return agree ? first : InDensity::unknown;
}

}  // namespace

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
    if (in_density(problem, type) == InDensity::unknown) return "the objective '" + type + "' is not known to be convex";
    if (term.has("target")) return "'" + type + "' has a target value";
    if (weight_at_start(term) < 0) return "'" + type + "' is maximised";
  }
  if (const Value* constraints = spec.find("constraints"))
    for (const Value& c : *constraints)
      if (in_density(problem, c["type"].text()) != InDensity::affine) return "the constraint '" + c["type"].text() + "' is not affine in the density";
  return {};
}

}  // namespace invar
