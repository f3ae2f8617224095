#include "apps/invar/problem/density_checks.hpp"

#include "libadjoint/solve/scientific.hpp"

namespace invar {

namespace {

constexpr const char* nothing_changes = "nothing changes between rounds: there is neither a stress_limit nor a scaled stress_norm or stress_ks";

}  // namespace

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
                        "the cells outside the design region have a volume of " + plain_number(fixed) + " m^3 already, and " +
                            plain_number(upper->number()) + " are allowed",
                        "at least " + plain_number(fixed) + ", and at most " + plain_number(fixed + designed) + " is effective");
    if (const Value* lower = c.find("lower"); lower && lower->number() > (fixed + designed) * (1 + 1e-9))
      diagnostics.error(lower->position, lower->yaml_path,
                        "all cells that can be filled have a volume of " + plain_number(fixed + designed) + " m^3, and " +
                            plain_number(lower->number()) + " are required",
                        "at most " + plain_number(fixed + designed));
  }
}

void check_rounds(const Problem& problem, Diagnostics& diagnostics) {
  const Value* design = problem.spec.find("design");
  if (!design) return;
  const bool adaptive = problem.functional->has_adaptive_parameters();
  if (adaptive && (!problem.staged || problem.staged->stage_count() == 1))
    diagnostics.error(design->key_position, design->yaml_path,
                      "multipliers of limits and scales of norms (stress_limit, a scaled stress_norm or stress_ks) are updated between the rounds of a search, and this one has a single round",
                      problem.density ? "give the 'stages' of the density 'rounds'" : "set 'optimizer.rounds'");
  if (adaptive) return;
  if (const Value* rounds = problem.spec["optimizer"].find("rounds"))
    diagnostics.error(rounds->position, rounds->yaml_path, nothing_changes, "leave it out");
  for (const Value& entry : *design)
    if (const Value* stages = entry.find("stages"))
      for (const Value& stage : *stages)
        if (const Value* rounds = stage.find("rounds"); rounds && rounds->integer() > 1)
          diagnostics.error(rounds->position, rounds->yaml_path, nothing_changes, "leave it out");
}

}  // namespace invar
