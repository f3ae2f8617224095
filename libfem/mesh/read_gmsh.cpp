#include "libfem/mesh/read_gmsh.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>

#include "libfem/mesh/cell_quality.hpp"
#include "libfem/mesh/facet_parents.hpp"
#include "libfem/mesh/gmsh_file.hpp"
#include "libfem/mesh/reference_element.hpp"

namespace invar {
namespace {

/// Cells with a smaller scaled Jacobian are rejected.
constexpr double flat = 1e-10;

class Builder {
 public:
  explicit Builder(GmshScanner& scanner) : scanner_(scanner), file_(parse_gmsh(scanner)) {
    std::erase_if(file_.elements, [](const Elements& e) { return e.count() == 0; });  // blocks may announce none
  }

  Mesh build(std::vector<int>* kept) {
    find_dimension();
    for (GmshFile::Elements& elements : file_.elements) merge_repeated(file_, elements);
    add_blocks();
    number_nodes();
    for (size_t i = 0; kept && i < number_.size(); ++i)
      if (number_[i] >= 0) kept->push_back(static_cast<int>(i));
    add_regions();
    orient_cells();
    orient_facets();
    complete_serial(mesh_);
    return std::move(mesh_);
  }

 private:
  using Elements = GmshFile::Elements;

  void find_dimension() {
    for (const Elements& elements : file_.elements)
      mesh_.dim = std::max(mesh_.dim, dimension_of(elements.type.shape));
    if (mesh_.dim < 2)
      scanner_.fail("the mesh has no elements of dimension 2 or 3; was only its outline meshed?");
    const Elements* first = nullptr;
    for (const Elements& elements : file_.elements) {
      if (dimension_of(elements.type.shape) < mesh_.dim - 1) continue;
      if (first && elements.type.order != first->type.order)
        scanner_.fail_at(elements.place[0],
                         "elements of first and second order in one mesh; mesh with "
                         "one Mesh.ElementOrder");
      first = &elements;
    }
  }

  void add_blocks() {
    for (const Elements& elements : file_.elements) {
      const int dim = dimension_of(elements.type.shape), n = node_count(elements.type);
      if (dim < mesh_.dim - 1) continue;
      const bool is_cell = dim == mesh_.dim;
      CellBlock block{elements.type, {}, 0};
      std::vector<size_t> kept;
      for (size_t e = 0; e < elements.count(); ++e)
        if (is_cell || !file_.group_sets[elements.groups[e]].empty()) kept.push_back(e);
      for (size_t e : kept) {
        const auto nodes = elements.nodes.begin() + e * n;
        block.nodes.insert(block.nodes.end(), nodes, nodes + n);
      }
      (is_cell ? mesh_.cells : mesh_.facets).push_back(std::move(block));
      (is_cell ? cell_sources_ : facet_sources_).push_back({&elements, std::move(kept)});
    }
  }

  /// Keeps the nodes of cells, in their order; checks that a 2-D mesh is flat.
  void number_nodes() {
    const size_t n_nodes = file_.coordinates.size() / 3;
    number_.assign(n_nodes, -1);
    for (const CellBlock& block : mesh_.cells)
      for (int node : block.nodes) number_[node] = 0;
    double low[3], high[3];
    int count = 0;
    for (size_t i = 0; i < n_nodes; ++i) {
      if (number_[i] < 0) continue;
      const double* x = file_.coordinates.data() + 3 * i;
      for (int d = 0; d < 3; ++d) {
        low[d] = count == 0 ? x[d] : std::min(low[d], x[d]);
        high[d] = count == 0 ? x[d] : std::max(high[d], x[d]);
      }
      number_[i] = count++;
      mesh_.coordinates.insert(mesh_.coordinates.end(), x, x + mesh_.dim);
    }
    if (mesh_.dim == 2 && high[2] - low[2] > 1e-9 * std::max(high[0] - low[0], high[1] - low[1]))
      scanner_.fail(
          "a mesh of surfaces in space; a 2-D mesh must have the same z everywhere, a 3-D mesh "
          "must have volume elements");
    for (CellBlock& block : mesh_.cells)
      for (int& node : block.nodes) node = number_[node];
    for (size_t b = 0; b < mesh_.facets.size(); ++b) {
      CellBlock& block = mesh_.facets[b];
      for (size_t i = 0; i < block.nodes.size(); ++i)
        if ((block.nodes[i] = number_[block.nodes[i]]) < 0)
          fail_facet(b, i / node_count(block.type));
    }
  }

