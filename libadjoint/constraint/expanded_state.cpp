#include "libadjoint/constraint/expanded_state.hpp"

namespace invar {

ExpandedState::~ExpandedState() {
  for (VecHandle& v : vectors_)
    if (spare_ && spare_->size() < spare_->capacity()) spare_->push_back(std::move(v));  // allocates nothing: vector() has reserved the room
}

/// With any numbers.
Vec ExpandedState::vector() {
  if (spare_) spare_->reserve(spare_->size() + vectors_.size() + 1);
  if (spare_ && !spare_->empty()) {
    vectors_.push_back(std::move(spare_->back()));
    spare_->pop_back();
  } else {
    vectors_.push_back(zeros_like(like_));
  }
  return vectors_.back();
}

Vec ExpandedState::zeros() {
  const Vec v = vector();
  check(VecSet(v, 0.0));
  return v;
}

State ExpandedState::direction(const State& q_dot) {
  State u;
  if (with_memory_) u.memory = q_dot.memory;
  const auto expanded = [&](Vec from) -> Vec {
    if (!from) return nullptr;
    const Vec to = vector();
    map_.expand(from, to, part_);
    return to;
  };
  for (Level l : all_levels) u.levels[l] = expanded(q_dot.levels[l]);
  u.unknown = q_dot.unknown && q_dot.unknown == q_dot.levels[Level::value] ? u.levels[Level::value] : expanded(q_dot.unknown);
  return u;
}

State ExpandedState::direction(const State& q_dot, const State& q, const std::vector<double>& rates) {
  if (rates.empty()) return direction(q_dot);
  State u;
  if (with_memory_) u.memory = q_dot.memory;
  const auto expanded = [&](Vec from, Vec at) -> Vec {
    if (!from && !at) return nullptr;
    const Vec to = zeros();
    if (from) map_.expand(from, to, part_);
    if (at) map_.add_rate(rates, at, to, part_);
    return to;
  };
  for (Level l : all_levels) u.levels[l] = expanded(q_dot.levels[l], q.levels[l]);
  const bool same = q_dot.unknown == q_dot.levels[Level::value] && q.unknown == q.levels[Level::value];
  u.unknown = same ? u.levels[Level::value] : expanded(q_dot.unknown, q.unknown);
  return u;
}

State ExpandedState::wanted(const State& q_bar, const State* q) {
  State u_bar;
  if (with_memory_) u_bar.memory = q_bar.memory;
  for (Level l : all_levels)
    if (q_bar.levels[l] || (q && q->levels[l])) u_bar.levels[l] = zeros();
  if (q_bar.unknown && q_bar.unknown == q_bar.levels[Level::value]) u_bar.unknown = u_bar.levels[Level::value];
  else if (q_bar.unknown || (q && q->unknown)) u_bar.unknown = zeros();
  return u_bar;
}

void ExpandedState::reduce(const State& u_bar, const State& q_bar) const {
  for (Level l : all_levels)
    if (q_bar.levels[l]) map_.add_reduced(u_bar.levels[l], q_bar.levels[l], part_);
  if (q_bar.unknown && q_bar.unknown != q_bar.levels[Level::value]) map_.add_reduced(u_bar.unknown, q_bar.unknown, part_);
}

void ExpandedState::reduce_rate(const State& u_bar, const std::vector<double>& rates, const State& q_bar) const {
  for (Level l : all_levels)
    if (q_bar.levels[l]) map_.add_reduced_rate(rates, u_bar.levels[l], q_bar.levels[l], part_);
  if (q_bar.unknown && q_bar.unknown != q_bar.levels[Level::value]) map_.add_reduced_rate(rates, u_bar.unknown, q_bar.unknown, part_);
}

void ExpandedState::add_number_gradient(const State& q, const State& u_bar, std::vector<double>& v_bar) const {
  for (Level l : all_levels)
    if (q.levels[l] && u_bar.levels[l]) map_.add_number_gradient(q.levels[l], u_bar.levels[l], v_bar, part_);
  if (q.unknown && u_bar.unknown && u_bar.unknown != u_bar.levels[Level::value]) map_.add_number_gradient(q.unknown, u_bar.unknown, v_bar, part_);
}

}  // namespace invar
