#include "apps/invar/problem/scalar_quantity.hpp"

#include <algorithm>
#include <functional>

#include "apps/invar/problem/quantity_builder.hpp"
#include "apps/invar/physics/physics_fit.hpp"
#include "libadjoint/number_text.hpp"
#include "libfem/design/field/field_roughness.hpp"
#include "libfem/objective/surface_point.hpp"
#include "libfem/objective/number_value.hpp"
#include "libfem/objective/actuation.hpp"
#include "libfem/objective/extreme_position.hpp"
#include "libfem/objective/node_distance.hpp"
#include "libfem/objective/quotient.hpp"
#include "libfem/objective/sampled_displacement.hpp"
#include "libfluid/objective/flow_objectives.hpp"

namespace invar {
namespace {

using spec::Value;

/// How integrals over the mesh of a case are meant.
FlowKind measure_kind(const CaseModel& model) {
  return model.mesh->dim == 3 ? FlowKind::spatial : model.axisymmetric() ? FlowKind::axisymmetric : FlowKind::planar;
}

class ScalarBuilder : QuantityBuilder {
 public:
  ScalarBuilder(CaseModel& model, const Value& record, Diagnostics& diagnostics)
      : QuantityBuilder(model, record, diagnostics) {}

  Scalar build() {
    if (const auto own = model_.physics->quantity(model_, record_, diagnostics_)) return *own;
    const std::string type = record_["type"].text();
    if (type == "point") return at_point();
    if (type == "actuation" || type == "number") return number(type == "actuation");
    if (type == "thickness" || type == "nose_radius") return section();
    if (type == "volume") return volume();
    if (type == "distance") return distance();
    if (type == "centroid") return centroid();
    if (type == "position") return position();
    if (type == "roughness") return roughness();
    throw std::logic_error("the quantity '" + type + "' is in the tables, and nothing makes it");
  }

