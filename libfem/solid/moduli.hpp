#pragma once
#include "libadjoint/param_spec.hpp"

namespace invar {

/// Whether a constant of a material law is one of those to which its energy and stress are proportional, taken together: twice
/// of each is twice the stress at every strain. All others are ratios, exponents and angles, of which no energy per volume
/// can be made.
inline bool is_modulus(const ParamSpec& constant) { return constant.unit == "Pa"; }

}  // namespace invar
