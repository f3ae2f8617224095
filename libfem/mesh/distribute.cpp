#include "libfem/mesh/distribute.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <span>
#include <stdexcept>
#include <utility>

#include "libfem/mesh/all_gather.hpp"
#include "libfem/mesh/node_cells.hpp"
#include "libfem/mesh/node_order.hpp"
#include "libfem/mesh/partition_cells.hpp"

namespace invar {
namespace {

struct Ranks {
  MPI_Comm comm;
  int rank = 0, size = 1;
  explicit Ranks(MPI_Comm c) : comm(c) { MPI_Comm_rank(c, &rank), MPI_Comm_size(c, &size); }
};

/// Rank of every node: the one with most of its cells; among equals the one with fewest nodes so far. In very small meshes a rank
/// without nodes gets every second node of the rank with most, because direct solvers need rows on every rank.
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
  for (int rank = 0; rank < n_ranks; ++rank) {
    if (owned[rank] > 0) continue;
    const int richest = static_cast<int>(std::ranges::max_element(owned) - owned.begin());
    int seen = 0;
    for (int& o : owner)
      if (o == richest && seen++ % 2 == 1) {
        o = rank;
        ++owned[rank];
        --owned[richest];
      }
  }
  return owner;
}

/// One rank's part of a block of cells or facets.
struct PartialBlock {
  CellBlock block;
  std::vector<long long> original;  // positions in the serial block
  std::vector<int> position;        // local position of every serial entity; −1: not on this rank
};

/// `owner_of(entity, nodes)`: rank that owns an entity; `keeps(entity, nodes)`: whether an entity without owned nodes is stored.
template <class OwnerOf, class Keeps>
PartialBlock restrict_block(const CellBlock& serial, const std::vector<int>& local,
                            int n_owned_nodes, int rank, OwnerOf owner_of, Keeps keeps) {
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
    if (lowest < n_owned_nodes || keeps(e, nodes)) kept.push_back({owner_of(e, nodes) != rank, lowest, e});
  }
  std::ranges::sort(kept);
  PartialBlock part{{serial.type, {}, 0}, {}, std::vector<int>(count, -1)};
  part.block.nodes.reserve(kept.size() * n);
  for (const Entry& entry : kept) {
    part.position[entry.serial] = static_cast<int>(part.original.size());
    part.original.push_back(entry.serial);
    part.block.n_owned += !entry.is_ghost;
    for (int a = 0; a < n; ++a)
      part.block.nodes.push_back(local[serial.nodes[entry.serial * n + a]]);
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

bool contains_all(std::span<const int> nodes, std::span<const int> wanted) {
  return std::ranges::all_of(wanted, [&](int node) { return std::ranges::find(nodes, node) != nodes.end(); });
}

/// Entities that a rank stores in addition to the cells with an owned node and their facets.
struct HeldFurther {
  std::vector<char> cells;                // numbered through all blocks
  std::vector<std::vector<char>> facets;  // per block
  std::vector<int> nodes;                 // of regions of points
};

/// Marks facets with their cells, and points, of the groups of regions that have a node for which `is_owned`, and of the regions
/// `everywhere`; also facets without cells that have such a node.
template <class IsOwned>
HeldFurther held_further(const std::vector<std::vector<std::string>>& surfaces, const std::vector<std::string>& everywhere, const Mesh& serial, const NodeCells& incidence, IsOwned is_owned) {
  HeldFurther held{std::vector<char>(incidence.cell_total(), 0), {}, {}};
  const auto nodes_of = [&](std::size_t b, int facet) {
    const std::size_t n = node_count(serial.facets[b].type);
    return std::span(serial.facets[b].nodes.data() + facet * n, n);
  };
  for (std::size_t b = 0; b < serial.facets.size(); ++b) {
    auto& of_block = held.facets.emplace_back(serial.facets[b].count(), 0);
    for (int f = 0; f < serial.facets[b].count(); ++f)
      of_block[f] = incidence.cells_of(nodes_of(b, f)[0]).empty() && std::ranges::any_of(nodes_of(b, f), is_owned);
  }
  const auto group_of = [&](const std::vector<std::string>& names) {
    std::vector<const Region*> group;
    for (const std::string& name : names)
      if (const Region* region = serial.find_region(name); region && (region->dim == serial.dim - 1 || region->dim == 0)) group.push_back(region);
    return group;
  };
  const auto hold = [&](const std::vector<const Region*>& group) {
    for (const Region* region : group) {
      if (region->dim == 0) held.nodes.insert(held.nodes.end(), region->nodes.begin(), region->nodes.end());
      for (std::size_t b = 0; b < region->members.size(); ++b)
        for (const int facet : region->members[b]) {
          held.facets[b][facet] = 1;
          for (const int cell : incidence.cells_of(nodes_of(b, facet)[0]))
            if (contains_all(incidence.nodes_of(cell), nodes_of(b, facet))) held.cells[cell] = 1;
        }
    }
  };
  for (const auto& names : surfaces)
    if (const auto group = group_of(names); std::ranges::any_of(group, [&](const Region* region) { return std::ranges::any_of(region->nodes, is_owned); }))
      hold(group);
  hold(group_of(everywhere));
  return held;
}

}  // namespace

Mesh distribute(const Mesh& serial, MPI_Comm comm, const std::vector<std::vector<std::string>>& surfaces, const std::vector<std::string>& everywhere) {
  const int n_nodes = serial.node_total();
  if (serial.n_owned_nodes != n_nodes || serial.n_global_nodes != n_nodes)
    throw std::invalid_argument(
        "distribute: the mesh is already distributed; every rank must have the whole mesh");
  const Ranks ranks(comm);
  const NodeCells incidence(serial);
  const auto part = partition_cells(serial, incidence, comm);
  const auto owner = own_nodes(incidence, part, n_nodes, ranks.size);

  Mesh mesh;
  mesh.comm = comm;
  mesh.dim = serial.dim;
  mesh.n_global_nodes = n_nodes;
  auto nodes = order_nodes(incidence, owner, ranks.rank);  // serial numbers of local nodes
  mesh.n_owned_nodes = static_cast<int>(nodes.size());
  mesh.node_offset = std::ranges::count_if(owner, [&](int rank) { return rank < ranks.rank; });

  const auto by_global = all_gather(nodes, MPI_INT, comm);
  std::vector<int> global(n_nodes), local(n_nodes, -1);
  for (int i = 0; i < n_nodes; ++i) global[by_global[i]] = i;

  // Ghosts: the other nodes of cells and facets that touch an owned one or belong to a surface, by global number.
  for (int i = 0; i < mesh.n_owned_nodes; ++i) local[nodes[i]] = i;
  const auto is_owned = [&](int node) { return local[node] >= 0 && local[node] < mesh.n_owned_nodes; };
  const HeldFurther further = held_further(surfaces, everywhere, serial, incidence, is_owned);
  const auto hold = [&](int node) {
    if (local[node] < 0) local[node] = n_nodes, mesh.ghost_nodes.push_back(global[node]);
  };
  const auto hold_nodes_of = [&](int cell) { std::ranges::for_each(incidence.nodes_of(cell), hold); };
  for (int i = 0; i < mesh.n_owned_nodes && ranks.size > 1; ++i) std::ranges::for_each(incidence.cells_of(nodes[i]), hold_nodes_of);
  std::ranges::for_each(further.nodes, hold);
  for (int cell = 0; cell < incidence.cell_total(); ++cell)
    if (further.cells[cell]) hold_nodes_of(cell);
  for (std::size_t b = 0; b < serial.facets.size(); ++b) {
    const std::vector<int>& of_block = serial.facets[b].nodes;
    const std::size_t n = node_count(serial.facets[b].type);
    for (std::size_t i = 0; i < of_block.size(); ++i)
      if (further.facets[b][i / n]) hold(of_block[i]);
  }
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

  // The owner of a cell is its part if that owns one of its nodes, else the owner of its first node; the owner of a facet is that
  // of its first node in the order of the serial mesh.
  std::vector<PartialBlock> cells, facets;
  const auto bounds_a_cell_here = [&](std::span<const int> facet) {
    return std::ranges::any_of(incidence.cells_of(facet[0]), [&](int cell) {
      const auto of = incidence.nodes_of(cell);
      return (further.cells[cell] || std::ranges::any_of(of, is_owned)) && contains_all(of, facet);
    });
  };
  for (size_t b = 0; b < serial.cells.size(); ++b)
    cells.push_back(restrict_block(
        serial.cells[b], local, mesh.n_owned_nodes, ranks.rank,
        [&](int e, std::span<const int> of) {
          const int rank = part[incidence.first_cell(static_cast<int>(b)) + e];
          const bool touches = std::ranges::any_of(of, [&](int n) { return owner[n] == rank; });
          return touches ? rank : owner[of[0]];
        },
        [&](int e, std::span<const int>) { return further.cells[incidence.first_cell(static_cast<int>(b)) + e] != 0; }));
  for (size_t b = 0; b < serial.facets.size(); ++b)
    facets.push_back(restrict_block(
        serial.facets[b], local, mesh.n_owned_nodes, ranks.rank,
        [&](int, std::span<const int> of) { return owner[std::ranges::min(of)]; },
        [&](int e, std::span<const int> of) { return further.facets[b][e] != 0 || bounds_a_cell_here(of); }));
  for (const Region& region : serial.regions)
    mesh.regions.push_back(
        restrict_region(region, region.dim == serial.dim ? cells : facets, local));
  for (std::size_t b = 0; b < cells.size(); ++b)
    for (auto& of_block = mesh.exterior.emplace_back(); const long long cell : cells[b].original)
      of_block.push_back(serial.exterior[b][cell]);
  for (PartialBlock& part_of_block : cells) {
    mesh.cells.push_back(std::move(part_of_block.block));
    mesh.original_cell.push_back(std::move(part_of_block.original));
  }
  for (PartialBlock& part_of_block : facets) mesh.facets.push_back(std::move(part_of_block.block));
  return mesh;
}

}  // namespace invar
