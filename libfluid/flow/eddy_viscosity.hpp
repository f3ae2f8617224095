#pragma once
#include "libfem/form/q_function.hpp"

namespace invar {

/// μ_t/μ = χ f_v1(χ), f_v1 = χ³/(χ³ + c_v1³), for χ > 0, else 0. Twice continuously differentiable at 0.
template <class T, class P>
INVAR_HD PromotedOf<T, P> eddy_viscosity_ratio(const T& chi, const P& cv1) {
  using R = PromotedOf<T, P>;
  const T x = select(chi < T(0.0), T(0.0), chi), cubed = x * x * x;
  return R(x * cubed / (cubed + cv1 * cv1 * cv1));
}

}  // namespace invar
