// How near surfaces are before they deform, as a number with a derivative.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/contact/two_blocks.hpp"

namespace invar {
namespace {

using contact_test::TwoBlocks;

// ∫ (1 − z)³ z⁻¹⁶ over the flat side of the upper block, d̂ three times the gap; whatever the displacement is. The lower side, which goes on beyond it, sees
// its corners: 0.3 gaps more at each end, of which half counts; in space to a row of samples.
TEST(UndeformedCloseness, IsThatOfAUniformGap) {
  constexpr double gap = TwoBlocks::gap, reach = 3 * gap, at_gap = 8.0 / 27 * 43046721;  // (2/3)³ 3¹⁶
  for (const int dim : {2, 3})
    for (const CellType cell : {CellType{dim == 2 ? Shape::quadrilateral : Shape::hexahedron, 1}, CellType{dim == 2 ? Shape::triangle : Shape::tetrahedron, 2}}) {
      SCOPED_TRACE(std::to_string(dim) + "-D, order " + std::to_string(cell.order));
      TwoBlocks blocks(dim, cell, dim == 2 ? 40 : 6);
      const auto form = make_undeformed_closeness(blocks.finder, blocks.dofs);
      form->coefficients()[0] = Coefficient::constant(2.0);
      form->coefficients()[1] = Coefficient::constant(reach);
      const std::vector<double> u = blocks.random(blocks.dofs->n_local(), 0.1);
      FormState at;
      at.coordinates = blocks.mesh->coordinates.data();
      const double undeformed = form->value(at), area = dim == 2 ? 0.7 : 0.49;
      EXPECT_NEAR(undeformed / (2 * area * at_gap), 1, dim == 2 ? 0.006 : 0.1);
      at.unknown[Level::value] = u.data();
      EXPECT_EQ(form->value(at), undeformed);
      std::vector<double> u_bar(u.size(), 0.0), X_bar(blocks.mesh->coordinates.size(), 0.0);
      FormCotangent out;
      out.unknown[Level::value] = u_bar.data(), out.coordinates = X_bar.data();
      form->value_vjp(at, 1.0, out);
      for (const double v : u_bar) EXPECT_EQ(v, 0);
      // All gaps grow by ε if the upper block rises.
      const int n = dim;
      double slope = 0;
      for (const int node : blocks.mesh->find_region("upper_bottom")->nodes) slope += X_bar[std::size_t(node) * n + 1];
      EXPECT_NEAR(slope, undeformed * (-16 / gap - 3 / (reach - gap)), 0.01 * std::abs(slope));
    }
}

}  // namespace
}  // namespace invar
