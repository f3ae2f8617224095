// Mesh motion: refusals with their messages, and correct results afterwards.
#include <cmath>
#include <set>
#include <stdexcept>

#include "libfem/design/boundary/free_boundary.hpp"
#include "libfem/mesh/airfoil_mesh.hpp"
#include "libfem/mesh/boxes.hpp"
#include "libfem/mesh/cell_quality.hpp"
#include "libfem/mesh/mark_cells.hpp"
#include "libfem/mesh/mark_interface.hpp"
#include "libfluid/mesh_motion/elastic_motion.hpp"
#include "tests/unit/flow/shape_flow.hpp"

namespace invar {
namespace {

using test::ShapeFlow, test::ShapeFlowOptions;

/// Displacements of all nodes by their places.
std::vector<double> nodal(const Mesh& mesh, const std::function<void(const double* x, double* w)>& f) {
  std::vector<double> b(mesh.coordinates.size());
  for (int n = 0; n < mesh.node_total(); ++n)
    f(&mesh.coordinates[std::size_t(n) * mesh.dim], &b[std::size_t(n) * mesh.dim]);
  return b;
}

std::shared_ptr<const Mesh> channel() {
  return std::make_shared<const Mesh>(
      distribute(gradient_test::channel_mesh({Shape::triangle, 2}, 2), PETSC_COMM_WORLD));
}

MeshMotionOptions moving(const std::string& region) {
  MeshMotionOptions options;
  options.moving = {region};
  return options;
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::abs(a[i] - b[i]));
  MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_DOUBLE, MPI_MAX, PETSC_COMM_WORLD);
  return worst;
}

TEST(MeshMotion, FollowsItsBoundaryAndStaysWhereItIsHeld) {
  const auto mesh = channel();
  ElasticMotion motion(mesh, PETSC_COMM_WORLD, moving("body"));
  const auto b = nodal(*mesh, [](const double* x, double* w) { w[0] = 0.1, w[1] = 0.05 * x[0]; });
  std::vector<double> x;
  const Evaluation e = motion.move(b, x);
  ASSERT_TRUE(e.ok) << e.reason;
  for (const Region& r : mesh->regions) {
    if (r.dim != 1) continue;
    for (int node : r.nodes)
      for (int i = 0; i < 2; ++i) {
        const std::size_t k = 2 * std::size_t(node) + i;
        EXPECT_NEAR(x[k], mesh->coordinates[k] + (r.name == "body" ? b[k] : 0), 1e-12) << r.name;
      }
  }
  EXPECT_GT(motion.quality(), 0.1);
}

// The surface of a body in a fluid that a turbulence model needs as a region, and the spec does not name: meshes and free boundaries move as without it.
TEST(MeshMotion, DoesNotHoldMarkedInterfaces) {
  const auto mesh = [](bool marked) {
    Mesh serial = make_rectangle(0, 0, 2, 1, 8, 4, Shape::triangle);
    const auto in_body = [](double x, double y, double) { return x > 0.5 && x < 1 && y < 0.5; };
    mark_cells(serial, "gel", in_body);
    mark_cells(serial, "water", [&](double x, double y, double z) { return !in_body(x, y, z); });
    mark_interface(serial, "skin", "gel");
    if (marked) mark_interface(serial, interface_name("water"), "water");
    return std::make_shared<const Mesh>(distribute(serial, PETSC_COMM_WORLD));
  };
  const std::shared_ptr<const Mesh> meshes[] = {mesh(false), mesh(true)};
  for (const auto method : {MeshMotionOptions::Method::elastic, MeshMotionOptions::Method::inverse_distance})
    for (const char* region : {"bottom", "skin"}) {
      std::vector<double> x[2];
      for (const bool marked : {false, true}) {
        MeshMotionOptions options = moving(region);
        options.method = method;
        const auto motion = make_mesh_motion(meshes[marked], PETSC_COMM_WORLD, options);
        const Evaluation e = motion->move(nodal(*meshes[marked], [](const double* at, double* w) { w[1] = 0.1 * at[0] * (2 - at[0]); }), x[marked]);
        ASSERT_TRUE(e.ok) << e.reason;
      }
      EXPECT_GT(distance(x[0], meshes[0]->coordinates), 0.05);
      EXPECT_LT(distance(x[0], x[1]), 1e-13) << region;
    }
  std::vector<double> b[2];
  for (const bool marked : {false, true}) {
    FreeBoundary skin(meshes[marked], PETSC_COMM_WORLD, {.region = "skin", .smoothing = 0.1, .largest = 0});
    DesignVector theta = skin.start();
    std::ranges::fill(theta.local, 0.1);
    b[marked].assign(meshes[marked]->coordinates.size(), 0.0);
    ASSERT_TRUE(skin.displace(theta, b[marked]).ok);
  }
  EXPECT_GT(distance(b[0], std::vector<double>(b[0].size(), 0.0)), 0.05);
  EXPECT_LT(distance(b[0], b[1]), 1e-13);
}

