#pragma once
#include <optional>
#include <string>
#include <vector>

#include "libadjoint/time/step_table.hpp"

namespace invar {

/// Schemes for r(u, u̇, t) = 0 and r(u, u̇, ü, t) = 0:
///   backward_euler      first order, strongly dissipative
///   bdf2                second order, first step by backward Euler; variable steps
///   midpoint            implicit midpoint rule (Crank–Nicolson for linear problems): conserves the energy of linear
///                       problems; the rate of first-order problems is that of the middle of the step
///   newmark             average acceleration, β = ¼, γ = ½; second-order problems only
///   generalised_alpha   Chung & Hulbert 1993 (second order), Jansen, Whiting & Hulbert 2000 (first order)
///                       with spectral radius ρ∞ at infinite frequency
///   sdirk2              two stages, second order, L-stable (Alexander 1977)
///   central_differences Störmer–Verlet: explicit in the forces; conserves the energy of linear problems on average
///                       while h ω ≤ 2 for every frequency ω of the mesh; second-order problems only
///   pressure_correction bdf2 for flow with separate solves for velocity and pressure: for equations written for it
///                       (libfluid/flow/pressure_correction.hpp), with a potential among their unknowns
/// A scheme is defined by its tables.
class TimeScheme {
 public:
  enum class Kind { backward_euler, bdf2, midpoint, newmark, generalised_alpha, sdirk2, pressure_correction, central_differences };

  /// order: of the equation in time, 1 or 2. Throws std::invalid_argument if the scheme does not exist for this order.
  TimeScheme(Kind kind, int order, double rho_infinity = 0.5);

  static const std::vector<std::string>& names();
  static Kind kind_of(const std::string& name);

  int order() const { return order_; }
  /// p in the error O(h^p) of a scheme.
  static int accuracy(Kind kind) { return kind == Kind::backward_euler ? 1 : 2; }
  int stages() const { return kind_ == Kind::sdirk2 ? 2 : 1; }
  /// Initial value of each history vector: a level of the initial state, or zero.
  const std::vector<std::optional<Level>>& initial() const { return initial_; }
  int history_size() const { return static_cast<int>(initial_.size()); }
  /// Whether the scheme requires equations with a potential.
  bool corrects_pressure() const { return kind_ == Kind::pressure_correction; }
  /// Whether forces do not depend on the new state: the step is then linear and only conditionally stable.
  bool is_explicit() const { return kind_ == Kind::central_differences; }
  /// Table for observables of the initial state, at time t, without `start`. What that state does not contain, the highest rate and
  /// pressures, is read from the first solve, whose table is given: with an error of the first order in its length h, or of the order of
  /// 1/h where the initial state does not fit what is prescribed. A pressure correction begins with a pressure of its own.
  StepTable beginning(double t, const StepTable& first) const;
  /// Whether the march first solves for the initial acceleration, with the table `start`.
  bool needs_start() const;
  /// Table of the initial acceleration x: r(u₀, v₀, x; t) = 0, before a step of length h. Only if `needs_start`.
  StepTable start(double t, double h) const;
  /// Whether the equation holds at the end of every step, as history variables require: they are functions of that state.
  bool balances_at_end() const;
  /// Whether constrained unknowns have separate rows. Their rates and accelerations are then those of the cubic through the last
  /// four prescribed values. The scheme's own values would not converge: newmark accumulates errors with alternating signs, sdirk2
  /// uses differences over a stage for rates at its end; those of generalised_alpha are of first order only (index-3 equations: E.
  /// Hairer, G. Wanner, Solving Ordinary Differential Equations II, VII.1).
  bool differences_motion() const {
    return order_ == 2 && (kind_ == Kind::newmark || kind_ == Kind::generalised_alpha || kind_ == Kind::sdirk2);
  }
  /// Table of the step from t to t + h. h_before: length of the previous step (0: this is the first); h_earlier: length of the one
  /// before that (0: there was none).
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
