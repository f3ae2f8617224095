#pragma once
#include <vector>

#include "libadjoint/entry/entry_parameter.hpp"
#include "libadjoint/maps/polar_numbers.hpp"
#include "libadjoint/parameterization.hpp"

namespace invar {

/// A design variable that is a number of the spec, and the positions of the controls that it sets.
struct DesignEntry : DesignVariable {
  struct Target {
    int case_index, control;
  };
  std::vector<Target> targets;
};

/// The parameters of an entry of `design` for a number.
std::vector<EntryParameter> number_design_parameters();

/// Design map for numbers: each has its own scaling; dependent polar numbers (`PolarNumbers`) are updated with them.
class NumberDesign final : public Parameterization {
 public:
  /// followers: x and y are computed from radius and angle, which are design entries or constants; no entry sets x or
  /// y.
  explicit NumberDesign(std::vector<DesignEntry> entries, std::vector<PolarNumbers> followers = {})
      : entries_(std::move(entries)), followers_(std::move(followers)), polar_(followers_.size()) {}
  const std::vector<DesignEntry>& entries() const { return entries_; }

  std::vector<DesignVariable> variables() const override { return {entries_.begin(), entries_.end()}; }
  Evaluation apply(const DesignVector& theta, std::vector<Controls>& d) override;
  void want(std::vector<Controls>& d_bar) const override;
  Evaluation jvp(const DesignVector& theta, const DesignVector& theta_dot, std::vector<Controls>& d_dot) override;
  Evaluation vjp(const DesignVector& theta, std::vector<Controls>& d_bar, DesignVector& theta_bar) override;
  Evaluation vjp_tangent(const DesignVector& theta, const DesignVector& theta_dot, const std::vector<Controls>& d_bar,
                         std::vector<Controls>& d_bar_dot, DesignVector& theta_bar_dot) override;

 private:
  /// Rates of a follower's radius and angle along θ_dot.
  std::array<double, 2> movement_of(const PolarNumbers& p, const DesignVector& theta, const DesignVector& theta_dot) const;

  std::vector<DesignEntry> entries_;
  std::vector<PolarNumbers> followers_;
  std::vector<std::array<double, 2>> polar_;  // radius and angle of each follower at the θ of the last `apply`
};

}  // namespace invar
