// A rigid paraboloid pressed into a large block, in space: Hertz's point contact (K. L. Johnson, Contact Mechanics, 1985, 4.2). With a force F
//   a³ = 3 F R/(4 E*),  p = p0 √(1 − r²/a²),  p0 = 3 F/(2 π a²),  E* = E/(1 − ν²).
// A quarter of it: x = 0 and z = 0 are planes of symmetry. The paraboloid is a mesh with prescribed nodes; the meshes do not match.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <vector>

#include "libadjoint/static_case.hpp"
#include "libfem/contact/contact_forms.hpp"
#include "libfem/form/form_residual.hpp"
#include "libfem/form/local_access.hpp"
#include "libfem/mesh/boxes.hpp"
#include "libfem/mesh/distribute.hpp"
#include "libfem/mesh/join_bodies.hpp"
#include "libfem/solid/material_library.hpp"
#include "libfem/solid/solid_forms.hpp"

namespace invar::contact_test::hertz_sphere {
namespace {

// Hertz' theory neglects the tangential displacement of the surface, which is proportional to (1 − 2ν) a/R; hence the large R.
constexpr double radius = 10, lateral = 0.3, e_star = 1, contact_radius = 0.05, size = 40 * contact_radius;

/// Lines h apart up to `even`, then ever further apart, by not more than a factor 1.6, up to `end`.
std::vector<double> graded(double h, double even, double end) {
  std::vector<double> lines{0};
  const int n = static_cast<int>(std::lround(even / h));
  for (int k = 1; k <= n; ++k) lines.push_back(even * k / n);
  std::vector<double> steps;
  for (double way = 0, step = h; even + way < end; way += step) steps.push_back(step *= 1.6);
  double sum = 0;
  for (const double s : steps) sum += s;
  for (const double s : steps) lines.push_back(lines.back() + s * (end - even) / sum);
  return lines;
}

Mesh box_by_lines(const std::vector<double>& x, const std::vector<double>& y, const std::vector<double>& z) {
  const auto cells = [](const std::vector<double>& lines) { return static_cast<int>(lines.size()) - 1; };
  Mesh mesh = make_box({0, 0, 0}, {double(cells(x)), double(cells(y)), double(cells(z))}, {cells(x), cells(y), cells(z)}, Shape::hexahedron);
  for (int n = 0; n < mesh.node_total(); ++n) {
    double* at = &mesh.coordinates[3 * std::size_t(n)];
    const std::vector<double>* const lines[] = {&x, &y, &z};
    for (int i = 0; i < 3; ++i) at[i] = (*lines[i])[std::size_t(std::lround(at[i]))];
  }
  return mesh;
}

struct Indented {
  double force = 0;                           // of the whole, N
  double centre = 0, fitted = 0, misfit = 0;  // pressures ÷ p0 of that force: in the middle, of a fit within 0.8 a, r.m.s. of what differs there
  int iterations = 0;

