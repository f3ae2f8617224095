#pragma once
#include <optional>
#include <string>
#include <vector>

#include "libadjoint/time/step_table.hpp"

namespace invar {

/// Schemes for r(u, u̇, t) = 0 and r(u, u̇, ü, t) = 0:
///   backward_euler      first order, strongly dissipative
///   bdf2                second order with the first step by backward Euler; steps may vary
///   midpoint            implicit midpoint rule (Crank–Nicolson of linear problems): conserves the energy of
///                       linear ones; the rate of first-order problems is that of the middle of the step
///   newmark             average acceleration, β = ¼, γ = ½; second-order problems only
///   generalised_alpha   Chung & Hulbert 1993 (second order), Jansen, Whiting & Hulbert 2000 (first order)
///                       with spectral radius ρ∞ at infinite frequency
///   sdirk2              two stages, second order, L-stable (Alexander 1977)
///   central_differences Störmer–Verlet: the forces of the beginning of a step make its acceleration; conserves the energy of
///                       linear problems in the mean, while h ω ≤ 2 for every frequency ω of the mesh; second-order problems only
///   pressure_correction bdf2 for flow, velocity and pressure one after the other: for equations that are written for
///   it
///                       (libfluid/flow/pressure_correction.hpp), with a potential among their unknowns
/// A scheme consists of its tables.
class TimeScheme {
 public:
  enum class Kind { backward_euler, bdf2, midpoint, newmark, generalised_alpha, sdirk2, pressure_correction, central_differences };

  /// order: of the equation in time, 1 or 2. Throws std::invalid_argument where the scheme does not exist for this
  /// order.
  TimeScheme(Kind kind, int order, double rho_infinity = 0.5);

  static const std::vector<std::string>& names();
  static Kind kind_of(const std::string& name);

  int order() const { return order_; }
  /// p of the error O(h^p) of a scheme.
  static int accuracy(Kind kind) { return kind == Kind::backward_euler ? 1 : 2; }
  int stages() const { return kind_ == Kind::sdirk2 ? 2 : 1; }
  /// Initial value of each history vector: a level of the initial state, or zero.
  const std::vector<std::optional<Level>>& initial() const { return initial_; }
  int history_size() const { return static_cast<int>(initial_.size()); }
  /// Whether the scheme is for equations with a potential, and for these alone.
  bool corrects_pressure() const { return kind_ == Kind::pressure_correction; }
  /// Whether the state that a step leads to is no argument of its forces: the step is then linear, and stable only while short.
  bool is_explicit() const { return kind_ == Kind::central_differences; }
  /// What observables read before the first step.
  StepTable beginning(double t) const;
  /// Whether the march first solves for the initial acceleration, with the table `start`.
  bool needs_start() const;
  /// Table of the initial acceleration x: r(u₀, v₀, x; t) = 0, before a step of length h. Only where `needs_start`.
  StepTable start(double t, double h) const;
  /// Whether the equation of every step holds at its end, as history variables need: they are a function of that state.
  bool balances_at_end() const;
  /// Whether unknowns that constraints hold have rows of their own: rates and accelerations are those of the cubic through
  /// the last four values of what is prescribed. Those of the scheme itself would be wrong however short the steps: newmark
  /// adds up their errors with alternating signs, sdirk2 takes differences over a stage for rates at its end; those of
  /// generalised_alpha are of first order (equations of index 3: E. Hairer, G. Wanner, Solving Ordinary Differential
  /// Equations II, VII.1).
  bool differences_motion() const {
    return order_ == 2 && (kind_ == Kind::newmark || kind_ == Kind::generalised_alpha || kind_ == Kind::sdirk2);
  }
  /// The step from t to t + h after one of length h_before (0: the first), which came after one of length h_earlier
  /// (0: it was the first).
  StepTable step(double t, double h, double h_before, int stage = 0, double h_earlier = 0) const;

 private:
  StepTable rows_of(double t, double h, double h_before, int stage) const;
  StepTable backward_euler(double t, double h) const;
  StepTable bdf2(double t, double h, double h_before) const;
  StepTable midpoint(double t, double h, double h_before) const;
  StepTable alpha_first(double t, double h, double h_before) const;
  StepTable alpha_second(double t, double h) const;
  StepTable sdirk2(double t, double h, int stage) const;
  StepTable central_differences(double t, double h, double h_before) const;
  void correct_pressure(StepTable& s) const;
  void difference_motion(StepTable& s, double t, double h_before, double h_earlier) const;

  Kind kind_;
  int order_;
  double rho_;
  std::vector<std::optional<Level>> initial_;
};

}  // namespace invar
