// Every form of the flow room by itself, on bent cells and facets.
#include "libfem/mesh/distribute.hpp"
#include "libfem/objective/geometry_forms.hpp"
#include "libfluid/flow/flow_law_library.hpp"
#include "libfluid/flow/passive_scalar_forms.hpp"
#include "libfluid/objective/flow_objectives.hpp"
#include "tests/unit/flow/form_check.hpp"
#include "tests/unit/form/test_meshes.hpp"

namespace invar {
namespace {

using test::Array;

/// The block [0.5, 1.7] × [0, 1] (× [0, 0.9]) with every edge bent; x > 0.
Mesh bent_block(Shape shape, int order) {
  const bool spatial = dimension_of(shape) == 3;
  const Mesh block = spatial ? make_box({0.5, 0, 0}, {1.7, 1, 0.9}, {1, 1, 1}, shape, order)
                             : make_rectangle(0.5, 0, 1.7, 1, 2, 2, shape, order);
  return test::warped(block, [spatial](double* x) {
    const double X = x[0], Y = x[1], Z = spatial ? x[2] : 0.4;
    x[0] += 0.05 * std::sin(2.3 * Y + 0.4) + 0.03 * Z * Z;
    x[1] += 0.06 * std::cos(1.7 * X) * (1 + 0.5 * Z) + 0.04 * Y * Y;
    if (spatial) x[2] += 0.05 * std::sin(1.9 * X + 1.1 * Y);
  });
}

struct Space {
  FlowKind kind;
  Shape shape;
  int mesh_order;
  FlowDiscretisation discretisation;
  const char* name;
};
using enum FlowDiscretisation;
constexpr Space spaces[] = {
    {FlowKind::planar, Shape::triangle, 2, taylor_hood, "planar P2/P1"},
    {FlowKind::planar, Shape::quadrilateral, 2, taylor_hood, "planar Q2/Q1"},
    {FlowKind::axisymmetric, Shape::triangle, 2, taylor_hood, "axisymmetric P2/P1"},
    {FlowKind::axisymmetric, Shape::quadrilateral, 2, taylor_hood, "axisymmetric Q2/Q1"},
    {FlowKind::spatial, Shape::tetrahedron, 2, taylor_hood, "spatial P2/P1"},
    {FlowKind::spatial, Shape::hexahedron, 2, taylor_hood, "spatial Q2/Q1"},
    {FlowKind::planar, Shape::triangle, 1, equal_order, "planar P1/P1"},
    {FlowKind::planar, Shape::triangle, 2, equal_order, "planar P1/P1 on curved cells"},
    {FlowKind::planar, Shape::quadrilateral, 1, equal_order, "planar Q1/Q1"},
    {FlowKind::axisymmetric, Shape::triangle, 1, equal_order, "axisymmetric P1/P1"},
    {FlowKind::axisymmetric, Shape::quadrilateral, 1, equal_order, "axisymmetric Q1/Q1"},
    {FlowKind::spatial, Shape::tetrahedron, 1, equal_order, "spatial P1/P1"},
    {FlowKind::spatial, Shape::hexahedron, 1, equal_order, "spatial Q1/Q1"}};

std::shared_ptr<const DofMap> dofs_of(const Space& s, bool scalar = false) {
  const auto mesh = std::make_shared<const Mesh>(distribute(bent_block(s.shape, s.mesh_order), PETSC_COMM_SELF));
  std::vector<Component> components(mesh->dim, {"u", s.discretisation == taylor_hood ? 2 : 1});
  components.push_back({"p", 1});
  if (scalar) components.push_back({"c", 1});
  return std::make_shared<const DofMap>(mesh, components, PETSC_COMM_SELF);
}

/// Velocities about (0.8, −0.5, 0.4) m/s, pressures about 0.7 Pa.
Array mean_state(const DofMap& dofs) {
  Array mean{0.8, -0.5, 0.4};
  mean.resize(dofs.mesh().dim);
  mean.push_back(0.7);
  return mean;
}

Array parameters_of(std::string_view law) {
  if (law == "newtonian") return {0.3};
  if (law == "carreau") return {0.6, 0.05, 0.7, 0.6};
  if (law == "power_law") return {0.4, 0.7, 0.9};
  throw std::logic_error("give constants for the fluid '" + std::string(law) + "' here");
}

TEST(FlowDerivatives, NavierStokes) {
  for (const Space& s : spaces)
    for (const std::string_view law : flow_law_names())
      for (const bool convection : {true, false})
        for (const bool stress_form : {true, false}) {
          // The full table in the plane; elsewhere each value against each other's.
          if (s.kind == FlowKind::spatial && (law == "carreau" || convection != stress_form)) continue;
          SCOPED_TRACE(std::string(s.name) + ", " + std::string(law) + (convection ? ", convection" : "") +
                       (stress_form ? ", stress form" : ""));
          const auto dofs = dofs_of(s);
          const FlowModel model{make_viscosity_law(law), convection, stress_form, s.discretisation == taylor_hood ? 0.7 : 0.0};
          const auto form = make_navier_stokes(s.kind, s.discretisation, model, CellBatches::on_cells(dofs, "", 2));
          Array constants{1.3};
          for (double p : parameters_of(law)) constants.push_back(p);
          for (int i = 0; i < dofs->mesh().dim; ++i) constants.push_back(0.4 - 0.3 * i);
          constants.push_back(2.1);
          ASSERT_EQ(form->coefficients().size(), constants.size());
          ASSERT_EQ(flow_law_parameters(law).size(), 1 + parameters_of(law).size());
          test::FormProbe probe(dofs, *form, constants, dofs->mesh().cells[0].count(), test::sizes_of_flow(mean_state(*dofs)));
          // No inertia, a viscous stress with a potential, no stabilisation.
          const bool symmetric = s.discretisation == taylor_hood && !convection && (stress_form || law == "newtonian");
          EXPECT_EQ(form->traits().symmetric, symmetric);
          test::check_form(probe, dofs, {.symmetric = symmetric});
        }
}

// In time: gradient/dynamic_form_test.cpp.
TEST(FlowDerivatives, PassiveScalar) {
  for (const Space& s : spaces) {
    if (s.discretisation != taylor_hood) continue;
    SCOPED_TRACE(s.name);
    const auto dofs = dofs_of(s, true);
    const auto scalar = make_passive_scalar(s.kind, ScalarTransport::steady, CellBatches::on_cells(dofs, "", 2)),
               content = make_scalar_content(s.kind, CellBatches::on_cells(dofs, "", 2)),
               outflow = make_scalar_outflow(s.kind, CellBatches::on_facets(dofs, "right", 3));
    Array mean = mean_state(*dofs);
    mean.push_back(1.1);
    const auto check = [&](WeakForm& form, const Array& constants, test::FormClaims claims) {
      ASSERT_EQ(form.coefficients().size(), constants.size());
      test::FormProbe probe(dofs, form, constants, dofs->mesh().cells[0].count(), test::sizes_of_flow(mean));
      test::check_form(probe, dofs, claims);
    };
    check(*scalar, {0.2, 0.7}, {});
    check(*content, {}, {true, true});
    check(*outflow, {}, {true, true});
  }
}

struct FormEntry {
  const char* name;
  bool facets;
  std::function<std::unique_ptr<WeakForm>(const Space&, CellBatches)> make;
  std::function<Array(int dim)> constants;
  test::FormClaims claims;
};
const std::vector<FormEntry>& other_forms() {
  constexpr test::FormClaims linear{true, false}, functional{true, true};
  const auto none = [](int) { return Array{}; };
  const auto vector = [](int dim) { return dim == 2 ? Array{0.3, -0.2} : Array{0.3, -0.2, 0.5}; };
  static const std::vector<FormEntry> all{
      {"pressure outlet", true, [](auto& s, auto b) { return make_pressure_outlet(s.kind, std::move(b)); },
       [](int) { return Array{0.6}; }, linear},
      {"traction", true, [](auto& s, auto b) { return make_flow_traction(s.kind, std::move(b)); }, vector,
       linear},
      {"backflow", true, [](auto& s, auto b) { return make_backflow_stabilisation(s.kind, std::move(b)); },
       [](int) { return Array{1.3, 0.8}; }, {}},
      {"slip", true, [](auto& s, auto b) { return make_slip_penalty(s.kind, std::move(b)); },
       [](int) { return Array{3.0, 0.7}; }, linear},
      {"dissipation, newtonian", false,
       [](auto& s, auto b) { return make_dissipation(s.kind, make_viscosity_law("newtonian"), std::move(b)); },
       [](int) { return Array{0.3, 1.2}; }, functional},
      {"dissipation, carreau", false,
       [](auto& s, auto b) { return make_dissipation(s.kind, make_viscosity_law("carreau"), std::move(b)); },
       [](int) { return Array{0.6, 0.05, 0.7, 0.6, 1.2}; }, functional},
      {"kinetic energy", false, [](auto& s, auto b) { return make_kinetic_energy(s.kind, std::move(b)); },
       [](int) { return Array{1.3}; }, functional},
      {"velocity misfit", false, [](auto& s, auto b) { return make_velocity_misfit(s.kind, std::move(b)); },
       vector, functional},
      {"volume", false, [](auto& s, auto b) { return make_volume(s.kind == FlowKind::axisymmetric, std::move(b)); }, none, functional},
      {"volume moment", false, [](auto& s, auto b) { return make_volume_moment(s.kind == FlowKind::axisymmetric, 1, std::move(b)); },
       none, functional},
      {"area", true, [](auto& s, auto b) { return make_area(s.kind == FlowKind::axisymmetric, std::move(b)); }, none, functional},
      {"flow rate", true, [](auto& s, auto b) { return make_flow_rate(s.kind, std::move(b)); }, none, functional},
      {"pressure integral", true,
       [](auto& s, auto b) { return make_pressure_integral(s.kind, s.discretisation, std::move(b)); }, none,
       functional},
      {"pressure misfit", true,
       [](auto& s, auto b) { return make_pressure_misfit(s.kind, s.discretisation, std::move(b)); },
       [](int) { return Array{0.4}; }, functional}};
  return all;
}

TEST(FlowDerivatives, BoundaryFormsAndObjectives) {
  for (const Space& s : spaces)
    for (const FormEntry& entry : other_forms())
      for (const char* side : {"left", "right"}) {  // fluid enters and leaves
        if (!entry.facets && side == std::string("right")) continue;
        SCOPED_TRACE(std::string(s.name) + ", " + entry.name + " " + side);
        const auto dofs = dofs_of(s);
        const Mesh& mesh = dofs->mesh();
        const auto form = entry.make(s, entry.facets ? CellBatches::on_facets(dofs, side, 3)
                                                     : CellBatches::on_cells(dofs, "", 2));
        const Array constants = entry.constants(mesh.dim);
        ASSERT_EQ(form->coefficients().size(), constants.size());
        const int n_cells = (entry.facets ? mesh.facets : mesh.cells)[0].count();
        test::FormProbe probe(dofs, *form, constants, n_cells, test::sizes_of_flow(mean_state(*dofs)));
        test::check_form(probe, dofs, entry.claims);
      }
}

}  // namespace
}  // namespace invar
