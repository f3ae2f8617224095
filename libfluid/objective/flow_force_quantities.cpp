// Forces and moments of the fluid, and coefficients of a body in a free stream.
#include <algorithm>
#include <string>

#include "libfem/objective/function_of.hpp"
#include "libfem/objective/number_value.hpp"
#include "libfem/objective/reaction.hpp"
#include "libfem/objective/weighted_sum.hpp"
#include "libfluid/objective/flow_objectives.hpp"
#include "libfluid/objective/flow_quantity_entry.hpp"

namespace invar {
namespace {

using Scalar = std::shared_ptr<Observable>;

EntryParameter part_parameter() {
  return {.key = "part",
          .kind = EntryParameter::Kind::word,
          .doc = "which part of the force",
          .default_text = "total",
          .words = {{"total", "total, by consistent nodal forces"},
                    {"pressure", "∫ p n over the region"},
                    {"viscous", "the total minus the pressure part; in turbulent flow it includes the eddy viscosity"}}};
}

EntryParameter vector_parameter(std::string_view key, std::string_view unit, std::vector<double> otherwise, std::string_view doc) {
  return {.key = key, .kind = EntryParameter::Kind::numbers, .unit = unit, .doc = doc, .default_value = std::move(otherwise), .least = 3, .most = 3};
}

EntryParameter factor_parameter(std::string_view doc) { return {.key = "coefficient", .doc = doc, .default_value = std::vector{1.0}}; }

/// Checks that the part of the pressure is requested for facets.
bool has_surface(const FlowQuantityCase& c, const EntryValues& v, EntryMistakes& mistakes) {
  if (v.text("part") == "total" || c.names_facets(v.text("region"))) return true;
  mistakes.add("region", "the mesh has no facet region '" + v.text("region") + "'", "the pressure acts on facets");
  return false;
}

/// Whether forces that ties carry to held nodes are added, as `QuantityCase::supports` describes.
enum class Carried { added, left_out };

/// The requested part of the fluid's force along w, the opposite of the force on the fluid there (from prescribed velocities or slip
/// conditions). pressure: creates the pressure part. The residual of the gradient form lacks a part of the traction where the fluid moves.
template <class Pressure>
Scalar part_of(const FlowQuantityCase& c, const EntryValues& v, std::shared_ptr<Reaction> acting, const Pressure& pressure, const RigidVelocity& w,
               double factor, Carried carried) {
  if (v.text("part") == "pressure") return c.sum_of({c.residual->add_functional(pressure(), {})}, factor);
  if (carried == Carried::added && c.supports) c.supports->push_back(acting->motion(-factor));
  const std::string& region = v.text("region");
  std::vector<int> missing;
  if (!c.stress_form && c.names_facets(region) && std::ranges::find(c.walls, region) == c.walls.end()) {
    c.read_viscosity_on_facets();
    missing.push_back(c.residual->add_functional(make_transposed_shear_work(c.kind, w, c.facets(region, c.facet_degree)), {c.fluids[0].law_parameters[0]}));
  }
  if (v.text("part") == "viscous") missing.push_back(c.residual->add_functional(pressure(), {}));
  if (missing.empty()) return std::make_shared<WeightedSum>(std::move(acting), std::vector<double>{-factor});
  return FunctionOf::make<2>({std::move(acting), c.sum_of(missing)}, [factor](const auto& a) { return -factor * (a[0] + a[1]); });
}

Scalar force_along(const FlowQuantityCase& c, const EntryValues& v, const std::vector<double>& direction, double factor, Carried carried) {
  const std::string& region = v.text("region");
  std::array<double, 3> d{};
  std::ranges::copy(direction, d.begin());
  const auto pressure = [&] { return make_pressure_force(c.kind, c.discretisation, d, c.facets(region, c.facet_degree)); };
  return part_of(c, v, Reaction::force(c.residual, region, direction, Reaction::Of::surface, c.tied), pressure, {d, {}}, factor, carried);
}

Scalar moment_about(const FlowQuantityCase& c, const EntryValues& v, const std::array<double, 3>& axis, double factor, Carried carried) {
  const std::string& region = v.text("region");
  const std::array<double, 3> point = v.vector("point");
  const auto pressure = [&] { return make_pressure_moment(c.kind, c.discretisation, point, axis, c.facets(region, c.facet_degree)); };
  return part_of(c, v, Reaction::moment(c.residual, region, point, axis, Reaction::Of::surface, c.tied), pressure, RigidVelocity::about(point, axis, c.dim()),
                 factor, carried);
}

Scalar make_force(const FlowQuantityCase& c, const EntryValues& v, EntryMistakes& mistakes) {
  return has_surface(c, v, mistakes) ? force_along(c, v, v.numbers("direction"), v.number("coefficient"), Carried::added) : nullptr;
}

Scalar make_moment(const FlowQuantityCase& c, const EntryValues& v, EntryMistakes& mistakes) {
  if (c.axisymmetric) mistakes.add("type", "an axisymmetric flow exerts no moment");
  if (c.axisymmetric) return nullptr;
  return has_surface(c, v, mistakes) ? moment_about(c, v, v.vector("axis"), v.number("coefficient"), Carried::added) : nullptr;
}

// ---- coefficients -------------------------------------------------------------------------------------

/// Forces on the body along each axis.
std::vector<Scalar> forces_of(const FlowQuantityCase& c, const EntryValues& v) {
  std::vector<Scalar> forces;
  for (int i = 0; i < c.dim(); ++i) {
    std::vector<double> along(c.dim(), 0.0);
    along[i] = 1;
    forces.push_back(force_along(c, v, along, 1, Carried::left_out));
  }
  return forces;
}

bool has_lift(const FlowQuantityCase& c, EntryMistakes& mistakes) {
  if (c.axisymmetric) mistakes.add("type", "an axisymmetric flow has neither lift nor moment");
  return !c.axisymmetric;
}

Scalar make_drag(const FlowQuantityCase& c, const EntryValues& v, EntryMistakes& mistakes) {
  const auto stream = free_stream(c, v.text("stream"), "drag_coefficient", mistakes);
  return stream && has_surface(c, v, mistakes) ? make_drag_coefficient(forces_of(c, v), *stream, v.number("area")) : nullptr;
}

Scalar make_lift(const FlowQuantityCase& c, const EntryValues& v, EntryMistakes& mistakes) {
  const auto stream = free_stream(c, v.text("stream"), "lift_coefficient", mistakes);
  if (!stream || !has_surface(c, v, mistakes) || !has_lift(c, mistakes)) return nullptr;
  return make_lift_coefficient(forces_of(c, v), *stream, v.number("area"), v.vector("span"));
}

Scalar make_pitch(const FlowQuantityCase& c, const EntryValues& v, EntryMistakes& mistakes) {
  const auto stream = free_stream(c, v.text("stream"), "moment_coefficient", mistakes);
  if (!stream || !has_surface(c, v, mistakes) || !has_lift(c, mistakes)) return nullptr;
  return make_moment_coefficient(moment_about(c, v, v.vector("span"), 1, Carried::left_out), *stream, v.number("area"), v.number("length"));
}

/// Common parameters of the three coefficients, and `more` ones. doc must live as long as the program.
FlowQuantity coefficient(std::string_view name, std::string_view doc, std::vector<EntryParameter> more, decltype(FlowQuantity::make) make) {
  using enum EntryParameter::Kind;
  FlowQuantity entry{.name = name,
                     .doc = doc,
                     .parameters = {{.key = "region", .kind = any_region, .doc = "facet region: the body's surface; what ties transmit to its nodes (a prescribed mean velocity) does not count here, unlike in `force`"},
                                    {.key = "stream",
                                     .kind = text,
                                     .doc = "region of `boundary` with 'speed' and 'angle', or with every component of u as a number"},
                                    {.key = "area",
                                     .doc = "reference area in m^2; in the plane the chord in m",
                                     .default_value = std::vector{1.0},
                                     .lower = 0,
                                     .lower_open = true},
                                    part_parameter()},
                     .make = make};
  entry.parameters.insert(entry.parameters.end(), more.begin(), more.end());
  return entry;
}

EntryParameter span_parameter() {
  return vector_parameter("span", "", {0, 0, 1}, "in space: axis of the wing; lift acts along span × U. In the plane always [0, 0, 1]");
}

}  // namespace

std::optional<FreeStream> free_stream(const FlowQuantityCase& c, const std::string& region, std::string_view what, EntryMistakes& mistakes) {
  if (std::ranges::find(c.walls, region) != c.walls.end()) {
    mistakes.add("stream", "the fluid rests at '" + region + "', which is therefore not a free stream");
    return std::nullopt;
  }
  const auto number = [&](int control) { return std::make_shared<NumberValue>(c.residual, control); };
  FreeStream stream{nullptr, std::vector<Scalar>(c.dim())};
  for (const DirichletCondition& d : c.residual->dirichlet_conditions())
    if (d.region == region && d.component < c.dim() && !d.value.shape && !d.adds) stream.velocity[d.component] = number(d.value.control);
  if (std::ranges::any_of(stream.velocity, [](const auto& u) { return !u; })) {
    mistakes.add("stream", "the boundary prescribes no free stream in '" + region + "'",
                 "name a region of 'boundary' with 'speed' and 'angle', or with a number for every component of u");
    return std::nullopt;
  }
  const int density = density_of(c, what, mistakes);
  if (density < 0) return std::nullopt;
  stream.density = number(density);
  return stream;
}

int density_of(const FlowQuantityCase& c, std::string_view what, EntryMistakes& mistakes) {
  if (c.fluids.size() > 1) {
    mistakes.add("", "'" + std::string(what) + "' works with one fluid, and there are " + std::to_string(c.fluids.size()));
    return -1;
  }
  c.read_density_on_facets();
  return c.fluids[0].density.control;
}

FlowQuantity force_quantity() {
  using enum EntryParameter::Kind;
  return {.name = "force",
          .doc = "Flow: force of the fluid on a wall, or at an inlet or outlet, by consistent nodal forces. At nodes shared by regions each has the force of its own traction, so that forces of parts add up to that of the whole.",
          .parameters = {{.key = "region", .kind = any_region, .doc = "facet region"},
                         {.key = "direction", .kind = direction, .doc = "of the force; its length scales the result"},
                         factor_parameter("factor of the force, e.g. 2/(ρ U² A)"),
                         part_parameter()},
          .make = &make_force};
}

FlowQuantity moment_quantity() {
  return {.name = "moment",
          .doc = "Flow: moment of the fluid's force on a wall, which is that of `force`.",
          .parameters = {{.key = "region", .kind = EntryParameter::Kind::any_region, .doc = "facet region"},
                         vector_parameter("axis", "", {0, 0, 1}, "of the moment; in the plane always [0, 0, 1]"),
                         vector_parameter("point", "m", {0, 0, 0}, "a point on the axis"),
                         factor_parameter("factor of the moment"),
                         part_parameter()},
          .make = &make_moment};
}

FlowQuantity drag_coefficient_quantity() {
  return coefficient("drag_coefficient",
                     "Flow: F·U/|U| / (q A). A is `area`, q = ρ/2 |U|², U the velocity that the boundary `stream` prescribes by numbers; all "
                     "of them may be designed.",
                     {}, &make_drag);
}

FlowQuantity lift_coefficient_quantity() {
  return coefficient("lift_coefficient",
                     "Flow: F·l / (q A), l across U. A is `area`, q = ρ/2 |U|², U the velocity that the boundary `stream` prescribes by "
                     "numbers; all of them may be designed.",
                     {span_parameter()}, &make_lift);
}

FlowQuantity moment_coefficient_quantity() {
  return coefficient("moment_coefficient",
                     "Flow: M / (q A c), positive nose up. A is `area`, q = ρ/2 |U|², U the velocity that the boundary `stream` "
                     "prescribes by numbers; all of them may be designed.",
                     {span_parameter(), vector_parameter("point", "m", {0, 0, 0}, "reference point, e.g. a quarter of the chord behind the nose"),
                      {.key = "length", .unit = "m", .doc = "c", .default_value = std::vector{1.0}, .lower = 0, .lower_open = true}},
                     &make_pitch);
}

}  // namespace invar
