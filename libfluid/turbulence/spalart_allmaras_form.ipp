#pragma once
#include "libfem/form/q_form.hpp"
#include "libfluid/turbulence/spalart_allmaras_form.hpp"

namespace invar {

template <class K, bool InTime>
std::unique_ptr<WeakForm> make_spalart_allmaras_form(SpalartAllmaras<K, InTime> q, CellBatches cells) {
  return make_form(std::move(q), std::move(cells));
}

}  // namespace invar
