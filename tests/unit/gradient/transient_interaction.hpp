#pragma once
#include "libfem/form/row_map.hpp"
#include "libfem/mesh/boxes.hpp"
#include "libfem/mesh/mark_cells.hpp"
#include "libfem/mesh/mark_interface.hpp"
#include "libfem/mesh/second_order.hpp"
#include "libfem/objective/quotient.hpp"
#include "libfem/objective/reaction.hpp"
#include "libfem/solid/material_library.hpp"
#include "libfem/solid/memory_forms.hpp"
#include "libfem/solid/solid_forms.hpp"
#include "libfluid/flow/flow_law_library.hpp"
#include "libfluid/flow/unsteady_forms.hpp"
#include "libfluid/fsi/fsi_forms.hpp"
#include "libfluid/fsi/with_wall_distance.hpp"
#include "libfluid/mesh_motion/mesh_motion_form.hpp"
#include "libfluid/turbulence/spalart_allmaras_terms.hpp"
#include "tests/unit/gradient/transient_problem.hpp"

namespace invar::gradient_test {

/// A soft flap on the floor of a channel in a planar flow, whose mesh follows it.
struct TransientInteractionSpec {
  std::string name;
  TimeScheme::Kind scheme;
  double rho = 0.5;
  double flap_density = 1.5;  // of that of the fluid, 1.2
  bool coordinates = false;   // every node's are designed, also those of the flap
  bool relaxes = false;       // the flap has a Maxwell element
  bool stabilised = false;    // elements of equal order
  bool scalar = false;        // the fluid carries one
  bool turbulent = false;     // Spalart–Allmaras, with distances from the bottom and from the flap, which moves; equal order
  std::vector<double> times{0, 0.1, 0.2, 0.28, 0.38};
};

class TransientInteractionBuilder : TransientBuilder {
 public:
  TransientInteractionBuilder(const TransientInteractionSpec& s, MPI_Comm comm, int turn)
      : TransientBuilder(s.name, TimeScheme(s.scheme, 1, s.rho), s.times, channel(s), components(s), comm, turn, {}, {"wet"}),
        s_(s) {}

  TransientProblem build() {
    if (s_.coordinates) p_.fields.push_back(r().add_coordinates());
    r().set_algebraic({4});
    add_fluid();
    if (s_.scalar) add_scalar();
    if (s_.turbulent) add_turbulence();
    add_flap();
    add_boundary();
    for (const int c : v_) begin(Level::value, "", c, number("velocity." + std::to_string(c), 0.2 - 0.15 * c, -INFINITY, [](const double* x, double) { return 1 + x[1]; }));
    add_quantities();
    return finish();
  }

 private:
  static std::vector<Component> components(const TransientInteractionSpec& s) {
    const int order = s.stabilised ? 1 : 2;
    std::vector<Component> all{{"v_x", order}, {"v_y", order}, {"d_x", order}, {"d_y", order}, {"p", 1, "water"}};
    if (s.scalar) all.push_back({"c", 1, "water"});
    if (s.turbulent) all.push_back({"chi", 1, "water"});
    return all;
  }
  static Mesh channel(const TransientInteractionSpec& s) {
    const int order = s.stabilised ? 1 : 2;
    Mesh mesh = make_rectangle(0, 0, 1.6, 0.9, 8 / order, 6 / order, Shape::triangle);
    const auto in_flap = [](double x, double y, double) { return x > 0.4 && x < 0.8 && y < 0.6; };
    mark_cells(mesh, "flap", in_flap);
    mark_cells(mesh, "water", [=](double x, double y, double z) { return !in_flap(x, y, z); });
    if (s.turbulent) mark_interface(mesh, "wet", "water");
    if (order == 2) mesh = to_second_order(mesh);
    for (std::size_t n = 0; n < mesh.coordinates.size(); n += 2)
      mesh.coordinates[n + 1] += 0.1 * mesh.coordinates[n + 1] * (1.2 - mesh.coordinates[n + 1] / 0.9) * std::sin(2 * std::numbers::pi * mesh.coordinates[n] / 1.6);
    return mesh;
  }
  CellBatches cells(const char* region, std::vector<int> components) const { return CellBatches::on_cells(p_.dofs, region, 5, std::move(components)); }

