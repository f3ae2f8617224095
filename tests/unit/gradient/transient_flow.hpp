#pragma once
#include "libfem/objective/number_value.hpp"
#include "libfem/objective/reaction.hpp"
#include "libfluid/flow/flow_law_library.hpp"
#include "libfluid/flow/open_boundary.hpp"
#include "libfluid/flow/passive_scalar_forms.hpp"
#include "libfluid/flow/unsteady_forms.hpp"
#include "libfem/space/wall_proximity.hpp"
#include "libfluid/objective/flow_objectives.hpp"
#include "libfluid/turbulence/spalart_allmaras_terms.hpp"
#include "libfluid/turbulence/turbulence_forms.hpp"
#include "tests/unit/gradient/flow_mesh.hpp"
#include "tests/unit/gradient/shape_table.hpp"
#include "tests/unit/gradient/transient_problem.hpp"

namespace invar::gradient_test {

/// A flow around a body that turns (or past one, in space), with an inflow in time.
struct TransientFlowSpec {
  std::string name;
  TimeScheme::Kind scheme;
  bool linearised = false;
  double rho = 0.5;
  FlowKind kind = FlowKind::planar;
  CellType cell{Shape::triangle, 2};  // of first order: equal order, stabilised
  bool initial_field = false;
  bool scalar = false;     // something is carried along
  bool turbulent = false;  // Spalart–Allmaras; equal order
  double capturing = 0;    // of discontinuities of χ
  std::string shape = {};  // by which the body is moved, and the mesh follows; empty: it stays
  std::vector<double> times{0, 0.1, 0.2, 0.28, 0.38, 0.5};
};

class TransientFlowBuilder : TransientBuilder {
 public:
  TransientFlowBuilder(const TransientFlowSpec& s, MPI_Comm comm, int turn)
      : TransientBuilder(s.name, TimeScheme(s.scheme, 1, s.rho), s.times, channel_mesh(s.cell, 1), components(s), comm,
                         turn),
        s_(s) {}

  TransientProblem build() {
    r().set_algebraic({dim()});
    if (corrects()) r().set_potential(potential());
    add_fluid();
    if (s_.scalar) add_scalar();
    if (s_.turbulent) add_turbulence();
    add_boundary();
    if (corrects()) hold_potential();
    add_beginning();
    add_quantities();
    if (!s_.shape.empty()) add_shape();
    return finish();
  }

 private:
  static std::vector<Component> components(const TransientFlowSpec& s) {
    std::vector<Component> c(s.kind == FlowKind::spatial ? 3 : 2, {"u", s.cell.order});
    c.push_back({"p", 1});
    if (s.scalar) c.push_back({"c", 1});
    if (s.turbulent) c.push_back({"chi", 1});
    if (s.scheme == TimeScheme::Kind::pressure_correction) c.push_back({"phi", 1});
    return c;
  }
  bool corrects() const { return s_.scheme == TimeScheme::Kind::pressure_correction; }
  int potential() const { return p_.dofs->n_components() - 1; }
  void hold_potential() {
    const auto uneven = [](const double* x, double t) { return (1 + t) * (1 + x[1]); };  // the pressure outside, which the potential follows
    r().add_dirichlet({.region = "", .component = potential(), .value = signal("potential", 0.2, uneven), .nodes = open_boundary(r())});
  }
  CellBatches cells() const { return CellBatches::on_cells(p_.dofs, "", 5); }

  void add_fluid() {
    const ControlledValue density = number("density", 1.3, 0), viscosity = number("viscosity", 0.15, 0),
                          resistance = number("resistance", 0.3);
    std::vector<ControlledValue> values{density, viscosity};
    for (int i = 0; i < dim(); ++i)
      values.push_back(number("force." + std::to_string(i), 0.3 - 0.2 * i, -INFINITY,
                              [](const double* x, double t) { return 1 + t * x[1]; }));
    values.push_back(resistance);
    const FlowModel model{make_viscosity_law("newtonian"), !s_.linearised, s_.turbulent, 0, s_.turbulent};
    const bool stabilised = s_.cell.order == 1;
    if (s_.turbulent) {
      for (const ParamSpec& k : SpalartAllmarasConstants::parameters)
        turbulence_.push_back(number(std::string(k.key), *k.default_value, k.lower));
      values.push_back(turbulence_[SpalartAllmarasConstants::cv1]);
      of_fluid_ = {density, viscosity};
    }
    if (corrects()) {
      add("make_corrected_momentum", make_corrected_momentum(s_.kind, model, cells()), values);
      std::vector<int> own;
      for (int i = 0; i <= dim(); ++i) own.push_back(i);
      own.push_back(potential());
      add("make_pressure_correction", make_pressure_correction(s_.kind, model, CellBatches::on_cells(p_.dofs, "", 5, own)), {density, viscosity});
    } else {
      add("make_navier_stokes", make_navier_stokes(s_.kind, stabilised ? FlowDiscretisation::equal_order : FlowDiscretisation::taylor_hood, model, cells()),
          values);
    }
    if (stabilised) {
      std::vector<ControlledValue> of_inertia{density, viscosity, resistance};
      if (s_.turbulent) of_inertia.push_back(turbulence_[SpalartAllmarasConstants::cv1]);
      add("make_stabilised_inertia", make_stabilised_inertia(s_.kind, model, cells()), of_inertia);
    } else {
      add("make_flow_inertia", make_flow_inertia(s_.kind, cells()), {density});
    }
    if (s_.linearised) add("make_linearised_convection", make_linearised_convection(s_.kind, cells()), {density});
    kinetic_energy_ = functional("make_kinetic_energy", make_kinetic_energy(s_.kind, cells()), {density});
  }

