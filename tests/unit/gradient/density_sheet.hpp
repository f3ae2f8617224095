// A body whose material is distributed, for tests of derivatives by the density.
#pragma once
#include <gtest/gtest.h>

#include "libfem/design/field/density_design.hpp"
#include "libfem/design/field/density_forms.hpp"
#include "libfem/design/field/helmholtz_filter.hpp"
#include "libfem/objective/form_value.hpp"
#include "libfem/objective/reaction.hpp"
#include "libfem/solid/stress_part.hpp"
#include "tests/unit/gradient/gradient_checks.hpp"
#include "tests/unit/gradient/solid_problem.hpp"

namespace invar::gradient_test {

inline constexpr double full_stiffness = 3;

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
    Region hub{.name = "hub", .dim = 2, .members = {{}}, .nodes = {}};  // the two columns in the middle
    for (int c = 0; c < serial.cells[0].count(); ++c)
      if (c % 6 == 2 || c % 6 == 3) hub.members[0].push_back(c);
    serial.regions.push_back(hub);
    complete_serial(serial);
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
    stiffness = field(full_stiffness);
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
    const ControlledValue stiff{residual->add_control({"", ""}, {full_stiffness}), {}}, poisson{residual->add_control({"", ""}, {0.3}), {}};
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
    const std::vector<DensityDesign::Target> targets{{.density = density, .property = stiffness, .scale = full_stiffness, .shift = shift, .finite = finite}};
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
      values[stiffness][c] = full_stiffness * (1 + 0.4 * std::sin(2.1 * static_cast<double>(cells[c])));
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

inline constexpr DensityStage simp{.steepness = 2, .threshold = 0.45, .law = DensityStage::Law::simp, .penalty = 3, .void_share = 1e-3},
    ramp{.law = DensityStage::Law::ramp, .penalty = 4, .void_share = 1e-3},
    thick{.law = DensityStage::Law::simp, .penalty = 1, .void_share = 1e-3};

}  // namespace invar::gradient_test
