#include "libfem/contact/contact_surface.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <stdexcept>

#include "libfem/contact/facet_lattice.hpp"
#include "libfem/mesh/reference_element.hpp"

namespace invar {
namespace {

using Corners = ContactSurface::Corners;

constexpr double cosine_of_feature = 0.86602540378443865, cosine_of_crease = 0.5;  // 30°, 60°

/// Whether facets are pieces themselves.
bool straight(CellType type) { return type.order == 1 && type.shape != Shape::quadrilateral; }

/// Corners of the facet, edge or vertex on which a point with these borders (`lattice_borders`) lies.
Corners corners_at(Shape shape, unsigned borders, const int* nodes) {
  Corners corners{-1, -1, -1, -1};
  if (borders == 0) {
    for (int k = 0; k < vertex_count(shape); ++k) corners[k] = nodes[k];
  } else if (shape == Shape::segment) {
    corners[0] = nodes[std::countr_zero(borders)];
  } else {
    const auto edge = edges_of(shape)[std::countr_zero(borders)];
    if (std::has_single_bit(borders)) {
      corners[0] = nodes[edge[0]], corners[1] = nodes[edge[1]];
    } else {  // the common vertex of both edges
      const auto other = edges_of(shape)[std::bit_width(borders) - 1];
      corners[0] = nodes[edge[0] == other[0] || edge[0] == other[1] ? edge[0] : edge[1]];
    }
  }
  return corners;
}

/// Data common to all facets of a kind.
struct FacetPattern {
  Shape shape;
  std::vector<std::array<double, 2>> points;
  std::vector<std::array<int, 3>> pieces;  // points
  std::vector<unsigned> borders;
  std::vector<double> values;  // [point × node] shape functions

  FacetPattern(CellType type, int n)
      : shape(type.shape), points(lattice_points(type.shape, n)), borders(lattice_borders(type.shape, n)) {
    const int width = node_count(type);
    values.resize(points.size() * width);
    for (std::size_t k = 0; k < points.size(); ++k) shape_values(type, points[k].data(), values.data() + k * width);
    if (!straight(type)) {
      pieces = lattice_pieces(type.shape, n);
    } else if (type.shape == Shape::segment) {
      pieces = {{0, n, -1}};
    } else {
      pieces = {{0, n, static_cast<int>(points.size()) - 1}};
    }
  }
};

class SurfaceBuilder {
 public:
  SurfaceBuilder(const ContactFacets& facets, const double* coordinates, std::array<int, 2> divisions)
      : facets_(facets), coordinates_(coordinates), divisions_(divisions) {
    surface_.dim = facets.dim;
    surface_.self = facets.self();
  }

  ContactSurface build() {
    find_common_nodes();
    surface_.sample_begin = {0}, surface_.facet_begin = {0}, surface_.facet_sample_begin = {0};
    for (int side = 0; side < 2; ++side) {
      surface_.piece_begin[side] = surface_.n_pieces(), surface_.edge_begin[side] = surface_.n_edges();
      for (const CellBlock& block : facets_.sides[side])
        for (int f = 0; f < block.count(); ++f)
          add_facet(side, block.type, block.nodes.data() + f * node_count(block.type));
    }
    surface_.piece_begin[2] = surface_.n_pieces(), surface_.edge_begin[2] = surface_.n_edges();
    put_vertices_first();
    rest_ = surface_.position(coordinates_, nullptr);
    join_vertices();
    if (surface_.dim == 3) join_edges();
    sign_vertices();
    share_samples();
    return std::move(surface_);
  }

 private:
  void find_common_nodes() {
    std::array<std::set<int>, 2> nodes;
    for (int side = 0; side < 2; ++side)
      for (const CellBlock& block : facets_.sides[side]) {
        nodes[side].insert(block.nodes.begin(), block.nodes.end());
        if (divisions_[side] < block.type.order)
          throw std::invalid_argument("facets of a contact pair need at least as many divisions as their order");
      }
    surface_.shares_nodes = surface_.self || std::any_of(nodes[0].begin(), nodes[0].end(),
                                                         [&](int node) { return nodes[1].contains(node); });
    if (surface_.shares_nodes && !surface_.self) divisions_.fill(std::max(divisions_[0], divisions_[1]));
  }

