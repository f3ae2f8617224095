#pragma once
#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "libadjoint/case_functional.hpp"
#include "libadjoint/maps/number_design.hpp"
#include "libadjoint/static_case.hpp"
#include "libadjoint/time/transient_case.hpp"
#include "libfem/design/field/copied_number.hpp"
#include "libfem/form/at_nodes.hpp"
#include "libfem/form/form_residual.hpp"
#include "libfem/mesh/distribute.hpp"
#include "libfem/objective/form_value.hpp"
#include "libfem/solid/dynamic_forms.hpp"
#include "libfem/solid/material_library.hpp"

namespace invar::test {

/// A neo-Hookean body that its left side moves and a force per volume deforms, with a lumped mass in explicit dynamics or at rest. Its
/// numbers are the same everywhere, or differ between copies of the mesh. Terms of the objective: the elastic (and kinetic) energy of each
/// copy at the end, or of all together.
struct CopiedBody {
  std::vector<std::string> names;  // of the numbers
  std::unique_ptr<MeshCopies> copies;
  std::shared_ptr<const Mesh> mesh;
  std::shared_ptr<const DofMap> dofs;
  std::shared_ptr<const Material> material;
  std::shared_ptr<FormResidual> residual;
  std::shared_ptr<Case> process;
  std::shared_ptr<CaseFunctional> functional;

  struct Options {
    std::function<void(FormResidual&)> place = {};  // moves the equation to a device, before its vectors exist
    bool terms_apart = true;                        // one of each copy
    bool moves = true;                              // the left side moves
  };
  /// count 0: one body with numbers; else copies. times: of the explicit march, or load parameters.
  CopiedBody(const Mesh& serial, int count, bool in_time, std::vector<double> times, MPI_Comm comm) : CopiedBody(serial, count, in_time, std::move(times), comm, Options()) {}
  CopiedBody(const Mesh& serial, int count, bool in_time, std::vector<double> times, MPI_Comm comm, const Options& options)
      : copies(std::make_unique<MeshCopies>(serial, std::max(1, count))), mesh(std::make_shared<const Mesh>(distribute(copies->mesh(), comm))),
        together_(count > 0) {
    const int dim = mesh->dim, order = mesh->cells[0].type.order;
    const SolidKind kind = dim == 3 ? SolidKind::spatial : SolidKind::plane_strain;
    dofs = std::make_shared<const DofMap>(mesh, std::vector<Component>(dim, {"u", order}), comm);
    material = make_material({.name = "neo_hookean"});
    residual = std::make_shared<FormResidual>(dofs);
    const auto cells = [&] { return CellBatches::on_cells(dofs, "", order == 2 ? 4 : 2); };
    const ControlledValue poisson{residual->add_control({"poisson", ""}, {0.3}), {}}, zero{residual->add_control({"zero", ""}, {0.0}), {}};
    const ControlledValue young = number("young", 10), force = number("force", 0.5);
    std::vector<ControlledValue> forces(dim, zero);
    forces[1] = force;
    residual->add_form(make_displacement_form(kind, material, cells()), {young, poisson});
    residual->add_form(make_body_force(kind, cells()), forces);
    ControlledValue left = options.moves ? number("left", 0.1) : zero;
    if (options.moves) left.shape = [](const double* x, double t) { return t * (1 + x[1]); };
    left.varies_in_space = left.varies_in_time = options.moves;
    for (int i = 0; i < dim; ++i) residual->add_dirichlet({"left", i, i == 0 ? left : zero});
    ControlledValue density;
    if (in_time) {
      density = number("density", 1.2);
      residual->add_form(make_inertia(kind, at_nodes(cells())), {density});
      residual->add_initial({Level::rate, "", 1, number("speed", 0.3)});
      residual->set_lumped_mass();
    }
    std::vector<std::vector<int>> energies;  // forms, of each term
    const auto add_energies = [&](const CellBatches& of_body, const CellBatches& nodes) {
      std::vector<int>& forms = energies.emplace_back();
      forms.push_back(residual->add_functional(make_displacement_form(kind, material, of_body), {young, poisson}));
      if (in_time) forms.push_back(residual->add_functional(make_kinetic_energy(kind, nodes), {density}));
    };
    const CellBatches all = cells(), all_nodes = at_nodes(all);
    if (options.terms_apart)
      for (const std::vector<int>& of_copy : cells_of_copies()) add_energies(all.only(of_copy), all_nodes.only(of_copy));
    else add_energies(all, all_nodes);
    residual->finish();
    if (options.place) options.place(*residual);
    const int last = static_cast<int>(times.size()) - 1;
    process = in_time ? march_through(std::move(times), comm) : equilibria(std::move(times), comm);
    for (const std::vector<int>& forms : energies) {
      std::vector<double> factors(residual->form_count(), 0.0);
      for (const int form : forms) factors[form] = 1;
      process->terms().push_back({"energy", std::make_shared<FormValue>(residual, std::move(factors)), {last}});
    }
    functional = std::make_shared<CaseFunctional>(std::vector{process}, std::move(design_), comm);
  }

 private:
  ControlledValue number(const std::string& name, double value) {
    names.push_back(name);
    const int control = residual->add_control({.name = name, .layout = together_ ? ControlLayout::nodes : ControlLayout::number},
                                              std::vector<double>(together_ ? mesh->node_total() : 1, value));
    if (together_) {
      std::vector<CopiedNumber::Target> targets{CopiedNumber::on_nodes(0, control, *copies, *mesh)};
      design_.push_back(std::make_shared<CopiedNumber>(name, std::vector<double>(copies->count(), value), std::move(targets)));
    } else {
      DesignEntry entry;
      entry.name = name, entry.start = value, entry.lower = -INFINITY, entry.upper = INFINITY;
      entry.targets = {{0, control}};
      design_.push_back(std::make_shared<NumberDesign>(std::vector{entry}));
    }
    return {control, {}};
  }

  /// Positions among the cells of this rank, ascending, [copy].
  std::vector<std::vector<int>> cells_of_copies() const {
    std::vector<std::vector<int>> positions(copies->count());
    const std::vector<int> copy = copies->of_cells(*mesh);
    for (std::size_t c = 0; c < copy.size(); ++c) positions[copy[c]].push_back(static_cast<int>(c));
    return positions;
  }

  static std::shared_ptr<LinearSolver> solver(MPI_Comm comm) {
    LinearSolverOptions linear;
    linear.rtol = 1e-14;
    return std::make_shared<LinearSolver>(comm, linear);
  }
  std::shared_ptr<Case> march_through(std::vector<double> times, MPI_Comm comm) const {
    MarchOptions march;
    march.newton.rtol = 1e-12;
    return std::make_shared<TransientCase>("batch", residual, solver(comm), TimeScheme(TimeScheme::Kind::central_differences, 2), std::move(times), march);
  }
  std::shared_ptr<Case> equilibria(std::vector<double> times, MPI_Comm comm) const {
    LoadSteppingOptions stepping;
    stepping.newton.rtol = 1e-13;
    stepping.max_cuts = 3;
    return std::make_shared<StaticCase>("batch", residual, solver(comm), std::move(times), 0.0, stepping);
  }

  bool together_;
  std::vector<std::shared_ptr<Parameterization>> design_;
};

}  // namespace invar::test
