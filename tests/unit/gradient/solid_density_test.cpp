// A body whose material is distributed: derivatives by the density, on any number of ranks, and the adjoint that is a multiple
// of the state.
#include <gtest/gtest.h>

#include "libfem/design/field/cone_filter.hpp"
#include "libfem/design/field/density_design.hpp"
#include "libfem/design/field/density_forms.hpp"
#include "libfem/design/field/helmholtz_filter.hpp"
#include "libfem/objective/form_value.hpp"
#include "libfem/mesh/all_gather.hpp"
#include "libfem/objective/reaction.hpp"
#include "libfem/solid/stress_limit.hpp"
#include "libfem/solid/stress_norm.hpp"
#include "tests/unit/gradient/gradient_checks.hpp"
#include "tests/unit/gradient/solid_problem.hpp"

namespace invar::gradient_test {
namespace {

constexpr double full = 3;

/// A sheet held at its left side by zero, loaded at a corner and along its top, on a spring at another corner, or pulled at its
/// right side.
struct Sheet {
  std::shared_ptr<const Mesh> mesh;
  std::shared_ptr<FormResidual> residual;
  std::shared_ptr<LinearSolver> solver;
  std::shared_ptr<StaticCase> process;
  int stiffness, density, finite;  // finite: γ of a law at finite strain
  std::vector<double> loads, volume;  // factors of forms: minus the work, the volume

  explicit Sheet(bool pulled, double force = 0.3, bool bent = true, const std::string& law = "linear_elastic", double pull = 0.2) {
    Mesh serial = make_rectangle(0, 0, 2, 1, 6, 3, Shape::quadrilateral, 1);
    for (int n = 0; bent && n < serial.node_total(); ++n) bend(&serial.coordinates[std::size_t(n) * 2], 2);
    mesh = std::make_shared<const Mesh>(distribute(serial, PETSC_COMM_WORLD));
    const auto dofs = std::make_shared<const DofMap>(mesh, std::vector<Component>{{"u_x", 1}, {"u_y", 1}}, mesh->comm);
    residual = std::make_shared<FormResidual>(dofs);
    const auto number = [&](double v) { return ControlledValue{residual->add_control({"", ""}, {v}), {}}; };
    const auto field = [&](double v) {
      std::size_t cells = 0;
      for (const CellBlock& b : mesh->cells) cells += b.count();
      return residual->add_control({.name = "", .layout = ControlLayout::cells}, std::vector<double>(cells, v));
    };
    const bool at_finite_strain = law != "linear_elastic";  // then a law with a share, of full material
    stiffness = field(full);
    density = field(1);
    finite = at_finite_strain ? field(1) : -1;
    MaterialChoice choice{.name = law, .plane_stress = true};
    std::vector<ControlledValue> constants{{stiffness, {}}, number(0.3)};
    if (at_finite_strain) {
      choice.distributed = true;
      choice.rest_constants = {1, 0.3};
      constants = {number(1), number(0.3), {stiffness, {}}, {finite, {}}};
    }
    const auto cells = [&] { return CellBatches::on_cells(dofs, "", 2); };
    const SolidKind kind = SolidKind::plane_stress;
    residual->add_form(make_displacement_form(kind, make_material(choice), cells()), constants);
    residual->add_form(make_traction(kind, CellBatches::on_facets(dofs, "top", 2)), {number(0.1 * force), number(force)});
    residual->add_form(make_point_force(kind, CellBatches::on_points(dofs, "right_bottom")), {number(force), number(-2 * force)});
    residual->add_form(make_point_spring(kind, CellBatches::on_points(dofs, "right_top")), {number(0.2), number(0.7)});
    const int amount = residual->add_functional(make_coefficient_integral(2, false, cells()), {{density, {}}});
    for (int i = 0; i < 2; ++i) residual->add_dirichlet({"left", i, number(0)});
    if (pulled) residual->add_dirichlet({"right", 0, number(pull)});
    residual->finish();
    loads.assign(residual->form_count(), 0.0);
    loads[1] = loads[2] = -1;
    volume.assign(residual->form_count(), 0.0);
    volume[amount] = 1;
    LinearSolverOptions linear;
    linear.rtol = 1e-15;
    solver = std::make_shared<LinearSolver>(mesh->comm, linear);
    LoadSteppingOptions stepping;
    stepping.newton.rtol = 1e-14;
    process = std::make_shared<StaticCase>("sheet", residual, solver, std::vector<double>{1.0}, 0.0, stepping);
  }