  const FacetPattern& pattern_of(CellType type, int n) {
    const auto key = std::array{static_cast<int>(type.shape), type.order, n};
    const auto found = patterns_.find(key);
    return found != patterns_.end() ? found->second : patterns_.emplace(key, FacetPattern(type, n)).first->second;
  }

  void add_facet(int side, CellType type, const int* nodes) {
    const int n = divisions_[side], width = node_count(type), facet = surface_.n_facets();
    const FacetPattern& pattern = pattern_of(type, n);
    surface_.facet_type.push_back(type);
    surface_.facet_divisions.push_back(n);
    surface_.facet_node.insert(surface_.facet_node.end(), nodes, nodes + width);
    surface_.facet_begin.push_back(static_cast<int>(surface_.facet_node.size()));
    surface_.facet_corners.push_back(corners_at(type.shape, 0, nodes));
    std::vector<int> samples(pattern.points.size());
    for (std::size_t k = 0; k < samples.size(); ++k)
      samples[k] = sample_at(side, type, pattern, n, static_cast<int>(k), nodes);
    surface_.facet_sample.insert(surface_.facet_sample.end(), samples.begin(), samples.end());
    surface_.facet_sample_begin.push_back(static_cast<int>(surface_.facet_sample.size()));
    for (const auto& local : pattern.pieces) add_piece(side, facet, pattern, local, samples, nodes);
  }

  /// Points on common edges and corners of a side's facets are one sample.
  int sample_at(int side, CellType type, const FacetPattern& pattern, int n, int point, const int* nodes) {
    const unsigned borders = pattern.borders[point];
    const Corners corners = corners_at(type.shape, borders, nodes);
    if (borders != 0) {
      std::array<int, 4> key{side, corners[0], corners[1], 0};
      if (corners[1] >= 0) {  // position on the edge, from the node with the smaller number
        const auto edge = edges_of(type.shape)[std::countr_zero(borders)];
        const std::vector<double> at = reference_nodes({type.shape, 1});
        const double* from = at.data() + 2 * edge[0];
        const auto& xi = pattern.points[point];
        const int step =
            static_cast<int>(std::lround(n * std::max(std::abs(xi[0] - from[0]), std::abs(xi[1] - from[1]))));
        const bool reversed = key[1] > key[2];
        if (reversed) std::swap(key[1], key[2]);
        key[3] = reversed ? n - step : step;
      }
      const auto [found, is_new] = on_borders_.try_emplace(key, surface_.n_samples);
      if (!is_new) return found->second;
    }
    const int width = node_count(type);
    for (int a = 0; a < width; ++a) {
      const double value = pattern.values[point * width + a];
      if (std::abs(value) < 1e-13) continue;
      surface_.sample_node.push_back(nodes[a]);
      surface_.sample_value.push_back(value);
    }
    surface_.sample_begin.push_back(static_cast<int>(surface_.sample_node.size()));
    surface_.sample_side.push_back(static_cast<unsigned char>(side));
    surface_.sample_corners.push_back(corners);
    return surface_.n_samples++;
  }

  void add_piece(int side, int facet, const FacetPattern& pattern, const std::array<int, 3>& local,
                 const std::vector<int>& samples, const int* nodes) {
    const int piece = surface_.n_pieces();
    std::array<int, 3> points{-1, -1, -1}, edges{-1, -1, -1};
    for (int k = 0; k < surface_.dim; ++k) points[k] = samples[local[k]];
    surface_.pieces.push_back(points);
    surface_.piece_facet.push_back(facet);
    if (surface_.dim == 2) return;
    for (int k = 0; k < 3; ++k) {
      const int a = points[k], b = points[(k + 1) % 3];
      const std::array<int, 3> key{side, std::min(a, b), std::max(a, b)};
      const auto [found, is_new] = numbered_edges_.try_emplace(key, surface_.n_edges());
      if (is_new) {
        surface_.edges.push_back({key[1], key[2]});
        const unsigned common = pattern.borders[local[k]] & pattern.borders[local[(k + 1) % 3]];
        surface_.edge_corners.push_back(corners_at(pattern.shape, common, nodes));
        pieces_of_edge_.emplace_back();
      }
      edges[k] = found->second;
      pieces_of_edge_[found->second].push_back(piece);
    }
    surface_.piece_edges.push_back(edges);
  }

