// One reverse sweep for several scalars: the gradients are those of a sweep for each, and the sweep costs the factorisations
// and the recomputed steps of one.
#include <gtest/gtest.h>

#include "libadjoint/case_functional.hpp"
#include "libadjoint/maps/number_design.hpp"
#include "libadjoint/static_case.hpp"
#include "tests/unit/adjoint/path_toys.hpp"
#include "tests/unit/adjoint/time_objective.hpp"

namespace invar::toy {
namespace {

using Kind = TimeScheme::Kind;

/// A chain that counts how often its equation is evaluated in Newton's method.
struct Counting : Chain {
  std::shared_ptr<long> evaluations = std::make_shared<long>(0);
  bool admissible(const Levels<double>&, double) const { return ++*evaluations > 0; }
};

/// A march with an objective of every kind, and more quantities of every kind as constraints.
struct Swing {
  std::shared_ptr<Toy<Counting>> toy;
  std::shared_ptr<LinearSolver> solver = tight_solver();
  std::shared_ptr<TransientCase> process;
  std::vector<ProcessTerm> quantities;

  Swing(const SchemeCase& s, int steps, const MarchOptions& options, const std::vector<double>& times) {
    const auto chain = Chain::make();
    Counting model;
    static_cast<Chain&>(model) = chain->model();
    toy = std::make_shared<Toy<Counting>>(model, chain->controls(), chain->control_values());
    process = std::make_shared<TransientCase>("swing", toy, solver, s.scheme(), times, options);
    const Objective objective(toy, steps, times);
    objective.give(*process);
    DataSet strongest = objective.data;
    strongest.name = "strongest";
    strongest.steps = objective.largest.steps;
    strongest.statistic = std::make_shared<TimeStatistic>(TimeStatistic::Kind::rms, times, std::vector<double>(steps + 1, 1.0 / (steps + 1)));
    strongest.target = {0.3};
    strongest.noise = {0.2};
    process->data().push_back(strongest);
    quantities = {objective.end, objective.spread, objective.largest, objective.sum};
    quantities.push_back({.name = "range", .observable = objective.largest.observable, .steps = objective.largest.steps, .weight = 2,
                          .statistic = std::make_shared<TimeStatistic>(TimeStatistic::Kind::range, times, std::vector<double>(steps + 1, 1.0 / (steps + 1)))});
    for (const ProcessTerm& q : quantities) process->watch(q);
  }
  long* evaluations() const { return toy->model().evaluations.get(); }
};

/// Places for the gradients of the objective (null) and of the quantities.
struct Gradients {
  std::vector<Controls> d_bars;
  std::vector<Seed> seeds;
  Gradients(const Controls& d, const std::vector<ProcessTerm>& quantities) : d_bars(quantities.size() + 1, zeros(d)) {
    seeds.push_back({nullptr, &d_bars[0]});
    for (std::size_t k = 0; k < quantities.size(); ++k) seeds.push_back({&quantities[k], &d_bars[k + 1]});
  }
  Gradients(const Gradients&) = delete;
};

double distance(const Column<double>& a, const Column<double>& b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += (a[k] - b[k]) * (a[k] - b[k]);
  return std::sqrt(sum / dot(b, b));
}

double tangent_of(Case& process, const Seed& seed, const Controls& along) {
  double slope = 0;
  Eigen::MatrixXd rho_dot;
  Eigen::VectorXd value_dot;
  const SolveReport report = seed.term ? process.quantity_tangent(*seed.term, along, slope) : process.tangent({along}, rho_dot, value_dot);
  EXPECT_TRUE(report.converged) << report.reason;
  return seed.term ? slope : value_dot[0];
}

/// The gradients that one sweep has left against a sweep for each, and where `whole` against tangents.
void expect_gradients(Case& process, const ToyBase& toy, const std::vector<ProcessTerm>& quantities, const Gradients& together,
                      bool whole) {
  for (std::size_t k = 0; k < together.seeds.size(); ++k) {
    SCOPED_TRACE(k == 0 ? std::string("objective") : quantities[k - 1].name);
    Controls alone = zeros(toy.control_values());
    const Seed seed{together.seeds[k].term, &alone};
    ASSERT_TRUE(process.gradients({&seed, 1}).converged);
    const Column<double> g = gathered(toy, together.d_bars[k]);
    EXPECT_GT(dot(g, g), 0);
    EXPECT_LT(distance(g, gathered(toy, alone)), 1e-13);
    if (!whole) continue;
    const Controls v = direction(toy, 3);
    const double slope = tangent_of(process, seed, v), size = std::sqrt(dot(g, g) * dot(toy.flat(v), toy.flat(v)));
    EXPECT_NEAR(dot(g, toy.flat(v)), slope, 1e-10 * std::max(std::abs(slope), 1e-2 * size));
  }
}

/// A way of keeping states, and what it does to gradients.
struct Keeping {
  const char* name;
  int slots = 0;  // 0: all states
  int interval = 1, horizon = 0;
  bool single = false;
  bool whole() const { return horizon == 0 && !single; }
};

MarchOptions options_of(const Keeping& keeping, const SchemeCase& s) {
  MarchOptions options = tight();
  options.factor_interval = keeping.interval;
  options.horizon = keeping.horizon;
  options.storage.single_precision = keeping.single;
  if (keeping.slots == 0) return options;
  const auto toy = Chain::make();
  int local = toy->last() - toy->first(), most = 0;
  MPI_Allreduce(&local, &most, 1, MPI_INT, MPI_MAX, PETSC_COMM_WORLD);
  options.storage.ram_bytes = keeping.slots * ((s.scheme().history_size() + (s.scheme().stages() > 1)) * most + 1) * sizeof(double);
  return options;
}

const Keeping keepings[] = {{"all"}, {"checkpoints", 3}, {"checkpoints, factors kept", 3, 4}, {"horizon", 0, 1, 7},
                            {"single precision", 0, 1, 0, true}, {"checkpoints and horizon", 3, 1, 7}};

TEST(Seeds, OneMarchBackGivesAllGradients) {
  const int steps = serial() ? 31 : 9;
  const auto times = uneven(steps, 0.04);
  for (const SchemeCase& s : {SchemeCase{"newmark", Kind::newmark, 2}, SchemeCase{"sdirk2", Kind::sdirk2, 2}, SchemeCase{"bdf2", Kind::bdf2, 2}})
    for (const Keeping& keeping : keepings) {
      if (!serial() && s.kind != Kind::sdirk2) continue;
      SCOPED_TRACE(s.name + ", " + keeping.name);
      Swing p(s, steps, options_of(keeping, s), times);
      Gradients on_the_way(p.toy->control_values(), p.quantities), later(p.toy->control_values(), p.quantities);
      const ProcessReport report = p.process->run(p.toy->control_values(), on_the_way.seeds);
      ASSERT_TRUE(report.ok) << report.reason;
      EXPECT_EQ(p.process->march_report().keeps_all, keeping.slots == 0);
      ASSERT_TRUE(p.process->gradients(later.seeds).converged);
      EXPECT_TRUE(on_the_way.d_bars == later.d_bars);
      expect_gradients(*p.process, *p.toy, p.quantities, on_the_way, keeping.whole());
    }
}

TEST(Seeds, ManyCostTheStepsAndFactorisationsOfOne) {
  const int steps = serial() ? 53 : 13;
  const auto times = uneven(steps, 0.04);
  const SchemeCase s{"sdirk2", Kind::sdirk2, 2};
  for (const Keeping& keeping : {Keeping{"all"}, Keeping{"checkpoints", 3}}) {
    SCOPED_TRACE(keeping.name);
    Swing p(s, steps, options_of(keeping, s), times);
    /// What the first sweep after a march costs, and one after that.
    struct Cost {
      long repeated, solves, evaluations;
      int factorisations;
    };
    const auto cost = [&](std::span<const Seed> seeds) {
      const long before = *p.evaluations();
      const int factored = p.solver->factorisations();
      EXPECT_TRUE(p.process->gradients(seeds).converged);
      const MarchReport& report = p.process->march_report();
      return Cost{report.repeated_steps, report.adjoint_solves, *p.evaluations() - before, p.solver->factorisations() - factored};
    };
    const auto first = [&](std::span<const Seed> seeds) {
      EXPECT_TRUE(p.process->run(p.toy->control_values()).ok);
      return cost(seeds);
    };
    Gradients g(p.toy->control_values(), p.quantities);
    const std::span<const Seed> all = g.seeds, one = all.first(1);
    const Cost single = first(one), several = first(all);
    EXPECT_EQ(several.repeated, single.repeated);
    EXPECT_EQ(several.evaluations, single.evaluations);
    EXPECT_EQ(several.factorisations, single.factorisations);
    EXPECT_LE(several.solves, static_cast<long>(all.size()) * single.solves);  // fewer where the last steps do not matter
    EXPECT_GT(several.solves, static_cast<long>(all.size() - 1) * single.solves);
    long separate = 0;  // as it is done where each scalar is asked for by itself
    int factored = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      const Cost c = k == 0 ? first(all.subspan(k, 1)) : cost(all.subspan(k, 1));
      separate += c.repeated;
      factored += c.factorisations;
    }
    const Cost together = first(all.first(4));
    RecordProperty("recomputed", std::to_string(together.repeated) + " instead of " + std::to_string(separate));
    EXPECT_LT(together.factorisations, 0.3 * factored);
    if (keeping.slots > 0) {
      EXPECT_LT(together.repeated, 0.3 * separate);
    }
  }
}

TEST(Seeds, NothingToReadCostsNothing) {
  const auto times = uneven(20, 0.04);
  const SchemeCase s{"newmark", Kind::newmark, 2};
  Swing p(s, 20, options_of(keepings[1], s), times);
  p.process->data().clear();
  p.process->terms().clear();
  Controls d_bar = zeros(p.toy->control_values());
  ASSERT_TRUE(p.process->run(p.toy->control_values(), &d_bar).ok);
  EXPECT_EQ(p.process->march_report().repeated_steps, 0);
  EXPECT_TRUE(d_bar == zeros(d_bar));
}

// ---- equilibria -----------------------------------------------------------------------------------------

/// Springs in a row from a wall, each stiffening, pulled at the end.
struct Row {
  static constexpr int n = 4;
  std::vector<int> constrained{0};
  template <class T>
  Column<T> residual(const Column<T>& u, const Column<T>& d, double t) const {
    Column<T> r(n, T(0.0));
    for (int i = 0; i + 1 < n; ++i) {
      const T e = u[i + 1] - u[i], force = d[0] * e + d[1] * e * e * e;
      r[i] = r[i] - force;
      r[i + 1] = r[i + 1] + force;
    }
    r[n - 1] = r[n - 1] - t * d[2];
    return r;
  }
  template <class T>
  T held(int, const Column<T>& d) const { return d[3]; }
};

struct Pulled {
  std::shared_ptr<SmoothToy<Row>> toy;
  std::shared_ptr<LinearSolver> solver = tight_solver();
  std::shared_ptr<StaticCase> process;
  std::vector<ProcessTerm> quantities;
  static constexpr int steps = 5;

