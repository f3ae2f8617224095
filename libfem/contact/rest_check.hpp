#pragma once
#include "libfem/contact/candidate_search.hpp"

namespace invar {

/// Two features that intersect or are too near to each other.
struct Overlap {
  bool intersects = false;        // else only nearer than asked for
  double distance = 0;            // m; 0 where they intersect
  std::array<int, 2> facets{};    // of the surface
  std::array<double, 3> place{};  // m
};

/// Pieces that intersect (segments in 2-D, an edge through a triangle in 3-D) and pairs nearer than `least`; the worst
/// first, at most `most`. No guarantee against a body that lies inside another without touching its surface.
std::vector<Overlap> find_overlaps(const ContactSurface& surface, CandidateSearch& search, const SurfacePosition& at,
                                   double least, int most = 10);

/// The smallest distance at which anything would press at rest (features that share a corner do not meet, signs that
/// cancel do not count); `within` where there is none nearer than that, m.
double smallest_distance(const ContactSurface& surface, CandidateSearch& search, const SurfacePosition& at,
                         double within);

/// Default d̂: min(10⁻³ × diagonal of the smaller side's box, ½ × smallest distance at rest), m.
double default_distance(const ContactSurface& surface, CandidateSearch& search, const SurfacePosition& at);

}  // namespace invar
