// Two blocks whose meshes do not match, pressed together by a uniform pressure: the stress is uniform, and the
// pressures at the nodes of both surfaces are that pressure. Bounds: section 1.3 of the study behind the method (nodal
// errors of sampled energies, measured with another program).
#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include "libadjoint/static_case.hpp"
#include "libfem/contact/barrier.hpp"
#include "libfem/contact/contact_forms.hpp"
#include "libfem/form/form_residual.hpp"
#include "libfem/mesh/boxes.hpp"
#include "libfem/mesh/distribute.hpp"
#include "libfem/mesh/join_bodies.hpp"
#include "libfem/objective/region_share.hpp"
#include "libfem/solid/material_library.hpp"
#include "libfem/solid/solid_forms.hpp"

namespace invar::contact_test {
namespace {

constexpr double young = 1, poisson = 0.3, pressure = 0.01, d_hat = 1e-3, stiffness = 0.1, gap = 0.9 * d_hat;

double gap_under_pressure() {
  double low = 1e-3 * d_hat, high = d_hat;
  for (int k = 0; k < 60; ++k) (stiffness * barrier_pressure(0.5 * (low + high), d_hat) > pressure ? low : high) = 0.5 * (low + high);
  return low;
}

struct Pressed {
  std::shared_ptr<const Mesh> mesh;
  std::shared_ptr<const DofMap> dofs;
  std::shared_ptr<FormResidual> residual;
  std::shared_ptr<StaticCase> process;
  int contact_form = -1;
  std::array<double, 2> normal{};  // of the lower surface

  /// below, above: cells along the interface; angle: by which all is turned, in degrees.
  /// uneven: so that the samples of both surfaces do not meet.
  Pressed(CellType cell, int below, int above, int samples, double angle, double uneven) {
    const double turn = angle * std::numbers::pi / 180, c = std::cos(turn), s = std::sin(turn);
    normal = {-s, c};
    Mesh serial = join_bodies({{"lower", make_rectangle(0, 0, 1, 0.5, below, below / 2, cell.shape, cell.order)},
                               {"upper", make_rectangle(0, 0.5 + gap, 1, 1, above, above / 2, cell.shape, cell.order)}});
    for (int n = 0; n < serial.node_total(); ++n) {
      double* x = &serial.coordinates[2 * n];
      const double X = x[0] + (x[1] > 0.5 ? uneven * std::sin(2 * std::numbers::pi * x[0]) : 0.0), Y = x[1];
      x[0] = c * X - s * Y, x[1] = s * X + c * Y;
    }
    mesh = std::make_shared<const Mesh>(distribute(serial, PETSC_COMM_SELF));
    dofs = std::make_shared<const DofMap>(mesh, std::vector<Component>{{"u_x", cell.order}, {"u_y", cell.order}}, PETSC_COMM_SELF);
    residual = std::make_shared<FormResidual>(dofs);
    const int degree = cell.order == 1 ? 2 : 4;
    const auto number = [&](double v) { return ControlledValue{residual->add_control({"", ""}, {v}), {}}; };
    residual->add_form(make_displacement_form(SolidKind::plane_strain, make_material({.name = "linear_elastic"}), CellBatches::on_cells(dofs, "", degree)),
                       {number(young), number(poisson)});
    residual->add_form(make_traction(SolidKind::plane_strain, CellBatches::on_facets(dofs, "upper_top", degree)),
                       {number(-pressure * normal[0]), number(-pressure * normal[1])});
    auto finder = PairFinder::on_regions(*mesh, {"lower_top"}, {"upper_bottom"}, samples, false);
    contact_form = residual->add_form(make_contact(std::move(finder), dofs), {number(stiffness), number(d_hat)});
    // The sides move as uniform strain across the interface moves them: with sides that are free, corners would meet
    // corners, which slip off each other.
    const double strain = -pressure * (1 + poisson) * (1 - 2 * poisson) / (1 - poisson) / young, opening = gap_under_pressure() - gap;
    for (const char* side : {"lower_left", "lower_right", "upper_left", "upper_right"})
      for (int i = 0; i < 2; ++i) {
        ControlledValue value = number(1);
        value.shape = [=, n = normal, upper = side[0] == 'u'](const double* x, double) {
          const double height = n[0] * x[0] + n[1] * x[1];
          return n[i] * (upper ? strain * (height - gap) + opening : strain * height);
        };
        value.varies_in_space = true;
        residual->add_dirichlet({.region = side, .component = i, .value = value});
      }
    for (int i = 0; i < 2; ++i) residual->add_dirichlet({.region = "lower_bottom", .component = i, .value = number(0)});
    residual->finish();
    LoadSteppingOptions stepping;
    stepping.newton.rtol = 1e-11;
    process = std::make_shared<StaticCase>("pressed", residual, std::make_shared<LinearSolver>(PETSC_COMM_SELF), std::vector<double>{1.0}, 0.0, stepping);
  }

