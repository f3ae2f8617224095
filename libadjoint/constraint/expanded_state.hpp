#pragma once
#include <memory>
#include <vector>

#include "libadjoint/constraint/constraint_map.hpp"
#include "libadjoint/evaluation_point.hpp"

namespace invar {

/// Expands states of the reduced unknowns q to those of one equation, u = T q, and reduces derivatives. Owns the
/// vectors that it returns; they live as long as the object.
class ExpandedState {
 public:
  /// like: a vector u, duplicated for new ones. with_memory: the history variables belong to this equation. spare: vectors to use before
  /// new ones are made, and where all go in the end; in small problems to make them takes a third of the time of a step.
  ExpandedState(const ConstraintMap& map, Vec like, int part = 0, bool with_memory = true, std::vector<VecHandle>* spare = nullptr)
      : map_(map), like_(like), part_(part), with_memory_(with_memory), spare_(spare) {}
  ~ExpandedState();
  ExpandedState(const ExpandedState&) = delete;
  ExpandedState& operator=(const ExpandedState&) = delete;

  /// u = T q for all levels.
  EvaluationPoint point(const EvaluationPoint& q) {
    map_.prepare(q.given);
    return {direction(q), q.given};
  }
  State direction(const State& q_dot);
  /// u_dot = T q_dot + Ṫ q. rates: of the numbers of T, empty if there are none.
  State direction(const State& q_dot, const State& q, const std::vector<double>& rates);
  /// Zero vectors to accumulate derivatives by u, at the levels where q_bar has vectors. q: also where it has, for derivatives by the
  /// numbers of T; null: without.
  State wanted(const State& q_bar, const State* q = nullptr);
  /// q_bar += Tᵀ u_bar.
  void reduce(const State& u_bar, const State& q_bar) const;
  /// q_bar += Ṫᵀ u_bar.
  void reduce_rate(const State& u_bar, const std::vector<double>& rates, const State& q_bar) const;
  /// v_bar += (∂(T q)/∂v)ᵀ u_bar, as `ConstraintMap::add_number_gradient`.
  void add_number_gradient(const State& q, const State& u_bar, std::vector<double>& v_bar) const;
  /// Reduces the derivative of a gradient u_bar along q_dot and `rates`: q_bar_dot += Tᵀ u_bar_dot + Ṫᵀ u_bar. vjp(u_bar) accumulates u_bar, where
  /// it is needed. of_numbers: v_bar, v_bar_dot += the derivatives by the numbers of T, too.
  template <class Vjp>
  void reduce_second(const State& q, const State& q_dot, const std::vector<double>& rates, const State& u_bar_dot, const State& q_bar_dot, bool of_numbers, Vjp vjp,
                     std::vector<double>& v_bar, std::vector<double>& v_bar_dot) {
    reduce(u_bar_dot, q_bar_dot);
    if (!of_numbers && rates.empty()) return;
    State u_bar = wanted(q_bar_dot, of_numbers ? &q : nullptr);
    u_bar.memory = nullptr;
    vjp(u_bar);
    if (!rates.empty()) reduce_rate(u_bar, rates, q_bar_dot);
    if (!of_numbers) return;
    add_number_gradient(q, u_bar, v_bar);
    add_number_gradient(q, u_bar_dot, v_bar_dot);
    add_number_gradient(q_dot, u_bar, v_bar_dot);
  }

 private:
  Vec vector();
  Vec zeros();

  const ConstraintMap& map_;
  Vec like_;
  int part_;
  bool with_memory_;
  std::vector<VecHandle>* spare_;
  std::vector<VecHandle> vectors_;
};

}  // namespace invar
