#pragma once
#include "libadjoint/residual.hpp"
#include "libadjoint/solve/nonlinear_system.hpp"
#include "libadjoint/vector_methods.hpp"

namespace invar {

/// A residual with a fixed setting, as a system for Newton's method. The start must satisfy the constraints; constrained rows of
/// residual and step are set to zero. (Otherwise their round-off would grow from step to step where the constrained diagonal, which
/// is scaled like the matrix, is below one.)
class ResidualSystem final : public NonlinearSystem, private NonlinearSystem::Damping {
 public:
  ResidualSystem(Residual& r, Setting given) : r_(r), given_(std::move(given)), able_(r.capabilities()) {}
  /// A repeated call at the same point returns the stored residual.
  bool residual(Vec u, Vec r) override {
    if (last_u_ && equal(u, last_u_)) {
      check(VecCopy(last_r_, r));
      return true;
    }
    if (!r_.residual({u, given_}, r)) return false;
    constrain_step(r);
    if (!last_u_) {
      check(VecDuplicate(u, last_u_.out()));
      check(VecDuplicate(r, last_r_.out()));
    }
    check(VecCopy(u, last_u_));
    check(VecCopy(r, last_r_));
    return true;
  }
  void constrain_step(Vec step) override { r_.constrained_rows().clear(step); }
  bool jacobian(Vec u) override {
    r_.jacobian({u, given_});
    return true;
  }
  Mat matrix() override { return r_.matrix(); }
  bool update_pattern(Vec u) override { return able_.pattern && able_.pattern->update_pattern({u, given_}); }
  double longest_step(Vec u, Vec step) override { return able_.step_limit ? able_.step_limit->longest_step({u, given_}, step) : 1.0; }
  bool symmetric() const override { return r_.symmetric(); }
  NonlinearSystem::Damping* damping() override { return able_.pseudo_time ? this : nullptr; }
  std::optional<double> energy(Vec u) override {
    if (!able_.potential) return std::nullopt;
    return able_.potential->potential({u, given_});
  }

 private:
  void jacobian(Vec u, double cfl) override { able_.pseudo_time->damped_jacobian({u, given_}, cfl); }
  void add(Vec u, Vec du, double cfl, Vec r) override { able_.pseudo_time->add_damping({u, given_}, du, cfl, r); }
  void mark_transported(Vec marks) override { able_.pseudo_time->mark_transported(marks); }
  int limit_change(Vec u, Vec trial) override { return able_.pseudo_time->limit_change(u, trial); }

  Residual& r_;
  Setting given_;
  Capabilities able_;
  VecHandle last_u_, last_r_;  // last admissible point and its residual
};

}  // namespace invar
