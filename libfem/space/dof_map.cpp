#include "libfem/space/dof_map.hpp"

#include <algorithm>
#include <stdexcept>

namespace invar {

DofMap::DofMap(std::shared_ptr<const Mesh> mesh, std::vector<Component> components, MPI_Comm comm)
    : mesh_(std::move(mesh)), components_(std::move(components)), comm_(comm) {
  std::stable_sort(components_.begin(), components_.end(),
                   [](const Component& a, const Component& b) { return a.order > b.order; });
  for (const Component& c : components_)
    if (std::find(orders_.begin(), orders_.end(), c.order) == orders_.end()) orders_.push_back(c.order);
  for (const Component& c : components_)
    basis_.push_back(static_cast<int>(std::find(orders_.begin(), orders_.end(), c.order) - orders_.begin()));

  const int n_nodes = mesh_->node_total();
  vertex_.assign(n_nodes, 0);
  for (const CellBlock& block : mesh_->cells) {
    if (!orders_.empty() && orders_.front() > block.type.order)
      throw std::invalid_argument("a space of order " + std::to_string(orders_.front()) +
                                  " needs cells of that order; the mesh has order " +
                                  std::to_string(block.type.order));
    const int per_cell = node_count(block.type), vertices = vertex_count(block.type.shape);
    for (int c = 0; c < block.count(); ++c)
      for (int a = 0; a < vertices; ++a) vertex_[block.nodes[c * per_cell + a]] = 1;
  }
  const int n_high = static_cast<int>(
      std::count_if(components_.begin(), components_.end(), [](const Component& c) { return c.order > 1; }));
  first_dof_.assign(n_nodes + 1, 0);
  for (int n = 0; n < n_nodes; ++n)
    first_dof_[n + 1] = first_dof_[n] + (vertex_[n] ? n_components() : n_high);

  long long owned = n_owned();
  MPI_Exscan(&owned, &offset_, 1, MPI_LONG_LONG, MPI_SUM, comm_);
  int rank = 0;
  MPI_Comm_rank(comm_, &rank);
  if (rank == 0) offset_ = 0;
  MPI_Allreduce(&owned, &n_global_, 1, MPI_LONG_LONG, MPI_SUM, comm_);

  // Ghost nodes learn their global dof from the owner: a ghosted vector over the nodes carries it.
  global_first_.assign(n_nodes, 0);
  std::vector<PetscInt> ghosts(mesh_->ghost_nodes.begin(), mesh_->ghost_nodes.end());
  VecHandle numbers;
  check(VecCreateGhost(comm_, mesh_->n_owned_nodes, PETSC_DETERMINE, static_cast<PetscInt>(ghosts.size()),
                       ghosts.data(), numbers.out()));
  double* values = nullptr;
  check(VecGetArray(numbers, &values));
  for (int n = 0; n < mesh_->n_owned_nodes; ++n) values[n] = static_cast<double>(offset_ + first_dof_[n]);
  check(VecRestoreArray(numbers, &values));
  const LocalArray local(numbers);
  for (int n = 0; n < n_nodes; ++n) global_first_[n] = static_cast<long long>(local.data()[n]);
}

int DofMap::block_size() const {
  for (int n = 0; n < mesh_->node_total(); ++n)
    if (dof_count(n) != 0 && dof_count(n) != n_components()) return 1;
  return n_components();
}

VecHandle DofMap::create_vector() const {
  std::vector<PetscInt> ghosts;
  for (int n = mesh_->n_owned_nodes; n < mesh_->node_total(); ++n)
    for (int i = 0; i < dof_count(n); ++i) ghosts.push_back(static_cast<PetscInt>(global_first_[n] + i));
  VecHandle v;
  check(VecCreateGhost(comm_, n_owned(), PETSC_DETERMINE, static_cast<PetscInt>(ghosts.size()),
                       ghosts.data(), v.out()));
  check(VecSet(v, 0.0));
  return v;
}

LocalArray::LocalArray(Vec v) : global_(v) {
  check(VecGhostUpdateBegin(v, INSERT_VALUES, SCATTER_FORWARD));
  check(VecGhostUpdateEnd(v, INSERT_VALUES, SCATTER_FORWARD));
  check(VecGhostGetLocalForm(v, &local_));
  check(VecGetArrayRead(local_, &data_));
}

LocalArray::~LocalArray() {
  VecRestoreArrayRead(local_, &data_);
  VecGhostRestoreLocalForm(global_, &local_);
}

}  // namespace invar
