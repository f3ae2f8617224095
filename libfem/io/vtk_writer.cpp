#include "libfem/io/vtk_writer.hpp"

#include <vtkCellData.h>
#include <vtkCellType.h>
#include <vtkDoubleArray.h>
#include <vtkErrorCode.h>
#include <vtkFieldData.h>
#include <vtkIntArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkStringArray.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLUnstructuredGridWriter.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>

#include "libfem/io/double_points.hpp"
#include "libfem/io/replace_file.hpp"
#include "libfem/io/vtk_error.hpp"
#include "libfem/mesh/reference_element.hpp"

namespace invar {
namespace {

int vtk_cell_type(CellType type) {
  const bool second = type.order == 2;
  switch (type.shape) {
    case Shape::point: return VTK_VERTEX;
    case Shape::segment: return second ? VTK_QUADRATIC_EDGE : VTK_LINE;
    case Shape::triangle: return second ? VTK_QUADRATIC_TRIANGLE : VTK_TRIANGLE;
    case Shape::quadrilateral: return second ? VTK_BIQUADRATIC_QUAD : VTK_QUAD;
    case Shape::tetrahedron: return second ? VTK_QUADRATIC_TETRA : VTK_TETRA;
    default: return second ? VTK_TRIQUADRATIC_HEXAHEDRON : VTK_HEXAHEDRON;
  }
}

int written_components(const VtkField& field) {
  return field.components == 2 ? 3 : field.components;
}

/// The owned cells of a rank, the facets that bound none, and the local nodes that they touch.
struct Piece {
  struct Drawn {
    const CellBlock* block;
    int entity;    // of the block
    int cell;      // position among the rank's cells; −1: a facet without cells
    int position;  // of such a facet, among the rank's facets
  };
  std::vector<Drawn> drawn;  // one for each VTK cell
  std::vector<int> nodes;    // local number of each point
  std::vector<int> point;    // of each local node, −1 without

