#include "libfem/mesh/point_locator.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "libfem/mesh/cell_map.hpp"

namespace invar {
namespace {

constexpr int leaf_size = 4;

}  // namespace

double PointLocator::Box::distance(const double* point, int dim) const {
  double square = 0;
  for (int d = 0; d < dim; ++d) {
    const double outside = std::max({low[d] - point[d], point[d] - high[d], 0.0});
    square += outside * outside;
  }
  return std::sqrt(square);
}

PointLocator::PointLocator(const Mesh& mesh, bool owned_only)
    : PointLocator(mesh, [&](int block, int cell) { return !owned_only || cell < mesh.cells[block].n_owned; }) {}

PointLocator::PointLocator(const Mesh& mesh, const std::function<bool(int, int)>& takes) : mesh_(mesh) {
  for (size_t b = 0; b < mesh.cells.size(); ++b) {
    const CellBlock& block = mesh.cells[b];
    const int n = node_count(block.type), count = block.count();
    for (int c = 0; c < count; ++c) {
      if (!takes(static_cast<int>(b), c)) continue;
      Entry entry{{}, static_cast<int>(b), c};
      double size = 0;
      for (int d = 0; d < mesh.dim; ++d) {
        double& low = entry.box.low[d] = std::numeric_limits<double>::infinity();
        double& high = entry.box.high[d] = -low;
        for (int a = 0; a < n; ++a) {
          const int node = block.nodes[static_cast<size_t>(c) * n + a];
          low = std::min(low, mesh.coordinates[node * mesh.dim + d]);
          high = std::max(high, mesh.coordinates[node * mesh.dim + d]);
        }
        size = std::max(size, high - low);
      }
      for (int d = 0; d < mesh.dim; ++d) {  // a curved cell may leave the box of its nodes
        const double extent = entry.box.high[d] - entry.box.low[d];
        const double margin = 1e-9 * size + (block.type.order == 2 ? 0.25 * extent : 0.0);
        entry.box.low[d] -= margin;
        entry.box.high[d] += margin;
      }
      entries_.push_back(entry);
    }
  }
  if (!entries_.empty()) grow(0, static_cast<int>(entries_.size()));
}

int PointLocator::grow(int begin, int end) {
  const int branch = static_cast<int>(branches_.size());
  branches_.push_back({entries_[begin].box, begin, end});
  Box box = entries_[begin].box;
  for (int i = begin; i < end; ++i)
    for (int d = 0; d < mesh_.dim; ++d) {
      box.low[d] = std::min(box.low[d], entries_[i].box.low[d]);
      box.high[d] = std::max(box.high[d], entries_[i].box.high[d]);
    }
  branches_[branch].box = box;
  if (end - begin <= leaf_size) return branch;
  int axis = 0;
  for (int d = 1; d < mesh_.dim; ++d)
    if (box.high[d] - box.low[d] > box.high[axis] - box.low[axis]) axis = d;
  const int middle = (begin + end) / 2;
  std::nth_element(entries_.begin() + begin, entries_.begin() + middle, entries_.begin() + end,
                   [axis](const Entry& a, const Entry& b) {
                     return a.box.low[axis] + a.box.high[axis] < b.box.low[axis] + b.box.high[axis];
                   });
  const int left = grow(begin, middle), right = grow(middle, end);
  branches_[branch].left = left;
  branches_[branch].right = right;
  return branch;
}

CellPosition PointLocator::find(const double* point) const {
  CellPosition best;
  best.distance = std::numeric_limits<double>::infinity();
  if (branches_.empty() || find_containing(0, point, best)) return best;
  find_nearest(0, point, best);
  return best;
}

bool PointLocator::find_containing(int b, const double* point, CellPosition& found) const {
  const Branch& branch = branches_[b];
  if (branch.box.distance(point, mesh_.dim) > 0) return false;
  if (branch.left >= 0)
    return find_containing(branch.left, point, found) ||
           find_containing(branch.right, point, found);
  for (int i = branch.begin; i < branch.end; ++i) {
    const Entry& entry = entries_[i];
    if (entry.box.distance(point, mesh_.dim) > 0) continue;
    std::array<double, 3> xi{};
    if (!CellMap(mesh_, entry.block, entry.cell).contains(point, xi.data())) continue;
    found = {entry.block, entry.cell, xi, 0};
    return true;
  }
  return false;
}

int PointLocator::count_containing(int b, const double* point) const {
  const Branch& branch = branches_[b];
  if (branch.box.distance(point, mesh_.dim) > 0) return 0;
  if (branch.left >= 0) return count_containing(branch.left, point) + count_containing(branch.right, point);
  int count = 0;
  for (int i = branch.begin; i < branch.end; ++i) {
    std::array<double, 3> xi{};
    const Entry& entry = entries_[i];
    count += entry.box.distance(point, mesh_.dim) == 0 && CellMap(mesh_, entry.block, entry.cell).contains(point, xi.data());
  }
  return count;
}

void PointLocator::find_nearest(int b, const double* point, CellPosition& best) const {
  const Branch& branch = branches_[b];
  if (branch.box.distance(point, mesh_.dim) >= best.distance) return;
  if (branch.left >= 0) {
    const bool left_first = branches_[branch.left].box.distance(point, mesh_.dim) <=
                            branches_[branch.right].box.distance(point, mesh_.dim);
    find_nearest(left_first ? branch.left : branch.right, point, best);
    find_nearest(left_first ? branch.right : branch.left, point, best);
    return;
  }
  for (int i = branch.begin; i < branch.end; ++i) {
    const Entry& entry = entries_[i];
    if (entry.box.distance(point, mesh_.dim) >= best.distance) continue;
    std::array<double, 3> xi{};
    const double distance = CellMap(mesh_, entry.block, entry.cell).approach(point, xi.data());
    if (distance < best.distance) best = {entry.block, entry.cell, xi, distance};
  }
}

std::vector<MarkerOwner> locate_markers(const Mesh& mesh, std::span<const double> points) {
  struct Bid {  // as MPI_DOUBLE_INT
    double distance;
    int rank;
  };
  const PointLocator locator(mesh);
  const int n = static_cast<int>(points.size()) / mesh.dim;
  int rank = 0;
  MPI_Comm_rank(mesh.comm, &rank);
  std::vector<MarkerOwner> owners(n);
  std::vector<Bid> mine(n), best(n);
  for (int i = 0; i < n; ++i) {
    owners[i].here = locator.find(points.data() + static_cast<size_t>(i) * mesh.dim);
    mine[i] = {owners[i].here.distance, rank};
  }
  // the smallest distance; among equals MPI_MINLOC takes the lowest rank
  MPI_Allreduce(mine.data(), best.data(), n, MPI_DOUBLE_INT, MPI_MINLOC, mesh.comm);
  for (int i = 0; i < n; ++i) owners[i].rank = best[i].rank, owners[i].distance = best[i].distance;
  return owners;
}

}  // namespace invar
