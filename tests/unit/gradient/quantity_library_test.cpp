// Every entry of the libraries of quantities, on solids and on flows with a moving mesh: derivatives of first and
// second order at a state that is no solution, with respect to the state, its rate and all controls together.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "libfem/design/entry/design_case.hpp"
#include "libfem/design/entry/quantity_library.hpp"
#include "libfem/objective/weighted_sum.hpp"
#include "libfem/solid/solid_quantities.hpp"
#include "libfluid/objective/flow_quantity_entry.hpp"
#include "tests/unit/gradient/flow_gradient_problem.hpp"
#include "tests/unit/gradient/gradient_checks.hpp"
#include "tests/unit/gradient/solid_problem.hpp"

namespace invar::gradient_test {
namespace {

/// A state, its rate, and values of all controls; or a direction of them, or what derivatives are added to.
struct Place {
  VecHandle u, rate;
  Controls d;

  /// Entries base + size · sin(phase + …); `like` is repeated for controls, but for infinite ones. Parts of a part of 1
  /// may move.
  Place(FormResidual& r, double size, double phase, bool around_given) : u(r.create_vector()), rate(r.create_vector()), d(r.control_values()) {
    int k = 0;
    const auto wave = [&] { return size * std::sin(phase + 1.7 * k++); };
    for (Vec v : {u.get(), rate.get()}) {
      PetscInt n = 0;
      double* a = nullptr;
      check(VecGetLocalSize(v, &n));
      check(VecGetArray(v, &a));
      for (PetscInt i = 0; i < n; ++i) a[i] = wave();
      check(VecRestoreArray(v, &a));
    }
    for (auto& values : d)
      for (double& v : values) v = !std::isfinite(v) ? (around_given ? v : 0) : (around_given ? v : 0) + wave();
  }
  /// At rest, with the values that the problem was given.
  Place(FormResidual& r, double size) : Place(r, size, 0.3, true) { d = r.control_values(); }