 private:
  /// The region is 'all', or of cells, or a boundary that encloses something.
  bool has_body() {
    return record_["region"].text() == "all" || has_region(names_facets() ? dim_ - 1 : dim_);
  }
  CellBatches walls() const { return CellBatches::on_facets(model_.dofs, record_["region"].text(), 8); }
  std::unique_ptr<WeakForm> volume_form(int axis) const {
    return names_facets() ? make_enclosed_volume(measure_kind(model_), axis, walls()) : make_flow_volume(measure_kind(model_), cells());
  }
  std::unique_ptr<WeakForm> moment_form(int axis) const {
    return names_facets() ? make_enclosed_moment(measure_kind(model_), axis, walls())
                      : make_volume_moment(measure_kind(model_), axis, cells());
  }
  Scalar volume() {
    const int axis = model_.axisymmetric() ? 1 : 0;  // any in the plane and in space
    return has_body() ? integral(volume_form(axis)) : nullptr;
  }
  Scalar centroid() {
    const int axis = axis_of(record_["component"]);
    if (axis < 0 || !has_body()) return nullptr;
    if (model_.axisymmetric() && axis == 0) {
      diagnostics_.error(record_["component"].position, record_["component"].yaml_path,
                         "the centre of volume of an axisymmetric body lies on its axis: only y can be asked for");
      return nullptr;
    }
    return std::make_shared<Quotient>(integral(moment_form(axis)), integral(volume_form(axis)));
  }
  Scalar position() {
    const int axis = axis_of(record_["component"]);
    if (axis < 0 || !has_region(-1)) return nullptr;
    const auto kind = record_["kind"].text() == "max" ? ExtremePosition::Kind::greatest : ExtremePosition::Kind::least;
    try {
      return std::make_shared<ExtremePosition>(model_.residual, record_["region"].text(), axis, kind, record_["sharpness"].number());
    } catch (const std::invalid_argument& e) {
      diagnostics_.error(record_.position, record_.yaml_path, e.what());
      return nullptr;
    }
  }
  Scalar roughness() {
    const Value& variable = record_["variable"];
    if (variable.text().starts_with("initial.")) return build_initial_penalty(model_, variable, NodalPenalty::Of::roughness, diagnostics_);
    const DesignedField* f = find_field(model_, variable, diagnostics_);
    if (!f) return nullptr;
    return std::make_shared<FieldRoughness>(model_.residual, f->control, f->transform, f->region, model_.axisymmetric());
  }
  Scalar distance() {
    if (!check_point(model_, record_["from"], diagnostics_) || !check_point(model_, record_["to"], diagnostics_)) return nullptr;
    std::array<double, 2> offsets;
    return std::make_shared<NodeDistance>(
        model_.residual, std::array<std::vector<double>, 2>{record_["from"].numbers(), record_["to"].numbers()}, offsets);
  }
  Scalar section() {
    const Value& station = record_["station"];
    if (station.is_number()) return build_section_measure(model_, record_, station.number(), diagnostics_);
    diagnostics_.error(station.position, station.yaml_path, "one station is wanted here; a list is for constraints");
    return nullptr;
  }
  Scalar at_point() {
    const Level level = record_["of"].text() == "rate" ? Level::rate : Level::value;
    if (level == Level::rate && !model_.march) {
      diagnostics_.error(record_["of"].position, record_["of"].yaml_path, "only processes in time have rates", "give 'time' a 'scheme'");
      return nullptr;
    }
    const int c = component_of(model_, record_["component"], diagnostics_);
    if (!check_point(model_, record_["point"], diagnostics_) || c < 0) return nullptr;
    std::vector<double> distance;
    Scalar value = make_point_samples(model_.dofs, {{record_["point"].numbers(), c}}, distance, level);
    if (distance[0] > 0)
      diagnostics_.error(record_["point"].position, record_["point"].yaml_path, "the point lies outside the mesh, by " + number_text(distance[0]) + " m");
    return value;
  }
  Scalar number(bool squared) {
    const Value& variable = record_["variable"];
    const std::string path = model_.path_here(variable.text()).value_or("");
    const auto& controls = model_.residual->controls();
    for (std::size_t k = 0; k < controls.size(); ++k)
      if (!path.empty() && controls[k].name == path && controls[k].shared())
        return squared ? Scalar(std::make_shared<Actuation>(model_.residual, static_cast<int>(k)))
                       : std::make_shared<NumberValue>(model_.residual, static_cast<int>(k));
    diagnostics_.error(variable.position, variable.yaml_path, "the case has no number '" + variable.text() + "'");
    return nullptr;
  }
};

}  // namespace

std::shared_ptr<Observable> build_scalar(CaseModel& model, const Value& record, Diagnostics& diagnostics) {
  if (!check_term_fits(record, model, diagnostics)) return nullptr;
  return ScalarBuilder(model, record, diagnostics).build();
}

std::shared_ptr<Observable> build_section_measure(CaseModel& model, const Value& record, double station, Diagnostics& diagnostics) {
  const Value &region = record["region"], &at = record["station"];
  if (model.mesh->dim != 2) {
    diagnostics.error(record["type"].position, record["type"].yaml_path, "'" + record["type"].text() + "' is for meshes in the plane", "use 'distance'");
    return nullptr;
  }
  if (!check_region(*model.mesh, region.text(), 1, region, diagnostics)) return nullptr;
  const std::vector<SurfacePoint> cut = cut_at(*model.mesh, region.text(), station);
  if (cut.size() != 2) {
    diagnostics.error(at.position, at.yaml_path, "the line x = " + number_text(station) + " cuts '" + region.text() + "' in " + std::to_string(cut.size()) + " points, and a section is wanted",
                      "give a station between the ends of a closed body");
    return nullptr;
  }
  if (record["type"].text() == "thickness") return make_point_distance(model.residual, {cut[0], cut[1]});
  return make_circle_radius(model.residual, {cut[0], foremost(*model.mesh, region.text()), cut[1]});
}

double value_as_given(CaseModel& model, const Value& record, Observable& quantity, Diagnostics& diagnostics) {
  constexpr const char* of_mesh[] = {"thickness", "nose_radius", "volume", "distance", "position", "centroid"};
  const Value& type = record["type"];
  if (std::ranges::find(of_mesh, type.text()) == std::end(of_mesh)) {
    diagnostics.error(record["relative"].position, record["relative"].yaml_path, "'" + type.text() + "' is of the state, not of the mesh alone",
                      "give its limits as they are");
    return NAN;
  }
  const VecHandle rest = model.residual->create_vector();
  double value = 0;
  quantity.evaluate({rest.get(), model.residual->given()}, &value);
  return value;
}

int component_of(const CaseModel& model, const Value& word, Diagnostics& diagnostics) {
  const auto& known = model.dofs->components();
  std::string names;
  for (std::size_t c = 0; c < known.size(); ++c) {
    if (known[c].name == word.text()) return static_cast<int>(c);
    names += (names.empty() ? "" : ", ") + known[c].name;
  }
  diagnostics.error(word.position, word.yaml_path, "the unknown has no component '" + word.text() + "'", "its components: " + names);
  return -1;
}

const DesignedField* find_field(const CaseModel& model, const Value& variable, Diagnostics& diagnostics) {
  for (const DesignedField& f : model.fields)
    if (f.path == variable.text() || model.path_here(f.path) == variable.text()) return &f;
  diagnostics.error(variable.position, variable.yaml_path, "'" + variable.text() + "' is not designed as a field",
                    "add '- {kind: field, variable: " + variable.text() + ", radius: …}' to 'design'");
  return nullptr;
}

bool check_point(const CaseModel& model, const Value& point, Diagnostics& diagnostics) {
  if (static_cast<int>(point.size()) == model.mesh->dim) return true;
  diagnostics.error(point.position, point.yaml_path,
                    "the mesh has dimension " + std::to_string(model.mesh->dim) + ": give as many coordinates");
  return false;
}

std::shared_ptr<Observable> build_point_value(const CaseModel& model, const Value& point, const Value& component,
                                              Diagnostics& diagnostics) {
  const int c = component_of(model, component, diagnostics);
  if (!check_point(model, point, diagnostics) || c < 0) return nullptr;
  std::vector<double> distance;
  std::shared_ptr<Observable> value = make_point_samples(model.dofs, {{point.numbers(), c}}, distance);
  if (distance[0] > 0)
    diagnostics.error(point.position, point.yaml_path, "the point lies outside the mesh, by " + number_text(distance[0]) + " m");
  return value;
}

std::shared_ptr<Observable> build_initial_penalty(const CaseModel& model, const Value& variable, NodalPenalty::Of of, Diagnostics& diagnostics) {
  const std::string& name = variable.text();
  const int control = model.control_named(name);
  if (name != initial_velocity && name != initial_source)
    diagnostics.error(variable.position, variable.yaml_path, "there is no initial field '" + name + "'",
                      std::string("there are ") + initial_velocity + " and " + initial_source);
  else if (control < 0)
    diagnostics.error(variable.position, variable.yaml_path, "the initial velocity is not designed as a field",
                      "add '- {kind: initial_field}' to 'design'");
  else
    return std::make_shared<NodalPenalty>(model.residual, control, of, model.axisymmetric());
  return nullptr;
}

std::shared_ptr<const TimeStatistic> statistic_of(const CaseModel& model, const std::string& word, const TimeWindow& window) {
  std::vector<double> times;
  for (const int step : window.steps) times.push_back(model.times[step]);
  return std::make_shared<const TimeStatistic>(time_statistic_kind(word), std::move(times), window.weights);
}

ProcessTerm process_term(const CaseModel& model, const Value& record, std::shared_ptr<Observable> observable,
                         Diagnostics& diagnostics) {
  const std::string statistic = record["statistic"].text();
  ProcessTerm term{"", std::move(observable), {}};
  if (statistic == "value") {
    term.steps = {step_of(model, record, diagnostics)};
    return term;
  }
  if (!model.march && !model.path) {
    diagnostics.error(record["statistic"].position, record["statistic"].yaml_path, "'" + statistic + "' is for processes in time",
                      "give 'time' a 'scheme'");
    return term;
  }
  TimeWindow window = window_of(model.times, record, diagnostics);
  term.steps = window.steps;
  if (window.steps.empty()) return term;
  if (statistic == "largest") term.sharpness = record["sharpness"].number();
  else if (statistic == "smallest") term.sharpness = -record["sharpness"].number();
  else if (statistic == "rms") term.rms = true;
  else if (statistic != "mean") term.statistic = statistic_of(model, statistic, window);
  term.step_weights = std::move(window.weights);
  return term;
}

int step_of(const CaseModel& model, const Value& record, Diagnostics& diagnostics) {
  const Value* at = record.find("at");
  if (!at) return model.last_step();
  const auto it = std::find(model.times.begin(), model.times.end(), at->number());
  if (it != model.times.end()) return static_cast<int>(it - model.times.begin());
  diagnostics.error(at->position, at->yaml_path, "'at' is none of the case's 'time.values'");
  return model.last_step();
}

}  // namespace invar
