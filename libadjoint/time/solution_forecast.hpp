#pragma once
#include <array>
#include <deque>
#include <utility>
#include <vector>

#include "libadjoint/petsc.hpp"

namespace invar {

/// What the solutions of the steps before let expect of the next one's, as a start for its solver: the polynomial in time
/// through the last of them. Its degree, for each kind of unknown, is the one that would have foretold the last solution
/// best; where none did better than what the caller foretells, that stays.
class SolutionForecast {
 public:
  /// kinds: [owned unknowns] UnknownKind; empty: all are of one kind.
  SolutionForecast(MPI_Comm comm, std::vector<char> kinds) : comm_(comm), kinds_(std::move(kinds)) {}

  void forget();
  /// x: what the caller foretells of t, improved where that can be done. Collective.
  void improve(double t, Vec x);
  /// Whether the last call of improve has changed anything.
  bool improved() const { return improved_; }
  /// x has been found at t, since the last call of improve, if any. Collective.
  void note(double t, Vec x);

 private:
  static constexpr int most_points = 5, most_kinds = 4;
  using Weights = std::array<std::array<double, most_points>, most_points>;

  int kind_of(std::size_t i) const { return kinds_.empty() ? 0 : kinds_[i]; }
  int size() const { return static_cast<int>(points_.size()); }
  Weights weights_at(double t) const;

  MPI_Comm comm_;
  std::vector<char> kinds_;
  std::deque<std::pair<double, VecHandle>> points_;  // time, solution: the last first
  VecHandle told_;                                   // what the caller foretold last
  bool has_told_ = false, improved_ = false;
  std::array<int, most_kinds> degree_{-1, -1, -1, -1};  // −1: what the caller foretells
};

}  // namespace invar
