// Another physics plugs in without a change to those that are there: heat conduction, made of one form, one builder and
// one entry of the registry, has tables, errors, designs, gradients, certificates and files like the others.
#include <gtest/gtest.h>

#include "apps/invar/physics/material_fields.hpp"
#include "apps/invar/physics/physics.hpp"
#include "apps/invar/physics/shared_tables.hpp"
#include "apps/invar/physics/term_table.hpp"
#include "apps/invar/problem/case_builder.hpp"
#include "apps/invar/problem/problem.hpp"
#include "apps/invar/spec/spec_error.hpp"
#include "apps/invar/verbs/verbs.hpp"
#include "libadjoint/verify/certify.hpp"
#include "libfem/form/q_form.hpp"
#include "tests/unit/app/program.hpp"

namespace invar {
namespace {

// ---- in its library: the forms ------------------------------------------------------------------

/// ∫ k (1 + β T) ∇T·∇φ in the plane. Coefficients: k [W/(m K)], β [1/K].
struct Conduction {
  static constexpr int dim = 2, ref_dim = 2, n_components = 1;
  static constexpr std::array<int, 1> basis{};
  static constexpr std::array<Slot, 3> slots{{{0, 0}, {0, 1}, {0, -1}}};
  static constexpr bool symmetric = false, uses_position = false;
  int n_coefficients() const { return 2; }
  template <class Tz, class Tg, class Tp>
  auto flux(const std::array<Tz, 3>& z, const PointGeometry<Tg, 2, 2>& g, const Tp* p) const {
    using R = PromotedOf<Tz, Tg, Tp>;
    const R k = p[0] * (1.0 + p[1] * z[2]) * g.measure;
    return std::array<R, 3>{R(k * z[0]), R(k * z[1]), R(0.0)};
  }
};

/// ∫ C ∂T/∂t φ. Coefficient: C [J/(m³ K)].
struct HeatStorage {
  static constexpr int dim = 2, ref_dim = 2, n_components = 1;
  static constexpr std::array<int, 1> basis{};
  static constexpr std::array<Slot, 1> slots{{{0, -1, Level::rate}}};
  static constexpr bool symmetric = true, uses_position = false;
  int n_coefficients() const { return 1; }
  template <class Tz, class Tg, class Tp>
  auto flux(const std::array<Tz, 1>& z, const PointGeometry<Tg, 2, 2>& g, const Tp* p) const {
    using R = PromotedOf<Tz, Tg, Tp>;
    return std::array<R, 1>{R(p[0] * z[0] * g.measure)};
  }
};

/// −∫ q φ over facets: heat that enters. Coefficient: q [W/m²].
struct HeatSupply {
  static constexpr int dim = 2, ref_dim = 1, n_components = 1;
  static constexpr std::array<int, 1> basis{};
  static constexpr std::array<Slot, 1> slots{{{0, -1}}};
  static constexpr bool symmetric = true, uses_position = false;
  int n_coefficients() const { return 1; }
  template <class Tz, class Tg, class Tp>
  auto density(const std::array<Tz, 1>& z, const PointGeometry<Tg, 2, 1>& g, const Tp* p) const {
    using R = PromotedOf<Tz, Tg, Tp>;
    return R(0.0 - p[0] * z[0] * g.measure);
  }
};

const TermSpec heat_flux{
    .name = "heat_flux",
    .doc = "Heat that enters.",
    .parameters = {{.spec = {.key = "q", .unit = "W/m^2", .doc = "per area"}, .may_be_formula = true, .grows = true}}};

// ---- in the program: the builder ----------------------------------------------------------------

constexpr ParamSpec conductor_parameters[] = {
    {.key = "conductivity", .unit = "W/(m K)", .doc = "conductivity at T = 0", .lower = 0, .lower_open = true},
    {.key = "slope", .unit = "1/K", .doc = "its relative change with temperature", .default_value = 0},
    {.key = "capacity", .unit = "J/(m^3 K)", .doc = "heat capacity per volume", .default_value = 1, .lower = 0, .lower_open = true},
};

class HeatModel final : public PhysicsModel {
 public:
  std::map<std::string, std::string> regions;  // by material
  std::vector<RegionConstant> constants;

