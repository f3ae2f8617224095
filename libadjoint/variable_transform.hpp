#pragma once
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace invar {

/// How one physical value p (with its unit) follows from its optimiser coordinate θ (no unit):
/// `linear` p = scale·θ, `log` p = scale·exp(θ). The scale is a typical physical value, so that θ
/// is of order one (linear) or zero (log); its sign is the sign of p in the logarithmic case.
class VariableTransform {
 public:
  enum class Kind { linear, log };

  /// Throws std::invalid_argument when the scale is zero or not finite.
  explicit VariableTransform(Kind kind = Kind::linear, double scale = 1.0)
      : kind_(kind), scale_(scale) {
    if (!std::isfinite(scale) || scale == 0)
      throw std::invalid_argument("the scale of a design variable must be finite and not zero");
  }
  /// By the name used in a spec: "linear" or "log". Throws std::invalid_argument on another.
  static VariableTransform by_name(std::string_view name, double scale = 1.0) {
    if (name == "linear") return VariableTransform(Kind::linear, scale);
    if (name == "log") return VariableTransform(Kind::log, scale);
    throw std::invalid_argument("unknown scaling '" + std::string(name) +
                                "'; use 'linear' or 'log'");
  }

  /// Largest factor by which one step of a search may change a logarithmic value: a linear model in ln p is useless
  /// further away.
  static constexpr double largest_factor = 10;
  /// The corresponding limit for θ; infinite for a linear value.
  double largest_step() const {
    return kind_ == Kind::log ? std::log(largest_factor) : std::numeric_limits<double>::infinity();
  }

  Kind kind() const { return kind_; }
  double scale() const { return scale_; }

  /// p(θ)
  double physical(double theta) const {
    return kind_ == Kind::linear ? scale_ * theta : scale_ * std::exp(theta);
  }
  /// dp/dθ
  double derivative(double theta) const {
    return kind_ == Kind::linear ? scale_ : physical(theta);
  }
  /// d²p/dθ²
  double second_derivative(double theta) const {
    return kind_ == Kind::linear ? 0.0 : physical(theta);
  }
  /// θ(p). Throws std::invalid_argument when a logarithmic variable has no such value.
  double coordinate(double p) const {
    const double ratio = p / scale_;
    if (kind_ == Kind::linear) return ratio;
    if (!(ratio > 0))
      throw std::invalid_argument("a variable with scaling 'log' must be " +
                                  std::string(scale_ > 0 ? "positive" : "negative") +
                                  ", but is " + std::to_string(p) + "; use scaling 'linear'");
    return std::log(ratio);
  }
  /// {lower, upper} of θ from lower ≤ p ≤ upper, either of which may be infinite. A logarithmic variable never reaches
  /// zero: a bound at or beyond zero is ignored. Throws std::invalid_argument if the interval is empty.
  std::array<double, 2> bounds(double lower, double upper) const {
    if (!(lower <= upper))
      throw std::invalid_argument("the lower bound " + std::to_string(lower) +
                                  " is above the upper bound " + std::to_string(upper));
    double a = lower / scale_, b = upper / scale_;
    if (scale_ < 0) std::swap(a, b);
    if (kind_ == Kind::linear) return {a, b};
    if (!(b > 0))
      throw std::invalid_argument("no value with the sign of its scale lies within the bounds of "
                                  "a variable with scaling 'log'");
    return {a > 0 ? std::log(a) : -std::numeric_limits<double>::infinity(), std::log(b)};
  }

 private:
  Kind kind_;
  double scale_;
};

}  // namespace invar
