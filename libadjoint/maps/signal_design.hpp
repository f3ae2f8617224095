#pragma once
#include <vector>

#include "libadjoint/maps/number_design.hpp"

namespace invar {

/// Design map for signals: each coefficient is a design variable.
class SignalDesign final : public Parameterization {
 public:
  /// `coefficients`: name, start and bounds of each; all target signals have the same number of them.
  SignalDesign(std::vector<DesignVariable> coefficients, std::vector<DesignEntry::Target> targets)
      : coefficients_(std::move(coefficients)), targets_(std::move(targets)) {}

  std::vector<DesignVariable> variables() const override { return coefficients_; }
  Evaluation apply(const DesignVector& theta, std::vector<Controls>& d) override;
  void want(std::vector<Controls>& d_bar) const override;
  Evaluation jvp(const DesignVector& theta, const DesignVector& theta_dot, std::vector<Controls>& d_dot) override;
  Evaluation vjp(const DesignVector& theta, std::vector<Controls>& d_bar, DesignVector& theta_bar) override;
  Evaluation vjp_tangent(const DesignVector& theta, const DesignVector& theta_dot, const std::vector<Controls>& d_bar,
                         std::vector<Controls>& d_bar_dot, DesignVector& theta_bar_dot) override;

 private:
  std::vector<DesignVariable> coefficients_;
  std::vector<DesignEntry::Target> targets_;
};

}  // namespace invar
