#include "libfluid/flow/grad_div.hpp"

#include "libfluid/flow/flow_scales.hpp"

namespace invar {

double suggested_grad_div(const FormResidual& residual, double density, double t) {
  return 0.025 * density * prescribed_speed(residual, t) * smallest_extent(residual);
}

}  // namespace invar
