#include "libfem/mesh/distribute.hpp"

#include <petscmat.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <span>
#include <stdexcept>
#include <utility>

#include "libadjoint/petsc.hpp"
#include "libfem/mesh/node_cells.hpp"

namespace invar {
namespace {

using PartitioningHandle = PetscHandle<MatPartitioning, MatPartitioningDestroy>;

struct Ranks {
  MPI_Comm comm;
  int rank = 0, size = 1;
  explicit Ranks(MPI_Comm c) : comm(c) { MPI_Comm_rank(c, &rank), MPI_Comm_size(c, &size); }
};

/// Concatenation of every rank's values, in the order of the ranks.
std::vector<int> all_gather(const std::vector<int>& mine, const Ranks& ranks) {
  std::vector<int> counts(ranks.size), starts(ranks.size + 1, 0);
  const int count = static_cast<int>(mine.size());
  MPI_Allgather(&count, 1, MPI_INT, counts.data(), 1, MPI_INT, ranks.comm);
  std::partial_sum(counts.begin(), counts.end(), starts.begin() + 1);
  std::vector<int> all(starts.back());
  MPI_Allgatherv(mine.data(), count, MPI_INT, all.data(), counts.data(), starts.data(), MPI_INT,
                 ranks.comm);
  return all;
}

/// Rank of every cell: partition of the graph of cells that share a facet, of which each rank hands
/// in a contiguous chunk.
std::vector<int> part_cells(const Mesh& serial, const NodeCells& incidence, const Ranks& ranks) {
  const long long n_cells = incidence.cell_total();
  if (ranks.size == 1) return std::vector<int>(n_cells, 0);
  const int begin = static_cast<int>(n_cells * ranks.rank / ranks.size);
  const int end = static_cast<int>(n_cells * (ranks.rank + 1) / ranks.size);

  std::vector<PetscInt> rows{0}, neighbours;
  std::vector<int> shared(n_cells, 0), touched;
  for (int cell = begin; cell < end; ++cell) {
    const Shape shape = serial.cells[incidence.block_of(cell)].type.shape;
    for (int node : incidence.nodes_of(cell).first(vertex_count(shape)))
      for (int other : incidence.cells_of(node))
        if (shared[other]++ == 0) touched.push_back(other);
    std::ranges::sort(touched);
    for (int other : touched) {  // facets have at least as many vertices as the mesh has dimensions
      if (other != cell && shared[other] >= serial.dim) neighbours.push_back(other);
      shared[other] = 0;
    }
    touched.clear();
    rows.push_back(static_cast<PetscInt>(neighbours.size()));
  }
  // PETSc frees the arrays of the graph itself.
  PetscInt *row_array = nullptr, *neighbour_array = nullptr;
  check(PetscMalloc1(rows.size(), &row_array));
  check(PetscMalloc1(neighbours.size(), &neighbour_array));
  std::ranges::copy(rows, row_array);
  std::ranges::copy(neighbours, neighbour_array);
  MatHandle graph;
  check(MatCreateMPIAdj(ranks.comm, end - begin, static_cast<PetscInt>(n_cells), row_array,
                        neighbour_array, nullptr, graph.out()));
  PartitioningHandle partitioning;
  check(MatPartitioningCreate(ranks.comm, partitioning.out()));
  check(MatPartitioningSetAdjacency(partitioning, graph));
  check(MatPartitioningSetType(partitioning, MATPARTITIONINGPTSCOTCH));
  check(MatPartitioningSetNParts(partitioning, ranks.size));
  IsHandle parts;
  check(MatPartitioningApply(partitioning, parts.out()));
  const PetscInt* part = nullptr;
  check(ISGetIndices(parts, &part));
  const std::vector<int> mine(part, part + (end - begin));
  check(ISRestoreIndices(parts, &part));
  return all_gather(mine, ranks);
}

/// Rank of every node: the one with most of its cells; among equals the one with fewest nodes so far.
std::vector<int> own_nodes(const NodeCells& incidence, const std::vector<int>& part, int n_nodes,
                           int n_ranks) {
  std::vector<int> owner(n_nodes, 0);
  if (n_ranks == 1) return owner;
  std::vector<int> votes(n_ranks, 0), owned(n_ranks, 0);
  for (int node = 0; node < n_nodes; ++node) {
    const auto cells = incidence.cells_of(node);
    for (int cell : cells) ++votes[part[cell]];
    int best = cells.empty() ? 0 : part[cells[0]];
    for (int cell : cells) {
      const int rank = part[cell];
      if (votes[rank] > votes[best] ||
          (votes[rank] == votes[best] &&
           std::pair(owned[rank], rank) < std::pair(owned[best], best)))
        best = rank;
    }
    for (int cell : cells) votes[part[cell]] = 0;
    ++owned[owner[node] = best];
  }
  return owner;
}

/// The nodes of one rank in reverse Cuthill–McKee order. Nodes are neighbours when a cell holds both;
/// their degree is measured by their number of cells. Starts from a pseudo-peripheral node (George
/// and Liu 1979).
class NodeOrder {
 public:
  NodeOrder(const NodeCells& incidence, const std::vector<int>& owner, int rank)
      : incidence_(incidence), owner_(owner), rank_(rank), node_seen_(owner.size(), 0),
        cell_seen_(incidence.cell_total(), 0) {
    for (size_t node = 0; node < owner.size(); ++node)
      if (owner[node] == rank && !node_seen_[node]) number_component(static_cast<int>(node));
    std::ranges::reverse(order_);
  }
  std::vector<int> take() { return std::move(order_); }

