#include "libfem/contact/contact_step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "libfem/contact/additive_ccd.hpp"

namespace invar {
namespace {

constexpr double part_of_way = 0.9, pieces_in_part = 4, scenes_in_step = 2;

/// Earliest impact of all candidates, as a fraction of a step.
template <int D>
class EarliestImpact {
 public:
  EarliestImpact(const ContactSurface& surface, const SurfacePosition& at, const double* step)
      : surface_(surface), at_(at), step_(step) {}

  void meet(int vertex, int piece) {
    const auto& v = surface_.pieces[piece];
    if constexpr (D == 2)
      take(point_segment_impact, {vertex, v[0], v[1]}, false, {vertex, piece});
    else
      take(point_triangle_impact, {vertex, v[0], v[1], v[2]}, false, {vertex, piece});
  }
  void meet_edges(int a, int b) {
    if constexpr (D == 3) {
      const auto &e = surface_.edges[a], &f = surface_.edges[b];
      take(edge_edge_impact, {e[0], e[1], f[0], f[1]}, true, {a, b});
    }
  }

  double time = 1;
  int point = -1;   // first point of the pair
  ContactStep first;  // the pair

 private:
  template <class Impact>
  void take(Impact impact, const std::array<int, D + 1>& points, bool edges, std::array<int, 2> pair) {
    Vector<double, D> x[D + 1], v[D + 1];
    for (int k = 0; k <= D; ++k) {
      x[k] = at_.difference<D>(points[k], points[D]);
      for (int d = 0; d < D; ++d) v[k][d] = step_[points[k] * D + d] - step_[points[D] * D + d];
    }
    const double found = impact(x, v, time);
    if (found >= time) return;
    time = found, point = points[0];
    first.edges = edges, first.pair = pair;
  }

  const ContactSurface& surface_;
  const SurfacePosition& at_;
  const double* step_;
};

/// Subtracts the common translation of all vertices.
std::vector<double> relative_step(const ContactSurface& surface, const double* step) {
  const int dim = surface.dim;
  std::vector<double> relative(step, step + static_cast<std::ptrdiff_t>(surface.n_samples) * dim);
  for (int d = 0; d < dim; ++d) {
    double mean = 0;
    for (int s = 0; s < surface.n_vertices; ++s) mean += step[s * dim + d] / surface.n_vertices;
    for (int s = 0; s < surface.n_samples; ++s) relative[s * dim + d] -= mean;
  }
  return relative;
}

/// Largest motion in the step, mean length of pieces, diagonal of the bounding box of the scene, m.
struct Sizes {
  double motion = 0, piece = 0, scene = 0;
};

Sizes sizes_of(const ContactSurface& surface, const SurfacePosition& at, const std::vector<double>& step) {
  const int dim = surface.dim;
  Sizes sizes;
  BoundingBox all;
  all.low.fill(std::numeric_limits<double>::infinity()), all.high.fill(-std::numeric_limits<double>::infinity());
  for (int s = 0; s < surface.n_vertices; ++s) {
    double square = 0;
    for (int d = 0; d < dim; ++d) {
      const int i = s * dim + d;
      square += step[i] * step[i];
      all.low[d] = std::min(all.low[d], at.X[i] + at.u[i]), all.high[d] = std::max(all.high[d], at.X[i] + at.u[i]);
    }
    sizes.motion = square < std::numeric_limits<double>::infinity() ? std::max(sizes.motion, std::sqrt(square))
                                                                    : std::numeric_limits<double>::infinity();
    if (std::isinf(sizes.motion)) return sizes;
  }
  for (const auto& piece : surface.pieces) {
    double square = 0;
    for (int d = 0; d < dim; ++d) {
      const int a = piece[0] * dim + d, b = piece[1] * dim + d;
      square += std::pow((at.X[a] - at.X[b]) + (at.u[a] - at.u[b]), 2);
    }
    sizes.piece += std::sqrt(square) / surface.n_pieces();
  }
  for (int d = 0; d < dim; ++d) sizes.scene = std::hypot(sizes.scene, all.high[d] - all.low[d]);
  return sizes;
}

template <int D>
ContactStep limit_of(const ContactSurface& surface, CandidateSearch& search, const SurfacePosition& at,
                   const double* step) {
  const std::vector<double> relative = relative_step(surface, step);
  const Sizes sizes = sizes_of(surface, at, relative);
  ContactStep limit;
  if (std::isinf(sizes.motion)) {  // the step is not finite
    limit.fraction = 0;
    return limit;
  }
  const double allowed = std::min(1.0, scenes_in_step * sizes.scene / sizes.motion), searched = allowed / part_of_way;
  const int parts = std::max(1, static_cast<int>(std::ceil(searched * sizes.motion / (pieces_in_part * sizes.piece))));
  SurfacePosition here = at;
  std::vector<double> part = relative;
  for (double& s : part) s *= searched / parts;
  for (int k = 0; k < parts; ++k) {
    for (std::size_t i = 0; k > 0 && i < part.size(); ++i) here.u[i] = at.u[i] + k * part[i];
    const ContactCandidates candidates = search.swept(here, part.data(), 0);
    EarliestImpact<D> earliest(surface, here, part.data());
    for (const auto& [vertex, piece] : candidates.sample_piece) earliest.meet(vertex, piece);
    for (const auto& [a, b] : candidates.edge_edge) earliest.meet_edges(a, b);
    if (earliest.point < 0) continue;
    limit = earliest.first;
    limit.fraction = std::min(allowed, part_of_way * (k + earliest.time) * searched / parts);
    for (int d = 0; d < D; ++d) {
      const int i = earliest.point * D + d;
      limit.place[d] = at.X[i] + at.u[i] + limit.fraction * step[i];
    }
    return limit;
  }
  limit.fraction = allowed;
  return limit;
}

}  // namespace

ContactStep limit_step(const ContactSurface& surface, CandidateSearch& search, const SurfacePosition& at,
                     const double* step) {
  return surface.dim == 2 ? limit_of<2>(surface, search, at, step) : limit_of<3>(surface, search, at, step);
}

}  // namespace invar
