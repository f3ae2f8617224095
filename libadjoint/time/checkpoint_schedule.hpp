#pragma once
#include <memory>
#include <optional>
#include <vector>

namespace invar {

/// A checkpointing schedule: decides which states of a march S_0, S_1, …, S_N are kept, and from which the others are
/// recomputed. The reverse sweep visits n = N, …, 1 and needs S_{n−1} and S_n; missing states are recomputed from the
/// nearest kept state before them. S_n is present from the previous visit; S_N and S_{N−1} are present at the end of
/// the march. The initial state takes a slot like any other.
/// A schedule serves one march and one sweep. It handles step numbers only: Trajectory keeps the states; record() and
/// reverse_sweep() carry out the actions.
class CheckpointSchedule {
 public:
  enum class Move {
    keep,     // keep the present state, which is S_step
    drop,     // discard the kept S_step
    restore,  // copy the kept S_step to the present state
    advance,  // compute steps until S_step is the present state
  };
  struct Action {
    Move move;
    int step;
    bool operator==(const Action&) const = default;
  };

  virtual ~CheckpointSchedule() = default;

  /// Actions when the march has reached S_n, before the step to S_{n+1}. Called for n = 0, 1, … in this order.
  std::vector<Action> reached(int n);
  /// Must be called at the end of the march, with S_N, N = steps.
  void finish(int steps);
  /// Actions before the visit of n, after which S_{n−1} is present. Called for N, N−1, …, 1 in this order. They
  /// recompute as few steps as the kept states and free slots allow.
  std::vector<Action> recover(int n);
  /// Largest number of states kept at a time.
  int slots() const { return slots_; }

 protected:
  /// Throws std::invalid_argument for slots < 1.
  explicit CheckpointSchedule(int slots);

 private:
  /// The state to discard or not to keep when S_n is reached, n > 0: S_n itself, a kept one, or none.
  virtual std::optional<int> superfluous(int n, const std::vector<int>& kept) const = 0;

  int slots_;
  int next_ = 0;           // next expected n
  int steps_ = 0;          // N
  std::vector<int> kept_;  // ascending; S_0 first
};

/// Keeps every state; no step is recomputed.
std::unique_ptr<CheckpointSchedule> keep_all_schedule();

/// Binomial checkpointing for a march of known length. March and sweep together take binomial_advances(steps, slots) +
/// 1 steps, the minimum; binomial_advances − (steps − 1) of them are recomputed in the sweep. A march of another length
/// is also reversed correctly, with more steps than necessary.
std::unique_ptr<CheckpointSchedule> binomial_schedule(int steps, int slots);

/// Online checkpointing for a march of unknown length. When all slots are taken, it discards the state without which a
/// march to S_{n+2}, the first that can use S_n, is reversed in the fewest steps; of equal choices S_n itself, else the
/// earliest. In all tests (up to 20 000 steps, 2 to 100 slots) march and sweep together took at most 1 + 1/(slots + 1)
/// times the minimum for known length, on average about 1.01 times. There is no proof.
std::unique_ptr<CheckpointSchedule> online_schedule(int slots);

}  // namespace invar
