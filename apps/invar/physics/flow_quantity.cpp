#include "apps/invar/physics/flow_model.hpp"
#include "apps/invar/physics/term_table.hpp"
#include "apps/invar/problem/quantity_builder.hpp"
#include "apps/invar/problem/scalar_quantity.hpp"
#include "libadjoint/number_text.hpp"
#include "libfem/design/field/density_forms.hpp"
#include "libfem/objective/function_of.hpp"
#include "libfem/objective/mixing_norm.hpp"
#include "libfem/objective/number_value.hpp"
#include "libfem/objective/quotient.hpp"
#include "libfem/objective/reaction.hpp"
#include "libfem/objective/sampled_displacement.hpp"
#include "libfem/objective/weighted_sum.hpp"
#include "libfluid/objective/aerodynamic_coefficients.hpp"
#include "libfluid/objective/flow_integral_library.hpp"
#include "libfluid/objective/flow_objectives.hpp"

namespace invar {
namespace {

using spec::Value;

class FlowScalarBuilder : QuantityBuilder {
 public:
  FlowScalarBuilder(const FlowCase& flow, CaseModel& model, const Value& record, Diagnostics& diagnostics)
      : QuantityBuilder(model, record, diagnostics), flow_(flow) {}

  std::optional<Scalar> build() {
    const std::string type = record_["type"].text();
    if (type == "force") return force();
    if (type == "moment") return moment();
    if (type.ends_with("_coefficient")) return coefficient(type);
    if (type == "total_pressure_loss") return total_pressure_loss();
    if (type == "pressure_drop") return pressure_drop();
    if (type == "dissipation" || type == "kinetic_energy") return over_fluids(type == "dissipation");
    if (type == "fluid_volume") return fluid_volume();
    if (type == "field_size") return build_initial_penalty(model_, record_["variable"], NodalPenalty::Of::size, diagnostics_);
    if (type == "unmixedness") return unmixedness();
    if (const FlowIntegral* term = find_term(flow_integrals(), type)) return integral_of(*term);
    if (type == "centroid" && record_["of"].text() == "body") return without_body();
    return std::nullopt;
  }

 private:
  CellBatches facets() const { return CellBatches::on_facets(model_.dofs, record_["region"].text(), flow_.facet_degree); }

