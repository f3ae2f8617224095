#pragma once
#include <gtest/gtest.h>

#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "libadjoint/case_functional.hpp"
#include "libadjoint/maps/number_design.hpp"
#include "libadjoint/static_case.hpp"
#include "libfem/design/boundary/ffd_map.hpp"
#include "libfem/design/boundary/mapped_boundary.hpp"
#include "libfem/design/boundary/rigid_motion_map.hpp"
#include "libfem/mesh/distribute.hpp"
#include "libfem/objective/form_value.hpp"
#include "libfem/objective/geometry_forms.hpp"
#include "libfem/objective/reaction.hpp"
#include "libfluid/mesh_motion/shape_design.hpp"
#include "libfluid/objective/flow_objectives.hpp"
#include "tests/unit/gradient/flow_mesh.hpp"

namespace invar::test {

struct ShapeFlowOptions {
  double x = 0, y = 0.1, a = 0.3, b = 0.2, turned = 0.3;  // the ellipse in the channel [−1, 1.6] × [−0.8, 0.8]
  int n_r = 2, n_t = 16;
  Shape shape = Shape::quadrilateral;
  FlowKind kind = FlowKind::planar;
  bool convection = true;
  double viscosity = 0.05, speed = 1;
  double shift = 0;         // of everything along x
  double stiffening = 1;    // of the mesh's motion
  bool all_move = true;     // the whole boundary, else the body
};

/// The flow around an ellipse in a channel, density 1, with a parabolic inlet that travels with the mesh,
/// walls at rest and a free outlet. Designed by a map of boundary points, then by the inlet's velocity in x
/// and y and the viscosity.
class ShapeFlow {
 public:
  enum { drag, lift, moment, dissipation, volume };  // constraints: the fluid's on the body

  using MakeMap = std::function<std::unique_ptr<BoundaryMap>(const std::vector<double>& points)>;

