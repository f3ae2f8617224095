#pragma once
#include <array>
#include <span>
#include <vector>

#include "libfem/contact/contact_facets.hpp"
#include "libfem/contact/surface_position.hpp"

namespace invar {

/// Both sides of a contact pair as points (samples), at which the pressure acts, and straight pieces (segments in 2-D, triangles in
/// 3-D), to which distances are measured. Every sample is a constant linear combination of nodes of its facet, x_s = Σ N_sa x_a, so
/// it moves on a straight line if the nodes do (Ferguson et al. 2023).
///
/// Straight facets of first order (segments, triangles) are pieces themselves, with samples on a lattice over them.
/// All others are divided into pieces whose vertices are the samples.
///
/// The sum of the barrier over pieces counts a closest point on a common edge or vertex several times. Signs σ cancel this
/// ("improved max", Li et al. 2023): 1 for pieces, 1 − n for an edge of n pieces, and for a vertex the value for which the sum over
/// it, its edges and its pieces is 1. On flat and convex surfaces, closed or not, each closest point then counts once.
///
/// Excluded are pairs of a sample and features that share a corner of the mesh with the facet, edge or corner of the sample. On
/// flat and convex surfaces the signs of the remaining features cancel exactly.
struct ContactSurface {
  using Corners = std::array<int, 4>;  // nodes, −1 beyond the last one

  int dim = 0;
  bool self = false;          // self-contact of one side
  bool shares_nodes = false;  // self-contact, or both sides have common nodes: otherwise no pair is `excluded`

  // Samples; the first n_vertices are vertices of pieces, the others lie inside straight facets and their edges.
  int n_samples = 0, n_vertices = 0;
  std::vector<int> sample_begin, sample_node;   // CSR [n_samples + 1]: the nodes of a sample …
  std::vector<double> sample_value;             // … and N_sa
  std::vector<unsigned char> sample_side;       // 0 or 1
  std::vector<Corners> sample_corners;          // corners of the mesh's facet, edge or vertex on which it lies
  std::vector<double> sample_share;  // 1; on creases, i.e. edges and corners with an angle of more than 60° at rest, 1 divided by the
                                     // number of adjacent smooth parts of the surface, of which only one faces the contact
  std::vector<int> vertex_sign;                 // [n_vertices] σ
  std::vector<int> vertex_begin, vertex_piece;  // CSR [n_vertices + 1]: pieces at a vertex, ascending

  // Pieces, those of side 0 first.
  std::vector<std::array<int, 3>> pieces;       // samples; in 2-D the third is −1
  std::vector<int> piece_facet;                 // of which facet
  std::array<int, 3> piece_begin{};             // side i: piece_begin[i] … piece_begin[i + 1] − 1
  std::vector<std::array<int, 3>> piece_edges;  // 3-D: edge k joins the piece's vertices k and k + 1 (mod 3)

  // Edges of pieces, in 3-D only; those of side 0 first.
  std::vector<std::array<int, 2>> edges;  // samples, the smaller number first
  std::array<int, 3> edge_begin{};
  std::vector<int> edge_sign;                     // σ of the edge as a feature opposite to samples
  std::vector<unsigned char> edge_is_feature;     // turned by more than 30° at rest, or at the border of an open surface
  std::vector<int> edge_piece_begin, edge_piece;  // CSR: pieces at an edge, ascending
  std::vector<Corners> edge_corners;              // corners of the mesh's facet or edge on which it lies

  // Facets, those of side 0 first.
  std::vector<CellType> facet_type;
  std::vector<int> facet_divisions;                   // pieces per edge
  std::vector<int> facet_begin, facet_node;           // CSR: nodes
  std::vector<int> facet_sample_begin, facet_sample;  // CSR: samples, in the order of `lattice_points`
  std::vector<Corners> facet_corners;

  int n_pieces() const { return static_cast<int>(pieces.size()); }
  int n_edges() const { return static_cast<int>(edges.size()); }
  int n_facets() const { return static_cast<int>(facet_type.size()); }
  int side_of_piece(int piece) const { return piece >= piece_begin[1] ? 1 : 0; }
  std::span<const int> nodes_of(int sample) const {
    return {sample_node.data() + sample_begin[sample], sample_node.data() + sample_begin[sample + 1]};
  }

  /// Whether a sample and a piece, or two edges (3-D), form no pair because they share a corner.
  bool excluded(int sample, int piece) const {
    return shares_nodes && share(sample_corners[sample], facet_corners[piece_facet[piece]]);
  }
  /// The part of d̂ within which two edges repel each other: 1 for two feature edges. Elsewhere surfaces are flat or nearly so and carried by
  /// their samples, and edges only keep the barrier complete: they act where edges that cross come much nearer than any sample.
  double edge_reach(int a, int b) const { return edge_is_feature[a] && edge_is_feature[b] ? 1 : 0.1; }
  bool edges_excluded(int a, int b) const { return shares_nodes && share(edge_corners[a], edge_corners[b]); }
  static bool share(const Corners& a, const Corners& b) {
    for (int i : a) {
      if (i < 0) return false;
      if ((i == b[0]) | (i == b[1]) | (i == b[2]) | (i == b[3])) return true;
    }
    return false;
  }

  /// A nodal field [node × components] at the samples [n_samples × components].
  void interpolate(const double* nodal, int components, double* at_samples) const;
  /// The transpose of `interpolate`, added to `nodal`.
  void scatter(const double* at_samples, int components, double* nodal) const;
  /// Positions of the samples for nodes at `coordinates` + `displacement` [node × dim]; nullptr: no displacement.
  SurfacePosition position(const double* coordinates, const double* displacement) const;
};

/// divisions: pieces per facet edge of each side, at least 1, for second-order facets at least 2 (otherwise std::invalid_argument).
/// Sides with common nodes both use the larger number. coordinates [node × dim]: at rest; they determine feature edges.
ContactSurface make_contact_surface(const ContactFacets& facets, const double* coordinates,
                                    std::array<int, 2> divisions);

}  // namespace invar
