#pragma once
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "libadjoint/maps/staged_design.hpp"
#include "libadjoint/parameterization.hpp"
#include "libfem/design/field/density_stage.hpp"
#include "libfem/design/field/designed_cells.hpp"

namespace invar {

/// Topology by density: fluid (1) and solid (0), or material (1) and void (0). One local entry of θ per owned cell of a region, from
/// 0 to 1. θ is filtered, projected to the control "density", and mapped to a property of the material; both have one entry per cell.
/// Cells outside the region and passive cells have a fixed density, which the filter uses too.
class DensityDesign final : public Parameterization, public StagedDesign {
 public:
  /// The controls of one case, by position; −1: it has none.
  struct Target {
    int case_index = 0, density = -1, property = -1;
    double scale = 1;  // of the property: the material's stiffness
    double shift = 0;  // shift of the projection threshold: eroded (positive) or dilated body
    int finite = -1;   // control: strain share γ of a solid's law (`DensityStage::finite_share`)
  };
  using Passive = PassiveCells;  // cells with prescribed density

  /// region: of cells; empty or "all": all. stages: the first is active at once. start: one value for all cells or one per entry of
  /// `cells()`. outside: density of cells outside the region. Throws std::invalid_argument if the region does not exist, no cell is
  /// left to design, or the start has another size or leaves [0, 1]. Collective.
  DensityDesign(std::shared_ptr<CellFilter> filter, const std::string& region, std::vector<DensityStage> stages,
                std::vector<double> start, std::vector<Target> targets, double outside = 1,
                const std::vector<Passive>& passive = {});

  /// See `DesignedCells::share`.
  void share(std::shared_ptr<const CellOrbits> orbits) { cells_.share(std::move(orbits)); }
  /// Takes effect at the next `apply`. Functionals of this design must discard their cached solution.
  void set_stage(const DensityStage& stage) { stage_ = stage; }
  const DensityStage& stage() const { return stage_; }
  const DensityStage& last_stage() const { return stages_.back(); }
  /// Volume of the cells with fixed density above 1/2, and of the designed cells, m³. Collective.
  std::array<double, 2> fixed_and_designed_volume() const;
  int stage_count() const override { return static_cast<int>(stages_.size()); }
  int iterations_in(int stage) const override { return stages_.at(stage).iterations; }
  std::string stage_text(int stage) const override;
  void begin_stage(int stage) override { set_stage(stages_.at(stage)); }
  /// From the next `apply` on, projected densities above `cut` become 1 and the others 0; nothing: no cut. Derivatives then fail: for
  /// the analysis of a finished design only.
  void set_cut(std::optional<double> cut) { cut_ = cut; }
  /// For cut densities: whether designed cells connected at a corner only are set to 0 (`without_corner_contacts`).
  void drop_corner_contacts(bool drop) { drops_contacts_ = drop; }
  /// The cut that preserves the volume of fluid or material of the last `apply` (of the first case with an unshifted threshold), as
  /// closely from below as cells allow. Collective.
  double cut_of_equal_volume() const;
  /// Volume fraction of the densities above a cut, in the last `apply` and the same case, that `drop_corner_contacts` would remove.
  /// Collective.
  double share_on_corners(double cut) const;
  /// Densities of the last `apply` in the same case: [cell], ghosts included.
  std::vector<double> densities() const;
  /// Filtered densities of the last `apply`, before the projection: [cell], ghosts included.
  const std::vector<double>& filtered() const { return filtered_; }
  /// The density of cells that are not designed: 1, 0 (rounded), and −1 of designed cells; [cell], ghosts included.
  std::vector<signed char> fixed_cells() const;
  /// The filtered density that the projection of the present stage maps to `density`, in the same case as `densities`.
  double filtered_at(double density) const;
  const CellFilter& filter() const { return cells_.filter(); }
  /// Owned cells of the region, one per entry of θ: local numbers.
  const std::vector<int>& cells() const { return cells_.cells(); }

  std::vector<DesignVariable> variables() const override { return {}; }
  DesignVector start() const override { return {{}, start_}; }
  DesignVector lower() const override { return {{}, std::vector<double>(cells().size(), 0.0)}; }
  DesignVector upper() const override { return {{}, std::vector<double>(cells().size(), 1.0)}; }
  LocalEntries local_entries() const override { return {ControlLayout::cells, 1, cells()}; }
  /// `apply` fails if the filter does, or if its result lies too far outside [0, 1] for a property to exist.
  void set_monitor(const std::shared_ptr<SolveMonitor>& monitor) override { cells_.set_monitor(monitor); }
  Evaluation apply(const DesignVector& theta, std::vector<Controls>& d) override;
  void want(std::vector<Controls>& d_bar) const override;
  Evaluation jvp(const DesignVector& theta, const DesignVector& theta_dot, std::vector<Controls>& d_dot) override;
  Evaluation vjp(const DesignVector& theta, std::vector<Controls>& d_bar, DesignVector& theta_bar) override;
  Evaluation vjp_tangent(const DesignVector& theta, const DesignVector& theta_dot, const std::vector<Controls>& d_bar,
                         std::vector<Controls>& d_bar_dot, DesignVector& theta_bar_dot) override;

 private:
  /// Value and derivatives of one cell's control by the filtered density.
  struct Curve {
    double value = 0, slope = 0, bend = 0;
  };
  /// [cell] for each control of a target, and for the density.
  struct Cells {
    std::vector<Curve> density, property, finite;
  };

  std::size_t nominal_target() const;
  const Cells& nominal() const { return at_.at(nominal_target()); }
  void find_curves(const Target& t, const std::vector<double>& filtered, Cells& all) const;
  /// Calls f(control, its curves) for every control of the target.
  template <class F>
  void for_each_control(std::size_t target, const F& f) const {
    const Target& t = targets_[target];
    const Cells& at = at_[target];
    if (t.density >= 0) f(t.density, at.density);
    if (t.property >= 0) f(t.property, at.property);
    if (t.finite >= 0) f(t.finite, at.finite);
  }
  /// [cell] 1 above the cut; `left`: the same without corner contacts.
  std::vector<char> body_above(double cut, const Cells& cells, std::vector<char>& left) const;

  DesignedCells cells_;
  std::vector<DensityStage> stages_;
  DensityStage stage_;
  std::optional<double> cut_;
  bool drops_contacts_ = false;
  std::vector<double> start_;
  std::vector<Target> targets_;
  std::vector<double> filtered_;       // [cell] of the last `apply`
  std::vector<Cells> at_;              // [target] of the last `apply`
};

}  // namespace invar
