#pragma once
#include "libfem/contact/candidate_search.hpp"

namespace invar {

/// Largest step before the first contact, and the position of that contact.
struct ContactStep {
  double fraction = 1;  // fraction of the step: 0.9 of the way to the first impact within or shortly after the step, at most 1
  bool edges = false;   // kind of the limiting pair: two edges, else {vertex, piece}; its numbers, −1 if there is none
  std::array<int, 2> pair{-1, -1};
  std::array<double, 3> place{};  // m, of the pair's first point at `fraction`
};

/// step [n_samples × dim]: displacement increments of the samples. Deterministic; among pairs with the same time the first one is
/// reported. A common translation of all samples is subtracted. Long steps are divided into parts of the size of a few pieces,
/// which keeps swept boxes small. If samples move relative to the others by more than twice the size of the whole scene, the
/// fraction is limited to that length; it is 0 if the step is not finite.
ContactStep limit_step(const ContactSurface& surface, CandidateSearch& search, const SurfacePosition& at,
                     const double* step);

}  // namespace invar