// A block of 3³ bricks of first order between sliding sides is stretched by its top: an affine motion is in equilibrium, and the sides hold no other
// mode (with one quadrature point a cell the matrix was singular).
TEST(MeshMotion, StretchesBricksBetweenSlidingSides) {
  for (const Shape shape : {Shape::hexahedron, Shape::tetrahedron}) {
    const auto mesh = std::make_shared<const Mesh>(distribute(make_box({0, 0, 0}, {1, 1, 1}, {3, 3, 3}, shape), PETSC_COMM_WORLD));
    MeshMotionOptions options = moving("top");
    for (const char* x : {"left", "right"}) options.sliding.push_back({x, 0});
    for (const char* z : {"front", "back"}) options.sliding.push_back({z, 2});
    ElasticMotion motion(mesh, PETSC_COMM_WORLD, options);
    const auto b = nodal(*mesh, [](const double* x, double* w) { w[1] = 0.2 * x[1]; });
    std::vector<double> x, x_dot;
    const Evaluation e = motion.move(b, x);
    ASSERT_TRUE(e.ok) << e.reason;
    for (int n = 0; n < mesh->node_total(); ++n)
      EXPECT_NEAR(x[3 * std::size_t(n) + 1], 1.2 * mesh->coordinates[3 * std::size_t(n) + 1], 1e-10);
    ASSERT_TRUE(motion.jvp(b, x_dot).ok);
    EXPECT_LT(distance(x_dot, b), 1e-9);
  }
}

// Motion through the wall, inverted cells, and NaN; after each the same motion as with a new object.
TEST(MeshMotion, RefusesBadMeshesAndGoesOn) {
  const auto mesh = channel();
  ElasticMotion motion(mesh, PETSC_COMM_WORLD, moving("body"));
  const auto good = nodal(*mesh, [](const double*, double* w) { w[0] = 0.08, w[1] = -0.06; });
  const auto other = nodal(*mesh, [](const double* x, double* w) { w[0] = std::cos(x[1]), w[1] = x[0]; });
  std::vector<double> expected, expected_bar;
  {
    ElasticMotion fresh(mesh, PETSC_COMM_WORLD, moving("body"));
    ASSERT_TRUE(fresh.move(good, expected).ok);
    ASSERT_TRUE(fresh.vjp(other, expected_bar).ok);
  }
  const std::pair<const char*, std::function<void(const double*, double*)>> bad[] = {
      {"through the wall", [](const double*, double* w) { w[0] = 0, w[1] = 0.9; }},
      {"mirrored", [](const double* x, double* w) { w[0] = 2 * (1.75 - x[0]), w[1] = 0; }},
      {"hardly any room left", [](const double*, double* w) { w[0] = 0, w[1] = -0.42; }},
      {"no number", [](const double*, double* w) { w[0] = NAN, w[1] = 0; }},
  };
  for (const auto& [what, f] : bad) {
    SCOPED_TRACE(what);
    std::vector<double> x, bar;
    const Evaluation e = motion.move(nodal(*mesh, f), x);
    EXPECT_FALSE(e.ok);
    EXPECT_FALSE(e.reason.empty());
    const Evaluation again = motion.move(good, x);
    ASSERT_TRUE(again.ok) << again.reason;
    EXPECT_LT(distance(x, expected), 1e-9);
    ASSERT_TRUE(motion.vjp(other, bar).ok);
    bar.resize(2 * mesh->n_owned_nodes);  // those of ghosts mean nothing
    EXPECT_LT(distance(bar, expected_bar), 1e-8);
  }
}

