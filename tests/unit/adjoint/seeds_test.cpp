// One reverse sweep for several scalars: the gradients are those of a sweep for each, and the sweep costs the factorisations
// and the recomputed steps of one.
#include <gtest/gtest.h>

#include "tests/unit/adjoint/seed_processes.hpp"

namespace invar::toy {
namespace {

using Kind = TimeScheme::Kind;

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

const Keeping keepings[] = {{"all"}, {"checkpoints", 3}, {"checkpoints, factors kept", 3, 4}, {"horizon", 0, 1, 7},
                            {"single precision", 0, 1, 0, true}, {"checkpoints and horizon", 3, 1, 7}};

TEST(Seeds, OneMarchBackGivesAllGradients) {
  const int steps = serial() ? 31 : 9;
  const auto times = uneven(steps, 0.04);
  for (const SchemeCase& s : {SchemeCase{"newmark", Kind::newmark, 2}, SchemeCase{"sdirk2", Kind::sdirk2, 2}, SchemeCase{"bdf2", Kind::bdf2, 2}})
    for (const Keeping& keeping : keepings) {
      // On ranks checkpoints with kept factors and with a horizon stand for each of them alone.
      const bool alone = keeping.slots > 0 ? keeping.interval == 1 && keeping.horizon == 0 : keeping.horizon > 0;
      if (!serial() && (s.kind != Kind::sdirk2 || alone)) continue;
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

TEST(Seeds, OnePassOverTheLoadStepsGivesAllGradients) {
  for (const bool coupled : {false, true}) {
    SCOPED_TRACE(coupled);
    PulledRow p(coupled);
    Gradients on_the_way(p.toy->control_values(), p.quantities), later(p.toy->control_values(), p.quantities);
    const ProcessReport report = p.process->run(p.toy->control_values(), on_the_way.seeds);
    ASSERT_TRUE(report.ok) << report.reason;
    const int before = p.solver->factorisations();
    ASSERT_TRUE(p.process->gradients(later.seeds).converged);
    EXPECT_EQ(p.solver->factorisations() - before, PulledRow::steps);
    for (std::size_t k = 0; k < later.d_bars.size(); ++k)  // solved by other factors
      EXPECT_LT(distance(gathered(*p.toy, on_the_way.d_bars[k]), gathered(*p.toy, later.d_bars[k])), 1e-11);
    expect_gradients(*p.process, *p.toy, p.quantities, later, true);
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
  PulledRow pulled(false);
  expect_measured_terms(*pulled.process, *pulled.toy, PulledRow::steps - 1);
  for (const SchemeCase& s : schemes(2)) {
    SCOPED_TRACE(s.name);
    Swing swing(s, 6, tight(), uniform(1.2, 6));
    expect_measured_terms(*swing.process, *swing.toy, 6);
  }
}

}  // namespace
}  // namespace invar::toy
