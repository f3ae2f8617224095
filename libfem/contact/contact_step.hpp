#pragma once
#include "libfem/contact/candidate_search.hpp"

namespace invar {

/// How far a step may go before anything touches, and where.
struct ContactStep {
  double fraction = 1;  // of the step: at most 0.9 of the way to the first impact, also of one shortly after the step
  bool edges = false;   // the pair that decides: two edges, else {vertex, piece}; −1 where none does
  std::array<int, 2> pair{-1, -1};
  std::array<double, 3> place{};  // m, of the pair's first point at `fraction`
};

/// step [n_samples × dim]: displacement increments of the samples. Deterministic; of pairs with the same time the
/// first one decides. What all samples have in common does not count. Long steps are followed in parts of a few pieces'
/// size each, so that boxes around ways stay small; of a step on which samples move against the others by more than
/// twice the size of the whole scene, only that part is
/// allowed; of one that is not finite nothing.
ContactStep limit_step(const ContactSurface& surface, CandidateSearch& search, const SurfacePosition& at,
                     const double* step);

}  // namespace invar
