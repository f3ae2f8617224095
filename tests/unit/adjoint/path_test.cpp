// Equilibrium paths past limit points, on a truss whose path is known in closed form.
#include <gtest/gtest.h>

#include <cmath>

#include "libadjoint/path/path_case.hpp"
#include "tests/unit/adjoint/path_toys.hpp"

namespace invar {
namespace {

using toy::Column;
using toy::SmoothObservable;
using toy::Truss;

constexpr double stiffness = 3, rise = 0.4, pull = 0.7;
/// Where load control ends: K is singular there, to round-off.
const double limit = rise * (1 - 1 / std::sqrt(3.0));

struct Path {
  std::shared_ptr<toy::SmoothToy<Truss>> truss;
  std::shared_ptr<PathCase> process;
  Controls d;

  /// control: weights of the three unknowns in the quantity; by chords of their squares.
  Path(std::vector<double> times, Column<double> control, bool chords, double spring, Column<double> mixed = {0, 0, 0, 0},
       std::vector<int> held = {}, int max_cuts = 8) {
    std::vector<ControlInfo> infos;
    for (const char* name : {"k", "h", "s", "f"}) infos.push_back({.name = name});
    d = {{stiffness}, {rise}, {spring}, {pull}};
    truss = std::make_shared<toy::SmoothToy<Truss>>(Truss{std::move(held)}, infos, d);
    const Column<double> none(3, 0.0);
    auto quantity = std::make_shared<SmoothObservable>(*truss, chords ? none : control, chords ? control : none, std::move(mixed));
    NewtonOptions newton;
    newton.rtol = 1e-13;
    newton.min_iterations = 1;
    process = std::make_shared<PathCase>("truss", truss, std::make_shared<LinearSolver>(PETSC_COMM_WORLD),
                                         PathControl{quantity, chords, {3}}, std::move(times), 0.0, PathOptions{newton, max_cuts});
  }
  Column<double> state(int step) {
    Column<double> u;
    process->with_state(step, [&](const State& s) { u = truss->gathered(s); });
    return u;
  }
  /// Data on the effective load f at every step, on all displacements at the last, and a nonlinear term at the second.
  void observe_everything() {
    const int n = static_cast<int>(process->times().size());
    std::vector<int> all;
    for (int k = 0; k < n; ++k) all.push_back(k);
    const Column<double> none(3, 0.0), no_controls(4, 0.0);
    process->data().push_back({"load", std::make_shared<SmoothObservable>(*truss, none, none, Column<double>{0, 0, 0, 1}), all,
                               std::vector<double>(n, 0.01), std::vector<double>(n, 0.1)});
    process->data().push_back({"end", std::make_shared<SmoothObservable>(*truss, Column<double>{0.3, -0.2, 1}, Column<double>{1, 2, 0.5}, no_controls),
                               {n - 1}, {0.2}, {0.05}});
    process->terms().push_back({"term", std::make_shared<SmoothObservable>(*truss, Column<double>{0.5, 0, 1}, none, Column<double>{0.1, 0.7, 0.2, 0.4}),
                                {1}, 1.7});
    const auto mixed = std::make_shared<SmoothObservable>(*truss, Column<double>{0.5, 0, 0.2}, Column<double>{1, 0, 0}, Column<double>{0, 0, 0, 2});
    std::vector<double> weights;
    for (int k = 0; k < n; ++k) weights.push_back(0.5 + 0.2 * k);
    process->terms().push_back({"largest", mixed, all, 0.8, weights, 7});
    process->terms().push_back({"smallest", mixed, all, -0.6, {}, -5});
    process->terms().push_back({"spread", mixed, all, 1.3, weights, 0, true});
  }
  double value(const Controls& at) {
    const ProcessReport report = process->run(at);
    if (!report.ok) throw std::runtime_error(report.reason);  // ends the test
    return process->value();
  }
  Controls gradient(const Controls& at) {
    value(at);
    Controls g(4, std::vector<double>(1, 0.0));
    const SolveReport report = process->gradient(g);
    EXPECT_TRUE(report.converged) << report.reason;
    for (auto& entry : g) MPI_Allreduce(MPI_IN_PLACE, entry.data(), 1, MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD);
    return g;
  }
};

const Controls direction{{0.4}, {0.05}, {0.9}, {-0.3}};

Controls moved(Controls d, double by) {
  for (std::size_t k = 0; k < d.size(); ++k) d[k][0] += by * direction[k][0];
  return d;
}

double product(const Controls& g) {
  double sum = 0;
  for (std::size_t k = 0; k < g.size(); ++k) sum += g[k][0] * direction[k][0];
  return sum;
}

/// First and second derivatives of everything, against each other and against differences of fourth order.
void expect_exact_derivatives(Path& p, double difference = 1e-8) {
  p.observe_everything();
  const Controls g = p.gradient(p.d);
  Eigen::MatrixXd rho_dot;
  Eigen::VectorXd value_dot;
  const SolveReport tangent = p.process->tangent({direction, direction}, rho_dot, value_dot);
  ASSERT_TRUE(tangent.converged) << tangent.reason;
  const double size = std::abs(product(g));
  EXPECT_GT(size, 1e-3);
  EXPECT_NEAR(value_dot[0], product(g), 1e-10 * size);
  EXPECT_NEAR(value_dot[1], product(g), 1e-10 * size);
  double sum = p.process->residuals().dot(rho_dot.col(0));
  std::vector<Controls> at_once(p.process->terms().size(), Controls(4, std::vector<double>(1, 0.0)));
  std::vector<Seed> seeds;
  for (std::size_t k = 0; k < at_once.size(); ++k) seeds.push_back({&p.process->terms()[k], &at_once[k]});
  ASSERT_TRUE(p.process->gradients(seeds).converged);
  for (const ProcessTerm& term : p.process->terms()) {
    Controls term_gradient(4, std::vector<double>(1, 0.0));
    double term_dot = 0;
    ASSERT_TRUE(p.process->quantity_gradient(term, term_gradient).converged);
    EXPECT_TRUE(at_once[&term - p.process->terms().data()] == term_gradient) << term.name;
    ASSERT_TRUE(p.process->quantity_tangent(term, direction, term_dot).converged);
    for (auto& entry : term_gradient) MPI_Allreduce(MPI_IN_PLACE, entry.data(), 1, MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD);
    EXPECT_NEAR(product(term_gradient), term_dot, 1e-10 * size) << term.name;
    sum += term_dot;
  }
  EXPECT_NEAR(sum, product(g), 1e-10 * size);
  Controls h(4, std::vector<double>(1, 0.0));
  const SolveReport second = p.process->hessian_action(direction, h);
  ASSERT_TRUE(second.converged) << second.reason;
  for (auto& entry : h) MPI_Allreduce(MPI_IN_PLACE, entry.data(), 1, MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD);
  const double e = 1e-3;
  double slope = 0;
  Controls change(4, std::vector<double>(1, 0.0));
  for (const auto& [by, weight] : {std::pair{1.0, 8.0}, {-1.0, -8.0}, {2.0, -1.0}, {-2.0, 1.0}}) {
    slope += weight / (12 * e) * p.value(moved(p.d, by * e));
    const Controls there = p.gradient(moved(p.d, by * e));
    for (int k = 0; k < 4; ++k) change[k][0] += weight / (12 * e) * there[k][0];
  }
  EXPECT_NEAR(product(g), slope, difference * size);
  double largest = 0;
  for (int k = 0; k < 4; ++k) largest = std::max(largest, std::abs(change[k][0]));
  for (int k = 0; k < 4; ++k) EXPECT_NEAR(h[k][0], change[k][0], 30 * difference * largest) << k;
}

TEST(Path, DisplacementControlFollowsTheClosedFormPastTheLimitPoint) {
  const std::vector<double> w{0.05, limit, 0.2, 0.4, 0.6, 0.75, 0.9};
  Path p(w, {1, 0, 0}, false, 40);
  const ProcessReport report = p.process->run(p.d);
  ASSERT_TRUE(report.ok) << report.reason;
  for (std::size_t k = 0; k < w.size(); ++k) {
    const double load = Truss::load(stiffness, rise, w[k]);
    const Column<double> u = p.state(static_cast<int>(k));
    EXPECT_NEAR(p.process->load_factors()[k] * pull, load, 1e-11) << k;
    EXPECT_NEAR(u[0], w[k], 1e-12);
    EXPECT_NEAR(u[1], 0, 1e-12);
    EXPECT_NEAR(u[2], w[k] + load / 40, 1e-12);
  }
  EXPECT_NEAR(p.process->load_factors()[1] * pull, 2 * stiffness * rise * rise * rise / (3 * std::sqrt(3.0)), 1e-12);
}

TEST(Path, DerivativesBeforeAtAndAfterTheLimitPoint) {
  for (const std::vector<double>& w : {std::vector<double>{0.05, 0.1}, {0.1, limit}, {0.1, 0.3}, {limit, 0.5, 0.9}}) {
    SCOPED_TRACE(w.back());
    Path p(w, {1, 0, 0}, false, 40);
    expect_exact_derivatives(p);
  }
}

TEST(Path, DerivativesOfAControlThatReadsTheControls) {
  Path p({0.1, 0.25, 0.4}, {1, 0.1, 0.3}, false, 5, {0, 0.2, 0.01, 0.05});
  expect_exact_derivatives(p);
}

TEST(Path, ALoadFactorOfAPrescribedDisplacement) {
  // The end of the spring is moved by λ f; the spring is so soft that it would snap back while the apex goes on.
  Path p({0.1, limit, 0.3, 0.6}, {1, 0, 0}, false, 0.3, {0, 0, 0, 0}, {2});
  const ProcessReport report = p.process->run(p.d);
  ASSERT_TRUE(report.ok) << report.reason;
  for (int k = 0; k < 4; ++k) {
    const double w = p.process->times()[k];
    EXPECT_NEAR(p.process->load_factors()[k] * pull, w + Truss::load(stiffness, rise, w) / 0.3, 1e-11) << k;
  }
  expect_exact_derivatives(p);
}

TEST(Path, ChordsPassLimitPointsAndSnapBack) {
  // With so soft a spring both the load and its point of attack turn back: neither could be prescribed.
  const double spring = 0.1;
  std::vector<double> s;
  for (int k = 1; k <= 70; ++k) s.push_back(0.05 * k);
  Path p(s, {2, 2, 2}, true, spring);
  const ProcessReport report = p.process->run(p.d);
  ASSERT_TRUE(report.ok) << report.reason;
  bool load_fell = false, end_fell = false;
  Column<double> before(3, 0.0);
  double w_before = 0, factor_before = 0;
  for (std::size_t k = 0; k < s.size(); ++k) {
    const Column<double> u = p.state(static_cast<int>(k));
    const double factor = p.process->load_factors()[k];
    EXPECT_NEAR(factor * pull, Truss::load(stiffness, rise, u[0]), 1e-11) << k;
    EXPECT_NEAR(std::hypot(u[0] - before[0], u[1] - before[1], u[2] - before[2]), 0.05, 1e-12) << k;
    EXPECT_GT(u[0], w_before) << k;
    load_fell |= factor < factor_before;
    end_fell |= u[2] < before[2];
    before = u, w_before = u[0], factor_before = factor;
  }
  EXPECT_TRUE(load_fell);
  EXPECT_TRUE(end_fell);
  EXPECT_GT(w_before, 2 * rise);
}

TEST(Path, DerivativesByChordsGoThroughAllPoints) {
  Path p({0.1, 0.2, 0.3, 0.4, 0.5, 0.6}, {2, 3, 4}, true, 0.5);
  expect_exact_derivatives(p, 1e-7);
}

// The initial state, where the first chord begins, depends on a prescribed displacement that the load factor does not multiply.
TEST(Path, DerivativesByChordsFromARestThatIsPrescribed) {
  Path p({0.1, 0.2, 0.3}, {2, 3, 4}, true, 0.5, {0, 0, 0, 0}, {1});
  expect_exact_derivatives(p, 1e-7);
}

TEST(Path, ALoadThatActsOnNothingIsSaid) {
  Path p({0.1}, {1, 0, 0}, false, 40);
  Controls d = p.d;
  d[3][0] = 0;
  const ProcessReport report = p.process->run(d);
  EXPECT_FALSE(report.ok);
  EXPECT_NE(report.reason.find("has no effect"), std::string::npos) << report.reason;
}

TEST(Path, SuccessfulStatesOutliveARunThatFails) {
  Path p({0.1, 0.2}, {1, 0, 0}, false, 40);
  ASSERT_TRUE(p.process->run(p.d).ok);
  Controls d = p.d;
  d[3][0] = 0;
  EXPECT_FALSE(p.process->run(d).ok);
  EXPECT_EQ(p.process->load_factors().size(), 2u);
  EXPECT_THROW(PathCase("twice", p.truss, std::make_shared<LinearSolver>(PETSC_COMM_WORLD),
                        {std::make_shared<SmoothObservable>(*p.truss, Column<double>{1, 0, 0}, Column<double>(3, 0.0), Column<double>(4, 0.0)), false, {3, 3}},
                        {0.1}, 0.0, PathOptions{}),
               std::invalid_argument);
}

}  // namespace
}  // namespace invar
