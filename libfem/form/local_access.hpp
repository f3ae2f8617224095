#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "libadjoint/state.hpp"
#include "libadjoint/vector_methods.hpp"
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

/// Read access to a vector with updated ghosts, on the host or where it is stored. Vectors on a device have no ghosts, and are copied to
/// the host by the first access there.
class PlacedArray {
 public:
  explicit PlacedArray(Vec v) : vector_(v) {
    if (!is_on_host(v)) check(VecGetArrayReadAndMemType(v, &on_device_, nullptr));
    else host_.emplace(v);
  }
  ~PlacedArray() {
    if (on_device_) VecRestoreArrayReadAndMemType(vector_, &on_device_);
  }
  PlacedArray(const PlacedArray&) = delete;
  PlacedArray& operator=(const PlacedArray&) = delete;
  const double* data(bool in_place) const {
    if (in_place && on_device_) return on_device_;
    if (!host_) host_.emplace(vector_);
    return host_->data();
  }

 private:
  Vec vector_;
  const double* on_device_ = nullptr;
  mutable std::optional<LocalArray> host_;
};

/// Read access to the levels of a state, with updated ghosts, and to the history variables; nullptr stays nullptr.
/// Levels that are not wanted are null, because each costs a message to every neighbour. The wanted levels must be the
/// same on all ranks. in_place: where the vectors are stored, else on the host.
class LocalState {
 public:
  explicit LocalState(const State& u) : LocalState(u, all()) {}
  LocalState(const State& u, const PerLevel<bool>& wanted) : memory_vector_(u.memory) {
    for (Level l : all_levels)
      if (u.levels[l] && wanted[l]) arrays_[l].emplace(u.levels[l]);
    if (memory_vector_) check(VecGetArrayRead(memory_vector_, &memory_));
  }
  ~LocalState() {
    if (memory_vector_) VecRestoreArrayRead(memory_vector_, &memory_);
  }
  LocalState(const LocalState&) = delete;
  LocalState& operator=(const LocalState&) = delete;
  PerLevel<const double*> data(bool in_place = false) const {
    PerLevel<const double*> found;
    for (Level l : all_levels)
      if (arrays_[l]) found[l] = arrays_[l]->data(in_place);
    return found;
  }
  bool has(Level l) const { return arrays_[l].has_value(); }
  const double* memory() const { return memory_; }

 private:
  static PerLevel<bool> all() {
    PerLevel<bool> every;
    every.entries.fill(true);
    return every;
  }

  PerLevel<std::optional<PlacedArray>> arrays_;
  Vec memory_vector_;
  const double* memory_ = nullptr;
};

/// Read access to a vector with updated ghosts; nullptr stays nullptr.
class OptionalLocal {
 public:
  explicit OptionalLocal(Vec v) {
    if (v) local_.emplace(v);
  }
  const double* data(bool in_place = false) const { return local_ ? local_->data(in_place) : nullptr; }

 private:
  std::optional<PlacedArray> local_;
};

/// Local work array with ghosts whose owned part is added to a vector at the end; null without a vector. in_place: a vector on a device,
/// which has no ghosts, is added to where it is stored.
class Accumulator {
 public:
  Accumulator(const DofMap& dofs, Vec target) : target_(target), n_local_(dofs.n_local()), n_owned_(dofs.n_owned()) {
    if (target_ && !is_on_host(target_)) check(VecGetArrayAndMemType(target_, &on_device_, nullptr));
  }
  ~Accumulator() { release(); }
  Accumulator(const Accumulator&) = delete;
  Accumulator& operator=(const Accumulator&) = delete;
  double* data(bool in_place = false) {
    if (!target_) return nullptr;
    if (in_place && on_device_) return on_device_;
    values_.resize(n_local_, 0.0);
    return values_.data();
  }
  void flush() {
    release();
    if (!target_ || (values_.empty() && !is_on_host(target_))) return;
    // On every rank, also where nothing is added: PETSc keeps norms until an array was asked for, and recomputes them collectively.
    double* t = nullptr;
    check(VecGetArray(target_, &t));
    for (int i = 0; i < n_owned_ && !values_.empty(); ++i) t[i] += values_[i];
    check(VecRestoreArray(target_, &t));
  }

 private:
  void release() {
    if (on_device_) VecRestoreArrayAndMemType(target_, &on_device_);
    on_device_ = nullptr;
  }

  Vec target_;
  double* on_device_ = nullptr;
  std::vector<double> values_;
  int n_local_, n_owned_;
};

/// Accumulators for the wanted levels and for history variables.
class StateAccumulator {
 public:
  StateAccumulator(const DofMap& dofs, const State& target) : memory_vector_(target.memory) {
    for (Level l : all_levels)
      if (target.levels[l]) parts_[l] = std::make_unique<Accumulator>(dofs, target.levels[l]);
    if (memory_vector_) check(VecGetArray(memory_vector_, &memory_));
  }
  ~StateAccumulator() {
    if (memory_vector_) VecRestoreArray(memory_vector_, &memory_);
  }
  StateAccumulator(const StateAccumulator&) = delete;
  StateAccumulator& operator=(const StateAccumulator&) = delete;
  PerLevel<double*> data(bool in_place) {
    PerLevel<double*> found;
    for (Level l : all_levels)
      if (parts_[l]) found[l] = parts_[l]->data(in_place);
    return found;
  }
  double* memory() { return memory_; }
  void flush() {
    for (auto& part : parts_.entries)
      if (part) part->flush();
  }

 private:
  PerLevel<std::unique_ptr<Accumulator>> parts_;
  Vec memory_vector_;
  double* memory_ = nullptr;
};

}  // namespace invar
