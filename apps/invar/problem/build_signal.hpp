#pragma once
#include <memory>

#include "apps/invar/problem/problem.hpp"

namespace invar {

/// The design entry of kind `signal`: makes a number of the cases a function of time and its coefficients design
/// variables; nullptr after recording what is wrong.
std::shared_ptr<Parameterization> build_signal(const spec::Value& entry, Problem& problem, Diagnostics& diagnostics);

}  // namespace invar