  /// Renumbers the samples.
  void put_vertices_first() {
    std::vector<char> vertex(surface_.n_samples, 0);
    for (const auto& piece : surface_.pieces)
      for (int k = 0; k < surface_.dim; ++k) vertex[piece[k]] = 1;
    std::vector<int> order(surface_.n_samples), number(surface_.n_samples);
    std::iota(order.begin(), order.end(), 0);
    std::stable_partition(order.begin(), order.end(), [&](int s) { return vertex[s] != 0; });
    for (int i = 0; i < surface_.n_samples; ++i) number[order[i]] = i;
    surface_.n_vertices = static_cast<int>(std::count(vertex.begin(), vertex.end(), 1));

    const ContactSurface old = surface_;
    surface_.sample_node.clear(), surface_.sample_value.clear();
    for (int i = 0; i < surface_.n_samples; ++i) {
      const int begin = old.sample_begin[order[i]], end = old.sample_begin[order[i] + 1];
      surface_.sample_node.insert(surface_.sample_node.end(), old.sample_node.begin() + begin,
                                  old.sample_node.begin() + end);
      surface_.sample_value.insert(surface_.sample_value.end(), old.sample_value.begin() + begin,
                                   old.sample_value.begin() + end);
      surface_.sample_begin[i + 1] = static_cast<int>(surface_.sample_node.size());
      surface_.sample_side[i] = old.sample_side[order[i]];
      surface_.sample_corners[i] = old.sample_corners[order[i]];
    }
    for (auto& piece : surface_.pieces)
      for (int k = 0; k < surface_.dim; ++k) piece[k] = number[piece[k]];
    for (auto& edge : surface_.edges) {
      for (int& s : edge) s = number[s];
      if (edge[0] > edge[1]) std::swap(edge[0], edge[1]);
    }
    for (int& s : surface_.facet_sample) s = number[s];
  }

  /// Converts lists of lists to CSR.
  static void flatten(const std::vector<std::vector<int>>& lists, std::vector<int>& begin, std::vector<int>& entries) {
    begin = {0};
    for (const auto& list : lists) {
      entries.insert(entries.end(), list.begin(), list.end());
      begin.push_back(static_cast<int>(entries.size()));
    }
  }

  void join_vertices() {
    std::vector<std::vector<int>> pieces(surface_.n_vertices);
    for (int p = 0; p < surface_.n_pieces(); ++p)
      for (int k = 0; k < surface_.dim; ++k) pieces[surface_.pieces[p][k]].push_back(p);
    flatten(pieces, surface_.vertex_begin, surface_.vertex_piece);
  }

  void join_edges() {
    flatten(pieces_of_edge_, surface_.edge_piece_begin, surface_.edge_piece);
    for (int e = 0; e < surface_.n_edges(); ++e) {
      surface_.edge_sign.push_back(1 - static_cast<int>(pieces_of_edge_[e].size()));
      surface_.edge_is_feature.push_back(pieces_of_edge_[e].size() != 2 || turns(e, cosine_of_feature));
    }
  }

  /// Unit normal to an edge in the plane of a piece, pointing into it.
  Vector<double, 3> into_piece(int edge, int piece) const {
    const auto [a, b] = surface_.edges[edge];
    const auto& v = surface_.pieces[piece];
    const Vector<double, 3> e = rest_.difference<3>(b, a), r = rest_.difference<3>(v[0] + v[1] + v[2] - a - b, a);
    const Vector<double, 3> normal = r - e * (dot(r, e) / dot(e, e));
    return normal / norm(normal);
  }
  /// Whether the angle between the two pieces at an edge is larger than the given one: if not, the directions into them are nearly
  /// opposite.
  bool turns(int edge, double cosine) const {
    const auto& pieces = pieces_of_edge_[edge];
    return dot(into_piece(edge, pieces[0]), into_piece(edge, pieces[1])) > -cosine;
  }

