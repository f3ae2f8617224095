// Quantities of the section of a 2-D body at a line x = station.
#include "libadjoint/number_text.hpp"
#include "libfem/objective/quantity_entry.hpp"
#include "libfem/objective/surface_point.hpp"

namespace invar {
namespace {

/// The two points of the section, lower and upper; empty, with an error message, on failure.
std::vector<SurfacePoint> section_of(const QuantityCase& c, const EntryValues& v, EntryMistakes& mistakes) {
  const std::vector<double>& stations = v.numbers("station");
  if (c.dim() != 2) {
    mistakes.add("", "a section needs a 2-D mesh", "use 'distance'");
  } else if (stations.size() != 1) {
    mistakes.add("station", "this needs one station; a list is for constraints only");
  } else {
    std::vector<SurfacePoint> cut = cut_at(c.mesh(), v.text("region"), stations[0]);
    if (cut.size() == 2) return cut;
    mistakes.add("station", "the line x = " + number_text(stations[0]) + " cuts '" + v.text("region") + "' in " + std::to_string(cut.size()) + " points, and a section needs two",
                 "give a station between the ends of a closed body");
  }
  return {};
}

std::shared_ptr<Observable> make_thickness(const QuantityCase& c, const EntryValues& v, EntryMistakes& mistakes) {
  const std::vector<SurfacePoint> cut = section_of(c, v, mistakes);
  return cut.empty() ? nullptr : make_point_distance(c.residual, {cut[0], cut[1]});
}

std::shared_ptr<Observable> make_nose_radius(const QuantityCase& c, const EntryValues& v, EntryMistakes& mistakes) {
  const std::vector<SurfacePoint> cut = section_of(c, v, mistakes);
  return cut.empty() ? nullptr : make_circle_radius(c.residual, {cut[0], foremost(c.mesh(), v.text("region")), cut[1]});
}

}  // namespace

QuantityEntry<QuantityCase> thickness_quantity() {
  using enum EntryParameter::Kind;
  return {.name = "thickness",
          .doc = "In the plane: distance of the two material points where the line x = station cuts a body's boundary in the mesh as given.",
          .parameters = {{.key = "region", .kind = facet_region, .doc = "facet region"},
                         {.key = "station", .kind = number_or_numbers, .unit = "m", .doc = "x; of a constraint also a list: a limit for each"}},
          .of_mesh = &always_of_mesh,
          .make = &make_thickness};
}

QuantityEntry<QuantityCase> nose_radius_quantity() {
  using enum EntryParameter::Kind;
  return {.name = "nose_radius",
          .doc = "In the plane: radius of the circle through a body's foremost node and the two material points where the line x = station cuts its "
                 "boundary in the mesh as given.",
          .parameters = {{.key = "region", .kind = facet_region, .doc = "facet region"},
                         {.key = "station", .kind = number_or_numbers, .unit = "m", .doc = "x, about a hundredth of the chord behind the nose; of a constraint also a list"}},
          .of_mesh = &always_of_mesh,
          .make = &make_nose_radius};
}

}  // namespace invar
