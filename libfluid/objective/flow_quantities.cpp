#include <algorithm>

#include "libadjoint/number_text.hpp"
#include "libfem/design/entry/design_case.hpp"
#include "libfem/design/field/density_forms.hpp"
#include "libfem/design/field/nodal_penalty.hpp"
#include "libfem/objective/function_of.hpp"
#include "libfem/objective/geometry_forms.hpp"
#include "libfem/objective/mixing_norm.hpp"
#include "libfem/objective/quotient.hpp"
#include "libfem/objective/sampled_displacement.hpp"
#include "libfem/objective/weighted_sum.hpp"
#include "libfluid/objective/flow_objectives.hpp"
#include "libfluid/objective/flow_quantity_entry.hpp"
#include "libfluid/objective/wall_zero.hpp"

namespace invar {
namespace {

using Scalar = std::shared_ptr<Observable>;

// ---- pressure -----------------------------------------------------------------------------------------

Scalar make_pressure_drop(const FlowQuantityCase& c, const EntryValues& v, EntryMistakes& mistakes) {
  std::vector<double> distance;
  Scalar pressures = make_point_samples(c.dofs, {{v.numbers("from"), c.pressure}, {v.numbers("to"), c.pressure}}, distance);
  for (int i = 0; i < 2; ++i)
    if (distance[i] > 0) {
      mistakes.add(i ? "to" : "from", "the point lies outside the mesh, by " + number_text(distance[i]) + " m");
      return nullptr;
    }
  return std::make_shared<WeightedSum>(pressures, std::vector<double>{1, -1});
}

FlowQuantity pressure_drop_quantity() {
  using enum EntryParameter::Kind;
  return {.name = "pressure_drop",
          .doc = "Flow: pressure difference of two points.",
          .parameters = {{.key = "from", .kind = point, .unit = "m", .doc = "point of the positive pressure"},
                         {.key = "to", .kind = point, .unit = "m", .doc = "point of the subtracted pressure"}},
          .make = &make_pressure_drop};
}

Scalar make_total_pressure_loss(const FlowQuantityCase& c, const EntryValues& v, EntryMistakes& mistakes) {
  const int density = density_of(c, "total_pressure_loss", mistakes);
  if (density < 0) return nullptr;
  std::array<Scalar, 4> through;
  for (int i = 0; i < 2; ++i) {
    const auto end = [&] { return c.facets(v.text(i ? "to" : "from"), c.facet_degree); };
    through[2 * i] = c.integral(make_total_pressure_flux(c.kind, c.discretisation, end()), {{density, {}}});
    through[2 * i + 1] = c.integral(make_flow_rate(c.kind, end()));
  }
  return FunctionOf::make<4>(through, [factor = v.number("coefficient")](const auto& a) { return factor * (a[0] / a[1] - a[2] / a[3]); });
}

FlowQuantity total_pressure_loss_quantity() {
  using enum EntryParameter::Kind;
  return {.name = "total_pressure_loss",
          .doc = "Flow: p + ρ/2 |u|², mass-flow average over one boundary minus that over another; without a value where nothing flows.",
          .parameters = {{.key = "from", .kind = facet_region, .doc = "upstream facet region"},
                         {.key = "to", .kind = facet_region, .doc = "downstream facet region"},
                         {.key = "coefficient", .doc = "factor of the loss, e.g. 2/(ρ U²)", .default_value = std::vector{1.0}}},
          .make = &make_total_pressure_loss};
}

// ---- sums over the fluids -----------------------------------------------------------------------------

Scalar make_dissipation_quantity(const FlowQuantityCase& c, const EntryValues&, EntryMistakes&) {
  std::vector<int> forms;
  for (const FlowQuantityCase::Fluid& fluid : c.fluids) {
    std::vector<ControlledValue> values = fluid.law_parameters;
    values.push_back(fluid.resistance);
    if (fluid.eddy_damping) values.push_back(*fluid.eddy_damping);
    forms.push_back(c.residual->add_functional(make_dissipation(c.kind, fluid.law, c.cells(fluid.region, std::max(4, c.degree)), fluid.eddy_damping.has_value()), values));
  }
  return c.sum_of(forms);
}

Scalar make_kinetic(const FlowQuantityCase& c, const EntryValues&, EntryMistakes&) {
  std::vector<int> forms;
  for (const FlowQuantityCase::Fluid& fluid : c.fluids)
    forms.push_back(c.residual->add_functional(make_kinetic_energy(c.kind, c.cells(fluid.region, std::max(4, c.degree))), {fluid.density}));
  return c.sum_of(forms);
}

Scalar make_fluid_volume(const FlowQuantityCase& c, const EntryValues&, EntryMistakes& mistakes) {
  if (c.density_field < 0) {
    mistakes.add("", "'fluid_volume' needs a density in 'design'", "for the volume of the mesh use 'volume'");
    return nullptr;
  }
  return c.integral(make_coefficient_integral(c.dim(), c.axisymmetric, c.cells("all", 4)), {{c.density_field, {}}});
}

// ---- walls --------------------------------------------------------------------------------------------

Scalar make_shear_zero(const FlowQuantityCase& c, const EntryValues& v, EntryMistakes& mistakes) {
  if (c.dim() == 3) {
    mistakes.add("", "'shear_zero' is for 2-D flow: in 3-D the shear along a wall has no sign");
    return nullptr;
  }
  const std::optional<int> number = v.text("which") == "last" ? std::nullopt : std::optional(v.integer("number") - 1);
  return std::make_shared<WallZero>(std::make_shared<WallPoints>(c.residual, c.kind, v.text("region")), v.text("give") == "y", number);
}

FlowQuantity shear_zero_quantity() {
  using enum EntryParameter::Kind;
  return {.name = "shear_zero",
          .doc = "2-D flow: a coordinate of a separation or reattachment point, where the wall shear changes its sign; not a number if there is none. It is that of 'wall_shear' with 'kind: zero', with its derivative.",
          .parameters = {{.key = "region", .kind = facet_region, .doc = "facet region"},
                         {.key = "which", .kind = word, .doc = "which of several points", .default_text = "number", .words = {{"number", "the one with 'number'"}, {"last", "the last one along the wall"}}},
                         {.key = "number", .kind = integer, .doc = "counted along the wall from the end where x is least", .default_value = std::vector{1.0}, .lower = 1},
                         {.key = "give", .kind = word, .doc = "coordinate", .default_text = "x", .words = {{"x", "coordinate of the point"}, {"y", "likewise"}}}},
          .make = &make_shear_zero};
}

// ---- the scalar, and designed fields -----------------------------------------------------------------

Scalar make_unmixedness(const FlowQuantityCase& c, const EntryValues& v, EntryMistakes& mistakes) {
  if (c.scalar < 0) {
    mistakes.add("", "this flow has no passive scalar", "set 'scalar: true' in 'physics'");
    return nullptr;
  }
  const std::string& region = v.text("region");
  Scalar amount = std::make_shared<MixingNorm>(c.residual, c.scalar, region == "all" ? "" : region, v.number("length"), c.axisymmetric);
  return make_quotient(std::move(amount), c.integral(make_volume(c.axisymmetric, c.cells(region))));
}

FlowQuantity unmixedness_quantity() {
  return {.name = "unmixedness",
          .doc = "Flow with a passive scalar: the average over cells of c' φ, where c' is the deviation from the mean and φ - l^2 Δφ = c' with zero flux through the boundary: the square of a mixing norm of H^-1 type, in the unit of c^2 (Mathew, Mezic, Petzold, Physica D 211, 2005). The weight at the wave number k is 1/(1 + l^2 k^2), so that stirring reduces it even without diffusion.",
          .parameters = {{.key = "length", .unit = "m", .doc = "l: structures finer than l count as mixed; 0: the variance", .lower = 0},
                         {.key = "region", .kind = EntryParameter::Kind::cell_region, .doc = "cell region, or 'all'", .default_text = "all"}},
          .make = &make_unmixedness};
}

Scalar make_field_size(const FlowQuantityCase& c, const EntryValues& v, EntryMistakes& mistakes) {
  const int control = DesignCase::find_control(*c.residual, v.text("variable"));
  if (control >= 0) return std::make_shared<NodalPenalty>(c.residual, control, NodalPenalty::Of::size, c.axisymmetric);
  mistakes.add("variable", "the initial velocity is not designed as a field", "add '- {kind: initial_field}' to 'design'");
  return nullptr;
}

FlowQuantity field_size_quantity() {
  return {.name = "field_size",
          .doc = "½ ∫ |w|² of the source w of a designed initial velocity u, (1 − l² Δ) u + ∇p = w: a regularisation, the prior for which w is white noise.",
          .parameters = {{.key = "variable",
                          .kind = EntryParameter::Kind::word,
                          .doc = "which field",
                          .default_text = initial_source,
                          .words = {{initial_source, "w"}, {initial_velocity, "the velocity u"}}}},
          .make = &make_field_size};
}

}  // namespace

std::span<const FlowQuantity> flow_quantities() {
  static const FlowQuantity entries[] = {
      force_quantity(),
      moment_quantity(),
      pressure_drop_quantity(),
      {.name = "dissipation",
       .doc = "Flow: power dissipated in the fluid and in porous bodies; of turbulent flow what the mean flow loses, with the eddy viscosity.",
       .make = &make_dissipation_quantity},
      {.name = "kinetic_energy", .doc = "∫ ρ/2 |v|², v the velocity, with the densities of materials (not with the load `mass` or masses of `rigid` parts); of solids in time.", .make = &make_kinetic},
      {.name = "fluid_volume",
       .doc = "Volume of the fluid in the region of a designed density; per unit depth in the plane.",
       .make = &make_fluid_volume},
      field_size_quantity(),
      unmixedness_quantity(),
      total_pressure_loss_quantity(),
      shear_zero_quantity(),
      drag_coefficient_quantity(),
      lift_coefficient_quantity(),
      moment_coefficient_quantity(),
  };
  return entries;
}

std::span<const DataEntry<QuantityCase>> flow_data() {
  static const DataEntry<QuantityCase> entries[] = {
      field_data("velocity_field", "Flow: ∫ |u − û|² over a region against formulas (root-mean-square weighted); axisymmetric: over the section, without 2πr."),
  };
  return entries;
}

}  // namespace invar