  explicit Pulled(bool coupled) {
    const Controls d{{2.0}, {0.7}, {1.1}, {0.1}};
    toy = std::make_shared<SmoothToy<Row>>(Row{}, std::vector<ControlInfo>{{.name = "k"}, {.name = "c"}, {.name = "f"}, {.name = "g"}}, d);
    LoadSteppingOptions options;
    options.newton.rtol = 1e-13;
    options.newton.min_iterations = 1;
    process = std::make_shared<StaticCase>("row", toy, solver, std::vector<double>{0.2, 0.4, 0.6, 0.8, 1.0}, 0.0, options);
    const auto end = std::make_shared<SmoothObservable>(*toy, Column<double>{0, 0.1, 0, 1}, Column<double>{0, 0.5, 0, 0}, Column<double>{0.2, 0, 0, 0.3});
    const auto middle = std::make_shared<SmoothObservable>(*toy, Column<double>{0, 0, 1, 0}, Column<double>{0, 0, 0, 0.4}, Column<double>(4, 0.0));
    process->data().push_back({"curve", end, {0, 2, 4}, {0.1, 0.3, 0.9}, {0.1, 0.2, 0.1}, 0.8});
    const std::vector<int> all{0, 1, 2, 3, 4};
    process->terms().push_back({"work", middle, all, 0.7, {0.1, 0.2, 0.2, 0.2, 0.1}});
    quantities = {{"end", end, {4}, 1.2}, {"middle", middle, {1, 3}, -0.4}, {"early", end, {0}, 2.0}};
    if (!coupled) return;
    quantities.push_back({"largest", end, all, 1.0, {}, 8.0});
    quantities.push_back({"spread", middle, all, 1.0, {}, 0.0, true});
  }
};

TEST(Seeds, OnePassOverTheLoadStepsGivesAllGradients) {
  for (const bool coupled : {false, true}) {
    SCOPED_TRACE(coupled);
    Pulled p(coupled);
    Gradients on_the_way(p.toy->control_values(), p.quantities), later(p.toy->control_values(), p.quantities);
    const ProcessReport report = p.process->run(p.toy->control_values(), on_the_way.seeds);
    ASSERT_TRUE(report.ok) << report.reason;
    const int before = p.solver->factorisations();
    ASSERT_TRUE(p.process->gradients(later.seeds).converged);
    EXPECT_EQ(p.solver->factorisations() - before, Pulled::steps);
    for (std::size_t k = 0; k < later.d_bars.size(); ++k)  // solved by other factors
      EXPECT_LT(distance(gathered(*p.toy, on_the_way.d_bars[k]), gathered(*p.toy, later.d_bars[k])), 1e-11);
    expect_gradients(*p.process, *p.toy, p.quantities, later, true);
  }
}

// ---- functionals ----------------------------------------------------------------------------------------

/// A march and an equilibrium that share two numbers, with constraints on both.
struct Shared {
  Swing swing;
  Pulled pulled{true};
  std::shared_ptr<CaseFunctional> functional;

