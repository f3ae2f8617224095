#include "libfem/space/dof_map.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <stdexcept>

#include "libadjoint/vector_methods.hpp"

namespace invar {

DofMap::DofMap(std::shared_ptr<const Mesh> mesh, std::vector<Component> components, MPI_Comm comm)
    : mesh_(std::move(mesh)), components_(std::move(components)), comm_(comm) {
  std::stable_sort(components_.begin(), components_.end(),
                   [](const Component& a, const Component& b) { return a.order > b.order; });
  for (const Component& c : components_)
    if (std::find(orders_.begin(), orders_.end(), c.order) == orders_.end()) orders_.push_back(c.order);
  for (const Component& c : components_)
    basis_.push_back(static_cast<int>(std::find(orders_.begin(), orders_.end(), c.order) - orders_.begin()));

  find_kinds();
  const int n_nodes = mesh_->node_total();
  first_dof_.assign(n_nodes + 1, 0);
  for (int n = 0; n < n_nodes; ++n)
    first_dof_[n + 1] = first_dof_[n] + static_cast<int>(kinds_[kind_[n]].components.size());

  long long owned = n_owned();
  MPI_Exscan(&owned, &offset_, 1, MPI_LONG_LONG, MPI_SUM, comm_);
  int rank = 0;
  MPI_Comm_rank(comm_, &rank);
  if (rank == 0) offset_ = 0;
  MPI_Allreduce(&owned, &n_global_, 1, MPI_LONG_LONG, MPI_SUM, comm_);

  // Global dofs of ghost nodes are received from their owners by a ghosted vector.
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

  ghosts.clear();
  for (int n = mesh_->n_owned_nodes; n < n_nodes; ++n)
    for (int i = 0; i < dof_count(n); ++i) ghosts.push_back(static_cast<PetscInt>(global_first_[n] + i));
  check(VecCreateGhost(comm_, n_owned(), PETSC_DETERMINE, static_cast<PetscInt>(ghosts.size()), ghosts.data(), model_.out()));
}

// These properties of a node are the same on every rank that has it: any of its cells or facets shows whether it is a vertex and
// has cells, and regions list their nodes including ghosts. No communication is needed.
void DofMap::find_kinds() {
  const int n_nodes = mesh_->node_total();
  std::vector<char> is_vertex(n_nodes, 1), has_cell(n_nodes, 0);  // a node without entities counts as a vertex
  for (const std::vector<CellBlock>* blocks : {&mesh_->cells, &mesh_->facets})
    for (const CellBlock& block : *blocks)
      for (const int node : block.nodes) is_vertex[node] = 0;
  for (const std::vector<CellBlock>* blocks : {&mesh_->cells, &mesh_->facets})
    for (const CellBlock& block : *blocks) {
      if (!orders_.empty() && orders_.front() > block.type.order)
        throw std::invalid_argument("a space of order " + std::to_string(orders_.front()) +
                                    " needs cells of that order; the mesh has order " +
                                    std::to_string(block.type.order));
      const int per_cell = node_count(block.type), vertices = vertex_count(block.type.shape);
      for (int c = 0; c < block.count(); ++c)
        for (int a = 0; a < vertices; ++a) is_vertex[block.nodes[c * per_cell + a]] = 1;
    }
  for (const CellBlock& block : mesh_->cells)
    for (const int node : block.nodes) has_cell[node] = 1;
  using Mask = std::uint64_t;  // bit c: component c is defined there
  if (components_.size() > 64) throw std::invalid_argument("a space of more than 64 components");
  std::vector<Mask> lives(n_nodes, 0);
  for (std::size_t c = 0; c < components_.size(); ++c) {
    const auto place = [&](int n) {
      if ((components_[c].order > 1 || is_vertex[n]) && (has_cell[n] || !components_[c].in_cells)) lives[n] |= Mask(1) << c;
    };
    if (components_[c].region.empty()) {
      for (int n = 0; n < n_nodes; ++n) place(n);
    } else {
      const Region* region = mesh_->find_region(components_[c].region);
      if (!region)
        throw std::invalid_argument("component '" + components_[c].name + "' is defined on region '" +
                                    components_[c].region + "', which the mesh does not have");
      for (int n : region->nodes) place(n);
    }
  }
  std::map<Mask, int> numbers;
  kind_.resize(n_nodes);
  for (int n = 0; n < n_nodes; ++n) {
    const auto [it, is_new] = numbers.try_emplace(lives[n], static_cast<int>(kinds_.size()));
    kind_[n] = it->second;
    if (!is_new) continue;
    NodeKind kind{{}, std::vector<int>(components_.size(), -1)};
    for (std::size_t c = 0; c < components_.size(); ++c)
      if (lives[n] >> c & 1) {
        kind.place[c] = static_cast<int>(kind.components.size());
        kind.components.push_back(static_cast<int>(c));
      }
    kinds_.push_back(std::move(kind));
  }
}

int DofMap::block_size() const {
  // The same on every rank: a component that lives on a part of the mesh may be at all nodes of one rank and not of others.
  for (const Component& c : components())
    if (!c.region.empty()) return 1;
  for (int n = 0; n < mesh_->node_total(); ++n)
    if (dof_count(n) != 0 && dof_count(n) != n_components()) return 1;
  return n_components();
}

VecHandle DofMap::create_vector() const { return zeros_like(model_); }

LocalArray::LocalArray(Vec v) : global_(v) {
  if (is_on_host(v)) {
    check(VecGhostUpdateBegin(v, INSERT_VALUES, SCATTER_FORWARD));
    check(VecGhostUpdateEnd(v, INSERT_VALUES, SCATTER_FORWARD));
    check(VecGhostGetLocalForm(v, &local_));
  } else {
    local_ = v;  // a copy, without ghosts
  }
  check(VecGetArrayRead(local_, &data_));
}

LocalArray::~LocalArray() {
  VecRestoreArrayRead(local_, &data_);
  if (local_ != global_) VecGhostRestoreLocalForm(global_, &local_);
}

}  // namespace invar
