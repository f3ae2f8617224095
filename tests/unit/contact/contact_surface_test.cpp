#include "libfem/contact/contact_surface.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "libfem/contact/active_pairs.hpp"
#include "libfem/contact/barrier.hpp"
#include "libfem/contact/candidate_search.hpp"
#include "libfem/contact/closest_feature.hpp"
#include "libfem/contact/surface_measure.hpp"
#include "tests/unit/contact/scenes.hpp"

namespace invar {
namespace {

using test::ContactScene;
using test::Random;

TEST(ContactSurface, StraightFacetsArePiecesWithSamplesOnThem) {
  ContactScene line(2);
  test::add_curve(line, 0, 5, 1, false, test::through({{0, 0}, {1, 0}}));
  const ContactSurface surface = line.surface({4, 1});
  EXPECT_EQ(surface.n_pieces(), 5);
  EXPECT_EQ(surface.n_vertices, 6);
  EXPECT_EQ(surface.n_samples, 21);
  EXPECT_EQ(std::accumulate(surface.vertex_sign.begin(), surface.vertex_sign.end(), 0), -4);  // both ends are 0

  ContactScene patch(3);
  test::add_patch(patch, 0, 3, 2, {Shape::triangle, 1}, [](double x, double y) { return std::array{x, y, 0.0}; });
  const ContactSurface triangles = patch.surface({2, 1});
  EXPECT_EQ(triangles.n_pieces(), 12);
  EXPECT_EQ(triangles.n_vertices, 12);
  EXPECT_EQ(triangles.n_samples, 35);  // 7 × 5
  EXPECT_EQ(triangles.n_edges(), 23);
  EXPECT_EQ(std::count(triangles.edge_sign.begin(), triangles.edge_sign.end(), 0), 10);  // the border's
  EXPECT_EQ(std::count(triangles.vertex_sign.begin(), triangles.vertex_sign.end(), 1), 2);
  EXPECT_EQ(std::count(triangles.vertex_sign.begin(), triangles.vertex_sign.end(), 0), 10);
}

TEST(ContactSurface, CurvedFacetsAreDividedIntoPieces) {
  ContactScene circle(2);
  test::add_curve(circle, 0, 6, 2, true, test::on_circle);
  const ContactSurface surface = circle.surface({8, 1});
  EXPECT_EQ(surface.n_pieces(), 48);
  EXPECT_EQ(surface.n_samples, 48);
  EXPECT_EQ(surface.n_vertices, 48);
  for (int sign : surface.vertex_sign) EXPECT_EQ(sign, -1);

  for (const CellType type :
       {CellType{Shape::triangle, 2}, CellType{Shape::quadrilateral, 1}, CellType{Shape::quadrilateral, 2}}) {
    ContactScene patch(3);
    test::add_patch(patch, 0, 3, 2, type, [](double x, double y) { return std::array{x, y, x * y}; });
    const ContactSurface divided = patch.surface({4, 1});
    EXPECT_EQ(divided.n_pieces(), 12 * 16);
    EXPECT_EQ(divided.n_samples, 13 * 9);
    EXPECT_EQ(divided.n_vertices, 13 * 9);
    const int inner = std::accumulate(divided.vertex_sign.begin(), divided.vertex_sign.end(), 0);
    EXPECT_EQ(inner, 11 * 7);
  }
}

TEST(ContactSurface, SamplesLieOnTheFacets) {
  ContactScene patch(3);  // a surface that second-order facets represent exactly
  const auto place = [](double x, double y) { return std::array{x, y, 0.3 * x * x - 0.2 * x * y + 0.4 * y * y + y}; };
  test::add_patch(patch, 0, 2, 2, {Shape::triangle, 2}, place);
  test::add_patch(patch, 1, 2, 3, {Shape::quadrilateral, 2}, place);
  const ContactSurface surface = patch.surface({3, 4});
  const SurfacePosition at = surface.position(patch.X.data(), nullptr);
  for (int s = 0; s < surface.n_samples; ++s)
    EXPECT_NEAR(at.X[3 * s + 2], place(at.X[3 * s], at.X[3 * s + 1])[2], 1e-14);
  std::vector<double> ones(patch.n_nodes(), 1.0), sums(surface.n_samples);
  surface.interpolate(ones.data(), 1, sums.data());
  for (double sum : sums) EXPECT_NEAR(sum, 1, 1e-14);
}

TEST(ContactSurface, ScatterIsTheTransposeOfInterpolation) {
  const ContactScene scene = test::crumpled(3, false, 5, 0.1);
  const ContactSurface surface = scene.surface({3, 2});
  Random random(3);
  std::vector<double> nodal(scene.X.size()), samples(3 * surface.n_samples), up(samples.size()), down(nodal.size(), 0);
  for (double& x : nodal) x = random();
  for (double& x : samples) x = random();
  surface.interpolate(nodal.data(), 3, up.data());
  surface.scatter(samples.data(), 3, down.data());
  EXPECT_NEAR(std::inner_product(up.begin(), up.end(), samples.begin(), 0.0),
              std::inner_product(down.begin(), down.end(), nodal.begin(), 0.0), 1e-12);
}

TEST(ContactSurface, EdgesThatTurnByMoreThan30DegreesAreFeatures) {
  for (const double degrees : {29.0, 31.0, 120.0}) {
    const double angle = degrees * std::numbers::pi / 180;
    for (const double way : {1.0, -1.0}) {  // convex and concave
      ContactScene roof(3);
      test::add_patch(roof, 0, 2, 3, {Shape::triangle, 1}, [&](double x, double y) {
        return x <= 0.5 ? std::array{x, y, 0.0}
                        : std::array{0.5 + (x - 0.5) * std::cos(angle), y, way * (x - 0.5) * std::sin(angle)};
      });
      const ContactSurface surface = roof.surface({1, 1});
      const int features = static_cast<int>(std::count(surface.edge_is_feature.begin(), surface.edge_is_feature.end(), 1));
      EXPECT_EQ(features, 10 + (degrees > 30 ? 3 : 0)) << degrees;
    }
  }
}

TEST(ContactSurface, BothSidesHaveTheSpacingOfTheFinerOne) {
  ContactScene scene(2);
  test::add_curve(scene, 0, 8, 1, false, test::through({{0, 0}, {1, 0}}));
  test::add_curve(scene, 1, 31, 1, false, test::through({{0, 1}, {1, 1}}));
  EXPECT_EQ(divisions_of(scene.facets, scene.X.data(), 8), (std::array{31, 8}));
  ContactScene curved(2);
  test::add_curve(curved, 0, 8, 2, false, test::through({{0, 0}, {1, 0}}));
  test::add_curve(curved, 1, 31, 1, false, test::through({{0, 1}, {1, 1}}));
  EXPECT_EQ(divisions_of(curved.facets, curved.X.data(), 8), (std::array{32, 8}));
}

// No sample is without a weight: it would be pressed by nothing.
TEST(ContactSurface, FewestSamplesHaveWeights) {
  for (const Shape shape : {Shape::triangle, Shape::quadrilateral})
    for (const int order : {1, 2}) {
      ContactScene scene(3);
      for (const int side : {0, 1}) test::add_patch(scene, side, 2, 3, {shape, order}, [&](double x, double y) { return std::array{x, y, 0.1 * side}; });
      const ContactSurface surface = scene.surface(divisions_of(scene.facets, scene.X.data(), 1));
      const SurfaceMeasure measure(surface);
      std::vector<double> weight(measure.size());
      measure.values(scene.X.data(), weight.data());
      EXPECT_GT(std::ranges::min(weight), 1e-4) << name_of(shape) << order;
    }
}

TEST(ContactSurface, FacetsOfRegionsAreThoseOfTheMesh) {
  const Mesh mesh = make_box({0, 0, 0}, {1, 1, 1}, {2, 2, 2}, Shape::hexahedron);
  const ContactFacets facets = facets_of_regions(mesh, {"left", "bottom"}, {"right"});
  EXPECT_EQ(facets.sides[0][0].count(), 8);
  EXPECT_EQ(facets.sides[1][0].count(), 4);
  EXPECT_THROW(facets_of_regions(mesh, {"nowhere"}, {}), std::invalid_argument);
  EXPECT_THROW(facets_of_regions(mesh, {"body"}, {}), std::invalid_argument);
  EXPECT_THROW(facets_of_regions(mesh, {"left"}, {"left", "right"}), std::invalid_argument);
  EXPECT_THROW(make_contact_surface(facets_of_regions(mesh, {"left"}, {}), mesh.coordinates.data(), {0, 0}),
               std::invalid_argument);
}

/// Distance from a point to a piece, without the merging in the tested code.
template <int D>
double distance_to_piece(const ContactSurface& surface, const SurfacePosition& at, const Vector<double, D>& x,
                         int piece) {
  const auto& v = surface.pieces[piece];
  const Vector<double, D> r = x - at.at<D>(v[0]), e = at.difference<D>(v[1], v[0]);
  if constexpr (D == 2)
    return norm(way_to_segment(r, e));
  else
    return norm(way_to_triangle(r, e, at.difference<3>(v[2], v[0])));
}

/// Σ σ b of the signed pairs of single points (side 1: tiny facets) against b of the nearest point alone.
template <int D>
void expect_single_count(ContactScene scene, std::array<int, 2> divisions, double d_hat,
                         const std::function<Vector<double, D>(Random&)>& outside) {
  Random random(11);
  const int n_points = 60, before = scene.n_nodes();
  std::vector<Vector<double, D>> points;
  CellBlock block{{D == 2 ? Shape::segment : Shape::triangle, 1}, {}, n_points};
  for (int i = 0; i < n_points; ++i) {
    points.push_back(outside(random));
    for (int k = 0; k < D; ++k) {
      block.nodes.push_back(before + i * D + k);
      for (int d = 0; d < D; ++d) scene.X.push_back(points.back()[d] + (k == d + 1 ? 1e-13 : 0));
    }
  }
  scene.facets.sides[1].push_back(block);
  const ContactSurface surface = scene.surface(divisions);
  const SurfacePosition at = surface.position(scene.X.data(), nullptr);
  CandidateSearch search(surface, at);
  ActivePairs pairs;
  find_active_pairs(surface, search.near(at, d_hat), at, d_hat, pairs);
  std::vector<double> sum(surface.n_samples, 0);
  for (int kind = 0; kind < 3; ++kind)
    for (const ActivePair& pair : pairs.of_kind[kind])
      sum[pair.first] += pair.sign * barrier(distance_of(surface, static_cast<PairKind>(kind), pair, at), d_hat);
  int touching = 0;
  for (int i = 0; i < n_points; ++i) {
    const int facet = surface.n_facets() - n_points + i;
    const int sample = surface.facet_sample[surface.facet_sample_begin[facet]];
    double nearest = 1e300;
    for (int p = surface.piece_begin[0]; p < surface.piece_begin[1]; ++p)
      nearest = std::min(nearest, distance_to_piece<D>(surface, at, points[i], p));
    EXPECT_NEAR(sum[sample], barrier(nearest, d_hat), 1e-12 * d_hat + 1e-10 * std::abs(sum[sample])) << i;
    touching += nearest < d_hat;
  }
  EXPECT_GT(touching, n_points / 2);
}

TEST(SingleCount, HoldsOnConvexCurvesAndOnLinesWithEnds) {
  const auto around = [](Random& random) {
    const double r = random(1.001, 1.25), angle = random(-4, 4);
    return Vector<double, 2>{r * std::cos(angle), r * std::sin(angle)};
  };
  for (int order : {1, 2}) {
    ContactScene circle(2);
    test::add_curve(circle, 0, 24, order, true, test::on_circle);
    expect_single_count<2>(circle, {8, 1}, 0.3, around);
  }
  ContactScene line(2);
  test::add_curve(line, 0, 7, 1, false, test::through({{0, 0}, {1, 0}}));
  expect_single_count<2>(line, {4, 1}, 0.5, [](Random& random) {
    return Vector<double, 2>{random(-0.3, 1.3), random(0.01, 0.4)};
  });
}

TEST(SingleCount, HoldsOnPatchesWithBordersAndOnClosedConvexSurfaces) {
  for (const CellType type :
       {CellType{Shape::triangle, 1}, CellType{Shape::quadrilateral, 1}, CellType{Shape::triangle, 2}}) {
    ContactScene patch(3);
    test::add_patch(patch, 0, 4, 3, type, [](double x, double y) { return std::array{x, y, 0.0}; });
    expect_single_count<3>(patch, {2, 1}, 0.5, [](Random& random) {
      return Vector<double, 3>{random(-0.3, 1.3), random(-0.3, 1.3), random(0.01, 0.4)};
    });
  }
  for (const Shape shape : {Shape::tetrahedron, Shape::hexahedron}) {
    const Mesh box = make_box({0, 0, 0}, {1, 1, 1}, {3, 3, 3}, shape);
    expect_single_count<3>(test::skin_of(box, {"left", "right", "top", "bottom", "front", "back"}), {2, 1}, 0.8,
                           [](Random& random) {
                             Vector<double, 3> x{random(-0.3, 1.3), random(-0.3, 1.3), random(-0.3, 1.3)};
                             const int d = static_cast<int>(random(0, 2.999));
                             x[d] = random() > 0 ? 1 + random(0.01, 0.3) : -random(0.01, 0.3);
                             return x;
                           });
  }
}

/// Pairs of a surface with itself at rest.
std::size_t rest_pairs(const ContactScene& scene, int divisions, double d_hat) {
  const ContactSurface surface = scene.surface({divisions, divisions});
  const SurfacePosition at = surface.position(scene.X.data(), nullptr);
  CandidateSearch search(surface, at);
  ActivePairs pairs;
  find_active_pairs(surface, search.near(at, d_hat), at, d_hat, pairs);
  return pairs.size();
}

TEST(SelfContact, FlatAndConvexSurfacesDoNotPressAtRestHoweverFarTheBarrierReaches) {
  ContactScene line(2);
  test::add_curve(line, 0, 9, 1, false, test::through({{0, 0}, {1, 0}}));
  EXPECT_EQ(rest_pairs(line, 8, 0.5), 0u);
  for (const int order : {1, 2}) {
    ContactScene circle(2);
    test::add_curve(circle, 0, 20, order, true, test::on_circle);
    EXPECT_EQ(rest_pairs(circle, 8, 0.5), 0u) << order;
  }
  for (const CellType type :
       {CellType{Shape::triangle, 1}, CellType{Shape::quadrilateral, 1}, CellType{Shape::triangle, 2}}) {
    ContactScene patch(3);
    test::add_patch(patch, 0, 4, 4, type, [](double x, double y) { return std::array{x, y, 0.0}; });
    EXPECT_EQ(rest_pairs(patch, 3, 0.6), 0u);
  }
}

TEST(SelfContact, NeighboursAroundAnOpenCornerDoNotPressButLipsDo) {
  // For legs at a right angle the closest points are at the corner, whose pairs are excluded; at 60° the nodes next to the corner,
  // 1/8 from it, are closest to the other leg, as samples between them and the corner are excluded.
  ContactScene right(2), acute(2);
  test::add_curve(right, 0, 16, 1, false, test::through({{1, 0}, {0, 0}, {0, 1}}));
  EXPECT_EQ(rest_pairs(right, 8, 0.5), 0u);
  test::add_curve(acute, 0, 16, 1, false, test::through({{1, 0}, {0, 0}, {0.5, std::sqrt(0.75)}}));
  const double least = std::sqrt(0.75) / 8;
  EXPECT_EQ(rest_pairs(acute, 8, 0.999 * least), 0u);
  EXPECT_GT(rest_pairs(acute, 8, 1.001 * least), 0u);
  // A slot of width 0.1.
  ContactScene slot(2);
  test::add_curve(slot, 0, 30, 1, false, test::through({{0, 1}, {0, 0}, {0.1, 0}, {0.1, 1}}));
  EXPECT_EQ(rest_pairs(slot, 8, 0.099), 0u);
  EXPECT_GT(rest_pairs(slot, 8, 0.101), 0u);
}

}  // namespace
}  // namespace invar