  /// Counts the smooth parts of the surface that meet in a crease, or at a vertex between creases and borders.
  void share_samples() {
    surface_.sample_share.assign(surface_.n_samples, 1.0);
    if (surface_.dim == 2) {
      for (int v = 0; v < surface_.n_vertices; ++v) surface_.sample_share[v] = 1.0 / parts_at_vertex_of_curve(v);
      return;
    }
    std::vector<int> cuts(surface_.n_vertices, 0), borders(surface_.n_vertices, 0);
    std::map<std::array<int, 3>, int> parts_at_edge;  // of straight facets
    for (int e = 0; e < surface_.n_edges(); ++e) {
      const int n = static_cast<int>(pieces_of_edge_[e].size());
      const bool cut = n != 2 || turns(e, cosine_of_crease);
      for (int v : surface_.edges[e]) cuts[v] += cut, borders[v] += n == 1;
      if (const Corners& corners = surface_.edge_corners[e]; corners[2] < 0)
        parts_at_edge[edge_key(surface_.sample_side[surface_.edges[e][0]], corners)] = cut ? n : 1;
    }
    for (int v = 0; v < surface_.n_vertices; ++v)
      surface_.sample_share[v] = 1.0 / std::max(1, cuts[v] - borders[v] / 2);
    for (int s = surface_.n_vertices; s < surface_.n_samples; ++s)
      if (const Corners& corners = surface_.sample_corners[s]; corners[2] < 0)
        surface_.sample_share[s] = 1.0 / parts_at_edge.at(edge_key(surface_.sample_side[s], corners));
  }
  static std::array<int, 3> edge_key(int side, const Corners& corners) {
    return {side, std::min(corners[0], corners[1]), std::max(corners[0], corners[1])};
  }
  int parts_at_vertex_of_curve(int vertex) const {
    const int begin = surface_.vertex_begin[vertex], n = surface_.vertex_begin[vertex + 1] - begin;
    if (n != 2) return n;
    const auto along = [&](int k) {
      const auto& v = surface_.pieces[surface_.vertex_piece[begin + k]];
      const Vector<double, 2> r = rest_.difference<2>(v[0] + v[1] - vertex, vertex);
      return r / norm(r);
    };
    return dot(along(0), along(1)) > -cosine_of_crease ? 2 : 1;
  }

  void sign_vertices() {
    surface_.vertex_sign.resize(surface_.n_vertices);
    for (int v = 0; v < surface_.n_vertices; ++v)
      surface_.vertex_sign[v] = 1 - (surface_.vertex_begin[v + 1] - surface_.vertex_begin[v]);
    for (int e = 0; e < surface_.n_edges(); ++e)
      for (int v : surface_.edges[e]) surface_.vertex_sign[v] -= surface_.edge_sign[e];
  }

  const ContactFacets& facets_;
  const double* coordinates_;
  std::array<int, 2> divisions_;
  ContactSurface surface_;
  std::map<std::array<int, 3>, FacetPattern> patterns_;
  std::map<std::array<int, 4>, int> on_borders_;  // samples
  std::map<std::array<int, 3>, int> numbered_edges_;
  std::vector<std::vector<int>> pieces_of_edge_;
  SurfacePosition rest_;
};

}  // namespace

void ContactSurface::interpolate(const double* nodal, int components, double* at_samples) const {
  for (int s = 0; s < n_samples; ++s) {
    double* value = at_samples + static_cast<std::ptrdiff_t>(s) * components;
    std::fill(value, value + components, 0.0);
    for (int k = sample_begin[s]; k < sample_begin[s + 1]; ++k)
      for (int c = 0; c < components; ++c)
        value[c] += sample_value[k] * nodal[static_cast<std::ptrdiff_t>(sample_node[k]) * components + c];
  }
}

void ContactSurface::scatter(const double* at_samples, int components, double* nodal) const {
  for (int s = 0; s < n_samples; ++s)
    for (int k = sample_begin[s]; k < sample_begin[s + 1]; ++k)
      for (int c = 0; c < components; ++c)
        nodal[static_cast<std::ptrdiff_t>(sample_node[k]) * components + c] +=
            sample_value[k] * at_samples[static_cast<std::ptrdiff_t>(s) * components + c];
}

SurfacePosition ContactSurface::position(const double* coordinates, const double* displacement) const {
  SurfacePosition at{dim, std::vector<double>(static_cast<std::size_t>(n_samples) * dim),
                     std::vector<double>(static_cast<std::size_t>(n_samples) * dim)};
  interpolate(coordinates, dim, at.X.data());
  if (displacement) interpolate(displacement, dim, at.u.data());
  return at;
}

ContactSurface make_contact_surface(const ContactFacets& facets, const double* coordinates,
                                    std::array<int, 2> divisions) {
  if (facets.dim != 2 && facets.dim != 3)
    throw std::invalid_argument("contact surfaces exist in 2-D and 3-D");
  return SurfaceBuilder(facets, coordinates, divisions).build();
}

}  // namespace invar
