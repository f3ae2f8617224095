#pragma once
#include <memory>

#include "libfem/form/cell_batches.hpp"
#include "libfem/form/weak_form.hpp"
#include "libfluid/flow/navier_stokes.hpp"

namespace invar {

/// The form of one kind of flow. Defined in navier_stokes_form.ipp, instantiated in one .cpp per kind.
template <class K, bool Stabilised, bool Turbulent>
std::unique_ptr<WeakForm> make_navier_stokes_form(NavierStokes<K, Stabilised, Turbulent> q, CellBatches cells);

}  // namespace invar
