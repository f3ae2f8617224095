#pragma once
#include <functional>

#include "libadjoint/time/checkpoint_schedule.hpp"
#include "libadjoint/time/trajectory.hpp"

namespace invar {

/// Makes S_n from S_{n−1} in place; the same bits as in the march, whatever was done before.
using AdvanceState = std::function<void(int n, MarchState& state)>;
/// Does the reverse of the step before → after, S_{n−1} → S_n.
using VisitStep = std::function<void(int n, const MarchState& before, const MarchState& after)>;

/// Keeps S_n, or others no longer, as the schedule says. To be called on the march for n = 0, 1, …
/// before the step from S_n. Collective; throws StorageError.
void record(CheckpointSchedule& schedule, Trajectory& kept, int n, const MarchState& state);

/// Visits n = steps, …, 2, 1 after a march to S_steps with `before` = S_{steps−1}, `after` = S_steps,
/// both of which are overwritten. Gives the number of steps that were taken again. Nothing is kept
/// in the end. Collective; throws StorageError and what the two functions throw.
long reverse_sweep(CheckpointSchedule& schedule, Trajectory& kept, int steps, MarchState& before,
                   MarchState& after, const AdvanceState& advance, const VisitStep& visit);

}  // namespace invar
