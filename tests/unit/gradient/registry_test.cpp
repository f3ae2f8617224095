// Everything that the libraries offer must be in the tables of the gradient tests: a load, an observable, a law or a way to
// design that is added without an entry fails here. Flows: flow_registry_test.cpp, processes in time: time_registry_test.cpp.
#include <gtest/gtest.h>

#include "tests/unit/gradient/flow_table.hpp"
#include "tests/unit/gradient/header_text.hpp"
#include "tests/unit/gradient/observable_table.hpp"
#include "tests/unit/gradient/problem_functional.hpp"
#include "tests/unit/gradient/problem_table.hpp"
#include "tests/unit/gradient/shape_table.hpp"

namespace invar::gradient_test {
namespace {

TEST(GradientRegistry, EveryFormFactoryIsInTheMatrix) {
  std::string header;
  for (const char* of : {"solid_forms.hpp", "centrifugal_form.hpp"}) header += text_of(std::string(INVAR_SOURCE_DIR) + "/libfem/solid/" + of);
  std::set<std::string> known{"make_displacement_form", "make_mixed_form"};
  for (const LoadCase& load : all_loads()) known.insert(load.factory);
  EXPECT_EQ(matches(header, form_factory), known);
}

// A factory in a header that no test of this file reads would be missed: a new header belongs into a test, and then here.
TEST(GradientRegistry, EveryHeaderThatDeclaresFormsIsRead) {
  const std::set<std::string> read{
      "libfem/solid/solid_forms.hpp", "libfem/solid/centrifugal_form.hpp", "libfem/solid/dynamic_forms.hpp", "libfem/solid/memory_forms.hpp", "libfem/solid/mass_moment.hpp",
      "libfem/solid/displacement_measures.hpp", "libfem/objective/geometry_forms.hpp", "libfluid/flow/flow_forms.hpp",
      "libfluid/flow/passive_scalar_forms.hpp", "libfluid/flow/unsteady_forms.hpp", "libfluid/objective/flow_objectives.hpp",
      "libfluid/turbulence/turbulence_forms.hpp", "libfem/contact/contact_forms.hpp", "libfluid/fsi/fsi_forms.hpp"};
  // Inside of classes that the matrices hold (filters, penalties, mesh motion), or without a part in derivatives (pseudo-time, what a
  // solver begins with, counts of branches).
  const std::set<std::string> within{"libfem/form/gradient_energy.hpp", "libfem/form/value_energy.hpp", "libfem/solid/stress_forms.hpp", "libfem/design/field/density_forms.hpp",
                                     "libfluid/mesh_motion/mesh_motion_form.hpp", "libfluid/flow/pseudo_mass_forms.hpp",
                                     "libfluid/solve/scalar_convection.hpp", "libfluid/turbulence/branch_forms.hpp"};
  std::set<std::string> declares;
  for (const char* library : {"libfem", "libfluid"})
    for (const auto& entry : std::filesystem::recursive_directory_iterator(std::string(INVAR_SOURCE_DIR) + "/" + library)) {
      if (entry.path().extension() != ".hpp") continue;
      const std::regex factory(R"((template <[^\n]*>\s*)?std::unique_ptr<WeakForm>\s+make_\w+\()");
      const std::string text = text_of(entry.path());
      for (std::sregex_iterator i(text.begin(), text.end(), factory), end; i != end; ++i)
        if (!(*i)[1].matched) declares.insert(std::filesystem::relative(entry.path(), INVAR_SOURCE_DIR).string());
    }
  std::set<std::string> known = read;
  known.insert(within.begin(), within.end());
  EXPECT_EQ(declares, known);
}

// Laws and measures of contact must be in their test.
TEST(GradientRegistry, EveryFormOfContactIsInTheMatrix) {
  const std::string test = text_of(std::string(INVAR_SOURCE_DIR) + "/tests/unit/gradient/touching_problem.hpp");
  const auto offered = matches(text_of(std::string(INVAR_SOURCE_DIR) + "/libfem/contact/contact_forms.hpp"), form_factory);
  EXPECT_FALSE(offered.empty());
  for (const std::string& factory : offered) EXPECT_NE(test.find(factory + "("), std::string::npos) << factory;
}

// Forms of fluid–structure interaction must be in their test; runs of all of them together: room `app`, FsiRun.
TEST(GradientRegistry, EveryFormOfInteractionIsInItsTest) {
  const std::string test = text_of(std::string(INVAR_SOURCE_DIR) + "/tests/unit/gradient/interaction_forms_test.cpp");
  const auto offered = matches(text_of(std::string(INVAR_SOURCE_DIR) + "/libfluid/fsi/fsi_forms.hpp"), form_factory);
  EXPECT_FALSE(offered.empty());
  for (const std::string& factory : offered) EXPECT_NE(test.find(factory + "("), std::string::npos) << factory;
}

// What paths are controlled by must be named in their test.
TEST(GradientRegistry, EveryDisplacementMeasureControlsAPath) {
  const std::string test = text_of(std::string(INVAR_SOURCE_DIR) + "/tests/unit/gradient/path_gradient_test.cpp");
  const auto offered = matches(text_of(std::string(INVAR_SOURCE_DIR) + "/libfem/solid/displacement_measures.hpp"),
                               form_factory);
  EXPECT_FALSE(offered.empty());
  for (const std::string& factory : offered) EXPECT_NE(test.find(factory + "("), std::string::npos) << factory;
}

// Observables of libfem/design depend on what is designed alone: material_field_test.cpp, initial_field_test.cpp.
TEST(GradientRegistry, EveryObservableOfDesignsIsInTheMatrix) {
  std::set<std::string> offered;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(std::string(INVAR_SOURCE_DIR) + "/libfem/design"))
    if (entry.path().extension() == ".hpp") offered.merge(matches(text_of(entry.path()), R"(class (\w+)[^;{]*: public Observable\b)"));
  EXPECT_EQ(offered, (std::set<std::string>{"CellPenalty", "NodalPenalty"}));
}

TEST(GradientRegistry, EveryObservableIsInTheMatrix) {
  std::set<std::string> offered, known;
  std::vector<std::filesystem::path> headers;
  for (const char* room : {"/libfem/objective", "/libfem/solid"})
    for (const auto& entry : std::filesystem::recursive_directory_iterator(INVAR_SOURCE_DIR + std::string(room)))
      if (entry.path().extension() == ".hpp") headers.push_back(entry.path());
  for (const auto& header : headers) {
    const std::string text = text_of(header), open = text.substr(0, text.find("private:"));
    const auto classes = matches(text, R"(class (\w+)[^;{]*: public Observable)");
    offered.insert(classes.begin(), classes.end());
    if (header.string().find("/objective/") == std::string::npos) continue;  // forms of solids: EveryFormFactoryIsInTheMatrix
    for (const std::string& name : classes)
      for (const std::string& factory : matches(open, R"(static std::unique_ptr<\w+>\s+(\w+)\()"))
        offered.insert(name + "::" + factory);
    offered.merge(matches(text, R"((?:^|\n)std::unique_ptr<\w+>\s+(\w+)\()"));
  }
  for (const ObservableCase& o : all_observables()) known.insert(o.covers.begin(), o.covers.end());
  for (const FlowObjective& o : all_flow_objectives())  // solids are not designed by their coordinates, and carry no scalar
    if ((o.of_shape_alone || o.of_scalar) && (!o.factory.starts_with("make_") || offered.contains(o.factory))) known.insert(o.factory);
  known.insert("FunctionOf");  // of flows: FlowRegistry
  known.insert("StressLimit");  // of distributed material: solid_density_stress_test.cpp, and every kind of solid: quantity_library_test.cpp
  known.insert("CellValue");  // of fields with a prior: gaussian_field_test.cpp
  known.insert("NumberValue");  // of equilibrium paths and processes in time: path_gradient_test.cpp, TimeRegistry
  EXPECT_EQ(offered, known);
}

// The table of problems: each law meets every observable in a Taylor test, every load, every kind, every
// treatment of the volume, every cell, symmetric and nonsymmetric tangents, one and several load steps.
TEST(GradientRegistry, EveryLawMeetsEverything) {
  std::map<std::string, std::set<std::string>> met;
  for (const ProblemSpec& s : all_problems()) {
    auto& with = met[s.material + std::to_string(s.terms)];
    for (const int turn : taylor_observables(s)) with.insert(all_observables()[turn].name);
    with.insert(word(s.kind));
    with.insert("volume " + std::to_string(static_cast<int>(s.volume)));
    with.insert(s.follower_pressure ? "nonsymmetric" : "symmetric");
    with.insert(s.times.size() > 1 ? "several steps" : "one step");
    with.insert(std::string(name_of(s.cell.shape)) + std::to_string(s.cell.order));
  }
  std::size_t laws = 0;
  for (const std::string_view name : material_names()) laws += max_material_terms(name);
  EXPECT_EQ(met.size(), laws);
  std::set<std::string> cells;
  for (const auto& [law, with] : met) {
    int general = 0;
    for (const std::string& what : with) {
      const bool is_cell = what.ends_with('1') || what.ends_with('2');
      if (is_cell && !what.starts_with("volume")) cells.insert(what);
      else ++general;
    }
    EXPECT_EQ(general, static_cast<int>(all_observables().size()) + 4 + 3 + 2 + 2) << law;
  }
  EXPECT_EQ(cells.size(), 8u);
}

// Swelling meets every kind of solid and treatment of the volume, and each volumetric law is there.
TEST(GradientRegistry, SwellingAndVolumetricLawsAreInTheMatrix) {
  std::set<std::string> swells, laws, distributed;
  for (const ProblemSpec& s : all_problems()) {
    if (s.distributed) distributed.insert(word(s.kind) + std::to_string(static_cast<int>(s.volume)));
    if (s.swelling) swells.insert(word(s.kind) + std::to_string(static_cast<int>(s.volume)));
    laws.insert(std::string(volumetric_laws[static_cast<int>(s.volumetric)].name));
  }
  EXPECT_EQ(swells.size(), 11u);  // plane stress is never nearly incompressible
  EXPECT_EQ(laws.size(), volumetric_laws.size());
  EXPECT_EQ(distributed.size(), 5u);  // without a pressure
}

// Growth meets every kind of solid; growth and rest shapes meet cells of both orders, in space and in a plane.
TEST(GradientRegistry, GrowthAndRestShapesAreInTheMatrix) {
  const auto of_cells = [](const ProblemSpec& s) { return std::string(s.kind == SolidKind::spatial ? "space" : "plane") + std::to_string(s.cell.order); };
  std::set<std::string> kinds, grown, shaped, both;
  for (const ProblemSpec& s : all_problems())
    if (s.growth) kinds.insert(word(s.kind)), grown.insert(of_cells(s));
  for (const ProblemSpec& s : shaped_solids()) {
    shaped.insert(of_cells(s));
    if (s.growth) both.insert(of_cells(s).substr(0, 5));
  }
  EXPECT_EQ(kinds.size(), 4u);
  EXPECT_EQ(grown.size(), 4u);
  EXPECT_EQ(shaped.size(), 4u);
  EXPECT_EQ(both.size(), 2u);
}

// All numbers that a problem is given are designed, but for the infinite bulk modulus and growth that leaves the plane.
TEST(GradientRegistry, EveryControlIsDesigned) {
  for (const ProblemSpec& s : all_problems()) {
    if (s.material != "neo_hookean") continue;
    const SolidProblem p = make_problem(s, PETSC_COMM_SELF);
    std::size_t fixed = is_mixed(s) && s.volume == Volume::incompressible ? 1 : 0;
    if (s.growth && s.kind != SolidKind::spatial) fixed += 2;
    EXPECT_EQ(p.designed.size() + fixed, p.residual->controls().size()) << name_of(s);
    EXPECT_EQ(design_of(p).size(), p.designed.size());
  }
}

// Ways to move a boundary, and the parameterizations that there are.
TEST(DesignRegistry, EveryBoundaryMapIsInTheMatrix) {
  const std::string text = headers_of("libfem/design");
  std::set<std::string> offered = matches(text, R"(class (\w+)[^;{]*: public Boundary(?:Map|Source)\b)"), known;
  offered.merge(matches(text, R"((?:^|\n)std::unique_ptr<\w*BoundaryMap>\s+(\w+)\()"));
  for (const ShapeCase& shape : all_shapes()) known.insert(shape.covers.begin(), shape.covers.end());
  EXPECT_EQ(offered, known);
}

TEST(DesignRegistry, EveryParameterizationIsInTheMatrix) {
  std::set<std::string> offered;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(INVAR_SOURCE_DIR)) {
    const std::string path = std::filesystem::relative(entry.path(), INVAR_SOURCE_DIR).string();
    if (path.starts_with("lib") && entry.path().extension() == ".hpp")
      offered.merge(matches(text_of(entry.path()), R"(class (\w+)[^;{]*: public Parameterization\b)"));
  }
  // Numbers and densities: flow_gradient_test.cpp; shapes: shape_gradient_test.cpp; fields: material_field_test.cpp, gaussian_field_test.cpp;
  // signals: transient_gradient_test.cpp; initial fields: initial_field_test.cpp; numbers of copies: sample_batch_test.cpp.
  EXPECT_EQ(offered, (std::set<std::string>{"NumberDesign", "CopiedNumber", "DensityDesign", "ShapeDesign", "MaterialField", "GaussianField", "SignalDesign", "InitialField"}));
}

}  // namespace
}  // namespace invar::gradient_test
