// Quantities along a body's surface: derivatives as mesh-independent densities, vorticity, enclosed area and volume.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "libfem/design/boundary/surface_density.hpp"
#include "libfem/objective/geometry_forms.hpp"
#include "libfluid/mesh_motion/elastic_motion.hpp"
#include "libfluid/objective/wall_vorticity.hpp"
#include "tests/unit/flow/shape_flow.hpp"

namespace invar {
namespace {

using std::numbers::pi;

/// Of a functional's derivative by all coordinates: along the body, per length, the mesh following.
std::vector<double> density_of(const test::ShapeFlow& flow, const std::vector<double>& x_bar) {
  ElasticMotion motion(flow.mesh, PETSC_COMM_WORLD, {.moving = {"body"}});
  std::vector<double> coordinates, by_boundary, density;
  EXPECT_TRUE(motion.move(std::vector<double>(flow.mesh->coordinates.size(), 0.0), coordinates).ok);
  EXPECT_TRUE(motion.vjp(x_bar, by_boundary).ok);
  const Evaluation e = surface_density(flow.mesh, "body", coordinates, by_boundary, false, density);
  EXPECT_TRUE(e.ok) << e.reason;
  return density;
}

std::vector<double> gradient_by_coordinates(const test::ShapeFlow& flow, int quantity) {
  Controls d_bar(flow.residual->controls().size());
  const int control = flow.residual->coordinates_control();
  d_bar[control].assign(flow.mesh->coordinates.size(), 0.0);
  EXPECT_TRUE(flow.process->quantity_gradient(flow.process->terms()[quantity], d_bar).converged);
  return d_bar[control];
}

/// visit(place, g): the density at the body's nodes.
template <class Visit>
void for_body(const test::ShapeFlow& flow, const std::vector<double>& g, Visit&& visit) {
  for (int node : flow.mesh->find_region("body")->nodes)
    visit(&flow.mesh->coordinates[2 * std::size_t(node)], &g[2 * std::size_t(node)]);
}

double over_ranks(double v) {
  MPI_Allreduce(MPI_IN_PLACE, &v, 1, MPI_DOUBLE, MPI_MAX, PETSC_COMM_WORLD);
  return v;
}

constexpr double radius = 0.3;
test::ShapeFlowOptions around_disc(int n_t) {
  test::ShapeFlowOptions o;
  o.a = o.b = radius;
  o.y = 0;
  o.turned = 0;
  o.n_t = n_t;
  o.n_r = n_t / 4;
  o.convection = false;
  o.viscosity = 1;
  o.all_move = false;
  return o;
}

// The density of the fluid's volume is the normal towards the body's interior.
TEST(ShapeSurface, DensityOfTheVolumeIsTheNormal) {
  const auto error = [](int n_t) {
    test::ShapeFlow flow(around_disc(n_t), test::rigid_motion());
    flow.at(flow.functional->start());
    const std::vector<double> g = density_of(flow, gradient_by_coordinates(flow, test::ShapeFlow::volume));
    double worst = 0;
    for_body(flow, g, [&](const double* x, const double* v) {
      worst = std::max(worst, std::hypot(v[0] + x[0] / radius, v[1] + x[1] / radius));
    });
    return over_ranks(worst);
  };
  const double coarse = error(16), fine = error(32);
  EXPECT_LT(fine, 2e-3);
  EXPECT_GT(std::log2(coarse / fine), 1.9);
}

// Hadamard's formula (Pironneau, J. Fluid Mech. 59, 1973): in creeping flow the dissipation changes by
// ∫ −μ (∂u/∂n)² (δx·n) dA with n out of the fluid when a wall moves; |∂u/∂n| is the vorticity there.
TEST(ShapeSurface, DensityOfTheDissipationIsHadamards) {
  const auto error = [](int n_t) {
    test::ShapeFlow flow(around_disc(n_t), test::rigid_motion());
    flow.at(flow.functional->start());
    const std::vector<double> g = density_of(flow, gradient_by_coordinates(flow, test::ShapeFlow::dissipation));
    const LocalArray u(flow.process->state(0));
    auto wall = wall_vorticity(flow.residual->dofs(), u.data(), flow.mesh->coordinates.data(), FlowKind::planar, "body");
    double most = 0, worst = 0;
    for (const WallVorticity& w : wall) most = std::max(most, w.magnitude);
    for_body(flow, g, [&](const double* x, const double* v) {
      // Between the two nearest quadrature points.
      std::ranges::sort(wall, {}, [&](const WallVorticity& w) { return std::hypot(w.x[0] - x[0], w.x[1] - x[1]); });
      const double d0 = std::hypot(wall[0].x[0] - x[0], wall[0].x[1] - x[1]), d1 = std::hypot(wall[1].x[0] - x[0], wall[1].x[1] - x[1]);
      const double vorticity = (d1 * wall[0].magnitude + d0 * wall[1].magnitude) / (d0 + d1);
      const double along_normal = -(v[0] * x[0] + v[1] * x[1]) / radius;
      worst = std::max(worst, std::abs(along_normal + vorticity * vorticity) / (most * most));
    });
    return over_ranks(worst);
  };
  const double coarse = error(48), fine = error(96);
  EXPECT_LT(fine, 0.03);
  EXPECT_GT(std::log2(coarse / fine), 1.4);  // of pointwise values, of which one is a derivative
}

// u = ω × x turns as one: the vorticity is 2 ω all over, on curved cells too.
TEST(ShapeSurface, VorticityOfARigidRotationIsTwiceItsRate) {
  test::ShapeFlowOptions o = around_disc(16);
  o.shape = Shape::triangle;
  test::ShapeFlow flow(o, test::rigid_motion());
  const DofMap& dofs = flow.residual->dofs();
  VecHandle state = dofs.create_vector();
  double* a = nullptr;
  check(VecGetArray(state, &a));
  for (int n = 0; n < flow.mesh->n_owned_nodes; ++n) {
    const double* x = &flow.mesh->coordinates[2 * std::size_t(n)];
    a[dofs.dof(n, 0)] = -1.5 * x[1], a[dofs.dof(n, 1)] = 1.5 * x[0];
  }
  check(VecRestoreArray(state, &a));
  const LocalArray u(state);
  const auto wall = wall_vorticity(dofs, u.data(), flow.mesh->coordinates.data(), FlowKind::planar, "body");
  double length = 0;
  for (const WallVorticity& w : wall) {
    EXPECT_NEAR(w.magnitude, 3, 1e-12);
    EXPECT_NEAR(std::hypot(w.x[0], w.x[1]), radius, 1e-4);
    length += w.area;
  }
  EXPECT_NEAR(length, 2 * pi * radius, 1e-4);
  EXPECT_NEAR(relative_deviation(wall), 0, 1e-12);
  EXPECT_NEAR(relative_deviation({{{}, 1, 1}, {{}, 3, 5}}), std::sqrt(3.0) / 4, 1e-14);
}

TEST(ShapeSurface, PointsAwayFromTheEndsOfAWall) {
  std::vector<WallVorticity> wall;
  for (int i = 0; i <= 8; ++i) wall.push_back({{0, 4.0 * i - 3, 0}, 1, double(i)});
  const auto first_and_last = [&](double margin) {
    const auto inner = away_from_ends(wall, 1, margin);
    return std::array{inner.front().magnitude, inner.back().magnitude, double(inner.size())};
  };
  EXPECT_EQ(first_and_last(0), (std::array{0.0, 8.0, 9.0}));
  EXPECT_EQ(first_and_last(0.125), (std::array{1.0, 7.0, 7.0})) << "points at the margin count";
  EXPECT_EQ(first_and_last(0.2), (std::array{2.0, 6.0, 5.0}));
  EXPECT_EQ(away_from_ends(wall, 0, 0.1).size(), 9u) << "along an axis that the wall does not extend in";
}

// The ellipse in the channel, by its boundary alone: area and centroid.
TEST(ShapeSurface, EnclosesTheEllipse) {
  test::ShapeFlowOptions o;
  o.n_t = 64;
  o.x = 0.15;
  o.shape = Shape::triangle;
  test::ShapeFlow flow(o, test::rigid_motion());
  const auto dofs = flow.residual->dof_map();
  const auto facets = [&] { return CellBatches::on_facets(dofs, "body", 8); };
  const VecHandle any = dofs->create_vector();
  const LocalArray u(any);
  const auto value = [&](const std::unique_ptr<WeakForm>& form) {
    double v = form->value({u.data(), flow.mesh->coordinates.data()});
    MPI_Allreduce(MPI_IN_PLACE, &v, 1, MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD);
    return v;
  };
  const double area = pi * o.a * o.b, place[] = {o.x, o.y};
  for (const int i : {0, 1}) {
    EXPECT_NEAR(value(make_enclosed_volume(false, {i, 3.0}, facets())), area, 1e-6 * area);
    for (const int j : {0, 1}) EXPECT_NEAR(value(make_enclosed_moment(false, i, {j, 3.0}, facets())), place[i] * area, 1e-6 * area);
  }
}

// A cylinder of radius 2 and height 3/2, seen from inside: its own boundary encloses minus its volume.
TEST(ShapeSurface, EnclosesVolumesOfRevolution) {
  const auto mesh = std::make_shared<const Mesh>(distribute(make_rectangle(0, 0.5, 2, 2, 4, 3, Shape::quadrilateral, 2), PETSC_COMM_WORLD));
  const auto dofs = std::make_shared<const DofMap>(mesh, std::vector<Component>{{"u", 1}}, PETSC_COMM_WORLD);
  const VecHandle any = dofs->create_vector();
  const LocalArray u(any);
  for (const VolumeAxis axis : {VolumeAxis{0, 0}, VolumeAxis{1, 0}, VolumeAxis{1, 3}}) {
    double volume = 0, moment = 0;
    for (const char* side : {"left", "right", "bottom", "top"}) {
      const auto facets = [&] { return CellBatches::on_facets(dofs, side, 8); };
      volume += make_enclosed_volume(true, axis, facets())->value({u.data(), mesh->coordinates.data()});
      moment += make_enclosed_moment(true, 1, axis, facets())->value({u.data(), mesh->coordinates.data()});
    }
    for (double* v : {&volume, &moment}) MPI_Allreduce(MPI_IN_PLACE, v, 1, MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD);
    EXPECT_NEAR(volume, -pi * 4 * 1.5, 1e-11);
    EXPECT_NEAR(moment / volume, 1.25, 1e-12);
  }
}

}  // namespace
}  // namespace invar
