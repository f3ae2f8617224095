#include "libfem/contact/active_pairs.hpp"

#include <algorithm>

#include "libfem/contact/closest_feature.hpp"
#include "libfem/contact/distance.hpp"

namespace invar {
namespace {

/// Features opposite to one sample, each with the sum of the signs of all features whose closest point lies on it.
class OppositeFeatures {
 public:
  void clear() { entries_.clear(); }
  void add(PairKind kind, int number, int sign) {
    for (Entry& entry : entries_)
      if (entry.kind == kind && entry.number == number) {
        entry.sign += sign;
        return;
      }
    entries_.push_back({kind, number, sign});
  }
  struct Entry {
    PairKind kind;
    int number, sign;
    auto operator<=>(const Entry&) const = default;
  };
  /// Sorted by kind and number.
  const std::vector<Entry>& sorted() {
    std::sort(entries_.begin(), entries_.end());
    return entries_;
  }

 private:
  std::vector<Entry> entries_;  // few entries; the storage is reused
};

/// Pairs a sample with its candidate pieces. A common edge or vertex of pieces is treated with the first of them that is not
/// excluded: if the edge or vertex is near, all of its pieces are candidates.
template <int D>
class SampleMeeting {
 public:
  SampleMeeting(const ContactSurface& surface, const SurfacePosition& at, double d_hat)
      : surface_(surface), at_(at), square_(d_hat * d_hat) {}

  void begin(int sample) { sample_ = sample, met_.clear(); }
  const std::vector<OppositeFeatures::Entry>& met() { return met_.sorted(); }

  void meet(int piece) {
    if constexpr (D == 2)
      meet_segment(piece);
    else
      meet_triangle(piece);
  }

 private:
  using Way = Vector<double, D>;

  /// Whether `piece` is the first one that is not excluded among the pieces from `begin` to `end` around one edge or vertex.
  bool first_of(int piece, const int* begin, const int* end) const {
    if (!surface_.shares_nodes) return *begin == piece;
    while (begin != end && surface_.excluded(sample_, *begin)) ++begin;
    return begin != end && *begin == piece;
  }
  void meet_vertex(int piece, int vertex, double square) {
    if (square >= square_ || surface_.vertex_sign[vertex] == 0) return;
    const int* pieces = surface_.vertex_piece.data();
    if (first_of(piece, pieces + surface_.vertex_begin[vertex], pieces + surface_.vertex_begin[vertex + 1]))
      met_.add(PairKind::point_point, vertex, surface_.vertex_sign[vertex]);
  }

  void meet_segment(int piece) requires(D == 2) {
    const auto& v = surface_.pieces[piece];
    const Way r = at_.difference<2>(sample_, v[0]), e = at_.difference<2>(v[1], v[0]), s = r - e;
    const double to_start = dot(r, r), to_end = dot(s, s);
    const OnSegment place = closest_on_segment(r, e);
    if (place == OnSegment::inside) {
      const double area = r[0] * e[1] - r[1] * e[0];
      if (area * area < square_ * dot(e, e)) met_.add(PairKind::point_line, piece, 1);
    } else if ((place == OnSegment::start ? to_start : to_end) < square_) {
      met_.add(PairKind::point_point, place == OnSegment::start ? v[0] : v[1], 1);
    }
    meet_vertex(piece, v[0], to_start);
    meet_vertex(piece, v[1], to_end);
  }

  /// The closest part of an edge, and its distance.
  struct OnEdge {
    PairKind kind;
    int number;
    double square;
  };
  OnEdge closest_on_edge(int edge) const {
    const auto& v = surface_.edges[edge];
    const Way r = at_.difference<D>(sample_, v[0]), e = at_.difference<D>(v[1], v[0]);
    switch (closest_on_segment(r, e)) {
      case OnSegment::start: return {PairKind::point_point, v[0], dot(r, r)};
      case OnSegment::end: {
        const Way s = r - e;
        return {PairKind::point_point, v[1], dot(s, s)};
      }
      default: {
        const Way way = r - e * (dot(r, e) / dot(e, e));
        return {PairKind::point_line, edge, dot(way, way)};
      }
    }
  }

  /// Compares distances; the interior of an edge wins over its end at equal distance (by rounding).
  static bool nearer(const OnEdge& a, const OnEdge& b) {
    if (a.square < b.square * (1 - 1e-14)) return true;
    return a.square <= b.square * (1 + 1e-14) && a.kind > b.kind;
  }

