#include "libfem/mesh/read_surface.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "libfem/mesh/surface_files.hpp"

namespace invar {
namespace {

constexpr double no_size = 1e-12;  // relative area of a facet, or length of a segment, below which it is degenerate

struct SurfaceFormat {
  const char* suffix;
  GmshFile (*parse)(GmshScanner& scanner);
};
constexpr SurfaceFormat surface_formats[] = {{".obj", &parse_obj}, {".stl", &parse_stl}, {".msh", &parse_gmsh}};

const SurfaceFormat& format_of(const std::string& path) {
  std::string name = path.ends_with(".gz") ? path.substr(0, path.size() - 3) : path;
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : char(c); });
  for (const SurfaceFormat& format : surface_formats)
    if (name.ends_with(format.suffix)) return format;
  throw MeshError(path + ": a surface is read from a file .obj, .stl or .msh, plain or .gz");
}

class SurfaceMesh {
 public:
  SurfaceMesh(GmshScanner& scanner, GmshFile file) : scanner_(scanner), file_(std::move(file)) {
    std::erase_if(file_.elements, [](const GmshFile::Elements& e) { return e.count() == 0; });
  }

  Mesh build() {
    find_dimension();
    for (GmshFile::Elements& elements : file_.elements) {
      if (dimension_of(elements.type.shape) != mesh_.dim - 1) continue;
      merge_repeated(file_, elements);
      add_facets(elements);
    }
    if (mesh_.facets.empty()) scanner_.fail("all facets of the file are degenerate");
    number_nodes();
    for (auto& [name, region] : regions_) {
      region.members.resize(mesh_.facets.size());
      mesh_.regions.push_back(std::move(region));
    }
    complete_serial(mesh_);
    return std::move(mesh_);
  }

 private:
  void find_dimension() {
    int dim = 0;
    for (const GmshFile::Elements& elements : file_.elements) dim = std::max(dim, dimension_of(elements.type.shape));
    if (dim < 1) scanner_.fail("the file has no facets");
    if (dim == 3) scanner_.fail("the file has cells, which a surface must not have; use it as 'file' of a body");
    mesh_.dim = dim + 1;
    int order = 0;
    for (const GmshFile::Elements& elements : file_.elements) {
      if (dimension_of(elements.type.shape) != dim) continue;
      if (order != 0 && elements.type.order != order) scanner_.fail_at(elements.place[0], "facets of first and second order in one surface");
      order = elements.type.order;
    }
  }

  void add_facets(const GmshFile::Elements& elements) {
    CellBlock block{elements.type, {}, 0};
    const std::size_t n = node_count(elements.type);
    for (std::size_t e = 0; e < elements.count(); ++e) {
      const int* nodes = elements.nodes.data() + e * n;
      require_finite(nodes, n, elements.place[e]);
      if (!has_size(elements.type.shape, nodes)) continue;
      for (const int tag : file_.group_sets[elements.groups[e]])
        if (std::vector<int>& members = region(tag); members.empty() || members.back() != block.count()) members.push_back(block.count());
      block.nodes.insert(block.nodes.end(), nodes, nodes + n);
    }
    if (!block.nodes.empty()) mesh_.facets.push_back(std::move(block));
  }

  /// Members of a group's region in the next block.
  std::vector<int>& region(int tag) {
    const auto named = file_.group_names.find({mesh_.dim - 1, tag});
    const std::string name = named == file_.group_names.end() || named->second.empty() ? std::to_string(tag) : named->second;
    Region& of = regions_[name];
    of.name = name;
    of.dim = mesh_.dim - 1;
    of.members.resize(mesh_.facets.size() + 1);
    return of.members.back();
  }

  void require_finite(const int* nodes, std::size_t n, std::size_t place) const {
    for (std::size_t a = 0; a < n; ++a)
      for (int i = 0; i < 3; ++i)
        if (!std::isfinite(file_.coordinates[std::size_t(nodes[a]) * 3 + i])) scanner_.fail_at(place, "a coordinate of this facet is not finite");
  }

  /// Whether the facet through these corners is not degenerate.
  bool has_size(Shape shape, const int* nodes) const {
    const auto x = [&](int a, int i) { return file_.coordinates[std::size_t(nodes[a]) * 3 + i]; };
    const auto between = [&](int a, int b) { return std::array{x(b, 0) - x(a, 0), x(b, 1) - x(a, 1), x(b, 2) - x(a, 2)}; };
    const auto length = [](const std::array<double, 3>& d) { return std::hypot(d[0], d[1], d[2]); };
    const int corners = vertex_count(shape);
    double box = 0;
    for (int a = 0; a < corners; ++a)
      for (int b = 0; b < a; ++b) box = std::max(box, length(between(a, b)));
    if (shape == Shape::segment) return box > 0;
    const auto d = between(0, corners == 4 ? 2 : 1), e = between(corners == 4 ? 1 : 0, corners - 1);
    for (int a = 0; a < corners; ++a)
      if (nodes[a] == nodes[(a + 1) % corners]) return false;
    return length({d[1] * e[2] - d[2] * e[1], d[2] * e[0] - d[0] * e[2], d[0] * e[1] - d[1] * e[0]}) > no_size * box * box;
  }

  /// Keeps the nodes of facets, in their order; checks that a curve lies in a plane.
  void number_nodes() {
    std::vector<int> number(file_.coordinates.size() / 3, -1);
    for (const CellBlock& block : mesh_.facets)
      for (const int node : block.nodes) number[node] = 0;
    std::array<double, 3> low{}, high{};
    int count = 0;
    for (std::size_t node = 0; node < number.size(); ++node) {
      if (number[node] < 0) continue;
      const double* x = file_.coordinates.data() + 3 * node;
      for (int i = 0; i < 3; ++i) {
        low[i] = count == 0 ? x[i] : std::min(low[i], x[i]);
        high[i] = count == 0 ? x[i] : std::max(high[i], x[i]);
      }
      number[node] = count++;
      mesh_.coordinates.insert(mesh_.coordinates.end(), x, x + mesh_.dim);
    }
    if (mesh_.dim == 2 && high[2] - low[2] > 1e-9 * std::max(high[0] - low[0], high[1] - low[1]))
      scanner_.fail("curves in space; a planar obstacle is a curve of constant z, an obstacle in space needs faces");
    for (CellBlock& block : mesh_.facets)
      for (int& node : block.nodes) node = number[node];
  }

  GmshScanner& scanner_;
  GmshFile file_;
  Mesh mesh_;
  std::map<std::string, Region> regions_;
};

}  // namespace

Mesh read_surface(const std::string& path) {
  const SurfaceFormat& format = format_of(path);
  GmshScanner scanner(path, format.suffix, [](std::string_view) { return true; });
  return SurfaceMesh(scanner, format.parse(scanner)).build();
}

Mesh parse_surface(std::string content, const std::string& name) {
  GmshScanner scanner(name, std::move(content));
  return SurfaceMesh(scanner, format_of(name).parse(scanner)).build();
}

}  // namespace invar
