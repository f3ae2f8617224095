// Shape derivatives against independent values: the boundary formula of the volume, and sweeps with new meshes.
#include "libfem/design/boundary/ffd_map.hpp"
#include "tests/unit/flow/shape_flow.hpp"

namespace invar {
namespace {

using test::ShapeFlow, test::ShapeFlowOptions;

/// ∮ w·n (2πr) ds over the facets that this rank owns, w given at nodes: exact on parabolic edges.
double swept_volume(const Mesh& mesh, const std::vector<double>& x, const std::vector<double>& w, bool ring) {
  constexpr double at[] = {0.1127016653792583, 0.5, 0.8872983346207417}, weight[] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
  double sum = 0;
  for (const CellBlock& block : mesh.facets)
    for (int f = 0; f < block.n_owned; ++f)
      for (int q = 0; q < 3; ++q) {
        const double s = at[q];  // Lagrange functions of the ends and the middle
        const double N[] = {(1 - s) * (1 - 2 * s), s * (2 * s - 1), 4 * s * (1 - s)};
        const double dN[] = {4 * s - 3, 4 * s - 1, 4 - 8 * s};
        double p[2] = {}, t[2] = {}, v[2] = {};
        for (int a = 0; a < 3; ++a)
          for (int i = 0; i < 2; ++i) {
            const std::size_t k = std::size_t(block.nodes[3 * f + a]) * 2 + i;
            p[i] += N[a] * x[k], t[i] += dN[a] * x[k], v[i] += N[a] * w[k];
          }
        sum += weight[q] * (v[0] * t[1] - v[1] * t[0]) * (ring ? 2 * std::numbers::pi * p[0] : 1);  // n to the right
      }
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, mesh.comm);
  return sum;
}

TEST(ShapeDerivative, OfTheVolumeIsWhatTheBoundarySweeps) {
  for (const bool ring : {false, true})
    for (const Shape shape : {Shape::triangle, Shape::quadrilateral}) {
      ShapeFlowOptions o;
      o.shape = shape;
      o.kind = ring ? FlowKind::axisymmetric : FlowKind::planar;
      o.shift = ring ? 1.5 : 0;
      o.all_move = false;
      const double low = -0.6 + o.shift;
      const auto lattice = [&](const std::vector<double>& points) {
        return make_ffd_map(points, 2, {low, -0.5, 0}, {low + 1.2, 0.6, 0}, {3, 3, 1});
      };
      ShapeFlow flow(o, lattice);
      DesignVector theta = flow.functional->start();
      for (int i = 0; i < flow.n_shape; ++i) theta.shared[i] = 0.05 * std::sin(3.0 * i);
      const DesignVector g = flow.gradients(theta)[ShapeFlow::volume];
      const Setting setting{flow.functional->cases()[0]->controls()};
      const std::vector<double>& x = flow.residual->coordinates(setting);
      const auto map = lattice(points_of(*flow.mesh, flow.nodes));
      for (int i = 0; i < flow.n_shape; ++i) {
        std::vector<double> unit(flow.n_shape, 0.0), at_nodes(2 * flow.nodes.size()), w(x.size(), 0.0);
        unit[i] = 1;
        map->displace(unit.data(), at_nodes.data());
        for (std::size_t k = 0; k < flow.nodes.size(); ++k)
          for (int d = 0; d < 2; ++d) w[2 * std::size_t(flow.nodes[k]) + d] = at_nodes[2 * k + d];
        EXPECT_NEAR(g.shared[i], swept_volume(*flow.mesh, x, w, ring), 1e-11) << map->names()[i];
      }
    }
}

// The lift of an ellipse by its angle: by the adjoint through the motion of the mesh; by a sweep over
// meshes made for every angle, which differ from the moved ones inside, and by a sweep of large steps over
// moved ones. The steps' errors of h² cancel in pairs (Richardson).
TEST(ShapeDerivative, OfTheLiftByTheAngleIsThatOfSweeps) {
  int ranks = 1;
  MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
  if (ranks > 1) GTEST_SKIP();
  ShapeFlowOptions o;
  o.x = 0, o.y = 0, o.b = 0.12;
  o.turned = -0.2;
  o.n_r = 8, o.n_t = 48;
  o.all_move = false;
  const auto turned = [](const std::vector<double>& points) {
    return std::make_unique<RigidMotionMap>(points, RigidMotion(2, {.translates = {false, false, false}}));
  };
  ShapeFlow flow(o, turned);
  const DesignVector start = flow.functional->start();
  const auto g = flow.gradients(start);
  const auto slope = [](auto&& value) {
    constexpr double h = 0.1;
    const auto central = [&](double step) { return (value(step) - value(-step)) / (2 * step); };
    return (4 * central(h / 2) - central(h)) / 3;
  };
  for (const int k : {ShapeFlow::lift, ShapeFlow::drag}) {
    const double meshed = slope([&](double angle) {
      ShapeFlowOptions other = o;
      other.turned += angle;
      ShapeFlow anew(other, turned);
      return anew.at(anew.functional->start())[k];
    });
    const double moved = slope([&](double angle) {
      DesignVector theta = start;
      theta.shared[0] += angle;
      return flow.at(theta)[k];
    });
    EXPECT_NEAR(g[k].shared[0] / moved, 1, 1e-4) << k;
    EXPECT_NEAR(g[k].shared[0] / meshed, 1, 1e-2) << k;
  }
}

}  // namespace
}  // namespace invar
