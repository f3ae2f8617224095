#pragma once
#include <type_traits>
#include <utility>

#include "libfem/math/host_device.hpp"

namespace invar {

/// f(integral_constant<0>) … f(integral_constant<N−1>): a loop whose index is a constant expression.
template <int N, class F>
INVAR_HD inline void static_for(F&& f) {
  [&]<int... I>(std::integer_sequence<int, I...>) {
    (f(std::integral_constant<int, I>{}), ...);
  }(std::make_integer_sequence<int, N>{});
}

}  // namespace invar