// An iterative solver gives its memory back after every move and tangent. Displacements and derivatives are those by factors, in any order.
TEST(MeshMotion, MovesByAnIterativeSolver) {
  const auto mesh = channel();
  const auto b = nodal(*mesh, [](const double*, double* w) { w[0] = 0.08, w[1] = -0.06; });
  const auto direction = nodal(*mesh, [](const double* x, double* w) { w[0] = std::sin(x[1]), w[1] = 0.3 * x[0]; });
  const auto weights = nodal(*mesh, [](const double* x, double* w) { w[0] = std::cos(x[1]), w[1] = x[0]; });
  struct Results {
    std::vector<double> x, x_dot, bar, bar_dot;
  };
  const auto results = [&](const char* order) {
    ElasticMotion motion(mesh, PETSC_COMM_WORLD, moving("body"));
    Results all;
    const std::vector<double> none(weights.size(), 0.0);
    std::vector<Evaluation> solves{motion.move(nodal(*mesh, [](const double*, double* w) { w[0] = 0.01, w[1] = 0.02; }), all.x),
                                   motion.move(b, all.x)};
    for (const char* next = order; *next && solves.back().ok; ++next)
      solves.push_back(*next == 't'   ? motion.jvp(direction, all.x_dot)
                       : *next == 'a' ? motion.vjp(weights, all.bar)
                                      : motion.vjp_tangent(direction, weights, none, all.bar_dot));
    for (const Evaluation& e : solves) EXPECT_TRUE(e.ok) << e.reason;
    for (auto* v : {&all.bar, &all.bar_dot}) v->resize(2 * mesh->n_owned_nodes);
    return all;
  };
  const Results expected = results("ats");
  constexpr std::pair<const char*, const char*> iterative[] = {{"-invar_motion_pc_type", "ksp"},  // not a direct method to LinearSolver
                                                               {"-invar_motion_ksp_ksp_type", "preonly"},
                                                               {"-invar_motion_ksp_pc_type", "redundant"}};
  for (const auto& [name, value] : iterative) check(PetscOptionsSetValue(nullptr, name, value));
  for (const char* order : {"ats", "tastat", "sta"}) {
    SCOPED_TRACE(order);
    const Results here = results(order);
    EXPECT_LT(distance(here.x, expected.x), 1e-9);
    EXPECT_LT(distance(here.x_dot, expected.x_dot), 1e-9);
    EXPECT_LT(distance(here.bar, expected.bar), 1e-8);
    EXPECT_LT(distance(here.bar_dot, expected.bar_dot), 1e-7);
  }
  for (const auto& [name, value] : iterative) check(PetscOptionsClearValue(nullptr, name));
}