  void add_scalar() {
    const ScalarTransport transport = s_.linearised ? ScalarTransport::linearised : ScalarTransport::implicit;
    const auto uneven = [](const double* x, double t) { return 1 + t * x[1]; };
    add("make_passive_scalar", make_passive_scalar(s_.kind, transport, cells()),
        {number("diffusivity", 0.1, 0), number("source", 0.3, -INFINITY, uneven)});
    const int c = dim() + 1;
    r().add_dirichlet({"inlet", c, signal("inlet.c", 0.9, [](const double* x, double) { return 0.5 + x[1]; })});
    r().add_dirichlet({"body", c, number("body.c", 0.4)});
    if (s_.initial_field) begin(Level::value, "", c, per_node("scalars", 1, 0.3));
    else begin(Level::value, "", c, number("scalar", 0.3, -INFINITY, [](const double* x, double) { return 1 + x[0] * x[1]; }));
    content_ = functional("make_scalar_content", make_scalar_content(s_.kind, cells()), {});
    outflow_ = functional("make_scalar_outflow", make_scalar_outflow(s_.kind, CellBatches::on_facets(p_.dofs, "outlet", 5)), {});
  }

  /// As in the steady flows of the matrix: both branches of the model occur.
  void add_turbulence() {
    ControlledValue distance, proximity;
    const auto walls = std::make_shared<WallDistance>(p_.mesh, std::vector<std::string>{"body", "floor"});
    distance.field = r().add_field(walls);
    proximity.field = r().add_field(std::make_shared<WallProximity>(p_.mesh, walls));
    std::vector<ControlledValue> values{of_fluid_[0], of_fluid_[1], distance, proximity, number("production_multiplier", 1.1)};
    values.insert(values.end(), turbulence_.begin(), turbulence_.end());
    values.push_back(number("chi.source", 0.3, -INFINITY, [](const double* x, double t) { return t * (1 + x[0] * x[1]); }));
    add("make_spalart_allmaras", make_spalart_allmaras(s_.kind, s_.capturing, true, cells()), values);
    const int chi = dim() + 1;
    r().add_dirichlet({"inlet", chi, signal("inlet.chi", 6, [](const double* x, double) { return 0.5 + x[1]; })});
    r().add_dirichlet({"lid", chi, number("lid.chi", 6)});
    r().add_dirichlet({"floor", chi, number("floor.chi", 0.3)});
    r().add_dirichlet({"body", chi, number("body.chi", -2)});
    if (s_.initial_field) begin(Level::value, "", chi, per_node("chis", 1, 3));
    else begin(Level::value, "", chi, number("chi", 3, -INFINITY, [](const double* x, double) { return 1 + x[0] * x[1]; }));
  }

