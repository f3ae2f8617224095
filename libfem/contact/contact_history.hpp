#pragma once
#include <string>
#include <utility>
#include <vector>

#include "libfem/contact/contact_quantities.hpp"

namespace invar {

// What is said of contacts in a state. All collective.

/// The surfaces of a pair in a state.
SurfacePosition surfaces_at(const QuantityCase& c, const ContactQuantityCase::Pair& pair, const EvaluationPoint& u);

/// What is noted of every step of a process, by name: of each contact the pairs that press ("NAME.pairs"), the smallest gap [m]
/// and, with friction, what it dissipates per time [W]. Adds functionals to the residual.
std::vector<std::pair<std::string, Measurement>> contact_step_numbers(const ContactQuantityCase& c);

}  // namespace invar
