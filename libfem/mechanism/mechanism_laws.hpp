#pragma once
#include <memory>
#include <vector>

#include "libfem/math/dual_functions.hpp"
#include "libfem/mechanism/affine_number.hpp"
#include "libfem/mechanism/mechanism_term.hpp"

namespace invar {

// Terms of a mechanism from functions of numbers z that are linear in its unknowns. Forces and derivatives are computed by duals. The
// numbers that the functions get are the given ones, then those in the coefficients of z.

namespace detail {

/// A function's arguments with a derivative along the k-th.
template <class T>
std::vector<Dual<T, 1>> seeded(const std::vector<T>& z, int k) {
  std::vector<Dual<T, 1>> x(z.begin(), z.end());
  x[k].grad[0] = T(1.0);
  return x;
}
template <class T>
std::vector<Dual<T, 1>> passive_copy(std::span<const T> p) {
  return {p.begin(), p.end()};
}

}  // namespace detail

/// A stored energy W(z, numbers): its unknowns' rows are ∂W/∂z.
template <class Energy>
class EnergyLaw {
 public:
  EnergyLaw(Energy energy, AffineMap map) : energy_(energy), map_(std::move(map)) {}
  template <class T>
  void operator()(const MechanismPoint<T>& at, T* r) const {
    const std::vector<T> z = map_.apply(at.value, at.numbers);
    const auto numbers = detail::passive_copy(at.numbers);
    for (int k = 0; k < map_.size(); ++k) map_.add_force(k, energy_(detail::seeded(z, k), numbers).grad[0], at.numbers, r);
  }

 private:
  Energy energy_;
  AffineMap map_;
};

/// Forces Q(z, ż, z̈, numbers) along z, such as those of dampers, drives and inertia: `force` fills Q [size].
template <class Force>
class ForceLaw {
 public:
  ForceLaw(Force force, AffineMap map) : force_(force), map_(std::move(map)) {}
  template <class T>
  void operator()(const MechanismPoint<T>& at, T* r) const {
    std::vector<T> Q(map_.size(), T(0.0));
    force_(map_.apply(at.value, at.numbers), map_.apply(at.rate, at.numbers, 0), map_.apply(at.acceleration, at.numbers, 0),
           std::vector<T>(at.numbers.begin(), at.numbers.end()), Q);
    for (int k = 0; k < map_.size(); ++k) map_.add_force(k, Q[k], at.numbers, r);
  }

 private:
  Force force_;
  AffineMap map_;
};

/// A constraint g(z, numbers) = 0 with a multiplier, the last unknown of the term. It holds at the end of a step; its force μ ∂g/∂z acts at
/// the time where the scheme satisfies the equation, which preserves the scheme's order and the angular momentum. Initially g̈ = 0 is
/// solved with constant numbers.
template <class Constraint>
class ConstraintLaw {
 public:
  ConstraintLaw(Constraint constraint, AffineMap map) : constraint_(constraint), map_(std::move(map)) {}
  template <class T>
  void operator()(const MechanismPoint<T>& at, T* r) const {
    const std::size_t last = at.value.size() - 1;
    const T multiplier = at.starts ? at.acceleration[last] : at.value[last];
    const std::vector<T> z = map_.apply(at.value, at.numbers);
    const auto numbers = detail::passive_copy(at.numbers);
    for (int k = 0; k < map_.size(); ++k) map_.add_force(k, multiplier * constraint_(detail::seeded(z, k), numbers).grad[0], at.numbers, r);
    if (at.starts) {
      r[last] += second_rate(z, map_.apply(at.rate, at.numbers, 0), map_.apply(at.acceleration, at.numbers, 0), at.numbers);
    } else {
      r[last] += constraint_(map_.apply(at.unknown, at.end_numbers), std::vector<T>(at.end_numbers.begin(), at.end_numbers.end()));
    }
  }

 private:
  /// d²g/dt² of z + t ż + ½ t² z̈.
  template <class T>
  T second_rate(const std::vector<T>& z, const std::vector<T>& rate, const std::vector<T>& acceleration, std::span<const T> numbers) const {
    using Twice = Dual<Dual<T, 1>, 1>;
    std::vector<Twice> x, p;
    for (std::size_t k = 0; k < z.size(); ++k) {
      Twice one{Dual<T, 1>(z[k])};
      one.value.grad[0] = one.grad[0].value = rate[k];
      one.grad[0].grad[0] = acceleration[k];
      x.push_back(one);
    }
    for (const T& n : numbers) p.push_back(Twice(Dual<T, 1>(n)));
    return constraint_(x, p).grad[0].grad[0];
  }

  Constraint constraint_;
  AffineMap map_;
};

/// Makes terms of laws.
template <class Energy>
std::unique_ptr<MechanismTerm> make_energy(Energy energy, const AffineMap& map, std::vector<MechanismNumber> numbers) {
  return std::make_unique<LawTerm<EnergyLaw<Energy>>>(EnergyLaw<Energy>(energy, map), map.unknowns(), map.numbers_after(std::move(numbers)));
}
template <class Force>
std::unique_ptr<MechanismTerm> make_force(Force force, const AffineMap& map, std::vector<MechanismNumber> numbers) {
  return std::make_unique<LawTerm<ForceLaw<Force>>>(ForceLaw<Force>(force, map), map.unknowns(), map.numbers_after(std::move(numbers)));
}
template <class Constraint>
std::unique_ptr<MechanismTerm> make_constraint(Constraint constraint, const AffineMap& map, int multiplier, std::vector<MechanismNumber> numbers) {
  std::vector<int> unknowns = map.unknowns();
  unknowns.push_back(multiplier);
  return std::make_unique<LawTerm<ConstraintLaw<Constraint>>>(ConstraintLaw<Constraint>(constraint, map), std::move(unknowns), map.numbers_after(std::move(numbers)));
}

}  // namespace invar
