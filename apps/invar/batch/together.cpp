#include "apps/invar/batch/together.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <span>
#include <string>
#include <string_view>

namespace invar {
namespace {

using spec::Value;

constexpr const char* remedy = "leave 'sweep.together' out";

/// Sections whose numbers are those of the equations, and sections that do not enter them.
constexpr std::array<std::string_view, 3> of_equations = {"materials", "boundary", "loads"};
constexpr std::array<std::string_view, 8> beside_equations = {"title", "design", "objective", "constraints", "optimizer", "output", "verify", "expect"};

bool contains(std::span<const std::string_view> list, std::string_view word) { return std::ranges::find(list, word) != list.end(); }

void check_inputs(const SweepPlan& plan, Diagnostics& diagnostics) {
  std::set<std::string> refused;
  for (const SweepPlan::Point& point : plan.points)
    for (const SweepPlan::Setting& s : point) {
      const std::string_view section = std::string_view(s.path).substr(0, s.path.find('.'));
      const bool numeric = contains(of_equations, section) && s.value.is_number();
      if (numeric || contains(beside_equations, section) || !refused.insert(s.path).second) continue;
      diagnostics.error(s.at, "sweep." + s.path,
                        contains(of_equations, section) ? "runs that differ in more than numbers cannot be worked on together, and '" + s.path + "' is " + s.value.dump()
                                                        : "runs that differ in '" + s.path + "' cannot be worked on together: their equations do not have the same unknowns, forms and solver",
                        remedy);
    }
}

}  // namespace

void check_together(const Value& spec, const SweepPlan& plan, Diagnostics& diagnostics) {
  const Value& together = spec["sweep"]["together"];
  const auto refuse = [&](const std::string& what) {
    diagnostics.error(together.position, together.yaml_path, "runs are worked on together for solids at rest with one case; " + what, remedy);
  };
  if (spec.has("cases")) refuse("this spec has 'cases'");
  if (const Value* physics = spec.find("physics"); physics && (*physics)["type"].text() != "solid") refuse("'physics.type' is " + (*physics)["type"].text());
  if (const Value* time = spec.find("time")) {
    if ((*time)["scheme"].text() != "static") refuse("'time.scheme' is " + (*time)["scheme"].text());
    else if (const Value& control = (*time)["control"]; !control.is_text() || control.text() != "load") refuse("'time.control' makes the load an unknown");
  }
  for (const char* section : {"contact", "ties", "rigid", "joints", "tendons", "trim"})
    if (spec.has(section)) refuse(std::string("this spec has '") + section + "'");
  if (const Value* design = spec.find("design"))
    for (const Value& entry : *design)
      if (entry["kind"].text() != "number")
        diagnostics.error(entry.position, entry.yaml_path, "runs are worked on together where designs are numbers, and this is a '" + entry["kind"].text() + "'", remedy);
  check_inputs(plan, diagnostics);
}

}  // namespace invar
