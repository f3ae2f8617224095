#pragma once
#include <memory>
#include <string>
#include <vector>

#include "libadjoint/time/transient_case.hpp"
#include "libfem/form/at_nodes.hpp"
#include "libfem/form/form_residual.hpp"
#include "libfem/mesh/boxes.hpp"
#include "libfem/mesh/distribute.hpp"
#include "libfem/objective/form_value.hpp"
#include "libfem/objective/sampled_displacement.hpp"
#include "libfem/solid/dynamic_forms.hpp"
#include "libfem/solid/material_library.hpp"

namespace invar::gradient_test {

inline std::vector<double> even_times(double end, int steps) {
  std::vector<double> t(steps + 1);
  for (int k = 0; k <= steps; ++k) t[k] = end * k / steps;
  return t;
}

/// A solid of one law on any mesh, for tests of mechanics: forms 0 and 1 are its law and its
/// inertia. lumped: its mass is at the nodes.
struct MovingSolid {
  std::shared_ptr<const Mesh> mesh;
  std::shared_ptr<const DofMap> dofs;
  std::shared_ptr<const Material> material;
  std::shared_ptr<FormResidual> residual;
  SolidKind kind;

  MovingSolid(SolidKind of_kind, const Mesh& serial, int order, const char* law, double young, double poisson,
              double density, bool lumped = false)
      : mesh(std::make_shared<const Mesh>(distribute(serial, PETSC_COMM_SELF))), kind(of_kind) {
    dofs = std::make_shared<const DofMap>(mesh, std::vector<Component>(mesh->dim, {"u", order}), PETSC_COMM_SELF);
    material = make_material({.name = law, .plane_stress = kind == SolidKind::plane_stress});
    residual = std::make_shared<FormResidual>(dofs);
    residual->add_form(make_displacement_form(kind, material, cells()),
                       {number("young", young), number("poisson", poisson)});
    rho = number("density", density);
    residual->add_form(make_inertia(kind, lumped ? at_nodes(cells()) : cells()), {rho});
    if (lumped) residual->set_lumped_mass();
  }
  CellBatches cells() const { return CellBatches::on_cells(dofs, "", 4); }
  ControlledValue number(const std::string& name, double v) { return {residual->add_control({name, ""}, {v}), {}}; }
  std::shared_ptr<Observable> point(std::vector<double> x, int component, Level level = Level::value) const {
    std::vector<double> distance;
    return make_point_samples(dofs, {{std::move(x), component}}, distance, level);
  }
  std::unique_ptr<TransientCase> march(TimeScheme scheme, std::vector<double> times) const {
    LinearSolverOptions linear;
    linear.method = "umfpack";
#ifndef INVAR_SUITESPARSE
    linear.method = "mumps";
#endif
    linear.rtol = 1e-14;
    MarchOptions options;
    options.newton.rtol = 1e-13;
    options.newton.min_iterations = 1;
    return std::make_unique<TransientCase>("motion", residual, std::make_shared<LinearSolver>(PETSC_COMM_SELF, linear),
                                           scheme, std::move(times), options);
  }

  ControlledValue rho;
};

}  // namespace invar::gradient_test
