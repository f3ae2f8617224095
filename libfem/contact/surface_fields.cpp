#include "libfem/contact/surface_fields.hpp"

namespace invar {

SurfaceTransfer::SurfaceTransfer(const ContactSurface& surface, std::vector<int> nodes, std::shared_ptr<const DofMap> dofs)
    : surface_(&surface), nodes_(std::move(nodes)), dofs_(std::move(dofs)) {}

std::vector<double> SurfaceTransfer::of_unknown(const double* unknown) const {
  if (!unknown) return {};
  const int dim = surface_->dim;
  std::vector<double> nodal(std::size_t(dofs_->mesh().node_total()) * dim, 0.0), out(std::size_t(surface_->n_samples) * dim, 0.0);
  for (const int node : nodes_)
    for (int i = 0; i < dim; ++i) nodal[std::size_t(node) * dim + i] = unknown[dofs_->dof(node, i)];
  surface_->interpolate(nodal.data(), dim, out.data());
  return out;
}

std::vector<double> SurfaceTransfer::of_coordinates(const double* coordinates) const {
  if (!coordinates) return {};
  std::vector<double> out(std::size_t(surface_->n_samples) * surface_->dim, 0.0);
  surface_->interpolate(coordinates, surface_->dim, out.data());
  return out;
}

void SurfaceTransfer::to_unknown(const std::vector<double>& at_samples, double* unknown) const {
  const int dim = surface_->dim;
  std::vector<double> nodal(std::size_t(dofs_->mesh().node_total()) * dim, 0.0);
  surface_->scatter(at_samples.data(), dim, nodal.data());
  for (const int node : nodes_)
    for (int i = 0; i < dim; ++i) unknown[dofs_->dof(node, i)] += nodal[std::size_t(node) * dim + i];
}

void SurfaceTransfer::to_coordinates(const std::vector<double>& at_samples, double* coordinates) const {
  surface_->scatter(at_samples.data(), surface_->dim, coordinates);
}

}  // namespace invar
