// A bar of modulus 10 under a tension of 1 Pa, in small strain without lateral contraction: its end moves by L/10.
#include <cmath>
#include <cstdio>

#include "libadjoint/static_case.hpp"
#include "libfem/form/form_residual.hpp"
#include "libfem/mesh/boxes.hpp"
#include "libfem/mesh/distribute.hpp"
#include "libfem/solid/material_library.hpp"
#include "libfem/solid/solid_forms.hpp"
#include "libfluid/flow/flow_forms.hpp"

using namespace invar;

namespace {

double end_of_bar() {
  const auto mesh = std::make_shared<const Mesh>(
      distribute(make_rectangle(0, 0, 2, 1, 4, 2, Shape::quadrilateral, 2), PETSC_COMM_WORLD));
  const auto dofs = std::make_shared<const DofMap>(mesh, std::vector<Component>{{"u_x", 2}, {"u_y", 2}}, PETSC_COMM_WORLD);
  const auto residual = std::make_shared<FormResidual>(dofs);
  const auto number = [&](const char* name, double value) { return ControlledValue{residual->add_control({name, ""}, {value}), {}}; };
  const std::shared_ptr<const Material> law = make_material({"linear_elastic"});
  residual->add_form(make_displacement_form(SolidKind::plane_strain, law, CellBatches::on_cells(dofs, "", 4)),
                     {number("young", 10), number("poisson", 0)});
  residual->add_form(make_traction(SolidKind::plane_strain, CellBatches::on_facets(dofs, "right", 4)),
                     {number("x", 1), number("y", 0)});
  residual->add_dirichlet({"left", 0, number("held", 0)});
  residual->add_dirichlet({"bottom", 1, number("held", 0)});
  residual->finish();
  StaticCase bar("bar", residual, std::make_shared<LinearSolver>(PETSC_COMM_WORLD), {1.0}, 0.0, {});
  if (!bar.run(residual->control_values()).ok) return NAN;
  double largest = 0;
  check(VecMax(bar.state(0), nullptr, &largest));
  return largest;
}

}  // namespace

int main(int argc, char** argv) {
  if (PetscInitialize(&argc, &argv, nullptr, nullptr)) return 1;
  const double moved = end_of_bar();
  std::printf("the end of the bar moves by %.12f\n", moved);
  PetscFinalize();
  return std::abs(moved - 0.2) < 1e-10 ? 0 : 1;
}
