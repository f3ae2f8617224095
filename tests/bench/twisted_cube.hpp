#pragma once
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "libfem/form/form_residual.hpp"
#include "libfem/mesh/boxes.hpp"
#include "libfem/mesh/distribute.hpp"
#include "libfem/mesh/read_gmsh.hpp"
#include "libfem/mesh/second_order.hpp"
#include "libfem/solid/material_library.hpp"
#include "libfem/solid/rigid_body_modes.hpp"
#include "libfem/solid/solid_forms.hpp"
#include "libfem/space/prolongation.hpp"

namespace invar {

/// Half the displacement of a turn by 60° about the axis through (·, 0.5, 0.5).
inline double half_twist(const double* x, int component) {
  const double c = 0.5, s = std::sqrt(3.0) / 2, y = x[1] - 0.5, z = x[2] - 0.5;
  if (component == 1) return 0.5 * (0.5 + y * c - z * s - x[1]);
  if (component == 2) return 0.5 * (0.5 + y * s + z * c - x[2]);
  return 0;
}

/// Case S1: a neo-Hookean cube, one face fixed, the opposite one twisted, under body force and traction.
struct TwistedCube {
  std::shared_ptr<const Mesh> mesh;
  std::shared_ptr<const DofMap> dofs;
  std::shared_ptr<FormResidual> residual;
  int young = -1;  // the control: one number, or one per cell

  /// path: a number n, the unit cube, or a beam of this length, of n bricks per unit with six tetrahedra each; else a Gmsh file. degree: of
  /// the quadrature of the stiffness.
  TwistedCube(const char* path, int order, int degree, double poisson, bool modulus_per_cell, MPI_Comm comm, int length = 1) {
    const int n = std::atoi(path);
    Mesh serial = n > 0 ? make_box({0, 0, 0}, {double(length), 1, 1}, {length * n, n, n}, Shape::tetrahedron) : read_gmsh(path);
    if (order == 2) serial = to_second_order(serial);
    mesh = std::make_shared<const Mesh>(distribute(serial, comm));
    dofs = std::make_shared<const DofMap>(mesh, std::vector<Component>{{"u_x", order}, {"u_y", order}, {"u_z", order}}, comm);
    residual = std::make_shared<FormResidual>(dofs);
    FormResidual& r = *residual;
    int n_cells = 0;
    for (const CellBlock& block : mesh->cells) n_cells += block.count();
    const auto number = [&](const char* name, double v) { return ControlledValue{r.add_control({name, ""}, {v}), {}}; };
    young = modulus_per_cell ? r.add_control({.name = "young", .layout = ControlLayout::cells}, std::vector<double>(n_cells, 10.0))
                             : r.add_control({"young", ""}, {10.0});
    r.add_form(make_displacement_form(SolidKind::spatial, make_material({"neo_hookean"}), CellBatches::on_cells(dofs, "", degree)),
               {ControlledValue{young, {}}, number("poisson", poisson)});
    r.add_form(make_body_force(SolidKind::spatial, CellBatches::on_cells(dofs, "", order == 2 ? 2 : 1)),
               {number("bx", 0), number("by", -0.5), number("bz", 0)});
    for (const char* region : {"left", "right", "sides", "bottom", "top", "back", "front"}) {
      if (!mesh->find_region(region)) continue;
      r.add_form(make_traction(SolidKind::spatial, CellBatches::on_facets(dofs, region, 2)),
                 {number("tx", 0.1), number("ty", 0), number("tz", 0)});
    }
    const int one = r.add_control({"turn", ""}, {1.0});
    for (int i = 0; i < 3; ++i) {
      r.add_dirichlet({"left", i, {one, [](const double*, double) { return 0.0; }, false}});
      r.add_dirichlet({"right", i, {one, [i](const double* x, double t) { return t * half_twist(x, i); }, true, true}});  // so that a step can be halved
    }
    r.finish();
    r.set_near_null_space(rigid_body_modes(*dofs));
    if (order == 2) r.set_prolongation(prolongation_from_linear(*dofs, r.constrained_rows()));
  }
};

}  // namespace invar
