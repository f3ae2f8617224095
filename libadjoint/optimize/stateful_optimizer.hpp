#pragma once
#include "libadjoint/optimize/optimizer.hpp"
#include "libadjoint/state_archive.hpp"

namespace invar {

/// An optimiser whose complete state between two iterates is one plain struct State with
///   static void fields(self, archive)   passes every field to the archive, and
///   bool consistent() const             whether the sizes of its arrays match.
template <class State>
class StatefulOptimizer : public Optimizer {
 public:
  std::vector<double> state() const final {
    StateWriter writer;
    State::fields(state_, writer);
    return writer.take();
  }
  void restore(const std::vector<double>& state) final {
    StateReader reader(state);
    State read;
    State::fields(read, reader);
    reader.end();
    if (!read.consistent())
      throw std::invalid_argument("the saved state is not one of this optimiser");
    state_ = std::move(read);
    restored_ = true;
  }

 protected:
  explicit StatefulOptimizer(OptimizerOptions options) : options_(std::move(options)) {}
  /// State at the start of a run: the restored state, if there is one, else a default one.
  State& begin() {
    if (!restored_) state_ = {};
    restored_ = false;
    return state_;
  }

  OptimizerOptions options_;

 private:
  State state_;
  bool restored_ = false;
};

}  // namespace invar