  void meet_triangle(int piece) requires(D == 3) {
    const auto& v = surface_.pieces[piece];
    const Way r = at_.difference<3>(sample_, v[0]), e = at_.difference<3>(v[1], v[0]),
              f = at_.difference<3>(v[2], v[0]);
    const Way n = cross(e, f);
    const double height = dot(r, n);
    if (height * height >= square_ * dot(n, n)) return;
    const auto& edges = surface_.piece_edges[piece];
    const OnEdge on[3] = {closest_on_edge(edges[0]), closest_on_edge(edges[1]), closest_on_edge(edges[2])};
    if (foot_in_triangle(r, e, f)) {
      met_.add(PairKind::point_plane, piece, 1);
    } else {
      const OnEdge& best = *std::min_element(on, on + 3, nearer);
      if (best.square < square_) met_.add(best.kind, best.number, 1);
    }
    for (int k = 0; k < 3; ++k) {
      const int edge = edges[k], sign = surface_.edge_sign[edge];
      if (on[k].square >= square_ || sign == 0) continue;
      const int* pieces = surface_.edge_piece.data();
      if (first_of(piece, pieces + surface_.edge_piece_begin[edge], pieces + surface_.edge_piece_begin[edge + 1]))
        met_.add(on[k].kind, on[k].number, sign);
    }
    const Way s = r - e, t = r - f;
    meet_vertex(piece, v[0], dot(r, r));
    meet_vertex(piece, v[1], dot(s, s));
    meet_vertex(piece, v[2], dot(t, t));
  }

  const ContactSurface& surface_;
  const SurfacePosition& at_;
  double square_;
  int sample_ = -1;
  OppositeFeatures met_;
};

ActivePair pair_of_sample(const ContactSurface& surface, int sample, const OppositeFeatures::Entry& entry) {
  ActivePair pair;
  pair.sign = entry.sign, pair.first = sample, pair.second = entry.number;
  pair.v[0] = sample;
  if (entry.kind == PairKind::point_point) {
    pair.v[1] = entry.number;
  } else if (entry.kind == PairKind::point_line && surface.dim == 3) {
    pair.v[1] = surface.edges[entry.number][0], pair.v[2] = surface.edges[entry.number][1];
  } else {
    for (int k = 0; k < surface.dim; ++k) pair.v[k + 1] = surface.pieces[entry.number][k];
  }
  return pair;
}

template <int D>
void add_sample_pairs(const ContactSurface& surface, const ContactCandidates& candidates, const SurfacePosition& at,
                      double d_hat, ActivePairs& pairs) {
  SampleMeeting<D> meeting(surface, at, d_hat);
  const auto& list = candidates.sample_piece;
  for (std::size_t i = 0; i < list.size();) {
    const int sample = list[i][0];
    meeting.begin(sample);
    for (; i < list.size() && list[i][0] == sample; ++i) meeting.meet(list[i][1]);
    for (const auto& entry : meeting.met())
      if (entry.sign != 0)
        pairs.of_kind[static_cast<int>(entry.kind)].push_back(pair_of_sample(surface, sample, entry));
  }
}

void add_edge_pairs(const ContactSurface& surface, const ContactCandidates& candidates, const SurfacePosition& at,
                    double d_hat, EdgePairs which, ActivePairs& pairs) {
  for (const auto& [a, b] : candidates.edge_edge) {
    const double within = which == EdgePairs::all ? d_hat : d_hat * surface.edge_reach(a, b);
    const auto [a0, a1] = surface.edges[a];
    const auto [b0, b1] = surface.edges[b];
    const Vector<double, 3> r = at.difference<3>(a0, b0), e = at.difference<3>(a1, a0), f = at.difference<3>(b1, b0);
    const Vector<double, 3> n = cross(e, f);
    const double height = dot(r, n);
    if (height * height >= within * within * dot(n, n) || !closest_inside_both(r, e, f)) continue;
    pairs.of_kind[static_cast<int>(PairKind::edge_edge)].push_back({{a0, a1, b0, b1}, 1, a, b});
  }
}

}  // namespace

void find_active_pairs(const ContactSurface& surface, const ContactCandidates& candidates, const SurfacePosition& at,
                       double d_hat, ActivePairs& pairs, EdgePairs edges) {
  for (auto& list : pairs.of_kind) list.clear();
  if (surface.dim == 2) return add_sample_pairs<2>(surface, candidates, at, d_hat, pairs);
  add_sample_pairs<3>(surface, candidates, at, d_hat, pairs);
  add_edge_pairs(surface, candidates, at, d_hat, edges, pairs);
}

double distance_of(const ContactSurface& surface, PairKind kind, const ActivePair& pair, const SurfacePosition& at) {
  const auto& v = pair.v;
  const auto of = [&]<int D>() {
    const Vector<double, D> r = at.difference<D>(v[0], v[1]);
    if (kind == PairKind::point_point) return point_point_distance(r);
    const Vector<double, D> e = at.difference<D>(v[2], v[1]);
    if (kind == PairKind::point_line) return point_line_distance(r, e);
    if constexpr (D == 3) {
      if (kind == PairKind::point_plane) return point_plane_distance(r, e, at.difference<3>(v[3], v[1]));
      return line_line_distance(at.difference<3>(v[0], v[2]), at.difference<3>(v[1], v[0]),
                                at.difference<3>(v[3], v[2]));
    }
    return 0.0;
  };
  return surface.dim == 2 ? of.template operator()<2>() : of.template operator()<3>();
}

}  // namespace invar
