#include "apps/invar/problem/scalar_quantity.hpp"

#include <algorithm>
#include <functional>

#include "apps/invar/problem/build_initial.hpp"
#include "apps/invar/problem/case_builder.hpp"
#include "apps/invar/problem/physics_fit.hpp"
#include "apps/invar/problem/solid_quantity.hpp"
#include "apps/invar/spec/number_text.hpp"
#include "libfem/design/density_forms.hpp"
#include "libfem/design/field_roughness.hpp"
#include "libfem/design/nodal_penalty.hpp"
#include "libfem/objective/actuation.hpp"
#include "libfem/objective/extreme_position.hpp"
#include "libfem/objective/form_value.hpp"
#include "libfem/objective/mixing_norm.hpp"
#include "libfem/objective/node_distance.hpp"
#include "libfem/objective/quotient.hpp"
#include "libfem/objective/reaction.hpp"
#include "libfem/objective/sampled_displacement.hpp"
#include "libfem/objective/weighted_sum.hpp"
#include "libfem/space/expression.hpp"
#include "libfluid/objective/flow_objectives.hpp"

namespace invar {
namespace {

using spec::Value;
using Scalar = std::shared_ptr<Observable>;

/// How integrals over the mesh of a case are meant.
FlowKind measure_kind(const CaseModel& model) {
  if (const FlowCase* flow = model.flow()) return flow->kind;
  const SolidKind kind = model.solid()->kind;
  return kind == SolidKind::spatial ? FlowKind::spatial : kind == SolidKind::axisymmetric ? FlowKind::axisymmetric : FlowKind::planar;
}

class ScalarBuilder {
 public:
  ScalarBuilder(CaseModel& model, const Value& record, Diagnostics& diagnostics)
      : model_(model), record_(record), diagnostics_(diagnostics), dim_(model.mesh->dim) {}

  Scalar build() {
    const std::string type = record_["type"].text();
    if (is_solid_scalar(model_, record_)) return build_solid_scalar(model_, record_, diagnostics_);
    if (type == "force") return force();
    if (type == "moment") return moment();
    if (type == "pressure_drop") return pressure_drop();
    if (type == "mean_pressure") return mean_pressure();
    if (type == "point") return at_point();
    if (type == "actuation") return actuation();
    if (type == "dissipation" || type == "kinetic_energy") return over_fluids(type == "dissipation");
    if (type == "flow_rate") return flow_rate();
    if (type == "volume") return volume();
    if (type == "fluid_volume") return fluid_volume();
    if (type == "distance") return distance();
    if (type == "centroid") return centroid();
    if (type == "position") return position();
    if (type == "roughness") return roughness();
    if (type == "field_size") return of_initial_field(NodalPenalty::Of::size);
    if (type == "mean_scalar" || type == "scalar_flow" || type == "unmixedness") return of_scalar(type);
    return pressure_field();
  }

 private:
  bool has_region(int dim) {
    return check_region(*model_.mesh, record_["region"].text(), dim, record_["region"], diagnostics_);
  }
  /// The region is 'all', or of cells, or a boundary that encloses something.
  bool has_body() {
    return record_["region"].text() == "all" || has_region(encloses() ? dim_ - 1 : dim_);
  }
  bool encloses() const {
    const Region* region = model_.mesh->find_region(record_["region"].text());
    return region && region->dim == dim_ - 1;
  }
  CellBatches cells() const {
    const std::string region = record_["region"].text();
    return CellBatches::on_cells(model_.dofs, region == "all" ? "" : region, 6);
  }
  CellBatches walls() const { return CellBatches::on_facets(model_.dofs, record_["region"].text(), 8); }
  std::unique_ptr<WeakForm> volume_form(int axis) const {
    return encloses() ? make_enclosed_volume(measure_kind(model_), axis, walls()) : make_flow_volume(measure_kind(model_), cells());
  }
  std::unique_ptr<WeakForm> moment_form(int axis) const {
    return encloses() ? make_enclosed_moment(measure_kind(model_), axis, walls())
                      : make_volume_moment(measure_kind(model_), axis, cells());
  }
  /// Of a word x, y, z; −1 after recording that the mesh has no such axis.
  int axis_of(const Value& word) {
    const int axis = word.text()[0] - 'x';
    if (axis < dim_) return axis;
    diagnostics_.error(word.position, word.yaml_path, "the mesh is two-dimensional; use x or y");
    return -1;
  }
  CellBatches facets() const {
    return CellBatches::on_facets(model_.dofs, record_["region"].text(), model_.flow()->facet_degree);
  }
  Scalar value_of(const std::vector<int>& forms, double factor = 1) const {
    std::vector<double> factors(model_.residual->form_count(), 0.0);
    for (int f : forms) factors[f] = factor;
    return std::make_shared<FormValue>(model_.residual, factors);
  }
  Scalar integral(std::unique_ptr<WeakForm> form, std::vector<ControlledValue> values = {}) const {
    return value_of({model_.residual->add_functional(std::move(form), std::move(values))});
  }

