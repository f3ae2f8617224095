#include "libfem/contact/rest_check.hpp"

#include <gtest/gtest.h>

#include "tests/unit/contact/scenes.hpp"

namespace invar {
namespace {

using test::ContactScene;

struct AtRest {
  ContactSurface surface;
  SurfacePosition at;
  CandidateSearch search;
  AtRest(const ContactScene& scene, std::array<int, 2> divisions)
      : surface(scene.surface(divisions)), at(surface.position(scene.X.data(), nullptr)), search(surface, at) {}
};

TEST(RestCheck, NamesThePlaceWhereCurvesIntersect) {
  ContactScene scene(2);
  test::add_curve(scene, 0, 10, 1, false, test::through({{0, 0}, {1, 0}}));
  test::add_curve(scene, 1, 3, 1, false, test::through({{0.33, 0.5}, {0.33, -0.4}}));
  AtRest rest(scene, {4, 4});
  const auto found = find_overlaps(rest.surface, rest.search, rest.at, 1e-3);
  ASSERT_FALSE(found.empty());
  EXPECT_TRUE(found[0].intersects);
  EXPECT_NEAR(found[0].place[0], 0.33, 1e-12);
  EXPECT_NEAR(found[0].place[1], 0, 1e-12);
  EXPECT_EQ(found[0].facets, (std::array{3, 11}));
}

TEST(RestCheck, NamesThePlaceWhereSurfacesIntersect) {
  ContactScene scene(3);
  test::add_patch(scene, 0, 4, 4, {Shape::triangle, 1}, [](double x, double y) { return std::array{x, y, 0.0}; });
  test::add_patch(scene, 1, 1, 1, {Shape::triangle, 1}, [](double x, double y) { return std::array{0.3, y, x - 0.4}; });
  AtRest rest(scene, {1, 1});
  const auto found = find_overlaps(rest.surface, rest.search, rest.at, 1e-3, 1000);
  ASSERT_GT(found.size(), 3u);
  EXPECT_TRUE(found[0].intersects);
  for (const Overlap& overlap : found) {
    EXPECT_NEAR(overlap.place[0], 0.3, 1e-12);
    EXPECT_NEAR(overlap.place[2], 0, overlap.intersects ? 1e-12 : 1e-3);
  }
  EXPECT_EQ(find_overlaps(rest.surface, rest.search, rest.at, 1e-3, 2).size(), 2u);
}

TEST(RestCheck, FindsWhatIsTooNear) {
  ContactScene scene(3);
  test::add_patch(scene, 0, 4, 4, {Shape::triangle, 1}, [](double x, double y) { return std::array{x, y, 0.0}; });
  test::add_patch(scene, 1, 3, 3, {Shape::triangle, 1}, [](double x, double y) {
    return std::array{x, y, 0.01 + 0.3 * (x - 0.2) * (x - 0.2)};
  });
  AtRest rest(scene, {2, 2});
  EXPECT_TRUE(find_overlaps(rest.surface, rest.search, rest.at, 0.0099).empty());
  const auto found = find_overlaps(rest.surface, rest.search, rest.at, 0.05);
  ASSERT_FALSE(found.empty());
  EXPECT_FALSE(found[0].intersects);
  const double smallest = smallest_distance(rest.surface, rest.search, rest.at, 0.1);
  EXPECT_NEAR(found[0].distance, smallest, 1e-15);
  EXPECT_GT(smallest, 0.01);
  EXPECT_LT(smallest, 0.03);
  EXPECT_EQ(smallest_distance(rest.surface, rest.search, rest.at, 1e-3), 1e-3);
}

TEST(RestCheck, DefaultDistanceIsSmallAgainstBodyAndGap) {
  const auto of = [](double gap) {
    ContactScene scene(2);  // the smaller side has the diagonal √0.5
    test::add_curve(scene, 0, 40, 1, false, test::through({{-5, 0}, {5, 0}}));
    test::add_curve(scene, 1, 4, 1, false, test::through({{0, gap + 0.5}, {0, gap}, {0.5, gap}}));
    AtRest rest(scene, {8, 8});
    return default_distance(rest.surface, rest.search, rest.at);
  };
  EXPECT_NEAR(of(0.1), 1e-3 * std::sqrt(0.5), 1e-15);
  EXPECT_NEAR(of(1e-4), 0.5e-4, 1e-15);
}

}  // namespace
}  // namespace invar
