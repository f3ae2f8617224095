#include <algorithm>
#include <stdexcept>

#include "libfem/design/entry/cell_choice.hpp"
#include "libfem/design/entry/design_entry.hpp"
#include "libfem/design/entry/filter_choice.hpp"
#include "libfem/design/field/density_design.hpp"

namespace invar {
namespace {

void add_density(DesignCase& c, const EntryValues&, EntryMistakes& mistakes) {
  if (c.resistance < 0) {
    mistakes.add("", "a density is designed in cases of flow with one fluid; case '" + c.name + "' is not one");
    return;
  }
  c.residual->spread_control(c.resistance);
  const std::size_t cells = c.residual->control_values()[c.resistance].size();
  c.residual->add_control({.name = density_control, .unit = "1", .layout = ControlLayout::cells}, std::vector<double>(cells, 1.0));
}

std::vector<DensityStage> stages_of(const EntryValues& v) {
  std::vector<DensityStage> stages;
  for (const EntryValues& s : v.groups("stages"))
    stages.push_back({.steepness = s.number("steepness"), .threshold = v.number("threshold"), .convexity = s.number("convexity"),
                      .max_resistance = v.number("max_resistance"), .iterations = s.integer("iterations")});
  return stages;
}

std::shared_ptr<Parameterization> make_density(const std::vector<DesignCase>& cases, const EntryValues& v, EntryMistakes& mistakes) {
  std::vector<DensityDesign::Target> targets;
  for (const DesignCase& c : cases) targets.push_back({c.index, c.control_named(density_control), c.resistance});
  try {
    const std::shared_ptr<CellFilter> filter = filter_of(cases.front(), v, mistakes);
    if (!filter) return nullptr;
    return std::make_shared<DensityDesign>(filter, v.text("region"), stages_of(v), std::vector{v.number_or("start", 0.5)}, std::move(targets));
  } catch (const std::invalid_argument& e) {
    mistakes.add("", e.what());
    return nullptr;
  }
}

}  // namespace

DesignEntryKind density_entry() {
  using enum EntryParameter::Kind;
  const std::vector<double> half{0.5}, one_group{};
  DesignEntryKind e{.name = "density",
          .doc = "Distribution of fluid and solid: one density per cell, filtered and projected.",
          .parameters =
              {{.key = "region", .kind = cell_region, .doc = "designed cell region; other cells are fluid", .default_text = "all"},
               {.key = "max_resistance",
                .unit = "Pa s/m^2",
                .doc = "α_max of Borrvall and Petersson (2003, Topology optimization of fluids in Stokes flow): resistance of solid, force per volume and velocity",
                .lower = 0,
                .lower_open = true},
               {.key = "start",
                .kind = number_or_formula,
                .doc = "density at the start, before the filter: a number, or a formula in x, y, z; 1: fluid",
                .default_value = half,
                .lower = 0,
                .upper = 1},
               threshold_parameter("projection threshold: filtered densities above it become fluid"),
               {.key = "stages",
                .kind = groups,
                .doc = "stages of the optimisation; each starts from the result of the previous one",
                .default_value = one_group,
                .inner = {{.key = "steepness", .doc = "steepness of the projection to 0 and 1; 0: none", .default_value = std::vector{0.0}, .lower = 0},
                          {.key = "convexity",
                           .doc = "q of Borrvall and Petersson (2003): a cell of density ρ has the resistance α(ρ) = α_max q (1 − ρ)/(q + ρ); a smaller q "
                                  "gives intermediate densities less resistance",
                           .default_value = std::vector{0.1},
                           .lower = 0,
                           .lower_open = true},
                          {.key = "iterations", .kind = integer, .doc = "largest number of accepted steps", .default_value = std::vector{30.0}, .lower = 1}}}},
          .alone = true,
          .prepare = add_density,
          .make = make_density,
          .block_name = density_control};
  const std::vector<EntryParameter> filter = filter_parameters(false);
  e.parameters.insert(std::ranges::find(e.parameters, "max_resistance", &EntryParameter::key), filter.begin(), filter.end());
  return e;
}

}  // namespace invar