 private:
  bool has_lower_degree(int a, int b) const {
    return incidence_.cells_of(a).size() < incidence_.cells_of(b).size();
  }

  void number_component(int start) {
    const size_t first = order_.size();
    for (int levels = sweep(start);;) {
      const int far = *std::min_element(order_.begin() + last_level_, order_.end(),
                                        [&](int a, int b) { return has_lower_degree(a, b); });
      forget(first);
      const int found = sweep(far);
      if (found <= levels) return;
      levels = found;
    }
  }

  /// Appends all nodes that can be reached, breadth first; returns the number of levels.
  int sweep(int start) {
    size_t i = order_.size();
    int levels = 0;
    order_.push_back(start);
    node_seen_[start] = 1;
    for (; i < order_.size(); ++levels) {
      last_level_ = i;
      for (const size_t end = order_.size(); i < end; ++i) append_neighbours(order_[i]);
    }
    return levels;
  }

  void append_neighbours(int node) {
    const size_t first = order_.size();
    for (int cell : incidence_.cells_of(node)) {
      if (std::exchange(cell_seen_[cell], 1)) continue;
      for (int other : incidence_.nodes_of(cell))
        if (owner_[other] == rank_ && !std::exchange(node_seen_[other], 1)) order_.push_back(other);
    }
    std::stable_sort(order_.begin() + first, order_.end(),
                     [&](int a, int b) { return has_lower_degree(a, b); });
  }

  void forget(size_t first) {
    for (size_t i = first; i < order_.size(); ++i) {
      node_seen_[order_[i]] = 0;
      for (int cell : incidence_.cells_of(order_[i])) cell_seen_[cell] = 0;
    }
    order_.resize(first);
  }

