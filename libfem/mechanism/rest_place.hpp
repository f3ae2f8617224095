#pragma once
#include <algorithm>
#include <array>

#include "libadjoint/constraint/tie_elimination.hpp"
#include "libfem/mechanism/affine_number.hpp"

namespace invar {

/// A place at rest [m], whose coordinates are fixed or may be designed.
class RestPlace {
 public:
  RestPlace(const std::array<double, 3>& x = {}) : start_(x) {}
  RestPlace(double x, double y, double z) : start_{x, y, z} {}
  /// Lets a coordinate be a number, with the present value at rest.
  void let_follow(int axis, MechanismNumber n) {
    n.at_rest = start_[axis];
    numbers_[axis] = std::move(n);
  }
  /// Its coordinates at rest in the undesigned state.
  const std::array<double, 3>& start() const { return start_; }
  RestCoefficient operator[](int axis) const {
    const MechanismNumber& n = numbers_[axis];
    return n.control < 0 && n.rest < 0 ? RestCoefficient(start_[axis]) : RestCoefficient(n, 1.0);
  }
  /// The control that a coordinate is; −1: none.
  int control(int axis) const { return numbers_[axis].control; }
  bool is_designed() const {
    return std::ranges::any_of(numbers_, [](const MechanismNumber& n) { return n.control >= 0; });
  }

 private:
  std::array<double, 3> start_;
  std::array<MechanismNumber, 3> numbers_;
};

/// Adds coefficient · unknown to a constraint. The numbers in the coefficient must be `RestNumbers`.
inline void add_term(LinearConstraint& row, PetscInt unknown, const RestCoefficient& coefficient) {
  for (const auto& [number, factor] : coefficient.numbers) row.variations.push_back({row.terms.size(), number.rest, factor});
  row.terms.push_back({unknown, coefficient.at_rest()});
}

}  // namespace invar