  explicit Piece(const Mesh& mesh) : point(mesh.node_total(), -1) {
    std::vector<char> has_cell(mesh.node_total(), 0);
    int first = 0;
    for (const CellBlock& block : mesh.cells) {
      for (const int node : block.nodes) has_cell[node] = 1;
      for (int c = 0; c < block.n_owned; ++c) drawn.push_back({&block, c, first + c, -1});
      first += block.count();
    }
    first = 0;
    for (const CellBlock& block : mesh.facets) {
      for (int f = 0; f < block.n_owned; ++f)
        if (!has_cell[block.nodes[std::size_t(f) * node_count(block.type)]]) drawn.push_back({&block, f, -1, first + f});
      first += block.count();
    }
    for (const Drawn& d : drawn)
      for (const int node : nodes_of(d)) point[node] = 0;
    for (int node = 0; node < mesh.node_total(); ++node)
      if (point[node] == 0) {
        point[node] = static_cast<int>(nodes.size());
        nodes.push_back(node);
      }
  }
  static std::span<const int> nodes_of(const Drawn& d) {
    const std::size_t n = node_count(d.block->type);
    return {d.block->nodes.data() + d.entity * n, n};
  }
};

void add_geometry(const Mesh& mesh, const Piece& piece, vtkUnstructuredGrid* grid) {
  const DoublePoints points;
  points->SetNumberOfPoints(static_cast<vtkIdType>(piece.nodes.size()));
  for (std::size_t i = 0; i < piece.nodes.size(); ++i) {
    double x[3] = {};
    std::copy_n(&mesh.coordinates[std::size_t(piece.nodes[i]) * mesh.dim], mesh.dim, x);
    points->SetPoint(static_cast<vtkIdType>(i), x);
  }
  grid->SetPoints(points);
  grid->Allocate(static_cast<vtkIdType>(piece.drawn.size()));
  for (const Piece::Drawn& d : piece.drawn) {
    std::vector<vtkIdType> ids;
    for (const int node : Piece::nodes_of(d)) ids.push_back(piece.point[node]);
    grid->InsertNextCell(vtk_cell_type(d.block->type), static_cast<vtkIdType>(ids.size()), ids.data());
  }
}

/// For each entity of these blocks the first region of that dimension that contains it; −1: none.
std::vector<int> first_regions(const Mesh& mesh, const std::vector<CellBlock>& blocks, int dim) {
  std::vector<int> first{0};
  for (const CellBlock& block : blocks) first.push_back(first.back() + block.count());
  std::vector<int> region(first.back(), -1);
  for (std::size_t r = 0; r < mesh.regions.size(); ++r) {
    if (mesh.regions[r].dim != dim) continue;
    for (std::size_t b = 0; b < mesh.regions[r].members.size(); ++b)
      for (const int member : mesh.regions[r].members[b])
        if (int& of_entity = region[first[b] + member]; of_entity < 0) of_entity = static_cast<int>(r);
  }
  return region;
}

void add_regions(const Mesh& mesh, const Piece& piece, vtkUnstructuredGrid* grid) {
  const std::vector<int> of_cells = first_regions(mesh, mesh.cells, mesh.dim), of_facets = first_regions(mesh, mesh.facets, mesh.dim - 1);
  vtkNew<vtkStringArray> names;
  names->SetName("region_names");
  for (const Region& region : mesh.regions) names->InsertNextValue(region.name);
  vtkNew<vtkIntArray> array;
  array->SetName("region");
  for (const Piece::Drawn& d : piece.drawn) array->InsertNextValue(d.cell >= 0 ? of_cells[d.cell] : of_facets[d.position]);
  grid->GetCellData()->AddArray(array);
  if (!mesh.regions.empty()) grid->GetFieldData()->AddArray(names);
}

void add_field(const VtkField& field, const Mesh& mesh, const Piece& piece,
               vtkUnstructuredGrid* grid) {
  const bool on_nodes = field.on == VtkField::On::nodes;
  std::size_t entities = mesh.node_total();
  if (!on_nodes) {
    entities = 0;
    for (const CellBlock& block : mesh.cells) entities += block.count();
  }
  if (field.components < 1 || field.values.size() != entities * field.components)
    throw VtkError("field '" + field.name + "' has " + std::to_string(field.values.size()) +
                   " values, not " + std::to_string(entities) + (on_nodes ? " nodes" : " cells") +
                   " times " + std::to_string(field.components) + " components");
  std::vector<int> source = piece.nodes;
  if (!on_nodes) {
    source.clear();
    for (const Piece::Drawn& d : piece.drawn) source.push_back(d.cell);
  }
  vtkNew<vtkDoubleArray> array;
  array->SetName(field.name.c_str());
  array->SetNumberOfComponents(written_components(field));
  array->SetNumberOfTuples(static_cast<vtkIdType>(source.size()));
  array->Fill(0.0);
  for (std::size_t i = 0; i < source.size(); ++i)
    if (source[i] < 0) std::fill_n(array->GetPointer(static_cast<vtkIdType>(i) * array->GetNumberOfComponents()), array->GetNumberOfComponents(), std::nan(""));
    else std::copy_n(&field.values[std::size_t(source[i]) * field.components], field.components,
                array->GetPointer(static_cast<vtkIdType>(i) * array->GetNumberOfComponents()));
  if (on_nodes)
    grid->GetPointData()->AddArray(array);
  else
    grid->GetCellData()->AddArray(array);
}

/// The file is serialised in memory and written by own code, because VTK does not report failed writes reliably.
std::string serialised(vtkUnstructuredGrid* grid) {
  vtkNew<vtkXMLUnstructuredGridWriter> writer;
  writer->SetInputData(grid);
  writer->SetDataModeToAppended();
  writer->EncodeAppendedDataOff();
  writer->SetCompressorTypeToLZ4();
  writer->SetHeaderTypeToUInt64();
  writer->WriteToOutputStringOn();
  if (!writer->Write() || writer->GetErrorCode() != vtkErrorCode::NoError)
    throw VtkError(std::string("VTK cannot write the mesh: ") +
                   vtkErrorCode::GetStringFromErrorCode(writer->GetErrorCode()));
  return writer->GetOutputString();
}

void write_piece(const std::filesystem::path& file, const Mesh& mesh,
                 std::span<const VtkField> fields) {
  const Piece piece(mesh);
  vtkNew<vtkUnstructuredGrid> grid;
  add_geometry(mesh, piece, grid);
  add_regions(mesh, piece, grid);
  for (const VtkField& field : fields) add_field(field, mesh, piece, grid);
  replace_file(file, serialised(grid));
}

std::string declarations(std::span<const VtkField> fields, VtkField::On on) {
  std::string xml;
  for (const VtkField& field : fields)
    if (field.on == on)
      xml += "      <PDataArray type=\"Float64\" Name=\"" + xml_escaped(field.name) +
             "\" NumberOfComponents=\"" + std::to_string(written_components(field)) + "\"/>\n";
  return xml;
}

/// The .pvtu file: content and names of the pieces.
std::string index_of_pieces(const std::string& stem_name, int ranks,
                            std::span<const VtkField> fields) {
  std::string xml =
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"PUnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" "
      "header_type=\"UInt64\">\n"
      "  <PUnstructuredGrid GhostLevel=\"0\">\n    <PPointData>\n" +
      declarations(fields, VtkField::On::nodes) +
      "    </PPointData>\n    <PCellData>\n"
      "      <PDataArray type=\"Int32\" Name=\"region\"/>\n" +
      declarations(fields, VtkField::On::cells) +
      "    </PCellData>\n    <PPoints>\n"
      "      <PDataArray type=\"Float64\" Name=\"Points\" NumberOfComponents=\"3\"/>\n    "
      "</PPoints>\n";
  for (int rank = 0; rank < ranks; ++rank)
    xml += "    <Piece Source=\"" + xml_escaped(stem_name + "_" + std::to_string(rank) + ".vtu") +
           "\"/>\n";
  return xml + "  </PUnstructuredGrid>\n</VTKFile>\n";
}

/// Runs `action` on this rank; if it throws VtkError on any rank, all ranks throw.
template <class F>
void on_all_ranks(MPI_Comm comm, F&& action) {
  std::string failure;
  try {
    action();
  } catch (const VtkError& e) {
    failure = e.what();
  }
  int failed = failure.empty() ? 0 : 1;
  MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, comm);
  if (failed)
    throw VtkError(failure.empty() ? "another rank could not write its part of the mesh" : failure);
}

}  // namespace