// An almost closed ring: its ends intersect although no cell is invalid.
TEST(MeshMotion, RefusesBoundariesThatCrossThemselves) {
  Mesh serial = make_rectangle(0, 0, 1, 1, 16, 2, Shape::quadrilateral, 2);
  constexpr double opening = 0.3;  // rad
  for (int n = 0; n < serial.node_total(); ++n) {
    double* x = &serial.coordinates[2 * std::size_t(n)];
    const double angle = x[0] * (2 * std::numbers::pi - opening), radius = 2 - x[1];
    x[0] = radius * std::cos(angle), x[1] = radius * std::sin(angle);
  }
  const auto mesh = std::make_shared<const Mesh>(distribute(serial, PETSC_COMM_WORLD));
  MeshMotionOptions options;
  options.moving = {"right", "top", "bottom"};
  ElasticMotion motion(mesh, PETSC_COMM_WORLD, options);
  // Everything is drawn along by its angle, the right end by most.
  const auto close = [&](double by) {
    return nodal(*mesh, [by](const double* x, double* w) {
      double angle = std::atan2(x[1], x[0]);
      if (angle < -1e-9) angle += 2 * std::numbers::pi;
      const double share = by * angle / (2 * std::numbers::pi - opening);
      w[0] = std::cos(share) * x[0] - std::sin(share) * x[1] - x[0];
      w[1] = std::sin(share) * x[0] + std::cos(share) * x[1] - x[1];
    });
  };
  std::vector<double> x;
  ASSERT_TRUE(motion.move(close(0.5 * opening), x).ok);
  const Evaluation e = motion.move(close(1.5 * opening), x);
  EXPECT_FALSE(e.ok);
  EXPECT_NE(e.reason.find("crosses itself near"), std::string::npos) << e.reason;
  EXPECT_GT(motion.quality(), 0.3);
  EXPECT_TRUE(motion.move(close(0.2 * opening), x).ok);
}

TEST(MeshMotion, AsksForRegionsThatExist) {
  const auto mesh = channel();
  EXPECT_THROW(ElasticMotion(mesh, PETSC_COMM_WORLD, moving("wing")), std::invalid_argument);
  EXPECT_THROW(ElasticMotion(mesh, PETSC_COMM_WORLD, moving("fluid")), std::invalid_argument);
  MeshMotionOptions slides = moving("body");
  slides.sliding.push_back({"wing", 0});
  EXPECT_THROW(ElasticMotion(mesh, PETSC_COMM_WORLD, slides), std::invalid_argument);
}

// On a face that slides the mesh keeps its plane and follows along it.
TEST(MeshMotion, SlidesAlongAPlane) {
  const auto mesh =
      std::make_shared<const Mesh>(distribute(make_rectangle(0, 0, 1, 1, 4, 4, Shape::triangle, 2), PETSC_COMM_WORLD));
  MeshMotionOptions options = moving("top");
  options.sliding = {{"left", 0}, {"right", 0}};
  ElasticMotion motion(mesh, PETSC_COMM_WORLD, options);
  std::vector<double> x;
  const auto b = nodal(*mesh, [](const double*, double* w) { w[0] = 0, w[1] = 0.3; });
  const Evaluation e = motion.move(b, x);
  ASSERT_TRUE(e.ok) << e.reason;
  for (const char* side : {"left", "right"})
    for (int node : mesh->find_region(side)->nodes) {
      const double y = mesh->coordinates[2 * std::size_t(node) + 1];
      EXPECT_NEAR(x[2 * std::size_t(node)], mesh->coordinates[2 * std::size_t(node)], 1e-13);
      EXPECT_NEAR(x[2 * std::size_t(node) + 1], 1.3 * y, 1e-9);  // cells of equal size stretch alike
    }
}

std::shared_ptr<MeshMotion> by_inverse_distance(const std::shared_ptr<const Mesh>& mesh, const std::string& region) {
  MeshMotionOptions options = moving(region);
  options.method = MeshMotionOptions::Method::inverse_distance;
  return make_mesh_motion(mesh, PETSC_COMM_WORLD, options);
}

