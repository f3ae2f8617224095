#include "libadjoint/time/time_scheme.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

namespace invar {
namespace {

const StepRow unknown{1, {}};

StepRow past(int j) {
  StepRow row;
  row.history.assign(j + 1, 0.0);
  row.history[j] = 1;
  return row;
}

/// ẋ at the end of a step of length h by second-order backward differences. `now` and `before`: values one and two steps back; w = h
/// / (length of the previous step).
StepRow backward_difference(const StepRow& x, const StepRow& now, const StepRow& before, double h, double w) {
  return ((1 + 2 * w) / ((1 + w) * h)) * x - ((1 + w) / h) * now + (w * w / ((1 + w) * h)) * before;
}

/// Value, rate and acceleration at time τ, relative to the beginning of the step, of the cubic through the unknown and three history
/// values at the given times.
std::array<StepRow, 3> slopes_of_cubic(double tau, const std::array<double, 4>& at) {
  std::array<StepRow, 3> sums;
  for (int i = 0; i < 4; ++i) {
    std::array<double, 3> from{}, scale{};  // Lagrange basis: Π (τ − from) scale
    for (int j = 0, n = 0; j < 4; ++j)
      if (j != i) from[n] = tau - at[j], scale[n++] = 1 / (at[i] - at[j]);
    const double s = scale[0] * scale[1] * scale[2];
    const StepRow value = i == 0 ? unknown : past(i - 1);
    sums[0] = sums[0] + (s * from[0] * from[1] * from[2]) * value;
    sums[1] = sums[1] + (s * (from[0] * from[1] + from[1] * from[2] + from[2] * from[0])) * value;
    sums[2] = sums[2] + (2 * s * (from[0] + from[1] + from[2])) * value;
  }
  return sums;
}

/// The same for the cubic with value, rate and acceleration from the history and the unknown at the end.
std::array<StepRow, 3> slopes_from_start(double tau, const std::array<double, 4>& at) {
  const double e = at[0];
  const StepRow jerk = (6 / (e * e * e)) * (unknown - past(0) - e * past(1) - (0.5 * e * e) * past(2));
  return {past(0) + tau * past(1) + (0.5 * tau * tau) * past(2) + (tau * tau * tau / 6) * jerk,
          past(1) + tau * past(2) + (0.5 * tau * tau) * jerk, past(2) + tau * jerk};
}

/// Rows of unknowns without a rate, which are not differenced: the equation reads a₀₀ x, observables read the same, and x is the
/// first guess of the next step.
void keep_multipliers(StepTable& s) {
  const StepRow read{s.equation[Level::value].unknown, {}};
  s.algebraic.equation[Level::value] = s.algebraic.observed[Level::value] = read;
  s.algebraic.history.assign(s.history.size(), {});
  s.algebraic.history[0] = {s.history[0].unknown, {}};
}

/// A multiplier belongs to the time at which the equation holds, and observables at the end of the step: those read the line through its
/// values of this step and the one before, of length h_before, which held at the same place within the step.
void extrapolate_multipliers(StepTable& s, double t, double h_before) {
  const double left = s.end - s.time, apart = (s.time - t) + h_before * left / (s.end - t), weight = left / apart;
  StepRow& row = s.algebraic.observed[Level::value];
  row = (1 + weight) * row - (weight * row.unknown) * past(0);
}

/// For two stages of first order in time: what observables read of slopes and multipliers at the end of a step. Where a constraint depends on time,
/// as on a moving mesh, the stages' own are of first order (index two, stages of order one: E. Hairer, G. Wanner, Solving Ordinary Differential
/// Equations II, VII.4). Their errors are multiples of one vector w, which by expansion of the constraint are γ/2 h w in the first stage and
/// −(1 − γ)/2 h w in the second: a line in time and w are eliminated from the values of both stages and of the step before, of length h_before.
/// History: value, slope and slope of the step before; of multipliers the last one and that of the first stage.
void observe_stages(StepTable& s, double h, double h_before, double gamma) {
  const StepRow& rate = s.equation[Level::rate];
  if (!s.completes) {
    s.history.push_back(past(1));
    s.algebraic.history = {past(0), unknown, {}};
    return;
  }
  s.history.push_back({});
  s.algebraic.history = {unknown, {}, {}};
  if (h_before == 0) return;
  const auto at_end = [&](const StepRow& now, const StepRow& first_stage, const StepRow& before) {
    return now - (2 * (1 - gamma) * h / (h + h_before)) * (gamma * now - first_stage + (1 - gamma) * before);
  };
  s.observed[Level::rate] = at_end(rate, past(1), past(2));
  s.algebraic.observed[Level::value] = at_end(unknown, past(1), past(0));
}

/// Observables are evaluated where the equation holds, at the end of the step.
StepTable& observe_equation(StepTable& s) {
  s.observed = s.equation;
  return s;
}

}  // namespace

const std::vector<std::string>& TimeScheme::names() {
  static const std::vector<std::string> names{"backward_euler", "bdf2", "midpoint", "newmark", "generalised_alpha", "sdirk2",
                                              "pressure_correction", "central_differences"};
  return names;
}

TimeScheme::Kind TimeScheme::kind_of(const std::string& name) {
  const auto at = std::find(names().begin(), names().end(), name);
  if (at == names().end()) throw std::invalid_argument("there is no time scheme '" + name + "'");
  return static_cast<Kind>(at - names().begin());
}

TimeScheme::TimeScheme(Kind kind, int order, double rho_infinity) : kind_(kind), order_(order), rho_(rho_infinity) {
  if (order != 1 && order != 2) throw std::invalid_argument("equations are of first or second order in time");
  if (!(rho_ >= 0 && rho_ <= 1)) throw std::invalid_argument("the spectral radius at infinity lies in [0, 1]");
  if ((kind == Kind::newmark || kind == Kind::central_differences) && order == 1)
    throw std::invalid_argument(names()[static_cast<int>(kind)] + " is for equations of second order in time");
  if (kind == Kind::pressure_correction && order == 2) throw std::invalid_argument("pressure_correction is for incompressible flow");
  constexpr auto u = Level::value, v = Level::rate;
  const bool second = order == 2;
  using History = std::vector<std::optional<Level>>;
  switch (kind) {
    case Kind::backward_euler: initial_ = second ? History{u, v} : History{u}; break;
    case Kind::bdf2: initial_ = second ? History{u, u, v, v} : History{u, u}; break;
    case Kind::pressure_correction: initial_ = {u, u}; break;
    case Kind::central_differences: initial_ = {u, v}; break;
    case Kind::midpoint: initial_ = second ? History{u, v} : History{u, u}; break;
    case Kind::newmark: initial_ = {u, v, std::nullopt}; break;
    case Kind::generalised_alpha: initial_ = second ? History{u, v, std::nullopt} : History{u, std::nullopt}; break;
    case Kind::sdirk2: initial_ = second ? History{u, v, Level::acceleration, std::nullopt} : History{u, std::nullopt, std::nullopt}; break;
  }
}

bool TimeScheme::needs_start() const {
  return order_ == 2 && (kind_ == Kind::newmark || kind_ == Kind::generalised_alpha);
}

StepTable TimeScheme::start(double t, double h) const {
  StepTable s;
  s.equation.entries = {past(0), past(1), unknown, past(0)};
  s.history = {past(0), past(1), unknown};
  s.time = s.end = t;
  s.starts = true;
  s.following = h;
  observe_equation(s);
  // Initially multipliers are found together with accelerations, and observed from them.
  s.algebraic.equation[Level::acceleration] = s.algebraic.observed[Level::value] = unknown;
  s.algebraic.history = {unknown, {}, unknown};
  return s;
}

bool TimeScheme::balances_at_end() const {
  return kind_ == Kind::backward_euler || kind_ == Kind::bdf2 || kind_ == Kind::newmark || kind_ == Kind::pressure_correction;
}

StepTable TimeScheme::step(double t, double h, double h_before, int stage, double h_earlier) const {
  StepTable s = rows_of(t, h, h_before, stage);
  s.length = h;
  if (differences_motion()) difference_motion(s, t, h_before, h_earlier);
  if (corrects_pressure()) correct_pressure(s);
  else keep_multipliers(s);
  // Extrapolation needs the multipliers of two steps of the scheme itself. A march of first order begins with a step of backward Euler, one of second
  // order with the initial acceleration.
  if (kind_ == Kind::sdirk2 && order_ == 1) observe_stages(s, h, h_before, 1 - std::sqrt(0.5));
  if (kind_ == Kind::generalised_alpha && (order_ == 2 ? h_before : h_earlier) > 0) extrapolate_multipliers(s, t, h_before);
  return s;
}

// sdirk2 alone begins with accelerations: they are those of constrained unknowns.
StepTable TimeScheme::beginning(double t, const StepTable& first) const {
  const auto initially = [&](Level level) {
    const auto at = std::ranges::find(initial_, level);
    return at == initial_.end() ? StepRow() : past(static_cast<int>(at - initial_.begin()));
  };
  StepTable s;
  s.time = s.end = t;  // without a length: nothing relaxes before the first step
  s.observed.entries = {past(0), initially(Level::rate), initially(Level::acceleration), past(0)};
  if (first.held) s.held.emplace().observed = s.observed;
  const Level highest = order_ == 2 ? Level::acceleration : Level::rate;
  s.observed[highest] = first.equation[highest];
  if (corrects_pressure()) s.algebraic.observed[Level::value] = s.algebraic.observed[Level::predicted] = past(0);
  else s.algebraic.observed = first.algebraic.observed;
  return s;
}

// The history holds the last three values. Before the first step it holds value, rate and acceleration; the cubic through these and
// x gives a value one step before the start.
void TimeScheme::difference_motion(StepTable& s, double t, double h_before, double h_earlier) const {
  const double end = s.end - t;
  std::array<StepRow, 3> (*slopes)(double tau, const std::array<double, 4>& at) = slopes_of_cubic;
  const double before = h_before > 0 ? h_before : end, earlier = h_earlier > 0 ? h_earlier : before;
  if (h_before == 0) slopes = slopes_from_start;
  const std::array<double, 4> at{end, 0, -before, -before - earlier};
  StepRows& held = s.held.emplace();
  const auto [value, rate, acceleration] = slopes(s.time - t, at);
  const auto [end_value, end_rate, end_acceleration] = slopes(end, at);
  held.equation.entries = {s.equation[Level::value], rate, acceleration, unknown};
  held.observed.entries = {unknown, end_rate, end_acceleration, unknown};
  if (!s.completes) held.history = {past(0), past(1), past(2)};
  else held.history = {unknown, past(0), h_before == 0 ? slopes(-end, at)[0] : past(1)};
}

// Rows for pressures p and potentials φ of the rotational incremental pressure correction. The momentum equation reads the predicted
// level: the previous pressure, and the history part of −φ̇. The other equations read p, φ and the part of φ̇ due to φ itself, φ̇ =
// rate − predicted. Observables read the new pressure in place of the predicted one.
void TimeScheme::correct_pressure(StepTable& s) const {
  const StepRow& rate = s.equation[Level::rate];
  s.algebraic.equation.entries = {unknown, {}, {}, past(0)};
  s.algebraic.history = {unknown, {}};
  s.algebraic.observed.entries = {unknown, {}, {}, unknown};
  s.potential.equation.entries = {unknown, {rate.unknown, {}}, {}, -1.0 * StepRow{0, rate.history}};
  s.potential.history = {unknown, past(0)};
  s.potential.observed.entries = {unknown, {rate.unknown, {}}, {}, {}};
}

StepTable TimeScheme::rows_of(double t, double h, double h_before, int stage) const {
  switch (kind_) {
    case Kind::backward_euler: return backward_euler(t, h);
    case Kind::bdf2:
    case Kind::pressure_correction: return bdf2(t, h, h_before);
    case Kind::midpoint: return midpoint(t, h, h_before);
    case Kind::newmark: return alpha_second(t, h);
    case Kind::generalised_alpha: return order_ == 2 ? alpha_second(t, h) : alpha_first(t, h, h_before);
    case Kind::sdirk2: return sdirk2(t, h, stage);
    case Kind::central_differences: return central_differences(t, h, h_before);
  }
  return {};
}

// v' = (x − u)/h, a' = (v' − v)/h
StepTable TimeScheme::backward_euler(double t, double h) const {
  StepTable s;
  s.time = s.end = t + h;
  const StepRow rate = (1 / h) * (unknown - past(0));
  s.equation.entries = {unknown, rate, {}, past(0)};
  s.history = {unknown};
  if (order_ == 2) {
    s.equation[Level::acceleration] = (1 / h) * (rate - past(1));
    s.equation[Level::predicted] = past(0) + h * past(1);
    s.history.push_back(rate);
  }
  return observe_equation(s);
}

StepTable TimeScheme::bdf2(double t, double h, double h_before) const {
  StepTable s;
  s.time = s.end = t + h;
  const bool first = h_before == 0;
  const double w = first ? 0 : h / h_before;  // w = 0 is backward Euler
  const StepRow rate = backward_difference(unknown, past(0), past(1), h, w);
  s.equation.entries = {unknown, rate, {}, (1 + w) * past(0) - w * past(1)};
  s.history = {unknown, past(0)};
  if (order_ == 2) {
    s.equation[Level::acceleration] = backward_difference(rate, past(2), past(3), h, w);
    if (first) s.equation[Level::predicted] = past(0) + h * past(2);
    s.history.push_back(rate);
    s.history.push_back(past(2));
  }
  return observe_equation(s);
}

// y₀ = (x + u)/2, y₁ = (x − u)/h; second order: v' = 2 y₁ − v, y₂ = (v' − v)/h
StepTable TimeScheme::midpoint(double t, double h, double h_before) const {
  StepTable s;
  s.time = t + 0.5 * h;
  s.end = t + h;
  const StepRow rate = (1 / h) * (unknown - past(0));
  s.equation.entries = {0.5 * (unknown + past(0)), rate, {}, {}};
  if (order_ == 2) {
    const StepRow end_rate = 2.0 * rate - past(1);
    s.equation[Level::acceleration] = (1 / h) * (end_rate - past(1));
    s.equation[Level::predicted] = past(0) + 0.5 * h * past(1);
    s.history = {unknown, end_rate};
    s.observed.entries = {unknown, end_rate, s.equation[Level::acceleration], unknown};
  } else {
    const double w = h_before == 0 ? 0 : 0.5 * h / h_before;
    s.equation[Level::predicted] = (1 + w) * past(0) - w * past(1);
    s.history = {unknown, past(0)};
    s.observed.entries = {unknown, rate, {}, unknown};
  }
  return s;
}

// u' = u + h ((1 − γ) v + γ v'), y₀ = u + α_f (u' − u), y₁ = v + α_m (v' − v)
StepTable TimeScheme::alpha_first(double t, double h, double h_before) const {
  if (h_before == 0) {  // the initial rate is unknown
    StepTable s = backward_euler(t, h);
    s.history.push_back(s.equation[Level::rate]);
    return s;
  }
  const double alpha_m = 0.5 * (3 - rho_) / (1 + rho_), alpha_f = 1 / (1 + rho_), gamma = 0.5 + alpha_m - alpha_f;
  StepTable s;
  s.time = t + alpha_f * h;
  s.end = t + h;
  const StepRow rate = (1 / (gamma * h)) * (unknown - past(0)) - ((1 - gamma) / gamma) * past(1);
  s.equation.entries = {alpha_f * unknown + (1 - alpha_f) * past(0), alpha_m * rate + (1 - alpha_m) * past(1), {},
                        past(0) + alpha_f * h * past(1)};
  s.history = {unknown, rate};
  s.observed.entries = {unknown, rate, {}, unknown};
  return s;
}

// Newmark's u' = u + h v + h² ((½ − β) a + β a'), v' = v + h ((1 − γ) a + γ a'), balanced at
// y₀ = (1 − α_f) u' + α_f u, y₁ likewise, y₂ = (1 − α_m) a' + α_m a
StepTable TimeScheme::alpha_second(double t, double h) const {
  const bool newmark = kind_ == Kind::newmark;
  const double alpha_m = newmark ? 0 : (2 * rho_ - 1) / (rho_ + 1), alpha_f = newmark ? 0 : rho_ / (rho_ + 1);
  const double beta = 0.25 * (1 - alpha_m + alpha_f) * (1 - alpha_m + alpha_f), gamma = 0.5 - alpha_m + alpha_f;
  StepTable s;
  s.time = t + (1 - alpha_f) * h;
  s.end = t + h;
  const StepRow acceleration =
      (1 / (beta * h * h)) * (unknown - past(0) - h * past(1)) - (0.5 / beta - 1) * past(2);
  const StepRow rate = past(1) + h * ((1 - gamma) * past(2) + gamma * acceleration);
  s.equation.entries = {(1 - alpha_f) * unknown + alpha_f * past(0), (1 - alpha_f) * rate + alpha_f * past(1),
                        (1 - alpha_m) * acceleration + alpha_m * past(2),
                        past(0) + (1 - alpha_f) * h * past(1)};
  s.history = {unknown, rate, acceleration};
  s.observed.entries = {unknown, rate, acceleration, unknown};
  return s;
}

// Stage i: U_i = u + h Σ_{j≤i} a_ij k_j with a = [γ 0; 1−γ γ], γ = 1 − 1/√2; the last stage is the step. The prediction uses the
// last known slope: of the previous step, then of the first stage.
StepTable TimeScheme::sdirk2(double t, double h, int stage) const {
  const double gamma = 1 - std::sqrt(0.5), gh = gamma * h;
  const int first_slope = order_;  // history: u (and v), then the last slopes
  const auto slope = [&](const StepRow& x, int of) {
    StepRow s = x - past(of);
    if (stage == 1) s = s - ((1 - gamma) * h) * past(first_slope + of);
    return (1 / gh) * s;
  };
  StepTable s;
  s.time = s.end = stage == 0 ? t + gh : t + h;
  s.completes = stage == 1;
  const StepRow rate = slope(unknown, 0);
  const StepRow predicted_slope = order_ == 2 && stage == 0 ? past(1) : past(first_slope);
  s.equation.entries = {unknown, rate, {}, past(0) + (s.time - t) * predicted_slope};
  if (order_ == 2) s.equation[Level::acceleration] = slope(rate, 1);
  s.history = {stage == 0 ? past(0) : unknown};
  if (order_ == 2) s.history.push_back(stage == 0 ? past(1) : rate);
  s.history.push_back(rate);
  if (order_ == 2) s.history.push_back(s.equation[Level::acceleration]);
  return observe_equation(s);
}

// w is the velocity in the middle of the step, v in the middle of the previous one (initially: at the start); the equation holds at
// the beginning of the step: w = (x − u)/h, a = (w − v)/((h + h_before)/2). Variable steps: Hairer, Lubich, Wanner, Acta Numerica 12
// (2003).
StepTable TimeScheme::central_differences(double t, double h, double h_before) const {
  StepTable s;
  s.time = t;
  s.end = t + h;
  const StepRow rate = (1 / h) * (unknown - past(0)), acceleration = (2 / (h + h_before)) * (rate - past(1));
  s.equation.entries = {past(0), (1 / (h + h_before)) * (h_before * rate + h * past(1)), acceleration, past(0)};
  s.history = {unknown, rate};
  s.observed.entries = {unknown, rate + 0.5 * h * acceleration, acceleration, unknown};
  return s;
}

}  // namespace invar
