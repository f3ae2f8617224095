#pragma once
#include <vtkPolyData.h>
#include <vtkSmartPointer.h>

#include <string>

namespace invar {

struct BoundaryArrows {
  vtkSmartPointer<vtkPolyData> shapes;
  double longest = 0;  // greatest magnitude of the field, in its unit
};

/// Arrows along vector point data of `boundary`, at points at least `apart` from each other, m. The greatest vector has the
/// `length`, m, and the others are in proportion; those below a twentieth of it are omitted. Empty if the field is zero. Throws
/// std::runtime_error if there is no such field.
BoundaryArrows arrows_on(vtkPolyData* boundary, const std::string& field, double length, double apart);

}  // namespace invar
