#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <set>
#include <stdexcept>
#include <vector>

#include "libadjoint/time/binomial.hpp"
#include "libadjoint/time/checkpoint_schedule.hpp"

namespace invar {
namespace {

using Move = CheckpointSchedule::Move;

/// Does what a schedule says with numbers for states, and objects to what cannot be done.
class March {
 public:
  March(CheckpointSchedule& schedule, int slots) : schedule_(schedule), slots_(slots) {}

  /// Steps forward that march and sweep took together.
  long there_and_back(int steps, bool asks_at_the_end = false) {
    for (int n = 0; n < steps; ++n) {
      hand_ = n;
      follow(schedule_.reached(n));
    }
    if (asks_at_the_end) {
      hand_ = steps;
      follow(schedule_.reached(steps));
    }
    taken_ = steps;
    schedule_.finish(steps);
    hand_ = steps - 1;
    for (int n = steps; n >= 1; --n) {
      follow(schedule_.recover(n));
      EXPECT_EQ(hand_, n - 1) << "is not the state that the visit needs";
      hand_ = -1;  // from here on it is the later one of the next visit
    }
    EXPECT_TRUE(kept_.empty());
    return taken_;
  }

 private:
  void follow(const std::vector<CheckpointSchedule::Action>& actions) {
    for (const auto [move, step] : actions) switch (move) {
        case Move::keep:
          EXPECT_EQ(hand_, step);
          EXPECT_TRUE(kept_.insert(step).second);
          EXPECT_LE(kept_.size(), std::size_t(slots_));
          break;
        case Move::drop: EXPECT_EQ(kept_.erase(step), 1u); break;
        case Move::restore:
          EXPECT_TRUE(kept_.contains(step));
          hand_ = step;
          break;
        case Move::advance:
          EXPECT_GE(hand_, 0);
          EXPECT_LT(hand_, step);
          taken_ += step - hand_;
          hand_ = step;
          break;
      }
  }

  CheckpointSchedule& schedule_;
  int slots_;
  std::set<int> kept_;
  int hand_ = -1;
  long taken_ = 0;
};

using Make = std::function<std::unique_ptr<CheckpointSchedule>(int steps, int slots)>;

long steps_taken(const Make& make, int steps, int slots, bool asks_at_the_end = false) {
  const auto schedule = make(steps, slots);
  return March(*schedule, slots).there_and_back(steps, asks_at_the_end);
}

const Make online = [](int, int slots) { return online_schedule(slots); };

TEST(CheckpointSchedule, OfKnownLengthTakesTheFewestSteps) {
  for (int slots = 1; slots <= 10; ++slots)
    for (int steps = 1; steps <= 60; ++steps) {
      SCOPED_TRACE(testing::Message() << steps << " steps, " << slots << " slots");
      EXPECT_EQ(steps_taken(binomial_schedule, steps, slots), binomial_advances(steps, slots) + 1);
    }
  for (const int slots : {10, 40})
    EXPECT_EQ(steps_taken(binomial_schedule, 1000, slots), binomial_advances(1000, slots) + 1);
}

TEST(CheckpointSchedule, ThatKeepsAllTakesNoStepAgain) {
  const Make all = [](int, int) { return keep_all_schedule(); };
  for (const int steps : {1, 2, 3, 10, 100}) EXPECT_EQ(steps_taken(all, steps, steps), steps);
}

TEST(CheckpointSchedule, OfUnknownLengthStaysNearTheFewest) {
  const auto expect_optimal = [](int steps, int slots) {
    SCOPED_TRACE(testing::Message() << steps << " steps, " << slots << " slots");
    const double least = double(binomial_advances(steps, slots) + 1);
    const double taken = double(steps_taken(online, steps, slots));
    EXPECT_GE(taken, least);
    EXPECT_LE(taken, least * (1 + 1.0 / (slots + 1)) * (1 + 1e-12));
  };
  for (int slots = 1; slots <= 10; ++slots)
    for (int steps = 1; steps <= 200; ++steps) expect_optimal(steps, slots);
  for (const int slots : {10, 20, 40})
    for (const int steps : {861, 1000, 3000}) expect_optimal(steps, slots);
}

TEST(CheckpointSchedule, OfUnknownLengthStaysNearTheFewestOnEveryLongMarch) {
  for (const int slots : {2, 3, 5, 10, 20, 40}) {
    const auto schedule = online_schedule(slots);
    std::vector<int> kept;
    double ratios = 0;
    constexpr int longest = 20'000;
    for (int steps = 1; steps <= longest; ++steps) {
      for (const auto [move, step] : schedule->reached(steps - 1))
        if (move == Move::keep)
          kept.push_back(step);
        else
          std::erase(kept, step);
      // What a sweep from S_steps takes: each part between kept states by itself, the later ones'
      // slots being free by then.
      long taken = steps;
      for (int j = 0; j < int(kept.size()); ++j) {
        const int next = j + 1 < int(kept.size()) ? kept[std::size_t(j) + 1] : steps - 1;
        taken += binomial_advances(next - kept[std::size_t(j)], slots - j);
      }
      const double ratio = double(taken) / double(binomial_advances(steps, slots) + 1);
      ASSERT_LE(ratio, 1 + 1.0 / (slots + 1)) << steps << " steps, " << slots << " slots";
      ratios += ratio;
    }
    EXPECT_LE(ratios / longest, 1.01) << slots;
  }
}

TEST(CheckpointSchedule, OfUnknownLengthIsOptimalWhenAllFits) {
  for (int slots = 1; slots <= 10; ++slots)
    for (int steps = 1; steps <= slots + 1; ++steps)
      EXPECT_EQ(steps_taken(online, steps, slots), steps) << slots;
}

TEST(CheckpointSchedule, ReversesAMarchOfAnotherLengthThanPlanned) {
  for (int slots = 1; slots <= 5; ++slots)
    for (int steps = 1; steps <= 50; ++steps) {
      SCOPED_TRACE(testing::Message() << steps << " steps, " << slots << " slots");
      const auto schedule = binomial_schedule(25, slots);
      EXPECT_GE(March(*schedule, slots).there_and_back(steps), binomial_advances(steps, slots) + 1);
    }
}

TEST(CheckpointSchedule, MayBeAskedAtTheEndOfTheMarchToo) {
  const Make all = [](int, int) { return keep_all_schedule(); };
  for (int slots = 1; slots <= 5; ++slots)
    for (int steps = 1; steps <= 40; ++steps) {
      SCOPED_TRACE(testing::Message() << steps << " steps, " << slots << " slots");
      steps_taken(online, steps, slots, true);
      EXPECT_EQ(steps_taken(binomial_schedule, steps, slots, true),
                binomial_advances(steps, slots) + 1);
      EXPECT_EQ(steps_taken(all, steps, steps + 1, true), steps);
    }
}

TEST(CheckpointSchedule, NeedsASlot) {
  EXPECT_THROW(binomial_schedule(10, 0), std::invalid_argument);
  EXPECT_THROW(online_schedule(0), std::invalid_argument);
}

}  // namespace
}  // namespace invar
