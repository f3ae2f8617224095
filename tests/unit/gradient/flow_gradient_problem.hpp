#pragma once
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "libadjoint/static_case.hpp"
#include "libfem/form/form_residual.hpp"
#include "libfem/mesh/distribute.hpp"
#include "libfluid/flow/flow_law_library.hpp"
#include "libfluid/flow/passive_scalar_forms.hpp"
#include "libfluid/objective/flow_objectives.hpp"
#include "libfluid/solve/flow_preconditioner.hpp"
#include "libfem/space/wall_proximity.hpp"
#include "libfem/objective/geometry_forms.hpp"
#include "libfluid/turbulence/spalart_allmaras_terms.hpp"
#include "libfluid/turbulence/turbulence_forms.hpp"
#include "tests/unit/gradient/flow_mesh.hpp"

namespace invar::gradient_test {

/// One flow of the matrix: what flows, how it is discretised, and what its boundary does.
struct FlowSpec {
  std::string name;
  FlowKind kind = FlowKind::planar;
  FlowDiscretisation discretisation = FlowDiscretisation::taylor_hood;
  CellType cell{Shape::triangle, 2};
  std::string law = "newtonian";
  bool convection = true, stress_form = false;
  double grad_div = 0;
  bool slip = false;      // the lid is a slip penalty, else it moves
  bool backflow = false;  // the outlet is stabilised, and fluid enters through it
  bool fields = false;    // viscosity, resistance and a force per cell, a force per node, the wall's velocity per node
  bool scalar = false;    // something is carried along
  bool turbulent = false; // Spalart–Allmaras, with distances from the body and the floor
  double capturing = 0;   // of discontinuities of χ
  std::vector<double> times{1.0};
  std::string solver{};  // empty: direct
  int refinement = 1;
  bool moving_mesh = false;  // coordinates are a control
};

/// How tests name it.
inline void PrintTo(const FlowSpec& s, std::ostream* out) { *out << s.name; }

/// A value for a parameter of a fluid. An unknown one is an error: the tests could not be run with it.
inline double typical_flow_parameter(const std::string& key) {
  static const std::map<std::string, double> table{
      {"density", 1.3},         {"viscosity", 0.15}, {"viscosity_zero", 0.3}, {"viscosity_inf", 0.05},
      {"relaxation_time", 0.8}, {"exponent", 0.6},   {"consistency", 0.2},    {"rate_floor", 0.3}};
  const auto it = table.find(key);
  if (it == table.end())
    throw std::logic_error("flow parameter '" + key + "' has no value in the gradient tests: add one");
  return it->second;
}

/// The discrete problem with everything that it owns.
struct FlowGradientProblem {
  FlowSpec spec;
  std::shared_ptr<const Mesh> mesh;
  std::shared_ptr<const DofMap> dofs;
  std::shared_ptr<FormResidual> residual;
  std::vector<int> numbers, fields;        // controls that are designed
  std::map<std::string, int> functionals;  // forms that objectives read, by factory
  std::set<std::string> factories;         // of the forms of the equation

  /// more: what a case other than a static one needs besides.
  template <class C = StaticCase, class... More>
  std::shared_ptr<C> make_case(More... more) const {
    LinearSolverOptions linear;
    linear.method = spec.solver.empty() ? direct_method() : spec.solver;
    linear.rtol = spec.solver.empty() ? 1e-15 : 1e-14;  // iterative ones end above round-off
    LoadSteppingOptions stepping;
    stepping.newton.rtol = 1e-13;
    auto solver = std::make_shared<LinearSolver>(dofs->comm(), linear);
    if (const auto blocks = residual->matrix_hints().saddle_point) solver->set_saddle_point(blocks);
    return std::make_shared<C>(spec.name, residual, std::move(solver), spec.times, 0.0, stepping, std::move(more)...);
  }
  /// UMFPACK is quicker for small matrices; MUMPS has its share: every third length of a name, and two ranks.
  std::string direct_method() const {
    int ranks = 1;
    MPI_Comm_size(dofs->comm(), &ranks);
#ifdef INVAR_SUITESPARSE
    if (spec.name.size() % 3 != 0 && ranks != 2) return ranks == 1 ? "umfpack" : "redundant";
#endif
    return residual->symmetric() ? "mumps_cholesky" : "mumps";
  }
};

/// Puts a problem together step by step.
class FlowGradientBuilder {
 public:
  FlowGradientBuilder(const FlowSpec& s, MPI_Comm comm) {
    p_.spec = s;
    p_.mesh = std::make_shared<const Mesh>(distribute(channel_mesh(s.cell, s.refinement), comm));
    std::vector<Component> components(dim(), {"u", s.cell.order});
    components.push_back({"p", 1});
    if (s.scalar) components.push_back({"c", 1});
    if (s.turbulent) components.push_back({"chi", 1});
    p_.dofs = std::make_shared<const DofMap>(p_.mesh, components, comm);
    p_.residual = std::make_shared<FormResidual>(p_.dofs);
  }

