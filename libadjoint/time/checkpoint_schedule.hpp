#pragma once
#include <memory>
#include <optional>
#include <vector>

namespace invar {

/// Which states of a march S_0, S_1, …, S_N are kept, and how the reverse sweep, which visits
/// n = N, …, 1 and needs S_{n−1} beside S_n, comes by the others: by taking steps again from the
/// nearest kept state. S_n is in hand from the visit before; S_N and S_{N−1} are in hand at the end
/// of the march, whose last step needed both. The initial state takes a slot like any other.
///
/// A schedule serves one march and one sweep. It deals in numbers of steps only; Trajectory keeps
/// the states, record() and reverse_sweep() do what a schedule says.
class CheckpointSchedule {
 public:
  enum class Move {
    keep,     // the state in hand, which is S_step
    drop,     // the kept S_step
    restore,  // S_step comes in hand and stays kept
    advance,  // steps forward until S_step is in hand
  };
  struct Action {
    Move move;
    int step;
    bool operator==(const Action&) const = default;
  };

  virtual ~CheckpointSchedule() = default;

  /// To be done with S_n in hand before the step to S_{n+1}; asked in the order n = 0, 1, ….
  std::vector<Action> reached(int n);
  /// The march has ended with S_N, N = steps.
  void finish(int steps);
  /// To be done before the visit of n, asked in the order N, N−1, …, 1; S_{n−1} is in hand then.
  /// From what is kept and the slots that are free the fewest possible steps are taken again.
  std::vector<Action> recover(int n);
  /// The most states that are ever kept at once.
  int slots() const { return slots_; }

 protected:
  /// Throws std::invalid_argument for slots < 1.
  explicit CheckpointSchedule(int slots);

 private:
  /// The state to do without when S_n is reached, n > 0: S_n itself or one of those kept, or none.
  virtual std::optional<int> superfluous(int n, const std::vector<int>& kept) const = 0;

  int slots_;
  int next_ = 0;           // the n that is asked for next
  int steps_ = 0;          // N
  std::vector<int> kept_;  // ascending; S_0 first
};

/// Keeps every state; no step is taken again.
std::unique_ptr<CheckpointSchedule> keep_all_schedule();

/// For a march of known length. March and sweep together take binomial_advances(steps, slots) + 1
/// steps, the fewest possible: those of the count and the last one to S_N; binomial_advances −
/// (steps − 1) of them are taken again in the sweep. A march that ends sooner or later is reversed
/// rightly, with more steps than its own optimum.
std::unique_ptr<CheckpointSchedule> binomial_schedule(int steps, int slots);

/// For a march whose length is not known before its end. With all slots taken, that state goes
/// without which a march to S_{n+2}, the first for which S_n can serve, is reversed in the fewest
/// steps; S_n itself if that is as good, else the earliest. Steps of march and sweep together were
/// at most 1 + 1/(slots + 1) times the optimum for known length in every march of up to 20 000
/// steps that was tried, with 2 to 100 slots, and about 1.01 times that on average; there is no
/// proof.
std::unique_ptr<CheckpointSchedule> online_schedule(int slots);

}  // namespace invar