  Scalar without_body() {
    diagnostics_.error(record_["of"].position, record_["of"].yaml_path, "the physics is 'flow', which has no body that deforms",
                       "leave it out: the centre of the mesh");
    return nullptr;
  }
  /// The part of the fluid's force or moment that the record asks for: `acting` is the opposite of the total, `pressure` makes its
  /// pressure's part, which only facets have.
  template <class Pressure>
  Scalar part_of(Scalar acting, const Pressure& pressure, double factor) {
    const std::string part = record_["part"].text();
    if (part == "total") return std::make_shared<WeightedSum>(std::move(acting), std::vector<double>{-factor});
    const int form = model_.residual->add_functional(pressure(), {});
    if (part == "pressure") return value_of({form}, factor);
    return FunctionOf::make<2>({std::move(acting), value_of({form})}, [factor](const auto& a) { return -factor * (a[0] + a[1]); });
  }
  bool has_surface() { return has_region(record_["part"].text() == "total" ? -1 : dim_ - 1); }
  // What the fluid does to the wall is the opposite of what acts on the fluid there, be it held or slip along.
  Scalar force_along(const std::vector<double>& direction, double factor) {
    std::array<double, 3> d{};
    std::ranges::copy(direction, d.begin());
    const auto pressure = [&] { return make_pressure_force(flow_.kind, flow_.discretisation, d, facets()); };
    return part_of(Reaction::force(model_.residual, record_["region"].text(), direction, Reaction::Of::surface), pressure, factor);
  }
  Scalar moment_about(const std::array<double, 3>& axis, double factor) {
    const auto p = record_["point"].numbers();
    const std::array<double, 3> point{p[0], p[1], p[2]};
    const auto pressure = [&] { return make_pressure_moment(flow_.kind, flow_.discretisation, point, axis, facets()); };
    return part_of(Reaction::moment(model_.residual, record_["region"].text(), point, axis, Reaction::Of::surface), pressure, factor);
  }
  Scalar force() {
    const std::vector<double> direction = direction_of(record_["direction"], 1.0);
    return direction.empty() || !has_surface() ? nullptr : force_along(direction, record_["coefficient"].number());
  }
  Scalar moment() {
    const auto a = record_["axis"].numbers();
    return has_surface() ? moment_about({a[0], a[1], a[2]}, record_["coefficient"].number()) : nullptr;
  }
  Scalar coefficient(const std::string& type) {
    const std::optional<FreeStream> stream = free_stream_of(model_, record_, diagnostics_);
    if (!stream || !has_surface()) return nullptr;
    if (flow_.axisymmetric() && type != "drag_coefficient") {
      diagnostics_.error(record_["type"].position, record_["type"].yaml_path, "an axisymmetric flow has neither lift nor moment");
      return nullptr;
    }
    const double area = record_["area"].number();
    std::array<double, 3> span{0, 0, 1};
    if (type != "drag_coefficient") std::ranges::copy(record_["span"].numbers(), span.begin());
    if (type == "moment_coefficient") return make_moment_coefficient(moment_about(span, 1), *stream, area, record_["length"].number());
    std::vector<Scalar> forces;
    for (int i = 0; i < dim_; ++i) {
      std::vector<double> along(dim_, 0.0);
      along[i] = 1;
      forces.push_back(force_along(along, 1));
    }
    return type == "drag_coefficient" ? make_drag_coefficient(forces, *stream, area) : make_lift_coefficient(forces, *stream, area, span);
  }
  Scalar total_pressure_loss() {
    std::array<Scalar, 4> through;
    const int rho = density_of(model_, record_, diagnostics_);
    if (rho < 0) return nullptr;
    for (int i = 0; i < 2; ++i) {
      const Value& end = record_[i ? "to" : "from"];
      if (!check_region(*model_.mesh, end.text(), dim_ - 1, end, diagnostics_)) return nullptr;
      const auto here = [&] { return CellBatches::on_facets(model_.dofs, end.text(), flow_.facet_degree); };
      through[2 * i] = integral(make_total_pressure_flux(flow_.kind, flow_.discretisation, here()), {{rho, {}}});
      through[2 * i + 1] = integral(make_flow_rate(flow_.kind, here()));
    }
    return FunctionOf::make<4>(through, [c = record_["coefficient"].number()](const auto& a) { return c * (a[0] / a[1] - a[2] / a[3]); });
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
  Scalar integral_of(const FlowIntegral& term) {
    if (term.of_scalar && !carries_scalar()) return nullptr;
    const std::optional<std::vector<ControlledValue>> values = fixed_coefficients(term);
    if (!values || !has_domain(term)) return nullptr;
    const bool volume = term.domain == TermSpec::Domain::cells;
    const Scalar amount = integral(term.make(flow_.kind, flow_.discretisation, volume ? cells() : facets()), *values);
    if (!term.mean) return amount;
    return std::make_shared<Quotient>(amount, integral(volume ? make_flow_volume(flow_.kind, cells()) : make_flow_area(flow_.kind, facets())));
  }
  bool carries_scalar() {
    if (model_.scalar_component() >= 0) return true;
    diagnostics_.error(record_.position, record_.yaml_path, "this flow carries no scalar", "set 'scalar: true' in 'physics'");
    return false;
  }
  Scalar unmixedness() {
    if (!carries_scalar()) return nullptr;
    const std::string region = record_["region"].text();
    if (region != "all" && !has_region(dim_)) return nullptr;
    const Scalar amount = std::make_shared<MixingNorm>(model_.residual, model_.scalar_component(), region == "all" ? "" : region,
                                                       record_["length"].number(), model_.axisymmetric());
    return std::make_shared<Quotient>(amount, integral(make_flow_volume(flow_.kind, cells())));
  }
  Scalar fluid_volume() {
    const int density = model_.control_named(density_control);
    if (density < 0) {
      diagnostics_.error(record_.position, record_.yaml_path, "'fluid_volume' needs a density in 'design'",
                         "for the volume of the mesh use 'volume'");
      return nullptr;
    }
    return integral(make_coefficient_integral(dim_, model_.axisymmetric(), CellBatches::on_cells(model_.dofs, "", 4)),
                    {{density, {}}});
  }
  /// Sum over the fluids.
  Scalar over_fluids(bool dissipation) {
    const FlowCase& flow = flow_;
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

  const FlowCase& flow_;
};

}  // namespace

int density_of(CaseModel& model, const Value& record, Diagnostics& diagnostics) {
  FlowCase& flow = dynamic_cast<FlowCase&>(*model.physics);
  if (flow.parts.size() > 1) {
    diagnostics.error(record.position, record.yaml_path, "'" + record["type"].text() + "' works with one fluid, and there are " +
                                                             std::to_string(flow.parts.size()));
    return -1;
  }
  flow.density_on_facets = true;
  return flow.parts[0].constants[0].control;
}

std::optional<FreeStream> free_stream_of(CaseModel& model, const Value& record, Diagnostics& diagnostics) {
  const Value& name = record["stream"];
  const int dim = model.mesh->dim;
  const auto& walls = model.as<FlowCase>()->walls;
  if (std::ranges::find(walls, name.text()) != walls.end()) {
    diagnostics.error(name.position, name.yaml_path, "the fluid rests at '" + name.text() + "', which is no free stream");
    return std::nullopt;
  }
  const auto number = [&](int control) { return std::make_shared<NumberValue>(model.residual, control); };
  FreeStream stream{nullptr, std::vector<std::shared_ptr<Observable>>(dim)};
  for (const DirichletCondition& c : model.residual->dirichlet_conditions())
    if (c.region == name.text() && c.component < dim && !c.value.shape && !c.adds) stream.velocity[c.component] = number(c.value.control);
  if (std::ranges::any_of(stream.velocity, [](const auto& v) { return !v; })) {
    diagnostics.error(name.position, name.yaml_path, "the boundary prescribes no free stream in '" + name.text() + "'",
                      "name a region of 'boundary' with 'speed' and 'angle', or with a number for every component of u");
    return std::nullopt;
  }
  const int rho = density_of(model, record, diagnostics);
  if (rho < 0) return std::nullopt;
  stream.density = number(rho);
  return stream;
}

std::optional<std::shared_ptr<Observable>> FlowCase::quantity(CaseModel& model, const Value& record,
                                                              Diagnostics& diagnostics) const {
  return FlowScalarBuilder(*this, model, record, diagnostics).build();
}

}  // namespace invar
