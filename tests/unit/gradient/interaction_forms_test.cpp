// The weak forms of fluid–structure interaction by themselves, on bent cells and facets: derivatives of first and second order,
// and what they are on a mesh that has moved.
#include <gtest/gtest.h>

#include "libfem/form/row_map.hpp"
#include "libfem/form/work_on_field.hpp"
#include "libfem/objective/geometry_forms.hpp"
#include "libfem/solid/dynamic_forms.hpp"
#include "libfluid/flow/flow_law_library.hpp"
#include "libfluid/flow/passive_scalar_forms.hpp"
#include "libfluid/flow/unsteady_forms.hpp"
#include "libfluid/fsi/fsi_forms.hpp"
#include "libfluid/fsi/with_wall_distance.hpp"
#include "libfluid/objective/flow_objectives.hpp"
#include "libfluid/turbulence/branch_forms.hpp"
#include "libfluid/turbulence/spalart_allmaras_terms.hpp"
#include "libfluid/turbulence/turbulence_forms.hpp"
#include "tests/unit/gradient/form_probe.hpp"
#include "tests/unit/gradient/problem_table.hpp"

namespace invar::gradient_test {
namespace {

/// Velocity, displacement, pressure and a scalar on bent cells, as of fluid–structure interaction; order: of velocity and displacement.
struct InteractionSpace {
  InteractionSpace(FlowKind of, Shape shape, int order = 2) : kind(of), discretisation(order == 2 ? FlowDiscretisation::taylor_hood : FlowDiscretisation::equal_order) {
    ProblemSpec s;
    s.kind = solid = of == FlowKind::spatial ? SolidKind::spatial : of == FlowKind::planar ? SolidKind::plane_strain : SolidKind::axisymmetric;
    s.cell = {shape, order};
    mesh = std::make_shared<const Mesh>(distribute(bent_mesh(s), PETSC_COMM_SELF));
    std::vector<Component> components;
    for (const char* letter : {"v_", "d_"})
      for (int i = 0; i < mesh->dim; ++i) components.push_back({letter + std::string(1, "xyz"[i]), order}), (*letter == 'v' ? v : d).push_back(int(components.size()) - 1);
    components.push_back({"p", 1});
    components.push_back({"c", 1});
    p = {2 * mesh->dim};
    c = {2 * mesh->dim + 1};
    dofs = std::make_shared<const DofMap>(mesh, std::move(components), PETSC_COMM_SELF);
  }
  using Components = std::vector<int>;
  static Components joined(Components a, const Components& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
  }
  CellBatches cells(Components components) const { return CellBatches::on_cells(dofs, "", 4, std::move(components)); }
  CellBatches top(Components components) const { return CellBatches::on_facets(dofs, "top", 3, std::move(components)); }
  std::unique_ptr<WeakForm> tested_with_v(std::unique_ptr<WeakForm> form) const {
    return std::make_unique<RowMapped>(std::move(form), dofs, map_rows(*dofs, joined(d, p), joined(v, p)));
  }
  /// The inputs of a form on the mesh moved by d.
  void move(FormInputs& at) const {
    const int dim = mesh->dim;
    for (int node = 0; node < mesh->node_total(); ++node)
      for (int i = 0; i < dim; ++i) at.X[std::size_t(node) * dim + i] += at.u[0][dofs->dof(node, d[i])];
  }
  FlowKind kind;
  FlowDiscretisation discretisation;
  SolidKind solid;
  std::shared_ptr<const Mesh> mesh;
  std::shared_ptr<const DofMap> dofs;
  Components v, d, p, c;
};

std::vector<InteractionSpace> interaction_spaces(int order = 2) {
  return {{FlowKind::planar, Shape::triangle, order},          {FlowKind::planar, Shape::quadrilateral, order}, {FlowKind::axisymmetric, Shape::triangle, order},
          {FlowKind::axisymmetric, Shape::quadrilateral, order}, {FlowKind::spatial, Shape::tetrahedron, order},  {FlowKind::spatial, Shape::hexahedron, order}};
}

const FlowModel interacting_flow{.law = make_viscosity_law("newtonian"), .stress_form = true};
/// Density, viscosity, body force, resistance.
Array flow_constants(int dim) { return dim == 3 ? Array{2, 0.3, 0.1, -0.2, 0.3, 0.5} : Array{2, 0.3, 0.1, -0.2, 0.5}; }

/// The forms of a flow on its moving mesh that need no other part of the discretisation than the cells of these components.
struct FlowForm {
  const char* name;
  std::unique_ptr<WeakForm> form;
  Array constants;
  int resistance = -1;  // its number among them, −1: there is none
};
/// Density, viscosity, distance to walls and mean of its reciprocal, or without these two; the rest.
Array turbulence_constants(bool with_distance) {
  Array all{2, 0.3};
  if (with_distance) all.insert(all.end(), {0.4, 2.7});
  all.push_back(1.1);
  for (const ParamSpec& k : SpalartAllmarasConstants::parameters) all.push_back(*k.default_value);
  all.push_back(0.6);
  return all;
}
FlowModel averaged(const ViscosityLaw& law) { return {.law = law, .stress_form = true, .turbulent = true}; }
constexpr double capturing = 0.7;
/// The transport of χ with distances from the top at moved positions.
std::unique_ptr<WeakForm> turbulence_beside(const InteractionSpace& space, bool branch = false) {
  const auto v_p_c_d = space.joined(space.joined(space.joined(space.v, space.p), space.c), space.d);
  const auto walls = std::make_shared<MovedWalls>(space.dofs, std::vector<std::string>{"top"}, space.d);
  walls->set_moving(std::vector<char>(space.mesh->node_total(), 1));
  const auto make = [kind = space.kind, branch](CellBatches cells) {
    return branch ? make_moving_spalart_allmaras_branch(kind, std::move(cells)) : make_moving_spalart_allmaras(kind, capturing, std::move(cells));
  };
  return std::make_unique<WithWallDistance>(make, space.cells(v_p_c_d), WithWallDistance::Places{2, 3}, walls);
}
std::vector<FlowForm> moving_flow_forms(const InteractionSpace& space) {
  const auto v_d = space.joined(space.v, space.d), v_p_d = space.joined(space.joined(space.v, space.p), space.d);
  std::vector<FlowForm> all;
  all.push_back({"flow", make_moving_navier_stokes(space.kind, space.discretisation, interacting_flow, space.cells(v_p_d)), flow_constants(space.mesh->dim), 2 + space.mesh->dim});
  if (space.discretisation == FlowDiscretisation::equal_order) {
    all.push_back({"inertia", make_moving_stabilised_inertia(space.kind, interacting_flow, space.cells(v_p_d)), {2, 0.3, 0.5}, 2});
    const auto v_p_c_d = space.joined(space.joined(space.joined(space.v, space.p), space.c), space.d);
    Array constants = flow_constants(space.mesh->dim);
    constants.push_back(0.7);  // so that the eddy viscosity counts
    all.push_back({"averaged flow", make_moving_navier_stokes(space.kind, space.discretisation, averaged(interacting_flow.law), space.cells(v_p_c_d)), constants, 2 + space.mesh->dim});
    all.push_back({"averaged inertia", make_moving_stabilised_inertia(space.kind, averaged(interacting_flow.law), space.cells(v_p_c_d)), {2, 0.3, 0.5, 0.7}, 2});
    all.push_back({"turbulence", make_moving_spalart_allmaras(space.kind, capturing, space.cells(v_p_c_d)), turbulence_constants(true)});
  } else {
    all.push_back({"inertia", make_moving_inertia(space.kind, space.cells(v_d)), {2}});
    all.push_back({"scalar", make_moving_scalar(space.kind, space.cells(space.joined(space.joined(space.joined(space.v, space.p), space.c), space.d))), {0.02, 0.4}});
  }
  return all;
}

TEST(InteractionForms, AreExactOnBentCellsAndFacets) {
  for (const InteractionSpace& space : interaction_spaces()) {
    const int dim = space.mesh->dim, n_cells = space.mesh->cells[0].count(), n_facets = space.mesh->facets[0].count();
    SCOPED_TRACE(name_of(space.mesh->cells[0].type.shape));
    const auto check = [&](const char* name, std::unique_ptr<WeakForm> form, const Array& constants, int n, bool has_value = false) {
      SCOPED_TRACE(name);
      check_form(space.dofs, *form, constants, n, false, false);
      if (!has_value) return;
      FormProbe f(space.dofs, *form, constants, n, sizes_of_solids(*form));
      check_value(f);
    };
    const auto v_d = space.joined(space.v, space.d);
    for (FlowForm& f : moving_flow_forms(space)) check(f.name, std::move(f.form), f.constants, n_cells);
    check("body velocity", make_body_velocity(space.kind, space.cells(v_d)), {3}, n_cells);
    const Array traction(dim, 0.6);
    for (const auto& [which, constants] : {std::pair{FlowBoundary::pressure, Array{1.5}}, {FlowBoundary::traction, traction},
                                           {FlowBoundary::backflow, Array{2, 0.9}}, {FlowBoundary::slip, Array{3, 0.4}}})
      check("boundary", make_moving_boundary(space.kind, which, space.top(v_d)), constants, n_facets);
    // Forms of solids in rows of the velocity.
    const std::shared_ptr<const Material> material = make_material({.name = "neo_hookean"});
    Array constants;
    for (const ParamSpec& k : material->parameters()) constants.push_back(typical_constant(std::string(k.key)));
    check("body", space.tested_with_v(make_displacement_form(space.solid, material, space.cells(space.d))), constants, n_cells, true);
    check("viscosity", space.tested_with_v(make_kelvin_voigt(space.solid, space.cells(space.d))), {0.7, 0.4}, n_cells);
    const std::shared_ptr<const Material> isochoric = make_material({.name = "neo_hookean", .formulation = Formulation::isochoric});
    constants.clear();
    for (const ParamSpec& k : isochoric->parameters()) constants.push_back(typical_constant(std::string(k.key)));
    constants.push_back(150);
    check("mixed", space.tested_with_v(make_mixed_form(space.solid, isochoric, space.cells(space.joined(space.d, space.p)))), constants, n_cells, true);
    check("pressure on a body", space.tested_with_v(make_follower_pressure(space.solid, space.top(space.d))), {0.3}, n_facets);
  }
}

/// A form equals that of the flow on a mesh at displaced positions. The mesh rests there.
void expect_equal(const InteractionSpace& space, std::unique_ptr<WeakForm> moving, std::unique_ptr<WeakForm> plain, const Array& constants, int n) {
  const ProbeSizes sizes = sizes_of_solids(*moving);
  FormProbe on_moving(space.dofs, *moving, constants, n, sizes), on_moved(space.dofs, *plain, constants, n, sizes);
  Array& rates = on_moving.at.u[std::size_t(Level::rate)];
  for (int node = 0; !rates.empty() && node < space.mesh->node_total(); ++node)
    for (const int c : space.d) rates[space.dofs->dof(node, c)] = 0;
  on_moved.at = on_moving.at;
  space.move(on_moved.at);
  const Array r = on_moved.residual(on_moved.at);
  EXPECT_LE(distance(on_moving.residual(on_moving.at), r), 1e-13 * largest(r));
}

/// The same of densities.
void expect_equal_values(const InteractionSpace& space, std::unique_ptr<WeakForm> moving, std::unique_ptr<WeakForm> plain, const Array& constants, int n) {
  const ProbeSizes sizes = sizes_of_solids(*moving);
  FormProbe on_moving(space.dofs, *moving, constants, n, sizes), on_moved(space.dofs, *plain, constants, n, sizes);
  for (int node = 0; node < space.mesh->node_total(); ++node)
    if (const int c = space.dofs->dof(node, space.c[0]); c >= 0) on_moving.at.u[0][c] += 1;  // so that values do not nearly vanish
  on_moved.at = on_moving.at;
  space.move(on_moved.at);
  const double value = on_moved.value(on_moved.at);
  EXPECT_NEAR(on_moving.value(on_moving.at), value, 1e-13 * std::abs(value));
  check_value(on_moving);
}

/// All laws, with and without convection, in both viscous terms.
void expect_plain_flow(const InteractionSpace& space) {
  const int dim = space.mesh->dim, n_cells = space.mesh->cells[0].count();
  const auto v_p = space.joined(space.v, space.p), v_p_d = space.joined(v_p, space.d);
  const bool stabilised = space.discretisation == FlowDiscretisation::equal_order;
  for (const std::string_view law : flow_law_names())
    for (const bool convection : {false, true})
      for (const bool stress_form : {false, true}) {
        SCOPED_TRACE(std::string(law) + (convection ? ", convection" : "") + (stress_form ? ", stress form" : ""));
        const FlowModel model{.law = make_viscosity_law(std::string(law)), .convection = convection, .stress_form = stress_form, .grad_div = stabilised ? 0 : 0.2};
        Array constants = flow_constants(dim);
        constants.erase(constants.begin() + 1);  // the viscosity
        constexpr std::array of_law{0.3, 0.6, 0.7, 0.5};
        constants.insert(constants.begin() + 1, of_law.begin(), of_law.begin() + model.law.n_parameters());
        expect_equal(space, make_moving_navier_stokes(space.kind, space.discretisation, model, space.cells(v_p_d)),
                     make_navier_stokes(space.kind, space.discretisation, model, space.cells(v_p)), constants, n_cells);
        if (!stabilised || stress_form) continue;
        constants.erase(constants.end() - 1 - dim, constants.end() - 1);  // the body force
        expect_equal(space, make_moving_stabilised_inertia(space.kind, model, space.cells(v_p_d)), make_stabilised_inertia(space.kind, model, space.cells(v_p)),
                     constants, n_cells);
      }
}

TEST(InteractionForms, StabilisedOnesAreExactOnBentCells) {
  for (const InteractionSpace& space : interaction_spaces(1)) {
    SCOPED_TRACE(name_of(space.mesh->cells[0].type.shape));
    for (FlowForm& f : moving_flow_forms(space)) {
      SCOPED_TRACE(f.name);
      check_form(space.dofs, *f.form, f.constants, space.mesh->cells[0].count(), false, false);
    }
  }
}

TEST(InteractionForms, StabilisedOnesAreThePlainFormsOnMovedCoordinates) {
  for (const InteractionSpace& space : interaction_spaces(1)) {
    SCOPED_TRACE(name_of(space.mesh->cells[0].type.shape));
    expect_plain_flow(space);
    const int n_cells = space.mesh->cells[0].count();
    const auto v_p_c = space.joined(space.joined(space.v, space.p), space.c), v_p_c_d = space.joined(v_p_c, space.d);
    const FlowModel model = averaged(interacting_flow.law);
    Array constants = flow_constants(space.mesh->dim);
    constants.push_back(0.7);
    expect_equal(space, make_moving_navier_stokes(space.kind, space.discretisation, model, space.cells(v_p_c_d)),
                 make_navier_stokes(space.kind, space.discretisation, model, space.cells(v_p_c)), constants, n_cells);
    expect_equal(space, make_moving_stabilised_inertia(space.kind, model, space.cells(v_p_c_d)), make_stabilised_inertia(space.kind, model, space.cells(v_p_c)), {2, 0.3, 0.5, 0.7}, n_cells);
    expect_equal(space, make_moving_spalart_allmaras(space.kind, capturing, space.cells(v_p_c_d)), make_spalart_allmaras(space.kind, capturing, true, space.cells(v_p_c)),
                 turbulence_constants(true), n_cells);
    expect_equal_values(space, make_moving_dissipation(space.kind, model, space.cells(v_p_c_d)), make_dissipation(space.kind, model.law, space.cells(v_p_c), true), {0.3, 0.5, 0.7}, n_cells);
  }
}

// The distance to a wall that moves is part of the form: it is that of a mesh at displaced positions, and its derivatives reach the wall's
// nodes from afar.
TEST(InteractionForms, DistancesAreThoseOfMovedWalls) {
  std::size_t distant = 0;
  for (const InteractionSpace& space : interaction_spaces(1)) {
    SCOPED_TRACE(name_of(space.mesh->cells[0].type.shape));
    const int n_cells = space.mesh->cells[0].count();
    const std::unique_ptr<WeakForm> form = turbulence_beside(space);
    const Array constants = turbulence_constants(false);
    check_form(space.dofs, *form, constants, n_cells, false, false);

    FormProbe on_moving(space.dofs, *form, constants, n_cells, sizes_of_solids(*form));
    distant += on_moving.distant_pairs()[0].nodes.size();
    Array& rates = on_moving.at.u[std::size_t(Level::rate)];
    for (int node = 0; node < space.mesh->node_total(); ++node)
      for (const int c : space.d) rates[space.dofs->dof(node, c)] = 0;
    FormInputs at = on_moving.at;
    space.move(at);
    auto distance = std::make_shared<WallDistance>(space.mesh, std::vector<std::string>{"top"});
    WallProximity proximity(space.mesh, distance);
    proximity.move(at.X);
    const auto v_p_c = space.joined(space.joined(space.v, space.p), space.c);
    const auto state_at = [](const FormInputs& x) {
      FormState state{.unknown = x.u[0].data(), .coordinates = x.X.data()};
      state.unknown[Level::rate] = x.u[std::size_t(Level::rate)].data();
      return state;
    };
    const auto evaluated = [&](std::unique_ptr<WeakForm> plain, std::vector<double> of_points) {
      std::vector<Coefficient>& all = plain->coefficients();
      for (std::size_t k = 0, from = 0; k < all.size(); ++k)
        if (k == 2) all[k] = {Coefficient::Layout::per_node, distance->values()};
        else if (k == 3) all[k] = {Coefficient::Layout::per_cell, proximity.values()};
        else all[k] = form->coefficients()[from++];
      const FormState state = state_at(at);
      if (!of_points.empty()) plain->update_memory(state, of_points.data());
      Array r(space.dofs->n_local(), 0.0);
      plain->residual(state, r.data());
      return std::pair(r, of_points);
    };
    const Array r = evaluated(make_spalart_allmaras(space.kind, capturing, true, space.cells(v_p_c)), {}).first;
    EXPECT_LE(test::distance(on_moving.residual(on_moving.at), r), 1e-12 * largest(r));
    // The branch at every point likewise.
    std::unique_ptr<WeakForm> branch = turbulence_beside(space, true);
    branch->coefficients() = form->coefficients();
    Array branches(branch->memory_size(), -1.0);
    branch->update_memory(state_at(on_moving.at), branches.data());
    EXPECT_EQ(branches, evaluated(make_spalart_allmaras_branch(space.kind, space.cells(v_p_c)), Array(branches.size(), -1.0)).second);
  }
  EXPECT_GT(distant, 0u);
}

// Someone who moves along sees another velocity of fluid and mesh, and the same forces. A porous body, which resists, rests.
TEST(InteractionForms, DoNotDependOnWhoObserves) {
  for (const int order : {1, 2})
    for (const InteractionSpace& space : interaction_spaces(order)) {
      SCOPED_TRACE(std::string(name_of(space.mesh->cells[0].type.shape)) + (order == 1 ? ", equal order" : ""));
      const int dim = space.mesh->dim;
      for (FlowForm& f : moving_flow_forms(space)) {
        SCOPED_TRACE(f.name);
        if (!f.form->traits().reads[Level::rate] || f.constants.size() == 1) continue;  // without convection
        if (f.resistance >= 0) f.constants[f.resistance] = 0;
        FormProbe probe(space.dofs, *f.form, f.constants, space.mesh->cells[0].count(), {.unknown = {0.03, 0.04, 0, 0}});
        const Array r = probe.residual(probe.at);
        for (int node = 0; node < space.mesh->node_total(); ++node)
          for (int i = space.kind == FlowKind::axisymmetric ? 1 : 0; i < dim; ++i) {
            constexpr std::array speed{0.7, -0.4, 0.5};
            probe.at.u[0][space.dofs->dof(node, space.v[i])] += speed[i];
            if (Array& rates = probe.at.u[std::size_t(Level::rate)]; !rates.empty()) rates[space.dofs->dof(node, space.d[i])] += speed[i];
          }
        EXPECT_LE(distance(probe.residual(probe.at), r), 1e-12 * largest(r));
      }
    }
}

// Only the mesh moves: the forms equal those of the flow on a mesh at displaced positions.
TEST(InteractionForms, AreThePlainFormsOnMovedCoordinates) {
  ASSERT_GE(flow_law_names().size(), 3u);
  for (const InteractionSpace& space : interaction_spaces()) {
    SCOPED_TRACE(name_of(space.mesh->cells[0].type.shape));
    const int dim = space.mesh->dim;
    const auto v_d = space.joined(space.v, space.d), v_p_c = space.joined(space.joined(space.v, space.p), space.c);
    const int n_cells = space.mesh->cells[0].count(), n_facets = space.mesh->facets[0].count();
    expect_plain_flow(space);
    expect_equal(space, make_moving_scalar(space.kind, space.cells(space.joined(v_p_c, space.d))), make_passive_scalar(space.kind, ScalarTransport::implicit, space.cells(v_p_c)),
                 {0.02, 0.4}, n_cells);
    expect_equal(space, make_moving_inertia(space.kind, space.cells(v_d)), make_flow_inertia(space.kind, space.cells(space.v)), {2}, n_cells);
    expect_equal(space, make_moving_boundary(space.kind, FlowBoundary::pressure, space.top(v_d)), make_pressure_outlet(space.kind, space.top(space.v)), {1.5}, n_facets);
    expect_equal(space, make_moving_boundary(space.kind, FlowBoundary::traction, space.top(v_d)), make_flow_traction(space.kind, space.top(space.v)), Array(dim, 0.6), n_facets);
    expect_equal(space, make_moving_boundary(space.kind, FlowBoundary::backflow, space.top(v_d)), make_backflow_stabilisation(space.kind, space.top(space.v)), {2, 0.9}, n_facets);
    expect_equal(space, make_moving_boundary(space.kind, FlowBoundary::slip, space.top(v_d)), make_slip_penalty(space.kind, space.top(space.v)), {3, 0.4}, n_facets);

    expect_equal_values(space, make_moving_kinetic_energy(space.kind, space.cells(v_d)), make_kinetic_energy(space.kind, space.cells(space.v)), {2}, n_cells);
    expect_equal_values(space, make_moving_dissipation(space.kind, interacting_flow, space.cells(v_d)), make_dissipation(space.kind, interacting_flow.law, space.cells(space.v)), {0.3, 0.5}, n_cells);
    const auto v_p_c_d = space.joined(v_p_c, space.d);
    expect_equal_values(space, make_moving_volume(space.kind, space.cells(space.d)), make_volume(space.kind == FlowKind::axisymmetric, space.cells({})), {}, n_cells);
    expect_equal_values(space, make_moving_scalar_content(space.kind, space.cells(v_p_c_d)), make_scalar_content(space.kind, space.cells(v_p_c)), {}, n_cells);
    expect_equal_values(space, make_moving_scalar_outflow(space.kind, space.top(v_p_c_d)), make_scalar_outflow(space.kind, space.top(v_p_c)), {}, n_facets);
    expect_equal_values(space, make_moving_flow_rate(space.kind, space.top(v_d)), make_flow_rate(space.kind, space.top(space.v)), {}, n_facets);
  }
}

// The work of a form on a test function that depends on velocity and positions, as in power and moments.
TEST(InteractionForms, WorkOnATestFunctionThatFollowsTheStateIsExact) {
  const InteractionSpace space(FlowKind::planar, Shape::triangle);
  TestFunction w{Array(space.dofs->n_local(), 0.0)};
  for (int node = 0; node < space.mesh->node_total(); ++node) {
    const int row = space.dofs->dof(node, space.v[0]);
    w.given[row] = 0.3;
    w.of_unknown.push_back({row, row, 1.2});
    w.of_unknown.push_back({row, space.dofs->dof(node, space.d[1]), -0.7});
    w.of_coordinates.push_back({row, 2 * node + 1, 0.4});
  }
  const auto v_p_d = space.joined(space.joined(space.v, space.p), space.d);
  WorkOnField work(make_moving_navier_stokes(space.kind, FlowDiscretisation::taylor_hood, interacting_flow, space.cells(v_p_d)), *space.dofs, w);
  FormProbe f(space.dofs, work, flow_constants(2), space.mesh->cells[0].count(), sizes_of_solids(work));
  check_value(f);
  WorkOnField of_rates(make_moving_inertia(space.kind, space.cells(space.joined(space.v, space.d))), *space.dofs, w);
  FormProbe g(space.dofs, of_rates, {2}, space.mesh->cells[0].count(), sizes_of_solids(of_rates));
  check_value(g);
}

}  // namespace
}  // namespace invar::gradient_test
