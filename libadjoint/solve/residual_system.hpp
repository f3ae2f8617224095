#pragma once
#include "libadjoint/residual.hpp"
#include "libadjoint/solve/nonlinear_system.hpp"

namespace invar {

/// The residual in one setting as Newton's method sees it: constraints hold from the start and stay out. (Their round-off
/// would grow from step to step where the matrix's constrained diagonal is below one.)
class ResidualSystem final : public NonlinearSystem {
 public:
  ResidualSystem(Residual& r, Setting given) : r_(r), given_(std::move(given)), potential_(r.capabilities().potential) {}
  bool residual(Vec u, Vec r) override {
    if (!r_.residual({u, given_}, r)) return false;
    constrain_step(r);
    return true;
  }
  void constrain_step(Vec step) override {
    double* a = nullptr;
    check(VecGetArray(step, &a));
    for (int row : r_.constrained_rows()) a[row] = 0;
    check(VecRestoreArray(step, &a));
  }
  bool jacobian(Vec u, Mat) override {  // the matrix is the residual's own
    r_.jacobian({u, given_});
    return true;
  }
  bool symmetric() const override { return r_.symmetric(); }
  std::optional<double> energy(Vec u) override {
    if (!potential_) return std::nullopt;
    return potential_->potential({u, given_});
  }

 private:
  Residual& r_;
  Setting given_;
  Potential* potential_;
};

}  // namespace invar
