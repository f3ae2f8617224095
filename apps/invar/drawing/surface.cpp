#include "apps/invar/drawing/surface.hpp"

#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkGenericCell.h>
#include <vtkNew.h>
#include <vtkPointData.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <vector>

#include "libfem/io/double_points.hpp"

namespace invar {
namespace {

constexpr std::size_t most_triangles = 1 << 17;  // where cells can be coarser

int vertices_of(vtkCell* element) { return element->GetNumberOfEdges(); }  // of something flat

/// A flat cell (face −1) or a face of a cell.
struct Side {
  vtkIdType cell;
  int face;
};

/// Faces that belong to one cell only.
std::vector<Side> boundary_of(vtkUnstructuredGrid* grid) {
  std::map<std::array<vtkIdType, 4>, Side> open;  // by ascending vertices
  std::vector<Side> sides;
  vtkNew<vtkGenericCell> cell;
  for (vtkIdType c = 0; c < grid->GetNumberOfCells(); ++c) {
    grid->GetCell(c, cell);
    if (cell->GetCellDimension() == 2) sides.push_back({c, -1});
    if (cell->GetCellDimension() < 3) continue;
    for (int f = 0; f < cell->GetNumberOfFaces(); ++f) {
      vtkCell* face = cell->GetFace(f);
      std::array<vtkIdType, 4> key{-1, -1, -1, -1};
      for (int v = 0; v < vertices_of(face); ++v) key[v] = face->GetPointId(v);
      std::sort(key.begin(), key.end());
      if (const auto [position, is_new] = open.try_emplace(key, Side{c, f}); !is_new) open.erase(position);
    }
  }
  for (const auto& [key, side] : open) sides.push_back(side);
  return sides;
}

/// Lays a lattice of `n` steps per edge over every side. Points on edges are made once.
class Tessellation {
 public:
  Tessellation(vtkUnstructuredGrid* grid, int steps_of_curved) : grid_(grid), steps_of_curved_(steps_of_curved) {
    surface_->GetPointData()->InterpolateAllocate(grid->GetPointData());
    surface_->GetCellData()->CopyAllocate(grid->GetCellData());
  }

  void add(vtkCell* side, vtkIdType cell) {
    const int vertices = vertices_of(side);
    n_ = side->IsLinear() ? 1 : steps_of_curved_;
    number_.assign(std::size_t(n_ + 1) * (n_ + 1), -1);
    for (int e = 0; e < vertices; ++e) add_edge(side, e, vertices);
    for (int j = 0; j <= n_; ++j)
      for (int i = 0; i <= (vertices == 3 ? n_ - j : n_); ++i)
        if (at(i, j) < 0) at(i, j) = new_point(side, i, j);
    for (int j = 0; j < n_; ++j)
      for (int i = 0; i < (vertices == 3 ? n_ - j : n_); ++i) {
        add_triangle({at(i, j), at(i + 1, j), at(i, j + 1)}, cell);
        if (vertices == 4 || i + j + 1 < n_) add_triangle({at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)}, cell);
      }
  }

  vtkSmartPointer<vtkPolyData> result() {
    surface_->SetPoints(points_);
    surface_->SetPolys(triangles_);
    return surface_;
  }

 private:
  vtkIdType& at(int i, int j) { return number_[std::size_t(j) * (n_ + 1) + i]; }

  /// The lattice's points on an edge, vertices included, counted from the vertex with the lower number.
  void add_edge(vtkCell* side, int edge, int vertices) {
    constexpr int corners[2][4][2] = {{{0, 0}, {1, 0}, {0, 1}, {0, 0}}, {{0, 0}, {1, 0}, {1, 1}, {0, 1}}};
    int from = edge, to = (edge + 1) % vertices;
    if (side->GetPointId(from) > side->GetPointId(to)) std::swap(from, to);
    const int(&a)[2] = corners[vertices - 3][from], (&b)[2] = corners[vertices - 3][to];
    const auto lattice = [&](int k, int d) { return (n_ - k) * a[d] + k * b[d]; };
    for (const auto& [vertex, k] : {std::pair{from, 0}, {to, n_}}) {
      const auto [position, is_new] = vertex_.try_emplace(side->GetPointId(vertex), 0);
      if (is_new) position->second = new_point(side, lattice(k, 0), lattice(k, 1));
      at(lattice(k, 0), lattice(k, 1)) = position->second;
    }
    const auto [position, is_new] =
        edge_.try_emplace({side->GetPointId(from), side->GetPointId(to)}, points_->GetNumberOfPoints());
    for (int k = 1; k < n_; ++k) {
      const int i = lattice(k, 0), j = lattice(k, 1);
      at(i, j) = is_new ? new_point(side, i, j) : position->second + k - 1;
    }
  }

  vtkIdType new_point(vtkCell* side, int i, int j) {
    const double where[3] = {double(i) / n_, double(j) / n_, 0};
    double weights[9], x[3];  // a biquadratic quadrilateral has the most nodes
    int ignored = 0;
    side->EvaluateLocation(ignored, where, x, weights);
    const vtkIdType number = points_->InsertNextPoint(x);
    surface_->GetPointData()->InterpolatePoint(grid_->GetPointData(), number, side->GetPointIds(), weights);
    return number;
  }

  void add_triangle(const std::array<vtkIdType, 3>& corners, vtkIdType cell) {
    const vtkIdType number = triangles_->InsertNextCell(3, corners.data());
    surface_->GetCellData()->CopyData(grid_->GetCellData(), cell, number);
  }

  vtkUnstructuredGrid* grid_;
  int steps_of_curved_, n_ = 1;
  std::vector<vtkIdType> number_;  // of the lattice's points on the surface
  std::map<vtkIdType, vtkIdType> vertex_;
  std::map<std::array<vtkIdType, 2>, vtkIdType> edge_;  // first of its inner points
  DoublePoints points_;
  vtkNew<vtkCellArray> triangles_;
  vtkSmartPointer<vtkPolyData> surface_ = vtkSmartPointer<vtkPolyData>::New();
};

}  // namespace

vtkSmartPointer<vtkPolyData> curved_surface(vtkUnstructuredGrid* grid) {
  const std::vector<Side> sides = boundary_of(grid);
  const std::size_t n = sides.size();
  int steps = 16;  // fewer for many cells, which are small on the screen
  while (steps > 2 && 2 * n * steps * steps > most_triangles) steps /= 2;
  Tessellation tessellation(grid, steps);
  vtkNew<vtkGenericCell> cell;
  for (const Side& side : sides) {
    grid->GetCell(side.cell, cell);
    tessellation.add(side.face < 0 ? cell->GetRepresentativeCell() : cell->GetFace(side.face), side.cell);
  }
  return tessellation.result();
}

bool is_planar(vtkUnstructuredGrid* grid) {
  vtkNew<vtkGenericCell> cell;
  for (vtkIdType c = 0; c < grid->GetNumberOfCells(); ++c) {
    grid->GetCell(c, cell);
    if (cell->GetCellDimension() == 3) return false;
  }
  return true;
}

}  // namespace invar
