#include "libadjoint/time/factor_store.hpp"

namespace invar {

void FactorStore::set_room(std::size_t bytes) {
  room_ = bytes;
  int open = bytes > 0;
  MPI_Allreduce(MPI_IN_PLACE, &open, 1, MPI_INT, MPI_MIN, comm_);
  if (!open) room_ = 0;
  while (!kept_.empty() && !fits(0)) kept_.erase(kept_.begin());
}

bool FactorStore::put(int block, LinearSolver& solver) {
  if (room_ == 0 || kept_.contains(block) || !solver.has_factors_to_keep() || !fits(solver.factor_bytes())) return false;
  kept_.emplace(block, solver.detach_factors());
  return true;
}

const StoredFactors* FactorStore::of(int block) const {
  const auto at = kept_.find(block);
  return at == kept_.end() ? nullptr : at->second.get();
}

std::size_t FactorStore::bytes() const {
  std::size_t sum = 0;
  for (const auto& [block, factors] : kept_) sum += factors->bytes;
  return sum;
}

/// Whether this number of additional bytes fits on every rank.
bool FactorStore::fits(std::size_t bytes) const {
  int fit = this->bytes() + bytes <= room_;
  MPI_Allreduce(MPI_IN_PLACE, &fit, 1, MPI_INT, MPI_MIN, comm_);
  return fit != 0;
}

}  // namespace invar
