#pragma once
#include <optional>
#include <string>
#include <vector>

#include "libadjoint/time/step_table.hpp"

namespace invar {

/// Schemes for r(u, u̇, t) = 0 and r(u, u̇, ü, t) = 0:
///   backward_euler      first order, damps everything
///   bdf2                second order with the first step by backward Euler; steps may vary
///   midpoint            implicit midpoint rule (Crank–Nicolson of linear problems): conserves the energy of
///                       linear ones; the rate of first-order problems is that of the middle of the step
///   newmark             average acceleration, β = ¼, γ = ½; second-order problems only
///   generalised_alpha   Chung & Hulbert 1993 (second order), Jansen, Whiting & Hulbert 2000 (first order)
///                       with spectral radius ρ∞ at infinite frequency
///   sdirk2              two stages, second order, L-stable (Alexander 1977)
/// A scheme is its tables and nothing else.
class TimeScheme {
 public:
  enum class Kind { backward_euler, bdf2, midpoint, newmark, generalised_alpha, sdirk2 };

  /// order: of the equation in time, 1 or 2. Throws std::invalid_argument where there is no such scheme.
  TimeScheme(Kind kind, int order, double rho_infinity = 0.5);

  static const std::vector<std::string>& names();
  static Kind kind_of(const std::string& name);

  int order() const { return order_; }
  int stages() const { return kind_ == Kind::sdirk2 ? 2 : 1; }
  /// What each entry of the history begins as: a level of the initial state, or zero.
  const std::vector<std::optional<Level>>& initial() const { return initial_; }
  int history_size() const { return static_cast<int>(initial_.size()); }
  /// Whether the march begins with solving for the initial acceleration, by `start`.
  bool needs_start() const;
  /// The first table where `needs_start`: r(u₀, v₀, x; t) = 0.
  StepTable start(double t) const;
  /// Whether every step is balanced once, at its end: so that what it leaves behind is a function of that state.
  bool balances_at_end() const;
  /// The step from t to t + h after one of length h_before (0: the first).
  StepTable step(double t, double h, double h_before, int stage = 0) const;

 private:
  StepTable rows_of(double t, double h, double h_before, int stage) const;
  StepTable backward_euler(double t, double h) const;
  StepTable bdf2(double t, double h, double h_before) const;
  StepTable midpoint(double t, double h, double h_before) const;
  StepTable alpha_first(double t, double h, double h_before) const;
  StepTable alpha_second(double t, double h) const;
  StepTable sdirk2(double t, double h, int stage) const;

  Kind kind_;
  int order_;
  double rho_;
  std::vector<std::optional<Level>> initial_;
};

}  // namespace invar