  /// `around`: cells in a radius of the contact; d̂ falls with their size squared. In one load step.
  explicit Indented(int around) {
    const double h = contact_radius / around, d_hat = 1e-5 * std::pow(8.0 / around, 2), gap = 0.9 * d_hat;
    const std::vector<double> across = graded(h, 1.5 * contact_radius, size);
    std::vector<double> down = graded(h, 0.75 * contact_radius, size);
    for (double& y : down) y = -y;
    std::ranges::reverse(down);
    const int over = static_cast<int>(std::lround(2.1 * around));
    Mesh sphere = make_box({0, 0, 0}, {1.6 * contact_radius, 0.5 * contact_radius, 1.6 * contact_radius}, {over, 1, over}, Shape::hexahedron);
    for (int n = 0; n < sphere.node_total(); ++n) {
      double* at = &sphere.coordinates[3 * std::size_t(n)];
      at[1] += gap + 0.5 * (at[0] * at[0] + at[2] * at[2]) / radius;
    }
    const auto mesh = std::make_shared<const Mesh>(distribute(join_bodies({{"block", box_by_lines(across, down, across)}, {"sphere", std::move(sphere)}}), PETSC_COMM_SELF));
    const auto dofs = std::make_shared<const DofMap>(mesh, std::vector<Component>{{"u_x", 1}, {"u_y", 1}, {"u_z", 1}}, PETSC_COMM_SELF);
    const auto residual = std::make_shared<FormResidual>(dofs);
    const auto number = [&](double v) { return ControlledValue{residual->add_control({"", ""}, {v}), {}}; };
    residual->add_form(make_displacement_form(SolidKind::spatial, make_material({.name = "linear_elastic"}), CellBatches::on_cells(dofs, "", 2)),
                       {number(e_star * (1 - lateral * lateral)), number(lateral)});
    const auto finder = PairFinder::on_regions(*mesh, {"block_top"}, {"sphere_bottom"}, 2, false);
    const int contact = residual->add_form(make_contact(finder, dofs), {number(0.01), number(d_hat)});
    const ControlledValue zero = number(0), down_by{residual->add_control({"", ""}, {-contact_radius * contact_radius / radius}), [](const double*, double t) { return t; }, false, true};
    residual->add_dirichlet({.region = "block_bottom", .component = 1, .value = zero});
    residual->add_dirichlet({.region = "block_left", .component = 0, .value = zero});
    residual->add_dirichlet({.region = "block_back", .component = 2, .value = zero});
    for (int i = 0; i < 3; ++i) residual->add_dirichlet({.region = "sphere", .component = i, .value = i == 1 ? down_by : zero});
    residual->finish();
    StaticCase process("sphere", residual, std::make_shared<LinearSolver>(PETSC_COMM_SELF, LinearSolverOptions{.method = "mumps_cholesky"}), {1}, 0.0, {});
    const ProcessReport report = process.run(residual->control_values());
    EXPECT_TRUE(report.ok) << report.reason;
    iterations = report.newton_iterations;
    if (!report.ok) return;

    const VecHandle f = residual->create_vector();
    residual->form_residual(contact, {process.state(0), residual->given(1)}, f);
    const LocalArray forces(f);
    for (const int node : mesh->find_region("block_top")->nodes) force += 4 * forces.data()[dofs->dof(node, 1)];
    const double a = std::cbrt(0.75 * force * radius / e_star), p0 = 1.5 * force / (std::numbers::pi * a * a);
    const auto share = [&](double x) {  // of an even line's node in ∫ N
      return std::abs(x) < 1e-12 ? 0.5 * h : h;
    };
    double sum = 0, both = 0, square = 0;
    int count = 0;
    for (const int node : mesh->find_region("block_top")->nodes) {
      const double x = mesh->coordinates[3 * std::size_t(node)], z = mesh->coordinates[3 * std::size_t(node) + 2], r = std::hypot(x, z);
      if (r > 0.8 * a) continue;
      const double p = forces.data()[dofs->dof(node, 1)] / (share(x) * share(z)) / p0, hertz = std::sqrt(1 - r * r / (a * a));
      if (r < 1e-12) centre = p;
      both += p * hertz, square += hertz * hertz;
      sum += (p - hertz) * (p - hertz), ++count;
    }
    misfit = std::sqrt(sum / count), fitted = both / square;
    if (std::getenv("INVAR_PRINT"))
      std::printf("%lld unknowns, %d Newton iterations, %d cells in the radius: F %.5g, a %.5g, p0 %.5g, middle %.4f, fitted %.4f, misfit %.4f\n", dofs->n_global(), iterations, around, force, a, p0, centre, fitted, misfit);
  }
};

// Second order: 0.031, 0.012 (2026-11-25).
TEST(HertzSphere, PressureConvergesInSpace) {
  const Indented coarse(4), fine(6);
  const double before = std::abs(coarse.fitted - 1), after = std::abs(fine.fitted - 1);
  EXPECT_LT(after, 0.015);
  EXPECT_LT(after, before * std::pow(4.0 / 6, 1.5));
  EXPECT_NEAR(fine.centre, 1, 0.015);
  EXPECT_LT(fine.misfit, 0.015);
  EXPECT_LT(fine.misfit, coarse.misfit);
  EXPECT_LE(fine.iterations, 12);
}

}  // namespace
}  // namespace invar::contact_test::hertz_sphere
