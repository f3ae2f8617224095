#pragma once
#include "libfem/form/q_form.hpp"
#include "libfluid/fsi/moving.hpp"
#include "libfluid/fsi/moving_form.hpp"

namespace invar {

template <class Q>
std::unique_ptr<WeakForm> make_moving_form(Q q, CellBatches cells) {
  return make_form(Moving<Q>{std::move(q)}, std::move(cells));
}

}  // namespace invar
