// Everything that the libraries offer must be in the tables of the gradient tests: a load, an observable, a law, a term of
// flow or a way to design that is added without an entry fails here.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "tests/unit/gradient/observable_table.hpp"
#include "tests/unit/gradient/problem_functional.hpp"
#include "tests/unit/gradient/problem_table.hpp"
#include "tests/unit/gradient/shape_table.hpp"
#include "tests/unit/gradient/transient_table.hpp"

namespace invar::gradient_test {
namespace {

std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file);
  EXPECT_TRUE(in) << file;
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

/// First groups of all matches.
std::set<std::string> matches(const std::string& text, const char* pattern) {
  const std::regex expression(pattern);
  std::set<std::string> found;
  for (std::sregex_iterator i(text.begin(), text.end(), expression), end; i != end; ++i) found.insert((*i)[1]);
  return found;
}

TEST(GradientRegistry, EveryFormFactoryIsInTheMatrix) {
  std::string header;
  for (const char* of : {"solid_forms.hpp", "centrifugal_form.hpp"}) header += text_of(std::string(INVAR_SOURCE_DIR) + "/libfem/solid/" + of);
  std::set<std::string> known{"make_displacement_form", "make_mixed_form"};
  for (const LoadCase& load : all_loads()) known.insert(load.factory);
  EXPECT_EQ(matches(header, R"(std::unique_ptr<WeakForm>\s+(make_\w+)\()"), known);
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
  const std::string test = text_of(std::string(INVAR_SOURCE_DIR) + "/tests/unit/gradient/contact_gradient_test.cpp");
  const auto offered = matches(text_of(std::string(INVAR_SOURCE_DIR) + "/libfem/contact/contact_forms.hpp"), R"(std::unique_ptr<WeakForm>\s+(make_\w+)\()");
  EXPECT_FALSE(offered.empty());
  for (const std::string& factory : offered) EXPECT_NE(test.find(factory + "("), std::string::npos) << factory;
}

// Forms of fluid–structure interaction must be in their test; runs of all of them together: room `app`, FsiRun.
TEST(GradientRegistry, EveryFormOfInteractionIsInItsTest) {
  const std::string test = text_of(std::string(INVAR_SOURCE_DIR) + "/tests/unit/gradient/interaction_forms_test.cpp");
  const auto offered = matches(text_of(std::string(INVAR_SOURCE_DIR) + "/libfluid/fsi/fsi_forms.hpp"), R"(std::unique_ptr<WeakForm>\s+(make_\w+)\()");
  EXPECT_FALSE(offered.empty());
  for (const std::string& factory : offered) EXPECT_NE(test.find(factory + "("), std::string::npos) << factory;
}

// What paths are controlled by must be named in their test.
TEST(GradientRegistry, EveryDisplacementMeasureControlsAPath) {
  const std::string test = text_of(std::string(INVAR_SOURCE_DIR) + "/tests/unit/gradient/path_gradient_test.cpp");
  const auto offered = matches(text_of(std::string(INVAR_SOURCE_DIR) + "/libfem/solid/displacement_measures.hpp"),
                               R"(std::unique_ptr<WeakForm>\s+(make_\w+)\()");
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

// All numbers that a problem is given are designed, but for the infinite bulk modulus.
TEST(GradientRegistry, EveryControlIsDesigned) {
  for (const ProblemSpec& s : all_problems()) {
    if (s.material != "neo_hookean") continue;
    const SolidProblem p = make_problem(s, PETSC_COMM_SELF);
    const std::size_t fixed = is_mixed(s) && s.volume == Volume::incompressible ? 1 : 0;
    EXPECT_EQ(p.designed.size() + fixed, p.residual->controls().size()) << name_of(s);
    EXPECT_EQ(design_of(p).size(), p.designed.size());
  }
}

// ---- flow -----------------------------------------------------------------------------------------

/// Texts of all headers of a folder, joined.
std::string headers_of(const char* folder) {
  std::string all;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(std::string(INVAR_SOURCE_DIR) + "/" + folder))
    if (entry.path().extension() == ".hpp") all += text_of(entry.path());
  return all;
}

constexpr const char* form_factory = R"(std::unique_ptr<WeakForm>\s+(make_\w+)\()";

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

// ---- time
// -----------------------------------------------------------------------------------------

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

/// The words of an enumeration in a header.
std::set<std::string> enumerators(const char* header, const std::string& name) {
  const std::string text = text_of(std::string(INVAR_SOURCE_DIR) + "/" + header);
  const std::size_t begin = text.find("enum class " + name + " {");
  EXPECT_NE(begin, std::string::npos) << header;
  const std::size_t open = text.find('{', begin);
  return matches(text.substr(open, text.find('}', open) - open), R"((\w+))");
}

bool contains_all(const std::set<std::string>& all, const std::set<std::string>& some) {
  return std::includes(all.begin(), all.end(), some.begin(), some.end());
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
