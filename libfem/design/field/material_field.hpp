#pragma once
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "libadjoint/parameterization.hpp"
#include "libfem/design/field/cell_constant.hpp"
#include "libfem/design/field/helmholtz_filter.hpp"

namespace invar {

/// A material constant as a cell field: one local entry of θ per owned cell of a region, p = T(F θ) with a Helmholtz
/// filter F and a transform T (a logarithmic T gives geometric means). It sets a control with one entry per cell.
class MaterialField final : public Parameterization {
 public:
  using Target = FieldTarget;

  /// region: of cells; empty: all. Throws std::invalid_argument if it does not exist or the values do not suit the
  /// transform.
  MaterialField(std::shared_ptr<HelmholtzFilter> filter, const std::string& region, const VariableTransform& transform,
                const FieldRange& range, std::vector<Target> targets);

  /// Owned cells of the region, one per entry of θ: local numbers.
  const std::vector<int>& cells() const { return cells_; }

  std::vector<DesignVariable> variables() const override { return {}; }
  DesignVector start() const override { return constant(start_); }
  DesignVector lower() const override { return constant(bounds_[0]); }
  DesignVector upper() const override { return constant(bounds_[1]); }
  LocalEntries local_entries() const override { return {ControlLayout::cells, 1, cells_, constant_.transform()}; }
  /// `apply` fails if the filter does or a value is not admissible.
  void set_monitor(const std::shared_ptr<SolveMonitor>& monitor) override {
    if (filter_) filter_->set_monitor(monitor);
  }
  Evaluation apply(const DesignVector& theta, std::vector<Controls>& d) override;
  void want(std::vector<Controls>& d_bar) const override { constant_.want(d_bar); }
  Evaluation jvp(const DesignVector& theta, const DesignVector& theta_dot, std::vector<Controls>& d_dot) override;
  Evaluation vjp(const DesignVector& theta, std::vector<Controls>& d_bar, DesignVector& theta_bar) override;
  Evaluation vjp_tangent(const DesignVector& theta, const DesignVector& theta_dot, const std::vector<Controls>& d_bar,
                         std::vector<Controls>& d_bar_dot, DesignVector& theta_bar_dot) override;

 private:
  DesignVector constant(double v) const { return {{}, std::vector<double>(cells_.size(), v)}; }
  std::vector<double> filled(const DesignVector& theta, double outside) const;
  Evaluation pull_back(const std::vector<double>& smooth_bar, DesignVector& theta_bar);

  std::shared_ptr<HelmholtzFilter> filter_;
  CellConstant constant_;
  double start_ = 0, outside_ = 0;   // in optimiser coordinates, as bounds_
  std::array<double, 2> bounds_{};
  std::vector<int> cells_;
};

}  // namespace invar
