#include "libfem/contact/contact_step.hpp"

#include <gtest/gtest.h>

#include "libfem/contact/rest_check.hpp"
#include "tests/unit/contact/scenes.hpp"

namespace invar {
namespace {

using test::ContactScene;
using test::Random;
using Nodes = std::vector<double>;

/// Moves the nodes of `side` by `total` in steps that `limit_step` allows, and checks that nothing intersects. Returns the fraction
/// of the motion: after ten steps 10⁻¹⁰ of a gap is left.
double push(const ContactScene& scene, const ContactSurface& surface, const Nodes& total, int most_steps = 10) {
  const int dim = scene.facets.dim;
  Nodes u(scene.X.size(), 0), increment(u.size()), step(static_cast<std::size_t>(surface.n_samples) * dim);
  CandidateSearch search(surface, surface.position(scene.X.data(), nullptr));
  double done = 0;
  for (int i = 0; i < most_steps && done < 1; ++i) {
    for (std::size_t k = 0; k < u.size(); ++k) increment[k] = total[k] * (1 - done);
    surface.interpolate(increment.data(), dim, step.data());
    const SurfacePosition at = surface.position(scene.X.data(), u.data());
    const ContactStep limit = limit_step(surface, search, at, step.data());
    EXPECT_GE(limit.fraction, 0);
    for (std::size_t k = 0; k < u.size(); ++k) u[k] += limit.fraction * increment[k];
    done += limit.fraction * (1 - done);
    EXPECT_TRUE(find_overlaps(surface, search, surface.position(scene.X.data(), u.data()), 0).empty()) << "step " << i;
    if (limit.fraction == 1) return 1;
  }
  return done;
}

/// Every node of side 1 moves by this, and the others not.
Nodes motion_of_second(const ContactScene& scene, std::array<double, 3> way) {
  Nodes total(scene.X.size(), 0);
  const int dim = scene.facets.dim;
  for (const CellBlock& block : scene.facets.sides[1])
    for (int node : block.nodes)
      for (int d = 0; d < dim; ++d) total[node * dim + d] = way[d];
  return total;
}

TEST(ContactStep, StopsAtNineTenthsOfTheWay) {
  ContactScene scene(2);
  test::add_curve(scene, 0, 10, 1, false, test::through({{0, 0}, {1, 0}}));
  test::add_curve(scene, 1, 7, 1, false, test::through({{0.1, 0.3}, {0.9, 0.2}}));
  const ContactSurface surface = scene.surface({8, 8});
  const SurfacePosition at = surface.position(scene.X.data(), nullptr);
  CandidateSearch search(surface, at);
  Nodes step(2 * surface.n_samples);
  surface.interpolate(motion_of_second(scene, {0.05, -0.4, 0}).data(), 2, step.data());
  const ContactStep limit = limit_step(surface, search, at, step.data());
  EXPECT_NEAR(limit.fraction, 0.9 * 0.5, 1e-3);  // its lower end comes down by 0.4, from 0.2
  EXPECT_NEAR(limit.place[0], 0.9 + 0.05 * limit.fraction, 1e-12);
  EXPECT_NEAR(limit.place[1], 0.2 - 0.4 * limit.fraction, 1e-12);
  surface.interpolate(motion_of_second(scene, {0.05, -0.17, 0}).data(), 2, step.data());
  EXPECT_EQ(limit_step(surface, search, at, step.data()).fraction, 1);
  for (const double way : {0.19, 0.1999999, 0.2}) {  // would leave less than a tenth of the gap, or nothing
    surface.interpolate(motion_of_second(scene, {0.05, -way, 0}).data(), 2, step.data());
    EXPECT_NEAR(limit_step(surface, search, at, step.data()).fraction, 0.9 * 0.2 / way, 1e-3);
  }
}

/// A body that moves by many times the size of its pieces, and a scene that moves as a whole.
TEST(ContactStep, FollowsLongSteps) {
  ContactScene scene(2);
  test::add_curve(scene, 0, 50, 1, false, test::through({{0, 0}, {1, 0}}));
  test::add_curve(scene, 1, 20, 1, false, test::through({{0.4, 0.7}, {0.5, 0.6}, {0.6, 0.7}}));
  const ContactSurface surface = scene.surface({2, 2});
  const SurfacePosition at = surface.position(scene.X.data(), nullptr);
  CandidateSearch search(surface, at);
  Nodes step(2 * surface.n_samples);
  surface.interpolate(motion_of_second(scene, {0.1, -1.5, 0}).data(), 2, step.data());
  EXPECT_NEAR(limit_step(surface, search, at, step.data()).fraction, 0.9 * 0.4, 1e-3);
  surface.interpolate(motion_of_second(scene, {0.1, 1.5, 0}).data(), 2, step.data());
  EXPECT_EQ(limit_step(surface, search, at, step.data()).fraction, 1);
  for (std::size_t i = 0; i < step.size(); ++i) step[i] = 1e6;
  EXPECT_EQ(limit_step(surface, search, at, step.data()).fraction, 1);
  surface.interpolate(motion_of_second(scene, {0, 1e9, 0}).data(), 2, step.data());
  const ContactStep far = limit_step(surface, search, at, step.data());
  EXPECT_LT(far.fraction, 1e-7);
  EXPECT_GT(far.fraction, 1e-9);
  EXPECT_EQ(far.pair[0], -1);
  step[7] = std::nan("");
  EXPECT_EQ(limit_step(surface, search, at, step.data()).fraction, 0);
}

/// Wires that cross: no vertex comes near the other one.
TEST(ContactStep, SeesEdgesThatCross) {
  ContactScene scene(3);
  for (int side = 0; side < 2; ++side)
    test::add_patch(scene, side, 1, 1, {Shape::triangle, 1}, [&](double x, double y) {
      const double along = 10 * (x - 0.5), up = 0.1 * y + 0.3 * side;
      return side ? std::array{0.3, along, 0.2 + 0.1 * y} : std::array{along, 0.0, up - 0.1};
    });
  const ContactSurface surface = scene.surface({1, 1});
  const SurfacePosition at = surface.position(scene.X.data(), nullptr);
  CandidateSearch search(surface, at);
  Nodes step(3 * surface.n_samples);
  surface.interpolate(motion_of_second(scene, {0, 0, -0.5}).data(), 3, step.data());
  const ContactStep limit = limit_step(surface, search, at, step.data());
  EXPECT_TRUE(limit.edges);
  EXPECT_NEAR(limit.fraction, 0.9 * 0.2 / 0.5, 1e-3);
}

// The scenes of Erleben (2018), "Methodology for assessing mesh-based contact point methods": parts that fit into each other
// without a gap, for which methods that need a normal or a penetration depth fail.

TEST(TortureScenes, SpikesMeet) {
  const auto spike = [](double tip, double width) {
    return [=](double x, double y) {
      const double r = std::max(std::abs(2 * x - 1), std::abs(2 * y - 1));
      return std::array{width * (x - 0.5), width * (y - 0.5), tip * (1 - r)};
    };
  };
  for (const double shift : {0.0, 1e-9, 0.01}) {  // tip on tip, and tip beside tip
    ContactScene scene(3);
    test::add_patch(scene, 0, 4, 4, {Shape::triangle, 1}, spike(1, 0.4));
    const auto upper = spike(-1, 0.4);
    test::add_patch(scene, 1, 4, 4, {Shape::triangle, 1}, [&](double x, double y) {
      auto p = upper(x, y);
      p[0] += shift, p[2] += 2.01;
      return p;
    });
    const double done = push(scene, scene.surface({1, 1}), motion_of_second(scene, {0, 0, -1.5}));
    EXPECT_GT(done, 0.009 / 1.5) << shift;
    EXPECT_LT(done, shift < 1e-3 ? 0.0101 / 1.5 : 0.1) << shift;
  }
}

TEST(TortureScenes, SpikeEntersAHole) {
  ContactScene scene(3);  // a pyramid above a pit of the same shape, with a tiny gap
  const auto pit = [](double lift) {
    return [=](double x, double y) {
      const double r = std::max(std::abs(2 * x - 1), std::abs(2 * y - 1));
      return std::array{x - 0.5, y - 0.5, -0.8 * (1 - r) + lift};
    };
  };
  test::add_patch(scene, 0, 4, 4, {Shape::triangle, 1}, pit(0));
  test::add_patch(scene, 1, 4, 4, {Shape::triangle, 1}, pit(0.5));
  const double done = push(scene, scene.surface({1, 1}), motion_of_second(scene, {0, 0, -1}));
  EXPECT_GT(done, 0.499);
  EXPECT_LT(done, 0.5 + 1e-9);
}

TEST(TortureScenes, WedgeIsDrivenIntoACrack) {
  for (const double turn : {0.0, 0.3}) {
    ContactScene scene(2);
    const double c = std::cos(turn), s = std::sin(turn);
    const auto turned = [&](std::vector<std::array<double, 2>> corners) {
      for (auto& p : corners) p = {c * p[0] - s * p[1], s * p[0] + c * p[1]};
      return test::through(corners);
    };
    test::add_curve(scene, 0, 30, 1, false, turned({{-1, 0}, {-0.01, 0}, {0, -1}, {0.01, 0}, {1, 0}}));
    test::add_curve(scene, 1, 9, 1, false, turned({{-0.05, 1.2}, {0, 0.2}, {0.05, 1.2}}));
    const double done = push(scene, scene.surface({4, 4}), motion_of_second(scene, {1.4 * s, -1.4 * c, 0}));
    EXPECT_GT(done, 0.2 / 1.4);
    EXPECT_LT(done, 1);
  }
}

TEST(TortureScenes, CrackClosesAndItsLipsDoNotPass) {
  ContactScene scene(2);  // one side that may touch itself
  test::add_curve(scene, 0, 40, 1, false, test::through({{-1, 0}, {-0.05, 0}, {0, -1}, {0.05, 0}, {1, 0}}));
  Nodes total(scene.X.size(), 0);
  for (std::size_t i = 0; i < total.size(); i += 2) total[i] = scene.X[i] < 0 ? 0.2 : scene.X[i] > 0 ? -0.2 : 0;
  const double done = push(scene, scene.surface({4, 4}), total);
  EXPECT_GT(done, 0.01);
  EXPECT_LT(done, 0.26);  // lips, 0.1 apart, meet at 0.25; further down earlier
}

TEST(TortureScenes, CrumpledSurfacesAreStirred) {
  for (const bool self : {false, true}) {
    const ContactScene scene = test::crumpled(3, self, 3, 0.3);
    const ContactSurface surface = scene.surface({1, 1});
    CandidateSearch search(surface, surface.position(scene.X.data(), nullptr));
    ASSERT_TRUE(find_overlaps(surface, search, surface.position(scene.X.data(), nullptr), 0).empty());
    Random random(21);
    Nodes u(scene.X.size(), 0), increment(u.size()), step(3 * surface.n_samples);
    int limited = 0;
    for (int i = 0; i < 40; ++i) {
      for (double& x : increment) x = 0.1 * random();
      surface.interpolate(increment.data(), 3, step.data());
      const ContactStep limit = limit_step(surface, search, surface.position(scene.X.data(), u.data()), step.data());
      limited += limit.fraction < 1;
      for (std::size_t k = 0; k < u.size(); ++k) u[k] += limit.fraction * increment[k];
      EXPECT_TRUE(find_overlaps(surface, search, surface.position(scene.X.data(), u.data()), 0).empty()) << i;
    }
    EXPECT_GT(limited, 5);
  }
}

}  // namespace
}  // namespace invar
