// Reports on a design: shapes and fields.
#include <cmath>

#include "libadjoint/number_text.hpp"
#include "libfem/design/entry/design_case.hpp"
#include "libfem/design/entry/quantity_library.hpp"
#include "libfem/design/geometry/corner_angle.hpp"
#include "libfem/mesh/point_locator.hpp"
#include "libfem/objective/cell_value.hpp"

namespace invar {
namespace {

Measurement make_field_value(const QuantityCase& c, const EntryValues& v, EntryMistakes& mistakes) {
  if (!c.field) {
    mistakes.add("variable", "an initial field has values at nodes, not in cells", "use 'point' with 'at' at the start");
    return {};
  }
  const MarkerOwner owner = locate_markers(c.mesh(), v.numbers("point")).front();
  if (owner.distance > 0) {
    mistakes.add("point", "the point lies outside the mesh, by " + number_text(owner.distance) + " m");
    return {};
  }
  int cell = owner.here.cell;
  for (int b = 0; b < owner.here.block; ++b) cell += c.mesh().cells[b].count();
  const auto observable = std::make_shared<CellValue>(c.residual, c.control, owner.rank, cell);
  Measurement m;
  m.value = [observable](const EvaluationPoint& u) {
    double value = 0;
    observable->evaluate(u, &value);
    return value;
  };
  m.linearised = [observable](const EvaluationPoint&) { return observable; };
  return m;
}

Measurement make_corner_angle(const QuantityCase& c, const EntryValues& v, EntryMistakes& mistakes) {
  if (c.dim() != 2) {
    mistakes.add("", "'corner_angle' needs a 2-D mesh");
    return {};
  }
  const std::string& region = v.text("region");
  const std::vector<double>& range = v.numbers("range");
  const CornerOptions options{.axis = c.axisymmetric || v.text("axis") == "y" ? 1 : 0,
                              .greatest = v.text("tip") == "rear",
                              .range = {range[0], range[1]},
                              .one_sided = c.axisymmetric || v.flag("half")};
  if (std::isnan(corner_angle(c.mesh(), region, c.mesh().coordinates, options)))
    mistakes.add("range", "a parabola needs three nodes on each side of the corner, and there are fewer in this range");
  Measurement m;
  m.value = [residual = c.residual, region, options](const EvaluationPoint& u) {
    return corner_angle(residual->dofs().mesh(), region, residual->coordinates(u.given), options);
  };
  return m;
}

}  // namespace

ReportEntry<QuantityCase> field_value_report() {
  using enum EntryParameter::Kind;
  return {.name = "field_value",
          .doc = "Value of a material's constant that is designed as a field, in the cell that contains a point.",
          .parameters = {{.key = "variable", .kind = designed_field, .doc = "as in 'design'"},
                         {.key = "point", .kind = point, .unit = "m", .doc = "undeformed position"}},
          .make = &make_field_value};
}

ReportEntry<QuantityCase> corner_angle_report() {
  using enum EntryParameter::Kind;
  return {.name = "corner_angle",
          .doc = "Angle, in degrees, between the two sides of a boundary in the plane at its front or rear.",
          .parameters = {{.key = "region", .kind = facet_region, .doc = "facet region"},
                         {.key = "axis",
                          .kind = word,
                          .doc = "axis from the front to the rear",
                          .default_text = "x",
                          .words = {{"x", ""}, {"y", "the only choice in axisymmetric cases"}}},
                         {.key = "tip",
                          .kind = word,
                          .doc = "which corner",
                          .words = {{"front", "smallest coordinate along the axis"}, {"rear", "greatest"}}},
                         {.key = "range",
                          .kind = numbers,
                          .unit = "m",
                          .doc = "distances from the corner, along the axis, between which parabolas are fitted to the sides; their "
                                 "tangents are taken at the corner",
                          .default_value = std::vector{0.02, 0.2},
                          .least = 2,
                          .most = 2},
                         {.key = "half",
                          .kind = flag,
                          .doc = "the mesh is the half above a plane of symmetry, where the boundary ends in the corner; always true in axisymmetric cases",
                          .default_value = std::vector{0.0}}},
          .make = &make_corner_angle};
}

std::span<const ReportEntry<QuantityCase>> common_reports() {
  static const ReportEntry<QuantityCase> entries[] = {extremum_report(), field_value_report(), field_error_report(), corner_angle_report()};
  return entries;
}

}  // namespace invar
