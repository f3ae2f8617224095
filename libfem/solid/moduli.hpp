#pragma once
#include "libadjoint/param_spec.hpp"

namespace invar {

/// Whether a constant of a law scales its energy and stress (moduli): doubling all of them doubles the stress at every strain.
/// The others are ratios, exponents and angles.
inline bool is_modulus(const ParamSpec& constant) { return constant.unit == "Pa"; }

}  // namespace invar
