#include "libadjoint/maps/number_design.hpp"

#include "libadjoint/maps/design_bounds.hpp"

namespace invar {

std::vector<EntryParameter> number_design_parameters() {
  using enum EntryParameter::Kind;
  std::vector<EntryParameter> all{{.key = "variable",
                                   .kind = variable,
                                   .doc = "e.g. materials.rubber.c1, loads.tip.y, boundary.right.u_x; cases.NAME.… for one case. As for `--set`, a path "
                                          "means the number at that place: a case with a section of its own keeps the numbers in it"},
                                  {.key = "start", .doc = "first value; default: the value in its place", .may_be_left_out = true}};
  for (const EntryParameter& bound : bound_parameters()) all.push_back(bound);
  all.push_back({.key = "scale",
                 .kind = word,
                 .doc = "how the optimiser sees it",
                 .default_text = "linear",
                 .words = {{"linear", "any sign"},
                           {"log", "keeps its sign, for positive constants; levenberg_marquardt changes it by at most a factor of ten per step"}}});
  all.push_back({.key = "range", .kind = numbers, .doc = "where multi-start draws from; default: the bounds", .may_be_left_out = true, .least = 2, .most = 2});
  return all;
}

Evaluation NumberDesign::apply(const DesignVector& theta, std::vector<Controls>& d) {
  for (std::size_t k = 0; k < entries_.size(); ++k)
    for (const DesignEntry::Target& t : entries_[k].targets)
      d[t.case_index][t.control] = {entries_[k].transform.physical(theta.shared[k])};
  return Evaluation::success(0);
}

void NumberDesign::want(std::vector<Controls>& d_bar) const {
  for (const DesignEntry& e : entries_)
    for (const DesignEntry::Target& t : e.targets) d_bar[t.case_index][t.control] = {0.0};
}

// ---- forward, then reverse ----------------------------------------------------------------------

Evaluation NumberDesign::jvp(const DesignVector& theta, const DesignVector& theta_dot, std::vector<Controls>& d_dot) {
  for (std::size_t k = 0; k < entries_.size(); ++k)
    for (const DesignEntry::Target& t : entries_[k].targets)
      d_dot[t.case_index][t.control] = {entries_[k].transform.derivative(theta.shared[k]) * theta_dot.shared[k]};
  return Evaluation::success(0);
}

Evaluation NumberDesign::vjp(const DesignVector& theta, std::vector<Controls>& d_bar, DesignVector& theta_bar) {
  for (std::size_t k = 0; k < entries_.size(); ++k)
    for (const DesignEntry::Target& t : entries_[k].targets)
      theta_bar.shared[k] += entries_[k].transform.derivative(theta.shared[k]) * d_bar[t.case_index][t.control][0];
  return Evaluation::success(0);
}

Evaluation NumberDesign::vjp_tangent(const DesignVector& theta, const DesignVector& theta_dot,
                                     const std::vector<Controls>& d_bar, std::vector<Controls>& d_bar_dot,
                                     DesignVector& theta_bar_dot) {
  for (std::size_t k = 0; k < entries_.size(); ++k) {
    const VariableTransform& p = entries_[k].transform;
    const double slope = p.derivative(theta.shared[k]), bend = p.second_derivative(theta.shared[k]);
    for (const DesignEntry::Target& t : entries_[k].targets)
      theta_bar_dot.shared[k] += slope * d_bar_dot[t.case_index][t.control][0] +
                                 bend * theta_dot.shared[k] * d_bar[t.case_index][t.control][0];
  }
  return Evaluation::success(0);
}

}  // namespace invar
