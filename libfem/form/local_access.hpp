#pragma once
#include <memory>
#include <vector>

#include "libadjoint/state.hpp"
#include "libfem/space/dof_map.hpp"

namespace invar {

/// Reads the levels of a state through their ghosts; nullptr stays nullptr.
class LocalState {
 public:
  explicit LocalState(const State& u) {
    for (Level l : all_levels)
      if (u.levels[l]) {
        arrays_[l] = std::make_unique<LocalArray>(u.levels[l]);
        data_[l] = arrays_[l]->data();
      }
  }
  const PerLevel<const double*>& data() const { return data_; }

 private:
  PerLevel<std::unique_ptr<LocalArray>> arrays_;
  PerLevel<const double*> data_;
};

/// Reads through a vector's ghosts; nullptr stays nullptr.
class OptionalLocal {
 public:
  explicit OptionalLocal(Vec v) {
    if (v) local_ = std::make_unique<LocalArray>(v);
  }
  const double* data() const { return local_ ? local_->data() : nullptr; }

 private:
  std::unique_ptr<LocalArray> local_;
};

/// Scratch with ghosts whose owned part is added to a vector at the end; no vector: no scratch.
class Accumulator {
 public:
  Accumulator(const DofMap& dofs, Vec target)
      : target_(target), values_(target ? dofs.n_local() : 0, 0.0), n_owned_(dofs.n_owned()) {}
  double* data() { return target_ ? values_.data() : nullptr; }
  void flush() {
    if (!target_) return;
    double* t = nullptr;
    check(VecGetArray(target_, &t));
    for (int i = 0; i < n_owned_; ++i) t[i] += values_[i];
    check(VecRestoreArray(target_, &t));
  }

 private:
  Vec target_;
  std::vector<double> values_;
  int n_owned_;
};

/// Accumulators of the levels that are wanted.
class StateAccumulator {
 public:
  StateAccumulator(const DofMap& dofs, const State& target) {
    for (Level l : all_levels)
      if (target.levels[l]) {
        parts_[l] = std::make_unique<Accumulator>(dofs, target.levels[l]);
        data_[l] = parts_[l]->data();
      }
  }
  const PerLevel<double*>& data() const { return data_; }
  void flush() {
    for (auto& part : parts_.entries)
      if (part) part->flush();
  }

 private:
  PerLevel<std::unique_ptr<Accumulator>> parts_;
  PerLevel<double*> data_;
};

}  // namespace invar
