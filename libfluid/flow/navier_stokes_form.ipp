#pragma once
#include "libfem/form/q_form.hpp"
#include "libfluid/flow/navier_stokes_form.hpp"

namespace invar {

template <class K, bool Stabilised, bool Turbulent>
std::unique_ptr<WeakForm> make_navier_stokes_form(NavierStokes<K, Stabilised, Turbulent> q, CellBatches cells) {
  return make_form(std::move(q), std::move(cells));
}

}  // namespace invar
