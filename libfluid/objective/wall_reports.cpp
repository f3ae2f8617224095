// Reports on walls: shear, y+, separation, vorticity.
#include <algorithm>
#include <cmath>

#include "libfluid/objective/flow_quantity_entry.hpp"
#include "libfluid/objective/wall_shear.hpp"
#include "libfluid/objective/wall_vorticity.hpp"

namespace invar {
namespace {

using Wall = std::function<std::vector<WallShear>(const EvaluationPoint&)>;
using OfState = std::function<double(const EvaluationPoint&)>;

Wall shear_of(const FlowQuantityCase& c, const std::string& region) {
  return [c, region](const EvaluationPoint& state) {
    const LocalArray u(state);
    return wall_shear(*c.dofs, u.data(), c.residual->coordinates(state.given).data(), c.kind, region, c.fluids_at(state.given));
  };
}

/// ρ/2 |U|²
OfState dynamic_pressure(FreeStream stream) {
  return [stream = std::move(stream)](const EvaluationPoint& state) {
    double rho = 0, squared = 0, u = 0;
    stream.density->evaluate(state, &rho);
    for (const auto& component : stream.velocity) component->evaluate(state, &u), squared += u * u;
    return 0.5 * rho * squared;
  };
}

/// Selects a point of a wall; nothing if there is no such point.
struct PointChoice {
  std::string kind;           // a key of `wall_points`
  std::vector<double> place;  // for the kind "point"
  std::size_t number = 1;     // of a zero