  void add_fluid() {
    const ControlledValue density = number("density", 1.2, 0);
    const ControlledValue viscosity = number("viscosity", 0.3, 0), resistance = number("resistance", 0.1, 0);
    const FlowModel model{.law = make_viscosity_law("newtonian"), .stress_form = true, .turbulent = s_.turbulent};
    const auto water = [&] { return cells("water", s_.turbulent ? v_p_c_d_ : std::vector{0, 1, 4, 2, 3}); };
    fluid_ = {density, viscosity, resistance};
    if (s_.turbulent)
      for (const ParamSpec& k : SpalartAllmarasConstants::parameters) turbulence_.push_back(number(std::string(k.key), *k.default_value, k.lower));
    std::vector<ControlledValue> of_flow{density, viscosity, number("force.0", 0.4), number("force.1", 0.2, -INFINITY, [](const double* x, double t) { return x[0] + t; }), resistance},
        of_inertia{density, viscosity, resistance};
    if (s_.turbulent)
      for (auto* all : {&of_flow, &of_inertia}) all->push_back(turbulence_[SpalartAllmarasConstants::cv1]);
    add("make_moving_navier_stokes", make_moving_navier_stokes(FlowKind::planar, s_.stabilised ? FlowDiscretisation::equal_order : FlowDiscretisation::taylor_hood, model, water()),
        of_flow);
    if (s_.stabilised) add("make_moving_stabilised_inertia", make_moving_stabilised_inertia(FlowKind::planar, model, water()), of_inertia);
    else add("make_moving_inertia", make_moving_inertia(FlowKind::planar, cells("water", {0, 1, 2, 3})), {density});
    energy_ = functional("make_moving_kinetic_energy", make_moving_kinetic_energy(FlowKind::planar, cells("water", {0, 1, 2, 3})), {density});
    add("make_moving_boundary", make_moving_boundary(FlowKind::planar, FlowBoundary::pressure, CellBatches::on_facets(p_.dofs, "right", 5, {0, 1, 2, 3})), {signal("outlet", 0.3)});
  }

  void add_scalar() {
    add("make_moving_scalar", make_moving_scalar(FlowKind::planar, cells("water", v_p_c_d_)),
        {number("diffusivity", 0.03, 0), number("source", 0.5, -INFINITY, [](const double* x, double t) { return x[1] + t; })});
    r().add_dirichlet({"left", 5, number("c at the inlet", 0.7, -INFINITY, [](const double* x, double t) { return x[1] + t * t; })});
    begin(Level::value, "water", 5, number("c at the start", 0.4, -INFINITY, [](const double* x, double) { return x[1]; }));
    const auto content = functional("make_moving_scalar_content", make_moving_scalar_content(FlowKind::planar, cells("water", v_p_c_d_)), {}),
               volume = functional("make_moving_volume", make_moving_volume(FlowKind::planar, cells("water", d_)), {});
    quantity("mean of the scalar", make_quotient(content, volume), {2, last()}, {"FunctionOf"});
    quantity("flow of the scalar", functional("make_moving_scalar_outflow", make_moving_scalar_outflow(FlowKind::planar, CellBatches::on_facets(p_.dofs, "right", 5, v_p_c_d_)), {}), {1, last()}, {"FormValue"});
    quantity("the scalar behind the flap", points({{{1.1, 0.3}, 5}}), all_steps(), {"LinearObservable", "make_point_samples"}, window());
  }

  /// As in turbulent flows of the matrix: both branches of the model occur.
  void add_turbulence() {
    std::vector<char> moving(p_.mesh->node_total(), 0);
    for (const int node : p_.mesh->find_region("wet")->nodes) moving[node] = 1;
    const auto walls = std::make_shared<MovedWalls>(p_.dofs, std::vector<std::string>{"bottom", "wet"}, d_);
    walls->set_moving(moving);
    std::vector<ControlledValue> values{fluid_[0], fluid_[1], number("production_multiplier", 1.1)};
    values.insert(values.end(), turbulence_.begin(), turbulence_.end());
    values.push_back(number("chi.source", 0.3, -INFINITY, [](const double* x, double t) { return t * (1 + x[0] * x[1]); }));
    const auto make = [](CellBatches part) { return make_moving_spalart_allmaras(FlowKind::planar, 0.7, std::move(part)); };
    add("make_moving_spalart_allmaras", std::make_unique<WithWallDistance>(make, cells("water", v_p_c_d_), WithWallDistance::Places{2, 3}, walls), values);
    r().add_dirichlet({"left", 5, signal("inlet.chi", 6, [](const double* x, double) { return 0.5 + x[1]; })});
    r().add_dirichlet({"top", 5, number("top.chi", 6)});
    r().add_dirichlet({"bottom", 5, number("bottom.chi", 0.3)});
    r().add_dirichlet({"wet", 5, number("wet.chi", -2)});
    begin(Level::value, "water", 5, number("chi", 3, -INFINITY, [](const double* x, double) { return 1 + x[0] * x[1]; }));
    const FlowModel model{.law = make_viscosity_law("newtonian"), .stress_form = true, .turbulent = true};
    quantity("dissipation", functional("make_moving_dissipation", make_moving_dissipation(FlowKind::planar, model, cells("water", v_p_c_d_)), {fluid_[1], fluid_[2], turbulence_[SpalartAllmarasConstants::cv1]}),
             {1, last()}, {"FormValue"});
    quantity("chi behind the flap", points({{{1.1, 0.3}, 5}}), all_steps(), {"LinearObservable", "make_point_samples"}, window());
  }