  const NodeCells& incidence_;
  const std::vector<int>& owner_;
  int rank_;
  std::vector<char> node_seen_, cell_seen_;
  std::vector<int> order_;
  size_t last_level_ = 0;  // where it begins in order_
};

/// One rank's part of a block of cells or facets.
struct PartialBlock {
  CellBlock block;
  std::vector<long long> original;  // position in the serial block
  std::vector<int> position;        // of every serial entity, or −1 where it is not here
};

/// `owner_of(entity, nodes)` tells the rank that owns an entity.
template <class OwnerOf>
PartialBlock restrict_block(const CellBlock& serial, const std::vector<int>& local,
                            int n_owned_nodes, int rank, OwnerOf owner_of) {
  struct Entry {
    int is_ghost, lowest, serial;
    auto operator<=>(const Entry&) const = default;
  };
  const int n = node_count(serial.type), count = serial.count();
  std::vector<Entry> kept;
  for (int e = 0; e < count; ++e) {
    const std::span nodes(serial.nodes.data() + e * n, n);
    int lowest = std::numeric_limits<int>::max();
    for (int node : nodes)
      if (local[node] >= 0) lowest = std::min(lowest, local[node]);
    if (lowest < n_owned_nodes) kept.push_back({owner_of(e, nodes) != rank, lowest, e});
  }
  std::ranges::sort(kept);
  PartialBlock part{{serial.type, {}, 0}, {}, std::vector<int>(count, -1)};
  part.block.nodes.reserve(kept.size() * n);
  for (const Entry& entry : kept) {
    part.position[entry.serial] = static_cast<int>(part.original.size());
    part.original.push_back(entry.serial);
    part.block.n_owned += !entry.is_ghost;
    for (int a = 0; a < n; ++a) part.block.nodes.push_back(local[serial.nodes[entry.serial * n + a]]);
  }
  return part;
}

Region restrict_region(const Region& serial, const std::vector<PartialBlock>& blocks,
                       const std::vector<int>& local) {
  Region region{serial.name, serial.dim, {}, {}};
  for (size_t b = 0; b < serial.members.size(); ++b) {
    auto& members = region.members.emplace_back();
    for (int e : serial.members[b])
      if (blocks[b].position[e] >= 0) members.push_back(blocks[b].position[e]);
    std::ranges::sort(members);
  }
  for (int node : serial.nodes)
    if (local[node] >= 0) region.nodes.push_back(local[node]);
  std::ranges::sort(region.nodes);
  return region;
}

}  // namespace

Mesh distribute(const Mesh& serial, MPI_Comm comm) {
  const int n_nodes = serial.node_total();
  if (serial.n_owned_nodes != n_nodes || serial.n_global_nodes != n_nodes)
    throw std::invalid_argument("distribute: the mesh is in parts already; it must be whole on every rank");
  const Ranks ranks(comm);
  const NodeCells incidence(serial);
  const auto part = part_cells(serial, incidence, ranks);
  const auto owner = own_nodes(incidence, part, n_nodes, ranks.size);

  Mesh mesh;
  mesh.comm = comm;
  mesh.dim = serial.dim;
  mesh.n_global_nodes = n_nodes;
  auto nodes = NodeOrder(incidence, owner, ranks.rank).take();  // serial numbers of local nodes
  mesh.n_owned_nodes = static_cast<int>(nodes.size());
  mesh.node_offset = std::ranges::count_if(owner, [&](int rank) { return rank < ranks.rank; });

  const auto by_global = all_gather(nodes, ranks);
  std::vector<int> global(n_nodes), local(n_nodes, -1);
  for (int i = 0; i < n_nodes; ++i) global[by_global[i]] = i;

  // Ghosts: the other nodes of cells that touch an owned one, by global number.
  for (int i = 0; i < mesh.n_owned_nodes; ++i) local[nodes[i]] = i;
  for (int i = 0; i < mesh.n_owned_nodes && ranks.size > 1; ++i)
    for (int cell : incidence.cells_of(nodes[i]))
      for (int node : incidence.nodes_of(cell))
        if (local[node] < 0) local[node] = n_nodes, mesh.ghost_nodes.push_back(global[node]);
  std::ranges::sort(mesh.ghost_nodes);
  for (long long ghost : mesh.ghost_nodes) {
    local[by_global[ghost]] = static_cast<int>(nodes.size());
    nodes.push_back(by_global[ghost]);
  }
  mesh.original_node.assign(nodes.begin(), nodes.end());
  for (int node : nodes) {
    const auto x = serial.coordinates.begin() + static_cast<long>(node) * serial.dim;
    mesh.coordinates.insert(mesh.coordinates.end(), x, x + serial.dim);
  }

  // A cell belongs to its part where that owns one of its nodes, else with its first node; a facet
  // belongs with its first node in the order of the serial mesh.
  std::vector<PartialBlock> cells, facets;
  for (size_t b = 0; b < serial.cells.size(); ++b)
    cells.push_back(restrict_block(
        serial.cells[b], local, mesh.n_owned_nodes, ranks.rank, [&](int e, std::span<const int> of) {
          const int rank = part[incidence.first_cell(static_cast<int>(b)) + e];
          const bool touches = std::ranges::any_of(of, [&](int n) { return owner[n] == rank; });
          return touches ? rank : owner[of[0]];
        }));
  for (const CellBlock& block : serial.facets)
    facets.push_back(restrict_block(
        block, local, mesh.n_owned_nodes, ranks.rank,
        [&](int, std::span<const int> of) { return owner[std::ranges::min(of)]; }));
  for (const Region& region : serial.regions)
    mesh.regions.push_back(restrict_region(region, region.dim == serial.dim ? cells : facets, local));
  for (PartialBlock& part_of_block : cells) {
    mesh.cells.push_back(std::move(part_of_block.block));
    mesh.original_cell.push_back(std::move(part_of_block.original));
  }
  for (PartialBlock& part_of_block : facets) mesh.facets.push_back(std::move(part_of_block.block));
  return mesh;
}

}  // namespace invar
