#pragma once
#include <memory>

#include "libfem/form/cell_batches.hpp"
#include "libfem/form/weak_form.hpp"
#include "libfluid/flow/pressure_correction.hpp"

namespace invar {

/// The forms of one kind of flow. Defined in pressure_correction_form.ipp, instantiated in one .cpp per kind.
template <class K>
std::unique_ptr<WeakForm> make_corrected_momentum_form(CorrectedMomentum<K> q, CellBatches cells);
template <class K>
std::unique_ptr<WeakForm> make_pressure_correction_form(PressureCorrection<K> q, CellBatches cells);

}  // namespace invar
