#include "libadjoint/maps/signal_design.hpp"

namespace invar {

Evaluation SignalDesign::apply(const DesignVector& theta, std::vector<Controls>& d) {
  for (const DesignEntry::Target& t : targets_)
    for (std::size_t i = 0; i < coefficients_.size(); ++i)
      d[t.case_index][t.control][i] = coefficients_[i].transform.physical(theta.shared[i]);
  return Evaluation::success(0);
}

void SignalDesign::want(std::vector<Controls>& d_bar) const {
  for (const DesignEntry::Target& t : targets_) d_bar[t.case_index][t.control].assign(coefficients_.size(), 0.0);
}

// ---- forward, then reverse ----------------------------------------------------------------------

Evaluation SignalDesign::jvp(const DesignVector& theta, const DesignVector& theta_dot, std::vector<Controls>& d_dot) {
  for (const DesignEntry::Target& t : targets_) {
    std::vector<double>& dot = d_dot[t.case_index][t.control];
    dot.resize(coefficients_.size());
    for (std::size_t i = 0; i < dot.size(); ++i)
      dot[i] = coefficients_[i].transform.derivative(theta.shared[i]) * theta_dot.shared[i];
  }
  return Evaluation::success(0);
}

Evaluation SignalDesign::vjp(const DesignVector& theta, std::vector<Controls>& d_bar, DesignVector& theta_bar) {
  for (const DesignEntry::Target& t : targets_)
    for (std::size_t i = 0; i < coefficients_.size(); ++i)
      theta_bar.shared[i] += coefficients_[i].transform.derivative(theta.shared[i]) * d_bar[t.case_index][t.control][i];
  return Evaluation::success(0);
}

Evaluation SignalDesign::vjp_tangent(const DesignVector& theta, const DesignVector& theta_dot,
                                     const std::vector<Controls>& d_bar, std::vector<Controls>& d_bar_dot,
                                     DesignVector& theta_bar_dot) {
  for (const DesignEntry::Target& t : targets_)
    for (std::size_t i = 0; i < coefficients_.size(); ++i) {
      const VariableTransform& p = coefficients_[i].transform;
      theta_bar_dot.shared[i] += p.derivative(theta.shared[i]) * d_bar_dot[t.case_index][t.control][i] +
                                 p.second_derivative(theta.shared[i]) * theta_dot.shared[i] * d_bar[t.case_index][t.control][i];
    }
  return Evaluation::success(0);
}

}  // namespace invar
