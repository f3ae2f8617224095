#pragma once
#include <memory>
#include <optional>
#include <vector>

namespace invar {

/// Decides which states of a march S_0, S_1, …, S_N are kept, and from which the others are recomputed. The reverse
/// sweep visits n = N, …, 1 and needs S_{n−1} and S_n; missing states are recomputed from the nearest kept state
/// before them. S_n is the present state from the visit before; S_N and S_{N−1} are present at the end of the march.
/// The initial state takes a slot like any other.
///
/// A schedule is for one march and one sweep. It handles step numbers only; Trajectory keeps the states, record() and
/// reverse_sweep() carry out the actions.
class CheckpointSchedule {
 public:
  enum class Move {
    keep,     // the present state, which is S_step
    drop,     // the kept S_step
    restore,  // S_step becomes the present state and stays kept
    advance,  // steps forward until S_step is the present state
  };
  struct Action {
    Move move;
    int step;
    bool operator==(const Action&) const = default;
  };

  virtual ~CheckpointSchedule() = default;

  /// Actions when the march has reached S_n, before the step to S_{n+1}. Called in the order n = 0, 1, ….
  std::vector<Action> reached(int n);
  /// Must be called when the march has ended with S_N, N = steps.
  void finish(int steps);
  /// Actions before the visit of n, after which S_{n−1} is present. Called in the order N, N−1, …, 1. They recompute
  /// as few steps as the kept states and the free slots allow.
  std::vector<Action> recover(int n);
  /// Largest number of states kept at a time.
  int slots() const { return slots_; }

 protected:
  /// Throws std::invalid_argument for slots < 1.
  explicit CheckpointSchedule(int slots);

 private:
  /// The state not to keep when S_n is reached, n > 0: S_n itself, one of those kept, or none.
  virtual std::optional<int> superfluous(int n, const std::vector<int>& kept) const = 0;

  int slots_;
  int next_ = 0;           // the next n that is expected
  int steps_ = 0;          // N
  std::vector<int> kept_;  // ascending; S_0 first
};

/// Keeps every state; no step is recomputed.
std::unique_ptr<CheckpointSchedule> keep_all_schedule();

/// For a march of known length. March and sweep together take binomial_advances(steps, slots) + 1 steps, the fewest
/// possible; binomial_advances − (steps − 1) of them are recomputed in the sweep. A march of another length is reversed
/// correctly too, with more steps than its optimum.
std::unique_ptr<CheckpointSchedule> binomial_schedule(int steps, int slots);

/// For a march whose length is not known before its end. When all slots are taken, it drops the state without which a
/// march to S_{n+2}, the first that can use S_n, is reversed in the fewest steps; of equal choices S_n itself, else
/// the earliest. In every march tried (up to 20 000 steps, 2 to 100 slots) the steps of march and sweep together were
/// at most 1 + 1/(slots + 1) times the optimum for known length, and about 1.01 times it on average. There is no
/// proof.
std::unique_ptr<CheckpointSchedule> online_schedule(int slots);

}  // namespace invar