  std::optional<WallShear> of(std::vector<WallShear> wall) const {
    const auto by_shear = [](const WallShear& a, const WallShear& b) { return a.along < b.along; };
    if (kind.ends_with("zero")) wall = shear_zeros(wall);
    if (wall.empty() || (kind == "zero" && wall.size() < number)) return std::nullopt;
    if (kind == "zero") return wall[number - 1];
    if (kind == "last_zero") return wall.back();
    if (kind == "point") return shear_near(wall, place.data(), static_cast<int>(place.size()));
    if (kind == "y_plus") return *std::ranges::max_element(wall, {}, &WallShear::y_plus);
    return kind == "min" ? *std::ranges::min_element(wall, by_shear) : *std::ranges::max_element(wall, by_shear);
  }
};

std::vector<EntryParameter::Word> wall_points() {
  return {{"min", "the least"},
          {"max", "the greatest"},
          {"y_plus", "greatest y+ = √(ρ τ) h/μ, h the thickness of the cell at the wall: a wall is resolved if it is below about 1"},
          {"zero", "in the plane: sign changes, i.e. points of separation and reattachment"},
          {"last_zero", "in the plane: the last sign change, e.g. reattachment behind corner eddies"},
          {"point", "point of the wall nearest to `point`"}};
}

/// The wall data as columns. dynamic: empty without a stream; far: the stream's pressure.
Measurement::Columns columns_of(const std::vector<WallShear>& wall, int dim, std::optional<double> dynamic, double far) {
  Measurement::Columns columns;
  const auto add = [&](const std::string& name, auto value) {
    columns.names.push_back(name);
    columns.data.emplace_back();
    for (const WallShear& w : wall) columns.data.back().push_back(value(w));
  };
  if (dim == 2) {
    add("piece", [](const WallShear& w) { return w.piece + 1.0; });
    add("distance", [](const WallShear& w) { return w.distance; });
  }
  for (int i = 0; i < dim; ++i) add(std::string(1, "xyz"[i]), [i](const WallShear& w) { return w.x[i]; });
  add("area", [](const WallShear& w) { return w.area; });
  add("pressure", [](const WallShear& w) { return w.pressure; });
  add("shear", [](const WallShear& w) { return w.along; });
  for (int i = 0; i < dim; ++i) add(std::string("shear_") + "xyz"[i], [i](const WallShear& w) { return w.shear[i]; });
  add("y_plus", [](const WallShear& w) { return w.y_plus; });
  if (dynamic) {
    add("cp", [&](const WallShear& w) { return (w.pressure - far) / *dynamic; });
    add("cf", [&](const WallShear& w) { return w.along / *dynamic; });
  }
  return columns;
}

/// Checks combinations of parameters.
void check_wall_shear(const FlowQuantityCase& c, const EntryValues& v, EntryMistakes& mistakes) {
  const std::string &kind = v.text("kind"), &give = v.text("give");
  if (give == "z" && c.dim() == 2) mistakes.add("give", "the mesh is two-dimensional; use x or y");
  if (c.dim() == 3 && (kind.ends_with("zero") || give == "distance")) {
    const char* key = kind.ends_with("zero") ? "kind" : "give";
    mistakes.add(key, "'" + v.text(key) + "' is for 2-D flow: in 3-D the shear along a wall has no sign");
  }
  if (give == "cf" && !v.has("stream"))
    mistakes.add("give", "'cf' is the shear divided by the dynamic pressure of a free stream", "add 'stream'");
  if ((kind == "point") != v.has("point"))
    mistakes.add(v.has("point") ? "point" : "kind", "'kind: point' and 'point' belong together", kind == "point" ? "add 'point'" : "use 'kind: point'");
}

Measurement make_wall_shear(const FlowQuantityCase& c, const EntryValues& v, EntryMistakes& mistakes) {
  check_wall_shear(c, v, mistakes);
  std::optional<FreeStream> stream;
  if (v.has("stream")) stream = free_stream(c, v.text("stream"), "wall_shear", mistakes);
  if (mistakes.any()) return {};
  const PointChoice choice{v.text("kind"), v.has("point") ? v.numbers("point") : std::vector<double>{}, static_cast<std::size_t>(v.integer("number"))};
  const Wall wall = shear_of(c, v.text("region"));
  const OfState dynamic = stream ? dynamic_pressure(*stream) : OfState{};
  Measurement m;
  m.value = [wall, choice, dynamic, give = v.text("give")](const EvaluationPoint& state) {
    const std::optional<WallShear> point = choice.of(wall(state));
    if (!point) return std::nan("");
    if (give == "value") return choice.kind == "y_plus" ? point->y_plus : point->along;
    if (give == "distance") return point->distance;
    return give == "cf" ? point->along / dynamic(state) : point->x[give[0] - 'x'];
  };
  m.profile = [wall, dynamic, dim = c.dim(), far = v.number("pressure")](const EvaluationPoint& state) {
    return columns_of(wall(state), dim, dynamic ? std::optional(dynamic(state)) : std::nullopt, far);
  };
  m.folder = "walls";
  return m;
}

ReportEntry<FlowQuantityCase> wall_shear_report() {
  using enum EntryParameter::Kind;
  return {.name = "wall_shear",
          .doc = "Flow: wall shear stress; its extrema and zeros, and their positions. In the plane its sign refers to the direction along the wall from the end with the least x (for closed walls from that point, with the fluid on the left); in space it is the magnitude. Values along the whole wall are written to walls/NAME.csv: positions, pressure, shear, y_plus, and with 'stream' cp and cf. In the plane pressure and shear, or cp and cf, are drawn along the wall in walls/NAME_cp.svg and so on, and in the report.",
          .parameters = {{.key = "region", .kind = facet_region, .doc = "facet region"},
                         {.key = "kind", .kind = word, .doc = "which point", .words = wall_points()},
                         {.key = "point", .kind = point, .unit = "m", .doc = "with kind 'point'", .may_be_left_out = true},
                         {.key = "number",
                          .kind = integer,
                          .doc = "number of the zero along the wall; if there are fewer zeros the quantity is not a number",
                          .default_value = std::vector{1.0},
                          .lower = 1},
                         {.key = "give",
                          .kind = word,
                          .doc = "value or position",
                          .default_text = "value",
                          .words = {{"value", "the shear in Pa; for zeros its sign behind them; for y_plus its value"},
                                    {"cf", "the shear divided by the dynamic pressure of 'stream'"},
                                    {"x", "coordinate of the point"},
                                    {"y", "likewise"},
                                    {"z", "likewise"},
                                    {"distance", "in the plane: arc length along the wall from its beginning"}}},
                         {.key = "stream",
                          .kind = text,
                          .doc = "region of `boundary` with the free stream, as for drag_coefficient: the file then contains cp = (p − p∞)/q and cf = shear/q",
                          .may_be_left_out = true},
                         {.key = "pressure", .unit = "Pa", .doc = "p∞", .default_value = std::vector{0.0}}},
          .make = &make_wall_shear};
}

Measurement make_vorticity_deviation(const FlowQuantityCase& c, const EntryValues& v, EntryMistakes&) {
  Measurement m;
  m.value = [c, region = v.text("region"), axis = v.integer("axis"), margin = v.number("margin")](const EvaluationPoint& state) {
    const LocalArray u(state);
    const auto wall = wall_vorticity(*c.dofs, u.data(), c.residual->coordinates(state.given).data(), c.kind, region);
    return relative_deviation(away_from_ends(wall, axis, margin));
  };
  return m;
}

ReportEntry<FlowQuantityCase> vorticity_deviation_report() {
  using enum EntryParameter::Kind;
  return {.name = "vorticity_deviation",
          .doc = "Flow: standard deviation divided by mean of the vorticity's magnitude along a wall. It is zero on the body of minimum drag with given volume in creeping flow.",
          .parameters = {{.key = "region", .kind = facet_region, .doc = "facet region"},
                         {.key = "margin",
                          .doc = "share of the body's length that is excluded at its front and rear, because tips of discrete shapes are rounded",
                          .default_value = std::vector{0.05},
                          .lower = 0,
                          .upper = 0.5,
                          .upper_open = true},
                         {.key = "axis", .kind = axis, .doc = "axis from the front to the rear", .default_value = std::vector{0.0}}},
          .make = &make_vorticity_deviation};
}

}  // namespace

std::vector<FlowFields::Fluid> FlowQuantityCase::fluids_at(const Setting& given) const {
  std::vector<FlowFields::Fluid> all;
  for (const Fluid& fluid : fluids) all.push_back(fluid_at(*residual, fluid.form, fluid.region, fluid.law, given));
  return all;
}

std::span<const ReportEntry<FlowQuantityCase>> flow_reports() {
  static const ReportEntry<FlowQuantityCase> entries[] = {wall_shear_report(), vorticity_deviation_report()};
  return entries;
}

}  // namespace invar
