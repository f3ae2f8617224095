#pragma once
#include <span>
#include <vector>

#include "libfem/math/dual.hpp"
#include "libfem/mechanism/mechanism_number.hpp"

namespace invar {

/// Where the rows of a term are evaluated: its unknowns and numbers, in its own order.
template <class T>
struct MechanismPoint {
  std::span<const T> value, rate, acceleration;  // where the scheme balances
  std::span<const T> unknown;                    // what is solved for: the value at the end of a step
  std::span<const T> numbers;      // where the scheme balances
  std::span<const T> end_numbers;  // at the end of a step
  bool starts = false;  // the accelerations that a process begins with are solved for; they stand in `acceleration`
};

/// A law among few unknowns of a mechanism: what it adds to their rows, at every scalar that derivatives take.
class MechanismTerm {
 public:
  using First = Dual<double, 1>;
  using Second = Dual<First, 1>;

  /// in_own_rows: its rows stay with its unknowns, also where forces on these stand in the rows of velocities.
  MechanismTerm(std::vector<int> unknowns, std::vector<MechanismNumber> numbers, bool in_own_rows = false)
      : unknowns_(std::move(unknowns)), numbers_(std::move(numbers)), in_own_rows_(in_own_rows) {}
  virtual ~MechanismTerm() = default;
  /// Numbers of its unknowns in the mechanism.
  const std::vector<int>& unknowns() const { return unknowns_; }
  const std::vector<MechanismNumber>& numbers() const { return numbers_; }
  bool in_own_rows() const { return in_own_rows_; }

  /// r [unknowns] += forces on the unknowns, or what constraints are off.
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
