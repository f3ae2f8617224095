#include "libfem/design/field/density_design.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <stdexcept>

#include "libadjoint/number_text.hpp"
#include "libfem/design/field/corner_contacts.hpp"
#include "libfem/mesh/all_gather.hpp"

namespace invar {
namespace {

Evaluation no_derivative() { return Evaluation::failure("densities rounded to 0 and 1 have no derivative"); }

}  // namespace

DensityDesign::DensityDesign(std::shared_ptr<CellFilter> filter, const std::string& region,
                             std::vector<DensityStage> stages, std::vector<double> start, std::vector<Target> targets,
                             double outside, const std::vector<Passive>& passive)
    : cells_(filter, given_cells(filter->mesh(), region, outside, passive)), stages_(std::move(stages)), stage_(stages_.at(0)), start_(std::move(start)), targets_(std::move(targets)) {
  if (start_.size() == 1) start_.assign(cells().size(), start_[0]);
  if (start_.size() != cells().size())
    throw std::invalid_argument("the start of a density design must have one value or one for each of its " +
                                std::to_string(cells().size()) + " cells, not " + std::to_string(start_.size()));
  for (double v : start_)
    if (!(v >= 0 && v <= 1)) throw std::invalid_argument("the start of a density design must lie between 0 and 1");
}

std::string DensityDesign::stage_text(int stage) const {
  const DensityStage& s = stages_.at(stage);
  return "stage " + std::to_string(stage + 1) + ": steepness " + number_text(s.steepness) +
         (s.law == DensityStage::Law::resistance ? ", convexity " + number_text(s.convexity) : ", penalty " + number_text(s.penalty));
}

std::array<double, 2> DensityDesign::fixed_and_designed_volume() const {
  std::array<double, 2> sum{};
  for (int c = 0; c < filter().cell_count(); ++c) {
    if (!filter().owned()[c]) continue;
    if (cells_.designed()[c]) sum[1] += filter().volumes()[c];
    else if (cells_.fixed()[c] > 0.5) sum[0] += filter().volumes()[c];
  }
  MPI_Allreduce(MPI_IN_PLACE, sum.data(), 2, MPI_DOUBLE, MPI_SUM, filter().mesh().comm);
  return sum;
}

void DensityDesign::find_curves(const Target& t, const std::vector<double>& filtered, Cells& all) const {
  using Inner = Dual<double, 1>;
  using Outer = Dual<Inner, 1>;
  const auto curve = [](const Outer& y, double scale) {
    return Curve{scale * y.value.value, scale * y.grad[0].value, scale * y.grad[0].grad[0]};
  };
  const DensityStage::Projection project = stage_.projection(t.shift);
  all.density.resize(filtered.size());
  if (t.property >= 0) all.property.resize(filtered.size());
  if (t.finite >= 0) all.finite.resize(filtered.size());
  for (std::size_t c = 0; c < filtered.size(); ++c) {
    Outer x = cells_.fixed()[c];
    if (cells_.designed()[c]) x = project(Outer::variable(Inner::variable(filtered[c], 0), 0));
    if (cells_.designed()[c] && cut_) x = x.value.value > *cut_ ? 1.0 : 0.0;
    all.density[c] = curve(x, 1);
    if (t.property >= 0) all.property[c] = curve(stage_.property(x), t.scale);
    if (t.finite >= 0) all.finite[c] = curve(stage_.finite_share(x), 1);
  }
}

std::vector<char> DensityDesign::body_above(double cut, const Cells& cells, std::vector<char>& left) const {
  std::vector<char> body;
  for (const Curve& density : cells.density) body.push_back(density.value > cut);
  left = without_corner_contacts(filter().mesh(), body, cells_.designed());
  return body;
}

double DensityDesign::share_on_corners(double cut) const {
  std::vector<char> left;
  const std::vector<char> body = body_above(cut, nominal(), left);
  std::array<double, 2> volume{};  // of the body, and of the cells that would be removed
  for (int c = 0; c < filter().cell_count(); ++c)
    if (filter().owned()[c] && body[c]) volume[0] += filter().volumes()[c], volume[1] += left[c] ? 0 : filter().volumes()[c];
  MPI_Allreduce(MPI_IN_PLACE, volume.data(), 2, MPI_DOUBLE, MPI_SUM, filter().mesh().comm);
  return volume[0] > 0 ? volume[1] / volume[0] : 0;
}

Evaluation DensityDesign::apply(const DesignVector& theta, std::vector<Controls>& d) {
  std::vector<double> smooth;
  if (const Evaluation e = cells_.apply(theta.local, smooth); !e.ok) return e;
  at_.resize(targets_.size());
  int sound = 1;
  for (std::size_t k = 0; k < targets_.size(); ++k) {
    find_curves(targets_[k], smooth, at_[k]);
    for (const Curve& density : at_[k].density) sound &= stage_.exists(density.value);  // false for NaN
  }
  for (std::size_t k = 0; cut_ && drops_contacts_ && k < targets_.size(); ++k) {
    std::vector<char> left;
    const std::vector<char> body = body_above(0.5, at_[k], left);
    for (std::size_t c = 0; c < smooth.size(); ++c) {
      if (!body[c] || left[c]) continue;
      at_[k].density[c] = {};
      if (targets_[k].property >= 0) at_[k].property[c] = {.value = targets_[k].scale * stage_.property(0.0)};
      if (targets_[k].finite >= 0) at_[k].finite[c] = {.value = stage_.finite_share(0.0)};
    }
  }
  MPI_Allreduce(MPI_IN_PLACE, &sound, 1, MPI_INT, MPI_MIN, filter().mesh().comm);
  if (!sound)
    return Evaluation::failure("density design: filtered densities are far below 0; the mesh has cells too "
                               "distorted for the filter");
  for (std::size_t k = 0; k < targets_.size(); ++k)
    for_each_control(k, [&](int control, const std::vector<Curve>& curves) {
      std::vector<double>& values = d[targets_[k].case_index][control];
      values.resize(smooth.size());
      for (std::size_t c = 0; c < smooth.size(); ++c) values[c] = curves[c].value;
    });
  filtered_ = std::move(smooth);
  return Evaluation::success(0);
}

/// Position of the first case whose threshold is not shifted.
std::size_t DensityDesign::nominal_target() const {
  const auto chosen = std::ranges::find(targets_, 0.0, &Target::shift);
  return chosen == targets_.end() ? 0 : static_cast<std::size_t>(chosen - targets_.begin());
}

std::vector<signed char> DensityDesign::fixed_cells() const {
  std::vector<signed char> fixed;
  for (std::size_t c = 0; c < cells_.fixed().size(); ++c) fixed.push_back(cells_.designed()[c] ? -1 : cells_.fixed()[c] > 0.5);
  return fixed;
}

double DensityDesign::filtered_at(double density) const { return stage_.projection(targets_.at(nominal_target()).shift).inverse(density); }

std::vector<double> DensityDesign::densities() const {
  std::vector<double> all;
  for (const Curve& density : nominal().density) all.push_back(density.value);
  return all;
}

double DensityDesign::cut_of_equal_volume() const {
  std::vector<double> mine;  // density and volume of each cell
  const Cells& at = nominal();
  for (const int c : cells()) mine.insert(mine.end(), {at.density[c].value, filter().volumes()[c]});
  const std::vector<double> all = all_gather(mine, MPI_DOUBLE, filter().mesh().comm);
  std::map<double, double, std::greater<>> volume_at;
  double fluid = 0;
  for (std::size_t i = 0; i < all.size(); i += 2) {
    volume_at[all[i]] += all[i + 1];
    fluid += all[i] * all[i + 1];
  }
  // The threshold is midway between two densities, so that the filter's rounding errors, which differ between solves on several
  // ranks, do not change the result. Densities that differ by less are treated as equal.
  constexpr double round_off = 1e-9;
  double filled = 0, above = 2;  // volume and lowest density of the cells above the threshold
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
    for (int control : {t.density, t.property, t.finite})
      if (control >= 0) d_bar[t.case_index][control].assign(cells_.designed().size(), 0.0);
}

// ---- forward, then reverse ----------------------------------------------------------------------

Evaluation DensityDesign::jvp(const DesignVector&, const DesignVector& theta_dot, std::vector<Controls>& d_dot) {
  if (cut_) return no_derivative();
  std::vector<double> smooth_dot;
  if (const Evaluation e = cells_.jvp(theta_dot.local, smooth_dot); !e.ok) return e;
  for (std::size_t k = 0; k < targets_.size(); ++k)
    for_each_control(k, [&](int control, const std::vector<Curve>& curves) {
      std::vector<double>& values = d_dot[targets_[k].case_index][control];
      values.resize(smooth_dot.size());
      for (std::size_t c = 0; c < smooth_dot.size(); ++c) values[c] = curves[c].slope * smooth_dot[c];
    });
  return Evaluation::success(0);
}

Evaluation DensityDesign::vjp(const DesignVector&, std::vector<Controls>& d_bar, DesignVector& theta_bar) {
  if (cut_) return no_derivative();
  std::vector<double> smooth_bar(cells_.fixed().size(), 0.0);
  for (std::size_t k = 0; k < targets_.size(); ++k)
    for_each_control(k, [&](int control, const std::vector<Curve>& curves) {
      const std::vector<double>& bar = d_bar[targets_[k].case_index][control];
      if (bar.empty()) return;
      for (int c : cells()) smooth_bar[c] += curves[c].slope * bar[c];
    });
  return cells_.vjp(std::move(smooth_bar), theta_bar.local);
}

Evaluation DensityDesign::vjp_tangent(const DesignVector&, const DesignVector& theta_dot,
                                      const std::vector<Controls>& d_bar, std::vector<Controls>& d_bar_dot,
                                      DesignVector& theta_bar_dot) {
  if (cut_) return no_derivative();
  std::vector<double> smooth_dot, smooth_bar_dot(cells_.fixed().size(), 0.0);
  if (const Evaluation e = cells_.jvp(theta_dot.local, smooth_dot); !e.ok) return e;
  for (std::size_t k = 0; k < targets_.size(); ++k)
    for_each_control(k, [&](int control, const std::vector<Curve>& curves) {
      const std::vector<double>&bar = d_bar[targets_[k].case_index][control], &bar_dot = d_bar_dot[targets_[k].case_index][control];
      for (int c : cells()) {
        if (!bar_dot.empty()) smooth_bar_dot[c] += curves[c].slope * bar_dot[c];
        if (!bar.empty()) smooth_bar_dot[c] += curves[c].bend * smooth_dot[c] * bar[c];
      }
    });
  return cells_.vjp(std::move(smooth_bar_dot), theta_bar_dot.local);
}

}  // namespace invar
