#include "libfem/mesh/gmsh_text.hpp"

#include <algorithm>
#include <numeric>

#include "libadjoint/number_text.hpp"
#include "libfem/mesh/all_gather.hpp"
#include "libfem/mesh/gmsh_kind.hpp"

namespace invar {
namespace {

/// Whether this rank creates the text, which may need gigabytes.
bool writes(const Mesh& mesh) {
  int rank = 0;
  MPI_Comm_rank(mesh.comm, &rank);
  return rank == 0;
}

/// Positions of all entries, the lowest number first.
std::vector<std::size_t> by_number(const std::vector<long long>& numbers) {
  std::vector<std::size_t> order(numbers.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::ranges::sort(order, {}, [&](std::size_t i) { return numbers[i]; });
  return order;
}

std::string nodes_text(const Mesh& mesh) {
  const auto& numbers = mesh.original_node;
  const auto& x = mesh.coordinates;
  const std::vector<long long> all = all_gather<long long>({numbers.begin(), numbers.begin() + mesh.n_owned_nodes}, MPI_LONG_LONG, mesh.comm);
  const std::vector<double> places = all_gather<double>({x.begin(), x.begin() + std::size_t(mesh.n_owned_nodes) * mesh.dim}, MPI_DOUBLE, mesh.comm);
  if (!writes(mesh)) return {};
  std::string text = "$Nodes\n" + std::to_string(all.size()) + "\n";
  for (const std::size_t i : by_number(all)) {
    text += std::to_string(all[i] + 1);
    for (int d = 0; d < 3; ++d) text += ' ' + (d < mesh.dim ? number_text(places[i * mesh.dim + d]) : "0");
    text += '\n';
  }
  return text + "$EndNodes\n";
}

/// The cells of a block on all ranks: numbers, regions and nodes.
class CellRows {
 public:
  CellRows(const Mesh& mesh, std::size_t block, const std::vector<const Region*>& regions) : type_(mesh.cells[block].type) {
    const CellBlock& cells = mesh.cells[block];
    const int n = node_count(type_);
    std::vector<std::vector<long long>> groups(cells.n_owned);
    for (std::size_t r = 0; r < regions.size(); ++r)
      for (const int cell : regions[r]->members[block])
        if (cell < cells.n_owned) groups[cell].push_back(static_cast<long long>(r) + 1);
    std::vector<long long> numbers, rows, group_rows;
    for (int c = 0; c < cells.n_owned; ++c) {
      numbers.push_back(mesh.original_cell[block][c]);
      for (int a = 0; a < n; ++a) rows.push_back(mesh.original_node[cells.nodes[static_cast<std::size_t>(c) * n + a]] + 1);
      group_rows.push_back(static_cast<long long>(groups[c].size()));
      group_rows.insert(group_rows.end(), groups[c].begin(), groups[c].end());
    }
    numbers_ = all_gather(numbers, MPI_LONG_LONG, mesh.comm);
    nodes_ = all_gather(rows, MPI_LONG_LONG, mesh.comm);
    groups_ = all_gather(group_rows, MPI_LONG_LONG, mesh.comm);
    for (std::size_t i = 0, at = 0; i < numbers_.size(); ++i, at += groups_[at] + 1) first_group_.push_back(at);
  }

  /// Appends the elements with consecutive numbers.
  void append(std::string& text, long long& element) const {
    const GmshKind& kind = *std::ranges::find(gmsh_kinds, type_, &GmshKind::type);
    const int n = node_count(type_);
    std::vector<long long> in_order(n);
    for (const std::size_t i : by_number(numbers_)) {
      for (int a = 0; a < n; ++a) in_order[kind.order.empty() ? a : kind.order[a]] = nodes_[i * n + a];
      const long long count = groups_[first_group_[i]];
      for (long long g = 0; g < std::max(count, 1LL); ++g) {
        const std::string group = std::to_string(count > 0 ? groups_[first_group_[i] + 1 + g] : 0);
        text += std::to_string(++element) + ' ' + std::to_string(kind.code) + " 2 " + group + ' ' + group;
        for (const long long node : in_order) text += ' ' + std::to_string(node);
        text += '\n';
      }
    }
  }

 private:
  CellType type_;
  std::vector<long long> numbers_, nodes_, groups_;  // [cell], [cell × nodes], per cell the number of its groups and these
  std::vector<std::size_t> first_group_;             // [cell], into groups_
};

}  // namespace

std::string gmsh_text(const Mesh& mesh) {
  std::vector<const Region*> regions;
  for (const Region& region : mesh.regions)
    if (region.dim == mesh.dim && region.name.find_first_of("\"\r\n") == std::string::npos) regions.push_back(&region);
  std::string text = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n" + std::to_string(regions.size()) + "\n";
  for (std::size_t r = 0; r < regions.size(); ++r)
    text += std::to_string(mesh.dim) + ' ' + std::to_string(r + 1) + " \"" + regions[r]->name + "\"\n";
  text += "$EndPhysicalNames\n" + nodes_text(mesh);
  std::string elements;
  long long count = 0;
  for (std::size_t b = 0; b < mesh.cells.size(); ++b) {
    const CellRows rows(mesh, b, regions);
    if (writes(mesh)) rows.append(elements, count);
  }
  return writes(mesh) ? text + "$Elements\n" + std::to_string(count) + "\n" + elements + "$EndElements\n" : std::string();
}

}  // namespace invar
