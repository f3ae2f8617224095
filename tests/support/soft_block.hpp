#pragma once
#include <array>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "libfem/form/form_residual.hpp"
#include "libfem/form/row_map.hpp"
#include "libfem/mesh/boxes.hpp"
#include "libfem/mesh/distribute.hpp"
#include "libfem/mesh/mark_cells.hpp"
#include "libfem/mesh/region_flags.hpp"
#include "libfem/solid/material_library.hpp"
#include "libfem/solid/solid_forms.hpp"
#include "libfluid/flow/unsteady_forms.hpp"
#include "libfluid/fsi/fsi_forms.hpp"
#include "libfluid/fsi/interaction_fields.hpp"
#include "libfluid/fsi/still_nodes.hpp"
#include "libfluid/mesh_motion/mesh_motion_form.hpp"

namespace invar {

struct SoftBlockOptions {
  std::array<int, 3> cells = {15, 4, 4};  // of six tetrahedra
  double depth = 1;                       // m
  double young = 60;                      // Pa
  double density = 1;                     // of the block, kg/m³
};

/// Fluid–structure interaction in space: a channel of 3 × 1 × depth m with a soft block, 1 < x < 1.4, y < 1/2, z < depth/2, on its floor.
/// Density 1 kg/m³ and viscosity 0.02 Pa s of the fluid.
inline std::shared_ptr<FormResidual> soft_block(const SoftBlockOptions& o) {
  const std::vector<int> v{0, 1, 2}, d{3, 4, 5}, v_d{0, 1, 2, 3, 4, 5}, v_p_d{0, 1, 2, 6, 3, 4, 5};
  Mesh serial = make_box({0, 0, 0}, {3, 1, o.depth}, o.cells, Shape::tetrahedron, 2);
  const auto inside = [&](double x, double y, double z) { return x > 1 && x < 1.4 && y < 0.5 && z < 0.5 * o.depth; };
  mark_cells(serial, "block", inside);
  mark_cells(serial, "water", [&](double x, double y, double z) { return !inside(x, y, z); });
  auto mesh = std::make_shared<const Mesh>(distribute(serial, PETSC_COMM_WORLD));
  std::vector<Component> components;
  for (const char* name : {"v_x", "v_y", "v_z", "d_x", "d_y", "d_z"}) components.push_back({name, 2});
  components.push_back({"p", 1, "water"});
  auto dofs = std::make_shared<const DofMap>(mesh, components, PETSC_COMM_WORLD);
  auto r = std::make_shared<FormResidual>(dofs);
  const auto number = [&](const char* name, double value) { return ControlledValue{r->add_control({name, ""}, {value}), {}}; };
  const auto cells = [&](const char* region, std::vector<int> of) { return CellBatches::on_cells(dofs, region, 4, std::move(of)); };
  const ControlledValue zero = number("zero", 0), density = number("density", 1), stiffness = number("young", o.young);
  const FlowKind kind = FlowKind::spatial;
  r->add_form(make_moving_navier_stokes(kind, FlowDiscretisation::taylor_hood, {.law = {}, .stress_form = true}, cells("water", v_p_d)),
              {density, number("viscosity", 0.02), zero, zero, zero, zero});
  r->add_form(make_moving_inertia(kind, cells("water", v_d)), {density});
  r->add_form(std::make_unique<RowMapped>(make_displacement_form(SolidKind::spatial, make_material({"neo_hookean"}), cells("block", d)), dofs,
                                          map_rows(*dofs, d, v)),
              {stiffness, number("poisson", 0.4)});
  r->add_form(make_flow_inertia(kind, cells("block", v)), {number("density of the block", o.density)});
  r->add_form(make_body_velocity(kind, cells("block", v_d)), {stiffness});
  std::vector<double> of_cells = mesh_stiffness(*mesh, PETSC_COMM_WORLD, 1);
  for (double& c : of_cells) c *= o.young;
  const int control = r->add_control({"mesh", "Pa", ControlLayout::cells}, std::move(of_cells));
  r->add_form(std::make_unique<RowMapped>(make_mesh_elasticity(3, cells("water", d)), dofs,
                                          select_rows(*dofs, {.regions = {"block"}, .outside = true, .components = d})),
              {{control, {}}, number("bulk", 2)});
  for (const int c : d) r->add_dirichlet({.region = {}, .component = c, .value = zero, .nodes = still_nodes(*dofs, "water", {"block"}, {})});
  for (const char* wall : {"left", "top", "bottom", "back", "front"})
    for (const int c : v) r->add_dirichlet({wall, c, zero});
  for (const char* wall : {"bottom", "back"})
    for (const int c : d) r->add_dirichlet({wall, c, zero});
  r->set_coupled_fields(interaction_fields(*dofs, v, 6, d, {"block"}));
  r->finish();
  return r;
}

/// Flow along the channel at about 1 m/s, and a displacement of 0.05 m at most; of_rate: their rates.
inline VecHandle state_of_soft_block(const FormResidual& r, double depth, bool of_rate) {
  const DofMap& dofs = r.dofs();
  const std::vector<char> in_block = nodes_in(dofs.mesh(), {"block"});
  VecHandle u = r.create_vector();
  double* a;
  check(VecGetArray(u, &a));
  for (int node = 0; node < dofs.mesh().n_owned_nodes; ++node) {
    const double* x = &dofs.mesh().coordinates[3 * node];
    const double z = x[2] / depth, profile = 16 * x[1] * (1 - x[1]) * z * (1 - z), bump = profile * std::sin(std::numbers::pi * x[0] / 3);
    if (of_rate) {
      a[dofs.dof(node, 3)] = 0.2 * bump;
      continue;
    }
    if (!in_block[node]) a[dofs.dof(node, 0)] = profile;
    a[dofs.dof(node, 3)] = 0.05 * bump;
    a[dofs.dof(node, 4)] = -0.02 * bump;
  }
  check(VecRestoreArray(u, &a));
  return u;
}

/// The equation at that state, and what ∂r/∂u consists of in a step of BDF2 of 0.02 s.
struct SoftBlockStep {
  explicit SoftBlockStep(const SoftBlockOptions& o)
      : residual(soft_block(o)), value(state_of_soft_block(*residual, o.depth, false)), rate(state_of_soft_block(*residual, o.depth, true)), state(value) {
    state.levels[Level::rate] = rate;
    weights[Level::value] = 1, weights[Level::rate] = 75;
  }
  /// Assembles the matrix.
  Mat matrix() {
    residual->jacobian({state, residual->given()}, weights);
    return residual->matrix();
  }
  std::shared_ptr<FormResidual> residual;
  VecHandle value, rate;
  State state;
  PerLevel<double> weights;
};

}  // namespace invar
