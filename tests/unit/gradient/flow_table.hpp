#pragma once
#include <string>
#include <vector>

#include "libfem/objective/extreme_position.hpp"
#include "libfem/objective/form_value.hpp"
#include "libfem/objective/function_of.hpp"
#include "libfem/objective/mixing_norm.hpp"
#include "libfem/objective/node_distance.hpp"
#include "libfem/objective/number_value.hpp"
#include "libfem/objective/quotient.hpp"
#include "libfem/objective/reaction.hpp"
#include "libfem/objective/surface_point.hpp"
#include "libfem/objective/sampled_displacement.hpp"
#include "libfem/objective/weighted_sum.hpp"
#include "libfem/objective/without_modes.hpp"
#include "libfluid/objective/aerodynamic_coefficients.hpp"
#include "libfluid/objective/wall_zero.hpp"
#include "tests/unit/gradient/flow_gradient_problem.hpp"

namespace invar::gradient_test {

/// Every discretisation of every kind of flow, and every term of the equation and of the boundary.
inline std::vector<FlowSpec> all_flow_specs() {
  constexpr auto equal = FlowDiscretisation::equal_order;
  constexpr CellType tri6{Shape::triangle, 2}, quad9{Shape::quadrilateral, 2}, tet10{Shape::tetrahedron, 2},
      hex27{Shape::hexahedron, 2}, tri3{Shape::triangle, 1}, quad4{Shape::quadrilateral, 1},
      tet4{Shape::tetrahedron, 1}, hex8{Shape::hexahedron, 1};
  const std::vector<double> steps{0.6, 1.0};
  return {
      {.name = "tri6", .cell = tri6, .times = steps},
      {.name = "quad9", .cell = quad9},
      {.name = "tet10", .kind = FlowKind::spatial, .cell = tet10},
      {.name = "hex27", .kind = FlowKind::spatial, .cell = hex27, .stress_form = true, .slip = true},
      {.name = "tri3", .discretisation = equal, .cell = tri3},
      {.name = "quad4", .discretisation = equal, .cell = quad4, .times = steps},
      {.name = "tet4", .kind = FlowKind::spatial, .discretisation = equal, .cell = tet4, .slip = true},
      {.name = "hex8", .kind = FlowKind::spatial, .discretisation = equal, .cell = hex8, .law = "carreau"},
      {.name = "axisymmetric_tri6", .kind = FlowKind::axisymmetric, .cell = tri6},
      {.name = "axisymmetric_quad9", .kind = FlowKind::axisymmetric, .cell = quad9, .slip = true, .backflow = true},
      {.name = "axisymmetric_tri3", .kind = FlowKind::axisymmetric, .discretisation = equal, .cell = tri3,
       .stress_form = true},
      {.name = "axisymmetric_carreau", .kind = FlowKind::axisymmetric, .cell = quad9, .law = "carreau", .fields = true},
      {.name = "carreau", .cell = tri6, .law = "carreau", .stress_form = true},
      {.name = "power_law", .cell = quad9, .law = "power_law", .times = steps},
      {.name = "power_law_quad4", .discretisation = equal, .cell = quad4, .law = "power_law", .stress_form = true},
      {.name = "creeping", .cell = quad9, .convection = false},
      {.name = "creeping_tri3", .discretisation = equal, .cell = tri3, .convection = false, .slip = true},
      {.name = "slip", .cell = tri6, .stress_form = true, .slip = true},
      {.name = "backflow", .cell = tri6, .backflow = true, .times = steps},
      {.name = "backflow_quad4", .discretisation = equal, .cell = quad4, .slip = true, .backflow = true},
      {.name = "fields", .cell = tri6, .fields = true, .times = steps},
      {.name = "fields_tri3", .discretisation = equal, .cell = tri3, .fields = true},
      {.name = "fields_tet10", .kind = FlowKind::spatial, .cell = tet10, .fields = true},
      {.name = "grad_div_tet10", .kind = FlowKind::spatial, .cell = tet10, .grad_div = 0.3},
      {.name = "grad_div_axisymmetric", .kind = FlowKind::axisymmetric, .cell = tri6, .law = "carreau", .grad_div = 0.3},
      {.name = "turbulent_tri3", .discretisation = equal, .cell = tri3, .stress_form = true, .turbulent = true},
      {.name = "turbulent_quad4", .discretisation = equal, .cell = quad4, .stress_form = true, .fields = true, .turbulent = true, .capturing = 0.7, .times = steps},
      {.name = "turbulent_axisymmetric", .kind = FlowKind::axisymmetric, .discretisation = equal, .cell = tri3, .stress_form = true, .turbulent = true,
       .capturing = 0.5},
      {.name = "turbulent_tet4", .kind = FlowKind::spatial, .discretisation = equal, .cell = tet4, .stress_form = true, .turbulent = true},
      {.name = "scalar_tet10", .kind = FlowKind::spatial, .cell = tet10, .scalar = true},
      {.name = "scalar_axisymmetric", .kind = FlowKind::axisymmetric, .cell = quad9, .law = "carreau", .scalar = true},
      {.name = "scalar_tri6", .cell = tri6, .scalar = true, .times = steps},
  };
}

/// A quantity that a flow is designed for.
struct FlowObjective {
  std::string name, factory;  // of libfluid/objective, or class or factory of libfem/objective
  std::shared_ptr<Observable> (*make)(const FlowGradientProblem&);
  bool of_shape_alone = false, of_scalar = false;

