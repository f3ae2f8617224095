#pragma once
#include "libfem/form/q_form.hpp"
#include "libfluid/flow/stabilised_inertia_form.hpp"

namespace invar {

template <class K, bool Turbulent>
std::unique_ptr<WeakForm> make_stabilised_inertia_form(StabilisedInertia<K, Turbulent> q, CellBatches cells) {
  return make_form(std::move(q), std::move(cells));
}

}  // namespace invar
