#include "libfluid/mesh_motion/elastic_motion.hpp"

#include <algorithm>
#include <cmath>

#include "libfluid/mesh_motion/mesh_motion_form.hpp"
#include "libfluid/mesh_motion/still_boundary.hpp"

namespace invar {
namespace {

constexpr const char* axes[] = {"w_x", "w_y", "w_z"};
constexpr const char* still = "fixed boundary";
constexpr double bulk = 2.0;  // κ: ratio of bulk modulus to shear modulus

/// Degree of the quadrature: one point suffices for simplices of first order; on quadrilaterals and hexahedra it would leave modes without
/// stiffness (hourglass modes), which only boundaries that are held resist.
int quadrature_degree(const Mesh& mesh, int order) {
  if (order > 1) return 4;
  const auto simplex = [](const CellBlock& b) { return b.type.shape == Shape::triangle || b.type.shape == Shape::tetrahedron; };
  return std::ranges::all_of(mesh.cells, simplex) ? 1 : 2;
}

}  // namespace

ElasticMotion::ElasticMotion(std::shared_ptr<const Mesh> mesh, MPI_Comm comm, MeshMotionOptions options)
    : MeshMotion(std::move(mesh), comm, std::move(options)) {
  int order = 1;
  for (const CellBlock& b : mesh_->cells) order = std::max(order, b.type.order);
  std::vector<Component> components;
  for (int i = 0; i < mesh_->dim; ++i) components.push_back({axes[i], order});
  dofs_ = std::make_shared<const DofMap>(with_still_boundary(*mesh_, comm_, regions_that_move(), still), components, comm_);
  residual_ = std::make_shared<FormResidual>(dofs_);
  const int stiffness = residual_->add_control({"stiffness", "1", ControlLayout::cells}, mesh_stiffness(*mesh_, comm_, options_.stiffening));
  const int ratio = residual_->add_control({"bulk", "1"}, {bulk}), zero = residual_->add_control({"zero", "m"}, {0.0});
  residual_->add_form(make_mesh_elasticity(mesh_->dim, CellBatches::on_cells(dofs_, "", quadrature_degree(*mesh_, order))),
                      {{stiffness, {}}, {ratio, {}}});
  boundary_ = residual_->add_control({.name = "boundary", .unit = "m", .layout = ControlLayout::nodes,
                                      .components = mesh_->dim},
                                     std::vector<double>(mesh_->coordinates.size(), 0.0));
  // The last condition on a node applies: fixed nodes are also fixed where they touch moving boundaries.
  const auto grow = [](const double*, double t) { return t; };
  for (const std::string& name : options_.moving)
    for (int i = 0; i < mesh_->dim; ++i) residual_->add_dirichlet({name, i, {boundary_, grow, false, true}, i});
  for (const MeshMotionOptions::Sliding& s : options_.sliding) residual_->add_dirichlet({s.region, s.component, {zero, {}}});
  for (int i = 0; i < mesh_->dim; ++i) residual_->add_dirichlet({still, i, {zero, {}}});
  residual_->finish();
  LoadSteppingOptions stepping;
  stepping.newton.rtol = 1e-12;
  stepping.newton.atol = force_floor(residual_->control_values()[stiffness]);
  stepping.warm_start = true;
  stepping.newton.max_iterations = 20;  // searches try many shapes, and those that are too far away should be rejected quickly
  stepping.max_cuts = 4;
  LinearSolverOptions linear;
  linear.rtol = 1e-12;               // accuracy of gradients: not looser than the flow's
  linear.prefix = "invar_motion_";   // options for the flow's solver do not apply here
  process_ = std::make_unique<StaticCase>("mesh motion", residual_, std::make_shared<LinearSolver>(comm_, linear),
                                          std::vector<double>{1.0}, 0.0, stepping);
}

/// Frees a large linear system before the flow on the moved mesh is solved.
void ElasticMotion::make_room() {
  if (process_->release_solver()) residual_->release_matrix();
}

/// Forces due to strains of 1e-13 in all cells: smaller residuals are rounding errors, also without motion.
double ElasticMotion::force_floor(const std::vector<double>& stiffness) const {
  double squares = 0;
  std::size_t cell = 0;
  for (const CellBlock& block : mesh_->cells)
    for (int c = 0; c < block.count(); ++c, ++cell) {
      if (c >= block.n_owned) continue;
      const int* nodes = &block.nodes[std::size_t(c) * node_count(block.type)];
      double edge = 0;
      for (int i = 0; i < mesh_->dim; ++i)
        edge = std::max(edge, std::abs(mesh_->coordinates[std::size_t(nodes[1]) * mesh_->dim + i] -
                                       mesh_->coordinates[std::size_t(nodes[0]) * mesh_->dim + i]));
      squares += std::pow(stiffness[cell] * std::pow(edge, mesh_->dim - 1), 2);
    }
  MPI_Allreduce(MPI_IN_PLACE, &squares, 1, MPI_DOUBLE, MPI_SUM, comm_);
  return 1e-13 * std::sqrt(squares);
}

VecHandle ElasticMotion::to_vector(const std::vector<double>& nodal) const {
  VecHandle v = dofs_->create_vector();
  double* a = nullptr;
  check(VecGetArray(v, &a));
  std::copy_n(nodal.begin(), dofs_->n_owned(), a);  // all nodes carry all components
  check(VecRestoreArray(v, &a));
  return v;
}

std::vector<double> ElasticMotion::to_nodal(Vec v) const {
  const LocalArray local(v);
  return {local.data(), local.data() + dofs_->n_local()};
}

Evaluation ElasticMotion::displace(const std::vector<double>& boundary, std::vector<double>& displacement) {
  Controls d = residual_->control_values();
  d[boundary_] = boundary;
  const ProcessReport report = process_->run(d);
  if (!report.ok) return Evaluation::failure("the mesh cannot follow the displacement of its boundary: " + report.reason);
  displacement = to_nodal(process_->state(0));
  make_room();
  return Evaluation::success(0);
}

Controls ElasticMotion::wanted() const {
  Controls d_bar(residual_->controls().size());
  d_bar[boundary_].assign(mesh_->coordinates.size(), 0.0);
  return d_bar;
}

// ---- derivatives: forward, then reverse, then second order ----------------------------------------

Evaluation ElasticMotion::jvp(const std::vector<double>& boundary_dot, std::vector<double>& x_dot) {
  Controls direction(residual_->controls().size());
  direction[boundary_] = boundary_dot;
  VecHandle u_dot = dofs_->create_vector();
  const SolveReport report = process_->state_jvp(0, direction, u_dot);
  x_dot = to_nodal(u_dot);
  make_room();
  return Evaluation::of_solve("derivative of the mesh motion", report);
}

Evaluation ElasticMotion::vjp(const std::vector<double>& x_bar, std::vector<double>& boundary_bar) {
  Controls d_bar = wanted();
  const SolveReport report = process_->state_vjp(0, to_vector(x_bar), d_bar);
  boundary_bar = std::move(d_bar[boundary_]);
  return Evaluation::of_solve("derivative of the mesh motion", report);
}

Evaluation ElasticMotion::vjp_tangent(const std::vector<double>& boundary_dot, const std::vector<double>& x_bar,
                                   const std::vector<double>& x_bar_dot, std::vector<double>& boundary_bar_dot) {
  Controls direction(residual_->controls().size()), d_bar_dot = wanted();
  direction[boundary_] = boundary_dot;
  const SolveReport report =
      process_->state_vjp_tangent(0, direction, to_vector(x_bar), to_vector(x_bar_dot), d_bar_dot);
  boundary_bar_dot = std::move(d_bar_dot[boundary_]);
  return Evaluation::of_solve("derivative of the mesh motion", report);
}

}  // namespace invar
