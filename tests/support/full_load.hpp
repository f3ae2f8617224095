#pragma once
#include "libadjoint/residual.hpp"

namespace invar::test {

/// u with the data that the problem was given, at load parameter (or time) 1.
inline EvaluationPoint at_full_load(const Residual& residual, const State& u) { return {u, residual.given(1)}; }

}  // namespace invar::test
