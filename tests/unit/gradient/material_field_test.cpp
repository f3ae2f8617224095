// Constants of materials as fields, filtered, with their roughness and total variation among the objectives: both physics.
#include "libfem/design/field/cell_penalty.hpp"
#include "libfem/design/field/cone_filter.hpp"
#include "libfem/design/field/material_field.hpp"
#include "libfem/mesh/all_gather.hpp"
#include "tests/unit/gradient/density_sheet.hpp"
#include "tests/unit/gradient/flow_functional.hpp"
#include "tests/unit/gradient/gradient_checks.hpp"
#include "tests/unit/gradient/problem_functional.hpp"
#include "tests/unit/gradient/problem_table.hpp"

namespace invar::gradient_test {
namespace {

using Scale = VariableTransform::Kind;

/// A control with one entry per cell as a field that starts at 1.2 times its first entry.
std::shared_ptr<MaterialField> field_of(const FormResidual& residual, int control, Scale scale, double first, bool axisymmetric) {
  const double start = 1.2 * first;
  return std::make_shared<MaterialField>(std::make_shared<HelmholtzFilter>(residual.dofs().mesh_pointer(), 0.5, axisymmetric), "",
                                         VariableTransform(scale, start), FieldRange{.start = start, .outside = start},
                                         std::vector<MaterialField::Target>{{0, control}});
}

/// The roughness, or with a slope the total variation.
DataSet roughness_of(const std::shared_ptr<FormResidual>& residual, int control, Scale scale, double first, bool axisymmetric,
                     int steps, double slope) {
  DataSet set;
  set.name = slope > 0 ? "total variation" : "roughness";
  set.observable = std::make_shared<CellPenalty>(residual, control, VariableTransform(scale, first), slope, "", axisymmetric);
  for (int k = 0; k < steps; ++k) set.steps.push_back(k), set.target.push_back(0.3), set.noise.push_back(0.2);
  return set;
}

DesignVector off_start(CaseFunctional& f) { return moved(f.start(), 0.3, Directions(f, f.start()).random(5)); }

// On several ranks one flow, without Taylor tests and second derivatives.
TEST(MaterialFields, AreExactInFlow) {
  const int ranks = rank_count();
  for (FlowSpec s : all_flow_specs()) {
    if (!s.fields || (ranks > 1 && s.name != "fields_tri3")) continue;
    if (ranks > 1) s.refinement = 2;  // something to do for every rank
    for (const Scale scale : {Scale::log, Scale::linear}) {
      if (ranks > 1 && scale == Scale::linear) continue;
      SCOPED_TRACE(s.name);
      const SolvedFlow flow(s, PETSC_COMM_WORLD);
      ASSERT_TRUE(flow.report.ok) << flow.report.reason;
      const FlowGradientProblem& p = flow.problem;
      const bool axisymmetric = s.kind == FlowKind::axisymmetric;
      Design design{number_design(p, p.numbers)};
      auto c = p.make_case();
      std::vector<CaseConstraint> constraints;
      for (const int k : {0, 1}) {  // density and the first constant of the law
        const int control = p.fields[k];
        double first = flow.start[control][0];
        MPI_Bcast(&first, 1, MPI_DOUBLE, 0, p.dofs->comm());
        design.push_back(field_of(*p.residual, control, scale, first, axisymmetric));
        for (const double slope : {0.0, 0.3}) {
          DataSet set = roughness_of(p.residual, control, scale, first, axisymmetric, static_cast<int>(s.times.size()), slope);
          c->terms().push_back({set.name, set.observable, set.steps, 0.4});
          constraints.push_back({{.name = set.name}, 0, {set.name, set.observable, set.steps, 1}});
          c->data().push_back(std::move(set));
        }
      }
      for (const FlowObjective& o : all_flow_objectives()) {
        if (o.of_shape_alone || !o.applies(s)) continue;
        DataSet set = data_of(p, *flow.at_start, o);
        constraints.push_back({{.name = set.name}, 0, {set.name, set.observable, set.steps, 1 / set.noise[0]}});
        c->data().push_back(std::move(set));
      }
      CaseFunctional f({c}, std::move(design), p.dofs->comm(), std::move(constraints));
      check_all(f, off_start(f));
    }
  }
}

// On several ranks each solid by one of the scales in turn.
TEST(MaterialFields, AreExactInSolids) {
  const int ranks = rank_count();
  std::vector<ProblemSpec> specs = solids_of_fields();
  for (ProblemSpec& s : specs) {
    const auto turn = &s - specs.data();
    for (const Scale scale : {Scale::log, Scale::linear}) {
      if (ranks > 1 && (scale == Scale::log) != (turn % 2 == 0)) continue;
      SCOPED_TRACE(name_of(s));
      const SolidProblem p = make_problem(s, PETSC_COMM_WORLD);
      const Controls start = p.residual->control_values();
      const auto solved = p.make_case();
      ASSERT_TRUE(solved->run(start).ok);
      const int control = 0;  // the first constant
      ASSERT_EQ(p.residual->controls()[control].layout, ControlLayout::cells);
      const double first = typical_constant(std::string(p.material->parameters()[0].key));
      const bool axisymmetric = s.kind == SolidKind::axisymmetric;
      auto c = p.make_case();
      for (int k = 0; k < static_cast<int>(all_observables().size()); ++k) {
        DataSet set = data_of(p, *solved, all_observables()[k]);
        c->data().push_back(std::move(set));
      }
      std::vector<CaseConstraint> constraints;
      for (const double slope : {0.0, 0.3}) {
        DataSet set = roughness_of(p.residual, control, scale, first, axisymmetric, static_cast<int>(s.times.size()), slope);
        constraints.push_back({{.name = set.name}, 0, {set.name, set.observable, set.steps, 1}});
        c->terms().push_back({set.name, set.observable, set.steps, 0.4});
        c->data().push_back(std::move(set));
      }
      CaseFunctional f({c}, {std::make_shared<NumberDesign>(design_of(p)), field_of(*p.residual, control, scale, first, axisymmetric)},
                       p.dofs->comm(), std::move(constraints));
      check_all(f, off_start(f), true);
    }
  }
}

// Beside cells that keep a value, in orbits of a symmetry or an extrusion, and projected to two values.
TEST(MaterialFields, ThatAreSymmetricPassiveAndProjectedAreExact) {
  struct Variant {
    std::vector<CellOrbits::MirrorPlane> planes;
    int along, orbits;
    double steepness;  // < 0: no projection
    Scale scale;
    bool cone;
  };
  for (const Variant& v : {Variant{{{1, 0.5}}, -1, 8, 3, Scale::log, false}, Variant{{{0, 1}, {1, 0.5}}, -1, 4, -1, Scale::log, true},
                           Variant{{}, 0, 3, 3, Scale::linear, true}, Variant{{}, -1, 12, 5, Scale::log, true}}) {
    SCOPED_TRACE(v.orbits);
    const Sheet s(v.along >= 0, 0.3, false);
    s.process->terms().push_back(s.compliance());
    if (v.along >= 0) s.process->terms().push_back(s.reaction());
    std::shared_ptr<CellFilter> filter;
    if (v.cone) filter = std::make_shared<ConeFilter>(s.mesh, 0.7, false);
    else filter = std::make_shared<HelmholtzFilter>(s.mesh, 0.7, false);
    const VariableTransform transform(v.scale, full_stiffness);
    const FieldRange range{.start = 2, .lower = 0.3, .upper = 6, .outside = full_stiffness};
    const std::vector<FieldTarget> targets{{0, s.stiffness}};
    const std::vector<PassiveCells> passive{{"hub", 4}};
    std::shared_ptr<MaterialField> field;
    if (v.steepness < 0) field = std::make_shared<MaterialField>(filter, "", transform, range, targets, passive);
    else field = std::make_shared<ProjectedField>(filter, "", transform, range, targets, 0.45, std::vector{ProjectedField::Stage{v.steepness}}, passive);
    if (!v.planes.empty() || v.along >= 0) field->share(std::make_shared<CellOrbits>(*s.mesh, field->cells(), v.planes, v.along));
    CaseFunctional f({s.process}, {field}, s.mesh->comm);
    const DesignVector theta = moved(f.start(), 0.2, Directions(f, f.start()).random(5));
    check_all(f, theta);
    DesignVector g;
    ASSERT_TRUE(f.gradient(theta, g).ok);
    std::vector<double> here = g.local;  // as many different ones as there are orbits
    for (double& x : here) x = std::round(1e9 * x);
    std::vector<double> all = all_gather(here, MPI_DOUBLE, PETSC_COMM_WORLD);
    EXPECT_EQ(all.size(), 12u);
    std::ranges::sort(all);
    EXPECT_EQ(std::unique(all.begin(), all.end()) - all.begin(), v.orbits);
  }
}

// A point that differs on one rank alone is another point for all of them: what the others have solved is not at hand.
TEST(MaterialFields, APointThatMovesOnOneRankIsSolvedAgainOnAll) {
  ProblemSpec s;
  s.young_is_field = true;
  s.refinement = 4;
  const SolidProblem p = make_problem(s, PETSC_COMM_WORLD);
  const double first = typical_constant(std::string(p.material->parameters()[0].key));
  const auto solved = p.make_case();
  ASSERT_TRUE(solved->run(p.residual->control_values()).ok);
  auto c = p.make_case();
  c->data().push_back(data_of(p, *solved, all_observables()[0]));
  CaseFunctional f({c}, {field_of(*p.residual, 0, Scale::log, first, false)}, p.dofs->comm());
  const DesignVector theta = f.start();
  int rank = 0;
  MPI_Comm_rank(p.dofs->comm(), &rank);
  DesignVector moved = theta, g, there;
  if (rank == 0) {
    ASSERT_FALSE(moved.local.empty());
    for (double& v : moved.local) v += 0.3;
  }
  const Evaluation before = f.gradient(theta, g), value = f.value(moved);
  ASSERT_TRUE(before.ok && value.ok) << before.reason << value.reason;
  ASSERT_TRUE(f.gradient(theta, g).ok);
  const Evaluation after = f.gradient(moved, there);
  ASSERT_TRUE(after.ok) << after.reason;
  EXPECT_EQ(value.value, after.value);
  EXPECT_GT(std::abs(after.value - before.value), 1e-6 * std::abs(before.value));
  // The gradients at both ends foretell the difference, as those of a trapezium do.
  DesignVector step = moved;
  step.axpy(-1, theta);
  const double mean = 0.5 * (dot(g, step, f.comm()) + dot(there, step, f.comm()));
  EXPECT_NEAR(after.value - before.value, mean, 0.1 * std::abs(mean));
}

}  // namespace
}  // namespace invar::gradient_test
