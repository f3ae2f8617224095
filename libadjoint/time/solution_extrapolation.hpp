#pragma once
#include <array>
#include <deque>
#include <utility>
#include <vector>

#include "libadjoint/row_set.hpp"

namespace invar {

/// Initial guess of the next step's solution: polynomial extrapolation in time of previous solutions. For each kind of
/// unknown the degree is the one that would have predicted the last solution best; if the caller's own prediction was
/// better, it is kept.
class SolutionExtrapolation {
 public:
  /// kinds: [owned unknowns] UnknownKind; empty: all are of one kind.
  SolutionExtrapolation(MPI_Comm comm, const std::vector<char>& kinds) : comm_(comm), of_kind_(rows_by_mark<most_kinds>(kinds)), one_kind_(kinds.empty()) {}

  void forget();
  /// Replaces x, the caller's prediction for time t, where extrapolation is better. Collective.
  void improve(double t, Vec x);
  /// Whether the last call of `improve` has changed x.
  bool improved() const { return improved_; }
  /// Records the solution x at t, after the last call of `improve`, if any. Collective.
  void note(double t, Vec x);

 private:
  static constexpr int most_points = 5, most_kinds = 4;
  using Weights = std::array<std::array<double, most_points>, most_points>;

  int size() const { return static_cast<int>(points_.size()); }
  Weights weights_at(double t) const;
  void count_rows(Vec x);

  MPI_Comm comm_;
  std::array<RowSet, most_kinds> of_kind_;
  bool one_kind_;
  std::deque<std::pair<double, VecHandle>> points_;  // time and solution, the latest first
  VecHandle told_;                                   // the caller's last prediction
  bool has_told_ = false, improved_ = false;
  std::array<int, most_kinds> degree_{-1, -1, -1, -1};  // −1: the caller's prediction
};

}  // namespace invar
