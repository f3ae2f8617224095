#pragma once
#include "libfem/form/q_form.hpp"
#include "libfluid/flow/pressure_correction_form.hpp"

namespace invar {

template <class K>
std::unique_ptr<WeakForm> make_corrected_momentum_form(CorrectedMomentum<K> q, CellBatches cells) {
  return make_form(std::move(q), std::move(cells));
}

template <class K>
std::unique_ptr<WeakForm> make_pressure_correction_form(PressureCorrection<K> q, CellBatches cells) {
  return make_form(std::move(q), std::move(cells));
}

}  // namespace invar
