#pragma once
#include <memory>
#include <vector>

#include "libadjoint/state.hpp"
#include "libfem/space/dof_map.hpp"

namespace invar {

/// Levels read by the forms for which `chosen(form)` is true.
template <class Forms, class Choice>
PerLevel<bool> levels_read(const Forms& forms, Choice chosen) {
  PerLevel<bool> read{};
  for (const auto& f : forms)
    if (chosen(f))
      for (const PerLevel<bool> of = f.form->traits().reads; Level l : all_levels) read[l] = read[l] || of[l];
  return read;
}

/// Read access to the levels of a state, with updated ghosts, and to the history variables; nullptr stays nullptr.
/// Levels that are not wanted are null, because each costs a message to every neighbour. The wanted levels must be the
/// same on all ranks.
class LocalState {
 public:
  explicit LocalState(const State& u) : LocalState(u, all()) {}
  LocalState(const State& u, const PerLevel<bool>& wanted) : memory_vector_(u.memory) {
    for (Level l : all_levels)
      if (u.levels[l] && wanted[l]) {
        arrays_[l] = std::make_unique<LocalArray>(u.levels[l]);
        data_[l] = arrays_[l]->data();
      }
    if (memory_vector_) check(VecGetArrayRead(memory_vector_, &memory_));
  }
  ~LocalState() {
    if (memory_vector_) VecRestoreArrayRead(memory_vector_, &memory_);
  }
  LocalState(const LocalState&) = delete;
  LocalState& operator=(const LocalState&) = delete;
  const PerLevel<const double*>& data() const { return data_; }
  const double* memory() const { return memory_; }

 private:
  static PerLevel<bool> all() {
    PerLevel<bool> every;
    every.entries.fill(true);
    return every;
  }

  PerLevel<std::unique_ptr<LocalArray>> arrays_;
  PerLevel<const double*> data_;
  Vec memory_vector_;
  const double* memory_ = nullptr;
};

/// Read access to a vector with updated ghosts; nullptr stays nullptr.
class OptionalLocal {
 public:
  explicit OptionalLocal(Vec v) {
    if (v) local_ = std::make_unique<LocalArray>(v);
  }
  const double* data() const { return local_ ? local_->data() : nullptr; }

 private:
  std::unique_ptr<LocalArray> local_;
};

/// Local work array with ghosts whose owned part is added to a vector at the end; null without a vector.
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

/// Accumulators for the wanted levels and for history variables.
class StateAccumulator {
 public:
  StateAccumulator(const DofMap& dofs, const State& target) : memory_vector_(target.memory) {
    for (Level l : all_levels)
      if (target.levels[l]) {
        parts_[l] = std::make_unique<Accumulator>(dofs, target.levels[l]);
        data_[l] = parts_[l]->data();
      }
    if (memory_vector_) check(VecGetArray(memory_vector_, &memory_));
  }
  ~StateAccumulator() {
    if (memory_vector_) VecRestoreArray(memory_vector_, &memory_);
  }
  StateAccumulator(const StateAccumulator&) = delete;
  StateAccumulator& operator=(const StateAccumulator&) = delete;
  const PerLevel<double*>& data() const { return data_; }
  double* memory() { return memory_; }
  void flush() {
    for (auto& part : parts_.entries)
      if (part) part->flush();
  }

 private:
  PerLevel<std::unique_ptr<Accumulator>> parts_;
  PerLevel<double*> data_;
  Vec memory_vector_;
  double* memory_ = nullptr;
};

}  // namespace invar
