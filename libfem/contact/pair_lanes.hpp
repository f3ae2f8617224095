#pragma once
#include <array>
#include <vector>

#include "libfem/contact/active_pairs.hpp"
#include "libfem/contact/closest_point.hpp"
#include "libfem/contact/contact_surface.hpp"
#include "libfem/math/simd.hpp"

namespace invar {

/// Pairs of one kind in the lanes of a pack; unused lanes repeat the last pair with zero weight.
template <PairKind Kind>
struct PairLanes {
  static constexpr int n = vertex_count(Kind), n_weights = Kind == PairKind::edge_edge ? 2 : 1;
  int lanes = 0;
  int vertex[n][simd_width];  // the base first, then those of PairPoint's relative positions
  int weight[n_weights][simd_width];
  Pack factor, own_factor;    // ½ σ, for edges ¼; the same, but 0 for pairs that another rank counts
  Pack reach = Pack(1.0);     // of edges

  /// The pairs from number `first` on; nodes below `n_owned` are own. Independent of the law.
  INVAR_OUTLINE static PairLanes of(const ContactSurface& s, int n_owned, const std::vector<ActivePair>& pairs, std::size_t first) {
    constexpr bool edges = Kind == PairKind::edge_edge;
    constexpr std::array<int, 4> order = edges ? std::array{2, 0, 3, 1} : std::array{1, 0, 2, 3};
    PairLanes l;
    l.lanes = static_cast<int>(std::min<std::size_t>(simd_width, pairs.size() - first));
    l.factor = l.own_factor = Pack(0.0);
    for (int lane = 0; lane < simd_width; ++lane) {
      const ActivePair& pair = pairs[first + std::min(lane, l.lanes - 1)];
      for (int k = 0; k < n; ++k) l.vertex[k][lane] = pair.v[order[k]];
      if constexpr (edges) l.weight[0][lane] = s.n_samples + pair.first, l.weight[1][lane] = s.n_samples + pair.second;
      else l.weight[0][lane] = pair.v[0];
      if (lane >= l.lanes) continue;
      double factor = 0.5 * pair.sign;
      if constexpr (edges) factor *= 0.5, l.reach.set(lane, s.edge_reach(pair.first, pair.second));
      l.factor.set(lane, factor);
      if (s.nodes_of(pair.v[0])[0] < n_owned) l.own_factor.set(lane, factor);
    }
    return l;
  }
};

}  // namespace invar
