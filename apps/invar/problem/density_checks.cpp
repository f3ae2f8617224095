#include "apps/invar/problem/density_checks.hpp"

#include "libadjoint/solve/scientific.hpp"

namespace invar {

using spec::Value;

void check_volumes(const Problem& problem, Diagnostics& diagnostics) {
  const Value* constraints = problem.spec.find("constraints");
  if (!problem.density || !constraints) return;
  const auto [fixed, designed] = problem.density->fixed_and_designed_volume();
  for (const Value& c : *constraints) {
    const std::string& type = c["type"].text();
    if (type != "material_volume" && type != "fluid_volume") continue;
    const bool relative = c.has("relative") && c["relative"].boolean();
    if (relative) continue;
    if (const Value* upper = c.find("upper"); upper && upper->number() < fixed * (1 - 1e-9))
      diagnostics.error(upper->position, upper->yaml_path,
                        "the cells that are not designed have a volume of " + plain_number(fixed) + " m^3 already, and " +
                            plain_number(upper->number()) + " are allowed",
                        "at least " + plain_number(fixed) + ", and at most " + plain_number(fixed + designed) + " of use");
    if (const Value* lower = c.find("lower"); lower && lower->number() > (fixed + designed) * (1 + 1e-9))
      diagnostics.error(lower->position, lower->yaml_path,
                        "all cells that may be filled have a volume of " + plain_number(fixed + designed) + " m^3, and " +
                            plain_number(lower->number()) + " are demanded",
                        "at most " + plain_number(fixed + designed));
  }
}

}  // namespace invar
