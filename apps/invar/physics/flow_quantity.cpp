#include "apps/invar/physics/flow_model.hpp"
#include "apps/invar/problem/build_initial.hpp"
#include "apps/invar/problem/quantity_builder.hpp"
#include "apps/invar/problem/scalar_quantity.hpp"
#include "apps/invar/spec/number_text.hpp"
#include "libfem/design/field/density_forms.hpp"
#include "libfem/objective/mixing_norm.hpp"
#include "libfem/objective/quotient.hpp"
#include "libfem/objective/reaction.hpp"
#include "libfem/objective/sampled_displacement.hpp"
#include "libfem/objective/weighted_sum.hpp"
#include "libfem/space/expression.hpp"
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
    if (type == "pressure_drop") return pressure_drop();
    if (type == "mean_pressure") return mean_pressure();
    if (type == "dissipation" || type == "kinetic_energy") return over_fluids(type == "dissipation");
    if (type == "flow_rate") return flow_rate();
    if (type == "fluid_volume") return fluid_volume();
    if (type == "field_size") return build_initial_penalty(model_, record_["variable"], NodalPenalty::Of::size, diagnostics_);
    if (type == "mean_scalar" || type == "scalar_flow" || type == "unmixedness") return of_scalar(type);
    if (type == "pressure_field") return pressure_field();
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
  // What the fluid does to the wall is the opposite of what acts on the fluid there, be it held or slip along.
  Scalar force() {
    const std::vector<double> scaled = direction_of(record_["direction"], -record_["coefficient"].number());
    if (scaled.empty() || !has_region(-1)) return nullptr;
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
    const FlowCase& flow = flow_;
    return std::make_shared<Quotient>(integral(make_pressure_integral(flow.kind, flow.discretisation, facets())),
                                      integral(make_flow_area(flow.kind, facets())));
  }
  Scalar flow_rate() {
    return has_region(dim_ - 1) ? integral(make_flow_rate(flow_.kind, facets())) : nullptr;
  }
  Scalar of_scalar(const std::string& type) {
    if (model_.scalar_component() < 0) {
      diagnostics_.error(record_.position, record_.yaml_path, "this flow carries no scalar", "set 'scalar: true' in 'physics'");
      return nullptr;
    }
    const FlowKind kind = flow_.kind;
    if (type == "scalar_flow") return has_region(dim_ - 1) ? integral(make_scalar_outflow(kind, facets())) : nullptr;
    const std::string region = record_["region"].text();
    if (region != "all" && !has_region(dim_)) return nullptr;
    const Scalar amount = type == "mean_scalar"
                              ? integral(make_scalar_content(kind, cells()))
                              : std::make_shared<MixingNorm>(model_.residual, model_.scalar_component(), region == "all" ? "" : region,
                                                             record_["length"].number(), model_.axisymmetric());
    return std::make_shared<Quotient>(amount, integral(make_flow_volume(kind, cells())));
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
  /// ½ ∫ (p − p̂)² over facets.
  Scalar pressure_field() {
    if (!has_region(dim_ - 1)) return nullptr;
    const FlowCase& flow = flow_;
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

  const FlowCase& flow_;
};

}  // namespace

std::optional<std::shared_ptr<Observable>> FlowCase::quantity(CaseModel& model, const Value& record,
                                                              Diagnostics& diagnostics) const {
  return FlowScalarBuilder(*this, model, record, diagnostics).build();
}

}  // namespace invar
