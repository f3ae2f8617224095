// Processes in time: every scheme × solids and flows × every kind of design × every kind of
// objective: adjoint against tangent, Taylor orders, the tangent against finite differences of
// marches, the same on several ranks.
#include <cstdint>
#include <string_view>

#include "tests/unit/gradient/first_rank.hpp"
#include "tests/unit/gradient/gradient_checks.hpp"
#include "tests/unit/gradient/transient_table.hpp"

namespace invar::gradient_test {
namespace {

struct TransientEntry {
  std::string name;
  std::function<TransientProblem(MPI_Comm)> make;
  int turn = 0;        // by its name, for what few entries do
  bool flows = false;  // plastically, in the plane: on any number of ranks
};
void PrintTo(const TransientEntry& e, std::ostream* out) { *out << e.name; }

/// By the name alone (FNV-1a), so that a new entry does not change what the others take.
int turn_of(std::string_view name) {
  std::uint32_t hash = 2166136261u;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  return static_cast<int>(hash >> 8);
}

template <class Spec>
void append(std::vector<TransientEntry>& all, const std::vector<Spec>& specs, const char* physics) {
  for (const Spec& s : specs) {
    // Bases of signals take turns. Others begin, or an outlet's pressure is a piece that nothing reads.
    const int number = static_cast<int>(&s - specs.data()) + 1;
    const auto make = [s, number](MPI_Comm comm) {
      Spec spec = s;
      if constexpr (requires { spec.body; })
        if (rank_count() > 1) spec.body.refinement = 3;  // something to do for every rank
      return make_transient(spec, comm, number);
    };
    TransientEntry e{physics + s.name, make, turn_of(physics + s.name)};
    if constexpr (requires { s.flows; }) e.flows = s.flows && s.body.kind != SolidKind::spatial;
    all.push_back(std::move(e));
  }
}

std::vector<TransientEntry> transient_entries() {
  std::vector<TransientEntry> all;
  append(all, all_transient_solids(), "solid_");
  append(all, all_transient_flows(), "flow_");
  append(all, all_transient_interactions(), "interaction_");
  return all;
}

class TransientGradient : public testing::TestWithParam<TransientEntry> {};

/// "physics: quantity by design" of all that it has.
std::set<std::string> pairs_of(const TransientEntry& e) {
  std::set<std::string> pairs;
  const TransientProblem p = e.make(PETSC_COMM_SELF);
  std::set<std::string> designs{"numbers", "signals"};
  for (int c : p.fields) designs.insert(p.residual->controls()[c].name);
  if (p.shape) designs.insert("shape");
  for (const ProcessQuantity& q : p.quantities)
    for (const std::string& design : designs) pairs.insert(e.name.substr(0, e.name.find('_')) + ": " + q.term.name + " by " + design);
  return pairs;
}

/// Few entries that have every pair of a quantity and a kind of design which any has, others on three ranks than on two.
std::set<std::string> entries_with_all_pairs(int ranks) {
  std::vector<TransientEntry> all = transient_entries();
  std::ranges::sort(all, {}, &TransientEntry::turn);
  if (ranks == 3) std::ranges::reverse(all);
  std::set<std::string> names, covered;
  for (const TransientEntry& e : all) {
    const std::size_t before = covered.size();
    covered.merge(pairs_of(e));
    if (covered.size() > before) names.insert(e.name);
  }
  return names;
}

/// On several ranks these, plastic flow, an obstacle that moves, lumped masses, turbulence in the plane and interaction with stabilised flow.
bool runs_on(int ranks, const TransientEntry& e) {
  if (ranks == 1) return true;
  static const std::set<std::string> chosen = entries_with_all_pairs(ranks);
  const bool turbulent = e.name.find("turbulent") != std::string::npos && e.name.find("spatial") == std::string::npos;
  return chosen.contains(e.name) || e.flows || turbulent || e.name.ends_with("_carried") || e.name.ends_with("_stabilised") || e.name.find("_lumped") != std::string::npos;
}

// On several ranks against the same on one.
TEST_P(TransientGradient, IsExact) {
  const bool parallel = rank_count() > 1;
  if (!runs_on(rank_count(), GetParam())) GTEST_SKIP();
  const TransientProblem p = GetParam().make(PETSC_COMM_WORLD);
  const auto f = make_transient_functional(p);
  if (parallel) {
    const DesignVector theta = f->start();
    check_adjoint_against_tangent(*f, theta);
    check_constraints(*f, theta);
    check_residual_products(*f, theta);
    const auto findings = [&](CaseFunctional& of) {
      DesignVector g;
      const Evaluation at = of.gradient(of.start(), g);
      require(at);
      return Findings{{at.value}, g.shared};
    };
    const Findings together = findings(*f), here = found_by_first_rank(together, [&] {
      const TransientProblem alone = GetParam().make(PETSC_COMM_SELF);
      return findings(*make_transient_functional(alone));
    });
    EXPECT_NEAR(together[0][0], here[0][0], agreement * std::abs(here[0][0]));
    expect_near(together[1], here[1], "gradient");
    return;
  }
  const DesignVector theta = probed(*f);
  DesignVector g;
  ASSERT_TRUE(f->gradient(theta, g).ok);
  for (std::size_t i = 0; i < g.shared.size(); ++i) {
    // Radius and direction of an obstacle that has none; all else must matter, or it is not tested.
    const std::string name = f->names()[i];
    const double least = name == "contact.0" ? 1e-5 : name.starts_with("contact.") ? -1 : 1e-9;
    EXPECT_GT(std::abs(g.shared[i]), least) << name;
  }
  check_adjoint_against_tangent(*f, theta);
  check_constraints(*f, theta);
  check_taylor(*f, theta, 0.01);
  if (GetParam().turn % 3 == 0 && has_second_derivatives(*f)) check_hessian(*f, theta);
  if (GetParam().turn % 4 == 0) check_residual_products(*f, theta);
}

INSTANTIATE_TEST_SUITE_P(Processes, TransientGradient, testing::ValuesIn(transient_entries()),
                         [](const auto& info) { return info.param.name; });

// Derivatives of all compared values by every number, against differences of whole processes.
TEST(TransientTangent, AgreesWithDifferencesOfMarches) {
  if (rank_count() > 1) GTEST_SKIP();
  for (const TransientEntry& e : transient_entries()) {
    if (e.turn % 16 != 15) continue;
    SCOPED_TRACE(e.name);
    const TransientProblem p = e.make(PETSC_COMM_WORLD);
    const auto f = make_transient_functional(p);
    check_differences(*f, probed(*f));
  }
}

// A horizon changes the gradient of the same process, which shows whether the gradient was recomputed.
TEST(CaseFunctional, KeepsTheGradientOfItsPointUntilToldToForget) {
  TransientSolidSpec s{.name = "kept", .scheme = TimeScheme::Kind::generalised_alpha, .held = false};
  const TransientProblem p = make_transient(s, PETSC_COMM_WORLD);
  const auto f = make_transient_functional(p);
  const DesignVector theta = f->start(), elsewhere = probed(*f);
  DesignVector whole, kept, moved, back, shortened;
  ASSERT_TRUE(f->gradient(theta, whole).ok);
  dynamic_cast<TransientCase&>(*f->cases().front()).set_horizon(1);
  ASSERT_TRUE(f->gradient(theta, kept).ok);
  EXPECT_EQ(kept, whole);
  ASSERT_TRUE(f->value(theta).ok);
  ASSERT_TRUE(f->gradient(theta, kept).ok);
  EXPECT_EQ(kept, whole);
  f->forget();
  ASSERT_TRUE(f->gradient(theta, shortened).ok);
  EXPECT_FALSE(shortened == whole);
  ASSERT_TRUE(f->gradient(elsewhere, moved).ok);
  EXPECT_FALSE(moved == shortened);
  ASSERT_TRUE(f->gradient(theta, back).ok);
  EXPECT_NEAR(norm(back, f->comm()), norm(shortened, f->comm()), 1e-9 * norm(shortened, f->comm()));
}

// Long trajectories do not lose the gradient: several hundred steps, through contact and back.
TEST(TransientGradientOverTime, StaysExactForHundredsOfSteps) {
  if (rank_count() > 1) GTEST_SKIP();
  TransientSolidSpec s{
      .name = "long", .scheme = TimeScheme::Kind::generalised_alpha, .obstacle = "plane", .held = false};
  s.times.clear();
  for (int k = 0; k <= 300; ++k) s.times.push_back(0.01 * k);
  const TransientProblem p = make_transient(s, PETSC_COMM_WORLD);
  const auto f = make_transient_functional(p);
  const DesignVector theta = f->start();
  for (const auto& [along, direction] : directions_of(*f, theta))
    EXPECT_PASSED(dot_product_test(*f, theta, direction, along, 1e-10));
  TaylorOptions options;
  options.first_step = 1e-3;
  options.steps = 5;
  EXPECT_PASSED(taylor_test(*f, theta, Directions(*f, theta).random(7), "random", options));
}

// A flap in a flow on a mesh whose shape is designed: over hundreds of steps, with memory for all states and for three.
TEST(TransientGradientOverTime, OfInteractionStaysExactForHundredsOfSteps) {
  if (rank_count() > 1) GTEST_SKIP();
  for (TransientInteractionSpec s : all_transient_interactions()) {
    if (!s.coordinates || s.relaxes || s.scalar || s.turbulent) continue;
    SCOPED_TRACE(s.name);
    s.times.clear();
    for (int k = 0; k <= 300; ++k) s.times.push_back(0.003 * k);
    const TransientProblem p = make_transient(s, PETSC_COMM_WORLD);
    const auto f = make_transient_functional(p);
    const DesignVector theta = f->start();
    for (const auto& [along, direction] : directions_of(*f, theta)) EXPECT_PASSED(dot_product_test(*f, theta, direction, along, 1e-10));
    TaylorOptions options;
    options.first_step = 1e-3;
    options.steps = 4;
    EXPECT_PASSED(taylor_test(*f, theta, Directions(*f, theta).random(7), "random", options));
    const auto few = p.make_case(3);
    const auto g = make_functional_of(p, few);
    DesignVector of_all, of_few;
    ASSERT_TRUE(f->gradient(theta, of_all).ok);
    ASSERT_TRUE(g->gradient(theta, of_few).ok);
    EXPECT_EQ(few->march_report().slots, 3);
    EXPECT_GT(few->march_report().repeated_steps, 300);
    EXPECT_EQ(of_few, of_all);
  }
}

}  // namespace
}  // namespace invar::gradient_test
