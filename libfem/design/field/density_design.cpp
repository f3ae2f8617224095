#include "libfem/design/field/density_design.hpp"

#include <cmath>
#include <functional>
#include <map>
#include <stdexcept>

#include "libadjoint/number_text.hpp"
#include "libfem/design/field/region_cells.hpp"
#include "libfem/mesh/all_gather.hpp"

namespace invar {
namespace {

Evaluation no_derivative() { return Evaluation::failure("densities cut to 0 and 1 have no derivative"); }

}  // namespace

DensityDesign::DensityDesign(std::shared_ptr<HelmholtzFilter> filter, const std::string& region,
                             std::vector<DensityStage> stages, std::vector<double> start, std::vector<Target> targets,
                             double outside)
    : filter_(std::move(filter)), stages_(std::move(stages)), stage_(stages_.at(0)), start_(std::move(start)), targets_(std::move(targets)),
      outside_(outside), designed_(cells_in_region(filter_->mesh(), region == "all" ? "" : region)) {
  for (int c = 0; c < filter_->cell_count(); ++c)
    if (designed_[c] && filter_->owned()[c]) cells_.push_back(c);
  if (start_.size() == 1) start_.assign(cells_.size(), start_[0]);
  if (start_.size() != cells_.size())
    throw std::invalid_argument("the start of a density design must have one value or one for each of its " +
                                std::to_string(cells_.size()) + " cells, not " + std::to_string(start_.size()));
  for (double v : start_)
    if (!(v >= 0 && v <= 1)) throw std::invalid_argument("the start of a density design must lie between 0 and 1");
}

std::string DensityDesign::stage_text(int stage) const {
  const DensityStage& s = stages_.at(stage);
  return "steepness " + number_text(s.steepness) + ", convexity " + number_text(s.convexity);
}

std::vector<double> DensityDesign::filled(const DesignVector& theta, double outside) const {
  std::vector<double> all(designed_.size(), outside);
  for (std::size_t i = 0; i < cells_.size(); ++i) all[cells_[i]] = theta.local[i];
  return all;
}

Evaluation DensityDesign::apply(const DesignVector& theta, std::vector<Controls>& d) {
  std::vector<double> smooth;
  if (const Evaluation e = filter_->apply(filled(theta, outside_), smooth); !e.ok) return e;
  using Inner = Dual<double, 1>;
  using Outer = Dual<Inner, 1>;
  const auto curve = [](const Outer& x) { return Curve{x.value.value, x.grad[0].value, x.grad[0].grad[0]}; };
  at_.resize(smooth.size());
  int sound = 1;
  for (std::size_t c = 0; c < smooth.size(); ++c) {
    Outer x = outside_;
    if (designed_[c]) x = stage_.density(Outer::variable(Inner::variable(smooth[c], 0), 0));
    if (cut_) x = designed_[c] ? (x.value.value > *cut_ ? 1.0 : 0.0) : outside_;
    at_[c] = {curve(x), curve(stage_.resistance(x))};
    sound &= stage_.convexity + at_[c].density.value > 0;  // false for NaN
  }
  MPI_Allreduce(MPI_IN_PLACE, &sound, 1, MPI_INT, MPI_MIN, filter_->mesh().comm);
  if (!sound)
    return Evaluation::failure("density design: filtered densities are far below 0; the mesh has cells too "
                               "distorted for the filter");
  for (const Target& t : targets_) {
    const auto write = [&](int control, Curve Cell::*of) {
      if (control < 0) return;
      std::vector<double>& values = d[t.case_index][control];
      values.resize(at_.size());
      for (std::size_t c = 0; c < at_.size(); ++c) values[c] = (at_[c].*of).value;
    };
    write(t.density, &Cell::density);
    write(t.resistance, &Cell::resistance);
  }
  return Evaluation::success(0);
}

double DensityDesign::cut_of_equal_volume() const {
  std::vector<double> mine;  // density and volume of each cell
  for (const int c : cells_) mine.insert(mine.end(), {at_[c].density.value, filter_->volumes()[c]});
  const std::vector<double> all = all_gather(mine, MPI_DOUBLE, filter_->mesh().comm);
  std::map<double, double, std::greater<>> volume_at;
  double fluid = 0;
  for (std::size_t i = 0; i < all.size(); i += 2) {
    volume_at[all[i]] += all[i + 1];
    fluid += all[i] * all[i + 1];
  }
  // The cut lies midway between two densities, so that the filter's round-off, which differs from solve to solve on
  // several ranks, moves no cell across it. Densities that differ by less fall together.
  constexpr double round_off = 1e-9;
  double filled = 0, above = 2;  // of the cells that stay: their volume, their lowest density
  for (auto it = volume_at.begin(); it != volume_at.end();) {
    const double highest = it->first;
    double volume = 0, lowest = highest;
    for (; it != volume_at.end() && lowest - it->first <= round_off; ++it) {
      lowest = it->first;
      volume += it->second;
    }
    if (filled + volume > fluid * (1 + 1e-12)) return 0.5 * (above + highest);
    filled += volume;
    above = lowest;
  }
  return above - 1;
}

void DensityDesign::want(std::vector<Controls>& d_bar) const {
  for (const Target& t : targets_)
    for (int control : {t.density, t.resistance})
      if (control >= 0) d_bar[t.case_index][control].assign(designed_.size(), 0.0);
}

// ---- forward, then reverse ----------------------------------------------------------------------

Evaluation DensityDesign::jvp(const DesignVector&, const DesignVector& theta_dot, std::vector<Controls>& d_dot) {
  if (cut_) return no_derivative();
  std::vector<double> smooth_dot;
  if (const Evaluation e = filter_->apply(filled(theta_dot, 0), smooth_dot); !e.ok) return e;
  for (const Target& t : targets_) {
    const auto write = [&](int control, Curve Cell::*of) {
      if (control < 0) return;
      std::vector<double>& values = d_dot[t.case_index][control];
      values.resize(at_.size());
      for (std::size_t c = 0; c < at_.size(); ++c) values[c] = (at_[c].*of).slope * smooth_dot[c];
    };
    write(t.density, &Cell::density);
    write(t.resistance, &Cell::resistance);
  }
  return Evaluation::success(0);
}

Evaluation DensityDesign::pull_back(const std::vector<double>& smooth_bar, DesignVector& theta_bar) {
  std::vector<double> rho_bar;
  const Evaluation e = filter_->vjp(smooth_bar, rho_bar);
  for (std::size_t i = 0; i < cells_.size() && e.ok; ++i) theta_bar.local[i] += rho_bar[cells_[i]];
  return e;
}

Evaluation DensityDesign::vjp(const DesignVector&, std::vector<Controls>& d_bar, DesignVector& theta_bar) {
  if (cut_) return no_derivative();
  std::vector<double> smooth_bar(at_.size(), 0.0);
  for (const Target& t : targets_) {
    const auto add = [&](int control, Curve Cell::*of) {
      if (control < 0 || d_bar[t.case_index][control].empty()) return;
      for (int c : cells_) smooth_bar[c] += (at_[c].*of).slope * d_bar[t.case_index][control][c];
    };
    add(t.density, &Cell::density);
    add(t.resistance, &Cell::resistance);
  }
  return pull_back(smooth_bar, theta_bar);
}

Evaluation DensityDesign::vjp_tangent(const DesignVector&, const DesignVector& theta_dot,
                                      const std::vector<Controls>& d_bar, std::vector<Controls>& d_bar_dot,
                                      DesignVector& theta_bar_dot) {
  if (cut_) return no_derivative();
  std::vector<double> smooth_dot, smooth_bar_dot(at_.size(), 0.0);
  if (const Evaluation e = filter_->apply(filled(theta_dot, 0), smooth_dot); !e.ok) return e;
  for (const Target& t : targets_) {
    const auto add = [&](int control, Curve Cell::*of) {
      if (control < 0) return;
      const std::vector<double>&bar = d_bar[t.case_index][control], &bar_dot = d_bar_dot[t.case_index][control];
      for (int c : cells_) {
        const Curve& curve = at_[c].*of;
        if (!bar_dot.empty()) smooth_bar_dot[c] += curve.slope * bar_dot[c];
        if (!bar.empty()) smooth_bar_dot[c] += curve.bend * smooth_dot[c] * bar[c];
      }
    };
    add(t.density, &Cell::density);
    add(t.resistance, &Cell::resistance);
  }
  return pull_back(smooth_bar_dot, theta_bar_dot);
}

}  // namespace invar