  ProcessTerm compliance() const { return {"compliance", std::make_shared<FormValue>(residual, loads), {0}, 0.7}; }
  /// The stress of full material times density^q, at the middle of cells or at more points.
  std::vector<StressPart> stress(double q, int degree) const {
    const ControlledValue stiff{residual->add_control({"", ""}, {full}), {}}, poisson{residual->add_control({"", ""}, {0.3}), {}};
    MaterialChoice choice;
    choice.name = "linear_elastic";
    choice.plane_stress = true;
    return {{{make_material(choice), SolidKind::plane_stress, q}, {stiff, poisson, {density, {}}}, {CellBatches::on_cells(residual->dof_map(), "", degree)}}};
  }
  ProcessTerm reaction() const {
    return {"reaction", std::shared_ptr<Observable>(Reaction::force(residual, "right", {1, 0})), {0}, 1.3};
  }

  std::unique_ptr<CaseFunctional> functional(double radius, const DensityStage& stage, double shift = 0,
                                             const std::vector<ProcessTerm>& competitors = {},
                                             const std::vector<CellOrbits::MirrorPlane>& planes = {}, int along = -1) const {
    if (radius > 0) return functional(std::make_shared<HelmholtzFilter>(mesh, radius, false), stage, shift, competitors, planes, along);
    return functional(std::make_shared<NoFilter>(mesh, false), stage, shift, competitors, planes, along);
  }
  std::unique_ptr<CaseFunctional> functional(const std::shared_ptr<CellFilter>& filter, const DensityStage& stage, double shift = 0,
                                             const std::vector<ProcessTerm>& competitors = {},
                                             const std::vector<CellOrbits::MirrorPlane>& planes = {}, int along = -1) const {
    const std::vector<DensityDesign::Target> targets{{.density = density, .property = stiffness, .scale = full, .shift = shift, .finite = finite}};
    const auto design = std::make_shared<DensityDesign>(filter, "", std::vector{stage}, std::vector{0.6}, targets);
    if (!planes.empty() || along >= 0) design->share(std::make_shared<CellOrbits>(*mesh, design->cells(), planes, along));
    std::vector<CaseConstraint> limits{{{.name = "volume"}, 0, {"volume", std::make_shared<FormValue>(residual, volume), {0}, 1.0}}};
    for (const ProcessTerm& q : competitors) limits.push_back({{.name = q.name, .competes = true}, 0, q});
    return std::make_unique<CaseFunctional>(std::vector{process}, std::vector<std::shared_ptr<Parameterization>>{design}, mesh->comm,
                                            limits);
  }

