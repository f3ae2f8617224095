#pragma once
#include <span>
#include <utility>
#include <vector>

namespace invar {

/// A number that is linear in unknowns of a mechanism: constant + Σ coefficient · unknown.
struct AffineNumber {
  double constant = 0;
  std::vector<std::pair<int, double>> terms = {};

  friend AffineNumber operator-(AffineNumber a, const AffineNumber& b) {
    a.constant -= b.constant;
    for (const auto& [unknown, coefficient] : b.terms) a.terms.push_back({unknown, -coefficient});
    return a;
  }
};

/// Several affine numbers as functions of the unknowns that they depend on, in ascending order.
class AffineMap {
 public:
  explicit AffineMap(std::vector<AffineNumber> numbers);
  /// Unknowns of the mechanism, ascending.
  const std::vector<int>& unknowns() const { return unknowns_; }
  int size() const { return static_cast<int>(numbers_.size()); }

  /// z [size] for values of the unknowns. constants: factor of the constant terms, 0 for rates.
  template <class T>
  std::vector<T> apply(std::span<const T> y, double constants = 1) const {
    std::vector<T> z;
    for (const AffineNumber& n : numbers_) {
      T sum(constants * n.constant);
      for (const auto& [k, coefficient] : n.terms) sum += coefficient * y[k];
      z.push_back(sum);
    }
    return z;
  }
  /// r [unknowns] += force along z_k (transpose).
  template <class T>
  void add_force(int k, const T& force, T* r) const {
    for (const auto& [j, coefficient] : numbers_[k].terms) r[j] += coefficient * force;
  }

 private:
  std::vector<int> unknowns_;
  std::vector<AffineNumber> numbers_;  // their terms by positions in `unknowns_`
};

}  // namespace invar
