#pragma once
#include <vtkPolyData.h>
#include <vtkSmartPointer.h>
#include <vtkUnstructuredGrid.h>

#include <string>

namespace invar {

/// Lines of a vector field at points, spread evenly over the domain: in the plane at most 56 side by
/// side across a square as large as its box, in space 18 across a cube. Throws std::runtime_error where
/// there is no such field.
vtkSmartPointer<vtkPolyData> even_streamlines(vtkUnstructuredGrid* grid, const std::string& field, bool planar);

}  // namespace invar
