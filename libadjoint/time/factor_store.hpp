#pragma once
#include <cstddef>
#include <map>
#include <memory>

#include "libadjoint/solve/linear_solver.hpp"

namespace invar {

/// Factorisations of a march, kept in memory within a budget, by the number of their block of steps. They precondition the linear
/// systems of derivatives, which then need no factorisation. They change solutions by no more than the tolerance of a solve. All
/// functions but the last two are collective.
class FactorStore {
 public:
  explicit FactorStore(MPI_Comm comm) : comm_(comm) {}

  /// Sets the budget in bytes per rank. The earliest factors are discarded until the others fit on every rank.
  void set_room(std::size_t bytes);
  /// Keeps the solver's present factors, if they fit on every rank and the block has none. Otherwise returns false, and the solver is unchanged.
  bool put(int block, LinearSolver& solver);
  /// Discards factors of blocks after this one.
  void drop_after(int block) { kept_.erase(kept_.upper_bound(block), kept_.end()); }

  /// The factors of a block; null: none.
  const StoredFactors* of(int block) const;
  int size() const { return static_cast<int>(kept_.size()); }
  /// Bytes on this rank.
  std::size_t bytes() const;

 private:
  bool fits(std::size_t bytes) const;

  MPI_Comm comm_;
  std::size_t room_ = 0;
  std::map<int, std::shared_ptr<const StoredFactors>> kept_;
};

}  // namespace invar
