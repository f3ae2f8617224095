#include "libfem/form/coupled_entries.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <stdexcept>

namespace invar {
namespace {

/// For every pair of an owned node and a neighbour, in the order of the pattern: which sets of pairs of components (bit k:
/// couplings[k]) the cells that they share bring.
std::vector<std::uint64_t> shared_regions(const SparsityPattern& pattern, const std::vector<RegionCoupling>& couplings,
                                          std::vector<int>& first) {
  const Mesh& mesh = pattern.dofs().mesh();
  first.assign(1, 0);
  for (int a = 0; a < mesh.n_owned_nodes; ++a) first.push_back(first.back() + static_cast<int>(pattern.neighbours(a).size()));
  std::vector<std::uint64_t> shared(first.back(), 0);
  std::vector<int> place(mesh.node_total(), -1);
  // Cells around each owned node, by region.
  std::vector<std::vector<std::array<int, 3>>> around(mesh.n_owned_nodes);  // block, cell, region
  for (std::size_t k = 0; k < couplings.size(); ++k) {
    const Region* region = mesh.find_region(couplings[k].region);
    if (!region) throw std::invalid_argument("the mesh has no region '" + couplings[k].region + "'");
    for (std::size_t b = 0; b < region->members.size(); ++b) {
      const CellBlock& block = mesh.cells[b];
      const int n = node_count(block.type);
      for (const int cell : region->members[b])
        for (int i = 0; i < n; ++i)
          if (const int node = block.nodes[std::size_t(cell) * n + i]; node < mesh.n_owned_nodes)
            around[node].push_back({static_cast<int>(b), cell, static_cast<int>(k)});
    }
  }
  for (int a = 0; a < mesh.n_owned_nodes; ++a) {
    const auto neighbours = pattern.neighbours(a);
    for (std::size_t i = 0; i < neighbours.size(); ++i) place[neighbours[i]] = first[a] + static_cast<int>(i);
    for (const auto& [b, cell, k] : around[a]) {
      const int n = node_count(mesh.cells[b].type);
      for (int i = 0; i < n; ++i) shared[place[mesh.cells[b].nodes[std::size_t(cell) * n + i]]] |= std::uint64_t(1) << k;
    }
  }
  return shared;
}

}  // namespace

CoupledEntries::CoupledEntries(const SparsityPattern& pattern, Mat whole, const std::vector<RegionCoupling>& couplings) {
  if (couplings.size() > 64) throw std::invalid_argument("too many regions");
  const DofMap& dofs = pattern.dofs();
  const int n_nodes = dofs.mesh().n_owned_nodes, n_components = dofs.n_components();
  std::vector<std::uint64_t> regions_of_pair(std::size_t(n_components) * n_components, 0);  // of components: who couples them
  for (std::size_t k = 0; k < couplings.size(); ++k)
    for (const auto& [row, column] : couplings[k].pairs) regions_of_pair[row * n_components + column] |= std::uint64_t(1) << k;
  std::vector<int> first;
  const std::vector<std::uint64_t> shared = shared_regions(pattern, couplings, first);

  std::vector<PetscInt> row_start(dofs.n_owned() + 1, 0), columns;
  for (int a = 0; a < n_nodes; ++a) {
    // Columns by global number, as in the whole matrix.
    std::vector<std::array<long long, 3>> order;  // first global dof, local node, place of the pair
    const auto neighbours = pattern.neighbours(a);
    for (std::size_t i = 0; i < neighbours.size(); ++i) order.push_back({dofs.global_dof(neighbours[i]), neighbours[i], first[a] + static_cast<long long>(i)});
    std::sort(order.begin(), order.end());
    for (int r = 0; r < dofs.dof_count(a); ++r) {
      const int row = dofs.component_at(a, r);
      for (const auto& [global, node, pair] : order) {
        const int b = static_cast<int>(node);
        for (int j = 0; j < dofs.dof_count(b); ++j) {
          const bool kept = (b == a && j == r) || (shared[pair] & regions_of_pair[row * n_components + dofs.component_at(b, j)]) != 0;
          (b < n_nodes ? inside_ : outside_).kept.push_back(kept);
          if (kept) columns.push_back(static_cast<PetscInt>(global + j));
        }
      }
      row_start[dofs.first_dof(a) + r + 1] = static_cast<PetscInt>(columns.size());
    }
  }
  int ranks = 1;
  MPI_Comm_size(dofs.comm(), &ranks);
  several_ranks_ = ranks > 1;
  check(MatCreate(dofs.comm(), mat_.out()));
  check(MatSetSizes(mat_, dofs.n_owned(), dofs.n_owned(), PETSC_DETERMINE, PETSC_DETERMINE));
  check(MatSetType(mat_, MATAIJ));
  if (several_ranks_) check(MatMPIAIJSetPreallocationCSR(mat_, row_start.data(), columns.data(), nullptr));
  else check(MatSeqAIJSetPreallocationCSR(mat_, row_start.data(), columns.data(), nullptr));
  check(MatSetOption(mat_, MAT_NEW_NONZERO_LOCATION_ERR, PETSC_TRUE));
  take(whole);
}

void CoupledEntries::Part::take(Mat from, Mat to) const {
  const double* values = nullptr;
  double* target = nullptr;
  check(MatSeqAIJGetArrayRead(from, &values));
  check(MatSeqAIJGetArray(to, &target));
  double lost = 0;
  std::size_t k = 0;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (kept[i]) target[k++] = values[i];
    else lost = std::max(lost, std::abs(values[i]));
  }
  check(MatSeqAIJRestoreArray(to, &target));
  check(MatSeqAIJRestoreArrayRead(from, &values));
  if (lost > 0) throw std::logic_error("a form couples what the equation says that nothing does");
}

void CoupledEntries::take(Mat whole) {
  if (several_ranks_) {
    Mat from[2], to[2];
    check(MatMPIAIJGetSeqAIJ(whole, &from[0], &from[1], nullptr));
    check(MatMPIAIJGetSeqAIJ(mat_, &to[0], &to[1], nullptr));
    inside_.take(from[0], to[0]);
    outside_.take(from[1], to[1]);
  } else {
    inside_.take(whole, mat_);
  }
  check(MatAssemblyBegin(mat_, MAT_FINAL_ASSEMBLY));
  check(MatAssemblyEnd(mat_, MAT_FINAL_ASSEMBLY));
}

}  // namespace invar
