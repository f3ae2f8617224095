#pragma once
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "libadjoint/maps/staged_design.hpp"
#include "libadjoint/parameterization.hpp"
#include "libfem/design/field/cell_constant.hpp"
#include "libfem/design/field/density_stage.hpp"
#include "libfem/design/field/designed_cells.hpp"

namespace invar {

/// A material constant as a cell field: one local entry of θ per owned designed cell, p = T(P(F θ)) with a filter F, a transform T (a
/// logarithmic T gives geometric means) and, if there is one, a projection P to the bounds. It sets a control with one entry per cell.
class MaterialField : public Parameterization {
 public:
  using Target = FieldTarget;

  /// region: of cells; empty or "all": all. passive: with physical values. Throws std::invalid_argument if a region does not exist, no cell is
  /// left to design or the values do not suit the transform. Collective.
  MaterialField(std::shared_ptr<CellFilter> filter, const std::string& region, const VariableTransform& transform, const FieldRange& range,
                std::vector<Target> targets, const std::vector<PassiveCells>& passive = {});

  /// See `DesignedCells::share`.
  void share(std::shared_ptr<const CellOrbits> orbits) { cells_.share(std::move(orbits)); }
  /// Owned designed cells, one per entry of θ: local numbers.
  const std::vector<int>& cells() const { return cells_.cells(); }

  std::vector<DesignVariable> variables() const override { return {}; }
  DesignVector start() const override { return constant(start_); }
  DesignVector lower() const override { return constant(bounds_[0]); }
  DesignVector upper() const override { return constant(bounds_[1]); }
  LocalEntries local_entries() const override { return {ControlLayout::cells, 1, cells(), constant_.transform()}; }
  /// `apply` fails if the filter does or a value is not admissible.
  void set_monitor(const std::shared_ptr<SolveMonitor>& monitor) override { cells_.set_monitor(monitor); }
  Evaluation apply(const DesignVector& theta, std::vector<Controls>& d) override;
  void want(std::vector<Controls>& d_bar) const override { constant_.want(d_bar); }
  Evaluation jvp(const DesignVector& theta, const DesignVector& theta_dot, std::vector<Controls>& d_dot) override;
  Evaluation vjp(const DesignVector& theta, std::vector<Controls>& d_bar, DesignVector& theta_bar) override;
  Evaluation vjp_tangent(const DesignVector& theta, const DesignVector& theta_dot, const std::vector<Controls>& d_bar,
                         std::vector<Controls>& d_bar_dot, DesignVector& theta_bar_dot) override;

 protected:
  const std::array<double, 2>& bounds() const { return bounds_; }
  /// From the next `apply` on, filtered values q (of the optimiser) become a + (b − a) P((q − a)/(b − a)) with the bounds a, b.
  void set_projection(const DensityStage::Projection& p) { projection_ = p; }

 private:
  DesignVector constant(double v) const { return {{}, std::vector<double>(cells().size(), v)}; }
  /// Projects the filtered values of designed cells, and keeps the derivatives.
  void project(std::vector<double>& q);
  void scale_by_slope(std::vector<double>& q_dot) const;

  DesignedCells cells_;  // values in optimiser coordinates
  CellConstant constant_;
  double start_ = 0;     // in optimiser coordinates, as bounds_
  std::array<double, 2> bounds_{};
  std::optional<DensityStage::Projection> projection_;
  std::vector<double> slope_, bend_;  // [cell] first and second derivative of the projection; empty: there is none
};

/// A field whose projection to its bounds becomes steeper in stages of a search (continuation), so that it takes two values in the end.
class ProjectedField final : public MaterialField, public StagedDesign {
 public:
  struct Stage {
    double steepness = 0;  // β of `DensityStage::Projection`; 0: none
    int iterations = 100;  // largest number of accepted steps
  };

  /// threshold: filtered values above it tend to the upper bound; relative to the bounds in optimiser coordinates, 0 to 1. stages: at least
  /// one; the first is active at once. The rest as of MaterialField; throws std::invalid_argument also if a bound is infinite or both are the same.
  ProjectedField(std::shared_ptr<CellFilter> filter, const std::string& region, const VariableTransform& transform, const FieldRange& range,
                 std::vector<Target> targets, double threshold, std::vector<Stage> stages, const std::vector<PassiveCells>& passive = {});

  int stage_count() const override { return static_cast<int>(stages_.size()); }
  int iterations_in(int stage) const override { return stages_.at(stage).iterations; }
  std::string stage_text(int stage) const override;
  void begin_stage(int stage) override { set_projection({stages_.at(stage).steepness, threshold_}); }

 private:
  double threshold_;
  std::vector<Stage> stages_;
};

}  // namespace invar
