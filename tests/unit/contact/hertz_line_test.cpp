// Two elastic bodies, a parabolic one on a flat one, pressed together by F: Hertz's line contact (K. L. Johnson, Contact Mechanics, 1985, 4.2), the set-up of
// configs/41_hertz.yaml on a sequence of meshes, with R = 4 m, so that a/R is small. With E* = E/(2 (1 − ν²))
//   a² = 4 F R/(π E*),  p = p0 √(1 − x²/a²),  p0 = √(F E*/(π R)).
// One half is computed, to the plane of symmetry. The barrier's distance falls with the square of the cells' size.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numbers>

#include "libadjoint/static_case.hpp"
#include "libfem/contact/contact_fields.hpp"
#include "libfem/contact/contact_forms.hpp"
#include "libfem/contact/contact_parameters.hpp"
#include "libfem/form/form_residual.hpp"
#include "libfem/form/local_access.hpp"
#include "libfem/mesh/distribute.hpp"
#include "libfem/mesh/grid.hpp"
#include "libfem/mesh/join_bodies.hpp"
#include "libfem/mesh/second_order.hpp"
#include "libfem/solid/material_library.hpp"
#include "libfem/solid/solid_forms.hpp"

namespace invar::contact_test::hertz_line {
namespace {

constexpr double radius = 4, elasticity = 1, lateral = 0.3, half_width = 0.05, e_star = elasticity / (2 * (1 - lateral * lateral));
constexpr double force = std::numbers::pi * e_star * half_width * half_width / (4 * radius), peak = 2 * force / (std::numbers::pi * half_width);

struct Pressed {
  double middle = 0;                    // largest pressure ÷ p0
  std::array<double, 2> error{};        // ‖p − Hertz's‖/‖Hertz's‖ in L2 on both surfaces, of the pressures around nodes

  /// around: cells in the half-width.
  Pressed(int order, int around, double d_hat) {
    const double h = half_width / around, gap = 0.9 * d_hat;
    const auto body = [&](int fine, bool upper) {
      GridAxis x(0), y(upper ? 0 : -1);
      x.add(1.5 * half_width, fine), x.add(1, around + 4, h);
      if (upper) y.add(1, around + 4, h);
      else y.add(0, around + 4, 0, h);
      Mesh lattice = make_lattice(x.cells(), y.cells(), Shape::quadrilateral);
      place_lines(lattice, x, y);
      if (order == 2) lattice = to_second_order(lattice);
      for (int n = 0; upper && n < lattice.node_total(); ++n) {
        double* at = &lattice.coordinates[2 * std::size_t(n)];
        at[1] += gap + 0.5 * at[0] * at[0] / radius * (1 - at[1]);
      }
      return lattice;
    };
    const int fine = around + around / 2;
    const auto mesh = std::make_shared<const Mesh>(distribute(join_bodies({{"lower", body(fine, false)}, {"upper", body(fine - (around > 8 ? 2 : 1), true)}}), PETSC_COMM_SELF));
    const auto dofs = std::make_shared<const DofMap>(mesh, std::vector<Component>{{"u_x", order}, {"u_y", order}}, PETSC_COMM_SELF);
    const auto residual = std::make_shared<FormResidual>(dofs);
    const auto number = [&](double v) { return ControlledValue{residual->add_control({"", ""}, {v}), {}}; };
    residual->add_form(make_displacement_form(SolidKind::plane_strain, make_material({.name = "linear_elastic"}), CellBatches::on_cells(dofs, "", 2 * order)),
                       {number(elasticity), number(lateral)});
    ControlledValue load = number(-0.5 * force);  // on a width of 1 m
    load.shape = [](const double*, double t) { return t; };
    load.varies_in_time = true;
    residual->add_form(make_traction(SolidKind::plane_strain, CellBatches::on_facets(dofs, "upper_top", 2)), {number(0), load});
    const auto finder = PairFinder::on_regions(*mesh, {"lower_top"}, {"upper_bottom"}, default_contact_samples(2, order), false);
    constexpr double stiffness = 0.0769;
    residual->add_form(make_contact(finder, dofs), {number(stiffness), number(d_hat)});
    residual->add_dirichlet({.region = "lower_bottom", .component = 1, .value = number(0)});
    for (const char* side : {"lower_left", "upper_left"}) residual->add_dirichlet({.region = side, .component = 0, .value = number(0)});
    residual->finish();
    StaticCase process("line", residual, std::make_shared<LinearSolver>(PETSC_COMM_SELF), {1}, 0.0, {});
    const ProcessReport report = process.run(residual->control_values());
    EXPECT_TRUE(report.ok) << report.reason;
    if (!report.ok) return;
    ContactFields fields(*mesh, d_hat);
    const LocalArray u(process.state(0));
    add_contact_fields(*finder, dofs, u.data(), nullptr, mesh->coordinates.data(), stiffness, d_hat, fields);
    for (const int side : {0, 1}) {
      std::vector<std::array<double, 2>> found;  // x, p
      for (const int node : mesh->find_region(side ? "upper_bottom" : "lower_top")->nodes)
        found.push_back({mesh->coordinates[2 * std::size_t(node)] + u.data()[dofs->dof(node, 0)], fields.pressure[node] / peak});
      std::ranges::sort(found);
      double square = 0;
      for (std::size_t k = 0; k + 1 < found.size(); ++k) {  // linear between nodes
        constexpr int parts = 20;
        for (int i = 0; i < parts; ++i) {
          const double s = (i + 0.5) / parts, x = (1 - s) * found[k][0] + s * found[k + 1][0], p = (1 - s) * found[k][1] + s * found[k + 1][1];
          const double hertz = std::sqrt(std::max(0.0, 1 - x * x / (half_width * half_width)));
          square += (p - hertz) * (p - hertz) * (found[k + 1][0] - found[k][0]) / parts;
        }
        middle = std::max(middle, found[k][1]);
      }
      error[side] = std::sqrt(square / (2.0 / 3 * half_width));
    }
    if (std::getenv("INVAR_PRINT"))
      std::printf("order %d, a/%d, d %.3g: %lld unknowns, %d Newton iterations, peak %.4f, L2 %.4f, %.4f\n", order, around, d_hat, dofs->n_global(), report.newton_iterations, middle, error[0], error[1]);
  }
};

/// Each mesh of the sequence has cells of half the size. The pressure ends as a root at the edge of the contact, which elements of any order meet to first order in L2:
/// the mean order is at least that, and so is, nearly, the one of each step.
void expect_order(const std::vector<Pressed>& sequence) {
  for (const int side : {0, 1}) {
    for (std::size_t k = 1; k < sequence.size(); ++k) EXPECT_LT(sequence[k].error[side], 0.55 * sequence[k - 1].error[side]) << k;
    EXPECT_LT(sequence.back().error[side], sequence.front().error[side] / std::pow(2, double(sequence.size()) - 1));
  }
  EXPECT_NEAR(sequence.back().middle, 1, 0.005);
}

TEST(HertzLine, PressureConvergesWithLinearElements) {
  std::vector<Pressed> sequence;
  for (const int around : {4, 8, 16, 32}) sequence.emplace_back(1, around, 2.5e-5 * std::pow(16.0 / around, 2));
  expect_order(sequence);
}

TEST(HertzLine, PressureConvergesWithElementsOfSecondOrder) {
  std::vector<Pressed> sequence;
  for (const int around : {4, 8, 16}) sequence.emplace_back(2, around, 2.5e-5 * std::pow(8.0 / around, 2));
  expect_order(sequence);
}

}  // namespace
}  // namespace invar::contact_test::hertz_line