  void add_flap() {
    const auto in_rows_of_v = [&](std::unique_ptr<WeakForm> form) { return std::make_unique<RowMapped>(std::move(form), p_.dofs, map_rows(*p_.dofs, d_, v_)); };
    const ControlledValue young = number("young", 30, 0);
    add("make_displacement_form", in_rows_of_v(make_displacement_form(SolidKind::plane_strain, make_material({.name = "neo_hookean"}), cells("flap", d_))), {young, number("poisson", 0.3, 0)});
    if (s_.relaxes)
      add("make_maxwell_branches", in_rows_of_v(make_maxwell_branches(SolidKind::plane_strain, 1, cells("flap", d_))), {number("branch", 20, 0), number("time", 0.15, 0)});
    add("make_flow_inertia", make_flow_inertia(FlowKind::planar, cells("flap", v_)), {number("density of the flap", 1.2 * s_.flap_density, 0)});
    add("make_body_velocity", make_body_velocity(FlowKind::planar, cells("flap", {0, 1, 2, 3})), {young});
    add("make_mesh_elasticity", std::make_unique<RowMapped>(make_mesh_elasticity(2, cells("water", d_)), p_.dofs,
                                                           select_rows(*p_.dofs, {.regions = {"flap"}, .outside = true, .components = d_})), {young, number("bulk", 2, 0)});
  }

  void add_boundary() {
    r().add_dirichlet({"left", 0, signal("inflow", 1.5, [](const double* x, double t) { return (0.2 + t) * x[1] * (0.9 - x[1]); })});
    r().add_dirichlet({"left", 1, number("across", 0.05)});
    for (const char* wall : {"top", "bottom"})
      for (const int c : v_) r().add_dirichlet({wall, c, number(std::string(wall) + "." + std::to_string(c), 0.02 * (c + 1), -INFINITY, [](const double* x, double t) { return t * x[0] * (1.6 - x[0]); })});
    for (const char* still : {"left", "right", "top", "bottom"})
      for (const int c : d_) r().add_dirichlet({still, c, number(std::string(still) + "." + std::to_string(c), 0.01, -INFINITY, [](const double* x, double t) { return t * t * x[0] * (1.6 - x[0]) + 0.1 * t * t * t; })});
  }

  void add_quantities() {
    quantity("tip of the flap", points({{{0.6, 0.6}, 2}, {{0.6, 0.6}, 3}}), {2, last()}, {"LinearObservable", "make_point_samples"});
    quantity("speed of the tip", points({{{0.7, 0.6}, 0}}), all_steps(), {"LinearObservable", "make_point_samples"}, window());
    quantity("pressure", points({{{1.1, 0.3}, 4}}), {1, last()}, {"LinearObservable", "make_point_samples"});
    quantity("force on the top", Reaction::force(p_.residual, "top", {1, 0.4}), {1, last()}, {"Reaction", "Reaction::force"});
    quantity("kinetic energy of the fluid", energy_, {2, last()}, {"FormValue"});
    p_.tracked = points({{{1.2, 0.5}, 0}, {{0.6, 0.5}, 2}});
  }

  TransientInteractionSpec s_;
  const std::vector<int> v_{0, 1}, d_{2, 3}, v_p_c_d_{0, 1, 4, 5, 2, 3};  // c: the scalar, or χ
  std::vector<ControlledValue> fluid_, turbulence_;                      // density, viscosity, resistance; SpalartAllmarasConstants
  std::shared_ptr<Observable> energy_;
};

inline TransientProblem make_transient(const TransientInteractionSpec& s, MPI_Comm comm, int turn = 0) {
  return TransientInteractionBuilder(s, comm, turn).build();
}

}  // namespace invar::gradient_test
