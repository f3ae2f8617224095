// What the libraries offer for processes in time must be in the tables of the gradient tests, see registry_test.cpp.
#include <gtest/gtest.h>

#include "tests/unit/gradient/dynamic_form_table.hpp"
#include "tests/unit/gradient/header_text.hpp"
#include "tests/unit/gradient/transient_table.hpp"

namespace invar::gradient_test {
namespace {

/// All problems in time.
std::vector<TransientProblem> all_transient_problems() {
  std::vector<TransientProblem> all;
  for (const TransientSolidSpec& s : all_transient_solids())
    all.push_back(make_transient(s, PETSC_COMM_SELF, static_cast<int>(all.size())));
  for (const TransientFlowSpec& s : all_transient_flows())
    all.push_back(make_transient(s, PETSC_COMM_SELF, static_cast<int>(all.size())));
  for (const TransientInteractionSpec& s : all_transient_interactions())
    all.push_back(make_transient(s, PETSC_COMM_SELF, static_cast<int>(all.size())));
  return all;
}

TEST(TimeRegistry, EveryFormFactoryIsInTheMatrices) {
  const std::set<std::string> solid =
                                  matches(text_of(std::string(INVAR_SOURCE_DIR) + "/libfem/solid/dynamic_forms.hpp"),
                                          form_factory),
                              flow =
                                  matches(text_of(std::string(INVAR_SOURCE_DIR) + "/libfluid/flow/unsteady_forms.hpp"),
                                          form_factory);
  std::set<std::string> offered = solid, probed, marched;
  offered.insert(flow.begin(), flow.end());
  offered.merge(matches(text_of(std::string(INVAR_SOURCE_DIR) + "/libfluid/flow/passive_scalar_forms.hpp"), form_factory));
  for (const DynamicForm& f : all_dynamic_forms()) probed.insert(f.factory);
  for (const TransientProblem& p : all_transient_problems()) marched.insert(p.factories.begin(), p.factories.end());
  EXPECT_EQ(offered, probed);
  EXPECT_TRUE(contains_all(marched, offered));
  for (const char* header : {"memory_forms.hpp", "mass_moment.hpp"}) {
    const auto more = matches(text_of(std::string(INVAR_SOURCE_DIR) + "/libfem/solid/" + header), form_factory);
    EXPECT_FALSE(more.empty()) << header;
    EXPECT_TRUE(contains_all(marched, more)) << header;
  }
}

TEST(TimeRegistry, EveryLevelAndObstacleIsProbed) {
  std::set<Level> read;
  std::set<std::string> obstacles;
  for (const DynamicForm& f : all_dynamic_forms()) {
    read.insert(f.levels.begin(), f.levels.end());
    if (!f.obstacle.empty()) obstacles.insert(f.obstacle);
  }
  EXPECT_EQ(obstacles, enumerators("libfem/solid/rigid_contact.hpp", "ObstacleShape"));
  EXPECT_EQ(read.size(), static_cast<std::size_t>(level_count));
  EXPECT_EQ(enumerators("libadjoint/level.hpp", "Level").size(), static_cast<std::size_t>(level_count));
}

TEST(TimeRegistry, EverySchemeMeetsEveryPhysics) {
  std::set<std::string> offered, met;
  for (const std::string& name : TimeScheme::names())
    for (const int order : {1, 2}) {
      try {
        TimeScheme(TimeScheme::kind_of(name), order);
      } catch (const std::invalid_argument&) {
        continue;
      }
      if (order == 2)
        offered.insert(name + " solid");
      else if (TimeScheme(TimeScheme::kind_of(name), order).corrects_pressure())
        offered.insert(name + " linearised flow");  // always so
      else
        offered.insert({name + " flow", name + " linearised flow"});
      if (order == 1 && name != "midpoint" && name != "pressure_correction") offered.insert(name + " interaction");  // which are refused there
    }
  const auto name_of_kind = [](TimeScheme::Kind kind) { return TimeScheme::names()[static_cast<int>(kind)]; };
  for (const TransientSolidSpec& s : all_transient_solids()) met.insert(name_of_kind(s.scheme) + " solid");
  for (const TransientFlowSpec& s : all_transient_flows())
    met.insert(name_of_kind(s.scheme) + (s.linearised ? " linearised flow" : " flow"));
  for (const TransientInteractionSpec& s : all_transient_interactions()) met.insert(name_of_kind(s.scheme) + " interaction");
  EXPECT_EQ(offered, met);
  EXPECT_EQ(enumerators("libadjoint/time/time_scheme.hpp", "Kind"),
            std::set<std::string>(TimeScheme::names().begin(), TimeScheme::names().end()));
}

// Every kind of solid and flow, obstacle, basis in time, initial level; all controls designed but
// the infinite modulus; both physics with shapes, signals, fields; actuation among the objectives.
TEST(TimeRegistry, ProcessesMeetEverything) {
  std::set<std::string> words, solids, flows, volumes;
  for (const TransientSolidSpec& s : all_transient_solids()) {
    solids.insert(word(s.body.kind));
    volumes.insert(std::to_string(static_cast<int>(s.body.volume)));
    words.insert(s.coordinates ? "solid shape" : "solid as given"), words.insert(s.held ? "held" : "flying");
    words.insert(s.initial_field ? "initial solid field" : "initial solid numbers");
  }
  for (const TransientFlowSpec& s : all_transient_flows()) {
    flows.insert(std::to_string(static_cast<int>(s.kind)) + (s.linearised ? " linearised" : ""));
    if (s.scalar) words.insert(s.linearised ? "linearised scalar" : "implicit scalar");
    words.insert(s.shape.empty() ? "flow as given" : "flow shape");
    words.insert(s.initial_field ? "initial flow field" : "initial flow numbers");
  }
  std::set<std::string> covered;
  for (const TransientProblem& p : all_transient_problems()) {
    words.insert(p.words.begin(), p.words.end());
    for (const ProcessQuantity& q : p.quantities) covered.insert(q.covers.begin(), q.covers.end());
    std::size_t fixed = 0;
    for (const auto& values : p.residual->control_values()) fixed += values.size() == 1 && std::isinf(values[0]);
    EXPECT_EQ(p.numbers.size() + p.signals.size() + p.fields.size() + (p.shape ? 1 : 0) + fixed,
              p.residual->controls().size())
        << p.name;
    EXPECT_FALSE(p.signals.empty()) << p.name;
  }
  EXPECT_EQ(solids, enumerators("libfem/solid/solid_forms.hpp", "SolidKind"));
  EXPECT_EQ(volumes.size(), 3u);
  EXPECT_EQ(flows.size(), 2 * enumerators("libfluid/flow/flow_kinematics.hpp", "FlowKind").size());
  EXPECT_TRUE(contains_all(words, enumerators("libfem/solid/rigid_contact.hpp", "ObstacleShape")));
  EXPECT_TRUE(contains_all(words, enumerators("libadjoint/maps/time_basis.hpp", "Kind")));
  EXPECT_TRUE(contains_all(words, {"flow as given", "flow shape", "flying", "held", "initial flow field",
                                   "initial flow numbers", "initial rate", "initial solid field",
                                   "initial solid numbers", "initial value", "solid as given", "solid shape", "implicit scalar",
                                   "linearised scalar"}));
  EXPECT_TRUE(contains_all(covered, {"FormValue", "LinearObservable", "NumberValue", "Reaction"}));
}

}  // namespace
}  // namespace invar::gradient_test
