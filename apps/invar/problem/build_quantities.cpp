#include <algorithm>
#include <cmath>

#include "apps/invar/problem/case_builder.hpp"
#include "apps/invar/physics/flow_model.hpp"
#include "apps/invar/physics/physics_fit.hpp"
#include "apps/invar/problem/problem.hpp"
#include "apps/invar/problem/scalar_quantity.hpp"
#include "apps/invar/problem/trim_spec.hpp"
#include "libadjoint/number_text.hpp"
#include "libfem/design/geometry/corner_angle.hpp"
#include "libfem/mesh/point_locator.hpp"
#include "libfem/objective/nodal_extremum.hpp"
#include "libfem/objective/sampled_displacement.hpp"
#include "libfluid/objective/wall_vorticity.hpp"

namespace invar {
namespace {

using spec::Value;

/// Of a word x, y, z the axis; −1 of others, and after recording that the mesh has no such axis.
int axis_given(const CaseModel& model, const Value& word, Diagnostics& diagnostics) {
  const int axis = word.text().size() == 1 ? word.text()[0] - 'x' : -1;
  if (axis < model.mesh->dim) return axis;
  diagnostics.error(word.position, word.yaml_path, "the mesh is two-dimensional; use x or y");
  return -1;
}

/// The component at equally spaced points from one end of a line to the other.
std::shared_ptr<Observable> along_line(const CaseModel& model, const Value& record, Diagnostics& diagnostics) {
  const int component = component_of(model, record["component"], diagnostics);
  if (!record.has("to")) {
    diagnostics.error(record.position, record.yaml_path, "a line from one point needs another", "add 'to'");
    return nullptr;
  }
  const bool right = check_point(model, record["from"], diagnostics) && check_point(model, record["to"], diagnostics);
  if (component < 0 || !right) return nullptr;
  const std::vector<double> from = record["from"].numbers(), to = record["to"].numbers();
  const int n = static_cast<int>(record["samples"].integer());
  std::vector<Sample> samples;
  for (int i = 0; i < n; ++i) {
    Sample s{from, component};
    for (std::size_t k = 0; k < from.size(); ++k) s.point[k] += (to[k] - from[k]) * i / (n - 1);
    samples.push_back(std::move(s));
  }
  std::vector<double> distance;
  std::shared_ptr<Observable> values = make_point_samples(model.dofs, samples, distance);
  const double farthest = *std::max_element(distance.begin(), distance.end());
  if (farthest > 0)
    diagnostics.error(record.position, record.yaml_path, "the line leaves the mesh, by " + number_text(farthest) + " m");
  return values;
}

/// The least or greatest value along a line, or where it is.
void extremum_on_line(Quantity& q, const CaseModel& model, const Value& record, Diagnostics& diagnostics) {
  const bool greatest = record["kind"].text() == "max";
  q.observable = along_line(model, record, diagnostics);
  q.of = greatest ? Quantity::Of::greatest : Quantity::Of::least;
  const int axis = axis_given(model, record["give"], diagnostics);
  if (axis < 0 || !q.observable) return;
  q.of = greatest ? Quantity::Of::place_of_greatest : Quantity::Of::place_of_least;
  q.first_place = record["from"].numbers()[axis];
  q.spacing = (record["to"].numbers()[axis] - q.first_place) / static_cast<double>(record["samples"].integer() - 1);
}

std::function<double(const EvaluationPoint&)> extremum_in_region(const CaseModel& model, const Value& record, Diagnostics& diagnostics) {
  const std::string name = record["region"].text(), region = name == "all" ? "" : name;
  if (!region.empty() && !check_region(*model.mesh, region, -1, record["region"], diagnostics)) return {};
  const int component = component_of(model, record["component"], diagnostics), axis = axis_given(model, record["give"], diagnostics);
  if (record.has("to"))
    diagnostics.error(record["to"].key_position, record["to"].yaml_path, "'to' ends a line, and this is a region", "leave it out");
  if (component < 0) return {};
  return [residual = model.residual, region, component, axis, greatest = record["kind"].text() == "max"](const EvaluationPoint& u) {
    const NodalExtremum found = nodal_extremum(residual->dofs(), u, residual->coordinates(u.given).data(), region, component, greatest);
    return axis < 0 ? found.value : found.x[axis];
  };
}

/// ρ/2 |U|² of the free stream that the record names.
std::function<double(const EvaluationPoint&)> dynamic_pressure(CaseModel& model, const Value& record, Diagnostics& diagnostics) {
  const std::optional<FreeStream> stream = free_stream_of(model, record, diagnostics);
  if (!stream) return {};
  return [stream = *stream](const EvaluationPoint& state) {
    double rho = 0, squared = 0, u = 0;
    stream.density->evaluate(state, &rho);
    for (const auto& component : stream.velocity) component->evaluate(state, &u), squared += u * u;
    return 0.5 * rho * squared;
  };
}

void shear_along_wall(Quantity& q, CaseModel& model, const Value& record, Diagnostics& diagnostics) {
  const std::string region = record["region"].text(), kind = record["kind"].text(), give = record["give"].text();
  const int axis = give == "distance" ? -1 : axis_given(model, record["give"], diagnostics);
  if (!check_region(*model.mesh, region, model.mesh->dim - 1, record["region"], diagnostics)) return;
  if (model.mesh->dim == 3 && (kind.ends_with("zero") || give == "distance")) {
    const Value& word = record[kind.ends_with("zero") ? "kind" : "give"];
    diagnostics.error(word.position, word.yaml_path, "'" + word.text() + "' is for walls in the plane: in space they have no direction");
    return;
  }
  if (record.has("stream")) q.dynamic_pressure = dynamic_pressure(model, record, diagnostics);
  q.stream_pressure = record["pressure"].number();
  if (give == "cf" && !record.has("stream")) {
    diagnostics.error(record["give"].position, record["give"].yaml_path, "'cf' is the shear over the dynamic pressure of a free stream", "add 'stream'");
    return;
  }
  if ((kind == "point") != record.has("point")) {
    const Value& at = record.has("point") ? record["point"] : record["kind"];
    diagnostics.error(at.position, at.yaml_path, "'kind: point' and 'point' belong together", kind == "point" ? "add 'point'" : "use 'kind: point'");
    return;
  }
  std::vector<double> place;
  if (kind == "point" && int((place = record["point"].numbers()).size()) != model.mesh->dim) {
    diagnostics.error(record["point"].position, record["point"].yaml_path, "a point of this mesh has " + std::to_string(model.mesh->dim) + " coordinates");
    return;
  }
  q.wall = [residual = model.residual, flow = model.as<FlowCase>()->kind, parts = model.as<FlowCase>()->parts, region](const EvaluationPoint& state) {
    const LocalArray u(state);
    return wall_shear(residual->dofs(), u.data(), residual->coordinates(state.given).data(), flow, region,
                      fluids_of(*residual, state.given, parts));
  };
  q.measured = [wall_of = q.wall, kind, give, axis, place, dynamic = q.dynamic_pressure, number = static_cast<std::size_t>(record["number"].integer())](const EvaluationPoint& state) {
    std::vector<WallShear> wall = wall_of(state);
    const auto by_shear = [](const WallShear& a, const WallShear& b) { return a.along < b.along; };
    if (kind.ends_with("zero")) wall = shear_zeros(wall);
    if (wall.empty() || (kind == "zero" && wall.size() < number)) return std::nan("");
    const WallShear point = kind == "zero"        ? wall[number - 1]
                            : kind == "last_zero" ? wall.back()
                            : kind == "point"     ? shear_near(wall, place.data(), static_cast<int>(place.size()))
                            : kind == "y_plus"    ? *std::ranges::max_element(wall, {}, &WallShear::y_plus)
                            : kind == "min"       ? *std::ranges::min_element(wall, by_shear)
                                                  : *std::ranges::max_element(wall, by_shear);
    if (give == "value") return kind == "y_plus" ? point.y_plus : point.along;
    return give == "cf" ? point.along / dynamic(state) : give == "distance" ? point.distance : point.x[axis];
  };
}

/// The case and what belongs to it stay where they are as long as the problem lives.
std::function<double(const EvaluationPoint&)> vorticity_deviation(const CaseModel& model, const Value& record, Diagnostics& diagnostics) {
  const std::string region = record["region"].text();
  const int axis = record["axis"].text()[0] - 'x', dim = model.mesh->dim;
  if (!check_region(*model.mesh, region, dim - 1, record["region"], diagnostics)) return {};
  if (axis >= dim) {
    diagnostics.error(record["axis"].position, record["axis"].yaml_path, "the mesh is two-dimensional; use x or y");
    return {};
  }
  return [dofs = model.dofs, residual = model.residual, kind = model.as<FlowCase>()->kind, region, axis,
          margin = record["margin"].number()](const EvaluationPoint& state) {
    const LocalArray u(state);
    const auto wall = wall_vorticity(*dofs, u.data(), residual->coordinates(state.given).data(), kind, region);
    return relative_deviation(away_from_ends(wall, axis, margin));
  };
}

std::function<double(const EvaluationPoint&)> corner(const CaseModel& model, const Value& record, Diagnostics& diagnostics) {
  const std::string region = record["region"].text();
  if (model.mesh->dim != 2) {
    diagnostics.error(record.position, record.yaml_path, "'corner_angle' is for meshes in the plane");
    return {};
  }
  if (!check_region(*model.mesh, region, 1, record["region"], diagnostics)) return {};
  CornerOptions options;
  options.one_sided = model.axisymmetric();
  options.axis = options.one_sided || record["axis"].text() == "y" ? 1 : 0;
  options.greatest = record["tip"].text() == "rear";
  const std::vector<double> range = record["range"].numbers();
  options.range = {range[0], range[1]};
  if (std::isnan(corner_angle(*model.mesh, region, model.mesh->coordinates, options)))
    diagnostics.error(record["range"].position, record["range"].yaml_path,
                      "a parabola needs three nodes on each side of the corner, and there are fewer in this range");
  return [residual = model.residual, region, options](const EvaluationPoint& u) {
    return corner_angle(residual->dofs().mesh(), region, residual->coordinates(u.given), options);
  };
}

std::function<double(const EvaluationPoint&)> field_value(const CaseModel& model, const Value& record, Diagnostics& diagnostics) {
  const DesignedField* field = find_field(model, record["variable"], diagnostics);
  const Value& point = record["point"];
  if (!field || !check_point(model, point, diagnostics)) return {};
  const MarkerOwner owner = locate_markers(*model.mesh, point.numbers()).front();
  if (owner.distance > 0) {
    diagnostics.error(point.position, point.yaml_path, "the point lies outside the mesh, by " + number_text(owner.distance) + " m");
    return {};
  }
  int rank = 0, cell = owner.here.cell;
  MPI_Comm_rank(model.dofs->comm(), &rank);
  for (int b = 0; b < owner.here.block; ++b) cell += model.mesh->cells[b].count();
  return [residual = model.residual, control = field->control, cell, mine = owner.rank == rank, from = owner.rank](const EvaluationPoint& u) {
    double value = mine ? u.controls()[control][cell] : 0.0;
    MPI_Bcast(&value, 1, MPI_DOUBLE, from, residual->comm());
    return value;
  };
}

std::function<double(const EvaluationPoint&)> field_error(const CaseModel& model, const Value& record, int step, Diagnostics& diagnostics) {
  const std::optional<ErrorNorm> norm = build_field_error(record, model, model.times[step], diagnostics);
  if (!norm) return {};
  return [norm = *norm](const EvaluationPoint& u) { return norm.evaluate(u); };
}

}  // namespace

void build_quantities(Problem& problem, int case_index, const std::vector<const Value*>& records, Diagnostics& diagnostics) {
  CaseModel& model = problem.cases[case_index];
  for (const Value* record : records) {
    if (!check_term_fits(*record, model, diagnostics)) continue;
    const std::string type = (*record)["type"].text();
    Quantity q{record->key, case_index, step_of(model, *record, diagnostics), nullptr, Quantity::Of::sum};
    if (type == "vorticity_deviation") q.measured = vorticity_deviation(model, *record, diagnostics);
    else if (type == "field_value") q.measured = field_value(model, *record, diagnostics);
    else if (type == "field_error") q.measured = field_error(model, *record, q.step, diagnostics);
    else if (type == "corner_angle") q.measured = corner(model, *record, diagnostics);
    else if (type == "wall_shear") shear_along_wall(q, model, *record, diagnostics);
    else if (type == "extremum" && record->has("region")) q.measured = extremum_in_region(model, *record, diagnostics);
    else if (type == "extremum") extremum_on_line(q, model, *record, diagnostics);
    else q.observable = build_scalar(model, *record, diagnostics);
    q.statistic = (*record)["statistic"].text();
    if (q.statistic != "value") {
      if ((!model.march && !model.path) || !q.observable)
        diagnostics.error((*record)["statistic"].position, (*record)["statistic"].yaml_path,
                          "'" + q.statistic + "' is for processes in time, and for what can be an objective", "give 'time' a 'scheme'");
      else q.window = window_of(model.times, *record, diagnostics);
    }
    if (model.march && q.observable) model.process->watch({q.name, q.observable, {}});
    problem.quantities.push_back(std::move(q));
  }
}

void build_constraints(Problem& problem, int case_index, const std::vector<const Value*>& records, Diagnostics& diagnostics) {
  CaseModel& model = problem.cases[case_index];
  const auto add = [&](const Value& r, const std::string& name, std::shared_ptr<Observable> quantity) {
    CaseConstraint c;
    c.info.name = name;
    double size = 0, unit = 1;
    if (r["relative"].boolean() && quantity) {
      unit = value_as_given(model, r, *quantity, diagnostics);
      if (unit == 0)
        diagnostics.error(r["relative"].position, r["relative"].yaml_path, "'" + name + "' is 0 in the mesh as given, and limits are multiples of that",
                          "give its limits as they are");
    }
    if (const Value* lower = r.find("lower")) c.info.lower = unit * lower->number();
    if (const Value* upper = r.find("upper")) c.info.upper = unit * upper->number();
    if (unit < 0) {  // limits are of the ratio to a negative number
      const auto [lower, upper] = std::pair{c.info.upper, c.info.lower};
      c.info.lower = r.has("upper") ? lower : -INFINITY;
      c.info.upper = r.has("lower") ? upper : INFINITY;
    }
    if (c.info.lower > c.info.upper)
      diagnostics.error(r["lower"].position, r["lower"].yaml_path, "the lower limit is above the upper one");
    check_against_trim(model, r, c.info.lower, c.info.upper, diagnostics);
    for (double limit : {c.info.lower, c.info.upper})
      if (std::isfinite(limit)) size = std::max(size, std::abs(limit));
    c.info.scale = r.has("scale") ? std::abs(unit) * r["scale"].number() : size > 0 ? size : 1.0;
    c.case_index = case_index;
    c.quantity = process_term(model, r, std::move(quantity), diagnostics);
    c.quantity.name = c.info.name;
    const auto same = [&](const CaseConstraint& other) { return other.info.name == c.info.name; };
    if (std::any_of(problem.constraints.begin(), problem.constraints.end(), same))
      diagnostics.error(r.position, r.yaml_path, "there is already a constraint '" + c.info.name + "'", "give each its own 'name'");
    problem.constraints.push_back(std::move(c));
  };
  for (const Value* record : records) {
    const Value& r = *record;
    const std::string name = r["name"].text().empty() ? r["type"].text() : r["name"].text();
    if (const Value* station = r.find("station"); station && station->is_list()) {
      for (const double x : station->numbers()) add(r, name + "_" + number_text(x), build_scalar(model, r, diagnostics, x));
      continue;
    }
    add(r, name, build_scalar(model, r, diagnostics));
  }
}

}  // namespace invar
