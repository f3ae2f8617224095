// Two plates of hexahedra with equal meshes, pressed together and turned against each other by less than a milliradian: all edges of the
// pieces into which their facets are divided are nearly parallel. Newton's method stalled there on jumps of the tangent.
#include <gtest/gtest.h>

#include "libadjoint/static_case.hpp"
#include "libfem/contact/contact_forms.hpp"
#include "libfem/form/form_residual.hpp"
#include "libfem/mesh/boxes.hpp"
#include "libfem/mesh/distribute.hpp"
#include "libfem/mesh/join_bodies.hpp"
#include "libfem/solid/material_library.hpp"
#include "libfem/solid/solid_forms.hpp"

namespace invar::contact_test {
namespace {

ProcessReport turned(double angle, double way) {
  const auto plate = [](double low, double high) { return make_box({0, low, 0}, {1, high, 1}, {4, 2, 4}, Shape::hexahedron); };
  const auto mesh = std::make_shared<const Mesh>(distribute(join_bodies({{"lower", plate(0, 1)}, {"upper", plate(1.002, 1.9)}}), PETSC_COMM_SELF));
  const auto dofs = std::make_shared<const DofMap>(mesh, std::vector<Component>{{"u_x", 1}, {"u_y", 1}, {"u_z", 1}}, PETSC_COMM_SELF);
  const auto residual = std::make_shared<FormResidual>(dofs);
  const auto number = [&](double v) { return ControlledValue{residual->add_control({"", ""}, {v}), {}}; };
  const auto moved = [&](auto by) { return ControlledValue{residual->add_control({"", ""}, {1}), [=](const double* x, double t) { return by(x) * t; }, true, true}; };
  residual->add_form(make_displacement_form(SolidKind::spatial, make_material({.name = "neo_hookean"}), CellBatches::on_cells(dofs, "", 2)), {number(1), number(0.3)});
  residual->add_form(make_contact(PairFinder::on_regions(*mesh, {"lower_top"}, {"upper_bottom"}, 8, false), dofs), {number(0.1), number(4e-3)});
  for (int i = 0; i < 3; ++i) residual->add_dirichlet({.region = "lower_bottom", .component = i, .value = number(0)});
  residual->add_dirichlet({.region = "upper_top", .component = 0, .value = moved([=](const double* x) { return angle * (x[2] - 0.5); })});
  residual->add_dirichlet({.region = "upper_top", .component = 1, .value = moved([=](const double*) { return -way; })});
  residual->add_dirichlet({.region = "upper_top", .component = 2, .value = moved([=](const double* x) { return -angle * (x[0] - 0.5); })});
  residual->finish();
  StaticCase process("turned", residual, std::make_shared<LinearSolver>(PETSC_COMM_SELF), std::vector<double>{0.5, 1.0}, 0.0, LoadSteppingOptions{});
  return process.run(residual->control_values());
}

TEST(ContactOfParallelEdges, IsSolvedByNewtonsMethod) {
  for (const auto& [angle, way] : {std::pair{3e-4, 0.03}, {0.015, 0.03}}) {
    const ProcessReport report = turned(angle, way);
    EXPECT_TRUE(report.ok) << report.reason;
    EXPECT_LE(report.newton_iterations, 13) << angle;
  }
}

}  // namespace
}  // namespace invar::contact_test
