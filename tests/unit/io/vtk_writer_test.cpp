#include "libfem/io/vtk_writer.hpp"

#include <gtest/gtest.h>
#include <vtkCell.h>
#include <vtkCellData.h>
#include <vtkCellType.h>
#include <vtkDataArray.h>
#include <vtkFieldData.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkSmartPointer.h>
#include <vtkStringArray.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLPUnstructuredGridReader.h>
#include <vtkXMLUnstructuredGridReader.h>

#include <array>
#include <cmath>
#include <numeric>

#include "libfem/io/vtk_error.hpp"
#include "libfem/mesh/boxes.hpp"
#include "libfem/mesh/distribute.hpp"
#include "tests/unit/io/scratch_folder.hpp"

namespace invar {
namespace {

using Grid = vtkSmartPointer<vtkUnstructuredGrid>;

template <class Reader>
Grid read_with(const std::filesystem::path& file) {
  vtkNew<Reader> reader;
  reader->SetFileName(file.c_str());
  reader->Update();
  return reader->GetOutput();
}

Grid read(const std::filesystem::path& file) {
  return file.extension() == ".pvtu" ? read_with<vtkXMLPUnstructuredGridReader>(file)
                                     : read_with<vtkXMLUnstructuredGridReader>(file);
}

/// x + 0.3 y², y + 0.2 x², z + 0.4 x z: second-order cells follow it exactly, and its Jacobian is
/// (1 + 0.4 x)(1 − 0.24 x y), where in the plane the first factor is missing.
void bend(Mesh& mesh) {
  for (int n = 0; n < mesh.node_total(); ++n) {
    double* p = &mesh.coordinates[n * mesh.dim];
    const double x = p[0], y = p[1];
    p[0] = x + 0.3 * y * y;
    p[1] = y + 0.2 * x * x;
    if (mesh.dim == 3) p[2] += 0.4 * x * p[2];
  }
}
constexpr double bent_area = 1 - 0.24 / 4, bent_volume = 1.2 - 0.24 / 4 - 0.096 / 6;

Mesh bent_mesh(Shape shape, int order) {
  Mesh mesh = dimension_of(shape) == 2 ? make_rectangle(0, 0, 1, 1, 3, 2, shape, order)
                                       : make_box({0, 0, 0}, {1, 1, 1}, {3, 2, 2}, shape, order);
  bend(mesh);
  return mesh;
}

struct Volume {
  double total = 0, smallest_jacobian = 1e300;
};

/// Vertices of a cell of the grid.
int vertices_of(vtkUnstructuredGrid* grid, vtkIdType cell) {
  switch (grid->GetCellType(cell)) {
    case VTK_TRIANGLE:
    case VTK_QUADRATIC_TRIANGLE: return 3;
    case VTK_HEXAHEDRON:
    case VTK_TRIQUADRATIC_HEXAHEDRON: return 8;
    default: return 4;
  }
}

/// Integrates VTK's own shape functions by four Gauss points per direction (collapsed for
/// simplices): exact to degree 7.
Volume volume_of(vtkUnstructuredGrid* grid) {
  constexpr std::array<double, 4> x{0.069431844202974, 0.330009478207572, 0.669990521792428,
                                    0.930568155797026};
  constexpr std::array<double, 4> w{0.173927422568727, 0.326072577431273, 0.326072577431273,
                                    0.173927422568727};
  Volume v;
  for (vtkIdType c = 0; c < grid->GetNumberOfCells(); ++c) {
    vtkCell* cell = grid->GetCell(c);
    const int dim = cell->GetCellDimension(), n = static_cast<int>(cell->GetNumberOfPoints());
    const bool simplex = vertices_of(grid, c) == dim + 1;
    for (int q = 0; q < (dim == 2 ? 16 : 64); ++q) {
      const int i = q % 4, j = q / 4 % 4, k = q / 16;
      double xi[3] = {x[i], x[j], dim == 3 ? x[k] : 0.0},
             weight = w[i] * w[j] * (dim == 3 ? w[k] : 1.0);
      if (simplex) {
        weight *= dim == 2 ? 1 - xi[0] : (1 - xi[0]) * (1 - xi[0]) * (1 - xi[1]);
        xi[2] *= (1 - xi[0]) * (1 - xi[1]);
        xi[1] *= 1 - xi[0];
      }
      double dN[3 * 27], J[3][3] = {{}, {}, {0, 0, dim == 2 ? 1.0 : 0.0}};
      cell->InterpolateDerivs(xi, dN);
      for (int a = 0; a < n; ++a)
        for (int r = 0; r < dim; ++r)
          for (int s = 0; s < dim; ++s)
            J[r][s] += dN[r * n + a] * cell->GetPoints()->GetPoint(a)[s];
      const double det = J[0][0] * (J[1][1] * J[2][2] - J[1][2] * J[2][1]) -
                         J[0][1] * (J[1][0] * J[2][2] - J[1][2] * J[2][0]) +
                         J[0][2] * (J[1][0] * J[2][1] - J[1][1] * J[2][0]);
      v.total += weight * det;
      v.smallest_jacobian = std::min(v.smallest_jacobian, det);
    }
  }
  return v;
}

std::array<double, 3> middle_of(vtkUnstructuredGrid* grid, vtkIdType c) {
  const int vertices = vertices_of(grid, c);
  vtkCell* cell = grid->GetCell(c);
  std::array<double, 3> m{};
  for (int a = 0; a < vertices; ++a)
    for (int d = 0; d < 3; ++d) m[d] += cell->GetPoints()->GetPoint(a)[d] / vertices;
  return m;
}

/// Fields that a reader can check from the geometry alone: node fields are functions of the
/// position, cell fields of the middle of the cell's vertices.
std::vector<VtkField> fields_of(const Mesh& mesh) {
  VtkField plane{"plane", 2, VtkField::On::nodes, {}}, scalar{"x + 2y", 1, VtkField::On::nodes, {}},
      tensor{"tensor", 9, VtkField::On::cells, {}};
  for (int n = 0; n < mesh.node_total(); ++n) {
    const double* x = &mesh.coordinates[n * mesh.dim];
    plane.values.insert(plane.values.end(), {x[1], -x[0]});
    scalar.values.push_back(x[0] + 2 * x[1]);
  }
  for (const CellBlock& block : mesh.cells) {
    const int vertices = vertex_count(block.type.shape), n = node_count(block.type);
    for (int c = 0; c < block.count(); ++c) {
      double middle = 0;
      for (int a = 0; a < vertices; ++a)
        middle += mesh.coordinates[block.nodes[c * n + a] * mesh.dim] / vertices;
      for (int k = 0; k < 9; ++k) tensor.values.push_back(middle + k);
    }
  }
  return {plane, scalar, tensor};
}

void expect_fields(vtkUnstructuredGrid* grid) {
  vtkDataArray* plane = grid->GetPointData()->GetArray("plane");
  vtkDataArray* scalar = grid->GetPointData()->GetArray("x + 2y");
  vtkDataArray* tensor = grid->GetCellData()->GetArray("tensor");
  ASSERT_TRUE(plane && scalar && tensor);
  ASSERT_EQ(plane->GetNumberOfComponents(), 3);
  ASSERT_EQ(tensor->GetNumberOfComponents(), 9);
  for (vtkIdType n = 0; n < grid->GetNumberOfPoints(); ++n) {
    const double* x = grid->GetPoint(n);
    EXPECT_EQ(plane->GetComponent(n, 0), x[1]);  // nothing is computed on the way
    EXPECT_EQ(plane->GetComponent(n, 1), -x[0]);
    EXPECT_EQ(plane->GetComponent(n, 2), 0.0);
    EXPECT_EQ(scalar->GetComponent(n, 0), x[0] + 2 * x[1]);
  }
  for (vtkIdType c = 0; c < grid->GetNumberOfCells(); ++c)
    for (int k = 0; k < 9; ++k)  // the middle is summed in the same order
      EXPECT_NEAR(tensor->GetComponent(c, k), middle_of(grid, c)[0] + k, 1e-14);
}

struct CellCase {
  Shape shape;
  int order, vtk_type, cells;
};
void PrintTo(const CellCase& c, std::ostream* out) { *out << name_of(c.shape) << ' ' << c.order; }

class VtkWriterCells : public testing::TestWithParam<CellCase> {};

TEST_P(VtkWriterCells, ReadBackWithItsCurvedGeometryAndFields) {
  const auto [shape, order, vtk_type, cells] = GetParam();
  const test::ScratchFolder folder;
  const Mesh mesh = bent_mesh(shape, order);
  const auto file = write_vtk(folder / "mesh.0.5", mesh, fields_of(mesh), MPI_COMM_SELF);
  EXPECT_EQ(file, folder / "mesh.0.5.vtu");
  const Grid grid = read(file);
  ASSERT_EQ(grid->GetNumberOfCells(), cells);
  EXPECT_EQ(grid->GetNumberOfPoints(), mesh.node_total());
  for (int c = 0; c < cells; ++c) ASSERT_EQ(grid->GetCellType(c), vtk_type);
  expect_fields(grid);
  const Volume v = volume_of(grid);
  EXPECT_GT(v.smallest_jacobian, 0.0);  // no cell is twisted
  const double exact = mesh.dim == 2 ? bent_area : bent_volume;
  if (order == 2)
    EXPECT_NEAR(v.total, exact, 1e-12);  // Gauss points are given to 15 digits
  else
    EXPECT_NEAR(v.total, exact, 0.05);  // straight cells: O(h²), h = 1/2
}

INSTANTIATE_TEST_SUITE_P(
    All, VtkWriterCells,
    testing::Values(CellCase{Shape::triangle, 1, 5, 12}, CellCase{Shape::triangle, 2, 22, 12},
                    CellCase{Shape::quadrilateral, 1, 9, 6}, CellCase{Shape::quadrilateral, 2, 28, 6},
                    CellCase{Shape::tetrahedron, 1, 10, 72}, CellCase{Shape::tetrahedron, 2, 24, 72},
                    CellCase{Shape::hexahedron, 1, 12, 12}, CellCase{Shape::hexahedron, 2, 29, 12}));

/// 6 × 5 squares of which every second one is two triangles; bent.
Mesh mixed_mesh() {
  Mesh mesh = make_rectangle(0, 0, 1, 1, 6, 5, Shape::quadrilateral, 2);
  const std::vector<int> squares = std::move(mesh.cells[0].nodes);
  CellBlock quadrilaterals{{Shape::quadrilateral, 2}, {}}, triangles{{Shape::triangle, 2}, {}};
  for (int c = 0; c < 30; ++c) {
    const int* n = &squares[9 * c];
    if (c % 2 == 0)
      quadrilaterals.nodes.insert(quadrilaterals.nodes.end(), n, n + 9);
    else
      triangles.nodes.insert(triangles.nodes.end(), {n[0], n[1], n[2], n[4], n[5], n[8],  //
                                                     n[0], n[2], n[3], n[8], n[6], n[7]});
  }
  mesh.cells = {quadrilaterals, triangles};
  for (Region& region : mesh.regions)
    if (region.dim == 2) {
      region.members.assign(2, std::vector<int>(15));
      region.members[1].resize(30);
      for (auto& members : region.members) std::iota(members.begin(), members.end(), 0);
    }
  complete_serial(mesh);
  bend(mesh);
  return mesh;
}

// On several ranks: pieces that hold each cell once and the values of ghost nodes.
TEST(VtkWriter, RanksWriteTheirOwnCells) {
  const test::ScratchFolder folder(true);
  const Mesh mesh = distribute(mixed_mesh(), PETSC_COMM_WORLD);
  int ranks = 1;
  MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
  const auto file = write_vtk(folder / "a <b>", mesh, fields_of(mesh), PETSC_COMM_WORLD);
  EXPECT_EQ(file, folder / (ranks == 1 ? "a <b>.vtu" : "a <b>.pvtu"));
  const Grid grid = read(file);
  ASSERT_EQ(grid->GetNumberOfCells(), 45);
  EXPECT_NEAR(volume_of(grid).total, bent_area, 1e-12);
  expect_fields(grid);
  vtkDataArray* region = grid->GetCellData()->GetArray("region");
  ASSERT_TRUE(region);
  for (int c = 0; c < 45; ++c) EXPECT_EQ(region->GetComponent(c, 0), 0);
}

TEST(VtkWriter, NamesTheRegionOfEachCell) {
  const test::ScratchFolder folder;
  Mesh mesh = make_rectangle(0, 0, 3, 1, 3, 1, Shape::quadrilateral);
  mesh.regions[0].members[0] = {1};
  Region second{"second", 2, {{1, 2}}, {}};  // shares a cell with the first
  mesh.regions.push_back(second);
  const int position = static_cast<int>(mesh.regions.size()) - 1;
  const Grid grid = read(write_vtk(folder / "mesh", mesh, {}, MPI_COMM_SELF));
  vtkDataArray* region = grid->GetCellData()->GetArray("region");
  auto* names =
      vtkStringArray::SafeDownCast(grid->GetFieldData()->GetAbstractArray("region_names"));
  ASSERT_TRUE(region && names);
  for (int c = 0; c < 3; ++c) {
    const double x = middle_of(grid, c)[0];
    EXPECT_EQ(region->GetComponent(c, 0), x < 1 ? -1 : x < 2 ? 0 : position) << x;
  }
  EXPECT_EQ(names->GetValue(0), "body");
  EXPECT_EQ(names->GetValue(position), "second");
}

TEST(VtkWriter, ThrowsWhereAFileCannotBeWritten) {
  const test::ScratchFolder folder;
  const Mesh mesh = bent_mesh(Shape::triangle, 1);
  EXPECT_THROW(write_vtk(folder / "nowhere/mesh", mesh, {}, MPI_COMM_SELF), VtkError);
}

TEST(VtkWriter, ThrowsWhereAFieldHasTheWrongLength) {
  const test::ScratchFolder folder;
  const Mesh mesh = bent_mesh(Shape::triangle, 1);
  const VtkField short_field{"f", 1, VtkField::On::nodes,
                             std::vector<double>(mesh.node_total() - 1)};
  const VtkField nodes_for_cells{"f", 1, VtkField::On::cells,
                                 std::vector<double>(mesh.node_total() + 1)};
  EXPECT_THROW(write_vtk(folder / "mesh", mesh, {&short_field, 1}, MPI_COMM_SELF), VtkError);
  EXPECT_THROW(write_vtk(folder / "mesh", mesh, {&nodes_for_cells, 1}, MPI_COMM_SELF), VtkError);
  EXPECT_EQ(folder.file_count(), 0);
}

// One rank's failure reaches the others, which would otherwise wait or believe in the files.
TEST(VtkWriter, AFailureOfOneRankIsEveryRanksFailure) {
  const test::ScratchFolder folder(true);
  const Mesh mesh = distribute(make_rectangle(0, 0, 1, 1, 6, 5, Shape::triangle), PETSC_COMM_WORLD);
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  const VtkField field{"f", 1, VtkField::On::nodes,
                       std::vector<double>(mesh.node_total() - (rank == 0 ? 1 : 0))};
  EXPECT_THROW(write_vtk(folder / "mesh", mesh, {&field, 1}, PETSC_COMM_WORLD), VtkError);
  EXPECT_FALSE(std::filesystem::exists(folder / "mesh.pvtu"));
}

// First-order functions are linear on straight simplices and multilinear on straight boxes.
TEST(InterpolateVertices, ReproducesFirstOrderFunctions) {
  for (const Shape shape :
       {Shape::triangle, Shape::quadrilateral, Shape::tetrahedron, Shape::hexahedron}) {
    const Mesh mesh = dimension_of(shape) == 2
                          ? make_rectangle(0, 0, 2, 1, 3, 2, shape, 2)
                          : make_box({0, 0, 0}, {1, 2, 1}, {2, 1, 2}, shape, 2);
    const bool box = shape == Shape::quadrilateral || shape == Shape::hexahedron;
    const auto f = [&](const double* x) {
      const double z = mesh.dim == 3 ? x[2] : 0.5;
      return 1 + x[0] - 2 * x[1] + 3 * z + (box ? x[0] * x[1] * z : 0.0);
    };
    std::vector<double> values(mesh.node_total(), std::nan(""));
    const CellBlock& block = mesh.cells[0];
    for (int c = 0; c < block.count(); ++c)
      for (int a = 0; a < vertex_count(shape); ++a) {
        const int node = block.nodes[c * node_count(block.type) + a];
        values[node] = f(&mesh.coordinates[node * mesh.dim]);
      }
    const std::vector<double> all = interpolate_vertices_to_nodes(mesh, values);
    for (int n = 0; n < mesh.node_total(); ++n)
      EXPECT_NEAR(all[n], f(&mesh.coordinates[n * mesh.dim]), 1e-13)
          << name_of(shape) << " node " << n;
  }
}

}  // namespace
}  // namespace invar
