#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>

#include "tests/unit/adjoint/time_cases.hpp"

namespace invar::toy {
namespace {

using Kind = TimeScheme::Kind;

enum class Steps { equal, by_turns, smooth };
/// Steps of equal length, by turns of lengths 1 : 1.7, or of a length that varies smoothly.
std::vector<double> steps_to(double end, int steps, Steps kind) {
  std::vector<double> t{0};
  for (int i = 0; i < steps; ++i)
    t.push_back(t.back() + (kind == Steps::by_turns && i % 2 ? 1.7 : kind == Steps::smooth ? 1 + 0.4 * std::sin(6.0 * i / steps) : 1.0));
  for (double& v : t) v *= end / t[steps];
  return t;
}

struct Errors { double value = 0, rate = 0, multiplier = 0; };

/// Largest errors in the second half of the march; that of the multiplier at its time, a fraction `back` of a step before the end.
template <class Model>
Errors errors(const Model& model, const Controls& d, const TimeScheme& scheme, const std::vector<double>& times, double back = 0) {
  Column<double> flat;
  for (const auto& e : d) flat.insert(flat.end(), e.begin(), e.end());
  std::vector<ControlInfo> infos(d.size(), control("numbers", ControlLayout::signal));
  auto toy = std::make_shared<Toy<Manufactured<Model>>>(Manufactured<Model>(model, flat), infos, d);
  auto test = march(toy, scheme, times);
  const ProcessReport report = test->run(d);
  EXPECT_TRUE(report.ok) << report.reason;
  Errors e;
  test->visit_states([&](int mark, const State& u) {
    if (2 * mark < int(times.size())) return;
    const Levels<double> y = toy->levels(u);
    for (int i = 0; i < model.n; ++i) {
      const double t = times[mark];
      if (!model.algebraic.empty() && model.algebraic[i]) {
        const double read = t - back * (t - times[mark - 1]);
        e.multiplier = std::max(e.multiplier, std::abs(y[0][i] - Manufactured<Model>::exact(0, i, read)));
        continue;
      }
      e.value = std::max(e.value, std::abs(y[0][i] - Manufactured<Model>::exact(0, i, t)));
      if (scheme.order() == 2) e.rate = std::max(e.rate, std::abs(y[1][i] - Manufactured<Model>::exact(1, i, t)));
    }
  });
  return e;
}

Controls reactor_controls() { return {{0.8, 0.6, 0.2, 2.1}, {0.5, -0.2, 0.9, 0.4, -0.6, 0.3}, {0, 0, 0, 0}}; }
Controls chain_controls() { return {{0.7, 0.15, 3.0, 1.5, 0.3, 1.7, 0.4}, {0.2, 0.5, -0.3, 0.1, 0.25}, {0, 0, 0, 0}}; }
double order_of(double coarse, double fine) { return std::log2(coarse / fine); }

struct Variant { bool linearised, prescribed; Steps steps; };

TEST(TimeScheme, HasItsOrder) {
  if (!serial()) GTEST_SKIP() << "takes long, and errors in time do not depend on the ranks";
  for (const Variant variant : {Variant{false, true, Steps::equal}, Variant{true, false, Steps::equal}, Variant{false, false, Steps::by_turns}})
    for (const int order : {1, 2})
      for (const SchemeCase& s : schemes(order)) {
        const double expected = s.kind == Kind::backward_euler ? 1 : 2;
        // The accelerations of generalised α belong to times that are off by a share of the step.
        const bool shifted = s.kind == Kind::generalised_alpha && variant.steps == Steps::by_turns;
        const auto run = [&](int n) {
          const auto times = steps_to(2, n, shifted ? Steps::smooth : variant.steps);
          if (order == 2) {
            Chain chain;
            chain.linearised = variant.linearised;
            if (!variant.prescribed) chain.constrained.clear();
            return errors(chain, chain_controls(), s.scheme(), times);
          }
          Reactor reactor;
          reactor.linearised = variant.linearised;
          return errors(reactor, reactor_controls(), s.scheme(), times);
        };
        const Errors coarse = run(100), fine = run(200);
        EXPECT_NEAR(order_of(coarse.value, fine.value), expected, 0.1)
            << s.name << ", order in time " << order << (variant.linearised ? ", linearised" : "") << ", error " << fine.value;
        if (order == 1 || variant.prescribed) continue;  // rates of prescribed unknowns are of the order of the stages
        EXPECT_NEAR(order_of(coarse.rate, fine.rate), expected, 0.1)
            << "rate: " << s.name << (variant.linearised ? ", linearised" : "") << ", error " << fine.rate;
      }
}

/// Of index two (Hairer, Lubich & Roche 1989): a multiplier of a stage is of the stage's order, and of first order by
/// the midpoint rule where the constraint changes in time.
TEST(TimeScheme, HasItsOrderWithAMultiplier) {
  if (!serial()) GTEST_SKIP() << "takes long, and errors in time do not depend on the ranks";
  const Controls d{{0.4, 0.8, 0.1}, {0.5, -0.2}};
  for (const SchemeCase& s : schemes(1)) {
    const auto run = [&](int n) { return errors(Multiplier(), d, s.scheme(), uniform(2, n), s.kind == Kind::midpoint ? 0.5 : 0); };
    const Errors coarse = run(100), fine = run(200);
    const bool second = s.kind == Kind::bdf2 || s.kind == Kind::generalised_alpha || s.kind == Kind::sdirk2;
    EXPECT_NEAR(order_of(coarse.value, fine.value), s.kind == Kind::backward_euler ? 1 : 2, 0.1) << s.name;
    EXPECT_NEAR(order_of(coarse.multiplier, fine.multiplier), second ? 2 : 1, 0.1) << s.name;
  }
}

/// Of index three, as of second order in time with a multiplier. By the midpoint rule the multiplier grows as the
/// step shrinks, by two stages it stays off.
TEST(TimeScheme, HasItsOrderWithAMultiplierOfSecondOrder) {
  if (!serial()) GTEST_SKIP() << "takes long, and errors in time do not depend on the ranks";
  const Controls d{{0.4, 0.8, 0.1}, {0.5, -0.2}};
  Multiplier model;
  model.order = 2;
  for (const SchemeCase& s : implicit_schemes(2)) {
    if (s.scheme().needs_start()) continue;
    const auto run = [&](int n) { return errors(model, d, s.scheme(), uniform(2, n), s.kind == Kind::midpoint ? 0.5 : 0); };
    const Errors coarse = run(100), fine = run(200);
    const double expected = s.kind == Kind::backward_euler ? 1 : 2, observed = order_of(coarse.multiplier, fine.multiplier);
    EXPECT_NEAR(order_of(coarse.value, fine.value), expected, 0.1) << s.name;
    if (s.kind == Kind::midpoint) {
      EXPECT_NEAR(observed, -1, 0.1);
    } else {
      EXPECT_NEAR(observed, s.kind == Kind::sdirk2 ? 0 : expected, 0.1) << s.name;
    }
  }
}

/// h' = A h for Σ_k weights[k] y_k = 0: the tables of all stages, one after the other.
Eigen::MatrixXd amplification(const TimeScheme& scheme, const PerLevel<double>& weights, double h) {
  const int n = scheme.history_size();
  Eigen::MatrixXd A = Eigen::MatrixXd::Identity(n, n);
  for (int stage = 0; stage < scheme.stages(); ++stage) {
    const StepTable table = scheme.step(1, h, h, stage);
    double unknown = 0;
    Eigen::RowVectorXd history = Eigen::RowVectorXd::Zero(n);
    for (Level l : all_levels) {
      unknown += weights[l] * table.equation[l].unknown;
      for (int j = 0; j < n; ++j) history[j] += weights[l] * table.equation[l].of(j);
    }
    Eigen::MatrixXd next(n, n);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) next(i, j) = table.history[i].of(j) - table.history[i].unknown * history[j] / unknown;
    A = next * A;
  }
  return A;
}
double radius(const Eigen::MatrixXd& A) { return test::dense_eigenvalues(A).cwiseAbs().maxCoeff(); }

TEST(TimeScheme, DampsWhatItShouldDamp) {
  for (const int order : {1, 2})
    for (const SchemeCase& s : implicit_schemes(order)) {
      const auto of = [&](double wh) {  // u̇ + ω u = 0, ü + ω² u = 0
        PerLevel<double> weights;
        weights[Level::value] = order == 2 ? wh * wh : wh;
        weights[order == 2 ? Level::acceleration : Level::rate] = 1;
        return radius(amplification(s.scheme(), weights, 1));
      };
      for (double wh = 1e-3; wh < 1e4; wh *= 1.7) EXPECT_LE(of(wh), 1 + 2e-7) << s.name << " order " << order << " at " << wh;
      double expected = 0;
      if (s.kind == Kind::midpoint || s.kind == Kind::newmark) expected = 1;
      if (s.kind == Kind::generalised_alpha) expected = s.rho;
      EXPECT_NEAR(of(1e7), expected, 2e-3) << s.name << " order " << order;
      const double conserved = of(0.5);
      if (order == 1) continue;
      if (expected == 1) {
        EXPECT_NEAR(conserved, 1, 1e-7) << s.name;
      } else {
        EXPECT_LT(conserved, 1 - 1e-6) << s.name;
      }
    }
}

// u'' − 2 u' + u = −(ω h)² u' has solutions e^{± i θ n} with cos θ = 1 − (ω h)²/2, and grows where that is below −1.
TEST(TimeScheme, CentralDifferencesTurnByTheAngleOfThreePoints) {
  for (const double wh : {0.01, 0.5, 1.0, 1.9, 1.999, 2.1, 5.0}) {
    PerLevel<double> weights;
    weights[Level::value] = wh * wh;
    weights[Level::acceleration] = 1;
    const Eigen::VectorXcd found = test::dense_eigenvalues(amplification(TimeScheme(Kind::central_differences, 2), weights, 1));
    const double c = 1 - 0.5 * wh * wh;
    const std::complex<double> root = std::sqrt(std::complex<double>(c * c - 1)), expected[2] = {c + root, c - root};
    for (const std::complex<double>& e : expected)
      EXPECT_LT(std::min(std::abs(found[0] - e), std::abs(found[1] - e)), 1e-9 * std::max(1.0, std::abs(e))) << wh;
    EXPECT_EQ(radius(amplification(TimeScheme(Kind::central_differences, 2), weights, 1)) > 1 + 1e-9, wh > 2) << wh;
  }
}

TEST(TimeScheme, LStableOnesForgetAStiffStartAtOnce) {
  for (const Kind kind : {Kind::backward_euler, Kind::sdirk2, Kind::bdf2}) {
    auto toy = Linear::make(1, 0, 1e8);
    auto test = march(toy, TimeScheme(kind, 1), {0, 1});
    ASSERT_TRUE(test->run(toy->control_values()).ok);
    test->visit_states([&](int mark, const State& u) {
      if (mark == 0) return;
      for (const double v : toy->gathered(u)) EXPECT_LT(std::abs(v), 1e-7);
    });
  }
}

TEST(TimeScheme, MidpointAndNewmarkConserveEnergy) {
  if (!serial()) GTEST_SKIP() << "takes long, and errors in time do not depend on the ranks";
  for (const Kind kind : {Kind::midpoint, Kind::newmark}) {
    auto toy = Linear::make(2, 0, 1);
    auto test = march(toy, TimeScheme(kind, 2), uniform(100, 1000));
    ASSERT_TRUE(test->run(toy->control_values()).ok);
    double drift = 0;
    test->visit_states([&](int, const State& u) {
      const Levels<double> y = toy->levels(u);
      for (int i = 0; i < 3; ++i) {
        const double w = i + 1, energy = y[1][i] * y[1][i] + w * w * y[0][i] * y[0][i];
        drift = std::max(drift, std::abs(energy / (0.25 + w * w) - 1));
      }
    });
    EXPECT_LT(drift, 1e-12);
  }
}

TEST(TimeScheme, RefusesWhatThereIsNot) {
  EXPECT_THROW(TimeScheme(Kind::newmark, 1), std::invalid_argument);
  EXPECT_THROW(TimeScheme(Kind::central_differences, 1), std::invalid_argument);
  EXPECT_THROW(TimeScheme(Kind::bdf2, 3), std::invalid_argument);
  EXPECT_THROW(TimeScheme(Kind::generalised_alpha, 1, 1.2), std::invalid_argument);
  EXPECT_THROW(TimeScheme(Kind::generalised_alpha, 1, -0.1), std::invalid_argument);
  EXPECT_THROW(TimeScheme::kind_of("leapfrog"), std::invalid_argument);
  for (const std::string& name : TimeScheme::names()) EXPECT_EQ(TimeScheme::names()[int(TimeScheme::kind_of(name))], name);
}

}  // namespace
}  // namespace invar::toy
