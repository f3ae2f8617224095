#pragma once
#include <cstddef>
#include <map>
#include <memory>

#include "libadjoint/solve/linear_solver.hpp"

namespace invar {

/// Factors of a march by the numbers of its blocks of steps, in memory within a budget: preconditioners of the linear systems of
/// derivatives, which need none of their own then. They save work and change solutions by no more than the tolerance of a solve.
/// All functions but the last two are collective.
class FactorShelf {
 public:
  explicit FactorShelf(MPI_Comm comm) : comm_(comm) {}

  /// Bytes per rank from now on. The earliest factors are dropped until the others fit on every rank.
  void set_room(std::size_t bytes);
  /// The solver's present factors, if there is room on every rank and nothing is kept for the block. Else the solver stays as it was.
  void put(int block, LinearSolver& solver);
  /// Drops those of later blocks than this.
  void drop_after(int block) { kept_.erase(kept_.upper_bound(block), kept_.end()); }

  /// Null: none are kept for the block.
  const KeptFactors* of(int block) const;
  int size() const { return static_cast<int>(kept_.size()); }
  /// Bytes on this rank.
  std::size_t bytes() const;

 private:
  bool fits(std::size_t bytes) const;

  MPI_Comm comm_;
  std::size_t room_ = 0;
  std::map<int, std::shared_ptr<const KeptFactors>> kept_;
};

}  // namespace invar
