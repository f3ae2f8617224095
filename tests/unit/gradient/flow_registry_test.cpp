// What the libraries offer for flows must be in the tables of the gradient tests, see registry_test.cpp.
#include <gtest/gtest.h>

#include "tests/unit/gradient/flow_table.hpp"
#include "tests/unit/gradient/header_text.hpp"
#include "tests/unit/gradient/observable_table.hpp"

namespace invar::gradient_test {
namespace {

TEST(FlowRegistry, EveryFormFactoryIsInTheMatrix) {
  std::set<std::string> known;
  for (const FlowSpec& s : all_flow_specs()) {
    const auto factories = make_flow_problem(s, PETSC_COMM_SELF).factories;
    known.insert(factories.begin(), factories.end());
  }
  std::set<std::string> offered;
  for (const char* header : {"flow/flow_forms.hpp", "flow/passive_scalar_forms.hpp", "turbulence/turbulence_forms.hpp"})
    offered.merge(matches(text_of(std::string(INVAR_SOURCE_DIR) + "/libfluid/" + header), form_factory));
  EXPECT_EQ(offered, known);
}

TEST(FlowRegistry, EveryObjectiveIsInTheMatrix) {
  std::set<std::string> known, forms;
  for (const FlowObjective& o : all_flow_objectives()) {
    known.insert(o.factory);
    if (matches(headers_of("libfluid/objective"), form_factory).contains(o.factory)) forms.insert(o.factory);
  }
  EXPECT_EQ(matches(headers_of("libfluid/objective"), form_factory), forms);
  EXPECT_TRUE(known.contains("FunctionOf"));
  const std::set<std::string> of_solids = matches(headers_of("libfem/solid"), R"(class (\w+)[^;{]*: public Observable)");
  for (const ObservableCase& o : all_observables())  // the others of libfem serve flow as well
    EXPECT_TRUE(o.covers.back() == "FormValue" || o.covers.back() == "PlaceObservable" /* of displacements */ || of_solids.contains(o.covers.back()) || known.contains(o.covers.back())) << o.covers.back();
}

// Every law, and every kind with every discretisation; every term of the equation and of the boundary with
// both discretisations; every cell; one and several steps.
TEST(FlowRegistry, EveryDiscretisationMeetsEverything) {
  std::set<std::string> laws, offered, kinds, cells;
  std::map<FlowDiscretisation, std::set<std::string>> met;
  for (const std::string_view name : flow_law_names()) offered.insert(std::string(name));
  for (const FlowSpec& s : all_flow_specs()) {
    auto& with = met[s.discretisation];
    laws.insert(s.law);
    kinds.insert(std::to_string(static_cast<int>(s.kind)) + std::to_string(static_cast<int>(s.discretisation)));
    cells.insert(std::string(name_of(s.cell.shape)) + std::to_string(s.cell.order));
    with.insert(s.convection ? "inertia" : "no inertia");
    with.insert(s.stress_form ? "stress form" : "gradient form");
    with.insert(s.law == "newtonian" ? "constant viscosity" : "law");
    with.insert(s.times.size() > 1 ? "several steps" : "one step");
    with.insert(s.fields ? "fields" : "numbers");
    with.insert(s.slip ? "slip" : "moving lid");
    with.insert(s.backflow ? "backflow" : "outflow");
  }
  EXPECT_EQ(laws, offered);
  EXPECT_EQ(kinds.size(), 6u);
  EXPECT_EQ(cells.size(), 8u);
  for (const auto& [discretisation, with] : met) EXPECT_EQ(with.size(), 14u) << static_cast<int>(discretisation);
}

// All controls of a flow are designed.
TEST(FlowRegistry, EveryControlIsDesigned) {
  for (FlowSpec s : all_flow_specs()) {
    s.moving_mesh = true;
    const FlowGradientProblem p = make_flow_problem(s, PETSC_COMM_SELF);
    EXPECT_EQ(p.numbers.size() + p.fields.size() + 1, p.residual->controls().size()) << s.name;
  }
}

}  // namespace
}  // namespace invar::gradient_test
