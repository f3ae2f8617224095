#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "libfem/io/vtk_field.hpp"

namespace invar {

/// Content of a file with an unstructured grid.
struct VtkGrid {
  std::vector<double> points;           // [n_points × 3]
  std::vector<std::vector<int>> cells;  // positions of each cell's points, in VTK's order
  std::vector<std::string> types;       // of each cell, as VTK names its class, e.g. "vtkQuadraticTriangle"
  std::vector<VtkField> fields;         // with as many components as the file has
};

/// Reads one .vtu file: that of a run on one rank, or the piece of a rank. Throws VtkError when it is none.
VtkGrid read_vtk(const std::filesystem::path& file);

}  // namespace invar
