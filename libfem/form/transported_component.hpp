#pragma once

namespace invar {

/// Data of PseudoTime for a transported component x with an equation of its own, such as the ratio of eddy to molecular viscosity: its
/// residual is measured separately, and a step may change it at a node by a fraction of |x| or an absolute amount, whichever is larger.
struct TransportedComponent {
  int component = -1;       // −1: none
  double first_factor = 1;  // PseudoTime::first_factor
  double start = 0;         // x at the start of the equation itself, after the solution of the easier one
  double down_share = 0, down_least = 0;
  double up_share = 0, up_least = 0;
};

}  // namespace invar
