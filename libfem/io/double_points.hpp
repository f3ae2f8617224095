#pragma once
#include <vtkDoubleArray.h>
#include <vtkNew.h>
#include <vtkPoints.h>

namespace invar {

/// Points with coordinates in double precision. `vtkPoints::SetDataTypeToDouble` deletes its array before it makes the new one: if memory
/// runs out between the two, the destructor deletes the array again.
class DoublePoints {
 public:
  DoublePoints() {
    vtkNew<vtkDoubleArray> coordinates;
    coordinates->SetNumberOfComponents(3);
    points_->SetData(coordinates);
  }
  vtkPoints* operator->() const { return points_; }
  operator vtkPoints*() const { return points_; }

 private:
  vtkNew<vtkPoints> points_;
};

}  // namespace invar
