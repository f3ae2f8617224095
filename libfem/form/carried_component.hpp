#pragma once

namespace invar {

/// What PseudoTime must know of a component x that flow carries with an equation of its own, such as an eddy viscosity over the molecular
/// one: its residual is another equation's, and a step may change it at a node by a share of |x| or by a number, whichever is larger.
struct CarriedComponent {
  int component = -1;       // none
  double first_factor = 1;  // PseudoTime::first_factor
  double start = 0;         // x where the equation itself is begun from the solution at that factor
  double down_share = 0, down_least = 0;
  double up_share = 0, up_least = 0;
};

}  // namespace invar
