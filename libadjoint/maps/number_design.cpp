#include "libadjoint/maps/number_design.hpp"

namespace invar {

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
