// Output fields of contact at nodes.
#include <gtest/gtest.h>

#include <algorithm>

#include "libfem/contact/contact_fields.hpp"
#include "tests/unit/contact/two_blocks.hpp"

namespace invar::contact_test {
namespace {

// The upper block moves rigidly: the slip at nodes of its surface is the tangential part of its velocity, at nodes of the lower
// surface the opposite.
TEST(ContactFields, SlipIsTheTangentialVelocityAgainstWhatIsMet) {
  for (const int dim : {2, 3})
    for (const int order : {1, 2}) {
      const CellType cell = dim == 2 ? CellType{Shape::quadrilateral, order} : CellType{Shape::tetrahedron, order};
      TwoBlocks blocks(dim, cell, 4, 8, 6);
      const Mesh& mesh = *blocks.mesh;
      constexpr double velocity[] = {0.3, -0.7, 0.2};
      std::vector<double> u(blocks.dofs->n_local(), 0.0), rate = u;
      for (const int node : mesh.find_region("upper")->nodes)
        for (int i = 0; i < dim; ++i) rate[blocks.dofs->dof(node, i)] = velocity[i];
      ContactFields fields(mesh, 0.013);
      add_contact_fields(*blocks.finder, blocks.dofs, u.data(), rate.data(), mesh.coordinates.data(), 1, 0.013, fields);
      int pressed = 0;
      const auto check = [&](const char* region, double sign) {
        for (const int node : mesh.find_region(region)->nodes) {
          if (fields.pressure[node] == 0) continue;
          ++pressed;
          const double* x = &mesh.coordinates[std::size_t(node) * dim];
          const bool inside = x[0] > 0.4 && x[0] < 0.75 && (dim == 2 || (x[2] > 0.3 && x[2] < 0.6));  // not at borders (oblique pairs)
          for (int i = 0; i < dim && inside; ++i)
            EXPECT_NEAR(fields.slip[std::size_t(node) * dim + i], i == 1 ? 0 : sign * velocity[i], 1e-12) << region << " " << x[0];
        }
      };
      check("upper_bottom", 1), check("lower_top", -1);
      EXPECT_GT(pressed, 6);
      ContactFields still(mesh, 0.013);
      add_contact_fields(*blocks.finder, blocks.dofs, u.data(), nullptr, mesh.coordinates.data(), 1, 0.013, still);
      EXPECT_EQ(still.pressure, fields.pressure);
      EXPECT_EQ(*std::ranges::max_element(still.slip), 0);
    }
}

}  // namespace
}  // namespace invar::contact_test