  bool axisymmetric() const override { return false; }
  std::string region_of_material(const std::string& name) const override { return regions.at(name); }
  std::vector<VtkField> fields(const CaseModel& model, const EvaluationPoint& state) const override {
    const LocalArray u(state);
    std::vector<double> T(model.mesh->node_total());
    for (int n = 0; n < model.mesh->node_total(); ++n) T[n] = u.data()[model.dofs->dof(n, 0)];
    std::vector<VtkField> all{{"temperature", 1, VtkField::On::nodes, std::move(T)}};
    add_material_fields(model, state.controls(), constants, all);
    return all;
  }
  std::vector<double> cell_volumes(const CaseModel& model, const EvaluationPoint&) const override {
    std::size_t cells = 0;
    for (const CellBlock& block : model.mesh->cells) cells += block.count();
    return std::vector<double>(cells, 1.0);
  }
};

class HeatBuilder : CaseBuilder {
 public:
  HeatBuilder(HeatModel& heat, CaseModel& model, const CaseSections& sections, Diagnostics& diagnostics)
      : CaseBuilder(model, sections, false, diagnostics), heat_(heat) {}
  void build() {
    const auto cells = [&](const std::string& region) { return CellBatches::on_cells(model_.dofs, region, 5); };
    std::vector<std::string> covered;
    for (const spec::Value& m : *sections_.find("materials")) {
      const auto region = region_of(m, model_.mesh->dim);
      if (!region) continue;
      covered.push_back(heat_.regions[m.key] = *region);
      std::vector<ControlledValue> values;
      for (const ParamSpec& p : conductor_parameters) {
        values.push_back({constant(m, "materials." + m.key, p, p.default_value), {}});
        heat_.constants.push_back({std::string(p.key), *region, values.back().control});
      }
      residual_.add_form(make_form(Conduction{}, cells(*region)), {values[0], values[1]});
      if (model_.march) residual_.add_form(make_form(HeatStorage{}, cells(*region)), {values[2]});
    }
    check_covered(covered);
    if (const spec::Value* boundary = sections_.find("boundary"))
      for (const spec::Value& s : *boundary)
        if (check_region(*model_.mesh, s.key, -1, s, diagnostics_, true)) prescribe(s, 0, "T", "K");
    if (const spec::Value* loads = sections_.find("loads"))
      for (const spec::Value& l : *loads)
        if (const auto region = region_of(l, model_.mesh->dim - 1))
          residual_.add_form(make_form(HeatSupply{}, CellBatches::on_facets(model_.dofs, *region, 5)),
                             coefficients(heat_flux, l, "loads." + l.key), used_as(l));
    visit_initial([this](const spec::Value& s, const std::string& region, const std::string& path) {
      residual_.add_initial({Level::value, region, 0, bind_constant(s, path, "T", "K")});
    });
  }

 private:
  HeatModel& heat_;
};

void build_heat(CaseModel& model, const CaseSections& sections, int order, MPI_Comm comm, Diagnostics& diagnostics) {
  auto heat = std::make_unique<HeatModel>();
  model.dofs = std::make_shared<const DofMap>(model.mesh, std::vector<Component>{{"T", order}}, comm);
  model.residual = std::make_shared<FormResidual>(model.dofs);
  HeatBuilder(*heat, model, sections, diagnostics).build();
  model.physics = std::move(heat);
  model.residual->finish();
}

Physics heat_physics() {
  using namespace spec;
  return {.options = Table("heat", "Conduction of heat.").defaulted("order", integer().at_least(1).at_most(2), "2", "of the elements"),
          .materials = {parameters("conductor", "A conductor.", conductor_parameters)},
          .loads = {term_table(heat_flux)},
          .boundary = {{"T", value_or_formula("K"), "heat: the temperature"}},
          .initial = {{"T", value_or_formula("K"), "heat: the temperature"}},
          .components = {{"T", "temperature"}},
          .methods = [](const CaseSections& sections) {
            return "Conduction of heat was discretised by finite elements of order " + std::to_string((*sections.find("physics"))["order"].integer());
          },
          .sources = {{"finite elements", {"zienkiewicz2013"}}},
          .order = [](const Value& physics) { return static_cast<int>(physics["order"].integer()); },
          .time_order = [](const Value&) { return 1; },
          .build = build_heat};
}

// ---- the line of registration -------------------------------------------------------------------

/// After the server of program runs is made, whose program has the physics of the libraries only.
void register_heat() {
  test::ProgramServer::instance();
  all_physics().push_back(heat_physics());
}
const bool registered = (test::before_mpi().push_back(register_heat), true);

// ---- what that gives ------------------------------------------------------------------------------

/// The folder of the first rank for all ranks, removed at the end.
class SharedPlace {
 public:
  SharedPlace() {
    std::string name = first_.folder().string();
    int size = static_cast<int>(name.size());
    MPI_Bcast(&size, 1, MPI_INT, 0, PETSC_COMM_WORLD);
    name.resize(static_cast<std::size_t>(size));
    MPI_Bcast(name.data(), size, MPI_CHAR, 0, PETSC_COMM_WORLD);
    folder_ = name;
  }
  SharedPlace(const SharedPlace&) = delete;
  SharedPlace& operator=(const SharedPlace&) = delete;
  ~SharedPlace() { MPI_Barrier(PETSC_COMM_WORLD); }

