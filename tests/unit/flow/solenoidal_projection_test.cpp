// Projection to divergence-free fields: invariants, boundary values, the analytic effect of smoothing, derivatives, one to three ranks.
#include "tests/unit/flow/solenoidal_problem.hpp"

#include <gtest/gtest.h>

#include <map>
#include <numbers>

namespace invar {
namespace {

using test::SolenoidalProblem;

using std::numbers::pi;

/// Walls that the flow slips along; the pressure is held in a corner.
void slip_along_walls(SolenoidalProblem& p) {
  const char* sides[3][2] = {{"left", "right"}, {"bottom", "top"}, {"back", "front"}};
  for (int i = 0; i < p.mesh->dim; ++i)
    for (const char* side : sides[i]) p.hold(side, i);
  p.hold(p.mesh->dim == 3 ? "left_bottom_back" : "left_bottom", p.mesh->dim);
}

/// Flow through a channel, or a pipe around the axis x = 0: a profile enters at the bottom and leaves at the top.
void pass_upwards(SolenoidalProblem& p) {
  for (int i = 0; i < p.mesh->dim; ++i) {
    p.hold("right", i);
    p.hold("bottom", i, [](int c, const double* x) { return c == 1 ? 1 - x[0] * x[0] : 0.0; });
  }
  p.hold("left", 0);
}

struct Entry {
  std::string name;
  FlowKind kind;
  Mesh mesh;
  bool passes = false;
};

std::vector<Entry> entries() {
  return {{"quadrilaterals", FlowKind::planar, make_rectangle(0, 0, 1, 1.2, 4, 3, Shape::quadrilateral, 2)},
          {"triangles", FlowKind::planar, make_rectangle(0, 0, 1, 2, 4, 5, Shape::triangle, 2), true},
          {"pipe", FlowKind::axisymmetric, make_rectangle(0, 0, 1, 2, 3, 4, Shape::quadrilateral, 2), true},
          {"hexahedra", FlowKind::spatial, make_box({0, 0, 0}, {1, 1.2, 0.8}, {2, 3, 2}, Shape::hexahedron, 2)},
          {"tetrahedra", FlowKind::spatial, make_box({0, 0, 0}, {1, 1.2, 0.8}, {2, 2, 3}, Shape::tetrahedron, 2)}};
}

SolenoidalProblem problem_of(const Entry& e, MPI_Comm comm = PETSC_COMM_WORLD) {
  SolenoidalProblem p(e.mesh, e.kind, comm);
  if (e.passes) pass_upwards(p);
  else slip_along_walls(p);
  return p;
}

TEST(SolenoidalProjection, IsFreeOfDivergenceAndTakesThePrescribedValues) {
  for (const Entry& e : entries())
    for (const double l : {0.0, 0.3}) {
      SCOPED_TRACE(e.name + ", l = " + std::to_string(l));
      SolenoidalProblem p = problem_of(e);
      SolenoidalProblem::Map map = p.projection(l);
      const std::vector<double> w = p.noise(1.7);
      std::vector<double> u;
      const Evaluation done = map.apply(w, u);
      ASSERT_TRUE(done.ok) << done.reason;
      EXPECT_GT(p.divergence(w), 0.1);
      EXPECT_LT(p.divergence(u), 1e-12 * p.divergence(w));
      EXPECT_EQ(p.misfit(u), 0);
      EXPECT_GT(p.norm(u), 0.01 * p.norm(w));
    }
}

// u = curl of x (1 − x) y (1 − y) lies in the space, has no divergence at any point and does not cross the walls.
TEST(SolenoidalProjection, LeavesWhatIsFreeOfDivergence) {
  SolenoidalProblem p(make_rectangle(0, 0, 1, 1, 3, 4, Shape::quadrilateral, 2), FlowKind::planar);
  slip_along_walls(p);
  SolenoidalProblem::Map map = p.projection(0);
  const std::vector<double> w = p.field([](int i, const double* x) {
    return i == 0 ? x[0] * (1 - x[0]) * (1 - 2 * x[1]) : -(1 - 2 * x[0]) * x[1] * (1 - x[1]);
  });
  std::vector<double> u;
  ASSERT_TRUE(map.apply(w, u).ok);
  for (std::size_t i = 0; i < u.size(); ++i) EXPECT_NEAR(u[i], w[i], 1e-12);
}

TEST(SolenoidalProjection, IsAProjection) {
  for (const Entry& e : entries()) {
    SCOPED_TRACE(e.name);
    SolenoidalProblem p = problem_of(e);
    SolenoidalProblem::Map map = p.projection(0);
    std::vector<double> once, twice;
    ASSERT_TRUE(map.apply(p.noise(1.7), once).ok && map.apply(once, twice).ok);
    for (std::size_t i = 0; i < once.size(); ++i) EXPECT_NEAR(twice[i], once[i], 1e-11);
  }
}

// Gradients of functions in the pressure's space are projected to zero.
TEST(SolenoidalProjection, TakesGradientsAway) {
  SolenoidalProblem p(make_rectangle(0, 0, 1, 1, 4, 4, Shape::quadrilateral, 2), FlowKind::planar);
  slip_along_walls(p);
  SolenoidalProblem::Map map = p.projection(0);
  std::vector<double> u;
  ASSERT_TRUE(map.apply(p.field([](int i, const double* x) { return i == 0 ? 2 - 3 * x[1] : 0.5 - 3 * x[0]; }), u).ok);
  for (double v : u) EXPECT_NEAR(v, 0, 1e-12);
}

// −Δu = 2u for the vortices of Taylor and Green, whose divergence is zero: u = w/(1 + 2 l²).
TEST(SolenoidalProjection, SmoothsByTheLength) {
  constexpr double l = 0.8;
  double before = 0;
  for (const int n : {4, 8, 16}) {
    SolenoidalProblem p(make_rectangle(0, 0, pi, pi, n, n, Shape::quadrilateral, 2), FlowKind::planar);
    slip_along_walls(p);
    SolenoidalProblem::Map map = p.projection(l);
    const std::vector<double> w = p.field([](int i, const double* x) {
      return i == 0 ? std::sin(x[0]) * std::cos(x[1]) : -std::cos(x[0]) * std::sin(x[1]);
    });
    std::vector<double> u, error;
    ASSERT_TRUE(map.apply(w, u).ok);
    for (std::size_t i = 0; i < u.size(); ++i) error.push_back(u[i] - w[i] / (1 + 2 * l * l));
    const double size = p.norm(error) / p.norm(w);
    if (before > 0) {
      EXPECT_GT(before / size, 7);  // of third order at least
    }
    before = size;
  }
  EXPECT_LT(before, 1e-5);
}

TEST(SolenoidalProjection, HasExactDerivatives) {
  for (const Entry& e : entries())
    for (const double l : {0.0, 0.2}) {
      SCOPED_TRACE(e.name);
      SolenoidalProblem p = problem_of(e);
      SolenoidalProblem::Map map = p.projection(l);
      const std::vector<double> w = p.noise(1.7), step = p.noise(0.9), u_bar = p.noise(2.3);
      std::vector<double> moved = w, u, after, u_dot, w_bar;
      for (std::size_t i = 0; i < w.size(); ++i) moved[i] += step[i];
      ASSERT_TRUE(map.apply(w, u).ok && map.apply(moved, after).ok && map.jvp(step, u_dot).ok && map.vjp(u_bar, w_bar).ok);
      for (std::size_t i = 0; i < u.size(); ++i) EXPECT_NEAR(after[i] - u[i], u_dot[i], 1e-11);
      EXPECT_NEAR(p.dot(w_bar, step), p.dot(u_bar, u_dot), 1e-12 * p.norm(u_bar) * p.norm(step));
      EXPECT_GT(std::abs(p.dot(u_bar, u_dot)), 1e-6 * p.norm(u_bar) * p.norm(step));
    }
}

// Where the nodes are and what is prescribed: differences for the forward derivative, that for the transposed one.
TEST(SolenoidalProjection, HasExactDerivativesByMeshAndPrescribedValues) {
  for (const Entry& e : entries()) {
    SCOPED_TRACE(e.name);
    SolenoidalProblem p = problem_of(e);
    const int coordinates = p.flow->add_coordinates();
    p.flow->finish();
    SolenoidalProjection map(p.flow, e.kind, 0, 0.2);
    const std::vector<double> w = p.noise(1.7), u_bar = p.noise(2.3), along = p.noise(0.7);
    const Controls d = p.flow->control_values();
    Controls d_dot(d.size()), d_bar(d.size());
    for (std::size_t c = 0; c < d.size(); ++c) {
      if (static_cast<int>(c) != coordinates) d_dot[c] = {0.3 + 0.2 * static_cast<double>(c)};
      d_bar[c].assign(d[c].size(), 0.0);
    }
    for (double a : along) d_dot[coordinates].push_back(0.02 * a);
    const auto difference = [&](double h) {
      std::vector<double> u[2];
      for (const int side : {0, 1}) {
        Controls moved = d;
        for (std::size_t c = 0; c < d.size(); ++c)
          for (std::size_t i = 0; i < d[c].size(); ++i) moved[c][i] += (side ? h : -h) * d_dot[c][i];
        EXPECT_TRUE(map.apply(w, moved, u[side]).ok);
      }
      for (std::size_t i = 0; i < u[0].size(); ++i) u[1][i] = (u[1][i] - u[0][i]) / (2 * h);
      return u[1];
    };
    const std::vector<double> coarse = difference(0.02), fine = difference(0.01);
    std::vector<double> u, u_dot, w_bar, still(w.size(), 0.0), error(w.size());
    ASSERT_TRUE(map.apply(w, d, u).ok && map.jvp(still, d_dot, u_dot).ok && map.vjp(u_bar, w_bar, d_bar).ok);
    for (std::size_t i = 0; i < u.size(); ++i) error[i] = (4 * fine[i] - coarse[i]) / 3 - u_dot[i];
    EXPECT_LT(p.norm(error), 2e-5 * p.norm(u_dot));
    double sum = 0;
    const double of_places = p.dot(d_bar[coordinates], d_dot[coordinates]);
    for (std::size_t c = 0; c < d.size(); ++c)
      if (static_cast<int>(c) != coordinates) sum += d_bar[c][0] * d_dot[c][0];
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, p.dofs->comm());
    EXPECT_NEAR(sum + of_places, p.dot(u_bar, u_dot), 1e-11 * p.norm(u_bar) * p.norm(u_dot));
    EXPECT_GT(std::abs(p.dot(u_bar, u_dot)), 1e-4 * p.norm(u_bar) * p.norm(u_dot));
  }
}

TEST(SolenoidalProjection, RanksAgreeWithOne) {
  for (const Entry& e : entries()) {
    SCOPED_TRACE(e.name);
    SolenoidalProblem together = problem_of(e), alone = problem_of(e, PETSC_COMM_SELF);
    SolenoidalProblem::Map map = together.projection(0.2), serial = alone.projection(0.2);
    std::vector<double> a, b;
    ASSERT_TRUE(map.apply(together.noise(1.7), a).ok && serial.apply(alone.noise(1.7), b).ok);
    const int dim = e.mesh.dim;
    std::map<long long, int> place;
    for (int n = 0; n < alone.mesh->node_total(); ++n) place[alone.mesh->original_node[n]] = n;
    for (int n = 0; n < together.mesh->node_total(); ++n)
      for (int i = 0; i < dim; ++i)
        EXPECT_NEAR(a[std::size_t(n) * dim + i], b[std::size_t(place[together.mesh->original_node[n]]) * dim + i], 1e-11);
  }
}

TEST(SolenoidalProjection, IsTheSameWhereTheFlowCarriesAScalar) {
  const Mesh mesh = make_rectangle(0, 0, 1, 1, 3, 3, Shape::quadrilateral, 2);
  SolenoidalProblem plain(mesh, FlowKind::planar), carrying(mesh, FlowKind::planar, PETSC_COMM_WORLD, true);
  slip_along_walls(plain);
  slip_along_walls(carrying);
  carrying.hold("left", 3, [](int, const double*) { return 5.0; });
  std::vector<double> u, v;
  ASSERT_TRUE(plain.projection(0.1).apply(plain.noise(1.7), u).ok);
  const Evaluation done = carrying.projection(0.1).apply(carrying.noise(1.7), v);
  ASSERT_TRUE(done.ok) << done.reason;
  // The two meshes may be parted differently.
  for (const double seed : {0.9, 1.3, 2.3})
    EXPECT_NEAR(carrying.dot(v, carrying.noise(seed)), plain.dot(u, plain.noise(seed)), 1e-11);
  EXPECT_NEAR(carrying.norm(v), plain.norm(u), 1e-11);
}

TEST(SolenoidalProjection, RefusesANegativeLength) {
  SolenoidalProblem p(make_rectangle(0, 0, 1, 1, 2, 2, Shape::quadrilateral, 2), FlowKind::planar);
  slip_along_walls(p);
  EXPECT_THROW(p.projection(-0.1), std::invalid_argument);
}

}  // namespace
}  // namespace invar
