// Lumped masses: totals, frequencies of a bar, and explicit marches with them, which divide.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <numbers>
#include <numeric>

#include "libadjoint/solve/diagonal_matrix.hpp"
#include "tests/unit/gradient/gradient_checks.hpp"
#include "tests/unit/gradient/transient_motion.hpp"

namespace invar::gradient_test {
namespace {

constexpr double bar_young = 3, bar_density = 1.7;

Eigen::MatrixXd dense_derivative(FormResidual& r, Level level) {
  PerLevel<double> weights;
  weights[level] = 1;
  const VecHandle rest = r.create_vector();
  r.jacobian({State(rest), r.given()}, weights);
  Mat K = r.matrix();
  PetscInt n = 0;
  check(MatGetSize(K, &n, nullptr));
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(n, n);
  for (PetscInt i = 0; i < n; ++i) {
    PetscInt count = 0;
    const PetscInt* columns = nullptr;
    const PetscScalar* values = nullptr;
    check(MatGetRow(K, i, &count, &columns, &values));
    for (PetscInt k = 0; k < count; ++k) dense(i, columns[k]) = values[k];
    check(MatRestoreRow(K, i, &count, &columns, &values));
  }
  return dense;
}

/// Squared angular frequencies, ascending, of the unknowns that are not prescribed.
Eigen::VectorXd squared_frequencies(FormResidual& r) {
  const Eigen::MatrixXd K = dense_derivative(r, Level::value), M = dense_derivative(r, Level::acceleration);
  std::vector<int> free;
  for (int i = 0; i < K.rows(); ++i)
    if (!r.held_unknowns()[i]) free.push_back(i);
  return Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd>(K(free, free), M(free, free), Eigen::EigenvaluesOnly).eigenvalues();
}

constexpr double thickness = 0.15;

/// Of length 1, with n cells along it.
Mesh slender(Shape shape, int order, int n) {
  const int across = std::max(1, n / 4);
  if (shape == Shape::tetrahedron || shape == Shape::hexahedron) return make_box({0, 0, 0}, {1, thickness, thickness}, {n, across, across}, shape, order);
  return make_rectangle(0, 0, 1, thickness, n, across, shape, order);
}

/// A bar of length 1 that moves along its axis and is held on the left, of a law without Poisson's effect.
MovingSolid bar(Shape shape, int order, int n, bool lumped) {
  const bool in_space = shape == Shape::tetrahedron || shape == Shape::hexahedron;
  MovingSolid solid(in_space ? SolidKind::spatial : SolidKind::plane_strain, slender(shape, order, n), order, "linear_elastic", bar_young, 0, bar_density, lumped);
  const ControlledValue zero = solid.number("zero", 0);
  solid.residual->add_dirichlet({"left", 0, zero});
  for (int i = 1; i < solid.mesh->dim; ++i) {
    DirichletCondition along{"", i, zero};
    along.nodes.resize(solid.mesh->node_total());
    std::iota(along.nodes.begin(), along.nodes.end(), 0);
    solid.residual->add_dirichlet(std::move(along));
  }
  return solid;
}

struct Cells {
  Shape shape;
  int order;
};
constexpr Cells all_cells[] = {{Shape::triangle, 1}, {Shape::triangle, 2}, {Shape::quadrilateral, 1}, {Shape::quadrilateral, 2},
                               {Shape::tetrahedron, 1}, {Shape::tetrahedron, 2}, {Shape::hexahedron, 1}, {Shape::hexahedron, 2}};

TEST(LumpedMass, IsDiagonalAndKeepsMassAndMomentum) {
  if (rank_count() > 1) GTEST_SKIP();
  for (const auto [shape, order] : all_cells) {
    SCOPED_TRACE(std::string(name_of(shape)) + std::to_string(order));
    Mesh mesh = slender(shape, order, 2);
    for (int n = 0; n < mesh.node_total(); ++n) mesh.coordinates[std::size_t(n) * mesh.dim] += 0.3 * mesh.coordinates[std::size_t(n) * mesh.dim + 1];
    const double mass = bar_density * std::pow(thickness, mesh.dim - 1);
    MovingSolid solid(mesh.dim == 3 ? SolidKind::spatial : SolidKind::plane_stress, mesh, order, "linear_elastic", bar_young, 0.3, bar_density, true);
    solid.residual->finish();
    const Eigen::MatrixXd M = dense_derivative(*solid.residual, Level::acceleration);
    const Eigen::VectorXd diagonal = M.diagonal();
    EXPECT_GT(diagonal.minCoeff(), 0);
    EXPECT_EQ((M - Eigen::MatrixXd(diagonal.asDiagonal())).cwiseAbs().maxCoeff(), 0);
    EXPECT_NEAR(diagonal.sum(), mass * mesh.dim, 1e-13 * mass);
    // Momentum of the velocity x e_0: mass × x of the centre.
    double momentum = 0;
    for (int n = 0; n < mesh.node_total(); ++n) momentum += diagonal[solid.dofs->dof(n, 0)] * solid.mesh->coordinates[std::size_t(n) * mesh.dim];
    EXPECT_NEAR(momentum, mass * (0.5 + 0.15 * thickness), 1e-13 * mass);
  }
}

// ω_k = (2 k − 1) π/2 √(E/ρ) of a bar that is held at one end.
TEST(LumpedMass, FrequenciesOfABarConvergeWithSecondOrder) {
  if (rank_count() > 1) GTEST_SKIP();
  for (const auto [shape, order] : all_cells) {
    SCOPED_TRACE(std::string(name_of(shape)) + std::to_string(order));
    for (const int mode : {1, 2}) {
      const double exact = (2 * mode - 1) * std::numbers::pi / 2 * std::sqrt(bar_young / bar_density);
      std::vector<double> errors;
      for (const int n : {4, 8}) {
        const MovingSolid solid = bar(shape, order, n, true);
        solid.residual->finish();
        errors.push_back(std::sqrt(squared_frequencies(*solid.residual)[mode - 1]) / exact - 1);
      }
      EXPECT_GT(std::log2(std::abs(errors[0] / errors[1])), 1.9) << errors[0] << " " << errors[1];
      EXPECT_LT(std::abs(errors[1]), 0.02);
      if (std::getenv("INVAR_PRINT"))
        std::printf("%s %d, mode %d: error %.2e %.2e\n", std::string(name_of(shape)).c_str(), order, mode, errors[0], errors[1]);
    }
  }
}

/// The bar released from an uneven displacement.
MovingSolid released_bar(bool lumped, Shape shape = Shape::triangle) {
  MovingSolid solid = bar(shape, 2, 6, lumped);
  ControlledValue uneven = solid.number("place", 0.1), speed = solid.number("speed", -0.7);
  uneven.shape = [](const double* x, double) { return x[0] * std::sin(3 * x[1] + x[0]); };
  speed.shape = [](const double* x, double) { return x[0] * x[0]; };
  uneven.varies_in_space = speed.varies_in_space = true;
  solid.residual->add_initial({Level::value, "", 0, uneven});
  solid.residual->add_initial({Level::rate, "", 0, speed});
  return solid;
}

// The energy of central differences oscillates, with an amplitude of second order, and does not drift.
TEST(LumpedMass, EnergyOfExplicitStepsOscillatesAndDoesNotDrift) {
  if (rank_count() > 1) GTEST_SKIP();
  const MovingSolid solid = released_bar(true);
  const int kinetic = solid.residual->add_functional(make_kinetic_energy(solid.kind, at_nodes(solid.cells())), {solid.rho});
  solid.residual->finish();
  std::vector<double> all(kinetic + 1, 0.0);
  all[0] = all[kinetic] = 1;
  const auto energy = std::make_shared<FormValue>(solid.residual, all);
  const double stable = 2 / std::sqrt(squared_frequencies(*solid.residual).maxCoeff());
  std::vector<double> amplitude;
  for (const int steps : {2000, 4000}) {
    const auto motion = solid.march(TimeScheme(TimeScheme::Kind::central_differences, 2), even_times(1800 * stable, steps));
    motion->watch({"", energy, {}});
    const ProcessReport report = motion->run(solid.residual->control_values());
    ASSERT_TRUE(report.ok) << report.reason;
    std::vector<int> every(steps + 1);
    std::iota(every.begin(), every.end(), 0);
    const std::vector<double> e = motion->series(*energy, every);
    const auto [least, most] = std::ranges::minmax(e);
    const auto mean = [&](int first, int last) { return std::accumulate(e.begin() + first, e.begin() + last, 0.0) / (last - first); };
    EXPECT_LT(most - least, 0.2 * e[0]);
    EXPECT_NEAR(mean(0, steps / 2), mean(steps / 2, steps), 0.05 * (most - least));
    amplitude.push_back(most - least);
  }
  EXPECT_NEAR(amplitude[0] / amplitude[1], 4, 0.8);
}

// 2/ω of the highest frequency: a longer step is refused with a number near it, a shorter one is taken.
TEST(ExplicitSteps, LongerThanStableAreRefused) {
  if (rank_count() > 1) GTEST_SKIP();
  for (const bool lumped : {false, true}) {
    SCOPED_TRACE(lumped);
    const MovingSolid solid = released_bar(lumped, Shape::quadrilateral);
    solid.residual->finish();
    const double stable = 2 / std::sqrt(squared_frequencies(*solid.residual).maxCoeff());
    const auto run = [&](double h) {
      return solid.march(TimeScheme(TimeScheme::Kind::central_differences, 2), even_times(40 * h, 40))->run(solid.residual->control_values());
    };
    EXPECT_TRUE(run(0.99 * stable).ok);
    const ProcessReport refused = run(1.05 * stable);
    EXPECT_FALSE(refused.ok);
    const std::size_t at = refused.reason.find("needs steps below ");
    ASSERT_NE(at, std::string::npos) << refused.reason;
    const double named = std::stod(refused.reason.substr(at + 18));
    EXPECT_LT(named, stable);
    EXPECT_GT(named, 0.93 * stable);
  }
}

// Against the recurrence w += h a, u += h w with dense matrices. Viscosity couples nodes: the matrix is assembled.
TEST(ExplicitSteps, DivideWhereTheMatrixIsDiagonal) {
  if (rank_count() > 1) GTEST_SKIP();
  constexpr int steps = 80;
  constexpr double h = 0.002;
  for (const bool viscous : {false, true}) {
    MovingSolid solid = released_bar(true);
    FormResidual& r = *solid.residual;
    if (viscous) r.add_form(make_kelvin_voigt(solid.kind, solid.cells()), {solid.number("eta", 0.01), solid.number("zeta", 0)});
    r.finish();
    const auto motion = solid.march(TimeScheme(TimeScheme::Kind::central_differences, 2), even_times(h * steps, steps));
    const auto tip = solid.point({1, thickness}, 0);
    motion->watch({"", tip, {}});
    const ProcessReport report = motion->run(r.control_values());
    ASSERT_TRUE(report.ok) << report.reason;
    EXPECT_EQ(motion->march_report().factorisations > 0, viscous);
    if (viscous) continue;
    const Eigen::MatrixXd K = dense_derivative(r, Level::value);
    const Eigen::VectorXd m = dense_derivative(r, Level::acceleration).diagonal();
    const auto initial = [&](Level level) {
      const VecHandle v = r.create_vector();
      EXPECT_TRUE(r.initial(level, r.given(), v).converged);
      const double* a = nullptr;
      check(VecGetArrayRead(v, &a));
      const Eigen::VectorXd copy = Eigen::Map<const Eigen::VectorXd>(a, m.size());
      check(VecRestoreArrayRead(v, &a));
      return copy;
    };
    Eigen::VectorXd u = initial(Level::value), w = initial(Level::rate);
    for (int k = 0; k < steps; ++k) {
      const Eigen::VectorXd force = K * u;
      for (int i = 0; i < m.size(); ++i)
        if (!r.held_unknowns()[i]) w[i] -= (k == 0 ? h / 2 : h) * force[i] / m[i], u[i] += h * w[i];
    }
    int corner = 0;
    for (int n = 0; n < solid.mesh->node_total(); ++n)
      if (solid.mesh->coordinates[2 * n] == 1 && solid.mesh->coordinates[2 * n + 1] == thickness) corner = n;
    EXPECT_NEAR(motion->series(*tip, {steps})[0], u[solid.dofs->dof(corner, 0)], 1e-12);
  }
}

}  // namespace
}  // namespace invar::gradient_test
