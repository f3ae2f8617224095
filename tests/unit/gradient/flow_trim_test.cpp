// Trimmed flows: derivatives of every objective including the number that keeps a quantity constant.
#include "libadjoint/trimmed_case.hpp"
#include "tests/unit/gradient/first_rank.hpp"
#include "tests/unit/gradient/gradient_checks.hpp"
#include "tests/unit/gradient/shape_table.hpp"

namespace invar::gradient_test {
namespace {

struct TrimSpec {
  std::string flow, shape;  // by name; an empty shape: numbers alone
  bool polar = false;       // the inlet's velocity turns, else it grows
};
void PrintTo(const TrimSpec& s, std::ostream* out) { *out << s.flow << " " << s.shape; }

FlowSpec flow_of(const TrimSpec& s) {
  const auto specs = all_flow_specs();
  FlowSpec flow = *std::ranges::find(specs, s.flow, &FlowSpec::name);
  flow.times = {1.0};
  flow.moving_mesh = !s.shape.empty();
  flow.refinement = flow.discretisation == FlowDiscretisation::equal_order ? 2 : 1;  // something to do for every rank
  return flow;
}

int number_named(const FlowGradientProblem& p, const std::string& name) {
  const auto& controls = p.residual->controls();
  return static_cast<int>(std::ranges::find(controls, name, &ControlInfo::name) - controls.begin());
}

/// The force on the body is held at a value a little off that of the start.
struct TrimmedFlow {
  SolvedFlow flow;
  Trim trim;
  std::shared_ptr<TrimmedCase> trimmed;
  std::unique_ptr<CaseFunctional> f;

  TrimmedFlow(const TrimSpec& s, MPI_Comm comm) : flow(flow_of(s), comm) {
    if (!flow.report.ok) throw std::runtime_error(s.flow + ": " + flow.report.reason);
    const FlowGradientProblem& p = flow.problem;
    trim.quantity = {"force", s.polar ? forces_of(p)[1] : force_of(p), {0}};  // a lift turns with the inlet
    trim.path = s.polar ? "angle" : "inlet.0";
    trim.number = number_named(p, s.polar ? "target.1" : trim.path);
    // An angle that is a number of an objective, too, moves that by itself besides.
    if (s.polar) trim.polar = PolarNumbers{0, number_named(p, "total.density"), trim.number, number_named(p, "inlet.0"), number_named(p, "inlet.1")};
    Controls given = flow.start;
    if (s.polar) given = turned(given);
    if (!flow.at_start->run(given).ok) throw std::runtime_error(s.flow + ": no start");
    trim.target = 1.05 * flow.at_start->quantity(trim.quantity);
    trim.scale = std::abs(trim.target);
    trimmed = p.make_case<TrimmedCase>(trim);
    f = make_flow_functional(p, *flow.at_start, trimmed, design(s));
  }

  /// The controls with what follows from the angle.
  Controls turned(Controls d) const {
    const auto [x, y] = PolarNumbers::values(d[trim.polar->radius][0], d[trim.polar->angle][0]);
    d[trim.polar->x] = {x}, d[trim.polar->y] = {y};
    return d;
  }

