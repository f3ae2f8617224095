#include "apps/invar/problem/density_checks.hpp"

#include "libadjoint/number_text.hpp"

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
                        "the cells that are not designed have a volume of " + number_text(fixed) + " m^3 already, and " +
                            number_text(upper->number()) + " are allowed",
                        "at least " + number_text(fixed) + ", and at most " + number_text(fixed + designed) + " of use");
    if (const Value* lower = c.find("lower"); lower && lower->number() > (fixed + designed) * (1 + 1e-9))
      diagnostics.error(lower->position, lower->yaml_path,
                        "all cells that may be filled have a volume of " + number_text(fixed + designed) + " m^3, and " +
                            number_text(lower->number()) + " are demanded",
                        "at most " + number_text(fixed + designed));
  }
}

}  // namespace invar
