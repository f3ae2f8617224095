#include "libfem/mesh/field_interpolation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "libfem/mesh/reference_element.hpp"

namespace invar {
namespace {

/// Distances below this fraction of a cell's extent are due to rounding and to the search for nearest points.
constexpr double round_off = 1e-6;
constexpr double default_tolerance = 0.1;  // relative to the cell's extent

std::span<const int> nodes_of(const CellBlock& block, int cell) {
  const std::size_t n = node_count(block.type);
  return {block.nodes.data() + n * cell, n};
}

/// Cell regions of both meshes.
std::vector<std::pair<const Region*, const Region*>> common_regions(const Mesh& a, const Mesh& b) {
  std::vector<std::pair<const Region*, const Region*>> common;
  for (const Region& region : a.regions)
    if (const Region* other = b.find_region(region.name); region.dim == a.dim && other && other->dim == b.dim) common.emplace_back(&region, other);
  return common;
}

}  // namespace

FieldInterpolation::FieldInterpolation(const Mesh& from, const Mesh& to, std::optional<double> tolerance) : from_(from), to_(to), tolerance_(tolerance) {
  find_parts();
  find_classes(part_.empty() ? 0 : 1 + *std::ranges::max_element(part_));
}

/// Finds the parts, i.e. sets of cells connected by common nodes.
void FieldInterpolation::find_parts() {
  std::vector<int> parent(from_.node_total());
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](int node) {
    while (parent[node] != node) node = parent[node] = parent[parent[node]];
    return node;
  };
  for (const CellBlock& block : from_.cells) {
    first_cell_.push_back(static_cast<int>(part_.size()));
    part_.resize(part_.size() + block.count());
    for (int c = 0; c < block.count(); ++c)
      for (const int node : nodes_of(block, c)) parent[root(node)] = root(nodes_of(block, c)[0]);
  }
  std::vector<int> number(parent.size(), -1);
  int count = 0;
  for (std::size_t b = 0; b < from_.cells.size(); ++b)
    for (int c = 0; c < from_.cells[b].count(); ++c) {
      int& part = number[root(nodes_of(from_.cells[b], c)[0])];
      if (part < 0) part = count++;
      part_[first_cell_[b] + c] = part;
    }
}

/// A node is searched in the parts that have cells in all regions of one of its cells. Distinct sets of parts are few, and each is
/// stored once.
void FieldInterpolation::find_classes(int part_count) {
  std::map<std::vector<char>, int> known;
  const auto number_of = [&](const std::vector<char>& parts) {
    const auto [entry, is_new] = known.try_emplace(parts, static_cast<int>(classes_.size()));
    if (is_new) classes_.push_back(parts);
    return entry->second;
  };
  std::map<std::array<int, 3>, int> done;  // of a, b and whether the parts are those of both or of either
  const auto combined = [&](int a, int b, bool both) {
    const auto [entry, is_new] = done.try_emplace({a, b, both}, 0);
    if (!is_new) return entry->second;
    std::vector<char> parts = classes_[a];
    for (int p = 0; p < part_count; ++p) parts[p] = both ? parts[p] && classes_[b][p] : parts[p] || classes_[b][p];
    return entry->second = number_of(parts);
  };
  const int none = number_of(std::vector<char>(part_count, 0)), anywhere = number_of(std::vector<char>(part_count, 1));
  const auto common = common_regions(from_, to_);
  std::vector<int> class_of_region;
  for (const auto& [there, here] : common) {
    std::vector<char> parts(part_count, 0);
    for (std::size_t b = 0; b < from_.cells.size(); ++b)
      for (const int cell : there->members[b]) parts[part_[first_cell_[b] + cell]] = 1;
    class_of_region.push_back(number_of(parts));
  }
  class_.assign(to_.n_owned_nodes, none);
  for (std::size_t b = 0; b < to_.cells.size(); ++b) {
    std::vector<int> of_cell(to_.cells[b].count(), anywhere);
    for (std::size_t r = 0; r < common.size(); ++r)
      for (const int cell : common[r].second->members[b]) of_cell[cell] = combined(of_cell[cell], class_of_region[r], true);
    for (int c = 0; c < to_.cells[b].count(); ++c)
      for (const int node : nodes_of(to_.cells[b], c))
        if (node < to_.n_owned_nodes) class_[node] = combined(class_[node], of_cell[c] == none ? anywhere : of_cell[c], false);
  }
}