  void add_boundary() {
    r().add_dirichlet({"inlet", 0, signal("inlet", 0.8, [](const double* x, double t) {
                         return (1 + t) * (0.2 + x[1] * (1.4 - x[1]));
                       })});
    for (int i = 1; i < dim(); ++i) r().add_dirichlet({"inlet", i, number("inlet." + std::to_string(i), 0.05)});
    for (int i = 0; i < dim(); ++i) {
      const std::string at = "." + std::to_string(i);
      r().add_dirichlet({"floor", i, number("floor" + at, 0.02 * (i + 1))});
      r().add_dirichlet({"lid", i, number("lid" + at, i == 0 ? 0.3 : 0.0, -INFINITY, [](const double*, double t) {
                           return 1 - t * t;
                         })});
    }
    spin_ = signal("spin", 0.6);
    for (int i = 0; i < dim(); ++i) {
      ControlledValue turning = spin_;
      turning.shape = [i](const double* x, double) { return i == 0 ? 0.65 - x[1] : i == 1 ? x[0] - 1.7 : 0.0; };
      turning.varies_in_space = true;
      r().add_dirichlet({"body", i, turning});
      r().add_dirichlet({.region = "body",
                         .component = i,
                         .value = number("jet." + std::to_string(i), 0.1, -INFINITY,
                                         [](const double* x, double t) { return t * (x[0] - 1.7) * (x[1] - 0.3); }),
                         .adds = true});
    }
    add("make_pressure_outlet", make_pressure_outlet(s_.kind, CellBatches::on_facets(p_.dofs, "outlet", 5)),
        {signal("outlet", 0.2, [](const double* x, double) { return 0.3 + x[1]; })});
  }

  void add_beginning() {
    if (s_.initial_field) {
      const ControlledValue v = per_node("velocities", dim(), 0.4);
      for (int i = 0; i < dim(); ++i) begin(Level::value, "", i, v, i);
    } else {
      for (int i = 0; i < dim(); ++i)
        begin(Level::value, "", i, number("velocity." + std::to_string(i), 0.5 - 0.3 * i));
    }
  }

  void add_shape() {
    const auto shape = std::ranges::find(all_shapes(), s_.shape, &ShapeCase::name);
    if (shape == all_shapes().end()) throw std::logic_error("there is no shape '" + s_.shape + "'");
    MeshMotionOptions options;
    options.moving = {"body"};
    auto motion = make_mesh_motion(p_.mesh, p_.dofs->comm(), options);
    p_.shape = std::make_shared<ShapeDesign>(shape->make(p_.mesh), std::move(motion),
                                             std::vector<ShapeDesign::Target>{{0, r().add_coordinates()}});
  }

  void add_quantities() {
    std::vector<double> behind{dim() == 3 ? 1.5 : 2.4, 0.7}, direction{-1.0, 0.4}, lift{0.2, -1.0};
    if (dim() == 3) behind.push_back(0.5), direction.push_back(-0.7), lift.push_back(0.1);
    std::shared_ptr<Observable> side = Reaction::force(p_.residual, "body", lift);
    quantity("force", Reaction::force(p_.residual, "body", direction), {1, last() / 2, last()},
             {"Reaction", "Reaction::force"});
    quantity("force on the floor", Reaction::force(p_.residual, "floor", direction), {2, last()},
             {"Reaction", "Reaction::force"});
    quantity("largest side force", side, all_steps(), {"Reaction", "Reaction::force"}, {}, 3);
    quantity("smallest side force", side, all_steps(), {"Reaction", "Reaction::force"}, {}, -3);
    quantity("r.m.s. side force", side, all_steps(), {"Reaction", "Reaction::force"}, window(), 0, true);
    quantity("mean side force", side, all_steps(), {"Reaction", "Reaction::force"}, window());
    quantity("wake at the end", points({{behind, 0}, {behind, dim()}}), {last()},
             {"LinearObservable", "make_point_samples"});
    quantity("kinetic energy", kinetic_energy_, {2, last()}, {"FormValue"});
    if (s_.scalar) {
      quantity("scalar at a point", points({{behind, dim() + 1}}), {1, last()}, {"LinearObservable", "make_point_samples"});
      quantity("mean scalar content", content_, all_steps(), {"FormValue"}, window());
      quantity("scalar outflow", outflow_, {last()}, {"FormValue"});
      quantity("mixing", std::make_shared<MixingNorm>(p_.residual, dim() + 1, "", 0.3, s_.kind == FlowKind::axisymmetric), all_steps(),
               {"MixingNorm"}, window());
    }
    if (s_.turbulent) quantity("chi at a point", points({{behind, dim() + 1}}), {1, last()}, {"LinearObservable", "make_point_samples"});
    quantity("actuation", make_actuation(p_.residual, spin_.control), all_steps(), {"NumberValue", "FunctionOf"});
    p_.tracked = points({{behind, 0}, {behind, 1}});
  }

  TransientFlowSpec s_;
  std::shared_ptr<Observable> kinetic_energy_, content_, outflow_;  // the latter two of the scalar
  ControlledValue spin_;
  std::vector<ControlledValue> of_fluid_, turbulence_;  // density and viscosity; SpalartAllmarasConstants
};

inline TransientProblem make_transient(const TransientFlowSpec& s, MPI_Comm comm, int turn = 0) {
  return TransientFlowBuilder(s, comm, turn).build();
}

}  // namespace invar::gradient_test
