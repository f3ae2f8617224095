#pragma once
#include <span>

#include "libfem/contact/contact_candidates.hpp"
#include "libfem/contact/contact_surface.hpp"
#include "libfem/mesh/box_tree.hpp"

namespace invar {

/// Finds candidates on a contact surface by bounding-box trees over its pieces and edges. The trees are built once, from the given
/// positions, and refitted at each search. Which pairs below the margin are found does not depend on the trees.
class CandidateSearch {
 public:
  /// The surface must outlive it.
  CandidateSearch(const ContactSurface& surface, const SurfacePosition& at);

  /// Contains all pairs nearer than the margin [m], also after each sample s has moved by up to ½ reach[s] [m]. reach: [n_samples], empty: zero.
  ContactCandidates near(const SurfacePosition& at, double margin, std::span<const double> reach = {});
  /// Candidates while samples move by `step` [n_samples × dim] on straight lines: contains all pairs that come nearer than the
  /// margin. Samples that are not vertices of pieces are omitted, as they lie on straight pieces.
  ContactCandidates swept(const SurfacePosition& at, const double* step, double margin);
  /// Pairs of pieces with overlapping boxes and without a common corner, {smaller, larger}.
  std::vector<std::array<int, 2>> meeting_pieces(const SurfacePosition& at);

 private:
  void fit(const SurfacePosition& at, const double* step, std::span<const double> reach = {});
  ContactCandidates find(double margin, int n_samples);

  const ContactSurface* surface_;
  std::vector<BoundingBox> sample_boxes_, piece_boxes_, edge_boxes_;  // of the last search
  std::array<std::size_t, 2> n_found_{};  // numbers of sample-piece and edge-edge pairs in the last search
  std::array<BoxTree, 2> pieces_, edges_;                     // per side
};

/// Whether candidates found at `then` with this reach contain all pairs nearer than `distance` [m] at the present positions, i.e. no sample has
/// moved by more than (margin − distance + reach)/2.
bool still_cover(const ContactCandidates& candidates, double distance, const SurfacePosition& then, const SurfacePosition& now,
                 std::span<const double> reach = {});

}  // namespace invar
