#include "libfem/io/vtk_reader.hpp"

#include <vtkCellData.h>
#include <vtkCellTypes.h>
#include <vtkErrorCode.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLUnstructuredGridReader.h>

#include "libfem/io/vtk_error.hpp"

namespace invar {
namespace {

std::vector<double> values_of(vtkDataArray* data) {
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(data->GetNumberOfValues()));
  for (vtkIdType i = 0; i < data->GetNumberOfTuples(); ++i)
    for (int c = 0; c < data->GetNumberOfComponents(); ++c) values.push_back(data->GetComponent(i, c));
  return values;
}

void add_fields(vtkDataSetAttributes* attributes, VtkField::On on, std::vector<VtkField>& fields) {
  for (int k = 0; k < attributes->GetNumberOfArrays(); ++k)
    if (vtkDataArray* data = attributes->GetArray(k))
      fields.push_back({data->GetName() ? data->GetName() : "", data->GetNumberOfComponents(), on, values_of(data)});
}

}  // namespace

VtkGrid read_vtk(const std::filesystem::path& file) {
  vtkNew<vtkXMLUnstructuredGridReader> reader;
  if (!std::filesystem::is_regular_file(file) || !reader->CanReadFile(file.c_str()))
    throw VtkError("'" + file.string() + "' is no .vtu file that can be read");
  reader->SetFileName(file.c_str());
  reader->Update();
  if (reader->GetErrorCode() != vtkErrorCode::NoError)
    throw VtkError("'" + file.string() + "' is damaged: " + vtkErrorCode::GetStringFromErrorCode(reader->GetErrorCode()));
  vtkUnstructuredGrid* grid = reader->GetOutput();
  VtkGrid result;
  if (vtkPoints* points = grid->GetPoints()) result.points = values_of(points->GetData());
  for (vtkIdType c = 0; c < grid->GetNumberOfCells(); ++c) {
    const vtkIdType* points = nullptr;
    vtkIdType count = 0;
    grid->GetCellPoints(c, count, points);
    result.cells.emplace_back(points, points + count);
    result.types.emplace_back(vtkCellTypes::GetClassNameFromTypeId(grid->GetCellType(c)));
  }
  add_fields(grid->GetPointData(), VtkField::On::nodes, result.fields);
  add_fields(grid->GetCellData(), VtkField::On::cells, result.fields);
  return result;
}

}  // namespace invar
