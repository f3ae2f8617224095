#pragma once
#include "libfem/contact/contact_candidates.hpp"
#include "libfem/contact/contact_surface.hpp"
#include "libfem/mesh/box_tree.hpp"

namespace invar {

/// Finds candidates on a contact surface by trees of boxes over its pieces and edges. The trees are grown once, from
/// the positions given, and refitted to those of each search: results do not depend on them.
class CandidateSearch {
 public:
  /// The surface must outlive it.
  CandidateSearch(const ContactSurface& surface, const SurfacePosition& at);

  /// All pairs nearer than the margin [m] are among them.
  ContactCandidates near(const SurfacePosition& at, double margin);
  /// What may meet while samples move by `step` [n_samples × dim] on straight lines: all pairs that come nearer than
  /// the margin on their way. Of the samples only vertices of pieces: the others lie on straight pieces.
  ContactCandidates swept(const SurfacePosition& at, const double* step, double margin);
  /// Pairs of pieces whose boxes meet and that share no corner, {smaller, larger}.
  std::vector<std::array<int, 2>> meeting_pieces(const SurfacePosition& at);

 private:
  void fit(const SurfacePosition& at, const double* step);
  ContactCandidates find(double margin, int n_samples);

  const ContactSurface* surface_;
  std::vector<BoundingBox> sample_boxes_, piece_boxes_, edge_boxes_;  // of the last search
  std::array<std::size_t, 2> n_found_{};  // samples with pieces, edges with edges, the last time
  std::array<BoxTree, 2> pieces_, edges_;                     // per side
};

/// Whether candidates found at `then` contain all pairs nearer than `distance` now: no sample has moved by more than
/// (margin − distance)/2.
bool still_cover(const ContactCandidates& candidates, double distance, const SurfacePosition& then,
                 const SurfacePosition& now);

}  // namespace invar
