// The filter by cones against its formula over all pairs of cells, its transpose, one to three ranks.
#include <algorithm>
#include <array>

#include "libfem/design/field/cone_filter.hpp"
#include "tests/unit/design/density_problem.hpp"

namespace invar {
namespace {

using test::DensityMesh;

/// Bent meshes, and a rectangle and a box of equal cells.
std::vector<Mesh> cone_meshes() {
  std::vector<Mesh> all = test::density_meshes();
  all.push_back(make_rectangle(0, 0, 3, 1, 21, 9, Shape::quadrilateral));
  all.push_back(make_box({0, 0, 0}, {1, 1, 1}, {7, 6, 5}, Shape::hexahedron));
  return all;
}

TEST(ConeFilter, IsItsFormula) {
  for (const Mesh& serial : cone_meshes())
    for (const auto& [radius, axisymmetric] : {std::pair{0.3, false}, std::pair{1.1, false}, std::pair{0.4, true}}) {
      if (axisymmetric && serial.dim == 3) continue;
      SCOPED_TRACE(std::string(name_of(serial.cells[0].type.shape)) + (axisymmetric ? ", axisymmetric" : ""));
      const DensityMesh m(serial), alone(serial, PETSC_COMM_SELF);
      ConeFilter filter(m.mesh, radius, axisymmetric);
      const NoFilter volumes(alone.mesh, axisymmetric);
      const int n = volumes.cell_count();
      std::vector<std::array<double, 3>> x(n);  // by the serial mesh
      std::vector<double> V(n), rho(n), bar(n), smooth(n), total(n), rho_bar(n, 0.0);
      const std::vector<double> given = alone.field(0.4), given_bar = alone.field(2.1);
      for (int c = 0; c < n; ++c) {
        const auto at = alone.original[c];
        for (int k = 0; k < serial.dim; ++k) x[at][k] = alone.middle(c, k);
        V[at] = volumes.volumes()[c], rho[at] = given[c], bar[at] = given_bar[c];
      }
      const auto weight = [&](int i, int j) { return std::max(0.0, radius - std::hypot(x[i][0] - x[j][0], x[i][1] - x[j][1], x[i][2] - x[j][2])) * V[j]; };
      for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) smooth[i] += weight(i, j) * rho[j], total[i] += weight(i, j);
        for (int j = 0; j < n; ++j) rho_bar[j] += weight(i, j) / total[i] * bar[i];
        smooth[i] /= total[i];
      }
      std::vector<double> out, out_bar;
      ASSERT_TRUE(filter.apply(m.field(0.4), out).ok && filter.vjp(m.field(2.1), out_bar).ok);
      ASSERT_EQ(out.size(), m.original.size());
      for (std::size_t c = 0; c < out.size(); ++c) {
        EXPECT_NEAR(out[c], smooth[m.original[c]], 1e-13);  // ghosts too
        if (m.owned[c]) {
          EXPECT_NEAR(out_bar[c], rho_bar[m.original[c]], 1e-13);
        }
      }
    }
}

TEST(ConeFilter, KeepsConstantsAndStaysBetweenTheExtremes) {
  for (const Mesh& serial : cone_meshes()) {
    const DensityMesh m(serial);
    for (const double radius : {0.01, 0.5, 5.0}) {
      ConeFilter filter(m.mesh, radius, false);
      std::vector<double> out, rho;
      ASSERT_TRUE(filter.apply(std::vector<double>(m.owned.size(), 0.7), out).ok);
      for (const double v : out) EXPECT_NEAR(v, 0.7, 1e-14);
      EXPECT_NEAR(m.sum([&](int c) { return filter.volumes()[c] * out[c]; }), 0.7 * m.sum([&](int c) { return filter.volumes()[c]; }), 1e-13);
      for (const long long cell : m.original) rho.push_back(cell % 5 == 0 || cell % 7 == 0);
      ASSERT_TRUE(filter.apply(rho, out).ok);
      for (const double v : out) EXPECT_TRUE(v >= 0 && v <= 1 + 1e-14) << v;
      const bool has_neighbours = radius >= 0.02;
      for (std::size_t c = 0; c < out.size() && !has_neighbours; ++c) EXPECT_NEAR(out[c], rho[c], 1e-14);
    }
  }
}

TEST(ConeFilter, RefusesARadiusThatIsNone) {
  const DensityMesh m(make_rectangle(0, 0, 1, 1, 2, 2, Shape::quadrilateral));
  for (const double radius : {0.0, -1.0, std::nan("")}) EXPECT_THROW(ConeFilter(m.mesh, radius, false), std::invalid_argument);
}

}  // namespace
}  // namespace invar
