#pragma once
#include <string>
#include <string_view>

namespace invar {

/// Hears what solves do while they are under way, on every rank alike. Nothing may be thrown: libraries call it.
class SolveMonitor {
 public:
  virtual ~SolveMonitor() = default;
  /// What is solved from now on: a load step, a step in time, easier equations on the way to the wanted ones.
  virtual void stage(const std::string& what) = 0;
  /// An iterate of Newton's method: ‖r‖ and the length of the step to it, 1 a full one, 0 the start.
  virtual void newton(int iteration, double residual, double step) = 0;
  /// An iterate of a Krylov method: its residual relative to the right-hand side.
  virtual void krylov(std::string_view method, int iteration, double residual) = 0;
  /// How much of something that takes many solves is done, 0 … 1: what, in words that stay the same on the way.
  virtual void progress(const std::string&, double) {}
  /// Why the linear solver changes.
  virtual void changed(const std::string& why) = 0;
  /// Whether this rank wants what is under way to end, as a failed solve. Once true, always true.
  virtual bool stop() const = 0;
};

}  // namespace invar