  void axpy(double a, const Place& x) {
    check(VecAXPY(u, a, x.u));
    check(VecAXPY(rate, a, x.rate));
    for (std::size_t k = 0; k < d.size(); ++k)
      for (std::size_t i = 0; i < d[k].size(); ++i) d[k][i] += a * x.d[k][i];
  }
  double dot(const Place& x) const {
    double a = 0, b = 0;
    check(VecDot(u, x.u, &a));
    check(VecDot(rate, x.rate, &b));
    for (std::size_t k = 0; k < d.size(); ++k)
      for (std::size_t i = 0; i < d[k].size(); ++i)
        if (std::isfinite(d[k][i])) a += d[k][i] * x.d[k][i];
    return a + b;
  }
  State state() const {
    State s(u);
    s.levels[Level::rate] = rate;
    return s;
  }
  EvaluationPoint point() const { return {state(), {std::make_shared<const Controls>(d), 0.8, 0.8}}; }
};

void expect_quantity_exact(FormResidual& r, Observable& quantity) {
  ASSERT_EQ(quantity.size(), 1);
  const Place at(r, 0.03), direction(r, 1, 1.1, false);
  const auto moved = [&](double step) {
    Place p(r, 0.03);
    p.axpy(step, direction);
    return p;
  };
  const auto pulled_back = [&](const Place& p) {
    Place bar(r, 0, 0, false);
    const double one = 1;
    quantity.vjp(p.point(), &one, bar.state(), &bar.d);
    return bar;
  };
  // Central differences, extrapolated: quotients of small numbers have large third derivatives.
  constexpr double h = 1e-5;
  const auto slope_of = [&](auto f) {
    const auto difference = [&](double step) { return (f(moved(step)) - f(moved(-step))) / (2 * step); };
    return (4 * difference(h) - difference(2 * h)) / 3;
  };
  double y = 0, rate = 0;
  quantity.evaluate(at.point(), &y);
  quantity.jvp(at.point(), direction.state(), &direction.d, &rate);
  const double size = std::abs(rate) + std::abs(y);
  EXPECT_GT(std::abs(rate), 1e-6);
  EXPECT_NEAR(rate, slope_of([&](const Place& p) {
                double value = 0;
                quantity.evaluate(p.point(), &value);
                return value;
              }),
              1e-6 * size);
  EXPECT_NEAR(pulled_back(at).dot(direction), rate, 1e-11 * size);

  Place second(r, 0, 0, false);
  const double one = 1, none = 0;
  quantity.vjp_tangent(at.point(), &one, &none, direction.state(), &direction.d, second.state(), &second.d);
  const double curvature = second.dot(direction), of_slopes = slope_of([&](const Place& p) { return pulled_back(p).dot(direction); });
  EXPECT_NEAR(curvature, of_slopes, 1e-5 * (size + std::abs(curvature)));
}

/// Names and places that a problem's parameters may have.
struct EntrySample {
  std::string facets, component;
  std::map<std::string, std::vector<double>, std::less<>> numbers;
  std::map<std::string, std::string, std::less<>> texts = {};  // of keys whose kind does not say what they are
};

void set_typical(EntryValues& values, const EntryParameter& p, const EntrySample& sample) {
  using enum EntryParameter::Kind;
  const std::string key(p.key);
  if (const auto given = sample.texts.find(p.key); given != sample.texts.end() && (p.kind == text || p.kind == facet_region))
    return values.set_text(key, given->second);
  switch (p.kind) {
    case facet_region:
    case any_region:
    case body_region: return values.set_text(key, sample.facets);
    case component: return values.set_text(key, sample.component);
    case variable:
    case designed_field: return values.set_text(key, "a number");
    case word: return values.set_text(key, std::string(p.words.back().word));
    default: break;
  }
  const auto found = sample.numbers.find(p.key);
  if (found == sample.numbers.end()) throw std::logic_error("the parameter '" + key + "' of a quantity has no value in the gradient tests: add one");
  values.set(key, found->second);
}

/// Variants of an entry: each of exclusive keys, each value of each parameter.
template <class Case>
std::vector<EntryValues> variants(const QuantityEntry<Case>& entry, const EntrySample& sample) {
  EntryValues plain = EntryValues::defaults(entry.parameters);
  for (const EntryParameter& p : entry.parameters)
    if (!p.default_value && p.default_text.empty() && !p.may_be_left_out) set_typical(plain, p, sample);
  std::vector<EntryValues> all;
  for (const EntryParameter& p : entry.parameters)
    if (std::ranges::find(entry.exactly_one_of, p.key) != entry.exactly_one_of.end()) {
      all.push_back(plain);
      set_typical(all.back(), p, sample);
    }
  if (all.empty()) all.push_back(plain);
  const EntryValues first = all.front();
  for (const EntryParameter& p : entry.parameters) {
    for (const EntryParameter::Word& word : p.words) {
      all.push_back(first);
      all.back().set_text(std::string(p.key), std::string(word.word));
    }
    if (p.kind != EntryParameter::Kind::body_region) continue;
    for (const std::string& region : {sample.facets, std::string("all")}) {
      all.push_back(first);
      all.back().set_text(std::string(p.key), region);
    }
  }
  return all;
}

/// without: entries that this problem has not got.
template <class Case>
void check_library(std::span<const QuantityEntry<Case>> library, const Case& c, const EntrySample& sample,
                   const std::set<std::string_view>& without = {}) {
  for (const QuantityEntry<Case>& entry : library) {
    SCOPED_TRACE(entry.name);
    int made = 0;
    for (const EntryValues& values : variants(entry, sample)) {
      EntryMistakes mistakes;
      const std::shared_ptr<Observable> quantity = entry.make(c, values, mistakes);
      if (mistakes.any()) continue;  // of another physics
      ASSERT_TRUE(quantity);
      expect_quantity_exact(*c.residual, *quantity);
      ++made;
    }
    EXPECT_TRUE(made > 0 || without.contains(entry.name));
  }
}

int control_named(const FormResidual& r, std::string_view name) { return DesignCase::find_control(r, name); }

TEST(QuantityLibrary, EveryEntryIsDifferentiatedExactly) {
  if (rank_count() > 1) GTEST_SKIP() << "the same on every rank";
  for (const bool axisymmetric : {false, true}) {
    FlowSpec spec{.name = "flow", .cell = {Shape::triangle, 2}, .fields = true, .moving_mesh = true};
    if (axisymmetric) spec.kind = FlowKind::axisymmetric;
    const FlowGradientProblem p = make_flow_problem(spec, PETSC_COMM_SELF);
    std::size_t cells = 0;
    for (const CellBlock& block : p.mesh->cells) cells += block.count();
    p.residual->add_control({.name = density_control, .layout = ControlLayout::cells}, std::vector<double>(cells, 0.6));
    QuantityCase c{.dofs = p.dofs, .residual = p.residual, .axisymmetric = axisymmetric, .in_time = true, .component = 1};
    DesignedField field{.path = "fluid.viscosity", .region = {}, .control = control_named(*p.residual, "fluid.viscosity"), .value = 0.15,
                        .transform = VariableTransform(VariableTransform::Kind::log, 0.15)};
    ASSERT_EQ(p.residual->controls()[field.control].layout, ControlLayout::cells);
    c.field = &field;
    c.control = p.numbers.front();
    check_library(common_quantities(), c,
                  {"body", "u_y", {{"component", {1}}, {"point", {1.3, 0.9}}, {"from", {1.46, 0.53}}, {"to", {1.8, 1.4}}, {"station", {1.62}}, {"width", {3}}}});
  }
}

TEST(QuantityLibrary, EveryEntryOfSolidsIsDifferentiatedExactly) {
  if (rank_count() > 1) GTEST_SKIP() << "the same on every rank";
  for (const SolidKind kind : {SolidKind::plane_strain, SolidKind::axisymmetric, SolidKind::spatial}) {
    ProblemSpec spec;
    spec.kind = kind;
    spec.shape = true;
    if (kind == SolidKind::spatial) spec.cell.shape = Shape::tetrahedron;
    const SolidProblem p = make_problem(spec, PETSC_COMM_SELF);
    const int number = control_named(*p.residual, "foundation.0");
    SolidQuantityCase c;
    c.dofs = p.dofs, c.residual = p.residual;
    c.axisymmetric = kind == SolidKind::axisymmetric, c.in_time = c.finds_loads = true;
    c.kind = kind;
    c.parts = {{.region = "", .density = {number, {}}, .material = p.material, .form = 0}};
    for (const ParamSpec& k : p.material->parameters()) c.parts[0].constants.push_back({control_named(*p.residual, "material." + std::string(k.key)), {}});
    c.stored_energy_forms = {0}, c.dead_load_forms = p.dead_load_forms;
    c.found_loads = {number}, c.control = number;
    std::vector<double> direction{1, 0.4, -0.7};
    direction.resize(p.mesh->dim);
    const EntrySample sample{"top", "u_y", {{"component", {1}}, {"direction", direction}, {"axis", {0.3, 0.5, 0.8}}, {"limit", {0.4}}, {"sharpness", {3}}, {"kappa", {3}}}};
    check_library(solid_quantities(), c, sample);
    std::size_t cells = 0;  // and of a distributed material
    for (const CellBlock& block : p.mesh->cells) cells += block.count();
    c.parts[0].distributed = {0, 1.3 * typical_constant("young"), {c.residual->add_control({density_control, "", ControlLayout::cells}, std::vector<double>(cells, 0.6)), {}}};
    std::vector<QuantityEntry<SolidQuantityCase>> of_stress;
    for (const QuantityEntry<SolidQuantityCase>& entry : solid_quantities())
      if (entry.name.starts_with("stress_")) of_stress.push_back(entry);
    EXPECT_EQ(of_stress.size(), 3u);
    check_library(std::span<const QuantityEntry<SolidQuantityCase>>(of_stress), c, sample);
    const QuantityEntry<SolidQuantityCase> centre = centre_of_mass_quantity();
    check_library(std::span(&centre, 1), c, sample);
  }
}

TEST(QuantityLibrary, EveryEntryOfFlowsIsDifferentiatedExactly) {
  if (rank_count() > 1) GTEST_SKIP() << "the same on every rank";
  for (const FlowKind kind : {FlowKind::planar, FlowKind::axisymmetric}) {
    FlowSpec spec{.name = "flow", .kind = kind, .cell = {Shape::triangle, 2}, .scalar = true, .moving_mesh = true};
    const FlowGradientProblem p = make_flow_problem(spec, PETSC_COMM_SELF);
    FormResidual& r = *p.residual;
    std::size_t cells = 0;
    for (const CellBlock& block : p.mesh->cells) cells += block.count();
    const auto number = [&](const char* name) { return ControlledValue{control_named(r, name), {}}; };
    FlowQuantityCase c;
    c.dofs = p.dofs, c.residual = p.residual;
    c.axisymmetric = kind == FlowKind::axisymmetric;
    c.kind = kind;
    c.degree = c.facet_degree = 4;
    c.fluids = {{"", make_viscosity_law("newtonian"), number("fluid.density"), {number("fluid.viscosity")}, number("resistance")}};
    c.walls = {"body"};
    c.pressure = 2, c.scalar = 3;
    c.density_field = r.add_control({"density", "", ControlLayout::cells}, std::vector<double>(cells, 0.6));
    r.add_control({initial_source, "", ControlLayout::nodes, -INFINITY, INFINITY, 2}, std::vector<double>(2 * p.mesh->node_total(), 0.3));
    r.add_control({initial_velocity, "", ControlLayout::nodes, -INFINITY, INFINITY, 2}, std::vector<double>(2 * p.mesh->node_total(), 0.2));
    bool read_on_facets = false;
    c.read_density_on_facets = [&] { read_on_facets = true; };
    std::map<std::string, std::vector<double>, std::less<>> numbers{
        {"direction", {0.8, 0.3}}, {"from", {1.2, 0.6}}, {"to", {2.4, 0.7}}, {"length", {0.4}}};
    check_library(flow_quantities(), c, {"floor", "u_y", numbers, {{"stream", "floor"}, {"from", "inlet"}, {"to", "outlet"}}},
                  c.axisymmetric ? std::set<std::string_view>{"moment", "lift_coefficient", "moment_coefficient"} : std::set<std::string_view>{});
    EXPECT_TRUE(read_on_facets);

    EntryMistakes mistakes;
    EXPECT_FALSE(free_stream(c, "body", "drag_coefficient", mistakes));   // a wall
    EXPECT_FALSE(free_stream(c, "inlet", "drag_coefficient", mistakes));  // formulas
    c.fluids.push_back(c.fluids[0]);
    EXPECT_FALSE(free_stream(c, "floor", "drag_coefficient", mistakes));
    ASSERT_EQ(mistakes.all().size(), 3u);
    EXPECT_EQ(mistakes.all()[0].key, "stream");
    EXPECT_EQ(mistakes.all()[1].key, "stream");
    EXPECT_EQ(mistakes.all()[2].what, "'drag_coefficient' works with one fluid, and there are 2");
  }
}

/// Each set of data as one number: the sum of what is observed, with weights.
template <class Problem>
void check_data(std::span<const DataEntry<QuantityCase>> library, const Problem& p, const std::vector<std::string>& components) {
  QuantityCase c;
  c.dofs = p.dofs, c.residual = p.residual, c.time = 0.8;
  std::vector<double> centre(p.mesh->dim, 0.0);
  const CellBlock& block = p.mesh->cells[0];
  const int corners = p.mesh->dim + 1;  // of a simplex, which contains their mean
  for (int a = 0; a < corners; ++a)
    for (int i = 0; i < p.mesh->dim; ++i) centre[i] += p.mesh->coordinates[std::size_t(block.nodes[a]) * p.mesh->dim + i] / corners;
  DataTable table;
  for (int i = 0; i < p.mesh->dim; ++i) table.names.emplace_back(1, "xyz"[i]), table.columns.push_back({centre[i]});
  for (const std::string& name : components) table.names.push_back(name), table.columns.push_back({0.3});
  for (auto& values : table.columns)  // and a few points nearby
    for (int k = 1; k < 6; ++k) values.push_back(values[0] * (1 + 0.01 * std::sin(double(k * k) + values[0])));
  for (const DataEntry<QuantityCase>& entry : library) {
    SCOPED_TRACE(entry.name);
    EntryValues values = EntryValues::defaults(entry.parameters);
    for (const std::string& name : components) values.set_text(name, "x*y + t");
    for (const EntryParameter& parameter : entry.parameters) {
      if (parameter.may_be_left_out || parameter.default_value) continue;
      if (parameter.kind == EntryParameter::Kind::table_file) values.set_table(std::string(parameter.key), table);
      else if (parameter.kind == EntryParameter::Kind::body_region) values.set_text(std::string(parameter.key), "all");
      else if (parameter.kind == EntryParameter::Kind::point) values.set(std::string(parameter.key), centre);
      else if (parameter.kind == EntryParameter::Kind::component) c.component = 0;
      else if (parameter.kind == EntryParameter::Kind::word) values.set_text(std::string(parameter.key), std::string(parameter.words.back().word));
      else if (parameter.kind != EntryParameter::Kind::components)
        throw std::logic_error("the parameter '" + std::string(parameter.key) + "' of data has no value in the gradient tests: add one");
    }
    EntryMistakes mistakes;
    const std::vector<MeasuredSet> sets = entry.make(c, values, mistakes);
    ASSERT_FALSE(mistakes.any()) << mistakes.all()[0].what;
    ASSERT_FALSE(sets.empty());
    for (const MeasuredSet& set : sets) {
      ASSERT_EQ(set.targets.size(), std::size_t(set.observable->size()) * std::max<std::size_t>(1, set.times.size()));
      std::vector<double> weights(set.observable->size());
      for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = 1 + 0.3 * std::cos(double(i));
      WeightedSum sum(set.observable, std::move(weights));
      expect_quantity_exact(*p.residual, sum);
    }
  }
}

TEST(QuantityLibrary, EveryEntryOfDataIsDifferentiatedExactly) {
  if (rank_count() > 1) GTEST_SKIP() << "the same on every rank";
  const FlowGradientProblem flow =
      make_flow_problem({.name = "flow", .kind = FlowKind::planar, .cell = {Shape::triangle, 2}, .scalar = true}, PETSC_COMM_SELF);
  check_data(common_data(), flow, {"u_x", "u_y", "p", "c"});
  check_data(flow_data(), flow, {"u_x", "u_y", "c"});
  ProblemSpec spec;
  spec.kind = SolidKind::spatial;
  spec.cell.shape = Shape::tetrahedron;
  const SolidProblem solid = make_problem(spec, PETSC_COMM_SELF);
  check_data(common_data(), solid, {"u_x", "u_y", "u_z"});
  check_data(solid_data(), solid, {"u_x", "u_y", "u_z"});
}

// Mistakes of an entry are reported at the key, or at the entry; no quantity is created then.
TEST(QuantityLibrary, SaysWhatIsInTheWay) {
  const SolidProblem p = make_problem({}, PETSC_COMM_SELF);
  SolidQuantityCase c;
  c.dofs = p.dofs, c.residual = p.residual;
  const auto refused = [&](const char* name, const char* key) {
    const auto entry = std::ranges::find(solid_quantities(), name, &QuantityEntry<SolidQuantityCase>::name);
    EntryValues values = EntryValues::defaults(entry->parameters);
    values.set_text("variable", "loads.p");
    EntryMistakes mistakes;
    entry->make(c, values, mistakes);
    ASSERT_EQ(mistakes.all().size(), 1u) << name;
    EXPECT_EQ(mistakes.all()[0].key, key);
  };
  refused("kinetic_energy", "");  // no process in time
  refused("compliance", "");      // no dead load
  refused("load", "");            // no path
  c.finds_loads = true;
  refused("load", "variable");    // another number
}

}  // namespace
}  // namespace invar::gradient_test
