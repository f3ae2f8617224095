#include "libfem/design/boundary/free_boundary.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "libfem/design/boundary/surface_sobolev.hpp"
#include "libfem/form/q_form.hpp"
#include "libfem/mesh/jacobian_table.hpp"
#include "libfem/mesh/mark_interface.hpp"
#include "libfem/mesh/reference_element.hpp"

namespace invar {
namespace {

std::unique_ptr<WeakForm> make_surface_sobolev(int dim, CellBatches facets) {
  if (dim == 2) return make_form(SurfaceSobolev<2>{}, std::move(facets));
  return make_form(SurfaceSobolev<3>{}, std::move(facets));
}

int order_of(const Mesh& mesh) {
  int order = 1;
  for (const CellBlock& b : mesh.cells) order = std::max(order, b.type.order);
  return order;
}

}  // namespace

FreeBoundary::FreeBoundary(std::shared_ptr<const Mesh> mesh, MPI_Comm comm, FreeBoundaryOptions options)
    : mesh_(std::move(mesh)), comm_(comm), options_(std::move(options)) {
  const Region* region = mesh_->find_region(options_.region);
  if (!region || region->dim != mesh_->dim - 1)
    throw std::invalid_argument("the mesh has no facet region '" + options_.region + "'");
  if (!(options_.smoothing > 0)) throw std::invalid_argument("the smoothing length of a free boundary must be positive");
  for (int node : region->nodes)
    if (node < mesh_->n_owned_nodes) owned_.push_back(node);

  const int order = order_of(*mesh_);
  auto dofs = std::make_shared<const DofMap>(mesh_, std::vector<Component>{{"v", order}}, comm_);
  residual_ = std::make_shared<FormResidual>(dofs);
  const int length = residual_->add_control({"smoothing", "m^2"}, {options_.smoothing * options_.smoothing});
  const int zero = residual_->add_control({"zero", "m"}, {0.0});
  field_ = residual_->add_control({.name = "field", .unit = "m", .layout = ControlLayout::nodes},
                                  std::vector<double>(mesh_->node_total(), 0.0));
  residual_->add_form(make_surface_sobolev(mesh_->dim, CellBatches::on_facets(dofs, options_.region, 2 * order + 1)),
                      {{length, {}}, {field_, {}}});
  residual_->add_dirichlet({.region = options_.region, .value = {zero, {}}, .outside = true});
  for (const Region& r : mesh_->regions)
    if (!options_.ends_move && r.dim == mesh_->dim - 1 && r.name != options_.region && !is_interface(r))
      residual_->add_dirichlet({.region = r.name, .value = {zero, {}}});
  residual_->finish();
  LoadSteppingOptions stepping;
  stepping.newton.rtol = 1e-12;
  LinearSolverOptions linear;
  linear.method = "mumps_cholesky";
  linear.rtol = 1e-12;                  // accuracy of gradients
  linear.keep_factors = true;
  linear.prefix = "invar_smoothing_";   // options for the flow's solver do not apply here
  process_ = std::make_unique<StaticCase>("boundary smoothing", residual_, std::make_shared<LinearSolver>(comm_, linear),
                                          std::vector<double>{1.0}, 0.0, stepping);
  find_normals();
}

/// Unit normals at nodes: area-weighted means of the facets' normals.
void FreeBoundary::find_normals() {
  const int dim = mesh_->dim;
  std::vector<Component> components;
  for (int i = 0; i < dim; ++i) components.push_back({"n", order_of(*mesh_)});
  const DofMap dofs(mesh_, components, comm_);
  VecHandle n = dofs.create_vector();
  double* a = nullptr;
  check(VecGetArray(n, &a));
  const Region& region = *mesh_->find_region(options_.region);
  for (std::size_t b = 0; b < mesh_->facets.size() && b < region.members.size(); ++b) {
    const CellBlock& block = mesh_->facets[b];
    const int k = node_count(block.type);
    const JacobianTable table(block.type, reference_nodes(block.type));
    for (int f : region.members[b])
      for (int q = 0; q < k; ++q) {
        const int node = block.nodes[std::size_t(f) * k + q];
        if (node >= mesh_->n_owned_nodes) continue;
        double J[6];
        table.evaluate(mesh_->coordinates.data(), dim, &block.nodes[std::size_t(f) * k], q, J);
        double* out = a + std::size_t(node) * dim;
        if (dim == 2) {
          out[0] += J[1], out[1] -= J[0];
        } else {
          out[0] += J[2] * J[5] - J[4] * J[3];
          out[1] += J[4] * J[1] - J[0] * J[5];
          out[2] += J[0] * J[3] - J[2] * J[1];
        }
      }
  }
  for (int node = 0; node < mesh_->n_owned_nodes; ++node) {
    double size = 0;
    for (int i = 0; i < dim; ++i) size += a[node * dim + i] * a[node * dim + i];
    if (size > 0)
      for (int i = 0; i < dim; ++i) a[node * dim + i] /= std::sqrt(size);
  }
  check(VecRestoreArray(n, &a));
  const LocalArray local(n);
  normals_.assign(local.data(), local.data() + dofs.n_local());
}

DesignVector FreeBoundary::upper() const {
  const double bound = options_.largest > 0 ? options_.largest : std::numeric_limits<double>::infinity();
  return {{}, std::vector<double>(owned_.size(), bound)};
}

DesignVector FreeBoundary::lower() const {
  DesignVector x = upper();
  x.scale(-1.0);
  return x;
}

// ---- forward, then reverse ----------------------------------------------------------------------

/// b = n S θ
Evaluation FreeBoundary::smooth(const DesignVector& theta, std::vector<double>& b) {
  VecHandle field = residual_->create_vector();
  double* a = nullptr;
  check(VecGetArray(field, &a));
  for (std::size_t k = 0; k < owned_.size(); ++k) a[owned_[k]] = theta.local[k];
  check(VecRestoreArray(field, &a));
  Controls d = residual_->control_values();
  {
    const LocalArray local(field);
    d[field_].assign(local.data(), local.data() + mesh_->node_total());
  }
  const ProcessReport report = process_->run(d);
  if (!report.ok) return Evaluation::failure("boundary smoothing: " + report.reason);
  const LocalArray v(process_->state(0));
  for (std::size_t node = 0; node < normals_.size() / mesh_->dim; ++node)
    for (int i = 0; i < mesh_->dim; ++i)
      b[node * mesh_->dim + i] = v.data()[node] * normals_[node * mesh_->dim + i];
  return Evaluation::success(0);
}

Evaluation FreeBoundary::displace(const DesignVector& theta, std::vector<double>& b) { return smooth(theta, b); }

Evaluation FreeBoundary::jvp(const DesignVector&, const DesignVector& theta_dot, std::vector<double>& b_dot) {
  return smooth(theta_dot, b_dot);
}

Evaluation FreeBoundary::vjp(const DesignVector&, const std::vector<double>& b_bar, DesignVector& theta_bar) {
  VecHandle v_bar = residual_->create_vector();
  double* a = nullptr;
  check(VecGetArray(v_bar, &a));
  for (int node : owned_)
    for (int i = 0; i < mesh_->dim; ++i)
      a[node] += normals_[std::size_t(node) * mesh_->dim + i] * b_bar[std::size_t(node) * mesh_->dim + i];
  check(VecRestoreArray(v_bar, &a));
  Controls d_bar(residual_->controls().size());
  d_bar[field_].assign(mesh_->node_total(), 0.0);
  const SolveReport report = process_->state_vjp(0, v_bar, d_bar);
  if (!report.converged) return Evaluation::failure("derivative of the boundary smoothing: " + report.reason);
  for (std::size_t k = 0; k < owned_.size(); ++k) theta_bar.local[k] += d_bar[field_][owned_[k]];
  return Evaluation::success(0);
}

}  // namespace invar
