// Bodies of cells whose parts touch at corners only: what is left of them without these contacts.
#include "libfem/design/field/corner_contacts.hpp"

#include "libfem/mesh/boxes.hpp"
#include "tests/unit/design/density_problem.hpp"

namespace invar {
namespace {

using test::DensityMesh;

/// How many cells of a body are left, on all ranks. inside, held: by the position of a cell of width 1 in each direction.
using Where = std::function<bool(int i, int j, int k)>;

double cells_left(const Mesh& serial, const Where& inside, const Where& held = [](int, int, int) { return false; }) {
  const DensityMesh m(serial);
  std::vector<char> body, may_go;
  for (int c = 0; c < static_cast<int>(m.owned.size()); ++c) {
    const auto at = [&](int d) { return d < m.mesh->dim ? static_cast<int>(std::floor(m.middle(c, d))) : 0; };
    body.push_back(inside(at(0), at(1), at(2)));
    may_go.push_back(!held(at(0), at(1), at(2)));
  }
  const std::vector<char> left = without_corner_contacts(*m.mesh, body, may_go);
  for (std::size_t c = 0; c < left.size(); ++c) EXPECT_LE(left[c], body[c]);
  return m.sum([&](int c) { return left[c]; });
}

Mesh square(int order = 1, Shape shape = Shape::quadrilateral) { return make_rectangle(0, 0, 8, 8, 8, 8, shape, order); }

TEST(CornerContacts, OfACheckerboardNothingIsLeft) {
  for (const int order : {1, 2}) EXPECT_EQ(cells_left(square(order), [](int i, int j, int) { return (i + j) % 2 == 0; }), 0);
  EXPECT_EQ(cells_left(make_box({0, 0, 0}, {4, 4, 4}, {4, 4, 4}, Shape::hexahedron, 1), [](int i, int j, int k) { return (i + j + k) % 2 == 0; }), 0);
}

TEST(CornerContacts, BodiesWhoseCellsShareFacetsStayWhole) {
  EXPECT_EQ(cells_left(square(), [](int, int, int) { return true; }), 64);
  EXPECT_EQ(cells_left(square(), [](int i, int, int) { return i == 3; }), 8);                       // as wide as a cell
  EXPECT_EQ(cells_left(square(), [](int i, int j, int) { return i == j || i == j + 1; }), 15);       // a staircase
  EXPECT_EQ(cells_left(square(), [](int i, int j, int) { return i < 3 || (i > 4 && j > 2); }), 24 + 15);  // two parts that do not touch
  EXPECT_EQ(cells_left(square(1, Shape::triangle), [](int, int, int) { return true; }), 128);
  EXPECT_EQ(cells_left(make_box({0, 0, 0}, {4, 4, 4}, {4, 4, 4}, Shape::tetrahedron, 1), [](int, int, int k) { return k < 2; }), 6 * 32);
}

TEST(CornerContacts, WhatHangsOnACornerGoes) {
  // Two blocks of 3 × 3 cells that touch at a corner lose the two cells there, and nothing else: the others share facets.
  const auto blocks = [](int i, int j, int) { return (i < 3 && j < 3) || (i >= 3 && i < 6 && j >= 3 && j < 6); };
  EXPECT_EQ(cells_left(square(), blocks), 16);
  EXPECT_EQ(cells_left(square(), blocks, [](int i, int, int) { return i < 3; }), 17);  // of the first block none may go
  EXPECT_EQ(cells_left(square(), [](int i, int j, int) { return i == j; }), 0);        // a diagonal as wide as a cell
}

// Two cubes along an edge, with and without others beside it; two layers of a box are bound by facets.
TEST(CornerContacts, AnEdgeIsACornerInThreeDimensions) {
  const Mesh box = make_box({0, 0, 0}, {4, 4, 4}, {4, 4, 4}, Shape::hexahedron, 1);
  EXPECT_EQ(cells_left(box, [](int i, int j, int k) { return k == 1 && ((i == 1 && j == 1) || (i == 2 && j == 2)); }), 0);
  EXPECT_EQ(cells_left(box, [](int i, int j, int k) { return k == 1 && ((i == 1 && j == 1) || (i == 2 && (j == 1 || j == 2))); }), 3);
  EXPECT_EQ(cells_left(box, [](int i, int j, int k) { return k == 0 || (i == 1 && j == 1 && k < 3); }), 18);
}

// Cells that were whole before others went: on the checkerboard with a strip beside it the strip alone is left.
TEST(CornerContacts, GoOneAfterTheOther) {
  EXPECT_EQ(cells_left(square(), [](int i, int j, int) { return i == 0 || (i > 1 && (i + j) % 2 == 0); }), 8);
}

}  // namespace
}  // namespace invar
