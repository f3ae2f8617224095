#pragma once
#include <array>
#include <functional>
#include <span>
#include <vector>

#include "libfem/mesh/mesh.hpp"

namespace invar {

/// Position of a point in the mesh.
struct CellPosition {
  int block = -1, cell = -1;   // of mesh.cells; −1 on a rank without cells
  std::array<double, 3> xi{};  // reference coordinates, inside the reference cell
  double distance = 0;         // m, from the point to x(xi); 0 if the cell contains the point
};

/// Finds the cells, straight or curved, that contain given points, with a bounding-volume tree over the owned cells (or
/// all local cells, or a subset). Keeps a reference to the mesh.
class PointLocator {
 public:
  explicit PointLocator(const Mesh& mesh, bool owned_only = true);
  /// Uses the cells for which takes(block, cell) is true.
  PointLocator(const Mesh& mesh, const std::function<bool(int block, int cell)>& takes);

  /// The cell that contains the point (mesh.dim coordinates, m), or the nearest one with its nearest point and the
  /// distance. A point outside by 1e-10 of the cell's size counts as contained. The distance is infinite on a rank
  /// without cells.
  CellPosition find(const double* point) const;
  /// The number of cells that contain the point, to the same tolerance.
  int count(const double* point) const { return branches_.empty() ? 0 : count_containing(0, point); }

 private:
  struct Box {
    std::array<double, 3> low, high;
    double distance(const double* point, int dim) const;
  };
  /// Entries [begin, end) and, unless it is a leaf, its two halves.
  struct Branch {
    Box box;
    int begin, end, left = -1, right = -1;
  };
  struct Entry {
    Box box;
    int block, cell;
  };
  int grow(int begin, int end);
  bool find_containing(int branch, const double* point, CellPosition& found) const;
  int count_containing(int branch, const double* point) const;
  void find_nearest(int branch, const double* point, CellPosition& best) const;

  const Mesh& mesh_;
  std::vector<Entry> entries_;
  std::vector<Branch> branches_;
};

/// Owner of a marker: the lowest rank with an owned cell that contains it, or with the nearest cell.
struct MarkerOwner {
  int rank = -1;
  double distance = 0;  // m, from the mesh; 0 inside
  CellPosition here;    // valid on that rank only
};

/// Owners of points, [n × dim] m, the same on every rank of mesh.comm (collective). A marker outside the mesh has
/// distance > 0; the caller decides whether that is a mistake.
std::vector<MarkerOwner> locate_markers(const Mesh& mesh, std::span<const double> points);

}  // namespace invar
