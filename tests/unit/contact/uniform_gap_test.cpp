// Flat bodies with non-matching meshes at a uniform gap: nodal forces of the energy against those of the uniform pressure.
#include <gtest/gtest.h>

#include "libfem/contact/active_pairs.hpp"
#include "libfem/contact/barrier.hpp"
#include "libfem/contact/candidate_search.hpp"
#include "libfem/contact/distance.hpp"
#include "libfem/contact/surface_measure.hpp"
#include "tests/unit/contact/scenes.hpp"

namespace invar {
namespace {

using test::ContactScene;
constexpr double gap = 1e-3, d_hat = 2e-3;

/// Two cubes of 6³ and 8³ times six tetrahedra, one above the other.
ContactScene cubes(const std::vector<std::string>& lower, const std::vector<std::string>& upper) {
  const Mesh below = make_box({0, 0, -1}, {1, 1, 0}, {6, 6, 6}, Shape::tetrahedron);
  const Mesh above = make_box({0, 0, gap}, {1, 1, 1 + gap}, {8, 8, 8}, Shape::tetrahedron);
  ContactScene scene = test::skin_of(below, lower);
  scene.facets.sides[1] = facets_of_regions(above, upper, {}).sides[0];
  for (CellBlock& block : scene.facets.sides[1])
    for (int& node : block.nodes) node += below.node_total();
  scene.X.insert(scene.X.end(), above.coordinates.begin(), above.coordinates.end());
  return scene;
}

/// Forces along z on nodes, in units of κ.
std::vector<double> node_forces(const ContactScene& scene, int divisions) {
  const ContactSurface S = scene.surface({divisions, divisions});
  const SurfaceMeasure measure(S);
  std::vector<double> w(measure.size()), force(S.n_samples, 0), nodal(scene.n_nodes(), 0);
  measure.values(scene.X.data(), w.data());
  const SurfacePosition at = S.position(scene.X.data(), nullptr);
  CandidateSearch search(S, at);
  ActivePairs pairs;
  find_active_pairs(S, search.near(at, d_hat), at, d_hat, pairs, EdgePairs::repelling);
  for (int number = 0; number < 4; ++number)
    for (const ActivePair& pair : pairs.of_kind[number]) {
      const PairKind kind = static_cast<PairKind>(number);
      const auto from = [&](int a, int b) { return at.difference<3>(pair.v[a], pair.v[b]); };
      std::array<double, 4> part{1, -1, 0, 0};  // of the way between closest points
      double weight = 0, reach = 1;
      if (kind == PairKind::edge_edge) {
        reach = S.edge_reach(pair.first, pair.second);
        const auto st = line_line_coordinates(from(0, 2), from(1, 0), from(3, 2));
        part = {1 - st[0], st[0], st[1] - 1, -st[1]};
        weight = 0.25 * (w[S.n_samples + pair.first] + w[S.n_samples + pair.second]) *
                 edge_edge_factor(from(0, 2), from(1, 0), from(3, 2), from(1, 0), from(3, 2));
      } else {
        weight = 0.5 * w[pair.first] * pair.sign;
        if (kind == PairKind::point_line) {
          const double b = line_coordinate(from(0, 1), from(2, 1));
          part = {1, b - 1, -b, 0};
        } else if (kind == PairKind::point_plane) {
          const auto b = plane_coordinates(from(0, 1), from(2, 1), from(3, 1));
          part = {1, b[0] + b[1] - 1, -b[0], -b[1]};
        }
      }
      const double d = distance_of(S, kind, pair, at);
      double way = 0;
      for (int k = 0; k < 4; ++k)
        if (part[k] != 0) way += part[k] * at.X[3 * pair.v[k] + 2];
      for (int k = 0; k < 4; ++k)
        if (part[k] != 0) force[pair.v[k]] += weight * barrier_pressure(d, reach * d_hat) * part[k] * way / d;
    }
  S.scatter(force.data(), 1, nodal.data());
  return nodal;
}

double total_force(const std::vector<double>& force) {
  double total = 0;
  for (double f : force) total += std::abs(f);
  return total / 2;
}

TEST(UniformGap, LoadsEveryNodeUniformly) {
  const ContactScene scene = cubes({"front"}, {"back"});
  std::vector<double> exact(scene.n_nodes(), 0);
  const double pressure = barrier_pressure(gap, d_hat);
  for (int side = 0; side < 2; ++side)
    for (const CellBlock& block : scene.facets.sides[side])
      for (int node : block.nodes) exact[node] += pressure / block.count() / 3;
  for (const auto& [divisions, bound] : {std::pair{2, 0.17}, {4, 0.0125}, {8, 0.003}}) {
    const std::vector<double> force = node_forces(scene, divisions);
    for (int i = 0; i < scene.n_nodes(); ++i)
      EXPECT_NEAR(std::abs(force[i]), exact[i], bound * exact[i]) << divisions << " " << i;
    EXPECT_NEAR(total_force(force), pressure, 2e-4 * pressure);
  }
}

/// For complete surfaces of cubes: samples on the rim count with one of the walls that meet there, and the side walls do not contribute.
TEST(UniformGap, WallsBesideItDoNotCount) {
  const std::vector<std::string> all{"left", "right", "top", "bottom", "front", "back"};
  EXPECT_NEAR(total_force(node_forces(cubes(all, all), 4)), barrier_pressure(gap, d_hat), 1e-3 * barrier_pressure(gap, d_hat));
}

}  // namespace
}  // namespace invar
