#pragma once
#include <memory>

#include "libfem/form/cell_batches.hpp"
#include "libfem/form/weak_form.hpp"
#include "libfluid/turbulence/spalart_allmaras.hpp"

namespace invar {

/// The form of one kind of flow. Defined in spalart_allmaras_form.ipp, instantiated in one .cpp per kind, steady and in
/// time.
template <class K, bool InTime>
std::unique_ptr<WeakForm> make_spalart_allmaras_form(SpalartAllmaras<K, InTime> q, CellBatches cells);

}  // namespace invar
