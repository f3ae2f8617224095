#pragma once
#include <vector>

#include "libadjoint/entry/entry_parameter.hpp"
#include "libadjoint/maps/polar_numbers.hpp"
#include "libadjoint/parameterization.hpp"

namespace invar {

/// A design variable that is a number of the spec, and the controls that it sets, by position.
struct DesignEntry : DesignVariable {
  struct Target {
    int case_index, control;
  };
  std::vector<Target> targets;
};

/// What an entry of `design` says of a number.
std::vector<EntryParameter> number_design_parameters();

/// The numbers that are designed, each with a scaling of its own, and numbers that follow from them.
class NumberDesign final : public Parameterization {
 public:
  /// followers: set from what the entries, or the problem, say of their radius and angle; no entry sets x or y.
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
  /// How radius and angle of a follower move along θ_dot.
  std::array<double, 2> movement_of(const PolarNumbers& p, const DesignVector& theta, const DesignVector& theta_dot) const;

  std::vector<DesignEntry> entries_;
  std::vector<PolarNumbers> followers_;
  std::vector<std::array<double, 2>> polar_;  // radius and angle of each follower at the θ of the last `apply`
};

}  // namespace invar
