#pragma once
#include <memory>

#include "libadjoint/constraint/constraint_map.hpp"
#include "libadjoint/evaluation_point.hpp"

namespace invar {

/// States of the reduced unknowns as those of all unknowns, and back. Owns the vectors that it hands out; each lasts as
/// long as the object.
class ExpandedState {
 public:
  /// like: a vector of u, whose kind the new ones are of.
  ExpandedState(const ConstraintMap& map, Vec like) : map_(map), like_(like) {}

  /// u = T q + g(d) of the value, T q of rates; directions: u̇ = T q̇ + ∂g/∂d ḋ.
  EvaluationPoint point(const EvaluationPoint& q);
  State direction(const State& q_dot, const Controls* d_dot);
  /// Zeros to add derivatives by u to, where those by q, or by controls in g, are wanted.
  State wanted(const State& q_bar, const Controls* d_bar);
  /// q_bar += Tᵀ u_bar, d_bar += (∂g/∂d)ᵀ u_bar.
  void reduce(const State& u_bar, const State& q_bar, Controls* d_bar) const;

 private:
  State expand(const State& q, const Controls* d);
  Vec zeros();

  const ConstraintMap& map_;
  Vec like_;
  std::vector<VecHandle> vectors_;
};

}  // namespace invar
