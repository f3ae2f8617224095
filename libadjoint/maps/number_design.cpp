#include "libadjoint/maps/number_design.hpp"

#include "libadjoint/maps/design_bounds.hpp"

namespace invar {
namespace {

/// The part of (r̄, φ̄) of a follower that belongs to a target of an entry.
double share_of(const DesignEntry::Target& t, const PolarNumbers& p, const std::array<double, 2>& bar) {
  if (t.case_index != p.case_index) return 0;
  return t.control == p.radius ? bar[0] : t.control == p.angle ? bar[1] : 0.0;
}

}  // namespace

std::vector<EntryParameter> number_design_parameters() {
  using enum EntryParameter::Kind;
  std::vector<EntryParameter> all{{.key = "variable",
                                   .kind = variable,
                                   .doc = "e.g. materials.rubber.c1, loads.tip.y, boundary.right.u_x; cases.NAME.… for one case. As for `--set`, a path addresses the number at that position only: a case with its own section keeps the numbers in it"},
                                  {.key = "start", .doc = "initial value; default: the value in the spec", .may_be_left_out = true}};
  for (const EntryParameter& bound : bound_parameters()) all.push_back(bound);
  all.push_back({.key = "scale",
                 .kind = word,
                 .doc = "scale for the optimiser",
                 .default_text = "linear",
                 .words = {{"linear", "any sign"},
                           {"log", "logarithmic: the sign is preserved, for positive constants; levenberg_marquardt changes it by at most a factor of ten per step"}}});
  all.push_back({.key = "range", .kind = numbers, .doc = "range of random starts (multi-start); default: the bounds", .may_be_left_out = true, .least = 2, .most = 2});
  return all;
}

Evaluation NumberDesign::apply(const DesignVector& theta, std::vector<Controls>& d) {
  for (std::size_t k = 0; k < entries_.size(); ++k)
    for (const DesignEntry::Target& t : entries_[k].targets)
      d[t.case_index][t.control] = {entries_[k].transform.physical(theta.shared[k])};
  for (std::size_t f = 0; f < followers_.size(); ++f) {
    const PolarNumbers& p = followers_[f];
    Controls& here = d[p.case_index];
    polar_[f] = {here[p.radius][0], here[p.angle][0]};
    const auto [x, y] = PolarNumbers::values(polar_[f][0], polar_[f][1]);
    here[p.x] = {x}, here[p.y] = {y};
  }
  return Evaluation::success(0);
}

void NumberDesign::want(std::vector<Controls>& d_bar) const {
  for (const DesignEntry& e : entries_)
    for (const DesignEntry::Target& t : e.targets) d_bar[t.case_index][t.control] = {0.0};
  for (const PolarNumbers& p : followers_) d_bar[p.case_index][p.x] = d_bar[p.case_index][p.y] = {0.0};
}

std::array<double, 2> NumberDesign::movement_of(const PolarNumbers& p, const DesignVector& theta, const DesignVector& theta_dot) const {
  std::array<double, 2> dot{};
  for (std::size_t k = 0; k < entries_.size(); ++k)
    for (const DesignEntry::Target& t : entries_[k].targets) {
      const double moved = entries_[k].transform.derivative(theta.shared[k]) * theta_dot.shared[k];
      dot[0] += share_of(t, p, {moved, 0.0}), dot[1] += share_of(t, p, {0.0, moved});
    }
  return dot;
}

// ---- forward, then reverse ----------------------------------------------------------------------

Evaluation NumberDesign::jvp(const DesignVector& theta, const DesignVector& theta_dot, std::vector<Controls>& d_dot) {
  for (std::size_t k = 0; k < entries_.size(); ++k)
    for (const DesignEntry::Target& t : entries_[k].targets)
      d_dot[t.case_index][t.control] = {entries_[k].transform.derivative(theta.shared[k]) * theta_dot.shared[k]};
  for (std::size_t f = 0; f < followers_.size(); ++f) {
    const PolarNumbers& p = followers_[f];
    const auto [r_dot, phi_dot] = movement_of(p, theta, theta_dot);
    const auto [x_dot, y_dot] = PolarNumbers::jvp(polar_[f][0], polar_[f][1], r_dot, phi_dot);
    d_dot[p.case_index][p.x] = {x_dot}, d_dot[p.case_index][p.y] = {y_dot};
  }
  return Evaluation::success(0);
}

Evaluation NumberDesign::vjp(const DesignVector& theta, std::vector<Controls>& d_bar, DesignVector& theta_bar) {
  std::vector<std::array<double, 2>> bars(followers_.size());
  for (std::size_t f = 0; f < followers_.size(); ++f) {
    const PolarNumbers& p = followers_[f];
    const Controls& bar = d_bar[p.case_index];
    bars[f] = PolarNumbers::vjp(polar_[f][0], polar_[f][1], bar[p.x][0], bar[p.y][0]);
  }
  for (std::size_t k = 0; k < entries_.size(); ++k)
    for (const DesignEntry::Target& t : entries_[k].targets) {
      double bar = d_bar[t.case_index][t.control][0];
      for (std::size_t f = 0; f < followers_.size(); ++f) bar += share_of(t, followers_[f], bars[f]);
      theta_bar.shared[k] += entries_[k].transform.derivative(theta.shared[k]) * bar;
    }
  return Evaluation::success(0);
}

Evaluation NumberDesign::vjp_tangent(const DesignVector& theta, const DesignVector& theta_dot,
                                     const std::vector<Controls>& d_bar, std::vector<Controls>& d_bar_dot,
                                     DesignVector& theta_bar_dot) {
  std::vector<std::array<double, 2>> bars(followers_.size()), bars_dot(followers_.size());
  for (std::size_t f = 0; f < followers_.size(); ++f) {
    const PolarNumbers& p = followers_[f];
    const auto [r, phi] = polar_[f];
    const auto [r_dot, phi_dot] = movement_of(p, theta, theta_dot);
    const Controls &bar = d_bar[p.case_index], &bar_dot = d_bar_dot[p.case_index];
    bars[f] = PolarNumbers::vjp(r, phi, bar[p.x][0], bar[p.y][0]);
    bars_dot[f] = PolarNumbers::vjp(r, phi, bar_dot[p.x][0], bar_dot[p.y][0]);
    const auto turned = PolarNumbers::vjp_tangent(r, phi, bar[p.x][0], bar[p.y][0], r_dot, phi_dot);
    for (int i = 0; i < 2; ++i) bars_dot[f][i] += turned[i];
  }
  for (std::size_t k = 0; k < entries_.size(); ++k) {
    const VariableTransform& p = entries_[k].transform;
    const double slope = p.derivative(theta.shared[k]), bend = p.second_derivative(theta.shared[k]);
    for (const DesignEntry::Target& t : entries_[k].targets) {
      double bar = d_bar[t.case_index][t.control][0], bar_dot = d_bar_dot[t.case_index][t.control][0];
      for (std::size_t f = 0; f < followers_.size(); ++f)
        bar += share_of(t, followers_[f], bars[f]), bar_dot += share_of(t, followers_[f], bars_dot[f]);
      theta_bar_dot.shared[k] += slope * bar_dot + bend * theta_dot.shared[k] * bar;
    }
  }
  return Evaluation::success(0);
}

}  // namespace invar
