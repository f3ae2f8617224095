#pragma once
#include <functional>

#include "libadjoint/time/checkpoint_schedule.hpp"
#include "libadjoint/time/trajectory.hpp"

namespace invar {

/// Computes S_n from S_{n−1} in place. The result must be bitwise equal to that of the march, whatever was computed
/// before.
using AdvanceState = std::function<void(int n, MarchState& state)>;
/// Adjoint of the step S_{n−1} → S_n, with both states.
using VisitStep = std::function<void(int n, const MarchState& before, const MarchState& after)>;

/// Carries out the schedule's actions at S_n. Call it in the march for n = 0, 1, …, before the step from S_n.
/// Collective; throws StorageError.
void record(CheckpointSchedule& schedule, Trajectory& kept, int n, const MarchState& state);

/// Visits n = steps, …, 2, 1 after a march to S_steps with `before` = S_{steps−1} and `after` = S_steps; both are
/// overwritten. Returns the number of recomputed steps. No state is kept afterwards. Collective; throws StorageError
/// and the exceptions of the two functions.
long reverse_sweep(CheckpointSchedule& schedule, Trajectory& kept, int steps, MarchState& before,
                   MarchState& after, const AdvanceState& advance, const VisitStep& visit);

}  // namespace invar
