#include "libfem/mesh/open_seam.hpp"

#include <gtest/gtest.h>

#include "libfem/mesh/boxes.hpp"
#include "libfem/mesh/join_bodies.hpp"
#include "libfem/mesh/merge_nodes.hpp"

namespace invar {
namespace {

constexpr Shape every_shape[] = {Shape::triangle, Shape::quadrilateral, Shape::tetrahedron, Shape::hexahedron};

/// The box from x = `from` to `from` + 1 with n cells along every other axis.
Mesh block(Shape shape, int order, double from, int n) {
  return dimension_of(shape) == 2 ? make_rectangle(from, 0, from + 1, 1, 2, n, shape, order) : make_box({from, 0, 0}, {from + 1, 1, 1}, {2, n, n}, shape, order);
}

/// Two boxes that meet at x = 1, or leave a gap there, in a direction oblique to the axes. named: the regions of facets that are kept.
Mesh two_blocks(Shape shape, int order, int left, int right, double gap = 0, const std::vector<std::string>& named = {}) {
  Mesh mesh = join_bodies({{"a", block(shape, order, 0, left)}, {"b", block(shape, order, 1 + gap, right)}});
  keep_facet_regions(mesh, named);
  for (std::size_t n = 0; n < mesh.coordinates.size(); n += mesh.dim) {
    double* x = &mesh.coordinates[n];
    const double along = x[0], across = x[1];
    x[0] = 0.8 * along - 0.6 * across, x[1] = 0.6 * along + 0.8 * across;
  }
  return mesh;
}

/// Facets of a block with n cells along every other axis where it meets the other one.
int facets_of_side(Shape shape, int n) {
  if (dimension_of(shape) == 2) return n;
  return shape == Shape::hexahedron ? n * n : 2 * n * n;
}

TEST(OpenSeam, CountsFacetsWithoutCommonNodes) {
  for (const Shape shape : every_shape)
    for (const int order : {1, 2})
      for (const int right : {3, 6, 4}) {  // nodes that coincide, that hang, and of unrelated meshes
        SCOPED_TRACE(std::string(name_of(shape)) + " " + std::to_string(right));
        const OpenSeam seam = find_open_seam(two_blocks(shape, order, 3, right));
        EXPECT_EQ(seam.facets, facets_of_side(shape, 3) + facets_of_side(shape, right));
        EXPECT_NEAR(0.8 * seam.place[0] + 0.6 * seam.place[1], 1, 1e-12);  // x = 1 before the turn
      }
}

TEST(OpenSeam, LeavesOutWhatIsConnectedMeantOrApart) {
  for (const Shape shape : every_shape) {
    Mesh connected = block(shape, 1, 0, 3);
    keep_facet_regions(connected, {});
    EXPECT_EQ(find_open_seam(connected).facets, 0);
    EXPECT_EQ(find_open_seam(two_blocks(shape, 1, 3, 6, 1e-3)).facets, 0);
    for (const char* side : {"a_right", "b_left"}) EXPECT_EQ(find_open_seam(two_blocks(shape, 1, 3, 6, 0, {side})).facets, 0);
  }
}

}  // namespace
}  // namespace invar