std::filesystem::path write_vtk(const std::filesystem::path& stem, const Mesh& mesh,
                                std::span<const VtkField> fields, MPI_Comm comm) {
  int rank = 0, ranks = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  const auto named = [&](const std::string& end) {
    return stem.parent_path() / (stem.filename().string() + end);
  };
  if (ranks == 1) {
    write_piece(named(".vtu"), mesh, fields);
    return named(".vtu");
  }
  on_all_ranks(comm,
               [&] { write_piece(named("_" + std::to_string(rank) + ".vtu"), mesh, fields); });
  on_all_ranks(comm, [&] {
    if (rank == 0)
      replace_file(named(".pvtu"), index_of_pieces(stem.filename().string(), ranks, fields));
  });
  return named(".pvtu");
}

std::vector<double> interpolate_vertices_to_nodes(const Mesh& mesh, std::vector<double> values) {
  for (const CellBlock& block : mesh.cells) {
    const CellType linear{block.type.shape, 1};
    const int n = node_count(block.type), vertices = node_count(linear),
              dim = dimension_of(block.type.shape);
    const std::vector<double> xi = reference_nodes(block.type);
    std::vector<double> N(std::size_t(n) * vertices);
    for (int a = vertices; a < n; ++a) shape_values(linear, &xi[a * dim], &N[a * vertices]);
    for (int c = 0; c < block.count(); ++c) {
      const int* nodes = &block.nodes[std::size_t(c) * n];
      for (int a = vertices; a < n; ++a) {
        double sum = 0;
        for (int v = 0; v < vertices; ++v) sum += N[a * vertices + v] * values[nodes[v]];
        values[nodes[a]] = sum;
      }
    }
  }
  return values;
}

}  // namespace invar
