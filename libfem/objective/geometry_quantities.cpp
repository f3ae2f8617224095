// Quantities of the mesh geometry.
#include <optional>
#include <stdexcept>

#include "libfem/objective/extreme_position.hpp"
#include "libfem/objective/geometry_forms.hpp"
#include "libfem/objective/node_distance.hpp"
#include "libfem/objective/quantity_entry.hpp"
#include "libfem/objective/quotient.hpp"

namespace invar {
namespace {

using Scalar = std::shared_ptr<Observable>;

/// How the volume inside a region of facets is computed; nothing, with a mistake, where they enclose none.
std::optional<VolumeAxis> axis_of(const QuantityCase& c, const std::string& region, EntryMistakes& mistakes) try {
  return volume_axis(c.facets(region), c.axisymmetric);
} catch (const std::invalid_argument& e) {
  mistakes.add("region", e.what());
  return std::nullopt;
}

Scalar make_volume_quantity(const QuantityCase& c, const EntryValues& v, EntryMistakes& mistakes) {
  const std::string& region = v.text("region");
  if (!c.names_facets(region)) return c.integral(make_volume(c.axisymmetric, c.cells(region)));
  const auto axis = axis_of(c, region, mistakes);
  return axis ? c.integral(make_enclosed_volume(c.axisymmetric, *axis, c.facets(region, 8))) : nullptr;
}

Scalar make_centroid(const QuantityCase& c, const EntryValues& v, EntryMistakes& mistakes) {
  const int component = v.integer("component");
  const std::string& region = v.text("region");
  if (v.text("of") == "body") {
    mistakes.add("of", "this physics has no deformable body", "leave it out: the centre of the mesh");
  } else if (c.axisymmetric && component == 0) {
    mistakes.add("component", "the centre of volume of an axisymmetric body is on its axis: only y is available");
  } else if (!c.names_facets(region)) {
    return make_quotient(c.integral(make_volume_moment(c.axisymmetric, component, c.cells(region))), c.integral(make_volume(c.axisymmetric, c.cells(region))));
  } else if (const auto axis = axis_of(c, region, mistakes)) {
    return make_quotient(c.integral(make_enclosed_moment(c.axisymmetric, component, *axis, c.facets(region, 8))),
                         c.integral(make_enclosed_volume(c.axisymmetric, *axis, c.facets(region, 8))));
  }
  return nullptr;
}

Scalar make_distance(const QuantityCase& c, const EntryValues& v, EntryMistakes&) {
  std::array<double, 2> offsets;
  return std::make_shared<NodeDistance>(c.residual, std::array{v.numbers("from"), v.numbers("to")}, offsets);
}

Scalar make_position(const QuantityCase& c, const EntryValues& v, EntryMistakes& mistakes) {
  const auto kind = v.text("kind") == "max" ? ExtremePosition::Kind::greatest : ExtremePosition::Kind::least;
  try {
    return std::make_shared<ExtremePosition>(c.residual, v.text("region"), v.integer("component"), kind, v.number("sharpness"));
  } catch (const std::invalid_argument& e) {
    mistakes.add("", e.what());
    return nullptr;
  }
}

}  // namespace

QuantityEntry<QuantityCase> volume_quantity() {
  using enum EntryParameter::Kind;
  return {.name = "volume",
          .doc = "Volume of the mesh, of a part of it, or of what a boundary encloses; per unit depth in the plane. If a hole is open, e.g. at a plane of symmetry, it is closed by planes x, y or z = constant through the ends of its facets; around an axis by planes y = constant, or a groove by a cylinder x = constant.",
          .parameters = {{.key = "region",
                          .kind = body_region,
                          .doc = "cell region, 'all', or the facet region that encloses a hole, for the volume of the hole",
                          .default_text = "all"}},
          .of_mesh = &always_of_mesh,
          .make = &make_volume_quantity};
}

QuantityEntry<QuantityCase> centroid_quantity() {
  using enum EntryParameter::Kind;
  return {.name = "centroid",
          .doc = "A coordinate of the centre of volume of the mesh, of a part of it, or of a hole (open ones are closed as for `volume`), or of the centre of mass of the deformed solid.",
          .parameters = {{.key = "component", .kind = axis, .doc = "which"},
                         {.key = "region",
                          .kind = body_region,
                          .doc = "cell region, 'all', or the facet region that encloses a hole, for the centre of the hole; with `of: body` also facets, by their area",
                          .default_text = "all"},
                         {.key = "of",
                          .kind = word,
                          .doc = "which centre",
                          .default_text = "mesh",
                          .words = {{"mesh", "the centre of volume, undeformed"},
                                    {"body", "solid: the centre of mass of the deformed body, weighted by the density, or without inertia by the undeformed volume"}}}},
          .of_mesh = [](const EntryValues& v) { return v.text("of") == "mesh"; },
          .make = &make_centroid};
}

QuantityEntry<QuantityCase> distance_quantity() {
  using enum EntryParameter::Kind;
  return {.name = "distance",
          .doc = "Distance of the two nodes nearest to two points of the undeformed mesh, e.g. a thickness.",
          .parameters = {{.key = "from", .kind = point, .unit = "m", .doc = "the first point"}, {.key = "to", .kind = point, .unit = "m", .doc = "the second point"}},
          .of_mesh = &always_of_mesh,
          .make = &make_distance};
}

QuantityEntry<QuantityCase> position_quantity() {
  using enum EntryParameter::Kind;
  return {.name = "position",
          .doc = "Greatest or least coordinate of a region's nodes, smoothed so that it is differentiable: it exceeds the true extremum by at most size · ln(nodes) / sharpness, where size is the region's greatest extent.",
          .parameters = {{.key = "region", .kind = any_region, .doc = "facet or cell region"},
                         {.key = "component", .kind = axis, .doc = "which coordinate"},
                         {.key = "kind", .kind = word, .doc = "which extremum", .words = {{"min", "the least"}, {"max", "the greatest"}}},
                         {.key = "sharpness",
                          .doc = "sharpness of the smooth extremum",
                          .default_value = std::vector{1000.0},
                          .lower = 0,
                          .lower_open = true}},
          .of_mesh = &always_of_mesh,
          .make = &make_position};
}

}  // namespace invar