  /// Gradient by the stiffness of cells and its derivative along a direction; whether a linear system was solved for it.
  struct Derivatives {
    double adjoint = 0, tangent = 0;
    bool solved = false;
  };
  Derivatives derivatives() const {
    Derivatives d;
    Controls values = residual->control_values(), d_bar(values.size()), direction(values.size());
    const auto& cells = mesh->original_cell[0];
    for (std::size_t c = 0; c < cells.size(); ++c) {
      values[stiffness][c] = full * (1 + 0.4 * std::sin(2.1 * static_cast<double>(cells[c])));
      direction[stiffness].push_back(std::cos(1.3 * static_cast<double>(cells[c])));
    }
    EXPECT_TRUE(process->run(values).ok);
    d_bar[stiffness].assign(cells.size(), 0.0);
    // Factors at hand are not counted as a solve: others have to be made.
    process->restate(std::make_shared<const Controls>(values));
    solver->invalidate();
    const int before = solver->factorisations();
    EXPECT_TRUE(process->gradient(d_bar).converged);
    d.solved = solver->factorisations() > before;
    for (int c = 0; c < mesh->cells[0].n_owned; ++c) d.adjoint += d_bar[stiffness][c] * direction[stiffness][c];
    MPI_Allreduce(MPI_IN_PLACE, &d.adjoint, 1, MPI_DOUBLE, MPI_SUM, mesh->comm);
    Eigen::MatrixXd rho_dot;
    Eigen::VectorXd value_dot;
    EXPECT_TRUE(process->tangent({direction}, rho_dot, value_dot).converged);
    d.tangent = value_dot[0];
    return d;
  }
};

constexpr DensityStage simp{.steepness = 2, .threshold = 0.45, .law = DensityStage::Law::simp, .penalty = 3, .void_share = 1e-3},
    ramp{.law = DensityStage::Law::ramp, .penalty = 4, .void_share = 1e-3},
    thick{.law = DensityStage::Law::simp, .penalty = 1, .void_share = 1e-3};

TEST(SolidDensities, AreExact) {
  struct Variant {
    DensityStage stage;
    double radius, shift;
    bool pulled;
  };
  for (const Variant& v : {Variant{simp, 0.5, 0, false}, Variant{simp, 0.5, 0.2, true}, Variant{ramp, 0.7, 0, true}, Variant{thick, 0, 0, false}}) {
    SCOPED_TRACE(v.stage.penalty);
    const Sheet s(v.pulled);
    s.process->terms().push_back(s.compliance());
    if (v.pulled) s.process->terms().push_back(s.reaction());
    const auto f = s.functional(v.radius, v.stage, v.shift);
    const DesignVector theta = moved(f->start(), 0.2, Directions(*f, f->start()).random(5));
    check_all(*f, theta);
  }
}

// The filter of large meshes and that by cones, of an eroded body, mirrored and extruded.
TEST(SolidDensities, OfOtherFiltersAreExact) {
  const Sheet s(true, 0.3, false);
  s.process->terms().push_back(s.compliance());
  LinearSolverOptions large{.rtol = 1e-12};
  large.multigrid_from = 0;
  for (const std::shared_ptr<CellFilter>& filter :
       std::initializer_list<std::shared_ptr<CellFilter>>{std::make_shared<HelmholtzFilter>(s.mesh, 0.9, false, HelmholtzFilter::Mass::lumped, large),
                                                          std::make_shared<ConeFilter>(s.mesh, 0.9, false)}) {
    for (const int along : {-1, 0}) {
      const auto f = s.functional(filter, simp, 0.1, {}, {{1, 0.5}}, along);
      const DesignVector theta = moved(f->start(), 0.2, Directions(*f, f->start()).random(5));
      check_all(*f, theta);
    }
  }
}

// At finite strain, with grey cells on either side of where they become linear.
TEST(SolidDensities, AtFiniteStrainAreExact) {
  DensityStage stage = simp;
  stage.linear_below = 0.2;
  stage.linear_steepness = 12;
  for (const auto& [law, pulled] : {std::pair{"neo_hookean", true}, std::pair{"saint_venant_kirchhoff", false}}) {
    SCOPED_TRACE(law);
    const Sheet s(pulled, 0.1, true, law, 0.5);
    s.process->terms().push_back(s.compliance());
    if (pulled) s.process->terms().push_back(s.reaction());
    const auto f = s.functional(0.5, stage, 0.1);
    const DesignVector theta = moved(f->start(), 0.3, Directions(*f, f->start()).random(5));
    check_adjoint_against_tangent(*f, theta);
    check_constraints(*f, theta);
    const std::vector<double>& gamma = (*s.process->controls())[s.finite];
    std::vector<double> all = all_gather(gamma, MPI_DOUBLE, PETSC_COMM_WORLD);
    const auto [least, most] = std::ranges::minmax(all);
    EXPECT_LT(least, 0.7);  // random numbers, others on more ranks
    EXPECT_GT(most, 0.9);
    if (rank_count() > 1) continue;
    check_taylor(*f, theta);
    check_hessian(*f, theta);
  }
}

// Norms of the stress, scaled or not, and limits in every cell, before and after their numbers were brought up to date.
TEST(SolidDensities, WithStressAreExact) {
  const Sheet s(true);
  const auto norm = std::make_shared<StressNorm>(s.residual, s.stress(0.5, 6), 8, true);
  const auto limit = std::make_shared<StressLimit>(s.residual, s.stress(3, 1), StressLimit::Options{.limit = 0.35, .penalty = 3, .growth = 2, .largest_penalty = 5});
  s.process->terms().push_back({"norm", norm, {0}, 0.3});
  s.process->terms().push_back({"limit", limit, {0}});
  s.process->terms().push_back({"at four points", std::make_shared<StressLimit>(s.residual, s.stress(2, 2), StressLimit::Options{.limit = 0.4}), {0}, 0.1});
  const auto f = s.functional(0.5, simp);
  ASSERT_TRUE(f->has_renewed_numbers());
  const DesignVector theta = moved(f->start(), 0.2, Directions(*f, f->start()).random(5));
  std::vector<double> values;
  for (int round = 0; round < 3; ++round) {
    SCOPED_TRACE(round);
    values.push_back(f->value(theta).value);
    if (round != 1) {
      check_adjoint_against_tangent(*f, theta);
      check_constraints(*f, theta);
    }
    if (round == 2 && rank_count() == 1) {
      check_taylor(*f, theta);
      check_hessian(*f, theta);
    }
    ASSERT_TRUE(f->renew(theta).ok);
  }
  EXPECT_GT(values[1], values[0] * 1.01);
  const std::vector<double> memory = f->memory();
  const double last = f->value(theta).value;
  f->renew_from_start();
  EXPECT_NEAR(f->value(theta).value, values[0], 1e-12 * values[0]);
  f->recall(memory);
  EXPECT_NEAR(f->value(theta).value, last, 1e-12 * last);
}

// Of a renewed norm the value is the greatest stress; of the limits it is the sum that its formula says, point by point.
TEST(SolidDensities, RenewedNumbersAreThoseOfTheStress) {
  for (const int degree : {1, 2}) {
    SCOPED_TRACE(degree);
    constexpr int cells = 18;
    const int points = degree * degree;                // of a cell
    const Sheet s(true, 0.3, false);  // of equal cells
    std::vector<StressPart> relaxed = s.stress(0.5, 4), at = s.stress(2, degree);
    const auto norm = std::make_shared<StressNorm>(s.residual, relaxed, 6, true);
    const StressLimit::Options options{.limit = 0.4, .penalty = 3, .growth = 1.5, .largest_penalty = 4};
    const auto limit = std::make_shared<StressLimit>(s.residual, at, options);
    integral_of_powers(s.residual, relaxed, 2, std::make_shared<const double>(1.0));
    integral_of_powers(s.residual, at, 2, std::make_shared<const double>(1.0));
    s.process->terms() = {{"norm", norm, {0}}, {"limit", limit, {0}}};
    const auto f = s.functional(0.5, simp);
    const DesignVector theta = moved(f->start(), 0.2, Directions(*f, f->start()).random(5));
    std::vector<double> lambda(cells * points, 0.0);  // by the serial mesh
    double mu = options.penalty;
    for (int round = 0; round < 3; ++round) {
      ASSERT_TRUE(f->value(theta).ok);
      double peak = 0, scaled = 0, value = 0;
      std::vector<double> g(cells * points, 0.0);
      std::vector<int> seen(cells, 0);
      s.process->with_state(0, [&](const EvaluationPoint& u) {
        peak = greatest_stress(*s.residual, relaxed, u).stress;
        norm->evaluate(u, &scaled);
        limit->evaluate(u, &value);
        for (const StressPoint& p : stress_points(*s.residual, at, u)) {
          const auto cell = s.mesh->original_cell[0][p.cell];
          g[cell * points + seen[cell]++] = 0.5 * p.density_power * (p.stress * p.stress / 0.16 - 1);
        }
      });
      MPI_Allreduce(MPI_IN_PLACE, g.data(), cells * points, MPI_DOUBLE, MPI_SUM, s.mesh->comm);
      double expected = 0;
      int active = 0;
      for (int k = 0; k < cells * points; ++k) {
        const double h = std::max(g[k], -lambda[k] / mu);
        active += g[k] > 0;
        expected += (lambda[k] * h + 0.5 * mu * h * h) / (cells * points);
        lambda[k] = std::max(0.0, lambda[k] + mu * g[k]);
      }
      EXPECT_TRUE(0 < active && active < cells * points) << active;
      EXPECT_NEAR(value, expected, 1e-12 * expected);
      if (round > 0) {
        EXPECT_NEAR(scaled, peak, 1e-12 * peak);
      } else {
        EXPECT_LT(scaled, peak);
      }
      mu = std::min(4.0, 1.5 * mu);
      ASSERT_TRUE(f->renew(theta).ok);
    }
  }
}

// Mirror images in one and in two planes, and what is extruded, under loads that are not symmetric.
TEST(SolidDensities, ThatAreSymmetricAreExact) {
  struct Variant {
    std::vector<CellOrbits::MirrorPlane> planes;
    int along, orbits;
  };
  for (const Variant& v : {Variant{{{1, 0.5}}, -1, 12}, Variant{{{0, 1}, {1, 0.5}}, -1, 6}, Variant{{}, 0, 3}, Variant{{{0, 1}}, 1, 3}}) {
    SCOPED_TRACE(v.orbits);
    const Sheet s(false, 0.3, false);
    s.process->terms().push_back(s.compliance());
    const auto f = s.functional(0.5, simp, 0, {}, v.planes, v.along);
    const DesignVector theta = moved(f->start(), 0.2, Directions(*f, f->start()).random(5));
    check_adjoint_against_tangent(*f, theta);
    check_constraints(*f, theta);
    DesignVector g;
    ASSERT_TRUE(f->gradient(theta, g).ok);
    std::vector<double> here = g.local;  // as many different ones as there are orbits
    for (double& x : here) x = std::round(1e9 * x);
    std::vector<double> all = all_gather(here, MPI_DOUBLE, PETSC_COMM_WORLD);
    std::ranges::sort(all);
    EXPECT_EQ(std::unique(all.begin(), all.end()) - all.begin(), v.orbits);
    if (rank_count() > 1) continue;
    check_taylor(*f, theta);
    check_hessian(*f, theta);
  }
  const Sheet bent(false);
  EXPECT_THROW(bent.functional(0.5, simp, 0, {}, {{1, 0.5}}), std::invalid_argument);
  EXPECT_THROW(bent.functional(0.5, simp, 0, {}, {}, 1), std::invalid_argument);
}

// The largest of two and its derivatives, whichever it is; each of the two is checked as a constraint, too.
TEST(SolidDensities, OfTheWorstOfTwoAreExact) {
  std::vector<double> worst;
  for (const double weight : {100.0, -100.0}) {
    SCOPED_TRACE(weight);
    const Sheet s(true);
    ProcessTerm work = s.compliance(), pull = s.reaction();
    work.weight = weight;
    const auto f = s.functional(0.5, simp, 0, {work, pull});
    const DesignVector theta = moved(f->start(), 0.2, Directions(*f, f->start()).random(5));
    std::vector<double> c;
    const double j = f->value(theta).value;
    ASSERT_TRUE(f->constraint_values(theta, c).ok);
    EXPECT_EQ(j, std::max(c[1], c[2]));
    worst.push_back(c[1] - c[2]);
    DesignVector g;
    std::vector<DesignVector> of_c;
    ASSERT_TRUE(f->gradients(theta, g, c, of_c).ok);
    const std::size_t largest = c[1] > c[2] ? 1 : 2;
    for (std::size_t i = 0; i < g.local.size(); ++i) EXPECT_NEAR(g.local[i], of_c[largest].local[i], 1e-10 * (1e-3 + std::abs(g.local[i])));
    check_adjoint_against_tangent(*f, theta);
    check_constraints(*f, theta);
    // What was largest counts while values are compared, wherever another is.
    f->compare_values(true);
    const DesignVector apart = moved(theta, 1e-3, Directions(*f, theta).random(8));
    const double near = f->value(apart).value;
    ASSERT_TRUE(f->constraint_values(apart, c).ok);
    EXPECT_EQ(near, c[largest]);
    f->compare_values(false);
    if (rank_count() > 1) continue;
    check_taylor(*f, theta);
    check_hessian(*f, theta);
  }
  EXPECT_LT(worst[0] * worst[1], 0);  // each was the largest once
}

// Work of the loads with homogeneous supports; a reaction with the only load the motion of its support: no solve. The work
// where a support moves besides, or a reaction where loads act besides: as before.
TEST(SelfAdjoint, IsFoundWhereItIsAndOnlyThere) {
  const auto derivatives = [](bool pulled, double force, bool of_reaction) {
    const Sheet s(pulled, force);
    s.process->terms().push_back(of_reaction ? s.reaction() : s.compliance());
    const Sheet::Derivatives d = s.derivatives();
    EXPECT_GT(std::abs(d.tangent), 1e-6);
    EXPECT_NEAR(d.adjoint, d.tangent, 1e-10 * std::abs(d.tangent));
    return d;
  };
  EXPECT_FALSE(derivatives(false, 0.3, false).solved);
  EXPECT_FALSE(derivatives(true, 0, true).solved);
  EXPECT_TRUE(derivatives(true, 0.3, false).solved);
  EXPECT_TRUE(derivatives(true, 0.3, true).solved);
}

// A weighted sum of two multiples is one, and a square of the work, too; the work of one of two loads is none.
TEST(SelfAdjoint, SeesFactorsAndParts) {
  const Sheet s(false);
  s.process->terms().push_back(s.compliance());
  s.process->terms().push_back({"twice", s.process->terms()[0].observable, {0}, 2.0});
  DataSet measured{"work", s.process->terms()[0].observable, {0}, {0.1}, {0.02}};
  s.process->data().push_back(measured);
  const Sheet::Derivatives all = s.derivatives();
  EXPECT_FALSE(all.solved);
  EXPECT_NEAR(all.adjoint, all.tangent, 1e-10 * std::abs(all.tangent));

  const Sheet other(false);
  std::vector<double> one_load = other.loads;
  one_load[1] = 0;
  other.process->terms().push_back({"work of one", std::make_shared<FormValue>(other.residual, one_load), {0}, 1.0});
  const Sheet::Derivatives part = other.derivatives();
  EXPECT_TRUE(part.solved);
  EXPECT_NEAR(part.adjoint, part.tangent, 1e-10 * std::abs(part.tangent));
}

// Nothing else acts on the lower side, however many facets a rank holds.
TEST(SolidPointLoads, ActOnTheSurfaceThatHasTheirNode) {
  const Sheet s(false);
  ASSERT_TRUE(s.process->run(s.residual->control_values()).ok);
  for (int i = 0; i < 2; ++i) {
    std::vector<double> axis(2, 0.0);
    axis[i] = 1;
    const ProcessTerm force{"force", std::shared_ptr<Observable>(Reaction::force(s.residual, "bottom", axis, Reaction::Of::surface)), {0}};
    EXPECT_NEAR(s.process->quantity(force), i == 0 ? 0.3 : -0.6, 1e-12);
  }
}

}  // namespace
}  // namespace invar::gradient_test