  /// The largest relative error of the pressures at the nodes of a surface: nodal forces over ∫ N.
  double worst_pressure(const std::string& region) {
    VecHandle r = residual->create_vector(), share = residual->create_vector();
    residual->form_residual(contact_form, {process->state(0), residual->given(1)}, r);
    const auto unit = make_traction(SolidKind::plane_strain, CellBatches::on_facets(dofs, region, 6));
    unit->coefficients() = {Coefficient::constant(1), Coefficient::constant(0)};
    FormState at;
    at.coordinates = mesh->coordinates.data();
    std::vector<double> integral(dofs->n_local(), 0.0);
    const std::vector<double> rest(dofs->n_local(), 0.0);
    at.unknown[Level::value] = rest.data();
    unit->residual(at, integral.data());
    const LocalArray force(r);
    double worst = 0;
    for (const int node : mesh->find_region(region)->nodes) {
      const int x = dofs->dof(node, 0), y = dofs->dof(node, 1);
      const double p = (force.data()[x] * normal[0] + force.data()[y] * normal[1]) / integral[x];
      worst = std::max(worst, std::abs(std::abs(p) / pressure - 1));
    }
    return worst;
  }
};

struct Patch {
  CellType cell;
  int below, above, samples;
  double uneven, bound;
};

void expect_uniform(const Patch& patch, double angle) {
  SCOPED_TRACE("order " + std::to_string(patch.cell.order) + ", " + std::to_string(patch.below) + " on " + std::to_string(patch.above) + ", turned by " +
               std::to_string(angle));
  Pressed blocks(patch.cell, patch.below, patch.above, patch.samples, angle, patch.uneven);
  const ProcessReport report = blocks.process->run(blocks.residual->control_values());
  ASSERT_TRUE(report.ok) << report.reason;
  for (const char* region : {"lower_top", "upper_bottom"}) {
    const double error = blocks.worst_pressure(region);
    EXPECT_LE(error, patch.bound) << region;
    if (std::getenv("INVAR_PRINT")) std::printf("%d on %d, order %d, %d samples, %g°: %s %.3g (%d Newton)\n", patch.below, patch.above, patch.cell.order, patch.samples, angle, region, error, report.newton_iterations);
  }
}

TEST(ContactPatch, PressureIsUniform) {
  for (const double angle : {0.0, 30.0}) {
    expect_uniform({{Shape::quadrilateral, 1}, 8, 13, 8, 0, 1e-11}, angle);  // where samples meet: to round-off
    expect_uniform({{Shape::quadrilateral, 1}, 8, 13, 8, 0.04, 1.5e-3}, angle);
    expect_uniform({{Shape::triangle, 1}, 16, 26, 8, 0.04, 1.5e-3}, angle);
    expect_uniform({{Shape::quadrilateral, 1}, 8, 31, 8, 0.04, 5e-3}, angle);
    expect_uniform({{Shape::quadrilateral, 2}, 8, 13, 16, 0.04, 1.2e-2}, angle);
  }
}

}  // namespace
}  // namespace invar::contact_test
