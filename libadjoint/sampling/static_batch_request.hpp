#pragma once
#include <algorithm>
#include <vector>

#include "libadjoint/sampling/static_batch.hpp"

namespace invar {

/// What a waiting member wants.
struct StaticBatch::Request {
  int member = 0;
  const EvaluationPoint* at = nullptr;
  // of an equilibrium
  const NewtonOptions* newton = nullptr;
  double* force_scale = nullptr;
  NewtonReport* report = nullptr;
  // of an adjoint
  Vec u_bar = nullptr, lambda = nullptr;
  SolveReport solve{};
  bool done = false;
};

/// Newton's method in all copies. Vectors by entry of the common equation, or by copy.
struct StaticBatch::Copies {
  enum class Place { iterating, converged, left };  // left: to its case

  std::vector<double> u, r, step, trial_r;
  std::vector<double> norm, target, force;
  std::vector<Place> place;
  std::vector<NewtonReport> reports;

  bool iterating() const { return std::ranges::find(place, Place::iterating) != place.end(); }
};

}  // namespace invar
