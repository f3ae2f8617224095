#include "apps/invar/drawing/grid.hpp"

#include <vtkCallbackCommand.h>
#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkIdList.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkXMLPUnstructuredGridReader.h>
#include <vtkXMLUnstructuredGridReader.h>

#include <array>
#include <map>
#include <stdexcept>
#include <vector>

namespace invar {
namespace {

using Grid = vtkSmartPointer<vtkUnstructuredGrid>;

template <class Reader>
Grid read_with(const std::filesystem::path& file) {
  bool failed = false;
  vtkNew<vtkCallbackCommand> on_error;
  on_error->SetClientData(&failed);
  on_error->SetCallback([](vtkObject*, unsigned long, void* flag, void*) { *static_cast<bool*>(flag) = true; });
  vtkNew<Reader> reader;
  reader->AddObserver(vtkCommand::ErrorEvent, on_error);
  reader->SetFileName(file.c_str());
  reader->Update();
  Grid grid = reader->GetOutput();
  if (failed || !grid || grid->GetNumberOfCells() == 0)
    throw std::runtime_error("'" + file.string() + "' cannot be read, or has no cells");
  const double* nodes = grid->GetCells()->GetConnectivityArray()->GetRange();
  if (nodes[0] < 0 || nodes[1] >= static_cast<double>(grid->GetNumberOfPoints()))
    throw std::runtime_error("'" + file.string() + "' has cells of points that are not there");
  return grid;
}

/// The pieces of several ranks share no points: without merging, their interfaces would be boundaries.
Grid merged(vtkUnstructuredGrid* pieces) {
  auto grid = Grid::New();
  vtkNew<vtkPoints> points;
  points->SetDataTypeToDouble();
  grid->GetPointData()->CopyAllocate(pieces->GetPointData());
  std::map<std::array<double, 3>, vtkIdType> number_at;
  std::vector<vtkIdType> number(pieces->GetNumberOfPoints());
  for (vtkIdType p = 0; p < pieces->GetNumberOfPoints(); ++p) {
    std::array<double, 3> x;
    pieces->GetPoint(p, x.data());
    const auto [position, is_new] = number_at.try_emplace(x, points->GetNumberOfPoints());
    if (is_new) grid->GetPointData()->CopyData(pieces->GetPointData(), p, points->InsertNextPoint(x.data()));
    number[p] = position->second;
  }
  grid->SetPoints(points);
  grid->Allocate(pieces->GetNumberOfCells());
  vtkNew<vtkIdList> nodes;
  for (vtkIdType c = 0; c < pieces->GetNumberOfCells(); ++c) {
    pieces->GetCellPoints(c, nodes);
    for (vtkIdType& node : *nodes) node = number[node];
    grid->InsertNextCell(pieces->GetCellType(c), nodes);
  }
  grid->GetCellData()->ShallowCopy(pieces->GetCellData());
  return grid;
}

std::string names_of(vtkDataSetAttributes* data) {
  std::string names;
  for (int a = 0; a < data->GetNumberOfArrays(); ++a)
    if (const char* name = data->GetArrayName(a)) names += (names.empty() ? "" : ", ") + std::string(name);
  return names.empty() ? "none" : names;
}

}  // namespace

vtkSmartPointer<vtkUnstructuredGrid> read_grid(const std::filesystem::path& file) {
  if (!std::filesystem::exists(file)) throw std::runtime_error("there is no file '" + file.string() + "'");
  return file.extension() == ".pvtu" ? merged(read_with<vtkXMLPUnstructuredGridReader>(file))
                                     : read_with<vtkXMLUnstructuredGridReader>(file);
}

void require_field(vtkDataSet* grid, const std::string& field) {
  if (!grid->GetPointData()->GetArray(field.c_str()) && !grid->GetCellData()->GetArray(field.c_str()))
    throw std::runtime_error("there is no field '" + field + "'; points have " + names_of(grid->GetPointData()) +
                             "; cells have " + names_of(grid->GetCellData()));
}

vtkDataArray* vector_points(vtkDataSet* data, const std::string& name, const char* purpose) {
  vtkDataArray* values = data->GetPointData()->GetArray(name.c_str());
  if (!values || values->GetNumberOfComponents() != 3)
    throw std::runtime_error(std::string("no ") + purpose + " without vectors at points, and '" + name +
                             "' is none; points have " + names_of(data->GetPointData()));
  return values;
}

}  // namespace invar