  ShapeFlow(const ShapeFlowOptions& o, const MakeMap& make_map) {
    const MPI_Comm comm = PETSC_COMM_WORLD;
    mesh = std::make_shared<const Mesh>(
        distribute(gradient_test::make_ring(gradient_test::ellipse(o.x + o.shift, o.y, o.a, o.b, o.turned),
                                            gradient_test::rectangle(-1 + o.shift, -0.8, 1.6 + o.shift, 0.8),
                                            gradient_test::channel_region, o.n_r, o.n_t, o.shape, 2), comm));
    auto dofs = std::make_shared<const DofMap>(mesh, std::vector<Component>{{"u_x", 2}, {"u_y", 2}, {"p", 1}}, comm);
    residual = std::make_shared<FormResidual>(dofs);
    FormResidual& r = *residual;
    const auto number = [&](const char* name, double v) { return ControlledValue{r.add_control({name, ""}, {v}), {}}; };
    const ControlledValue zero = number("zero", 0), viscosity = number("viscosity", o.viscosity);
    FlowModel model;
    model.convection = o.convection;
    const int degree = 6;
    const auto cells = [&] { return CellBatches::on_cells(dofs, "", degree); };
    r.add_form(make_navier_stokes(o.kind, FlowDiscretisation::taylor_hood, model, cells()),
               {number("density", 1), viscosity, zero, zero, zero});
    std::vector<ControlledValue> inlet;
    for (int i = 0; i < 2; ++i) {
      inlet.push_back(number(i == 0 ? "inlet_x" : "inlet_y", i == 0 ? o.speed : 0));
      inlet[i].shape = [](const double* x, double) { return 1 - x[1] * x[1] / 0.64; };
      inlet[i].varies_in_space = true;
      r.add_dirichlet({"inlet", i, inlet[i]});
    }
    for (const char* wall : {"floor", "lid", "body"})
      for (int i = 0; i < 2; ++i) r.add_dirichlet({wall, i, zero});
    const int heat = r.add_functional(make_dissipation(o.kind, model.law, cells()), {viscosity, zero});
    const int space = r.add_functional(make_volume(o.kind == FlowKind::axisymmetric, cells()), {});
    const int coordinates = r.add_coordinates();
    r.finish();
    const auto integral = [&](int form) {
      std::vector<double> factors(r.form_count(), 0.0);
      factors[form] = 1;
      return std::make_shared<FormValue>(residual, factors);
    };
    std::vector<CaseConstraint> quantities;
    const auto add = [&](const char* name, std::shared_ptr<Observable> y) {
      quantities.push_back({{.name = name}, 0, {name, std::move(y), {0}, 1.0}});
    };
    add("drag", Reaction::force(residual, "body", {-1, 0}));
    add("lift", Reaction::force(residual, "body", {0, -1}));
    add("moment", Reaction::moment(residual, "body", {0.2, -0.1, 0}, {}));
    add("dissipation", integral(heat));
    add("volume", integral(space));

    LinearSolverOptions linear;
    linear.method = "mumps";
    linear.rtol = 1e-14;
    LoadSteppingOptions stepping;
    stepping.newton.rtol = 1e-13;
    process = std::make_shared<StaticCase>("flow", residual, std::make_shared<LinearSolver>(comm, linear),
                                           std::vector<double>{1.0}, 0.0, stepping);
    for (const CaseConstraint& q : quantities) process->terms().push_back(q.quantity);

    MeshMotionOptions motion;
    motion.moving = {"body"};
    if (o.all_move) motion.moving = {"body", "inlet", "outlet", "floor", "lid"};
    motion.stiffening = o.stiffening;
    for (const std::string& name : motion.moving)
      for (int node : mesh->find_region(name)->nodes) nodes.push_back(node);
    std::ranges::sort(nodes);
    nodes.erase(std::ranges::unique(nodes).begin(), nodes.end());
    auto source = std::make_shared<MappedBoundary>(mesh, nodes, make_map(points_of(*mesh, nodes)), 1.0, -10, 10);
    n_shape = static_cast<int>(source->variables().size());
    auto shape = std::make_shared<ShapeDesign>(std::move(source), make_mesh_motion(mesh, comm, motion),
                                               std::vector<ShapeDesign::Target>{{0, coordinates}});
    std::vector<DesignEntry> entries;
    for (const ControlledValue& v : {inlet[0], inlet[1], viscosity})
      entries.push_back({{r.controls()[v.control].name, VariableTransform(VariableTransform::Kind::linear, 1.0),
                          r.control_values()[v.control][0], -100, 100}, {{0, v.control}}});
    functional = std::make_unique<CaseFunctional>(
        std::vector<std::shared_ptr<StaticCase>>{process},
        std::vector<std::shared_ptr<Parameterization>>{shape, std::make_shared<NumberDesign>(entries)}, comm,
        quantities);
  }

  /// All quantities; a failure fails the test.
  std::vector<double> at(const DesignVector& theta) {
    std::vector<double> c;
    const Evaluation e = functional->constraint_values(theta, c);
    EXPECT_TRUE(e.ok) << e.reason;
    c.resize(5, NAN);
    return c;
  }
  /// Their gradients.
  std::vector<DesignVector> gradients(const DesignVector& theta) {
    std::vector<double> c;
    std::vector<DesignVector> g;
    const Evaluation e = functional->constraint_gradients(theta, c, g);
    EXPECT_TRUE(e.ok) << e.reason;
    g.resize(5, DesignVector::zeros_like(theta));
    return g;
  }

  std::shared_ptr<const Mesh> mesh;
  std::shared_ptr<FormResidual> residual;
  std::shared_ptr<StaticCase> process;
  std::unique_ptr<CaseFunctional> functional;
  std::vector<int> nodes;  // that move
  int n_shape = 0;         // numbers of the shape; then inlet_x, inlet_y, viscosity
};

/// Turns about the origin and shifts.
inline ShapeFlow::MakeMap rigid_motion() {
  return [](const std::vector<double>& points) {
    return std::make_unique<RigidMotionMap>(points, RigidMotion(2, RigidMotion::Options{}));
  };
}

/// Affine motions of the box [−1, 1.6] × [−0.8, 0.8]: displacements of its corners.
inline ShapeFlow::MakeMap affine_motion() {
  return [](const std::vector<double>& points) {
    return make_ffd_map(points, 2, {-1, -0.8, 0}, {1.6, 0.8, 0}, {2, 2, 1});
  };
}

}  // namespace invar::test
