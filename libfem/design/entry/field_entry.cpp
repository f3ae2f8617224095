#include <cmath>
#include <stdexcept>

#include "libadjoint/maps/design_bounds.hpp"
#include "libfem/design/entry/design_entry.hpp"
#include "libfem/design/field/material_field.hpp"

namespace invar {
namespace {

/// The field's values; nothing after recording what of them the model does not admit. outside: where it is not
/// designed.
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
      if (!range) return nullptr;
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
      .doc = "A constant of a material that may differ from cell to cell: one value per cell, filtered.",
      .parameters = {{.key = "variable", .kind = constant, .doc = "e.g. materials.tissue.young, materials.fluid.viscosity; cases.NAME.… for one case"},
                     {.key = "radius",
                      .unit = "m",
                      .doc = "of the filter: the length below which the field does not change much; at least two cells",
                      .lower = 0,
                      .lower_open = true},
                     {.key = "scale",
                      .kind = word,
                      .doc = "how the optimiser and the filter see it",
                      .default_text = "log",
                      .words = {{"linear", "any sign"}, {"log", "keeps its sign; the filter takes geometric means"}}},
                     {.key = "start",
                      .kind = number_or_formula,
                      .doc = "values of the cells at the start, before the filter: a number, or a formula in x, y, z; default: the value in its place",
                      .may_be_left_out = true}},
      .prepare = spread,
      .make = make_field};
  for (const EntryParameter& bound : bound_parameters()) e.parameters.push_back(bound);
  e.parameters.push_back(
      {.key = "region", .kind = cell_region, .doc = "cell region that is designed; default: where the material is", .may_be_left_out = true});
  return e;
}

}  // namespace invar
