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
  std::string shown;                              // name of the coloured field
  std::array<double, 2> range{};                  // its least and greatest finite value on the visible surface
  vtkSmartPointer<vtkUnstructuredGrid> grid;      // the file's cells, warped
  vtkSmartPointer<vtkPolyData> surface;           // triangles that follow the curves; scalars: what is shown
  vtkSmartPointer<vtkPolyData> outline;           // boundary in the plane, sharp edges in space
  vtkSmartPointer<vtkPolyData> reference_outline; // before warping; null where nothing is warped
  double diagonal = 0;                            // of the box around the surface, m

  /// Throws std::runtime_error if the file cannot be read or does not contain the requested fields. Replaces an empty
  /// `options.field` by the default field.
  static PictureData read(const std::filesystem::path& fields, PictureOptions& options);
};

}  // namespace invar
