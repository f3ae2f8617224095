#pragma once
#include <string>
#include <utility>
#include <vector>

#include "libfem/contact/contact_quantities.hpp"

namespace invar {

// Reports on contacts in a state. All functions are collective.

/// The surfaces of a pair in a state.
SurfacePosition surfaces_at(const QuantityCase& c, const ContactQuantityCase::Pair& pair, const EvaluationPoint& u);

/// Measurements of every step of a process, by name: for each contact the number of active pairs ("NAME.pairs"), the smallest gap
/// [m] and, with friction, the dissipated power [W]. Adds functionals to the residual.
std::vector<std::pair<std::string, Measurement>> contact_step_numbers(const ContactQuantityCase& c);

}  // namespace invar
