#pragma once
#include <string>
#include <string_view>

namespace invar {

/// Callbacks during solves, called on every rank. They must not throw, because libraries call them.
class SolveMonitor {
 public:
  virtual ~SolveMonitor() = default;
  /// Describes the next solve: a load step, a time step, an equation of a continuation.
  virtual void stage(const std::string& what) = 0;
  /// A Newton iterate: ‖r‖, and the step length to it (1: full step, 0: start).
  virtual void newton(int iteration, double residual, double step) = 0;
  /// An iterate in pseudo-time: the same, the CFL number of the step, and the number of entries whose change was limited.
  virtual void pseudo_time(int /*iteration*/, double /*residual*/, double /*step*/, double /*cfl*/, int /*limited*/) {}
  /// A Krylov iterate: residual relative to the right-hand side.
  virtual void krylov(std::string_view method, int iteration, double residual) = 0;
  /// Progress of a task with many solves: its name, which is the same during the task, and the completed fraction, 0 …
  /// 1.
  virtual void progress(const std::string&, double) {}
  /// The reason for a change of the linear solver.
  virtual void changed(const std::string& why) = 0;
  /// Whether this rank asks to stop; the present solve then fails. Once true, always true.
  virtual bool stop() const = 0;
};

}  // namespace invar
