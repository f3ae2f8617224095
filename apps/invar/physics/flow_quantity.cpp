#include "apps/invar/physics/flow_model.hpp"
#include "apps/invar/physics/term_table.hpp"
#include "apps/invar/problem/quantity_builder.hpp"
#include "apps/invar/problem/scalar_quantity.hpp"
#include "libadjoint/number_text.hpp"
#include "libfem/design/field/density_forms.hpp"
#include "libfem/objective/mixing_norm.hpp"
#include "libfem/objective/quotient.hpp"
#include "libfem/objective/reaction.hpp"
#include "libfem/objective/sampled_displacement.hpp"
#include "libfem/objective/weighted_sum.hpp"
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

std::optional<std::shared_ptr<Observable>> FlowCase::quantity(CaseModel& model, const Value& record,
                                                              Diagnostics& diagnostics) const {
  return FlowScalarBuilder(*this, model, record, diagnostics).build();
}

}  // namespace invar
