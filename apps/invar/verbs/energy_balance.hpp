#pragma once
#include <memory>
#include <string>

#include "apps/invar/problem/problem.hpp"

namespace invar {

/// Kinetic and stored energy of a process and the potential of its dead loads, over time.
struct EnergyHistory {
  std::vector<double> kinetic, potential;  // at the case's times; stored energy less the work of dead loads
  double drift = 0;          // of their sum from the first time to the last, relative to the largest of them
  double largest_drift = 0;  // the largest at any time
};

/// Keeps account of the energy of one process in time, where it should be constant: of elastic bodies under dead
/// loads that do not change, between supports that do not move.
class EnergyBalance {
 public:
  /// Before anything is solved: adds functionals to the case.
  EnergyBalance(const Problem& problem, CaseModel& model);

  /// Why the energy changes, or is not known; empty where it should stay.
  const std::string& reason() const { return reason_; }
  /// Of the states that were solved last; for balances without a reason against it. Collective.
  EnergyHistory history();

 private:
  CaseModel& model_;
  std::string reason_;
  std::shared_ptr<Observable> kinetic_, potential_;
};

}  // namespace invar
