#pragma once
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "libadjoint/maps/staged_design.hpp"
#include "libadjoint/parameterization.hpp"
#include "libfem/design/field/density_stage.hpp"
#include "libfem/design/field/cell_filter.hpp"
#include "libfem/design/field/cell_orbits.hpp"

namespace invar {

/// Where fluid flows and where solid is (1 fluid, 0 solid), or where material is and where void (1 material, 0 void), by
/// density: one local entry of θ per owned cell of a region, from 0 to 1. θ is filtered, projected to the control "density"
/// and from there to a property of the material; both have one entry per cell. Cells outside the region, and passive ones in
/// it, have a density that is fixed, which the filter sees too.
class DensityDesign final : public Parameterization, public StagedDesign {
 public:
  /// The controls of one case, by position; −1: it has none.
  struct Target {
    int case_index = 0, density = -1, property = -1;
    double scale = 1;  // of the property: the material's stiffness
    double shift = 0;  // of the projection's threshold: an eroded body (positive) or a dilated one
    int finite = -1;   // control: what of a solid's strain its law sees (`DensityStage::finite_share`)
  };
  /// Cells whose density is given.
  struct Passive {
    std::string region;
    double density = 0;
  };

  /// region: of cells; empty or "all": all. stages: the first holds at once. start: one value for all cells or one for each of
  /// `cells()`. outside: density of the cells that are not in the region. Throws std::invalid_argument when there is no such
  /// region, no cell is left to design, or the start has another size or leaves [0, 1]. Collective.
  DensityDesign(std::shared_ptr<CellFilter> filter, const std::string& region, std::vector<DensityStage> stages,
                std::vector<double> start, std::vector<Target> targets, double outside = 1,
                const std::vector<Passive>& passive = {});

  /// Lets the cells of each orbit (made of `cells()`) have one density: the mean of their θ before the filter, and of what that makes
  /// of them, which differs where passive cells or ends of the mesh are near. Null: nothing. Collective.
  void share(std::shared_ptr<const CellOrbits> orbits);
  /// Takes effect at the next `apply`. Functionals of this design that keep their last solution have to
  /// be made anew.
  void set_stage(const DensityStage& stage) { stage_ = stage; }
  const DensityStage& stage() const { return stage_; }
  /// Volume of the cells whose density is fixed to more than 1/2 and of those that are designed, m³. Collective.
  std::array<double, 2> fixed_and_designed_volume() const;
  int stage_count() const override { return static_cast<int>(stages_.size()); }
  int iterations_in(int stage) const override { return stages_.at(stage).iterations; }
  std::string stage_text(int stage) const override;
  void begin_stage(int stage) override { set_stage(stages_.at(stage)); }
  /// From the next `apply` on projected densities above the number are 1 and the others 0, in place of what they are;
  /// nothing: they are what they are. Derivatives then fail: for the analysis of a finished design alone.
  void set_cut(std::optional<double> cut) { cut_ = cut; }
  /// Of cut densities: whether designed cells that hold on to others at a corner only are 0, too (`without_corner_contacts`).
  void drop_corner_contacts(bool drop) { drops_contacts_ = drop; }
  /// The cut that leaves as much fluid or material as the densities of the last `apply` (of the first case whose threshold is not
  /// shifted), or as little less as cells allow. Collective.
  double cut_of_equal_volume() const;
  /// Share of the volume of the densities of the last `apply` above a cut that `drop_corner_contacts` would take away, of the same
  /// case. Collective.
  double share_on_corners(double cut) const;
  /// Of the last `apply`, of the same case: [cell], ghosts too.
  std::vector<double> densities() const;
  const CellFilter& filter() const { return *filter_; }
  /// Owned cells of the region, one per entry of θ: positions among the rank's cells.
  const std::vector<int>& cells() const { return cells_; }

  std::vector<DesignVariable> variables() const override { return {}; }
  DesignVector start() const override { return {{}, start_}; }
  DesignVector lower() const override { return {{}, std::vector<double>(cells_.size(), 0.0)}; }
  DesignVector upper() const override { return {{}, std::vector<double>(cells_.size(), 1.0)}; }
  LocalEntries local_entries() const override { return {ControlLayout::cells, 1, cells_}; }
  /// Fails where the filter does or where its result lies too far outside [0, 1] to have a property.
  void set_monitor(const std::shared_ptr<SolveMonitor>& monitor) override {
    if (filter_) filter_->set_monitor(monitor);
  }
  Evaluation apply(const DesignVector& theta, std::vector<Controls>& d) override;
  void want(std::vector<Controls>& d_bar) const override;
  Evaluation jvp(const DesignVector& theta, const DesignVector& theta_dot, std::vector<Controls>& d_dot) override;
  Evaluation vjp(const DesignVector& theta, std::vector<Controls>& d_bar, DesignVector& theta_bar) override;
  Evaluation vjp_tangent(const DesignVector& theta, const DesignVector& theta_dot, const std::vector<Controls>& d_bar,
                         std::vector<Controls>& d_bar_dot, DesignVector& theta_bar_dot) override;

 private:
  /// Value and derivatives by the filtered density of one cell's control.
  struct Curve {
    double value = 0, slope = 0, bend = 0;
  };
  /// [cell] of each control that a target has, and of the density.
  struct Cells {
    std::vector<Curve> density, property, finite;
  };

  /// θ in its cells; in the others their fixed density, or nothing in a direction.
  std::vector<double> filled(const DesignVector& theta, bool direction) const;
  const Cells& nominal() const;
  void find_curves(const Target& t, const std::vector<double>& filtered, Cells& all) const;
  /// Calls f(control, its curves) for every control that the target has.
  template <class F>
  void for_each_control(std::size_t target, const F& f) const {
    const Target& t = targets_[target];
    const Cells& at = at_[target];
    if (t.density >= 0) f(t.density, at.density);
    if (t.property >= 0) f(t.property, at.property);
    if (t.finite >= 0) f(t.finite, at.finite);
  }
  /// [cell] 1 above the cut; those of `left` are left without corner contacts.
  std::vector<char> body_above(double cut, const Cells& cells, std::vector<char>& left) const;
  /// What the filter makes of all cells, and its transpose in designed ones.
  Evaluation smooth(const std::vector<double>& rho, std::vector<double>& smooth);
  Evaluation pull_back(std::vector<double>& smooth_bar, DesignVector& theta_bar);
  /// In place of the values of designed cells the means of their orbits, of own ones.
  void take_means(std::vector<double>& cells) const;

  std::shared_ptr<CellFilter> filter_;
  std::shared_ptr<const CellOrbits> orbits_;  // null: each cell has a density of its own
  std::unique_ptr<CellValues> values_;        // to tell others the means, if there are orbits
  std::vector<DensityStage> stages_;
  DensityStage stage_;
  std::optional<double> cut_;
  bool drops_contacts_ = false;
  std::vector<double> start_;
  std::vector<Target> targets_;
  std::vector<double> fixed_;          // [cell] density where it is not designed, ghosts too
  std::vector<char> designed_;         // [cell] ghosts too
  std::vector<int> cells_;
  std::vector<Cells> at_;              // [target] of the last `apply`
};

}  // namespace invar