  FlowGradientProblem build() {
    add_fluid();
    if (p_.spec.scalar) add_scalar();
    if (p_.spec.turbulent) add_turbulence();
    add_boundary();
    add_functionals();
    if (p_.spec.moving_mesh) r().add_coordinates();
    r().finish();
    r().set_node_blocks(p_.spec.discretisation == FlowDiscretisation::equal_order);
    if (p_.spec.solver.starts_with("field_split"))
      r().set_saddle_point(std::make_shared<FlowPreconditioner>(r(), 0, p_.spec.kind, model()));
    return std::move(p_);
  }

 private:
  using Shape1 = std::function<double(const double*, double)>;

  FormResidual& r() { return *p_.residual; }
  int dim() const { return p_.mesh->dim; }
  FlowModel model() const { return {make_viscosity_law(p_.spec.law), p_.spec.convection, p_.spec.stress_form, p_.spec.grad_div, p_.spec.turbulent}; }
  int degree() const {
    return flow_degree(p_.spec.kind, p_.spec.discretisation, model(), p_.spec.cell.shape);
  }
  CellBatches cells() const { return CellBatches::on_cells(p_.dofs, "", degree()); }
  CellBatches facets(const char* region) const { return CellBatches::on_facets(p_.dofs, region, degree()); }

  ControlledValue number(const std::string& name, double v, double lower = -INFINITY) {
    p_.numbers.push_back(r().add_control({name, "", ControlLayout::number, lower, INFINITY}, {v}));
    return {p_.numbers.back(), {}};
  }
  ControlledValue growing(const std::string& name, double v) {
    ControlledValue c = number(name, v);
    c.shape = [](const double*, double t) { return t; };
    c.varies_in_time = true;
    return c;
  }
  ControlledValue shaped(const std::string& name, double v, Shape1 f) {
    ControlledValue c = number(name, v);
    c.shape = std::move(f);
    c.varies_in_space = c.varies_in_time = true;
    return c;
  }
  /// One value per cell, by its number in the serial mesh, so that it is the same on any number of ranks.
  ControlledValue per_cell(const std::string& name, double v) {
    std::vector<double> values;
    for (const auto& block : p_.mesh->original_cell)
      for (long long c : block) values.push_back(v * (1 + 0.3 * std::sin(1.3 * static_cast<double>(c))));
    p_.fields.push_back(r().add_control({name, "", ControlLayout::cells, -INFINITY, INFINITY}, values));
    return {p_.fields.back(), {}};
  }
  ControlledValue per_node(const std::string& name, int components, double v) {
    std::vector<double> values;
    for (long long n : p_.mesh->original_node)
      for (int i = 0; i < components; ++i) values.push_back(v * (1 + 0.4 * std::cos(0.7 * static_cast<double>(n) + i)));
    p_.fields.push_back(
        r().add_control({name, "", ControlLayout::nodes, -INFINITY, INFINITY, components}, values));
    return {p_.fields.back(), {}};
  }

