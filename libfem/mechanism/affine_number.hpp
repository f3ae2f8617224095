#pragma once
#include <span>
#include <utility>
#include <vector>

#include "libfem/mechanism/mechanism_number.hpp"

namespace invar {

/// A coefficient that places at rest determine: fixed + Σ factor · number, with numbers that may be designed.
struct RestCoefficient {
  double fixed = 0;
  std::vector<std::pair<MechanismNumber, double>> numbers = {};

  RestCoefficient(double value = 0) : fixed(value) {}
  RestCoefficient(MechanismNumber n, double factor) : numbers{{std::move(n), factor}} {}
  /// Zero whatever is designed.
  bool vanishes() const { return fixed == 0 && numbers.empty(); }
  /// With the numbers' values at rest.
  double at_rest() const {
    double sum = fixed;
    for (const auto& [n, factor] : numbers) sum += factor * n.at_rest;
    return sum;
  }
  RestCoefficient operator-() const {
    RestCoefficient out(-fixed);
    for (const auto& [n, factor] : numbers) out.numbers.push_back({n, -factor});
    return out;
  }
  RestCoefficient& operator+=(const RestCoefficient& other);
  friend RestCoefficient operator-(RestCoefficient a, const RestCoefficient& b) { return a += -b; }
};

/// A number that is linear in unknowns of a mechanism: constant + Σ coefficient · unknown.
struct AffineNumber {
  RestCoefficient constant = 0;
  std::vector<std::pair<int, RestCoefficient>> terms = {};

  friend AffineNumber operator-(AffineNumber a, const AffineNumber& b) {
    a.constant += -b.constant;
    for (const auto& [unknown, coefficient] : b.terms) a.terms.push_back({unknown, -coefficient});
    return a;
  }
};

/// Several affine numbers as functions of the unknowns that they depend on, in ascending order, and of the numbers in their
/// coefficients.
class AffineMap {
 public:
  explicit AffineMap(std::vector<AffineNumber> numbers);
  /// Unknowns of the mechanism, ascending.
  const std::vector<int>& unknowns() const { return unknowns_; }
  int size() const { return static_cast<int>(rows_.size()); }
  /// The numbers in the coefficients: the last ones of those that its functions get.
  const std::vector<MechanismNumber>& numbers() const { return numbers_; }
  /// These after the `given` ones.
  std::vector<MechanismNumber> numbers_after(std::vector<MechanismNumber> given) const {
    given.insert(given.end(), numbers_.begin(), numbers_.end());
    return given;
  }

  /// z [size] for values of the unknowns. constants: factor of the constant terms, 0 for rates.
  template <class T>
  std::vector<T> apply(std::span<const T> y, std::span<const T> numbers, double constants = 1) const {
    std::vector<T> z;
    for (const Row& n : rows_) {
      T sum = constants * value_of(n.constant, numbers);
      for (const auto& [k, coefficient] : n.terms) {
        if (coefficient.numbers.empty()) sum += coefficient.fixed * y[k];
        else sum += value_of(coefficient, numbers) * y[k];
      }
      z.push_back(sum);
    }
    return z;
  }
  /// r [unknowns] += force along z_k (transpose).
  template <class T>
  void add_force(int k, const T& force, std::span<const T> numbers, T* r) const {
    for (const auto& [j, coefficient] : rows_[k].terms) {
      if (coefficient.numbers.empty()) r[j] += coefficient.fixed * force;
      else r[j] += value_of(coefficient, numbers) * force;
    }
  }

 private:
  struct Coefficient {
    double fixed;
    std::vector<std::pair<int, double>> numbers;  // positions in `numbers_`, with factors
  };
  struct Row {
    Coefficient constant;
    std::vector<std::pair<int, Coefficient>> terms;  // by positions in `unknowns_`
  };
  Coefficient listed(const RestCoefficient& c);
  template <class T>
  T value_of(const Coefficient& c, std::span<const T> numbers) const {
    T sum(c.fixed);
    const std::size_t first = numbers.size() - numbers_.size();
    for (const auto& [n, factor] : c.numbers) sum += factor * numbers[first + n];
    return sum;
  }

  std::vector<int> unknowns_;
  std::vector<MechanismNumber> numbers_;
  std::vector<Row> rows_;
};

}  // namespace invar
