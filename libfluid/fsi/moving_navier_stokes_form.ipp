#pragma once
#include "libfem/form/q_form.hpp"
#include "libfluid/flow/navier_stokes.hpp"
#include "libfluid/fsi/moving.hpp"
#include "libfluid/fsi/moving_navier_stokes_form.hpp"

namespace invar {

template <class K>
std::unique_ptr<WeakForm> make_moving_navier_stokes_form(const FlowModel& model, CellBatches cells) {
  return make_form(Moving<NavierStokes<K, false>>{{model.law, model.convection, model.stress_form}}, std::move(cells));
}

}  // namespace invar
