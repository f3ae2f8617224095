#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "libadjoint/maps/design_bounds.hpp"
#include "libadjoint/number_text.hpp"
#include "libfem/design/entry/cell_choice.hpp"
#include "libfem/design/entry/design_entry.hpp"
#include "libfem/design/entry/filter_choice.hpp"
#include "libfem/design/field/material_field.hpp"

namespace invar {
namespace {

/// The field's initial values; nothing, with an error message, if some are inadmissible. outside: value of cells that are not designed.
std::optional<FieldRange> range_of(const EntryValues& v, const NumberRange& admitted, double outside, EntryMistakes& mistakes) {
  FieldRange r;
  r.outside = outside;
  r.start = v.number_or("start", outside);
  r.least = admitted.lower_open ? std::nextafter(admitted.lower, INFINITY) : admitted.lower;
  r.greatest = admitted.upper_open ? std::nextafter(admitted.upper, -INFINITY) : admitted.upper;
  const auto bounds = design_bounds(v, admitted, r.start, transform_of(v, r.start).kind(), mistakes);
  if (!bounds) return std::nullopt;
  r.lower = (*bounds)[0];
  r.upper = (*bounds)[1];
  return r;
}

void spread(DesignCase& c, const EntryValues& v, EntryMistakes& mistakes) {
  if (!c.why_no_field.empty()) {
    mistakes.add("variable", c.why_no_field);
    return;
  }
  try {
    const double value = c.residual->control_values()[c.control][0];
    const std::optional<FieldRange> range = range_of(v, c.admitted, value, mistakes);
    if (!range) return;
    c.fields.push_back({c.path, v.has("region") ? v.text("region") : c.region, c.control, value, transform_of(v, range->start)});
    c.residual->spread_control(c.control);
  } catch (const std::invalid_argument& e) {
    mistakes.add("", e.what());
  }
}

std::vector<PassiveCells> passive_of(const EntryValues& v, const NumberRange& admitted, const VariableTransform& transform, EntryMistakes& mistakes) {
  std::vector<PassiveCells> passive;
  if (!v.has("passive")) return passive;
  for (const EntryValues& group : v.groups("passive")) {
    passive.push_back({group.text("region"), group.number("value")});
    try {
      if (!admitted.contains(passive.back().value)) throw std::invalid_argument("the model allows " + described(admitted) + ", and this is " + number_text(passive.back().value));
      transform.coordinate(passive.back().value);
    } catch (const std::invalid_argument& e) {
      mistakes.add("passive", e.what());
    }
  }
  return passive;
}

/// Empty: the field is not projected, or a mistake has been recorded.
std::vector<ProjectedField::Stage> projection_stages(const EntryValues& v, EntryMistakes& mistakes) {
  std::vector<ProjectedField::Stage> stages;
  if (!v.has("stages")) {
    if (v.has("threshold")) mistakes.add("threshold", "the field is not projected", "give it 'stages' with a 'steepness'");
    return stages;
  }
  if (!v.has("lower") || !v.has("upper")) {
    mistakes.add("stages", "a projection pulls the values to two bounds, and the field has " + std::string(v.has("lower") || v.has("upper") ? "one" : "none"), "give 'lower' and 'upper'");
    return stages;
  }
  for (const EntryValues& s : v.groups("stages"))
    stages.insert(stages.end(), s.integer("rounds"), ProjectedField::Stage{.steepness = s.number("steepness"), .iterations = s.integer("iterations")});
  return stages;
}

std::shared_ptr<Parameterization> make_field(const std::vector<DesignCase>& cases, const EntryValues& v, EntryMistakes& mistakes) {
  const DesignCase& first = cases.front();
  const auto f = std::ranges::find(first.fields, first.control, &DesignedField::control);
  if (f == first.fields.end()) return nullptr;
  std::vector<FieldTarget> targets;
  for (const DesignCase& c : cases) targets.push_back({c.index, c.control});
  try {
    const std::optional<FieldRange> range = range_of(v, first.admitted, f->value, mistakes);
    const std::vector<PassiveCells> passive = passive_of(v, first.admitted, f->transform, mistakes);
    const std::vector<ProjectedField::Stage> stages = projection_stages(v, mistakes);
    const std::shared_ptr<CellFilter> filter = filter_of(first, v, mistakes);
    if (mistakes.any()) return nullptr;
    const double threshold = v.number_or("threshold", usual_threshold);
    const auto field = stages.empty() ? std::make_shared<MaterialField>(filter, f->region, f->transform, *range, std::move(targets), passive)
                                      : std::make_shared<ProjectedField>(filter, f->region, f->transform, *range, std::move(targets), threshold, stages, passive);
    field->share(orbits_of(*first.mesh, field->cells(), v, mistakes));
    return field;
  } catch (const std::invalid_argument& e) {
    mistakes.add("", e.what());
    return nullptr;
  }
}

}  // namespace

DesignEntryKind field_entry() {
  using enum EntryParameter::Kind;
  DesignEntryKind e{
      .name = "field",
      .doc = "A material constant as a field: one value per cell, filtered, and if wanted symmetric, extruded or projected to two values.",
      .parameters = {{.key = "variable", .kind = constant, .doc = "e.g. materials.tissue.young, materials.fluid.viscosity; cases.NAME.… for one case"},
                     {.key = "scale",
                      .kind = word,
                      .doc = "scale for the optimiser and the filter",
                      .default_text = "log",
                      .words = {{"linear", "any sign"}, {"log", "logarithmic: the sign is preserved, and the filter computes geometric means"}}},
                     {.key = "start",
                      .kind = number_or_formula,
                      .doc = "initial values of the cells before the filter: a number, or a formula in x, y, z; default: the constant of the spec",
                      .may_be_left_out = true},
                     {.key = "passive",
                      .kind = groups,
                      .doc = "regions that keep a value and are not designed; the filter sees them",
                      .may_be_left_out = true,
                      .inner = {{.key = "region", .kind = cell_region, .doc = "its cells; of two entries for one cell the last is valid"}, {.key = "value", .doc = "in the constant's unit"}}},
                     threshold_parameter("of the projection: filtered values above it tend to `upper`, others to `lower`; relative to these bounds on the scale of the field; default: 0.5", {}, true),
                     {.key = "stages",
                      .kind = groups,
                      .doc = "projects the filtered values to `lower` and `upper`, in stages of the search; each starts from the result of the previous one",
                      .may_be_left_out = true,
                      .inner = stage_parameters()}},
      .prepare = spread,
      .make = make_field};
  const std::vector<EntryParameter> filter = filter_parameters(false);
  e.parameters.insert(std::ranges::find(e.parameters, "scale", &EntryParameter::key), filter.begin(), filter.end());
  for (const auto& shared : {bound_parameters(), orbit_parameters()}) e.parameters.insert(e.parameters.end(), shared.begin(), shared.end());
  e.parameters.push_back(
      {.key = "region", .kind = cell_region, .doc = "designed cell region; default: the material's region", .may_be_left_out = true});
  return e;
}

}  // namespace invar
