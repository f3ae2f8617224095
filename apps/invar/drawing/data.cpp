#include "apps/invar/drawing/data.hpp"

#include <vtkAppendPolyData.h>
#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkDoubleArray.h>
#include <vtkFeatureEdges.h>
#include <vtkNew.h>
#include <vtkPointData.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>

#include "apps/invar/drawing/grid.hpp"
#include "apps/invar/drawing/surface.hpp"
#include "libfem/io/double_points.hpp"

namespace invar {
namespace {

using Surface = vtkSmartPointer<vtkPolyData>;

Surface outline_of(vtkPolyData* surface, bool planar) {
  vtkNew<vtkFeatureEdges> edges;
  edges->SetInputData(surface);
  edges->BoundaryEdgesOn();
  edges->SetFeatureEdges(!planar);
  edges->SetFeatureAngle(40);
  edges->NonManifoldEdgesOff();
  edges->ColoringOff();
  edges->Update();
  return edges->GetOutput();
}

/// An outline plus the curves of the grid, which are surfaces of 2-D obstacles.
Surface with_curves(const Surface& outline, vtkUnstructuredGrid* grid) {
  const DoublePoints points;
  vtkNew<vtkCellArray> lines;
  for (vtkIdType c = 0; c < grid->GetNumberOfCells(); ++c) {
    vtkCell* cell = grid->GetCell(c);
    if (cell->GetCellDimension() != 1) continue;
    const vtkIdType n = cell->GetNumberOfPoints();
    lines->InsertNextCell(static_cast<int>(n));
    for (vtkIdType k = 0; k < n; ++k)  // the middle of a curved one is its last point
      lines->InsertCellPoint(points->InsertNextPoint(grid->GetPoint(cell->GetPointId(n == 3 && k > 0 ? 3 - k : k))));
  }
  if (lines->GetNumberOfCells() == 0) return outline;
  vtkNew<vtkPolyData> curves;
  curves->SetPoints(points);
  curves->SetLines(lines);
  vtkNew<vtkAppendPolyData> both;
  both->AddInputData(outline);
  both->AddInputData(curves);
  both->Update();
  return both->GetOutput();
}

void warp(vtkUnstructuredGrid* grid, const std::string& name) {
  vtkDataArray* by = vector_points(grid, name, "warping");
  const DoublePoints points;
  points->SetNumberOfPoints(grid->GetNumberOfPoints());
  for (vtkIdType p = 0; p < grid->GetNumberOfPoints(); ++p) {
    double x[3], u[3];
    grid->GetPoint(p, x);
    by->GetTuple(p, u);
    points->SetPoint(p, x[0] + u[0], x[1] + u[1], x[2] + u[2]);
  }
  grid->SetPoints(points);
}

void keep_only(const std::set<std::string>& names, vtkDataSetAttributes* data) {
  for (int a = data->GetNumberOfArrays() - 1; a >= 0; --a)
    if (const char* name = data->GetArrayName(a); !name || !names.contains(name)) data->RemoveArray(a);
}

/// The value of a field at a point or in a cell, the magnitude if it has several components.
double shown_value(vtkDataArray* values, vtkIdType at) {
  const int n = values->GetNumberOfComponents();
  if (n == 1) return values->GetComponent(at, 0);
  double square = 0;
  for (int k = 0; k < n; ++k) square += values->GetComponent(at, k) * values->GetComponent(at, k);
  return std::sqrt(square);
}

void widen(std::array<double, 2>& range, double value) {
  if (std::isfinite(value)) range = {std::min(range[0], value), std::max(range[1], value)};
}

/// The first field at points, which is the main one of its physics.
std::string first_field(vtkUnstructuredGrid* grid) {
  if (grid->GetPointData()->GetNumberOfArrays() == 0) throw std::runtime_error("the file has no nodal field; name a field");
  return grid->GetPointData()->GetArrayName(0);
}

/// Makes the value, or magnitude, of the field the scalars of the surface, and notes name and range.
void choose_scalars(const PictureOptions& options, PictureData& data) {
  const std::string& field = options.field;
  vtkDataArray* of_points = data.surface->GetPointData()->GetArray(field.c_str());
  vtkDataArray* values = of_points ? of_points : data.surface->GetCellData()->GetArray(field.c_str());
  vtkNew<vtkDoubleArray> shown;
  shown->SetNumberOfValues(values->GetNumberOfTuples());
  data.range = {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (vtkIdType i = 0; i < values->GetNumberOfTuples(); ++i) {
    shown->SetValue(i, shown_value(values, i));
    widen(data.range, shown->GetValue(i));
  }
  if (options.streamlines && !data.planar) {  // they are inside the body
    vtkDataArray* inside = data.grid->GetPointData()->GetArray(field.c_str());
    for (vtkIdType i = 0; i < inside->GetNumberOfTuples(); ++i) widen(data.range, shown_value(inside, i));
  }
  if (data.range[0] > data.range[1]) throw std::runtime_error("the field '" + field + "' has no finite value");
  if (data.range[1] - data.range[0] < 1e-9 * std::max(std::abs(data.range[0]), std::abs(data.range[1])))
    data.range[0] = data.range[1];  // constant but for rounding
  data.shown = values->GetNumberOfComponents() == 1 ? field : field + " magnitude";
  if (of_points)
    data.surface->GetPointData()->SetScalars(shown);
  else
    data.surface->GetCellData()->SetScalars(shown);
}

}  // namespace

PictureData PictureData::read(const std::filesystem::path& fields, PictureOptions& options) {
  PictureData data;
  data.grid = read_grid(fields);
  if (options.field.empty()) options.field = first_field(data.grid);
  data.planar = is_planar(data.grid);
  require_field(data.grid, options.field);
  if (options.streamlines) vector_points(data.grid, options.field, "streamlines");
  if (!options.arrows.empty()) vector_points(data.grid, options.arrows, "arrows");
  if (!options.warp.empty()) vector_points(data.grid, options.warp, "warping");
  for (vtkDataSetAttributes* of : {static_cast<vtkDataSetAttributes*>(data.grid->GetPointData()),
                                   static_cast<vtkDataSetAttributes*>(data.grid->GetCellData())})
    keep_only({options.field, options.arrows, options.warp}, of);
  if (!options.warp.empty()) {
    data.reference_outline = with_curves(outline_of(curved_surface(data.grid), data.planar), data.grid);
    warp(data.grid, options.warp);
  }
  data.surface = curved_surface(data.grid);
  data.diagonal = data.surface->GetLength();
  if (!(data.diagonal > 0) || !std::isfinite(data.diagonal))
    throw std::runtime_error("the size of the domain is zero or not finite");
  data.outline = with_curves(outline_of(data.surface, data.planar), data.grid);
  choose_scalars(options, data);
  return data;
}

}  // namespace invar
