#include <algorithm>
#include <stdexcept>

#include "libadjoint/number_text.hpp"
#include "libfem/design/entry/cell_choice.hpp"
#include "libfem/design/entry/design_entry.hpp"
#include "libfem/design/entry/filter_choice.hpp"
#include "libfem/design/field/density_design.hpp"

namespace invar {
namespace {

void scale_by_density(DesignCase& c, const EntryValues& v, EntryMistakes& mistakes) {
  if (!c.why_no_field.empty()) {
    mistakes.add("variable", c.why_no_field);
    return;
  }
  const double value = c.residual->control_values()[c.control][0];
  if (!(value > 0)) {
    mistakes.add("variable", "the stiffness scaled by a density must be positive; it is " + number_text(value));
    return;
  }
  c.fields.push_back({c.path, v.has("region") ? v.text("region") : c.region, c.control, value,
                      VariableTransform(VariableTransform::Kind::linear, value), true});
  c.residual->spread_control(c.control);
  if (const auto finite = c.finite_shares.find(c.control); finite != c.finite_shares.end()) {
    if (c.residual->control_values()[finite->second][0] != 1) mistakes.add("variable", "'finite_share' of the material is determined by the density", "remove it");
    c.residual->spread_control(finite->second);
  } else if (v.has("linear_below") || v.has("linear_steepness"))
    mistakes.add(v.has("linear_below") ? "linear_below" : "linear_steepness", "only a law with the variable 'material_share' can be linear in void",
                 "give the material a 'material_share: 1' and design that");
  const std::size_t cells = c.residual->control_values()[c.control].size();
  c.residual->add_control({.name = density_control, .unit = "1", .layout = ControlLayout::cells}, std::vector<double>(cells, 1.0));
}

std::vector<DensityStage> solid_stages_of(const EntryValues& v) {
  std::vector<DensityStage> stages;
  constexpr DensityStage usual;
  for (const EntryValues& s : v.groups("stages")) {
    DensityStage stage{.steepness = s.number("steepness"), .threshold = v.number("threshold"),
                       .law = v.text("law") == "ramp" ? DensityStage::Law::ramp : DensityStage::Law::simp,
                       .penalty = s.number("penalty"), .void_share = v.number("void_share"),
                       .linear_below = v.number_or("linear_below", usual.linear_below), .linear_steepness = v.number_or("linear_steepness", usual.linear_steepness), .iterations = s.integer("iterations")};
    stages.insert(stages.end(), s.integer("rounds"), stage);
  }
  return stages;
}

/// Checks combinations of keys.
void check_penalties(const EntryValues& v, EntryMistakes& mistakes) {
  if (v.text("law") == "simp")
    for (const EntryValues& s : v.groups("stages"))
      if (s.number("penalty") < 1) {
        mistakes.add("stages", "SIMP with a penalty of " + number_text(s.number("penalty")) + " would favour intermediate densities", "1: no penalty, 3: the usual value");
        break;
      }
}

std::vector<DensityDesign::Target> targets_of(const std::vector<DesignCase>& cases, const EntryValues& v, EntryMistakes& mistakes) {
  std::vector<DensityDesign::Target> targets;
  for (const DesignCase& c : cases) {
    const auto field = std::ranges::find(c.fields, c.control, &DesignedField::control);
    const auto finite = c.finite_shares.find(c.control);
    if (field != c.fields.end())
      targets.push_back({.case_index = c.index, .density = c.control_named(density_control), .property = c.control,
                         .scale = field->value, .finite = finite == c.finite_shares.end() ? -1 : finite->second});
  }
  if (!v.has("thresholds")) return targets;
  for (const EntryValues& group : v.groups("thresholds")) {
    const auto found = std::ranges::find(cases, group.text("case"), &DesignCase::name);
    const auto target = found == cases.end() ? targets.end() : std::ranges::find(targets, found->index, &DensityDesign::Target::case_index);
    if (target == targets.end()) mistakes.add("thresholds", "no case '" + group.text("case") + "' has the variable");
    else target->shift = group.number("threshold") - v.number("threshold");
  }
  return targets;
}

std::shared_ptr<Parameterization> make_solid_density(const std::vector<DesignCase>& cases, const EntryValues& v, EntryMistakes& mistakes) {
  check_penalties(v, mistakes);
  std::vector<DensityDesign::Passive> passive;
  if (v.has("solid")) passive.push_back({v.text("solid"), 1});
  if (v.has("void")) passive.push_back({v.text("void"), 0});
  const std::string region = v.has("region") ? v.text("region") : cases.front().region;
  try {
    const std::shared_ptr<CellFilter> filter = filter_of(cases.front(), v, mistakes);
    std::vector<DensityDesign::Target> targets = targets_of(cases, v, mistakes);
    if (mistakes.any()) return nullptr;
    const auto design = std::make_shared<DensityDesign>(filter, region, solid_stages_of(v), std::vector{v.number_or("start", 0.5)}, std::move(targets), 1, passive);
    design->share(orbits_of(*cases.front().mesh, design->cells(), v, mistakes));
    return design;
  } catch (const std::invalid_argument& e) {
    mistakes.add("", e.what());
    return nullptr;
  }
}

}  // namespace

DesignEntryKind solid_density_entry() {
  using enum EntryParameter::Kind;
  const std::vector<double> half{0.5}, one_group{};
  DesignEntryKind e{.name = "solid_density",
          .doc = "Distribution of material and void: one density per cell, filtered and projected, which scales a stiffness.",
          .parameters =
              {{.key = "variable", .kind = constant, .doc = "the stiffness, e.g. materials.steel.young: its value is that of full material; of laws with several constants, and at finite strain, materials.rubber.material_share"},
               {.key = "region", .kind = cell_region, .doc = "designed cell region; other cells are full material; default: the material's region", .may_be_left_out = true},
               {.key = "solid", .kind = cell_region, .doc = "cell region of full material", .may_be_left_out = true},
               {.key = "void", .kind = cell_region, .doc = "cell region of void", .may_be_left_out = true},
               {.key = "law",
                .kind = word,
                .doc = "interpolation of the stiffness by the density ρ: E = E₀ (v + (1 − v) s(ρ))",
                .default_text = "simp",
                .words = {{"simp", "s = ρ^p, p the penalty; 1: none (a sheet of variable thickness)"}, {"ramp", "s = ρ/(1 + q(1 − ρ)), q the penalty; 0: none"}}},
               {.key = "void_share", .doc = "v: stiffness of void over that of material", .default_value = std::vector{1e-9}, .lower = 0, .upper = 1, .lower_open = true, .upper_open = true},
               {.key = "linear_below",
                .doc = "of a law at finite strain whose 'material_share' is designed: s below which the law becomes linear, which admits inverted void cells; 0: nowhere; default: 0.01",
                .may_be_left_out = true,
                .lower = 0,
                .upper = 1,
                .upper_open = true},
               {.key = "linear_steepness", .doc = "steepness of that transition; default: 500", .may_be_left_out = true, .lower = 0, .lower_open = true},
               {.key = "start",
                .kind = number_or_formula,
                .doc = "density at the start, before the filter: a number, or a formula in x, y, z; 1: material",
                .default_value = half,
                .lower = 0,
                .upper = 1},
               threshold_parameter("projection threshold: filtered densities above it become material"),
               {.key = "thresholds",
                .kind = groups,
                .doc = "cases of the same body with another threshold, for robust designs: a higher one gives an eroded body, a lower one a dilated body",
                .may_be_left_out = true,
                .inner = {{.key = "case", .kind = text, .doc = "name of the case"},
                          threshold_parameter("its threshold", {})}},
               {.key = "stages",
                .kind = groups,
                .doc = "stages of the optimisation; each starts from the result of the previous one",
                .default_value = one_group,
                .inner = {{.key = "penalty", .doc = "p or q: penalty of intermediate densities", .default_value = std::vector{3.0}, .lower = 0}}}},
          .alone = true,
          .prepare = scale_by_density,
          .make = make_solid_density,
          .block_name = density_control};
  for (const auto& shared : {orbit_parameters(), filter_parameters(true)})
    e.parameters.insert(std::ranges::find(e.parameters, "law", &EntryParameter::key), shared.begin(), shared.end());
  for (const EntryParameter& p : stage_parameters()) std::ranges::find(e.parameters, "stages", &EntryParameter::key)->inner.push_back(p);
  return e;
}

}  // namespace invar