  bool applies(const FlowSpec& s) const { return !of_scalar || s.scalar; }
};

/// The integral of one of the problem's functionals.
inline std::shared_ptr<Observable> integral_of(const FlowGradientProblem& p, const std::string& factory) {
  std::vector<double> factors(p.residual->form_count(), 0.0);
  factors[p.functionals.at(factory)] = 1;
  return std::make_shared<FormValue>(p.residual, factors);
}

inline std::shared_ptr<Observable> force_of(const FlowGradientProblem& p) {
  std::vector<double> direction{-1.0, 0.4, -0.7};
  direction.resize(p.mesh->dim);
  return Reaction::force(p.residual, "body", direction);
}

/// The free stream is what the inlet prescribes; spatial ones are held along z by another number.
inline FreeStream stream_of(const FlowGradientProblem& p) {
  const auto number = [&](const std::string& name) -> std::shared_ptr<Observable> {
    const auto& controls = p.residual->controls();
    for (std::size_t k = 0; k < controls.size(); ++k)
      if (controls[k].name == name) return std::make_shared<NumberValue>(p.residual, static_cast<int>(k));
    throw std::logic_error("no control '" + name + "'");
  };
  FreeStream stream{number("total.density"), {}};
  for (int i = 0; i < p.mesh->dim; ++i) stream.velocity.push_back(number("inlet." + std::to_string(i)));
  return stream;
}

/// On the body, along each axis.
inline std::vector<std::shared_ptr<Observable>> forces_of(const FlowGradientProblem& p) {
  std::vector<std::shared_ptr<Observable>> forces;
  for (int i = 0; i < p.mesh->dim; ++i) {
    std::vector<double> direction(p.mesh->dim, 0.0);
    direction[i] = -1;
    forces.push_back(Reaction::force(p.residual, "body", direction, Reaction::Of::surface));
  }
  return forces;
}

/// Pressures before and behind the body, and a velocity.
inline std::shared_ptr<Observable> point_values_of(const FlowGradientProblem& p) {
  const int dim = p.mesh->dim;
  std::vector<double> distance, front{1.2, 0.6}, back{dim == 3 ? 1.5 : 2.4, 0.7};
  if (dim == 3) front.push_back(0.4), back.push_back(0.5);
  return make_point_samples(p.dofs, {{front, dim}, {back, dim}, {back, 0}}, distance);
}

inline const std::vector<FlowObjective>& all_flow_objectives() {
  using P = FlowGradientProblem;
  static const std::vector<FlowObjective> objectives{
      {"force", "Reaction::force", &force_of},
      {"force_on_floor", "Reaction::force",  // which meets the inlet
       [](const P& p) -> std::shared_ptr<Observable> {
         std::vector<double> direction{0.8, 0.3, -0.5};
         direction.resize(p.mesh->dim);
         return Reaction::force(p.residual, "floor", direction);
       }},
      {"force_on_lid", "Reaction::force",  // which may slip
       [](const P& p) -> std::shared_ptr<Observable> {
         std::vector<double> direction{0.7, -0.4, 0.6};
         direction.resize(p.mesh->dim);
         return Reaction::force(p.residual, "lid", direction, Reaction::Of::surface);
       }},
      {"moment_of_inlet", "Reaction::moment",
       [](const P& p) -> std::shared_ptr<Observable> {
         return Reaction::moment(p.residual, "inlet", {1.1, 0.4, 0.2}, {0.4, -0.3, 0.7});
       }},
      {"moment", "Reaction::moment",
       [](const P& p) -> std::shared_ptr<Observable> {
         return Reaction::moment(p.residual, "body", {1.6, 0.5, 0.1}, {0.3, 0.5, 0.8});
       }},
      {"point_values", "make_point_samples", &point_values_of},
      {"pressure_drop", "WeightedSum",
       [](const P& p) -> std::shared_ptr<Observable> {
         return std::make_shared<WeightedSum>(point_values_of(p), std::vector<double>{1, -1, 0});
       }},
      {"point_values_without_a_mode", "WithoutModes",
       [](const P& p) -> std::shared_ptr<Observable> {
         return std::make_shared<WithoutModes>(point_values_of(p), std::vector<std::vector<double>>{{1, -0.6, 0.3}}, std::vector<double>{0.7, 1.1, 0.4});
       }},
      {"force_by_power", "FunctionOf",
       [](const P& p) -> std::shared_ptr<Observable> {
         return make_quotient(force_of(p), integral_of(p, "make_dissipation"));
       }},
      {"drag_coefficient", "FunctionOf", [](const P& p) { return make_drag_coefficient(forces_of(p), stream_of(p), 0.7); }},
      {"lift_coefficient", "FunctionOf",
       [](const P& p) { return make_lift_coefficient(forces_of(p), stream_of(p), 0.7, {0.1, -0.2, 0.9}); }},
      {"moment_coefficient", "FunctionOf",
       [](const P& p) {
         return make_moment_coefficient(Reaction::moment(p.residual, "body", {1.6, 0.5, 0.1}, {0.3, 0.5, 0.8}), stream_of(p), 0.7, 0.9);
       }},
      {"total_pressure", "FunctionOf",
       [](const P& p) -> std::shared_ptr<Observable> {
         return make_quotient(integral_of(p, "make_total_pressure_flux"), integral_of(p, "make_flow_rate"));
       }},
      {"pressure_force", "make_pressure_force", [](const P& p) { return integral_of(p, "make_pressure_force"); }},
      {"transposed_shear", "make_transposed_shear_work", [](const P& p) { return integral_of(p, "make_transposed_shear_work"); }},
      {"pressure_moment", "make_pressure_moment", [](const P& p) { return integral_of(p, "make_pressure_moment"); }},
      {"total_pressure_flux", "make_total_pressure_flux", [](const P& p) { return integral_of(p, "make_total_pressure_flux"); }},
      {"distance", "NodeDistance",
       [](const P& p) -> std::shared_ptr<Observable> {
         std::array<double, 2> offsets;
         const bool spatial = p.mesh->dim == 3;
         const std::vector<double> body = spatial ? std::vector{1.0, 0.05, 0.4} : std::vector{1.46, 0.53},
                                   lid = spatial ? std::vector{1.2, 1.1, 0.5} : std::vector{1.8, 1.4};
         return std::make_shared<NodeDistance>(p.residual, std::array{body, lid}, offsets);
       },
       true},
      {"thickness", "PointPlace",
       [](const P& p) -> std::shared_ptr<Observable> {
         if (p.mesh->dim == 3) return std::make_shared<PointPlace>(p.residual, foremost(*p.mesh, "body"), 1);
         const std::vector<SurfacePoint> cut = cut_at(*p.mesh, "body", 1.62);
         return make_point_distance(p.residual, {cut.front(), cut.back()});
       },
       true},
      {"nose_radius", "PointPlace",
       [](const P& p) -> std::shared_ptr<Observable> {
         if (p.mesh->dim == 3) return std::make_shared<PointPlace>(p.residual, foremost(*p.mesh, "body"), 0);
         const std::vector<SurfacePoint> cut = cut_at(*p.mesh, "body", 1.62);
         return make_circle_radius(p.residual, {cut.front(), foremost(*p.mesh, "body"), cut.back()});
       },
       true},
      {"foremost", "ExtremePosition",
       [](const P& p) -> std::shared_ptr<Observable> {
         return std::make_shared<ExtremePosition>(p.residual, "body", 0, ExtremePosition::Kind::least, 20);
       },
       true},
      {"highest", "ExtremePosition",
       [](const P& p) -> std::shared_ptr<Observable> {
         return std::make_shared<ExtremePosition>(p.residual, "body", 1, ExtremePosition::Kind::greatest, 20);
       },
       true},
      {"centroid", "FunctionOf",
       [](const P& p) -> std::shared_ptr<Observable> {
         return make_quotient(integral_of(p, "make_enclosed_moment"), integral_of(p, "make_enclosed_volume"));
       },
       true},
      {"pressure_by_area", "FunctionOf",
       [](const P& p) -> std::shared_ptr<Observable> {
         return make_quotient(integral_of(p, "make_pressure_integral"), integral_of(p, "make_area"));
       }},
      {"velocity_field", "make_field_samples",
       [](const P& p) -> std::shared_ptr<Observable> {
         std::vector<double> targets;
         return make_field_samples(p.dofs, "", p.mesh->dim, 2, {0, 1}, [](int, const double*) { return 0.0; }, targets);
       }},
      {"dissipation", "make_dissipation", [](const P& p) { return integral_of(p, "make_dissipation"); }},
      {"kinetic_energy", "make_kinetic_energy", [](const P& p) { return integral_of(p, "make_kinetic_energy"); }},
      {"velocity_misfit", "make_velocity_misfit", [](const P& p) { return integral_of(p, "make_velocity_misfit"); }},
      {"scalar_content", "make_scalar_content", [](const P& p) { return integral_of(p, "make_scalar_content"); }, false, true},
      {"scalar_outflow", "make_scalar_outflow", [](const P& p) { return integral_of(p, "make_scalar_outflow"); }, false, true},
      {"mixing", "MixingNorm",
       [](const P& p) -> std::shared_ptr<Observable> {
         return std::make_shared<MixingNorm>(p.residual, p.mesh->dim + 1, "", 0.4, p.spec.kind == FlowKind::axisymmetric);
       },
       false, true},
      {"scalar_at_points", "make_point_samples",
       [](const P& p) -> std::shared_ptr<Observable> {
         const int c = p.mesh->dim + 1;
         std::vector<double> distance, above{1.3, 0.9}, behind{c == 4 ? 1.5 : 2.4, 0.7};
         if (c == 4) above.push_back(0.4), behind.push_back(0.5);
         return make_point_samples(p.dofs, {{above, c}, {behind, c}}, distance);
       },
       false, true},
      {"volume", "make_volume", [](const P& p) { return integral_of(p, "make_volume"); }, true},
      {"volume_moment", "make_volume_moment", [](const P& p) { return integral_of(p, "make_volume_moment"); }, true},
      {"enclosed_volume", "make_enclosed_volume", [](const P& p) { return integral_of(p, "make_enclosed_volume"); }, true},
      {"enclosed_moment", "make_enclosed_moment", [](const P& p) { return integral_of(p, "make_enclosed_moment"); }, true},
      {"flow_rate", "make_flow_rate", [](const P& p) { return integral_of(p, "make_flow_rate"); }},
      {"area", "make_area", [](const P& p) { return integral_of(p, "make_area"); }, true},
      {"mean_pressure", "make_pressure_integral", [](const P& p) { return integral_of(p, "make_pressure_integral"); }},
      {"pressure_misfit", "make_pressure_misfit", [](const P& p) { return integral_of(p, "make_pressure_misfit"); }},
      {"stagnation", "WallZero", [](const P& p) -> std::shared_ptr<Observable> {
         if (p.mesh->dim == 3) return std::make_shared<PointPlace>(p.residual, foremost(*p.mesh, "body"), 0);
         return std::make_shared<WallZero>(std::make_shared<WallPoints>(p.residual, p.spec.kind, "body"), 1, 0);
       }}};
  return objectives;
}

}  // namespace invar::gradient_test