  explicit Shared(const Keeping& keeping)
      : swing({"newmark", Kind::newmark, 2}, 13, options_of(keeping, {"newmark", Kind::newmark, 2}), uneven(13, 0.04)) {
    std::vector<DesignEntry> entries(2);
    entries[0].name = "first";
    entries[0].targets = {{0, 0}, {1, 0}};
    entries[1].name = "second";
    entries[1].targets = {{1, 2}};
    std::vector<CaseConstraint> constraints;
    for (const ProcessTerm& q : swing.quantities) constraints.push_back({{.name = q.name}, 0, q});
    for (const ProcessTerm& q : pulled.quantities) constraints.push_back({{.name = q.name}, 1, q});
    functional = std::make_shared<CaseFunctional>(std::vector<std::shared_ptr<Case>>{swing.process, pulled.process},
                                                  std::vector<std::shared_ptr<Parameterization>>{std::make_shared<NumberDesign>(entries)},
                                                  PETSC_COMM_WORLD, constraints);
  }
};

double distance(const DesignVector& a, const DesignVector& b) { return distance(a.shared, b.shared); }

TEST(Seeds, FunctionalsSweepOnceForObjectiveAndConstraints) {
  for (const Keeping& keeping : {Keeping{"all"}, Keeping{"checkpoints", 3}}) {
    SCOPED_TRACE(keeping.name);
    Shared p(keeping), q(keeping);
    const DesignVector theta{{0.9, 1.2}, {}}, along{{0.3, -0.7}, {}};
    DesignVector g, expected;
    std::vector<double> c, c_expected, slopes;
    std::vector<DesignVector> dc, dc_expected;
    const Evaluation e = p.functional->gradients(theta, g, c, dc);
    ASSERT_TRUE(e.ok) << e.reason;
    ASSERT_TRUE(q.functional->gradient(theta, expected).ok);
    ASSERT_TRUE(q.functional->constraint_gradients(theta, c_expected, dc_expected).ok);
    EXPECT_EQ(e.value, q.functional->value(theta).value);
    EXPECT_EQ(c, c_expected);
    EXPECT_LT(distance(g, expected), 1e-11);
    ASSERT_EQ(dc.size(), 10u);
    ASSERT_EQ(dc_expected.size(), 10u);
    double slope = 0;
    ASSERT_TRUE(p.functional->directional(theta, along, slope).ok);
    EXPECT_NEAR(dot(g.shared, along.shared), slope, 1e-10 * std::abs(slope));
    ASSERT_TRUE(p.functional->constraint_directional(theta, along, slopes).ok);
    for (std::size_t k = 0; k < dc.size(); ++k) {
      EXPECT_LT(distance(dc[k], dc_expected[k]), 1e-11) << k;
      EXPECT_NEAR(dot(dc[k].shared, along.shared), slopes[k], 1e-10 * std::max(1e-2, std::abs(slopes[k]))) << k;
    }
    const int before = p.swing.solver->factorisations(), pulled_before = p.pulled.solver->factorisations();
    ASSERT_TRUE(p.functional->gradient(theta, expected).ok);  // at hand
    EXPECT_EQ(p.swing.solver->factorisations(), before);
    EXPECT_EQ(p.pulled.solver->factorisations(), pulled_before);
    EXPECT_EQ(expected, g);
    ASSERT_TRUE(p.functional->constraint_gradients(theta, c, dc).ok);
    const MarchReport& march = p.swing.process->march_report();
    EXPECT_EQ(p.swing.solver->factorisations() - before, march.steps + march.repeated_steps);
    EXPECT_LE(p.pulled.solver->factorisations() - pulled_before, Pulled::steps);
  }
}

// The derivative of what goes there and back is nothing; its terms are not. Where there is one term, it is the derivative.
void expect_measured_terms(Case& process, const ToyBase& toy, int last) {
  const int n = toy.unknowns();
  Column<double> tip(n, 0.0);
  tip[n - 1] = 1;
  const auto end = std::make_shared<SmoothObservable>(toy, tip, Column<double>(n, 0.0), Column<double>(toy.flat(toy.control_values()).size(), 0.0));
  process.data().clear();
  process.terms() = {{"there", end, {last}, 0.7}, {"back", end, {last}, -0.7}};
  const ProcessTerm alone{"tip", end, {last}, 1.2};
  ASSERT_TRUE(process.run(toy.control_values()).ok);
  const Controls v = direction(toy, 3);
  Eigen::MatrixXd rho_dot;
  Eigen::VectorXd value_dot;
  double slope = 0;
  process.measure_terms(true);
  ASSERT_TRUE(process.quantity_tangent(alone, v, slope).converged);
  ASSERT_EQ(process.term_sizes().size(), 1u);
  EXPECT_NEAR(process.term_sizes()[0], std::abs(slope), 1e-14 * std::abs(slope));
  ASSERT_TRUE(process.tangent({v, v}, rho_dot, value_dot).converged);
  ASSERT_EQ(process.term_sizes().size(), 2u);
  for (int j = 0; j < 2; ++j) {
    EXPECT_EQ(value_dot[j], 0);
    EXPECT_NEAR(process.term_sizes()[j], 2 * 0.7 / 1.2 * std::abs(slope), 1e-12 * std::abs(slope));
  }
  process.measure_terms(false);
  ASSERT_TRUE(process.tangent({v}, rho_dot, value_dot).converged);
  EXPECT_EQ(process.term_sizes(), std::vector<double>{0.0});
}

TEST(Seeds, TermsThatCancelAreMeasured) {
  Pulled pulled(false);
  expect_measured_terms(*pulled.process, *pulled.toy, Pulled::steps - 1);
  for (const SchemeCase& s : schemes(2)) {
    SCOPED_TRACE(s.name);
    Swing swing(s, 6, tight(), uniform(1.2, 6));
    expect_measured_terms(*swing.process, *swing.toy, 6);
  }
}

}  // namespace
}  // namespace invar::toy
