#include "libfem/objective/sampled_displacement.hpp"

#include <gtest/gtest.h>

#include <random>

#include "tests/unit/form/field_error.hpp"
#include "tests/unit/form/solid_problem.hpp"
#include "tests/unit/form/test_meshes.hpp"

namespace invar {
namespace {

using test::SolidProblem, test::VectorField;

/// Samples read the state alone.
EvaluationPoint point(Vec u) { return {u, {}}; }

const VectorField quadratic = [](int c, const double* x) {
  return 0.3 + c + x[0] * (1 - 2 * x[1]) + 0.5 * (c + 1) * x[1] * x[1] - x[0] * x[0];
};

SolidKind kind_of(int dim) { return dim == 3 ? SolidKind::spatial : SolidKind::plane_strain; }

/// Random points of the unit square or cube, then some on its corners, edges and cell boundaries.
std::vector<Sample> samples_in_block(int dim) {
  std::mt19937 random(7);  // the same on every rank
  std::uniform_real_distribution<double> uniform(0, 1);
  std::vector<Sample> samples;
  for (int k = 0; k < 40; ++k) {
    std::vector<double> x(dim);
    for (double& v : x) v = k < 25 ? uniform(random) : std::round(3 * uniform(random)) / 3;
    samples.push_back({x, k % dim});
  }
  return samples;
}

// Straight cells of second order hold every quadratic: it is read back to round-off, wherever the
// ranks' parts meet, and never twice.
TEST(PointSamples, QuadraticsAreReadBack) {
  for (const Shape shape : {Shape::triangle, Shape::quadrilateral, Shape::tetrahedron, Shape::hexahedron}) {
    SCOPED_TRACE(name_of(shape));
    const int dim = dimension_of(shape);
    const Mesh mesh = dim == 2 ? make_rectangle(0, 0, 1, 1, 3, 3, shape, 2)
                               : make_box({0, 0, 0}, {1, 1, 1}, {3, 3, 3}, shape, 2);
    SolidProblem s(mesh, kind_of(dim));
    const auto samples = samples_in_block(dim);
    std::vector<double> distance;
    const auto observable = make_point_samples(s.dofs(), samples, distance);
    std::vector<double> y(samples.size());
    VecHandle u = s.interpolate(quadratic);
    observable->evaluate(point(u), y.data());
    for (std::size_t i = 0; i < y.size(); ++i) {
      EXPECT_EQ(distance[i], 0);
      EXPECT_NEAR(y[i], quadratic(samples[i].component, samples[i].point.data()), 1e-12);
    }
  }
}

// Curved cells hold affine fields alone; the place in the cell is found by Newton's method, whose
// error of about 1e-10 of the cell's size bounds that of the value.
TEST(PointSamples, AffineFieldsInCurvedCells) {
  const VectorField affine = [](int c, const double* x) { return 1 + c + 0.5 * x[0] - 2 * x[1]; };
  for (const Shape shape : {Shape::triangle, Shape::quadrilateral, Shape::tetrahedron, Shape::hexahedron}) {
    SCOPED_TRACE(name_of(shape));
    const int dim = dimension_of(shape);
    SolidProblem s(test::distorted_block(shape, 2, true), kind_of(dim));
    const auto samples = samples_in_block(dim);
    std::vector<double> distance;
    const auto observable = make_point_samples(s.dofs(), samples, distance);
    std::vector<double> y(samples.size());
    VecHandle u = s.interpolate(affine);
    observable->evaluate(point(u), y.data());
    for (std::size_t i = 0; i < y.size(); ++i)
      EXPECT_NEAR(y[i], affine(samples[i].component, samples[i].point.data()), 1e-9);
  }
}

TEST(PointSamples, PointsOutsideSayHowFar) {
  SolidProblem s(make_rectangle(0, 0, 1, 1, 2, 2, Shape::triangle), SolidKind::plane_strain);
  std::vector<double> distance;
  make_point_samples(s.dofs(), {{{0.5, 0.5}, 0}, {{1.25, 0.5}, 0}, {{0.5, -0.5}, 1}}, distance);
  EXPECT_EQ(distance[0], 0);
  EXPECT_NEAR(distance[1], 0.25, 1e-6);
  EXPECT_NEAR(distance[2], 0.5, 1e-6);
}

TEST(PointSamples, ThePressureLivesOnVertices) {
  SolidProblem s(test::distorted_block(Shape::triangle, 2), SolidKind::plane_strain, {.mixed = true});
  std::vector<double> distance;
  const auto observable = make_point_samples(s.dofs(), {{{0.31, 0.72}, 2}, {{0.9, 0.05}, 2}}, distance);
  double y[2];
  VecHandle u = s.interpolate([](int c, const double* x) { return c == 2 ? 4 - x[0] + 2 * x[1] : 100.0; });
  observable->evaluate(point(u), y);
  EXPECT_NEAR(y[0], 4 - 0.31 + 1.44, 1e-12);
  EXPECT_NEAR(y[1], 4 - 0.9 + 0.1, 1e-12);
}

// ⟨B u, y⟩ = ⟨u, Bᵀ y⟩ for the samples of points and fields, whoever owns their dofs.
TEST(Samples, TransposeIsTheTranspose) {
  SolidProblem s(test::distorted_block(Shape::tetrahedron, 2, true), SolidKind::spatial);
  std::vector<double> distance, targets;
  std::unique_ptr<LinearObservable> observables[] = {
      make_point_samples(s.dofs(), samples_in_block(3), distance),
      make_field_samples(s.dofs(), "top", 2, 4, {0, 2}, [](int, const double*) { return 0.0; }, targets)};
  for (const auto& observable : observables) {
    const int n = observable->size();
    std::vector<double> y(n), y_bar(n);
    for (int i = 0; i < n; ++i) y_bar[i] = std::sin(1.7 * i);
    VecHandle u = s.interpolate(quadratic), u_bar = s.dofs()->create_vector();
    observable->jvp(point(u), u, nullptr, y.data());
    observable->vjp(point(u), y_bar.data(), u_bar, nullptr);
    double left = 0, right = 0;
    for (int i = 0; i < n; ++i) left += y[i] * y_bar[i];
    check(VecDot(u, u_bar, &right));
    EXPECT_NEAR(left, right, 1e-12 * (1 + std::abs(left)));
    EXPECT_GT(std::abs(left), 1e-3);
  }
}

double mean_square(SolidProblem& s, const std::string& region, int dim, const std::vector<int>& components,
                   const VectorField& u, const VectorField& target) {
  std::vector<double> targets;
  const auto observable = make_field_samples(s.dofs(), region, dim, 4, components, target, targets);
  std::vector<double> y(observable->size());
  EXPECT_EQ(targets.size(), y.size());
  VecHandle state = s.interpolate(u);
  observable->evaluate(point(state), y.data());
  double sum = 0;
  for (std::size_t i = 0; i < y.size(); ++i) sum += (y[i] - targets[i]) * (y[i] - targets[i]);
  return sum;
}

// u = (x, y) on [0, 2] × [0, 1] with targets (0, 1): means of x² and (y − 1)² are 4/3 and 1/3.
TEST(FieldSamples, MeanSquaresOfAnAffineField) {
  for (const Shape shape : {Shape::triangle, Shape::quadrilateral})
    for (const int order : {1, 2}) {
      SolidProblem s(make_rectangle(0, 0, 2, 1, 4, 3, shape, order), SolidKind::plane_strain);
      const VectorField u = [](int c, const double* x) { return x[c]; };
      const VectorField target = [](int c, const double*) { return double(c); };
      EXPECT_NEAR(mean_square(s, "body", 2, {0}, u, target), 4.0 / 3, 1e-13);
      EXPECT_NEAR(mean_square(s, "body", 2, {0, 1}, u, target), 5.0 / 3, 1e-13);
      EXPECT_NEAR(mean_square(s, "top", 1, {0, 1}, u, target), 4.0 / 3, 1e-13);
      EXPECT_NEAR(mean_square(s, "right", 1, {1}, u, target), 1.0 / 3, 1e-13);
    }
}

TEST(FieldSamples, MeanSquaresInSpace) {
  for (const Shape shape : {Shape::tetrahedron, Shape::hexahedron}) {
    SolidProblem s(test::distorted_block(shape, 1), SolidKind::spatial);
    const VectorField u = [](int c, const double* x) { return c == 2 ? x[2] : 7.0; };
    const VectorField target = [](int c, const double* x) { return c == 2 ? 0.0 : 7 + x[0]; };
    EXPECT_NEAR(mean_square(s, "body", 3, {2}, u, target), 1.0 / 3, 1e-13);
    EXPECT_NEAR(mean_square(s, "left", 2, {2}, u, target), 1.0 / 3, 1e-13);
    EXPECT_NEAR(mean_square(s, "front", 2, {0, 1, 2}, u, target), 2.0 / 3 + 1, 1e-13);
  }
}

// On arcs of parabolas x² + y² = 4 holds to (0.2)⁴/400 or so.
TEST(FieldSamples, CurvedEdge) {
  SolidProblem s(test::quarter_ring(1, 1, 2, 2, 2, 8, Shape::triangle, 2), SolidKind::plane_strain);
  const VectorField u = [](int c, const double* x) { return x[c]; };
  EXPECT_NEAR(mean_square(s, "right", 1, {0, 1}, u, [](int, const double*) { return 0.0; }), 4, 1e-4);
  EXPECT_NEAR(mean_square(s, "right", 1, {0}, u, [](int, const double*) { return 0.0; }), 2, 1e-4);
}

}  // namespace
}  // namespace invar