TEST(InverseDistanceMotion, FollowsItsBoundaryAndStaysWhereItIsHeld) {
  const auto mesh = channel();
  const auto motion = by_inverse_distance(mesh, "body");
  const auto b = nodal(*mesh, [](const double* x, double* w) { w[0] = 0.05, w[1] = 0.05 * x[0]; });
  std::vector<double> x;
  const Evaluation e = motion->move(b, x);
  ASSERT_TRUE(e.ok) << e.reason;
  for (const Region& r : mesh->regions) {
    if (r.dim != 1) continue;
    for (int node : r.nodes)
      for (int i = 0; i < 2; ++i) {
        const std::size_t k = 2 * std::size_t(node) + i;
        EXPECT_DOUBLE_EQ(x[k], mesh->coordinates[k] + (r.name == "body" ? b[k] : 0)) << r.name;
      }
  }
}

/// The channel whose body's upper half has a region of its own besides, "crown". ends: nodes, by their serial numbers,
/// where it meets the rest of the body.
std::shared_ptr<const Mesh> crowned_channel(std::set<long long>& ends) {
  Mesh serial = gradient_test::channel_mesh({Shape::triangle, 2}, 2);
  const Region body = *serial.find_region("body");
  double low = INFINITY, high = -INFINITY;
  const auto height = [&](int node) { return serial.coordinates[2 * std::size_t(node) + 1]; };
  for (const int node : body.nodes) low = std::min(low, height(node)), high = std::max(high, height(node));
  Region crown{.name = "crown", .dim = 1, .members = std::vector<std::vector<int>>(body.members.size()), .nodes = {}};
  for (std::size_t b = 0; b < body.members.size(); ++b)
    for (const int e : body.members[b]) {
      const CellBlock& block = serial.facets[b];
      const int n = node_count(block.type);
      bool above = true;
      for (int a = 0; a < n; ++a) above = above && height(block.nodes[std::size_t(e) * n + a]) > 0.5 * (low + high) - 1e-9;
      if (above) crown.members[b].push_back(e);
      else ends.insert(&block.nodes[std::size_t(e) * n], &block.nodes[std::size_t(e) * n] + n);
    }
  std::set<long long> of_crown;
  for (std::size_t b = 0; b < crown.members.size(); ++b)
    for (const int e : crown.members[b])
      for (int a = 0, n = node_count(serial.facets[b].type); a < n; ++a) of_crown.insert(serial.facets[b].nodes[std::size_t(e) * n + a]);
  std::erase_if(ends, [&](long long node) { return !of_crown.contains(node); });
  serial.regions.push_back(crown);
  complete_serial(serial);
  return std::make_shared<const Mesh>(distribute(serial, PETSC_COMM_WORLD));
}

// Regions overlap: facets of two follow the one that moves, and where they meet facets that stay the nodes stay.
TEST(MeshMotion, FacetsOfTwoRegionsFollowTheOneThatMoves) {
  std::set<long long> ends;
  const auto mesh = crowned_channel(ends);
  ASSERT_EQ(ends.size(), 2u);
  const auto b = nodal(*mesh, [](const double* x, double* w) { w[0] = 0.02, w[1] = 0.02 * x[0]; });
  using enum MeshMotionOptions::Method;
  for (const auto method : {elastic, inverse_distance})
    for (const char* region : {"body", "crown"}) {
      SCOPED_TRACE(std::string(method == elastic ? "elastic" : "inverse distance") + ", " + region);
      MeshMotionOptions options = moving(region);
      options.method = method;
      const auto motion = make_mesh_motion(mesh, PETSC_COMM_WORLD, options);
      std::vector<double> x;
      const Evaluation e = motion->move(b, x);
      ASSERT_TRUE(e.ok) << e.reason;
      std::vector<char> follows(mesh->node_total(), 0);
      for (const int node : mesh->find_region(region)->nodes) follows[node] = 1;
      for (int node = 0; node < mesh->n_owned_nodes; ++node) {
        bool boundary = false;
        for (const Region& r : mesh->regions) boundary = boundary || (r.dim == 1 && std::ranges::find(r.nodes, node) != r.nodes.end());
        if (!boundary) continue;
        const bool moves = follows[node] && (std::string(region) == "body" || !ends.contains(mesh->original_node[node]));
        for (std::size_t i = 0; i < 2; ++i) {
          const std::size_t k = 2 * std::size_t(node) + i;
          EXPECT_NEAR(x[k] - mesh->coordinates[k], moves ? b[k] : 0, 1e-12) << node;
        }
      }
    }
}

