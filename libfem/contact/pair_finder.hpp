#pragma once
#include <memory>
#include <string>
#include <vector>

#include "libfem/contact/active_pairs.hpp"
#include "libfem/contact/candidate_search.hpp"
#include "libfem/contact/contact_surface.hpp"
#include "libfem/contact/rest_check.hpp"
#include "libfem/contact/surface_measure.hpp"
#include "libfem/form/distant_coupling.hpp"

namespace invar {

/// The surfaces of one contact pair and what is near on them. Several forms of the same pair share one: answers are
/// those of pure functions of the positions, kept while they are asked for again.
class PairFinder {
 public:
  /// coordinates: of the nodes [node × dim], m, at rest.
  PairFinder(ContactSurface surface, const double* coordinates, bool axisymmetric);

  /// The facets of one or two sets of regions of a mesh, divided into `samples` pieces on the finer side; see
  /// `facets_of_regions`.
  static std::shared_ptr<PairFinder> on_regions(const Mesh& mesh, const std::vector<std::string>& first,
                                                const std::vector<std::string>& second, int samples, bool axisymmetric);

  const ContactSurface& surface() const { return surface_; }
  const SurfaceMeasure& measure() const { return measure_; }
  /// Nodes of the facets, ascending.
  const std::vector<int>& nodes() const { return nodes_; }

  /// d̂ where it is not given, m.
  double default_distance() { return invar::default_distance(surface_, search_, rest_); }
  /// Where the undeformed surfaces intersect or are nearer than `least`, the worst first.
  std::vector<Overlap> overlaps(double least) { return find_overlaps(surface_, search_, rest_, least); }
  /// Smallest distance at which anything would press, m.
  double smallest_gap(const SurfacePosition& at);

  /// All pairs nearer than d_hat, m.
  const ActivePairs& active(const SurfacePosition& at, double d_hat);
  /// Adds pairs of nodes that active pairs may couple at positions near these; of rows below `n_owned`.
  void add_couplings(const SurfacePosition& at, double d_hat, int n_owned, std::vector<NodePair>& pairs);
  /// The part of the step [n_samples × dim] that brings nothing together.
  double longest_step(const SurfacePosition& at, const double* step);

 private:
  const ContactSurface surface_;
  const SurfacePosition rest_;
  SurfaceMeasure measure_;
  std::vector<int> nodes_;
  double reach_ = 0;  // of couplings and candidates beyond d̂, m
  CandidateSearch search_;
  ContactCandidates candidates_;
  SurfacePosition searched_, present_;  // of the candidates; of the active pairs
  double present_d_hat_ = 0;
  ActivePairs active_;
};

}  // namespace invar
