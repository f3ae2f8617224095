#include "apps/invar/problem/check_verification.hpp"

#include <algorithm>

#include "apps/invar/problem/refined_setting.hpp"

namespace invar {

using spec::Value;

void check_refinement(const Problem& problem, Diagnostics& diagnostics) {
  const Value& verify = problem.spec["verify"];
  for (const char* key : {"survive", "violation", "body"})
    if (const Value& value = verify[key]; !value.defaulted)
      diagnostics.error(value.key_position, value.yaml_path, "'" + std::string(key) + "' is for the verification of an optimum, and there is no 'design'", "leave it out");
  if (!verify.has("refine")) return;
  const Value& refine = verify["refine"];
  const auto check = [&](const Value& kind) {
    if (std::ranges::none_of(refinements, [&](const char* known) { return kind.text() == known; }))
      diagnostics.error(kind.position, kind.yaml_path, "'" + kind.text() + "' verifies an optimum, and there is no 'design'", "allowed here: mesh, step, order, tolerance");
    else if (const std::string why = refined_setting(problem, kind.text(), 1).reason; !why.empty())
      diagnostics.error(kind.position, kind.yaml_path, "there is no other setting '" + kind.text() + "': " + why, "leave it out");
  };
  if (!refine.is_list()) check(refine);
  else
    for (const Value& kind : refine) check(kind);
  if (!problem.has_objective && problem.quantities.empty() && problem.probes.empty())
    diagnostics.error(refine.key_position, refine.yaml_path, "there is no number that could be compared: neither quantities nor probes nor an objective", "add 'output.quantities'");
}

void check_verification(const Problem& problem, Diagnostics& diagnostics) {
  const Value* refine = problem.spec["verify"].find("refine");
  if (!refine) return;
  const auto check = [&](const Value& kind) {
    if (const std::string why = why_never_conclusive(problem, kind.text()); !why.empty())
      diagnostics.error(kind.position, kind.yaml_path, "the check '" + kind.text() + "' cannot be conclusive: " + why, "leave it out, or change what it needs");
  };
  if (!refine->is_list()) return check(*refine);
  for (const Value& kind : *refine) check(kind);
}

}  // namespace invar
