// Every entry of the library of designs, on a flow in time: derivatives of the controls by θ.
#include <gtest/gtest.h>

#include <map>

#include "libfluid/design/design_library.hpp"
#include "tests/unit/gradient/transient_flow.hpp"

namespace invar::gradient_test {
namespace {

/// A value for each parameter without a default. An unknown key is an error: its entry could not be tested.
EntryValues chosen_values(const DesignEntryKind& kind) {
  static const std::map<std::string, double, std::less<>> chosen{{"radius", 0.3}, {"max_resistance", 5}, {"functions", 3}, {"deviation", 0.4}, {"correlation_length", 0.5}};
  EntryValues values = EntryValues::defaults(kind.parameters);
  for (const EntryParameter& p : kind.parameters) {
    if (p.default_value || !p.default_text.empty() || p.may_be_left_out) continue;
    using enum EntryParameter::Kind;
    if (p.kind == text) values.set_text(std::string(p.key), "case");
    else if (p.kind == word) values.set_text(std::string(p.key), std::string(p.words.back().word));
    else if (p.kind == variable || p.kind == constant) values.set_text(std::string(p.key), "viscosity");
    else if (const auto found = chosen.find(p.key); found != chosen.end()) values.set(std::string(p.key), {found->second});
    else throw std::logic_error("the parameter '" + std::string(p.key) + "' of a design has no value in the gradient tests: add one");
  }
  return values;
}

struct Prepared {
  TransientProblem problem;
  DesignCase seen;
};

/// A flow whose numbers are as an application names them.
Prepared prepared(const DesignEntryKind& kind, EntryMistakes& mistakes) {
  Prepared p{make_transient({.name = "design", .scheme = TimeScheme::Kind::bdf2, .cell = {Shape::triangle, 2}}, PETSC_COMM_SELF), {}};
  DesignCase& c = p.seen;
  c.name = "case";
  c.mesh = p.problem.mesh;
  c.residual = p.problem.residual;
  c.times = p.problem.times;
  c.path = "viscosity";
  c.control = c.control_named("viscosity");
  c.is_flow = true;
  c.resistance = c.control_named("resistance");
  kind.prepare(c, chosen_values(kind), mistakes);
  return p;
}

double inner_product(const Controls& a, const Controls& b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k)
    if (!a[k].empty() && !b[k].empty()) sum += std::inner_product(a[k].begin(), a[k].end(), b[k].begin(), 0.0);
  return sum;
}
double inner_product(const DesignVector& a, const DesignVector& b) {
  return std::inner_product(a.shared.begin(), a.shared.end(), b.shared.begin(), 0.0) +
         std::inner_product(a.local.begin(), a.local.end(), b.local.begin(), 0.0);
}

TEST(DesignLibrary, EveryEntryIsDifferentiatedExactly) {
  for (const DesignEntryKind& kind : design_library()) {
    SCOPED_TRACE(kind.name);
    EntryMistakes mistakes;
    const Prepared p = prepared(kind, mistakes);
    ASSERT_FALSE(mistakes.any()) << mistakes.all().front().what;
    const auto map = kind.make({p.seen}, chosen_values(kind), mistakes);
    ASSERT_TRUE(map) << mistakes.all().front().what;
    const std::size_t n = p.problem.residual->controls().size();
    const auto varied = [](DesignVector x, double size, double phase) {
      for (std::size_t i = 0; i < x.shared.size(); ++i) x.shared[i] += size * std::sin(phase + 1.3 * static_cast<double>(i));
      for (std::size_t i = 0; i < x.local.size(); ++i) x.local[i] += size * std::cos(phase + 0.7 * static_cast<double>(i));
      return x;
    };
    const DesignVector theta = varied(map->start(), 0.1, 0.2), theta_dot = varied(DesignVector::zeros_like(theta), 1, 1.1);
    const auto controls_at = [&](double step) {
      DesignVector moved = theta;
      moved.axpy(step, theta_dot);
      std::vector<Controls> d{p.problem.residual->control_values()};
      EXPECT_TRUE(map->apply(moved, d).ok);
      return d;
    };
    constexpr double h = 1e-4;
    const std::vector<Controls> ahead = controls_at(h), behind = controls_at(-h);
    controls_at(0);
    std::vector<Controls> d_dot{Controls(n)}, bar{Controls(n)};
    ASSERT_TRUE(map->jvp(theta, theta_dot, d_dot).ok);
    map->want(bar);
    double moves = 0;
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t i = 0; i < d_dot[0][k].size(); ++i) {
        EXPECT_NEAR(d_dot[0][k][i], (ahead[0][k][i] - behind[0][k][i]) / (2 * h), 1e-6) << k << " " << i;
        moves = std::max(moves, std::abs(d_dot[0][k][i]));
      }
    EXPECT_GT(moves, 1e-3);
    for (auto& entries : bar[0])
      for (std::size_t i = 0; i < entries.size(); ++i) entries[i] = std::sin(0.9 * static_cast<double>(i) + 0.4);
    const double forward = inner_product(bar[0], d_dot[0]);
    DesignVector theta_bar = DesignVector::zeros_like(theta);
    ASSERT_TRUE(map->vjp(theta, bar, theta_bar).ok);
    EXPECT_NEAR(inner_product(theta_bar, theta_dot), forward, 1e-10 * (1 + std::abs(forward)));
  }
}

TEST(DesignLibrary, SaysWhatIsInTheWay) {
  for (const DesignEntryKind& kind : design_library()) {
    SCOPED_TRACE(kind.name);
    Prepared p{make_transient({.name = "design", .scheme = TimeScheme::Kind::bdf2, .cell = {Shape::triangle, 2}}, PETSC_COMM_SELF), {}};
    DesignCase c;
    c.name = "beam";
    c.mesh = p.problem.mesh;
    c.residual = p.problem.residual;
    c.path = "viscosity";
    c.control = c.control_named("viscosity");
    c.why_no_field = "a reason";
    EntryMistakes mistakes;
    kind.prepare(c, chosen_values(kind), mistakes);  // no process in time, no flow, no field
    ASSERT_TRUE(mistakes.any());
    for (const EntryMistakes::Mistake& m : mistakes.all()) EXPECT_FALSE(m.what.empty());
  }
}

}  // namespace
}  // namespace invar::gradient_test
