#include "libadjoint/time/reverse_sweep.hpp"

#include <utility>

namespace invar {

using Move = CheckpointSchedule::Move;

void record(CheckpointSchedule& schedule, Trajectory& kept, int n, const MarchState& state) {
  for (const auto [move, step] : schedule.reached(n))
    move == Move::keep ? kept.put(step, state) : kept.drop(step);
}

long reverse_sweep(CheckpointSchedule& schedule, Trajectory& kept, int steps, MarchState& before,
                   MarchState& after, const AdvanceState& advance, const VisitStep& visit) {
  long again = 0;
  schedule.finish(steps);
  for (int n = steps; n >= 1; --n) {
    int in_hand = n - 1;
    for (const auto [move, step] : schedule.recover(n)) switch (move) {
        case Move::keep: kept.put(step, before); break;
        case Move::drop: kept.drop(step); break;
        case Move::restore:
          kept.get(step, before);
          in_hand = step;
          break;
        case Move::advance:
          for (; in_hand < step; ++again) advance(++in_hand, before);
          break;
      }
    visit(n, before, after);
    std::swap(before, after);
  }
  return again;
}

}  // namespace invar