  // What the fluid does to the wall is the opposite of what acts on the fluid there, be it held or slip along.
  Scalar force() {
    const Value& direction = record_["direction"];
    if (static_cast<int>(direction.size()) != dim_) {
      diagnostics_.error(direction.position, direction.yaml_path, "the direction must have " + std::to_string(dim_) + " components");
      return nullptr;
    }
    if (!has_region(-1)) return nullptr;
    std::vector<double> scaled = direction.numbers();
    for (double& d : scaled) d *= -record_["coefficient"].number();
    return Reaction::force(model_.residual, record_["region"].text(), scaled, Reaction::Of::surface);
  }
  Scalar moment() {
    if (!has_region(-1)) return nullptr;
    const auto p = record_["point"].numbers(), a = record_["axis"].numbers();
    return std::make_shared<WeightedSum>(
        Reaction::moment(model_.residual, record_["region"].text(), {p[0], p[1], p[2]}, {a[0], a[1], a[2]}, Reaction::Of::surface),
        std::vector<double>{-record_["coefficient"].number()});
  }
  Scalar pressure_drop() {
    std::vector<Sample> samples;
    for (const char* end : {"from", "to"}) {
      if (!check_point(model_, record_[end], diagnostics_)) return nullptr;
      samples.push_back({record_[end].numbers(), model_.pressure_component()});
    }
    std::vector<double> distance;
    Scalar pressures = make_point_samples(model_.dofs, samples, distance);
    for (int i = 0; i < 2; ++i)
      if (const Value& end = record_[i ? "to" : "from"]; distance[i] > 0) {
        diagnostics_.error(end.position, end.yaml_path, "the point lies outside the mesh, by " + number_text(distance[i]) + " m");
        return nullptr;
      }
    return std::make_shared<WeightedSum>(pressures, std::vector<double>{1, -1});
  }
  Scalar mean_pressure() {
    if (!has_region(dim_ - 1)) return nullptr;
    const FlowCase& flow = *model_.flow();
    return std::make_shared<Quotient>(integral(make_pressure_integral(flow.kind, flow.discretisation, facets())),
                                      integral(make_flow_area(flow.kind, facets())));
  }
  Scalar flow_rate() {
    return has_region(dim_ - 1) ? integral(make_flow_rate(model_.flow()->kind, facets())) : nullptr;
  }
  Scalar of_scalar(const std::string& type) {
    if (model_.scalar_component() < 0) {
      diagnostics_.error(record_.position, record_.yaml_path, "this flow carries no scalar", "set 'scalar: true' in 'physics'");
      return nullptr;
    }
    const FlowKind kind = model_.flow()->kind;
    if (type == "scalar_flow") return has_region(dim_ - 1) ? integral(make_scalar_outflow(kind, facets())) : nullptr;
    const std::string region = record_["region"].text();
    if (region != "all" && !has_region(dim_)) return nullptr;
    const Scalar amount = type == "mean_scalar"
                              ? integral(make_scalar_content(kind, cells()))
                              : std::make_shared<MixingNorm>(model_.residual, model_.scalar_component(), region == "all" ? "" : region,
                                                             record_["length"].number(), model_.axisymmetric());
    return std::make_shared<Quotient>(amount, integral(make_flow_volume(kind, cells())));
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
  Scalar of_initial_field(NodalPenalty::Of of) {
    const Value& variable = record_["variable"];
    const std::string& name = variable.text();
    if (name != initial_velocity && name != initial_source)
      diagnostics_.error(variable.position, variable.yaml_path, "there is no initial field '" + name + "'",
                         std::string("there are ") + initial_velocity + " and " + initial_source);
    else if (model_.initial_control < 0)
      diagnostics_.error(variable.position, variable.yaml_path, "the initial velocity is not designed as a field",
                         "add '- {kind: initial_field}' to 'design'");
    else
      return std::make_shared<NodalPenalty>(model_.residual, name == initial_source ? model_.initial_source : model_.initial_control,
                                            of, model_.axisymmetric());
    return nullptr;
  }
  Scalar roughness() {
    const Value& variable = record_["variable"];
    if (variable.text().starts_with("initial.")) return of_initial_field(NodalPenalty::Of::roughness);
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
  Scalar fluid_volume() {
    if (model_.density_control < 0) {
      diagnostics_.error(record_.position, record_.yaml_path, "'fluid_volume' needs a density in 'design'",
                         "for the volume of the mesh use 'volume'");
      return nullptr;
    }
    return integral(make_coefficient_integral(dim_, model_.axisymmetric(), CellBatches::on_cells(model_.dofs, "", 4)),
                    {{model_.density_control, {}}});
  }
  /// Sum over the fluids.
  Scalar over_fluids(bool dissipation) {
    const FlowCase& flow = *model_.flow();
    std::vector<int> forms;
    for (const FluidPart& part : flow.parts) {
      CellBatches cells = CellBatches::on_cells(model_.dofs, part.region, std::max(4, flow.degree));
      std::vector<ControlledValue> values{part.constants[0]};
      if (dissipation) {
        values.assign(part.constants.begin() + 1, part.constants.end());
        values.push_back(part.resistance);
      }
      forms.push_back(model_.residual->add_functional(dissipation ? make_dissipation(flow.kind, part.law, std::move(cells))
                                                                  : make_kinetic_energy(flow.kind, std::move(cells)),
                                                      std::move(values)));
    }
    return value_of(forms);
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
  Scalar actuation() {
    const Value& variable = record_["variable"];
    const std::string path = model_.path_here(variable.text()).value_or("");
    const auto& controls = model_.residual->controls();
    for (std::size_t k = 0; k < controls.size(); ++k)
      if (!path.empty() && controls[k].name == path && controls[k].shared())
        return std::make_shared<Actuation>(model_.residual, static_cast<int>(k));
    diagnostics_.error(variable.position, variable.yaml_path, "the case has no number '" + variable.text() + "'");
    return nullptr;
  }
  /// ½ ∫ (p − p̂)² over facets.
  Scalar pressure_field() {
    if (!has_region(dim_ - 1)) return nullptr;
    const FlowCase& flow = *model_.flow();
    const Value& p = record_["p"];
    try {
      auto formula = std::make_shared<const Expression>(p.is_number() ? number_text(p.number()) : p.text());
      const ControlledValue target{
          model_.residual->add_control({"", "Pa"}, {1.0}),
          [formula, dim = dim_](const double* x, double t) { return (*formula)(x[0], x[1], dim == 3 ? x[2] : 0.0, t); },
          formula->depends_on_position(), formula->depends_on_time()};
      return integral(make_pressure_misfit(flow.kind, flow.discretisation, facets()), {target});
    } catch (const ExpressionError& e) {
      diagnostics_.error(p.position, p.yaml_path, e.what());
      return nullptr;
    }
  }

  CaseModel& model_;
  const Value& record_;
  Diagnostics& diagnostics_;
  int dim_;
};

}  // namespace

std::shared_ptr<Observable> build_scalar(CaseModel& model, const Value& record, Diagnostics& diagnostics) {
  if (!check_term_fits(record, model, diagnostics)) return nullptr;
  return ScalarBuilder(model, record, diagnostics).build();
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
