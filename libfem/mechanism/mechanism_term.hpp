#pragma once
#include <span>
#include <vector>

#include "libfem/math/dual.hpp"
#include "libfem/mechanism/mechanism_number.hpp"

namespace invar {

/// Point of evaluation of a term: its unknowns and numbers, in its own order.
template <class T>
struct MechanismPoint {
  std::span<const T> value, rate, acceleration;  // at the time where the scheme satisfies the equation
  std::span<const T> unknown;                    // the solved unknowns: values at the end of a step
  std::span<const T> numbers;      // at the time where the scheme satisfies the equation
  std::span<const T> end_numbers;  // at the end of a step
  bool starts = false;  // the initial accelerations are solved for; they are in `acceleration`
};

/// A law among a few unknowns of a mechanism: its contribution to their rows, for all scalar types of differentiation.
class MechanismTerm {
 public:
  using First = Dual<double, 1>;
  using Second = Dual<First, 1>;

  /// in_own_rows: its rows are those of its unknowns, even if forces on these are added to rows of velocities.
  MechanismTerm(std::vector<int> unknowns, std::vector<MechanismNumber> numbers, bool in_own_rows = false)
      : unknowns_(std::move(unknowns)), numbers_(std::move(numbers)), in_own_rows_(in_own_rows) {}
  virtual ~MechanismTerm() = default;
  /// Numbers of its unknowns in the mechanism.
  const std::vector<int>& unknowns() const { return unknowns_; }
  const std::vector<MechanismNumber>& numbers() const { return numbers_; }
  bool in_own_rows() const { return in_own_rows_; }

  /// r [unknowns] += forces on the unknowns, or residuals of constraints.
  virtual void add_rows(const MechanismPoint<double>& at, double* r) const = 0;
  virtual void add_rows(const MechanismPoint<First>& at, First* r) const = 0;
  virtual void add_rows(const MechanismPoint<Second>& at, Second* r) const = 0;

 private:
  std::vector<int> unknowns_;
  std::vector<MechanismNumber> numbers_;
  bool in_own_rows_;
};

/// The term whose rows `law` adds: a function object template (point, r).
template <class Law>
class LawTerm final : public MechanismTerm {
 public:
  LawTerm(Law law, std::vector<int> unknowns, std::vector<MechanismNumber> numbers, bool in_own_rows = false)
      : MechanismTerm(std::move(unknowns), std::move(numbers), in_own_rows), law_(std::move(law)) {}
  void add_rows(const MechanismPoint<double>& at, double* r) const override { law_(at, r); }
  void add_rows(const MechanismPoint<First>& at, First* r) const override { law_(at, r); }
  void add_rows(const MechanismPoint<Second>& at, Second* r) const override { law_(at, r); }

 private:
  Law law_;
};

}  // namespace invar
