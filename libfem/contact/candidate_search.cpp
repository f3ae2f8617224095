#include "libfem/contact/candidate_search.hpp"

#include <algorithm>
#include <cmath>

namespace invar {
namespace {

BoundingBox inflated(const BoundingBox& box, double margin) {
  BoundingBox larger = box;
  for (int d = 0; d < 3; ++d) larger.low[d] -= margin, larger.high[d] += margin;
  return larger;
}

std::vector<BoundingBox> boxes_between(const std::vector<BoundingBox>& boxes, int begin, int end) {
  return {boxes.begin() + begin, boxes.begin() + end};
}

}  // namespace

CandidateSearch::CandidateSearch(const ContactSurface& surface, const SurfacePosition& at) : surface_(&surface) {
  sample_boxes_.resize(surface.n_samples), piece_boxes_.resize(surface.n_pieces()),
      edge_boxes_.resize(surface.n_edges());
  fit(at, nullptr);
  for (int side = 0; side < 2; ++side) {
    pieces_[side] = BoxTree(boxes_between(piece_boxes_, surface.piece_begin[side], surface.piece_begin[side + 1]));
    edges_[side] = BoxTree(boxes_between(edge_boxes_, surface.edge_begin[side], surface.edge_begin[side + 1]));
  }
}

void CandidateSearch::fit(const SurfacePosition& at, const double* step, std::span<const double> reach) {
  const int dim = at.dim;
  for (int s = 0; s < surface_->n_samples; ++s) {
    BoundingBox& box = sample_boxes_[s];
    const double way = reach.empty() ? 0 : 0.5 * reach[s];
    for (int d = 0; d < dim; ++d) {
      const int i = s * dim + d;
      const double x = at.X[i] + at.u[i], moved = step ? at.X[i] + (at.u[i] + step[i]) : x;
      box.low[d] = std::min(x, moved) - way, box.high[d] = std::max(x, moved) + way;
    }
  }
  for (int p = 0; p < surface_->n_pieces(); ++p) {
    const auto& v = surface_->pieces[p];
    piece_boxes_[p] = sample_boxes_[v[0]];
    for (int k = 1; k < dim; ++k) piece_boxes_[p].cover(sample_boxes_[v[k]]);
  }
  for (int e = 0; e < surface_->n_edges(); ++e) {
    edge_boxes_[e] = sample_boxes_[surface_->edges[e][0]];
    edge_boxes_[e].cover(sample_boxes_[surface_->edges[e][1]]);
  }
}

ContactCandidates CandidateSearch::find(double margin, int n_samples) {
  const ContactSurface& S = *surface_;
  for (int side = 0; side < 2; ++side) {
    pieces_[side].refit({piece_boxes_.data() + S.piece_begin[side], piece_boxes_.data() + S.piece_begin[side + 1]});
    edges_[side].refit({edge_boxes_.data() + S.edge_begin[side], edge_boxes_.data() + S.edge_begin[side + 1]});
  }
  ContactCandidates found;
  found.margin = margin;
  found.sample_piece.reserve(n_found_[0]), found.edge_edge.reserve(n_found_[1]);
  for (int s = 0; s < n_samples; ++s) {
    const int side = S.self ? 0 : 1 - S.sample_side[s];
    const std::size_t before = found.sample_piece.size();
    pieces_[side].visit_meeting(inflated(sample_boxes_[s], margin), 0, [&](int i) {
      const int piece = S.piece_begin[side] + i;
      if (!S.excluded(s, piece)) found.sample_piece.push_back({s, piece});
    });
    std::sort(found.sample_piece.begin() + static_cast<std::ptrdiff_t>(before), found.sample_piece.end());
  }
  const int other = S.self ? 0 : 1;
  for (int a = 0; a < S.edge_begin[1]; ++a) {
    const std::size_t before = found.edge_edge.size();
    edges_[other].visit_meeting(inflated(edge_boxes_[a], margin), S.self ? a + 1 : 0, [&](int i) {
      const int b = S.edge_begin[other] + i;
      if (!S.edges_excluded(a, b)) found.edge_edge.push_back({a, b});
    });
    std::sort(found.edge_edge.begin() + static_cast<std::ptrdiff_t>(before), found.edge_edge.end());
  }
  n_found_ = {found.sample_piece.size(), found.edge_edge.size()};
  return found;
}

ContactCandidates CandidateSearch::near(const SurfacePosition& at, double margin, std::span<const double> reach) {
  fit(at, nullptr, reach);
  return find(margin, surface_->n_samples);
}

ContactCandidates CandidateSearch::swept(const SurfacePosition& at, const double* step, double margin) {
  fit(at, step);
  return find(margin, surface_->n_vertices);
}

std::vector<std::array<int, 2>> CandidateSearch::meeting_pieces(const SurfacePosition& at) {
  const ContactSurface& S = *surface_;
  fit(at, nullptr);
  const int other = S.self ? 0 : 1;
  pieces_[other].refit({piece_boxes_.data() + S.piece_begin[other], piece_boxes_.data() + S.piece_begin[other + 1]});
  std::vector<std::array<int, 2>> found;
  for (int a = 0; a < S.piece_begin[1]; ++a)
    pieces_[other].visit_meeting(piece_boxes_[a], S.self ? a + 1 : 0, [&](int i) {
      const int b = S.piece_begin[other] + i;
      if (S.shares_nodes && ContactSurface::share(S.facet_corners[S.piece_facet[a]], S.facet_corners[S.piece_facet[b]]))
        return;
      found.push_back({a, b});
    });
  std::sort(found.begin(), found.end());
  return found;
}

bool still_cover(const ContactCandidates& candidates, double distance, const SurfacePosition& then, const SurfacePosition& now,
                 std::span<const double> reach) {
  const double common = (candidates.margin - distance) / 2;
  const int dim = now.dim;
  for (std::size_t s = 0; s * dim < now.u.size(); ++s) {
    double square = 0;
    for (std::size_t i = s * dim; i < (s + 1) * dim; ++i) {
      const double moved = (now.X[i] - then.X[i]) + (now.u[i] - then.u[i]);
      square += moved * moved;
    }
    const double most = common + (reach.empty() ? 0 : 0.5 * reach[s]);
    if (!(most >= 0 && square <= most * most)) return false;
  }
  return true;
}

}  // namespace invar
