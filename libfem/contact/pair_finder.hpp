#pragma once
#include <mpi.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "libfem/contact/active_pairs.hpp"
#include "libfem/contact/candidate_search.hpp"
#include "libfem/contact/contact_surface.hpp"
#include "libfem/contact/rest_check.hpp"
#include "libfem/contact/surface_measure.hpp"
#include "libfem/form/closest_approach.hpp"
#include "libfem/form/distant_coupling.hpp"

namespace invar {

/// The surfaces of one contact pair and their near pairs of features. Several forms of the pair share one finder: its results
/// depend on the positions only, and are cached for the last positions. In a distributed mesh every rank that owns a node of the
/// surfaces has the whole surfaces, other ranks have none.
class PairFinder {
 public:
  /// mesh: undeformed mesh with the nodes of the surface.
  PairFinder(ContactSurface surface, const Mesh& mesh, bool axisymmetric);

  /// Finder for the facets of one or two sets of regions, with `samples` pieces per edge on the finer side; see
  /// `facets_of_regions`. Collective.
  static std::shared_ptr<PairFinder> on_regions(const Mesh& mesh, const std::vector<std::string>& first,
                                                const std::vector<std::string>& second, int samples, bool axisymmetric);

  const ContactSurface& surface() const { return surface_; }
  const SurfaceMeasure& measure() const { return measure_; }
  /// Nodes of the facets, ascending.
  const std::vector<int>& nodes() const { return nodes_; }

  // Collective, with the same result on all ranks.
  /// Default of d̂, m.
  double default_distance();
  /// Positions where surfaces intersect or are nearer than `least` [m], the worst first.
  std::vector<Overlap> overlaps(const SurfacePosition& at, double least);
  /// Smallest distance of features that form pairs, m. The diagonal of the surfaces' bounding box, which is longer, if there are none.
  double smallest_gap(const SurfacePosition& at);
  /// The position of an intersection, else of the smallest distance if it is less than d_hat [m].
  ClosestApproach nearest(const SurfacePosition& at, double d_hat);
  /// Number of pairs nearer than d_hat [m].
  long pair_count(const SurfacePosition& at, double d_hat);

  // For this rank, without communication.
  /// Pairs nearer than d_hat [m] that depend on a node of this rank.
  const ActivePairs& active(const SurfacePosition& at, double d_hat);
  /// Adds pairs of nodes that active pairs may couple at positions near these, for own rows.
  void add_couplings(const SurfacePosition& at, double d_hat, std::vector<NodePair>& pairs);
  /// Largest fraction of the step [n_samples × dim] without contact; see `limit_step`.
  double longest_step(const SurfacePosition& at, const double* step);

 private:
  bool has_surfaces() const { return surface_.n_facets() > 0; }
  double smallest_of_ranks(double value) const;
  bool is_own(std::span<const int> samples) const;
  void list_nodes();
  void search_near(const SurfacePosition& at, double d_hat);
  void drop_foreign(ContactCandidates& candidates) const;
  void drop_foreign(ActivePairs& pairs) const;

  const ContactSurface surface_;
  const SurfacePosition rest_;
  SurfaceMeasure measure_;
  std::vector<int> nodes_;
  MPI_Comm comm_;
  int n_owned_ = 0;         // nodes of this rank
  std::vector<char> own_;   // [n_samples] whether one of these is on a facet of the sample
  std::vector<std::vector<int>> node_lists_;                          // ascending
  std::vector<int> nodes_of_sample_, nodes_of_piece_, nodes_of_edge_;  // index of the list
  std::vector<double> reach_;  // [n_samples] how far a sample and a feature at it may move together until candidates are searched again, m
  CandidateSearch search_;
  ContactCandidates candidates_;
  SurfacePosition searched_, present_;  // positions of the candidates; of the active pairs
  double present_d_hat_ = 0;
  ActivePairs active_;
};

}  // namespace invar
