#pragma once
#include "libadjoint/petsc.hpp"

namespace invar {

/// Estimated cost of a factorisation; reproducible on the same machine.
struct FactorCost {
  double operations;  // floating-point; HUGE_VAL: unknown
  double needed;      // bytes, of the process with the largest share
  double memory;      // bytes available to a process: memory of its node or control group, shared by the processes there
  bool known() const;
  /// Reserves a fifth of the memory for other data.
  bool fits() const { return needed <= 0.8 * memory; }
};

/// The estimate of MUMPS's symbolic analysis, for LDLᵀ if `symmetric`, else LU. Collective; takes a fraction of the
/// factorisation time.
FactorCost factor_cost(Mat A, bool symmetric);

}  // namespace invar