  /// All numbers but those that are found or follow.
  Design design(const TrimSpec& s) const {
    const FlowGradientProblem& p = flow.problem;
    std::vector<int> numbers = p.numbers;
    std::erase(numbers, trim.number);
    if (const auto& polar = trim.polar)
      for (const int c : {polar->radius, polar->x, polar->y}) std::erase(numbers, c);
    Design all{number_design(p, numbers)};
    if (!s.shape.empty()) {
      const auto shapes = all_shapes();
      all.push_back(shape_design(p, *std::ranges::find(shapes, s.shape, &ShapeCase::name)));
    }
    return all;
  }
};

class FlowTrim : public testing::TestWithParam<TrimSpec> {};

TEST_P(FlowTrim, IsExact) {
  const TrimmedFlow t(GetParam(), PETSC_COMM_WORLD);
  const DesignVector theta = probed(*t.f);
  check_adjoint_against_tangent(*t.f, theta);
  check_constraints(*t.f, theta);
  EXPECT_NEAR(t.trimmed->quantity(t.trim.quantity), t.trim.target, 1e-9 * t.trim.scale);
  if (rank_count() > 1) return;
  check_taylor(*t.f, theta);
  check_hessian(*t.f, theta);
  // The number is found to 1e-11 of the target; where turbulence makes objectives hundreds of times as sensitive to it,
  // that hides derivatives in quotients of differences.
  if (!t.flow.problem.spec.turbulent) check_differences(*t.f, theta);
}

// The trimmed quantity has zero derivative, and the number found gives the target in an untrimmed case.
TEST_P(FlowTrim, HoldsItsQuantity) {
  const TrimmedFlow t(GetParam(), PETSC_COMM_WORLD);
  const FlowGradientProblem& p = t.flow.problem;
  auto trimmed = p.make_case<TrimmedCase>(t.trim);
  const ProcessTerm* const terms[] = {&t.trim.quantity};
  const ProcessTerm number{"number", std::make_shared<NumberValue>(p.residual, t.trim.number), {0}};
  ASSERT_TRUE(trimmed->run(t.flow.start).ok);
  Controls along(t.flow.start.size());
  along[number_named(p, "fluid.density")] = {0.7};
  along[number_named(p, "floor.0")] = {-1.3};
  std::vector<double> held;
  ASSERT_TRUE(trimmed->quantity_tangents(terms, along, held).converged);
  EXPECT_NEAR(held[0], 0, 1e-9 * t.trim.scale);
  Controls d = t.flow.start;
  d[t.trim.number] = {trimmed->quantity(number)};
  EXPECT_GT(std::abs(d[t.trim.number][0] - t.flow.start[t.trim.number][0]), 1e-4);
  if (t.trim.polar) d = t.turned(d);
  ASSERT_TRUE(t.flow.at_start->run(d).ok);
  EXPECT_NEAR(t.flow.at_start->quantity(t.trim.quantity), t.trim.target, 1e-10 * t.trim.scale);
}

// From a state at hand the number and the state are found together: the same ones, for less than a search that begins
// with the state at the old number.
TEST_P(FlowTrim, GoesOnFromALastState) {
  const TrimmedFlow t(GetParam(), PETSC_COMM_WORLD);
  const FlowGradientProblem& p = t.flow.problem;
  const auto make = [&](bool warm) {
    LoadSteppingOptions stepping;
    stepping.newton.rtol = 1e-13;
    stepping.warm_start = warm;
    auto solver = std::make_shared<LinearSolver>(p.dofs->comm(), LinearSolverOptions{.method = "auto", .rtol = 1e-15});
    return std::make_shared<TrimmedCase>("flow", p.residual, std::move(solver), p.spec.times, 0.0, stepping, t.trim);
  };
  const auto fresh = make(false), warm = make(true);
  const ProcessTerm number{"number", std::make_shared<NumberValue>(p.residual, t.trim.number), {0}};
  Controls moved = t.flow.start;
  moved[number_named(p, "fluid.density")][0] *= 1.1;
  ASSERT_TRUE(warm->run(t.flow.start).ok);
  const double before = warm->quantity(number);
  const ProcessReport expected = fresh->run(moved), found = warm->run(moved);
  ASSERT_TRUE(expected.ok && found.ok) << expected.reason << found.reason;
  EXPECT_GT(std::abs(warm->quantity(number) - before), 1e-4);
  EXPECT_NEAR(warm->quantity(number), fresh->quantity(number), 1e-8 * std::abs(fresh->quantity(number)));
  EXPECT_LT(found.newton_iterations, expected.newton_iterations);
  const auto f = make_flow_functional(p, *t.flow.at_start, warm, t.design(GetParam()));
  check_adjoint_against_tangent(*f, probed(*f));
}

TEST_P(FlowTrim, IsTheSameOnAllRanks) {
  if (rank_count() == 1) GTEST_SKIP();
  const auto findings = [](MPI_Comm comm) {
    const TrimmedFlow flow(GetParam(), comm);
    DesignVector g;
    const Evaluation at = flow.f->gradient(probed(*flow.f), g);
    require(at);
    return Findings{{at.value}, g.shared};
  };
  const Findings together = findings(PETSC_COMM_WORLD), alone = found_by_first_rank(together, [&] { return findings(PETSC_COMM_SELF); });
  EXPECT_NEAR(together[0][0], alone[0][0], agreement * std::abs(alone[0][0]));
  expect_near(together[1], alone[1], "gradient");
}

INSTANTIATE_TEST_SUITE_P(Flows, FlowTrim,
                         testing::Values(TrimSpec{"tri6", ""}, TrimSpec{"quad4", "ffd"}, TrimSpec{"tri3", "", true}, TrimSpec{"turbulent_tri3", "", true}),
                         [](const auto& info) { return info.param.flow + (info.param.polar ? "_turned" : "_grown"); });

TEST(FlowTrim, SaysWhatCannotBeTrimmed) {
  SolvedFlow flow(flow_of({"tri6", ""}), PETSC_COMM_WORLD);
  const FlowGradientProblem& p = flow.problem;
  Trim trim{.quantity = {"volume", integral_of(p, "make_volume"), {0}}, .target = 1, .number = number_named(p, "inlet.0"), .path = "inlet.0"};
  EXPECT_EQ(p.make_case<TrimmedCase>(trim)->run(flow.start).reason, "trim: 'volume' does not depend on inlet.0");
}

}  // namespace
}  // namespace invar::gradient_test