  const std::filesystem::path& folder() const { return folder_; }
  /// Collective.
  void write(const std::string& name, const std::string& text) const {
    if (folder_ == first_.folder()) first_.write(name, text);
    MPI_Barrier(PETSC_COMM_WORLD);
  }

 private:
  test::Workplace first_;
  std::filesystem::path folder_;
};

/// A wall whose conductivity grows with temperature between T = 0 and a supply of heat q: k (T + β T²/2) = q x.
std::string wall(const std::string& more) {
  return R"(title: a wall
mesh: {rectangle: {to: [2, 1], cells: [6, 2], shape: triangle}}
physics: {type: heat}
materials: {brick: {model: conductor, conductivity: 1.5, slope: 0.2, capacity: 3}}
boundary: {left: {T: 0}}
loads: {sun: {type: heat_flux, region: right, q: 2.5}}
solver: {rtol: 1e-13}
)" + more;
}
constexpr double k = 1.5, beta = 0.2, q = 2.5;
double exact(double x) { return (std::sqrt(1 + 2 * beta * q * x / k) - 1) / beta; }

Problem problem_of(const SharedPlace& here, const std::string& text, const std::string& file = "spec.yaml") {
  here.write(file, text);
  return build_problem(here.folder() / file, {}, PETSC_COMM_WORLD);
}

TEST(ThirdPhysics, ConvergesToTheSolutionThatIsKnown) {
  ASSERT_TRUE(registered);
  const SharedPlace here;
  here.write("spec.yaml", wall("output:\n  probes: {end: {point: [2, 0.5], component: T}}\n  errors: {T: \"" +
                               std::to_string(1 / beta) + "*(sqrt(1 + " + std::to_string(2 * beta * q / k) + "*x) - 1)\"}\n"));
  CommandLine line;
  line.verb = Verb::run, line.verbosity = -1;
  line.spec = here.folder() / "spec.yaml", line.out = here.folder() / "out";
  ASSERT_EQ(run(line), ExitCode::ok);
  MPI_Barrier(PETSC_COMM_WORLD);  // the first rank writes
  const nlohmann::json results = test::json_of(here.folder() / "out/results.json");
  EXPECT_NEAR(results["probes"]["end"].get<double>(), exact(2), 2e-4);
  EXPECT_LT(results["errors"]["case"]["T_l2"].get<double>(), 5e-4) << results;
  bool written = false;
  for (const auto& file : std::filesystem::recursive_directory_iterator(here.folder() / "out"))
    written |= file.path().extension() == ".vtu" && test::content(file.path()).find("temperature") != std::string::npos;
  EXPECT_TRUE(written);
}

TEST(ThirdPhysics, ItsReportNamesItsEquationsAndSources) {
  const SharedPlace here;
  here.write("spec.yaml", wall("output: {fields: none, report: true}\n"));
  CommandLine line;
  line.verb = Verb::run, line.verbosity = -1;
  line.spec = here.folder() / "spec.yaml", line.out = here.folder() / "out";
  ASSERT_EQ(run(line), ExitCode::ok);
  MPI_Barrier(PETSC_COMM_WORLD);
  const std::string page = test::content(here.folder() / "out/report.html"), sources = test::content(here.folder() / "out/citations.bib");
  EXPECT_NE(page.find("Conduction of heat was discretised by finite elements of order 2 with "), std::string::npos) << page;
  for (const char* of_another : {"Equilibrium", "a solid", "Navier"}) EXPECT_EQ(page.find(of_another), std::string::npos) << of_another;
  EXPECT_NE(sources.find("{zienkiewicz2013,"), std::string::npos) << sources;
  EXPECT_EQ(sources.find("{elman2014,"), std::string::npos);
  EXPECT_EQ(test::json_of(here.folder() / "out/run.json")["physics"]["case"]["deformation"], "");
}

// The closed form of T at the end gives the derivatives; field and shape are held by the certificate.
TEST(ThirdPhysics, HasExactGradientsByNumbersFieldsAndShape) {
  const SharedPlace here;
  const std::string objective = "objective: [{type: point, point: [2, 0.5], component: T}]\n";
  Problem numbers = problem_of(here, wall(objective + R"(design:
  - {variable: materials.brick.conductivity, lower: 0.1, upper: 9}
  - {variable: materials.brick.slope, lower: 0, upper: 1}
  - {variable: loads.sun.q, lower: 0, upper: 9}
)"));
  DesignVector g;
  ASSERT_TRUE(numbers.functional->gradient(numbers.functional->start(), g).ok);
  const double root = std::sqrt(1 + 4 * beta * q / k);
  const double by_k = -2 * q / (k * k * root), by_q = 2 / (k * root), by_beta = 2 * q / (k * beta * root) - exact(2) / beta;
  const auto variables = numbers.functional->variables();
  const double expected[] = {by_k, by_beta, by_q};
  for (int i = 0; i < 3; ++i)
    EXPECT_NEAR(g.shared[i] / variables[i].transform.derivative(numbers.functional->start().shared[i]), expected[i], 3e-3 * std::abs(expected[i]))
        << variables[i].name;
  const auto certified = [&](const std::string& text, const std::string& file) {
    Problem problem = problem_of(here, text, file);
    const Certificate c = certify(*problem.functional, problem.functional->start());
    EXPECT_TRUE(c.passed()) << file;
  };
  certified(wall(objective + "design: [{kind: field, variable: materials.brick.conductivity, radius: 0.5}]\n"), "field.yaml");
  certified(wall(objective + "design: [{kind: ffd, region: right, from: [1.5, -0.1], to: [2.1, 1.1], points: [2, 3], moves: [x], largest: 0.1}]\n"), "shape.yaml");
  certified(wall("time: {scheme: sdirk2, end: 0.4, steps: 4}\ninitial: {all: {T: \"0.3*x\"}}\n" + objective +
                 "design: [{variable: materials.brick.capacity, lower: 1, upper: 9}, {variable: loads.sun.q, lower: 0, upper: 9}]\n"),
            "time.yaml");
}

TEST(ThirdPhysics, WordsOfOthersAreRefusedByName) {
  const SharedPlace here;
  const auto refused = [&](const std::string& text) -> std::string {
    try {
      problem_of(here, text);
    } catch (const SpecError& e) {
      return e.what();
    }
    return "nothing was wrong";
  };
  const std::string said = refused(R"(title: mistakes
mesh: {rectangle: {to: [2, 1], cells: [2, 2]}}
physics: {type: heat}
materials: {brick: {model: neo_hookean, young: 1, poisson: 0.3}}
boundary: {left: {u_x: 0}}
loads: {sun: {type: traction, region: right, x: 1}}
)");
  EXPECT_NE(said.find("the physics is 'heat', which has no material 'neo_hookean'"), std::string::npos) << said;
  EXPECT_NE(said.find("allowed: conductor"), std::string::npos) << said;
  EXPECT_NE(said.find("'u_x' is for solid, flow, and the physics is 'heat'"), std::string::npos) << said;
  EXPECT_NE(said.find("which has no load 'traction'"), std::string::npos) << said;
  EXPECT_NE(refused(wall("objective: [{type: flow_rate, region: left}]\n")).find("which has no quantity 'flow_rate'"), std::string::npos);
  EXPECT_NE(refused(wall("time: {control: arc_length}\n")).find("the physics is 'heat'"), std::string::npos);
}

}  // namespace
}  // namespace invar
