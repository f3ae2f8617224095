#include "libadjoint/constraint/expanded_state.hpp"

namespace invar {
namespace {

bool is_value(Level level) { return level == Level::value || level == Level::predicted; }

}  // namespace

Vec ExpandedState::zeros() {
  vectors_.push_back(zeros_like(like_));
  return vectors_.back();
}

/// Value and prediction with g. What is solved for is held where it follows nothing: there g is zero.
State ExpandedState::expand(const State& q, const Controls* d) {
  State u;
  u.memory = q.memory;
  const bool offset = d && map_.has_offset();
  const auto expanded = [&](Vec from, bool value) -> Vec {
    if (!from && !(offset && value)) return nullptr;
    const Vec to = zeros();
    if (from) map_.expand(from, to);
    if (offset && value) map_.add_offset(*d, to);
    return to;
  };
  for (Level l : all_levels) {
    const bool g_alone = !q.levels[l] && l == Level::predicted;  // a prediction that is not read
    u.levels[l] = g_alone ? nullptr : expanded(q.levels[l], is_value(l));
  }
  u.unknown = q.unknown && q.unknown == q.levels[Level::value] ? u.levels[Level::value] : expanded(q.unknown, false);
  return u;
}

EvaluationPoint ExpandedState::point(const EvaluationPoint& q) { return {expand(q, &q.controls()), q.given}; }

// The derivative of g acts on predictions, too, where the equation reads them: a direction of g alone has to move both.
State ExpandedState::direction(const State& q_dot, const Controls* d_dot) {
  State u_dot = expand(q_dot, d_dot);
  if (d_dot && map_.has_offset() && !u_dot.levels[Level::predicted]) {
    u_dot.levels[Level::predicted] = zeros();
    map_.add_offset(*d_dot, u_dot.levels[Level::predicted]);
  }
  return u_dot;
}

State ExpandedState::wanted(const State& q_bar, const Controls* d_bar) {
  State u_bar;
  u_bar.memory = q_bar.memory;
  const bool offset = d_bar && map_.has_offset();
  for (Level l : all_levels)
    if (q_bar.levels[l] || (offset && is_value(l))) u_bar.levels[l] = zeros();
  if (q_bar.unknown) u_bar.unknown = q_bar.unknown == q_bar.levels[Level::value] ? u_bar.levels[Level::value] : zeros();
  return u_bar;
}

void ExpandedState::reduce(const State& u_bar, const State& q_bar, Controls* d_bar) const {
  for (Level l : all_levels) {
    if (q_bar.levels[l]) map_.add_reduced(u_bar.levels[l], q_bar.levels[l]);
    if (d_bar && map_.has_offset() && is_value(l) && u_bar.levels[l]) map_.add_offset_transposed(u_bar.levels[l], *d_bar);
  }
  if (q_bar.unknown && q_bar.unknown != q_bar.levels[Level::value]) map_.add_reduced(u_bar.unknown, q_bar.unknown);
}

}  // namespace invar