InterpolatedField FieldInterpolation::at_nodes(std::span<const double> values, const std::vector<char>& wanted) {
  std::vector<unsigned char> order(part_.size(), 0);
  for (std::size_t b = 0; b < from_.cells.size(); ++b) {
    const CellBlock& block = from_.cells[b];
    for (int c = 0; c < block.count(); ++c) {
      const auto live = [&](int first, int last) {
        return std::ranges::all_of(nodes_of(block, c).subspan(first, last - first), [&](int node) { return std::isfinite(values[node]); });
      };
      const int n_vertices = vertex_count(block.type.shape);
      if (live(0, n_vertices)) order[first_cell_[b] + c] = live(n_vertices, node_count(block.type)) ? block.type.order : 1;
    }
  }
  Support& support = supports_[order];
  support.places.resize(to_.n_owned_nodes);
  InterpolatedField field{std::vector<double>(to_.node_total(), 0.0), {}};
  NodesOutside& outside = field.outside;
  int worst = -1;
  double N[27];
  for (int node = 0; node < to_.n_owned_nodes; ++node) {
    if (!wanted[node]) continue;
    CellPosition& at = support.places[node];
    if (at.block < 0) at = find(order, support, class_[node], &to_.coordinates[std::size_t(node) * to_.dim]);
    const double size = at.block < 0 ? 0 : extent(at), tolerance = tolerance_.value_or(default_tolerance * size);
    outside.nearest += at.distance > round_off * size;
    outside.farthest = std::max(outside.farthest, at.distance);
    if (at.distance > std::max(tolerance, round_off * size)) {
      ++outside.beyond;
      if (at.distance - tolerance > outside.worst.distance - outside.worst.tolerance)
        outside.worst.distance = at.distance, outside.worst.tolerance = tolerance, worst = node;
    }
    if (at.block < 0) continue;
    const CellBlock& block = from_.cells[at.block];
    const CellType type{block.type.shape, order[first_cell_[at.block] + at.cell]};
    shape_values(type, at.xi.data(), N);
    for (int a = 0; a < node_count(type); ++a) field.values[node] += N[a] * values[nodes_of(block, at.cell)[a]];
  }
  outside = gathered(std::move(outside), worst);
  return field;
}

CellPosition FieldInterpolation::find(const std::vector<unsigned char>& order, Support& support, int node_class, const double* point) const {
  for (const int of : {node_class, -1}) {
    const auto takes = [&](int block, int cell) {
      const int number = first_cell_[block] + cell;
      return order[number] > 0 && (of < 0 || classes_[of][part_[number]]);
    };
    auto locator = support.locators.find(of);
    if (locator == support.locators.end()) locator = support.locators.try_emplace(of, from_, std::function<bool(int, int)>(takes)).first;
    if (const CellPosition at = locator->second.find(point); at.block >= 0) return at;
  }
  CellPosition nowhere;
  nowhere.distance = std::numeric_limits<double>::infinity();
  return nowhere;
}

double FieldInterpolation::extent(const CellPosition& at) const {
  double extent = 0;
  for (int d = 0; d < from_.dim; ++d) {
    const auto coordinate = [&](int node) { return from_.coordinates[std::size_t(node) * from_.dim + d]; };
    const auto [low, high] = std::ranges::minmax(nodes_of(from_.cells[at.block], at.cell), {}, coordinate);
    extent = std::max(extent, coordinate(high) - coordinate(low));
  }
  return extent;
}

NodesOutside FieldInterpolation::gathered(NodesOutside mine, int worst_node) const {
  NodesOutside::Worst& worst = mine.worst;
  struct {
    double excess;
    int rank;
  } of_all{worst.distance - worst.tolerance, 0};  // as MPI_DOUBLE_INT
  MPI_Comm_rank(to_.comm, &of_all.rank);
  MPI_Allreduce(MPI_IN_PLACE, &of_all, 1, MPI_DOUBLE_INT, MPI_MAXLOC, to_.comm);
  MPI_Allreduce(MPI_IN_PLACE, &mine.farthest, 1, MPI_DOUBLE, MPI_MAX, to_.comm);
  MPI_Allreduce(MPI_IN_PLACE, &mine.nearest, 1, MPI_LONG_LONG, MPI_SUM, to_.comm);
  MPI_Allreduce(MPI_IN_PLACE, &mine.beyond, 1, MPI_LONG_LONG, MPI_SUM, to_.comm);
  int region = -1;
  if (worst_node >= 0) {
    for (int d = 0; d < to_.dim; ++d) worst.place[d] = to_.coordinates[std::size_t(worst_node) * to_.dim + d];
    for (std::size_t r = 0; r < to_.regions.size(); ++r)
      if (std::ranges::binary_search(to_.regions[r].nodes, worst_node) && (region < 0 || to_.regions[r].dim < to_.regions[region].dim))
        region = static_cast<int>(r);
  }
  double numbers[] = {worst.distance, worst.tolerance, worst.place[0], worst.place[1], worst.place[2]};
  MPI_Bcast(numbers, 5, MPI_DOUBLE, of_all.rank, to_.comm);
  MPI_Bcast(&region, 1, MPI_INT, of_all.rank, to_.comm);
  worst = {numbers[0], numbers[1], {numbers[2], numbers[3], numbers[4]}, region < 0 ? std::string() : to_.regions[region].name};
  return mine;
}

}  // namespace invar
