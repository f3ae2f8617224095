#pragma once
#include "libadjoint/petsc.hpp"

namespace invar {

/// What a factorisation would take, in numbers that are the same in every run on the same machine.
struct FactorCost {
  double operations;  // floating-point; HUGE_VAL: unknown
  double needed;      // bytes, of the process that needs most
  double memory;      // bytes that a process may have: the node's, or its control group's, by processes there
  bool known() const;
  /// With a fifth of the memory left for everything else.
  bool fits() const { return needed <= 0.8 * memory; }
};

/// As the analysis of MUMPS estimates it, for LDLᵀ where `symmetric`, else LU. Collective; takes a fraction of the
/// factorisation.
FactorCost factor_cost(Mat A, bool symmetric);

}  // namespace invar
