#pragma once
#include <vtkPolyData.h>
#include <vtkSmartPointer.h>
#include <vtkUnstructuredGrid.h>

namespace invar {

/// The cells of a plane mesh, or the boundary faces of a body, as triangles that share their points and
/// follow the curves of second-order cells; point and cell data come along. (vtkDataSetSurfaceFilter does
/// the same, but VTK 9.1 reserves memory in proportion to cells times 16 to the power of its level.)
vtkSmartPointer<vtkPolyData> curved_surface(vtkUnstructuredGrid* grid);

/// True where no cell has a volume.
bool is_planar(vtkUnstructuredGrid* grid);

}  // namespace invar