  void add_regions() {
    std::map<std::pair<int, int>, Region> regions;  // (−dimension, tag): cells first
    const auto region = [&](int dim, int tag) -> Region& {
      const auto [entry, is_new] = regions.try_emplace({-dim, tag});
      if (is_new) {
        const auto name = file_.group_names.find({dim, tag});
        entry->second.name = name == file_.group_names.end() ? std::to_string(tag) : name->second;
        entry->second.dim = dim;
        if (dim >= mesh_.dim - 1)
          entry->second.members.resize((dim == mesh_.dim ? mesh_.cells : mesh_.facets).size());
      }
      return entry->second;
    };
    for (const auto* sources : {&cell_sources_, &facet_sources_})
      for (size_t b = 0; b < sources->size(); ++b) {
        const auto& [elements, kept] = (*sources)[b];
        for (size_t i = 0; i < kept.size(); ++i)
          for (int tag : file_.group_sets[elements->groups[kept[i]]])
            region(dimension_of(elements->type.shape), tag)
                .members[b]
                .push_back(static_cast<int>(i));
      }
    for (const Elements& elements : file_.elements) {
      const int dim = dimension_of(elements.type.shape), n = node_count(elements.type);
      if (dim >= mesh_.dim - 1) continue;
      for (size_t e = 0; e < elements.count(); ++e)
        for (int tag : file_.group_sets[elements.groups[e]])
          for (int a = 0; a < n; ++a)
            if (const int node = number_[elements.nodes[e * n + a]]; node >= 0)
              region(dim, tag).nodes.push_back(node);
    }
    for (auto& [key, found] : regions) add_region(std::move(found));
    for (Region& merged : mesh_.regions) {
      for (auto& members : merged.members) sort_unique(members);
      sort_unique(merged.nodes);
    }
  }

  static void sort_unique(std::vector<int>& values) {
    std::ranges::sort(values);
    values.erase(std::unique(values.begin(), values.end()), values.end());
  }

  /// Groups with the same name and dimension are merged.
  void add_region(Region&& region) {
    const auto known = std::ranges::find(mesh_.regions, region.name, &Region::name);
    if (known == mesh_.regions.end()) {
      mesh_.regions.push_back(std::move(region));
      return;
    }
    if (known->dim != region.dim)
      scanner_.fail("physical groups of dimension " + std::to_string(known->dim) + " and " +
                    std::to_string(region.dim) + " are both called '" + region.name +
                    "'; give each its own name");
    for (size_t b = 0; b < region.members.size(); ++b)
      known->members[b].insert(known->members[b].end(), region.members[b].begin(),
                               region.members[b].end());
    known->nodes.insert(known->nodes.end(), region.nodes.begin(), region.nodes.end());
  }

  void orient_cells() {
    for (size_t b = 0; b < mesh_.cells.size(); ++b) {
      CellBlock& block = mesh_.cells[b];
      const CellQuality quality(block.type);
      const auto reversed = reversed_nodes(block.type);
      const int n = node_count(block.type);
      for (int c = 0; c < block.count(); ++c) {
        int* nodes = block.nodes.data() + static_cast<size_t>(c) * n;
        const auto range = quality.at_vertices(mesh_.coordinates.data(), nodes);
        if (range.low > flat) continue;
        if (range.high < -flat) {
          turn_over(reversed, nodes);
          continue;
        }
        scanner_.fail_at(
            cell_sources_[b].elements->place[c],
            range.high > flat
                ? "a cell is turned inside out (its Jacobian changes sign); refine or "
                  "straighten the mesh there"
                : "a cell is flat: it has no volume; remove it or move its nodes apart");
      }
    }
  }

  void orient_facets() {
    const NodeCells incidence(mesh_);
    for (size_t b = 0; b < mesh_.facets.size(); ++b) {
      CellBlock& block = mesh_.facets[b];
      const auto reversed = reversed_nodes(block.type);
      const int n = node_count(block.type);
      for (int f = 0; f < block.count(); ++f) {
        int* nodes = block.nodes.data() + static_cast<size_t>(f) * n;
        const auto parent =
            find_parent(mesh_, incidence, block.type.shape, {nodes, static_cast<size_t>(n)});
        if (parent.cell < 0) fail_facet(b, f);
        if (!parent.outward) turn_over(reversed, nodes);
      }
    }
  }

  static void turn_over(const std::vector<int>& reversed, int* nodes) {
    const std::vector<int> old(nodes, nodes + reversed.size());
    for (size_t a = 0; a < old.size(); ++a) nodes[a] = old[reversed[a]];
  }

  [[noreturn]] void fail_facet(size_t block, size_t position) const {
    const auto& [elements, kept] = facet_sources_[block];
    scanner_.fail_at(
        elements->place[kept[position]],
        "a " + std::string(name_of(elements->type.shape)) +
            " of a physical group is not a facet of any cell; name only boundaries of meshed "
            "regions");
  }

  /// Origin of the members of a block: positions in the file's elements.
  struct Source {
    const Elements* elements;
    std::vector<size_t> kept;
  };

  GmshScanner& scanner_;
  GmshFile file_;
  Mesh mesh_;
  std::vector<Source> cell_sources_, facet_sources_;
  std::vector<int> number_;  // new number of every node of the file, −1: dropped
};

}  // namespace

Mesh read_gmsh(const std::string& path, std::vector<int>* kept) {
  GmshScanner scanner(path);
  return Builder(scanner).build(kept);
}

Mesh parse_gmsh_mesh(std::string content, const std::string& name, std::vector<int>* kept) {
  GmshScanner scanner(name, std::move(content));
  return Builder(scanner).build(kept);
}

}  // namespace invar
