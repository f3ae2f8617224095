#pragma once
#include <vtkPolyData.h>
#include <vtkSmartPointer.h>
#include <vtkUnstructuredGrid.h>

#include <array>

#include "apps/invar/picture/picture.hpp"

namespace invar {

/// The geometry of a picture, made from a file of fields.
struct PictureData {
  bool planar = true;
  std::string shown;                              // name of what the colours mean
  std::array<double, 2> range{};                  // its least and greatest finite value where it is seen
  vtkSmartPointer<vtkUnstructuredGrid> grid;      // the file's cells, warped
  vtkSmartPointer<vtkPolyData> surface;           // triangles that follow the curves; scalars: what is shown
  vtkSmartPointer<vtkPolyData> outline;           // boundary in the plane, sharp edges in space
  vtkSmartPointer<vtkPolyData> reference_outline; // before warping; null where nothing is warped
  double diagonal = 0;                            // of the box around the surface, m

  /// Throws std::runtime_error where the file cannot be read or has not what the options ask for. Writes the field that
  /// an empty `options.field` stands for.
  static PictureData read(const std::filesystem::path& fields, PictureOptions& options);
};

}  // namespace invar
