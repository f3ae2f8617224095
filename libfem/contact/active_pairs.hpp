#pragma once
#include <array>
#include <vector>

#include "libfem/contact/contact_candidates.hpp"
#include "libfem/contact/contact_surface.hpp"

namespace invar {

/// The two features of a pair (distance.hpp), and the samples in `ActivePair::v`:
///   point_point  v0, v1                        point_plane  v0; v1, v2, v3 (3-D)
///   point_line   v0; v1, v2                    edge_edge    v0, v1; v2, v3 (3-D): closest points inside both
enum class PairKind : unsigned char { point_point, point_line, point_plane, edge_edge };

/// A sample and its closest feature, or two edges, nearer than d̂.
struct ActivePair {
  std::array<int, 4> v{-1, -1, -1, -1};  // samples; the weight is that of the first one, except for two edges
  int sign = 1;                          // Σ σ over all features whose closest point is on this one; never 0
  int first = -1, second = -1;           // point_…: the sample v0, and the vertex, edge (in 2-D the piece) or piece
                                         // opposite to it; edge_edge: both edges
  bool operator==(const ActivePair&) const = default;
};

/// All pairs nearer than d̂, by kind and in the order of (first, second): a function of the positions only, independent of the
/// candidates, provided that these contain all pairs within d̂.
struct ActivePairs {
  std::array<std::vector<ActivePair>, 4> of_kind;

  const std::vector<ActivePair>& operator[](PairKind kind) const { return of_kind[static_cast<int>(kind)]; }
  std::size_t size() const { return of_kind[0].size() + of_kind[1].size() + of_kind[2].size() + of_kind[3].size(); }
  bool operator==(const ActivePairs&) const = default;
};

/// Which edges meet: all that are nearer than d̂, or those that repel each other (`ContactSurface::edge_reach`).
enum class EdgePairs { all, repelling };

/// Fills `pairs`, reusing its storage.
void find_active_pairs(const ContactSurface& surface, const ContactCandidates& candidates, const SurfacePosition& at,
                       double d_hat, ActivePairs& pairs, EdgePairs edges = EdgePairs::all);

/// The pair's distance, m.
double distance_of(const ContactSurface& surface, PairKind kind, const ActivePair& pair, const SurfacePosition& at);

}  // namespace invar