  void add_fluid() {
    const bool fields = p_.spec.fields;
    for (const ParamSpec& k : flow_law_parameters(p_.spec.law)) {
      const std::string name = "fluid." + std::string(k.key);
      const double v = typical_flow_parameter(std::string(k.key));
      fluid_.push_back(fields ? per_cell(name, v) : number(name, v, k.lower));
    }
    std::vector<ControlledValue> values = fluid_;
    for (int i = 0; i < dim(); ++i) {
      const std::string name = "force." + std::to_string(i);
      const auto uneven = [](const double* x, double t) { return t * (0.6 + 0.5 * x[0] * x[1]); };
      if (fields) values.push_back(i == 0 ? per_cell(name, 0.2) : per_node(name, 1, -0.15));
      else values.push_back(i == 0 ? growing(name, 0.2) : shaped(name, -0.1 * i, uneven));
    }
    resistance_ = fields ? per_cell("resistance", 0.4) : number("resistance", 0.4);
    values.push_back(resistance_);
    for (const ParamSpec& k : SpalartAllmarasConstants::parameters)
      if (p_.spec.turbulent) turbulence_.push_back(number("fluid." + std::string(k.key), *k.default_value, k.lower));
    if (p_.spec.turbulent) values.push_back(turbulence_[SpalartAllmarasConstants::cv1]);
    p_.factories.insert("make_navier_stokes");
    r().add_form(make_navier_stokes(p_.spec.kind, p_.spec.discretisation, model(), cells()), values);
  }

  void add_scalar() {
    const auto uneven = [](const double* x, double t) { return t * (1 + x[0] * x[1]); };
    add_named_form("make_passive_scalar", make_passive_scalar(p_.spec.kind, ScalarTransport::steady, cells()),
                   {number("diffusivity", 0.12, 0), shaped("source", 0.3, uneven)});
    const int c = dim() + 1;
    hold("inlet", c, shaped("inlet.c", 0.9, [](const double* x, double t) { return t * (0.5 + x[1]); }));
    hold("body", c, number("body.c", 0.4));
  }

  /// χ is 6 at the inlet and at the lid, and below 0 at the body, so that both branches of the model occur.
  void add_turbulence() {
    ControlledValue distance, proximity;
    const auto walls = std::make_shared<WallDistance>(p_.mesh, std::vector<std::string>{"body", "floor"});
    distance.field = r().add_field(walls);
    proximity.field = r().add_field(std::make_shared<WallProximity>(p_.mesh, walls));
    std::vector<ControlledValue> values{fluid_[0], fluid_[1], distance, proximity,
                                        p_.spec.fields ? per_cell("production_multiplier", 1.1) : number("production_multiplier", 1.1)};
    values.insert(values.end(), turbulence_.begin(), turbulence_.end());
    values.push_back(shaped("chi.source", 0.3, [](const double* x, double t) { return t * (1 + x[0] * x[1]); }));
    add_named_form("make_spalart_allmaras", make_spalart_allmaras(p_.spec.kind, p_.spec.capturing, false, cells()), values);
    const int chi = dim() + 1;
    hold("inlet", chi, shaped("inlet.chi", 6, [](const double* x, double t) { return t * (0.5 + x[1]); }));
    hold("lid", chi, number("lid.chi", 6));
    hold("floor", chi, number("floor.chi", 0.3));
    hold("body", chi, number("body.chi", -2));
  }

  void add_boundary() {
    const FlowKind kind = p_.spec.kind;
    add_named_form("make_pressure_outlet", make_pressure_outlet(kind, facets("outlet")),
                   {growing("outlet.pressure", 0.2)});
    std::vector<ControlledValue> traction;
    for (int i = 0; i < dim(); ++i)
      traction.push_back(shaped("outlet.traction." + std::to_string(i), 0.05 * (i + 1),
                                [](const double* x, double t) { return t * (0.3 + x[1]); }));
    add_named_form("make_flow_traction", make_flow_traction(kind, facets("outlet")), traction);
    if (p_.spec.backflow)
      add_named_form("make_backflow_stabilisation", make_backflow_stabilisation(kind, facets("outlet")),
                     {number("outlet.density", 1.1), number("outlet.beta", 0.8)});
    const double inflow = p_.spec.backflow ? -0.5 : 0.5;
    for (int i = 0; i < dim(); ++i)
      hold("inlet", i,
           shaped("inlet." + std::to_string(i), i == 0 ? inflow : 0.1 * inflow,
                  [](const double* x, double t) { return t * (2 - t) * (0.2 + x[1] * (1.4 - x[1])); }));
    for (int i = 0; i < dim(); ++i) hold("floor", i, number("floor." + std::to_string(i), 0.02 * (i + 1)));
    if (p_.spec.slip)
      add_named_form("make_slip_penalty", make_slip_penalty(kind, facets("lid")),
                     {number("lid.penalty", 20), number("lid.friction", 0.3)});
    else
      for (int i = 0; i < dim(); ++i) hold("lid", i, growing("lid." + std::to_string(i), i == 0 ? 0.3 : 0.0));
    // The wall of the body turns: u = ω × (x − c), and more.
    if (p_.spec.fields) {
      const ControlledValue wall = per_node("body", dim(), 0.1);
      for (int i = 0; i < dim(); ++i) r().add_dirichlet({"body", i, wall, i});
    } else {
      for (int i = 0; i < dim(); ++i)
        hold("body", i, shaped("body." + std::to_string(i), 0.2 * (i + 1), [i](const double* x, double t) {
               return t * (i == 0 ? 0.65 - x[1] : x[0] - 1.7);
             }));
    }
  }

