#include "libadjoint/time/checkpoint_schedule.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <stdexcept>
#include <string>

#include "libadjoint/time/binomial.hpp"

namespace invar {
namespace {

class KeepAll : public CheckpointSchedule {
 public:
  KeepAll() : CheckpointSchedule(std::numeric_limits<int>::max()) {}

 private:
  std::optional<int> superfluous(int, const std::vector<int>&) const override { return {}; }
};

class Offline : public CheckpointSchedule {
 public:
  Offline(int steps, int slots)
      : CheckpointSchedule(slots), planned_(binomial_checkpoints(steps, slots)) {}

 private:
  std::optional<int> superfluous(int n, const std::vector<int>&) const override {
    if (std::binary_search(planned_.begin(), planned_.end(), n)) return {};
    return n;
  }
  std::vector<int> planned_;  // in addition to S_0
};

class Online : public CheckpointSchedule {
 public:
  explicit Online(int slots) : CheckpointSchedule(slots) {}

 private:
  std::optional<int> superfluous(int n, const std::vector<int>& kept) const override {
    const int count = static_cast<int>(kept.size());
    if (count < slots()) return {};
    // If the march ends with S_{n+2}, then S_{n+1} is present, and the kept states divide the rest into parts. The
    // sweep reverses each part with the slots of this part and of all later ones.
    std::vector<int> at = kept;
    at.push_back(n);
    at.push_back(n + 1);
    const auto again = [&](int first, int last, int part) {
      return binomial_advances(at[std::size_t(last)] - at[std::size_t(first)], slots() - part);
    };
    std::vector<long> later(at.size() + 1, 0);  // of parts j, j+1, … if one state before them is discarded
    for (int j = count; j > 1; --j)
      later[std::size_t(j)] = later[std::size_t(j) + 1] + again(j, j + 1, j - 1);
    long earlier = 0, least = std::numeric_limits<long>::max();
    int out = count;
    for (int j = 1; j <= count; ++j) {
      const long steps = earlier + again(j - 1, j + 1, j - 1) + later[std::size_t(j) + 1];
      if (steps < least || (steps == least && j == count)) {
        least = steps;
        out = j;
      }
      earlier += again(j - 1, j, j - 1);
    }
    return at[std::size_t(out)];
  }
};

}  // namespace

CheckpointSchedule::CheckpointSchedule(int slots) : slots_(slots) {
  if (slots < 1)
    throw std::invalid_argument("a trajectory must store at least one state; there is space for " +
                                std::to_string(slots));
}

std::vector<CheckpointSchedule::Action> CheckpointSchedule::reached(int n) {
  assert(n == next_);
  next_ = n + 1;
  std::vector<Action> out;
  if (n > 0)
    if (const std::optional<int> k = superfluous(n, kept_)) {
      if (*k == n) return out;
      kept_.erase(std::lower_bound(kept_.begin(), kept_.end(), *k));
      out.push_back({Move::drop, *k});
    }
  kept_.push_back(n);
  out.push_back({Move::keep, n});
  return out;
}

void CheckpointSchedule::finish(int steps) {
  assert(next_ >= steps);
  next_ = steps_ = steps;
}

std::vector<CheckpointSchedule::Action> CheckpointSchedule::recover(int n) {
  assert(n == next_ && n >= 1);
  next_ = n - 1;
  std::vector<Action> out;
  const auto drop_last = [&] {
    out.push_back({Move::drop, kept_.back()});
    kept_.pop_back();
  };
  while (kept_.back() >= n) drop_last();  // S_N, if it was kept too
  const int from = kept_.back();
  if (n < steps_) {
    out.push_back({Move::restore, from});
    const int free = slots_ - static_cast<int>(kept_.size()) + 1;
    for (const int k : binomial_checkpoints(n - from, free)) {
      kept_.push_back(from + k);
      out.push_back({Move::advance, from + k});
      out.push_back({Move::keep, from + k});
    }
    if (from < n - 1) out.push_back({Move::advance, n - 1});
  }
  if (kept_.back() == n - 1) drop_last();
  return out;
}

std::unique_ptr<CheckpointSchedule> keep_all_schedule() { return std::make_unique<KeepAll>(); }

std::unique_ptr<CheckpointSchedule> binomial_schedule(int steps, int slots) {
  return std::make_unique<Offline>(steps, slots);
}

std::unique_ptr<CheckpointSchedule> online_schedule(int slots) {
  return std::make_unique<Online>(slots);
}

}  // namespace invar
