#pragma once
#include <vtkDataSet.h>
#include <vtkSmartPointer.h>
#include <vtkUnstructuredGrid.h>

#include <filesystem>
#include <string>

namespace invar {

/// Reads a .vtu, or the pieces of a .pvtu joined at their common points. Throws std::runtime_error.
vtkSmartPointer<vtkUnstructuredGrid> read_grid(const std::filesystem::path& file);

/// Throws std::runtime_error, with the names that there are, where points and cells have no such data.
void require_field(vtkDataSet* data, const std::string& field);

/// Point data of three components. Throws std::runtime_error, naming the purpose, where there is none.
vtkDataArray* vector_points(vtkDataSet* data, const std::string& name, const char* purpose);

}  // namespace invar
