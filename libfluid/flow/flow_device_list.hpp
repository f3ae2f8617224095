#pragma once
#include "libfem/device/form_list.hpp"
#include "libfluid/flow/flow_boundary_forms.hpp"
#include "libfluid/flow/flow_inertia.hpp"
#include "libfluid/flow/navier_stokes.hpp"

namespace invar {

/// The forms of Taylor–Hood flow with device kernels.
using FlowDeviceForms =
    FormList<NavierStokes<PlanarFlow, false>, NavierStokes<AxisymmetricFlow, false>, NavierStokes<SpatialFlow, false>,
             FlowTraction<PlanarFlow>, FlowTraction<SpatialFlow>, PressureOutlet<PlanarFlow>, PressureOutlet<SpatialFlow>,
             FlowInertia<PlanarFlow>, FlowInertia<SpatialFlow>, LinearisedConvection<PlanarFlow>, LinearisedConvection<SpatialFlow>>;

}  // namespace invar
