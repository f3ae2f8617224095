#pragma once
#include <memory>
#include <vector>

#include "libadjoint/constraint/constraint_map.hpp"
#include "libadjoint/evaluation_point.hpp"

namespace invar {

/// States of the reduced unknowns as those of the unknowns of one equation, and back. Owns the vectors that it hands
/// out; each lasts as long as the object.
class ExpandedState {
 public:
  /// like: a vector of u, whose kind the new ones are of. with_memory: history variables are this equation's.
  ExpandedState(const ConstraintMap& map, Vec like, int part = 0, bool with_memory = true)
      : map_(map), like_(like), part_(part), with_memory_(with_memory) {}

  /// u = T q of the value and of rates.
  EvaluationPoint point(const EvaluationPoint& q) { return {direction(q), q.given}; }
  State direction(const State& q_dot);
  /// Zeros to add derivatives by u to, where those by q are wanted.
  State wanted(const State& q_bar);
  /// q_bar += Tᵀ u_bar.
  void reduce(const State& u_bar, const State& q_bar) const;

 private:
  Vec zeros();

  const ConstraintMap& map_;
  Vec like_;
  int part_;
  bool with_memory_;
  std::vector<VecHandle> vectors_;
};

}  // namespace invar
