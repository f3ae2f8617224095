#pragma once
#include <string>
#include <vector>

#include "libfem/form/form_residual.hpp"

namespace invar {

/// A stress that a form of the residual adds to that of the law in a region: of Kelvin–Voigt elements, or of muscles.
struct AddedStress {
  enum class Kind { viscous, active };
  Kind kind = Kind::viscous;
  std::string region;                         // of cells; empty: everywhere
  std::vector<ControlledValue> coefficients;  // of KelvinVoigt or ActiveStress
  int form = -1;                              // of the residual
};

}  // namespace invar
