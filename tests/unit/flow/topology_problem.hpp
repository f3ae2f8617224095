#pragma once
#include <memory>
#include <numbers>
#include <vector>

#include "libadjoint/case_functional.hpp"
#include "libadjoint/static_case.hpp"
#include "libfem/design/field/density_design.hpp"
#include "libfem/design/field/helmholtz_filter.hpp"
#include "libfem/design/field/density_forms.hpp"
#include "libfem/form/form_residual.hpp"
#include "libfem/mesh/boxes.hpp"
#include "libfem/mesh/distribute.hpp"
#include "libfem/objective/form_value.hpp"
#include "libfluid/flow/flow_forms.hpp"
#include "libfluid/flow/flow_law_library.hpp"
#include "libfluid/objective/flow_objectives.hpp"

namespace invar::test {

/// The pipe bend of Borrvall and Petersson (2003): creeping flow enters the unit square at the left, at
/// y = 0.7 … 0.9 and with a parabolic profile of height 1, and leaves it at the bottom, at x = 0.7 … 0.9.
/// J = ½ ∫ 2 μ ε:ε + α |u|², μ = 1, which is theirs for these boundary values; the fluid fills at most the
/// quarter ring between the openings, 0.08 π. n × n cells Q2/Q1, n a multiple of 10.
struct PipeBend {
  static constexpr double volume_fraction = 0.08 * std::numbers::pi;

  std::shared_ptr<const Mesh> mesh;
  std::shared_ptr<FormResidual> residual;
  std::shared_ptr<StaticCase> flow;
  std::shared_ptr<DensityDesign> design;
  ProcessTerm volume;

  PipeBend(int n, double radius, const DensityStage& stage, double start, MPI_Comm comm = PETSC_COMM_WORLD) {
    mesh = std::make_shared<const Mesh>(distribute(make_rectangle(0, 0, 1, 1, n, n, Shape::quadrilateral, 2), comm));
    const std::vector<Component> components{{"u_x", 2}, {"u_y", 2}, {"p", 1}};
    const auto dofs = std::make_shared<const DofMap>(mesh, components, comm);
    const FlowModel model{make_viscosity_law("newtonian"), false, true};
    residual = std::make_shared<FormResidual>(dofs);
    const auto number = [&](const char* name, double v) {
      return ControlledValue{residual->add_control({.name = name, .unit = ""}, {v}), {}};
    };
    const auto filter = std::make_shared<HelmholtzFilter>(mesh, radius, false);
    const auto field = [&](const char* name, const char* unit) {
      return residual->add_control({.name = name, .unit = unit, .layout = ControlLayout::cells},
                                   std::vector<double>(filter->cell_count(), 0.0));
    };
    const ControlledValue zero = number("zero", 0), one = number("one", 1), viscosity = number("viscosity", 1);
    const ControlledValue density{field("density", "1"), {}}, resistance{field("resistance", "Pa s/m^2"), {}};
    const auto cells = [&] { return CellBatches::on_cells(dofs, "", 4); };
    residual->add_form(make_navier_stokes(FlowKind::planar, FlowDiscretisation::taylor_hood, model, cells()),
                       {zero, viscosity, zero, zero, resistance});
    const int power =
        residual->add_functional(make_dissipation(FlowKind::planar, model.law, cells()), {viscosity, resistance});
    const int fluid = residual->add_functional(make_coefficient_integral(2, false, cells()), {density});

    for (const char* side : {"left", "right", "bottom", "top"})
      for (int i = 0; i < 2; ++i) residual->add_dirichlet({side, i, zero});
    // along: the coordinate along the side; sign: of the profile.
    const auto opening = [&](const char* side, int component, int along, double sign) {
      ControlledValue profile = one;
      profile.varies_in_space = true;
      profile.shape = [=](const double* x, double) {
        const double s = (x[along] - 0.8) / 0.1;
        return std::abs(s) < 1 ? sign * (1 - s * s) : 0.0;
      };
      residual->add_dirichlet({side, component, profile});
    };
    opening("left", 0, 1, 1);
    opening("bottom", 1, 0, -1);
    residual->add_dirichlet({"right_top", 2, zero});  // the pressure has no level of its own
    residual->finish();

    LoadSteppingOptions options;
    options.newton.rtol = 1e-12;
    flow = std::make_shared<StaticCase>("pipe bend", residual, std::make_shared<LinearSolver>(comm),
                                        std::vector<double>{1.0}, 0.0, options);
    const auto value_of = [&](int form) {
      std::vector<double> factors(residual->form_count(), 0.0);
      factors[form] = 1;
      return std::make_shared<FormValue>(residual, factors);
    };
    flow->terms().push_back({"dissipation", value_of(power), {0}, 0.5});
    volume = {"volume", value_of(fluid), {0}, 1.0};
    const std::vector<DensityDesign::Target> targets{{0, density.control, resistance.control}};
    design = std::make_shared<DensityDesign>(filter, "", std::vector{stage}, std::vector<double>{start}, targets);
  }

  /// A functional keeps its last solution, so each stage of the design has one of its own.
  std::shared_ptr<CaseFunctional> functional() const {
    CaseConstraint limit;
    limit.info.name = "volume";
    limit.info.upper = limit.info.scale = volume_fraction;
    limit.quantity = volume;
    return std::make_shared<CaseFunctional>(std::vector{flow}, std::vector<std::shared_ptr<Parameterization>>{design},
                                            residual->comm(), std::vector{limit});
  }
};

}  // namespace invar::test