// Near a body that rotates and translates rigidly, the motion is the same rigid motion, which preserves layers.
TEST(InverseDistanceMotion, CarriesThinLayersRigidly) {
  for (const double first : {1e-4, 1e-6}) {
    const Mesh serial = make_airfoil_mesh(AirfoilProfile::naca("0012"), {.radius = 50, .around = 64, .wake = 16, .normal = 48, .first = first});
    const auto mesh = std::make_shared<const Mesh>(distribute(serial, PETSC_COMM_WORLD));
    const auto motion = by_inverse_distance(mesh, "airfoil");
    // The middle goes up by 5 % of the chord and the tail turns by about 10 degrees.
    const auto b = nodal(*mesh, [](const double* x, double* w) { w[0] = 0, w[1] = 0.2 * x[0] * (1 - x[0]); });
    std::vector<double> x;
    const Evaluation e = motion->move(b, x);
    ASSERT_TRUE(e.ok) << e.reason;
    EXPECT_GT(motion->quality(), 0.9 * worst_scaled_jacobian(*mesh));
    // Heights of wall cells stay, but for what the two neighbours on the wall, at s ≥ 1e-3, say with weights of
    // (first/s)^5 each: they move by at most 0.2 s more or less. Twice that is allowed.
    const double slack = 4 * 0.2 * std::pow(first / 1e-3, 4);
    std::vector<char> wall(mesh->node_total(), 0);
    for (const int n : mesh->find_region("airfoil")->nodes) wall[n] = 1;
    const CellBlock& cells = mesh->cells[0];
    for (int c = 0; c < cells.count(); ++c) {
      const int* n = &cells.nodes[4 * std::size_t(c)];
      for (int v = 0; v < 4; ++v) {
        const int from = n[v], to = n[(v + 3) % 4];
        if (!wall[from] || wall[to]) continue;
        const auto height = [&](const std::vector<double>& at) { return std::hypot(at[2 * to] - at[2 * from], at[2 * to + 1] - at[2 * from + 1]); };
        const double before = height(mesh->coordinates);
        if (before < 1.01 * first) {
          EXPECT_NEAR(height(x), before, (slack + 1e-9) * before);
        }
      }
    }
  }
}

// A functional of shape refuses a bad shape and has the same value and gradient afterwards.
TEST(ShapeDesignFailures, LeaveTheFunctionalAsItWas) {
  ShapeFlowOptions o;
  o.all_move = false;
  ShapeFlow flow(o, test::rigid_motion());
  CaseFunctional& f = *flow.functional;
  DesignVector good = f.start(), bad = good, g, again;
  good.shared[0] = 0.2;
  bad.shared[2] = 2;
  const Evaluation before = f.gradient(good, g);
  ASSERT_TRUE(before.ok) << before.reason;
  for (int k = 0; k < 2; ++k) {
    const Evaluation e = k == 0 ? f.value(bad) : f.gradient(bad, again);
    EXPECT_FALSE(e.ok);
    EXPECT_FALSE(e.reason.empty());
    EXPECT_TRUE(std::isnan(e.value));
    const Evaluation after = f.gradient(good, again);
    ASSERT_TRUE(after.ok) << after.reason;
    EXPECT_NEAR(after.value, before.value, 1e-10 * std::abs(before.value));
    for (std::size_t i = 0; i < g.shared.size(); ++i)
      EXPECT_NEAR(again.shared[i], g.shared[i], 1e-9 * norm(g, f.comm()));
  }
}

}  // namespace
}  // namespace invar