  void add_functionals() {
    const FlowKind kind = p_.spec.kind;
    const FlowDiscretisation d = p_.spec.discretisation;
    std::vector<ControlledValue> law(fluid_.begin() + 1, fluid_.end()), target;
    law.push_back(resistance_);
    if (p_.spec.turbulent) law.push_back(turbulence_[SpalartAllmarasConstants::cv1]);
    for (int i = 0; i < dim(); ++i)
      target.push_back(shaped("target." + std::to_string(i), 0.3 - 0.2 * i,
                              [](const double* x, double t) { return t * x[1]; }));
    const auto add = [&](const char* name, std::unique_ptr<WeakForm> form, const std::vector<ControlledValue>& values) {
      p_.functionals[name] = r().add_functional(std::move(form), values);
    };
    add("make_dissipation", make_dissipation(kind, make_viscosity_law(p_.spec.law), cells(), p_.spec.turbulent), law);
    add("make_kinetic_energy", make_kinetic_energy(kind, cells()), {fluid_[0]});
    add("make_velocity_misfit", make_velocity_misfit(kind, cells()), target);
    add("make_volume", make_volume(kind == FlowKind::axisymmetric, cells()), {});
    add("make_volume_moment", make_volume_moment(kind == FlowKind::axisymmetric, 1, cells()), {});
    add("make_enclosed_volume", make_enclosed_volume(kind == FlowKind::axisymmetric, {1, 0.2}, facets("body")), {});
    add("make_enclosed_moment", make_enclosed_moment(kind == FlowKind::axisymmetric, 1, {0, 0.3}, facets("body")), {});
    if (p_.spec.scalar) {
      add("make_scalar_content", make_scalar_content(kind, cells()), {});
      add("make_scalar_outflow", make_scalar_outflow(kind, facets("outlet")), {});
    }
    add("make_flow_rate", make_flow_rate(kind, facets("outlet")), {});
    add("make_transposed_shear_work", make_transposed_shear_work(kind, RigidVelocity::about({1.6, 0.5, 0.1}, {0.3, 0.5, 0.8}, dim()), facets("body")),
        {number("wall.viscosity", 0.7)});
    add("make_area", make_area(kind == FlowKind::axisymmetric, facets("body")), {});
    add("make_pressure_integral", make_pressure_integral(kind, d, facets("inlet")), {});
    add("make_pressure_misfit", make_pressure_misfit(kind, d, facets("inlet")), {number("target.p", 0.5)});
    add("make_pressure_force", make_pressure_force(kind, d, {0.8, -0.3, 0.5}, facets("body")), {});
    add("make_pressure_moment", make_pressure_moment(kind, d, {1.6, 0.5, 0.1}, {0.3, 0.5, 0.8}, facets("body")), {});
    add("make_total_pressure_flux", make_total_pressure_flux(kind, d, facets("inlet")), {number("total.density", 1.2)});
  }

  void add_named_form(const char* factory, std::unique_ptr<WeakForm> form, const std::vector<ControlledValue>& values) {
    p_.factories.insert(factory);
    r().add_form(std::move(form), values);
  }
  void hold(const char* region, int component, ControlledValue value) {
    r().add_dirichlet({region, component, std::move(value)});
  }

  FlowGradientProblem p_;
  std::vector<ControlledValue> turbulence_;  // SpalartAllmarasConstants
  std::vector<ControlledValue> fluid_;  // density, the law's parameters
  ControlledValue resistance_;
};

inline FlowGradientProblem make_flow_problem(const FlowSpec& s, MPI_Comm comm) {
  return FlowGradientBuilder(s, comm).build();
}

}  // namespace invar::gradient_test
