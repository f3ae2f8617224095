#include <cmath>
#include <stdexcept>

#include "libadjoint/maps/design_bounds.hpp"
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

std::shared_ptr<Parameterization> make_field(const std::vector<DesignCase>& cases, const EntryValues& v, EntryMistakes& mistakes) {
  const DesignCase& first = cases.front();
  std::vector<MaterialField::Target> targets;
  for (const DesignCase& c : cases) targets.push_back({c.index, c.control});
  for (const DesignedField& f : first.fields) {
    if (f.control != first.control) continue;
    try {
      const std::optional<FieldRange> range = range_of(v, first.admitted, f.value, mistakes);
      if (!range || !filter_reaches_neighbours(first.mesh, v.number("radius"), false, mistakes)) return nullptr;
      const auto filter = std::make_shared<HelmholtzFilter>(first.mesh, v.number("radius"), first.axisymmetric);
      return std::make_shared<MaterialField>(filter, f.region, f.transform, *range, std::move(targets));
    } catch (const std::invalid_argument& e) {
      mistakes.add("", e.what());
    }
  }
  return nullptr;
}

}  // namespace

DesignEntryKind field_entry() {
  using enum EntryParameter::Kind;
  DesignEntryKind e{
      .name = "field",
      .doc = "A material constant as a field: one value per cell, filtered.",
      .parameters = {{.key = "variable", .kind = constant, .doc = "e.g. materials.tissue.young, materials.fluid.viscosity; cases.NAME.… for one case"},
                     {.key = "radius",
                      .unit = "m",
                      .doc = "radius of the filter: smallest length scale of the field; at least two cells",
                      .lower = 0,
                      .lower_open = true},
                     {.key = "scale",
                      .kind = word,
                      .doc = "scale for the optimiser and the filter",
                      .default_text = "log",
                      .words = {{"linear", "any sign"}, {"log", "logarithmic: the sign is preserved, and the filter computes geometric means"}}},
                     {.key = "start",
                      .kind = number_or_formula,
                      .doc = "initial values of the cells before the filter: a number, or a formula in x, y, z; default: the constant of the spec",
                      .may_be_left_out = true}},
      .prepare = spread,
      .make = make_field};
  for (const EntryParameter& bound : bound_parameters()) e.parameters.push_back(bound);
  e.parameters.push_back(
      {.key = "region", .kind = cell_region, .doc = "designed cell region; default: the material's region", .may_be_left_out = true});
  return e;
}

}  // namespace invar
