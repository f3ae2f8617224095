#pragma once
#include <memory>

#include "libfem/form/cell_batches.hpp"
#include "libfem/form/weak_form.hpp"
#include "libfluid/flow/stabilised_inertia.hpp"

namespace invar {

/// The form of one kind of flow. Defined in stabilised_inertia_form.ipp, instantiated in one .cpp per kind.
template <class K, bool Turbulent>
std::unique_ptr<WeakForm> make_stabilised_inertia_form(StabilisedInertia<K, Turbulent> q, CellBatches cells);

}  // namespace invar
