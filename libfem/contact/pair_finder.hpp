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
#include "libfem/form/approach.hpp"
#include "libfem/form/distant_coupling.hpp"

namespace invar {

/// The surfaces of one contact pair and what is near on them. Several forms of the same pair share one: answers are
/// those of pure functions of the positions, kept while they are asked for again. Of a mesh in parts, every rank that
/// owns a node of the surfaces has all of them, another one none.
class PairFinder {
 public:
  /// mesh: of the surface's nodes, at rest.
  PairFinder(ContactSurface surface, const Mesh& mesh, bool axisymmetric);

  /// The facets of one or two sets of regions of a mesh, divided into `samples` pieces on the finer side; see
  /// `facets_of_regions`. Collective.
  static std::shared_ptr<PairFinder> on_regions(const Mesh& mesh, const std::vector<std::string>& first,
                                                const std::vector<std::string>& second, int samples, bool axisymmetric);

  const ContactSurface& surface() const { return surface_; }
  const SurfaceMeasure& measure() const { return measure_; }
  /// Nodes of the facets, ascending.
  const std::vector<int>& nodes() const { return nodes_; }

  // The same on all ranks, collective.
  /// d̂ where it is not given, m.
  double default_distance();
  /// Where surfaces intersect or are nearer than `least`, the worst first.
  std::vector<Overlap> overlaps(const SurfacePosition& at, double least);
  /// The same of the undeformed surfaces.
  std::vector<Overlap> overlaps(double least) { return overlaps(rest_, least); }
  /// Smallest distance at which anything would press, m.
  double smallest_gap(const SurfacePosition& at);
  /// Where surfaces intersect, else where they are nearest, if that is nearer than d_hat [m].
  Approach nearest(const SurfacePosition& at, double d_hat);
  /// How many pairs are nearer than d_hat [m].
  long pair_count(const SurfacePosition& at, double d_hat);

  // As this rank sees it, without communication.
  /// The pairs nearer than d_hat [m] that depend on one of its nodes.
  const ActivePairs& active(const SurfacePosition& at, double d_hat);
  /// Adds pairs of nodes that active pairs may couple at positions near these; of rows that it owns.
  void add_couplings(const SurfacePosition& at, double d_hat, std::vector<NodePair>& pairs);
  /// The part of the step [n_samples × dim] that brings nothing together.
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
  std::vector<int> nodes_of_sample_, nodes_of_piece_, nodes_of_edge_;  // which of these lists
  double reach_ = 0;  // of couplings and candidates beyond d̂, m
  CandidateSearch search_;
  ContactCandidates candidates_;
  SurfacePosition searched_, present_;  // of the candidates; of the active pairs
  double present_d_hat_ = 0;
  ActivePairs active_;
};

}  // namespace invar
