#include "libfem/space/wall_proximity.hpp"

#include <algorithm>

#include "libadjoint/petsc.hpp"

namespace invar {

WallProximity::WallProximity(std::shared_ptr<const Mesh> mesh, std::shared_ptr<WallDistance> distance)
    : mesh_(std::move(mesh)), distance_(std::move(distance)), reciprocal_(mesh_), proximity_(reciprocal_.means(distance_->values().data())) {}

void WallProximity::move(const std::vector<double>& x) {
  distance_->move(x);
  proximity_ = reciprocal_.means(distance_->values().data());
}

std::vector<double> WallProximity::at_owners(std::vector<double> nodal) const {
  const std::vector<PetscInt> ghosts(mesh_->ghost_nodes.begin(), mesh_->ghost_nodes.end());
  VecHandle v;
  check(VecCreateGhostWithArray(mesh_->comm, mesh_->n_owned_nodes, PETSC_DETERMINE, static_cast<PetscInt>(ghosts.size()), ghosts.data(),
                                nodal.data(), v.out()));
  check(VecGhostUpdateBegin(v, ADD_VALUES, SCATTER_REVERSE));
  check(VecGhostUpdateEnd(v, ADD_VALUES, SCATTER_REVERSE));
  return nodal;
}

// ---- derivatives: forward, then reverse, then second order ----------------------------------------------

void WallProximity::jvp(const double* x_dot, double* field_dot) const {
  std::vector<double> distance_dot(mesh_->node_total());
  distance_->jvp(x_dot, distance_dot.data());
  std::ranges::copy(reciprocal_.jvp(distance_->values().data(), distance_dot.data()), field_dot);
}

void WallProximity::vjp(const double* field_bar, double* x_bar) const {
  distance_->vjp(at_owners(reciprocal_.vjp(distance_->values().data(), field_bar)).data(), x_bar);
}

void WallProximity::vjp_tangent(const double* x_dot, const double* field_bar, const double* field_bar_dot, double* x_bar_dot) const {
  const double* d = distance_->values().data();
  std::vector<double> distance_dot(mesh_->node_total());
  distance_->jvp(x_dot, distance_dot.data());
  const std::vector<double> bar = at_owners(reciprocal_.vjp(d, field_bar));
  const std::vector<double> bar_dot = at_owners(reciprocal_.vjp_tangent(d, distance_dot.data(), field_bar, field_bar_dot));
  distance_->vjp_tangent(x_dot, bar.data(), bar_dot.data(), x_bar_dot);
}

}  // namespace invar
