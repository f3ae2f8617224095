#include "apps/invar/problem/convexity.hpp"

#include <set>

#include "apps/invar/problem/case_model.hpp"
#include "apps/invar/problem/weight_spec.hpp"

namespace invar {
namespace {

using spec::Value;

bool moves(const Value& support) {
  for (const Value& v : support)
    if (v.key.starts_with("u_") && !(v.is_number() && v.number() == 0)) return true;
  return false;
}

/// Of one experiment.
std::string why_not(const CaseSections& sections) {
  static const std::set<std::string> loads{"traction", "body_force", "point_force", "foundation", "spring"};
  if ((*sections.find("physics"))["type"].text() != "solid") return "it is not a solid";
  if (sections.find("time")) return "a process has several steps";
  for (const Value& m : *sections.find("materials"))
    if (m["model"].text() != "linear_elastic") return "material '" + m.key + "' is not linear elastic";
  if (const Value* boundary = sections.find("boundary"))
    for (const Value& support : *boundary)
      if (moves(support)) return "the support '" + support.key + "' moves";
  if (const Value* all = sections.find("loads"))
    for (const Value& load : *all)
      if (!loads.contains(load["type"].text())) return "load '" + load.key + "' depends on the deformation";
  return {};
}

}  // namespace

std::string why_not_convex(const Problem& problem) {
  const Value& spec = problem.spec;
  if (!problem.density || problem.blocks.size() != 1) return "the design is not a single density";
  if (!problem.density->last_stage().affine()) return "the stiffness is not affine in the density: penalty and steepness";
  if (spec["combine"].text() == "worst") return "the bound is for a sum of terms, and the objective is the largest of several terms";
  const Value* cases = spec.find("cases");
  for (const CaseModel& model : problem.cases)
    if (const std::string why = why_not({model.name, &spec, cases ? cases->find(model.name.c_str()) : nullptr}); !why.empty()) return why;
  for (const Value& term : *spec.find("objective")) {
    if (term["type"].text() != "compliance") return "the objective '" + term["type"].text() + "' is not known to be convex";
    if (term.has("target")) return "a compliance has a target value";
    if (weight_at_start(term) < 0) return "a compliance is maximised";
  }
  if (const Value* constraints = spec.find("constraints"))
    for (const Value& c : *constraints)
      if (c["type"].text() != "material_volume") return "the constraint '" + c["type"].text() + "' is not affine in the density";
  return {};
}

}  // namespace invar
