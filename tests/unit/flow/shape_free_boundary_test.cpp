// Free boundaries: normals, and the Sobolev metric against its eigenfunctions.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <stdexcept>

#include "libfem/design/boundary/free_boundary.hpp"
#include "libfem/mesh/distribute.hpp"
#include "tests/unit/gradient/flow_mesh.hpp"

namespace invar {
namespace {

using std::numbers::pi;

/// A free boundary, θ and b as functions of the place.
class BoundaryProbe {
 public:
  BoundaryProbe(const Mesh& serial, const std::string& region, double smoothing)
      : mesh_(std::make_shared<const Mesh>(distribute(serial, PETSC_COMM_WORLD))),
        free_(mesh_, PETSC_COMM_WORLD, {.region = region, .smoothing = smoothing, .largest = 0}),
        nodes_(mesh_->find_region(region)->nodes) {}

  /// Largest |b − n v| over the region's nodes on this rank, n v given by place, for b = n S θ.
  double error(const std::function<double(const double*)>& theta,
               const std::function<void(const double*, double*)>& expected) {
    DesignVector t = free_.start();
    std::size_t k = 0;
    for (int node : nodes_)
      if (node < mesh_->n_owned_nodes) t.local[k++] = theta(place(node));
    EXPECT_EQ(k, t.local.size());
    std::vector<double> b(mesh_->coordinates.size(), 0.0);
    const Evaluation e = free_.displace(t, b);
    EXPECT_TRUE(e.ok) << e.reason;
    double worst = 0;
    for (int node : nodes_) {
      double w[3] = {};
      expected(place(node), w);
      for (int i = 0; i < mesh_->dim; ++i)
        worst = std::max(worst, std::abs(b[std::size_t(node) * mesh_->dim + i] - w[i]));
    }
    return worst;
  }

 private:
  const double* place(int node) const { return &mesh_->coordinates[std::size_t(node) * mesh_->dim]; }

  std::shared_ptr<const Mesh> mesh_;
  FreeBoundary free_;
  std::vector<int> nodes_;
};

constexpr double disc_radius = 0.4;
Mesh around_circle(Shape shape, int order, int n) {
  return gradient_test::make_ring(gradient_test::ellipse(0, 0, disc_radius, disc_radius), gradient_test::rectangle(-1, -1, 1, 1),
                                  gradient_test::channel_region, 2, n, shape, order);
}

// Out of the fluid, towards the centre of the body, all by the same.
TEST(FreeBoundary, ConstantFieldsGiveTheOffsetCurve) {
  for (const Shape shape : {Shape::triangle, Shape::quadrilateral})
    for (const int order : {1, 2}) {
      BoundaryProbe probe(around_circle(shape, order, 16), "body", 0.2);
      EXPECT_LT(probe.error([](const double*) { return 0.03; },
                            [](const double* x, double* w) {
                              for (int i = 0; i < 2; ++i) w[i] = -0.03 * x[i] / disc_radius;
                            }), 1e-12);
    }
}

// S cos(kφ) = cos(kφ) / (1 + ε² k²/R²); the error falls with the fourth power of the cells' size where
// they are parabolic, with the second where they are straight.
TEST(FreeBoundary, SmoothsWavesOnACircleAsTheMetricSays) {
  constexpr double length = 0.15;
  for (const int order : {1, 2})
    for (const int k : {1, 3}) {
      const auto error = [&](int n) {
        BoundaryProbe probe(around_circle(Shape::triangle, order, n), "body", length);
        const double factor = 1 / (1 + length * length * k * k / (disc_radius * disc_radius));
        double worst = probe.error([&](const double* x) { return std::cos(k * std::atan2(x[1], x[0])); },
                                   [&](const double* x, double* w) {
                                     const double v = factor * std::cos(k * std::atan2(x[1], x[0]));
                                     for (int i = 0; i < 2; ++i) w[i] = -v * x[i] / disc_radius;
                                   });
        MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_DOUBLE, MPI_MAX, PETSC_COMM_WORLD);
        return worst;
      };
      const double coarse = error(24), fine = error(48);
      EXPECT_LT(fine, order == 2 ? 1e-4 : 1e-2) << order << " " << k;
      EXPECT_GT(std::log2(coarse / fine), order == 2 ? 2.9 : 1.9) << order << " " << k;
    }
}

// An open boundary is held at its ends: v = 1 − cosh((x − ½)/ε)/cosh(½/ε) for θ = 1.
TEST(FreeBoundary, StaysWhereItMeetsOthers) {
  constexpr double length = 0.2;
  BoundaryProbe probe(make_rectangle(0, 0, 1, 1, 24, 2, Shape::quadrilateral, 2), "bottom", length);
  EXPECT_LT(probe.error([](const double*) { return 1.0; },
                        [](const double* x, double* w) {
                          w[1] = -1 + std::cosh((x[0] - 0.5) / length) / std::cosh(0.5 / length);
                        }), 1e-5);
}

// sin(πx) sin(πz) on a square face: the Laplacian of a surface.
TEST(FreeBoundary, SmoothsWavesOnAFaceAsTheMetricSays) {
  constexpr double length = 0.2, factor = 1 / (1 + 2 * length * length * pi * pi);
  for (const Shape shape : {Shape::tetrahedron, Shape::hexahedron}) {
    BoundaryProbe probe(make_box({0, 0, 0}, {1, 0.2, 1}, {8, 1, 8}, shape, 2), "top", length);
    const auto wave = [](const double* x) { return std::sin(pi * x[0]) * std::sin(pi * x[2]); };
    EXPECT_LT(probe.error(wave, [&](const double* x, double* w) { w[1] = factor * wave(x); }), 1e-3);
  }
}

TEST(FreeBoundary, AsksForARegionAndALength) {
  const auto mesh =
      std::make_shared<const Mesh>(distribute(make_rectangle(0, 0, 1, 1, 2, 2, Shape::triangle), PETSC_COMM_WORLD));
  const auto make = [&](const char* region, double length) {
    FreeBoundary(mesh, PETSC_COMM_WORLD, {.region = region, .smoothing = length, .largest = 0});
  };
  EXPECT_THROW(make("wing", 1), std::invalid_argument);
  EXPECT_THROW(make("body", 1), std::invalid_argument);
  EXPECT_THROW(make("top", 0), std::invalid_argument);
  EXPECT_NO_THROW(make("top", 1));
}

}  // namespace
}  // namespace invar
