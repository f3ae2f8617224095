#include "libfem/contact/rest_check.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "libfem/contact/active_pairs.hpp"
#include "libfem/contact/distance.hpp"

namespace invar {
namespace {

using PlaneVector = Vector<double, 2>;
using SpaceVector = Vector<double, 3>;

double area_of(const PlaneVector& a, const PlaneVector& b) { return a[0] * b[1] - a[1] * b[0]; }

/// Whether the segment a0 … a1 intersects the piece b; `place`: intersection relative to the common origin.
bool crosses(const PlaneVector& a0, const PlaneVector& a1, const PlaneVector (&b)[2], PlaneVector& place) {
  const PlaneVector e = a1 - a0, f = b[1] - b[0], r = a0 - b[0];
  const double determinant = area_of(e, f);
  if (determinant == 0) return false;
  const double s = -area_of(r, f) / determinant, t = -area_of(r, e) / determinant;
  if (s < 0 || s > 1 || t < 0 || t > 1) return false;
  place = a0 + e * s;
  return true;
}

/// Whether the edge a0 … a1 intersects the triangle b.
bool crosses(const SpaceVector& a0, const SpaceVector& a1, const SpaceVector (&b)[3], SpaceVector& place) {
  const SpaceVector n = cross(SpaceVector(b[1] - b[0]), SpaceVector(b[2] - b[0]));
  const double h0 = dot(n, SpaceVector(a0 - b[0])), h1 = dot(n, SpaceVector(a1 - b[0]));
  if (h0 == h1 || (h0 > 0) == (h1 > 0)) return false;
  place = a0 + SpaceVector(a1 - a0) * (h0 / (h0 - h1));
  for (int k = 0; k < 3; ++k)
    if (dot(n, cross(SpaceVector(b[(k + 1) % 3] - b[k]), SpaceVector(place - b[k]))) < 0) return false;
  return true;
}

template <int D>
bool pieces_cross(const ContactSurface& surface, const SurfacePosition& at, int a, int b, Vector<double, D>& place) {
  using Point = Vector<double, D>;
  const auto& v = surface.pieces[a];
  const auto& w = surface.pieces[b];
  Point x[D], y[D];  // relative to the first point of a
  for (int k = 0; k < D; ++k) x[k] = at.difference<D>(v[k], v[0]), y[k] = at.difference<D>(w[k], v[0]);
  bool found = false;
  if constexpr (D == 2) {
    found = crosses(x[0], x[1], y, place);
  } else {
    for (int k = 0; k < 3 && !found; ++k)
      found = crosses(x[k], x[(k + 1) % 3], y, place) || crosses(y[k], y[(k + 1) % 3], x, place);
  }
  place = place + at.at<D>(v[0]);
  return found;
}

template <int D>
std::vector<Overlap> crossings(const ContactSurface& surface, CandidateSearch& search, const SurfacePosition& at) {
  std::vector<Overlap> found;
  for (const auto& [a, b] : search.meeting_pieces(at)) {
    Vector<double, D> place{};
    if (!pieces_cross<D>(surface, at, a, b, place)) continue;
    Overlap overlap{true, 0, {surface.piece_facet[a], surface.piece_facet[b]}, {}};
    for (int d = 0; d < D; ++d) overlap.place[d] = place[d];
    found.push_back(overlap);
  }
  return found;
}

/// A facet on which the pair's first feature lies, and one of the second.
std::array<int, 2> facets_of_pair(const ContactSurface& S, const std::vector<int>& facet_of_sample, PairKind kind,
                                  const ActivePair& pair) {
  const auto of_edge = [&](int edge) { return S.piece_facet[S.edge_piece[S.edge_piece_begin[edge]]]; };
  if (kind == PairKind::edge_edge) return {of_edge(pair.first), of_edge(pair.second)};
  const int mine = facet_of_sample[pair.first];
  if (kind == PairKind::point_point) return {mine, facet_of_sample[pair.second]};
  if (kind == PairKind::point_line && S.dim == 3) return {mine, of_edge(pair.second)};
  return {mine, S.piece_facet[pair.second]};
}

template <class Visit>
void for_active_pairs(const ContactSurface& surface, CandidateSearch& search, const SurfacePosition& at, double within,
                      Visit visit) {
  ActivePairs pairs;
  find_active_pairs(surface, search.near(at, within), at, within, pairs);
  for (int kind = 0; kind < 4; ++kind)
    for (const ActivePair& pair : pairs.of_kind[kind]) visit(static_cast<PairKind>(kind), pair);
}

/// Diagonal of the bounding box of the smaller side.
double box_diagonal(const ContactSurface& surface, const SurfacePosition& at) {
  double smallest = std::numeric_limits<double>::infinity();
  for (int side = 0; side < (surface.self ? 1 : 2); ++side) {
    double square = 0;
    for (int d = 0; d < at.dim; ++d) {
      double low = std::numeric_limits<double>::infinity(), high = -low;
      for (int s = 0; s < surface.n_samples; ++s) {
        if (surface.sample_side[s] != side) continue;
        const double x = at.X[s * at.dim + d] + at.u[s * at.dim + d];
        low = std::min(low, x), high = std::max(high, x);
      }
      square += (high - low) * (high - low);
    }
    smallest = std::min(smallest, std::sqrt(square));
  }
  return smallest;
}

}  // namespace

std::vector<Overlap> find_overlaps(const ContactSurface& surface, CandidateSearch& search, const SurfacePosition& at,
                                   double least, int most) {
  std::vector<Overlap> found = surface.dim == 2 ? crossings<2>(surface, search, at) : crossings<3>(surface, search, at);
  std::vector<int> facet_of_sample(surface.n_samples);
  for (int f = surface.n_facets() - 1; f >= 0; --f)
    for (int k = surface.facet_sample_begin[f]; k < surface.facet_sample_begin[f + 1]; ++k)
      facet_of_sample[surface.facet_sample[k]] = f;
  std::vector<Overlap> near;
  for_active_pairs(surface, search, at, least, [&](PairKind kind, const ActivePair& pair) {
    Overlap overlap{
        false, distance_of(surface, kind, pair, at), facets_of_pair(surface, facet_of_sample, kind, pair), {}};
    for (int d = 0; d < at.dim; ++d) overlap.place[d] = at.X[pair.v[0] * at.dim + d] + at.u[pair.v[0] * at.dim + d];
    if (kind == PairKind::edge_edge) {
      const SpaceVector e = at.difference<3>(pair.v[1], pair.v[0]);
      const double s =
          line_line_coordinates(at.difference<3>(pair.v[0], pair.v[2]), e, at.difference<3>(pair.v[3], pair.v[2]))[0];
      for (int d = 0; d < 3; ++d) overlap.place[d] += s * e[d];
    }
    near.push_back(overlap);
  });
  std::stable_sort(near.begin(), near.end(), [](auto& a, auto& b) { return a.distance < b.distance; });
  found.insert(found.end(), near.begin(), near.end());
  if (static_cast<int>(found.size()) > most) found.resize(most);
  return found;
}

double smallest_distance(const ContactSurface& surface, CandidateSearch& search, const SurfacePosition& at,
                         double within) {
  double smallest = within;
  for_active_pairs(surface, search, at, within, [&](PairKind kind, const ActivePair& pair) {
    smallest = std::min(smallest, distance_of(surface, kind, pair, at));
  });
  return smallest;
}

double default_distance(const ContactSurface& surface, CandidateSearch& search, const SurfacePosition& at) {
  const double reach = 1e-3 * box_diagonal(surface, at);
  return std::min(reach, 0.5 * smallest_distance(surface, search, at, 2 * reach));
}

}  // namespace invar
