#pragma once
#include "libfem/contact/candidate_search.hpp"

namespace invar {

/// Two features that intersect or are too close to each other.
struct Overlap {
  bool intersects = false;        // false: nearer than the given distance
  double distance = 0;            // m; 0 where they intersect
  std::array<int, 2> facets{};    // of the surface
  std::array<double, 3> place{};  // m
};

/// Pieces that intersect (segments in 2-D, an edge through a triangle in 3-D) and pairs nearer than `least`; the worst
/// first, at most `most`. No guarantee against a body that lies inside another without touching its surface.
std::vector<Overlap> find_overlaps(const ContactSurface& surface, CandidateSearch& search, const SurfacePosition& at,
                                   double least, int most = 10);

/// Smallest distance of features at rest, m, without excluded pairs and pairs whose signs cancel; `within` if there is no smaller one.
double smallest_distance(const ContactSurface& surface, CandidateSearch& search, const SurfacePosition& at,
                         double within);

/// Default d̂: min(10⁻³ × diagonal of the smaller side's box, ½ × smallest distance at rest), m.
double default_distance(const ContactSurface& surface, CandidateSearch& search, const SurfacePosition& at);

}  // namespace invar
