#include <algorithm>
#include <array>
#include <cmath>

#include "apps/invar/problem/case_model.hpp"
#include "libadjoint/number_text.hpp"
#include "libfem/mesh/boxes.hpp"
#include "libfem/mesh/carve_box.hpp"
#include "libfem/mesh/cell_quality.hpp"
#include "libfem/mesh/distribute.hpp"
#include "libfem/mesh/cut_out.hpp"
#include "libfem/mesh/grid.hpp"
#include "libfem/mesh/grid_spacing.hpp"
#include "libfem/mesh/mesh_error.hpp"
#include "libfem/mesh/read_gmsh.hpp"
#include "libfem/mesh/refine.hpp"
#include "libfem/mesh/second_order.hpp"
#include "libfem/mesh/unite_regions.hpp"
#include "libfem/space/expression.hpp"

namespace invar {
namespace {

/// A convex figure whose corners go round counterclockwise has cells of positive area only.
void require_convex(const std::vector<std::vector<double>>& c) {
  for (int i = 0; i < 4; ++i) {
    const auto &a = c[i], &b = c[(i + 1) % 4], &d = c[(i + 2) % 4];
    if (!((b[0] - a[0]) * (d[1] - b[1]) - (b[1] - a[1]) * (d[0] - b[0]) > 0))
      throw std::invalid_argument("the corners must go round a convex figure counterclockwise: left bottom, right "
                                  "bottom, right top, left top");
  }
}

/// Numbers of nodes must fit their type.
void require_countable(const std::vector<double>& cells, int order) {
  double nodes = 1;
  for (double n : cells) nodes *= order * n + 1;
  if (nodes > 2e9 / static_cast<double>(cells.size()))
    throw std::invalid_argument("so many cells have more unknowns than can be counted; give fewer");
}

/// The unit square pulled onto four corners (bilinear).
void map_to_patch(Mesh& mesh, const std::vector<std::vector<double>>& corners) {
  for (std::size_t n = 0; n + 1 < mesh.coordinates.size(); n += 2) {
    const double s = mesh.coordinates[n], t = mesh.coordinates[n + 1];
    const double weight[4] = {(1 - s) * (1 - t), s * (1 - t), s * t, (1 - s) * t};
    for (int i = 0; i < 2; ++i) {
      mesh.coordinates[n + i] = 0;
      for (int c = 0; c < 4; ++c) mesh.coordinates[n + i] += weight[c] * corners[c][i];
    }
  }
}

/// Crowds the cells of [from, to] at both ends of axis i: those in the middle are about `ratio` times longer.
/// x = tanh(g s) / tanh(g) for s, x in [−1, 1], whose slope falls by cosh² g from the middle to the ends.
void grade(Mesh& mesh, int i, double from, double to, double ratio) {
  if (ratio == 1) return;
  const double g = std::acosh(std::sqrt(ratio)), middle = 0.5 * (from + to), half = 0.5 * (to - from);
  for (std::size_t n = i; n < mesh.coordinates.size(); n += mesh.dim)
    mesh.coordinates[n] = middle + half * std::tanh(g * (mesh.coordinates[n] - middle) / half) / std::tanh(g);
}

/// A rectangle or box of first order, graded along every axis.
Mesh graded(Mesh mesh, const std::vector<double>& from, const std::vector<double>& to, const std::vector<double>& ratios) {
  for (int i = 0; i < mesh.dim; ++i) grade(mesh, i, from[i], to[i], ratios[i]);
  return mesh;
}

Shape shape_of(const std::string& word) {
  if (word == "triangle") return Shape::triangle;
  if (word == "quadrilateral") return Shape::quadrilateral;
  return word == "tetrahedron" ? Shape::tetrahedron : Shape::hexahedron;
}

/// A part of a grid's axis, and the names that it gives to parts of sides.
struct GridPart {
  double from, to;
  const spec::Value* section;
};

/// The lines of one axis.
std::vector<double> grid_lines(double from, const spec::Value& sections, std::vector<GridPart>& parts) {
  std::vector<double> lines{from};
  for (const spec::Value& s : sections) {
    const auto length = [&](const char* key) { return s.has(key) ? s[key].number() : 0.0; };
    const double begin = lines.back(), to = s["to"].number();
    const std::vector<double> more = grid_points(begin, to, static_cast<int>(s["cells"].integer()), length("first"), length("last"));
    lines.insert(lines.end(), more.begin() + 1, more.end());
    parts.push_back({begin, to, &s});
  }
  return lines;
}

void deform(Mesh& mesh, const spec::Value& grid) {
  std::array<std::unique_ptr<Expression>, 2> formula;
  for (int i = 0; i < 2; ++i)
    if (const spec::Value* f = grid.find(i ? "y" : "x")) formula[i] = std::make_unique<Expression>(f->text());
  for (std::size_t n = 0; n < mesh.coordinates.size(); n += 2) {
    const double x = mesh.coordinates[n], y = mesh.coordinates[n + 1];
    for (int i = 0; i < 2; ++i)
      if (formula[i] && !std::isfinite(mesh.coordinates[n + i] = (*formula[i])(x, y, 0, 0)))
        throw std::invalid_argument("the formula '" + formula[i]->formula() + "' has no finite value at (" + number_text(x) + ", " + number_text(y) + ")");
  }
}

Mesh grid_mesh(const spec::Value& grid, int order) {
  const auto from = grid["from"].numbers();
  std::array<std::vector<GridPart>, 2> parts;
  const std::vector<double> x = grid_lines(from[0], grid["columns"], parts[0]), y = grid_lines(from[1], grid["rows"], parts[1]);
  require_countable({double(x.size() - 1), double(y.size() - 1)}, order);
  Mesh mesh = make_grid(x, y, shape_of(grid["shape"].text()));
  for (int axis = 0; axis < 2; ++axis)
    for (const GridPart& part : parts[axis])
      for (const char* side : {axis ? "left" : "bottom", axis ? "right" : "top"})
        if (const spec::Value* name = part.section->find(side)) add_side_part(mesh, name->text(), side, part.from, part.to);
  if (const spec::Value* boxes = grid.find("without"))
    for (const spec::Value& box : *boxes) cut_out(mesh, box["name"].text(), box["from"].numbers(), box["to"].numbers());
  deform(mesh, grid);
  const std::vector<double> quality = scaled_jacobians(mesh, 0);
  if (const auto bad = std::ranges::find_if(quality, [](double q) { return !(q > 0); }); bad != quality.end()) {
    const CellBlock& cells = mesh.cells[0];
    const double* at = &mesh.coordinates[2 * std::size_t(cells.nodes[(bad - quality.begin()) * node_count(cells.type)])];
    throw std::invalid_argument("the formulas of the grid turn the cell at (" + number_text(at[0]) + ", " + number_text(at[1]) + ") inside out");
  }
  return mesh;
}

/// The mesh as it is given: of first order where it is built in. `order` is what it will be used at.
Mesh serial_mesh(const spec::Value& section, int order) {
  if (const spec::Value* file = section.find("file")) return read_gmsh(file->file().string());
  if (const spec::Value* r = section.find("rectangle")) {
    const auto from = (*r)["from"].numbers(), to = (*r)["to"].numbers(), n = (*r)["cells"].numbers();
    require_countable(n, order);
    Mesh mesh = make_rectangle(from[0], from[1], to[0], to[1], int(n[0]), int(n[1]), shape_of((*r)["shape"].text()));
    return graded(std::move(mesh), from, to, (*r)["grading"].numbers());
  }
  if (const spec::Value* p = section.find("patch")) {
    const auto n = (*p)["cells"].numbers();
    require_countable(n, order);
    std::vector<std::vector<double>> corners;
    for (const spec::Value& corner : (*p)["corners"]) corners.push_back(corner.numbers());
    require_convex(corners);
    Mesh mesh = make_rectangle(0, 0, 1, 1, int(n[0]), int(n[1]), shape_of((*p)["shape"].text()));
    mesh = graded(std::move(mesh), {0, 0}, {1, 1}, (*p)["grading"].numbers());
    map_to_patch(mesh, corners);
    return mesh;
  }
  if (const spec::Value* grid = section.find("grid")) return grid_mesh(*grid, order);
  const spec::Value& b = section["box"];
  const auto from = b["from"].numbers(), to = b["to"].numbers(), n = b["cells"].numbers();
  require_countable(n, order);
  Mesh mesh = make_box({from[0], from[1], from[2]}, {to[0], to[1], to[2]}, {int(n[0]), int(n[1]), int(n[2])},
                       shape_of(b["shape"].text()));
  return graded(std::move(mesh), from, to, b["grading"].numbers());
}

/// Cells that the spec takes away.
void carve(Mesh& mesh, const spec::Value& hole, Diagnostics& diagnostics) {
  const auto from = hole["from"].numbers(), to = hole["to"].numbers();
  try {
    if (int(from.size()) != mesh.dim || int(to.size()) != mesh.dim)
      throw std::invalid_argument("the mesh has " + std::to_string(mesh.dim) + " coordinates; give as many numbers in 'from' and 'to'");
    carve_box(mesh, hole.key, from, to);
  } catch (const std::invalid_argument& e) {
    diagnostics.error(hole.position, hole.yaml_path, e.what());
  }
}

/// A region that the spec makes of others.
void add_union(Mesh& mesh, const spec::Value& parts, Diagnostics& diagnostics) {
  try {
    unite_regions(mesh, parts.key, parts.texts());
  } catch (const std::invalid_argument& e) {
    diagnostics.error(parts.position, parts.yaml_path, e.what());
  }
}

}  // namespace

std::shared_ptr<const Mesh> build_mesh(const spec::Value& section, int order, MPI_Comm comm, MeshCache& cache,
                                       Diagnostics& diagnostics) {
  const std::string key = section.yaml_path + " order " + std::to_string(order);
  if (const auto known = cache.find(key); known != cache.end()) return known->second;
  std::shared_ptr<const Mesh> mesh;
  const spec::Value* file = section.find("file");
  const spec::Value& place = file ? *file : section;
  try {
    Mesh serial = serial_mesh(section, order);
    if (const spec::Value* holes = section.find("holes"))
      for (const spec::Value& h : *holes) carve(serial, h, diagnostics);
    if (const spec::Value* regions = section.find("regions"))
      for (const spec::Value& r : *regions) add_union(serial, r, diagnostics);
    for (int level = 0; level < section["refine"].integer(); ++level) serial = refine(serial);
    if (order == 2) serial = to_second_order(serial);
    mesh = std::make_shared<const Mesh>(distribute(serial, comm));
  } catch (const MeshError& e) {
    diagnostics.error(place.position, place.yaml_path, e.what());
  } catch (const ExpressionError& e) {
    diagnostics.error(place.position, place.yaml_path, e.what());
  } catch (const std::invalid_argument& e) {
    diagnostics.error(place.position, place.yaml_path, e.what());
  }
  return cache[key] = mesh;
}

}  // namespace invar
